"""Runs the benches and prints one table: figure, ours, peer, ratio, target, met or not.

Usage: table.py BUILD_FOLDER [--long] [--write] [--only=WORD]

A ratio is the median of interleaved pairs (ours, peer, ours, peer ...), with the least and the
greatest beside it. Figures of one thread are CPU time, as the machine may be busy; what waits for a
disk is wall-clock time. --long also runs what takes minutes; --write puts the table into
docs/performance.md; --only keeps the questions whose name contains the word.
"""

import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

BENCH = Path(__file__).resolve().parent
PAGE = BENCH.parent / "docs" / "performance.md"
PAIRS = 5
JOURNAL_PAIRS = 9
SECONDS_MAX = 1800


@dataclass
class Row:
    figure: str
    ours: str
    target: str
    met: bool | None  # None: it was not measured.
    peer: str = ""
    ratio: str = ""


@dataclass
class Question:
    name: str
    ask: callable
    long: bool = False


class Missing(Exception):
    """Something that a question needs is missing."""


@dataclass
class Bench:
    build: Path
    notes: list = field(default_factory=list)

    def program(self, name: str) -> str:
        path = self.build / "bench" / name
        if not path.exists():
            raise Missing(f"{name} was not built")
        return str(path)

    def output(self, command: list, env: dict | None = None, given: str | None = None,
               limit_s: int = SECONDS_MAX) -> str:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit_s, input=given,
                              env={**os.environ, **(env or {})}, check=False)
        if done.returncode != 0:
            last = (done.stderr.strip() or "no message").splitlines()[-1]
            raise Missing(f"{Path(command[0]).name} ended with {done.returncode}: {last}")
        return done.stdout

    def run(self, name: str, only: str, *options: str, env: dict | None = None) -> dict:
        """The first benchmark whose name matches, as Google Benchmark's JSON has it."""
        command = [self.program(name), f"--benchmark_filter={only}", "--benchmark_format=json"]
        found = json.loads(self.output(command + list(options), env))["benchmarks"]
        if not found or found[0].get("error_occurred"):
            reason = found[0].get("error_message", "") if found else "no such benchmark"
            raise Missing(f"{name} {only}: {reason}")
        return found[0]


SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


def cpu_s(result: dict) -> float:
    return result["cpu_time"] * SECONDS[result["time_unit"]]


def short(value: float, unit: str = "") -> str:
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if value >= size:
            return f"{value / size:.3g}{letter}{unit}"
    return f"{value:.3g}{' ' if unit and not unit.startswith('/') else ''}{unit}"


def spread(ratios: list, digits: int = 2) -> str:
    middle = statistics.median(ratios)
    return f"{middle:.{digits}f} ({min(ratios):.{digits}f} to {max(ratios):.{digits}f})"


def layers_round(bench: Bench) -> list:
    rows = []
    for predictor in ("evidence", "formula"):
        ms = {}
        for nodes in (100, 500, 1000, 5000):
            took = [1e3 * cpu_s(bench.run("layers_round", f"layers_2_to_4/{predictor}/{nodes}$"))
                    for _ in range(PAIRS if nodes == 5000 else 1)]
            ms[nodes] = statistics.median(took)
        rows.append(Row(f"layers 2-4, {predictor}, 5,000 nodes, 150,000 pods",
                        f"{ms[5000]:.2f} ms a round", "<= 5 ms", ms[5000] <= 5.0))
        if predictor == "evidence":
            per_node = {n: 1e3 * t / n for n, t in ms.items()}
            growth = max(per_node.values()) / min(per_node.values())
            figures = ", ".join(f"{n}: {t:.2f}" for n, t in per_node.items())
            rows.append(Row("the same per node, 100 to 5,000 nodes", f"{figures} us",
                            "linear (within 3x, caches included)", growth <= 3.0))
    return rows


def snapshot_copy(bench: Bench) -> list:
    ours, peer = [], []
    for _ in range(PAIRS):
        ours.append(1e6 * cpu_s(bench.run("snapshot_copy", "copied_on_write$")))
        peer.append(1e6 * cpu_s(bench.run("snapshot_copy", "copied_with_strings$")))
    changed = 1e6 * cpu_s(bench.run("snapshot_copy", "copied_and_changed/100$"))
    middle = statistics.median(ours)
    return [Row("snapshot of 150,000 pods by copy-on-write",
                f"{middle:.1f} us; {changed:.0f} us with 100 pods changed far apart",
                "<= 100 us plus what changed", middle <= 100.0,
                f"rows with strings: {statistics.median(peer) / 1e3:.1f} ms",
                spread([p / o for o, p in zip(ours, peer)], 0))]


def events_row(bench: Bench, nodes: int) -> Row:
    """The same events of the same hours, in the world and in a bare heap."""
    ours, peer, pending = [], [], 0
    for _ in range(PAIRS):
        ours.append(bench.run("world_day", f"world_events/{nodes}/")["items_per_second"])
        heap = bench.run("world_day", f"heap_events/{nodes}/")
        peer.append(heap["items_per_second"])
        pending = heap["pending"]
    ratios = [o / p for o, p in zip(ours, peer)]
    return Row("events of that world", short(statistics.median(ours), "/s"), ">= 1/4",
               statistics.median(ratios) >= 0.25,
               f"std::priority_queue, the same pushes and pops, {pending:,.0f} pending: "
               f"{short(statistics.median(peer), '/s')}", spread(ratios))


def world_small(bench: Bench) -> list:
    days = [bench.run("world_day", "world_day/100/") for _ in range(PAIRS)]
    took = statistics.median(cpu_s(day) for day in days)
    allocated = max(day["allocations"] for day in days)
    return [Row("world, 24 h, 100 nodes, 1,000 pods", f"{took:.2f} s", "<= 2 s", took <= 2.0),
            events_row(bench, 100),
            Row("its allocations after an hour", f"{allocated:.0f}", "0 per event",
                allocated == 0.0)]


def world_large(bench: Bench) -> list:
    day = bench.run("world_day", "world_day/5000/")
    unseen = cpu_s(bench.run("world_day", "world_day_unseen/5000/"))
    took = cpu_s(day)
    rss = day["peak_rss_mib"]
    allocated = day["allocations"]
    return [Row("world, 24 h, 5,000 nodes, 150,000 pods", f"{took:.0f} s, {rss:.0f} MiB",
                "<= 60 s, 1,024 MiB", took <= 60.0 and rss <= 1024.0),
            Row("the same where no source measures", f"{unseen:.0f} s", "<= 60 s",
                unseen <= 60.0),
            events_row(bench, 5000),
            Row("its allocations after an hour", f"{allocated:.0f}", "0 per event",
                allocated == 0.0)]


def all_layers_day(bench: Bench) -> list:
    with tempfile.TemporaryDirectory(dir=bench.build) as folder:
        day = bench.run("all_layers_day", "all_layers_day/5000/", env={"PARLEY_BENCH_DIR": folder})
    share = day["rounds"] / day["day_rounds"]
    took = cpu_s(day) / share
    waited = day["real_time"] * SECONDS[day["time_unit"]] / share
    rss = day["peak_rss_mib"]
    part = "" if share == 1.0 else f", from {day['rounds']:.0f} rounds"
    return [Row("all layers, 24 h of 60 s rounds, 5,000 nodes, decisions recorded",
                f"{took:.0f} s (by the clock {waited:.0f} s{part}), {rss:.0f} MiB, record "
                f"{day['record_mib']:.0f} MiB",
                "<= 120 s, 2,048 MiB", took <= 120.0 and rss <= 2048.0)]


def large_clusters(bench: Bench) -> list:
    """A round and an hour of clusters far beyond one machine's; a day would take one."""
    rows, rounds = [], 30
    for nodes in (20_000, 100_000):
        size = f"{nodes:,} nodes, {30 * nodes:,} pods"
        took = [1e3 * cpu_s(bench.run("layers_round", f"layers_2_to_4/evidence/{nodes}$"))
                for _ in range(PAIRS)]
        ms = statistics.median(took)
        hour = bench.run("world_day", f"world_hour/{nodes}/")
        with tempfile.TemporaryDirectory(dir=bench.build) as folder:
            day = bench.run("all_layers_day", f"all_layers_day/{nodes}/",
                            env={"PARLEY_BENCH_DIR": folder, "PARLEY_BENCH_ROUNDS": str(rounds)})
        record = day["record_mib"] * day["day_rounds"] / day["rounds"]
        rss = day["peak_rss_mib"]
        rows += [Row(f"layers 2-4, evidence, {size}",
                     f"{ms:.1f} ms a round, {1e3 * ms / nodes:.2f} us a node",
                     "<= 100 ms" if nodes == 100_000 else "none",
                     ms <= 100.0 if nodes == 100_000 else None),
                 Row("a whole round of it: world, all layers, decisions recorded",
                     f"{1e3 * cpu_s(day) / rounds:.0f} ms by {rounds} rounds, {rss:,.0f} MiB, "
                     f"record {record:,.0f} MiB for a day of 60 s rounds",
                     "<= 4,096 MiB" if nodes == 100_000 else "none",
                     rss <= 4096.0 if nodes == 100_000 else None),
                 Row("an hour of its world alone",
                     f"{cpu_s(hour):.1f} s, {hour['peak_rss_mib']:,.0f} MiB", "none", None)]
    return rows


def journal_pairs(bench: Bench, folder: str) -> tuple:
    env = {"PARLEY_BENCH_DIR": folder}
    peer_program = [sys.executable, str(BENCH / "journal_peer.py")]
    mine = bench.output([bench.program("journal_rows"), "--check=10000"], env).strip()
    theirs = bench.output(peer_program + ["--check=10000"], env).strip()
    if mine != theirs:
        raise Missing("the two sides do not hold the same rows")
    ours, peer, named = [], [], ""
    for _ in range(JOURNAL_PAIRS):
        result = bench.run("journal_rows", "rows_by_hundred", "--benchmark_min_time=0.5", env=env)
        ours.append(result["items_per_second"])
        answer = json.loads(bench.output(peer_program + ["--seconds=0.5"], env))
        peer.append(answer["rows_per_s"])
        named = answer["peer"]
    return ours, peer, named


def bare_syncs_per_s(folder: str, count: int = 200) -> float:
    """The limit of the disk: 2 KiB written into an existing file, then fdatasync."""
    path = os.path.join(folder, "bare")
    row = os.urandom(2048)
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        os.write(file, bytes(count * len(row)))
        os.fsync(file)
        begin = time.monotonic()
        for i in range(count):
            os.pwrite(file, row, i * len(row))
            os.fdatasync(file)
        return count / (time.monotonic() - begin)
    finally:
        os.close(file)
        os.unlink(path)


def journal(bench: Bench) -> list:
    rows = []
    with tempfile.TemporaryDirectory(dir=bench.build) as disk:
        ours, peer, named = journal_pairs(bench, disk)
        ratios = [o / p for o, p in zip(ours, peer)]
        rows.append(Row("journal, 250-byte rows, 100 to an fdatasync",
                        short(statistics.median(ours), " rows/s"), ">= 1.5",
                        statistics.median(ratios) >= 1.5,
                        f"{named}, WAL, FULL: {short(statistics.median(peer), ' rows/s')}",
                        spread(ratios)))
        rounds, bare = [], []
        for _ in range(JOURNAL_PAIRS):
            rounds.append(bench.run("journal_rows", "durable_rounds", "--benchmark_min_time=0.5",
                                    env={"PARLEY_BENCH_DIR": disk})["items_per_second"])
            bare.append(bare_syncs_per_s(disk))
        middle = statistics.median(rounds)
        rows.append(Row("journal, rounds of 2 KiB, each durable", short(middle, "/s"),
                        ">= 1,000/s", middle >= 1000.0,
                        f"this disk, bare pwrite + fdatasync: {short(statistics.median(bare), '/s')}",
                        spread([r / b for r, b in zip(rounds, bare)])))
    # Without a disk, only the work of the two programs is left.
    if os.path.isdir("/dev/shm"):
        with tempfile.TemporaryDirectory(dir="/dev/shm") as memory:
            ours, peer, named = journal_pairs(bench, memory)
            rounds = bench.run("journal_rows", "durable_rounds", "--benchmark_min_time=0.5",
                               env={"PARLEY_BENCH_DIR": memory})["items_per_second"]
        ratios = [o / p for o, p in zip(ours, peer)]
        rows.append(Row("the same rows in memory, where a sync costs nothing",
                        short(statistics.median(ours), " rows/s"), "none: says what the disk hides",
                        None, short(statistics.median(peer), " rows/s"), spread(ratios)))
        rows.append(Row("rounds of 2 KiB there", short(rounds, "/s"), "none: nothing is durable",
                        None))
    return rows


def vector_env(bench: Bench) -> list:
    runs = [bench.run("vector_env_steps", "random_policy") for _ in range(PAIRS)]
    calm = bench.run("vector_env_steps", "nobody_acts")
    rate = statistics.median(run["items_per_second"] for run in runs)
    allocated = max(run["allocations_per_step"] for run in runs)
    return [Row("VectorEnv, 32 nodes, 32 workloads, 256 pods, random policy",
                short(rate, " workload-steps/s"), ">= 1 M/s", rate >= 1e6),
            Row("the same where nobody acts", short(calm["items_per_second"], " workload-steps/s"),
                ">= 1 M/s", calm["items_per_second"] >= 1e6),
            Row("its allocations per step", f"{allocated:.2g}", "0", allocated == 0.0)]


def pod_decode(bench: Bench) -> list:
    """The same page of 500 pods on all sides; Python reads the same fields."""
    peer_program = [sys.executable, str(BENCH / "pod_decode_peer.py"), "--seconds=1"]
    page = bench.output([bench.program("pod_decode"), "--page"])
    rate = lambda name: bench.run("pod_decode", f"^{name}$")["items_per_second"]
    pairs = []
    for _ in range(PAIRS):
        pairs.append({name: rate(name) for name in ("decode_only", "rapidjson_decode",
                                                    "decode_and_index")})
        pairs[-1]["python"] = json.loads(bench.output(peer_program, given=page))["pods_per_s"]
    middle = lambda name: statistics.median(pair[name] for pair in pairs)
    rows = []
    for ours, what, least in (("decode_only", "pods decoded", 4.0),
                              ("decode_and_index", "pods decoded and indexed, 20,000", 2.5)):
        ratios = [pair[ours] / pair["rapidjson_decode"] for pair in pairs]
        fast = middle(ours) >= 200e3 or ours == "decode_only"
        target = f">= {least:g}" if ours == "decode_only" else f">= 200 k/s, >= {least:g}"
        rows.append(Row(what, short(middle(ours), "/s"), target,
                        fast and statistics.median(ratios) >= least,
                        "RapidJSON 1.1, tree, same fields: "
                        f"{short(middle('rapidjson_decode'), '/s')}", spread(ratios)))
    ratios = [pair["decode_and_index"] / pair["python"] for pair in pairs]
    rows.append(Row("the same beside Python", short(middle("decode_and_index"), "/s"), ">= 20",
                    statistics.median(ratios) >= 20.0,
                    f"Python {platform.python_version()} json.loads, same fields: "
                    f"{short(middle('python'), '/s')}", spread(ratios, 1)))
    taken = json.loads(bench.output([bench.program("pod_decode"), "--memory"]))
    rows.append(Row(f"heap per pod in picture and snapshot, {taken['pods']:,} pods",
                    f"{taken['bytes_per_pod']:.0f} B", "<= 1 KiB",
                    taken["bytes_per_pod"] <= 1024))
    return rows


def live_figures(bench: Bench) -> list:
    """On a cluster of its own; see live_figures.py."""
    command = [sys.executable, str(BENCH / "live_figures.py"), str(bench.build), "--json"]
    return [Row(**row) for row in json.loads(bench.output(command, limit_s=2 * SECONDS_MAX))]


def forest_rows(bench: Bench) -> list:
    """Against XGBoost's C API and Python; see forest_figures.py."""
    bench.program("forest_rows")
    command = [sys.executable, str(BENCH / "forest_figures.py"), str(bench.build), "--json"]
    return [Row(**row) for row in json.loads(bench.output(command))]


def stream_figures(bench: Bench) -> list:
    """Against Node's ws; see stream_figures.py."""
    bench.program("stream_fanout")
    command = [sys.executable, str(BENCH / "stream_figures.py"), str(bench.build), "--json"]
    return [Row(**row) for row in json.loads(bench.output(command))]


def tuner_trials(bench: Bench) -> list:
    """Against Optuna and Rustuna; see tuner_figures.py."""
    bench.program("tuner_trials")
    command = [sys.executable, str(BENCH / "tuner_figures.py"), str(bench.build), "--json"]
    return [Row(**row) for row in json.loads(bench.output(command))]


def xgboost_training(bench: Bench) -> list:
    """Against Python's xgboost on the same rows; see xgboost_training_peer.py."""
    program = bench.program("xgboost_training")
    done = bench.output([str(BENCH.parent / "tools" / "venv.sh"), "learn"])
    python = str(Path(done.strip()) / "bin" / "python")
    found = json.loads(bench.output([python, "-B", str(BENCH / "xgboost_training_peer.py"),
                                     program, f"--pairs={PAIRS}"]))
    rows = []
    for key, with_what in (("same_library", "the very library of Python"),
                           ("debian", "Debian's library")):
        ours = found[key]
        met = key == "debian" or ours["ratio"] <= 1.05
        rows.append(Row(f"training, 200 trees, one thread, with {with_what}",
                        f"{ours['ratio'] * found['peer_s']:.2f} s, AUC {ours['auc']:.4f}",
                        "<= 1.05" if key == "same_library" else "none: another build of XGBoost",
                        met and abs(ours["auc"] - found["peer_auc"]) <= 0.002,
                        f"Python xgboost {found['peer']}: {found['peer_s']:.2f} s, "
                        f"AUC {found['peer_auc']:.4f}",
                        f"{ours['ratio']:.2f} ({ours['low']:.2f} to {ours['high']:.2f})"))
    return rows


def load_model(bench: Bench) -> list:
    line = re.compile(r"^(.*?)\s+(mean|p95|p99)\s+(\d+) cases\s+median\s+([\d.]+) %.*?worst"
                      r"\s+([+-][\d.]+) %\s+\(bound (\d+) %: (holds|broken), (\d+) cases within\)")
    rows = []
    for text in bench.output([bench.program("load_model_error")]).splitlines():
        if found := line.match(text):
            rows.append(Row(f"load model, {found[1].strip()}, {found[2]}",
                            f"worst {found[5]} %, median {found[4]} %, {found[8]} of {found[3]} "
                            "cases within", f"<= {found[6]} %", found[7] == "holds",
                            "request by request"))
    if not rows:
        raise Missing("load_model_error printed no bounds")
    return rows


QUESTIONS = [
    Question("layers_round", layers_round),
    Question("snapshot_copy", snapshot_copy),
    Question("world_day", world_small),
    Question("world_day_large", world_large, long=True),
    Question("all_layers_day", all_layers_day, long=True),
    Question("large_clusters", large_clusters, long=True),
    Question("journal_rows", journal),
    Question("pod_decode", pod_decode),
    Question("live_figures", live_figures, long=True),
    Question("vector_env_steps", vector_env),
    Question("load_model_error", load_model),
    Question("tuner_trials", tuner_trials),
    Question("stream_figures", stream_figures),
    Question("forest_rows", forest_rows),
    Question("xgboost_training", xgboost_training),
]


def surroundings(build: Path) -> list:
    cache = (build / "CMakeCache.txt").read_text() if (build / "CMakeCache.txt").exists() else ""
    value = lambda key: (re.search(rf"^{key}:\w+=(.*)$", cache, re.M) or ["", "unknown"])[1]
    cpu = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo")
                if line.startswith("model name")), "unknown CPU")
    compiler = Path(value("CMAKE_CXX_COMPILER")).name
    busy = os.getloadavg()[0]
    lines = [f"{os.cpu_count()} x {cpu}, load average {busy:.1f}",
             f"{compiler} {value('CMAKE_CXX_FLAGS_RELEASE')}, hardened: "
             f"{value('PARLEY_HARDEN')}"]
    if busy > 0.5:
        lines.append("the machine was busy: ratios hold, single figures may be up to several times "
                     "too slow")
    return lines


def as_table(rows: list) -> str:
    lines = ["| figure | ours | peer | ratio | target | met |", "|---|---|---|---|---|---|"]
    for row in rows:
        met = {True: "yes", False: "**no**", None: "-"}[row.met]
        lines.append(f"| {row.figure} | {row.ours} | {row.peer} | {row.ratio} | {row.target} "
                     f"| {met} |")
    return "\n".join(lines)


def write(table: str, lines: list) -> None:
    text = PAGE.read_text()
    block = "<!-- table -->\n" + table + "\n\n" + "\n".join(f"- {line}" for line in lines)
    text = re.sub(r"<!-- table -->.*?(?=\n<!-- end -->)", lambda _: block, text, flags=re.S)
    PAGE.write_text(text)


def main() -> int:
    options = [argument for argument in sys.argv[1:] if argument.startswith("--")]
    folders = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    known = all(o in ("--long", "--write") or o.startswith("--only=") for o in options)
    if len(folders) != 1 or not known:
        print(__doc__, file=sys.stderr)
        return 2
    only = next((o.split("=", 1)[1] for o in options if o.startswith("--only=")), "")
    bench = Bench(Path(folders[0]).resolve())
    rows = []
    for question in QUESTIONS:
        if only not in question.name:
            continue
        if question.long and "--long" not in options:
            rows.append(Row(question.name, "skipped: takes minutes, ask for it with --long", "",
                            None))
            continue
        print(f"bench: {question.name}", file=sys.stderr, flush=True)
        try:
            rows += question.ask(bench)
        except (Missing, subprocess.TimeoutExpired) as reason:
            rows.append(Row(question.name, f"skipped: {reason}", "", None))
    lines = surroundings(bench.build)
    table = as_table(rows)
    print(table)
    print()
    print("\n".join(lines))
    if "--write" in options:
        write(table, lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
