#!/usr/bin/env python3
"""What following a real cluster costs, compared with client-go's informers on the same API server.

Usage: live_figures.py BUILD_FOLDER [--nodes=N] [--pods=M] [--pairs=K] [--steady=SECONDS]
                       [--changes=C] [--cluster=NAME] [--json]

Starts a cluster of the testbed's profile `scale` (1,000 nodes and 20,000 pods), runs both sides in
turn, follows the cluster with `parley live` for a while, and takes it down again. With --cluster it
is one of the testbed's that is up already, and stays so. --json prints the rows as JSON.

First snapshot: from the start of the process until it says that everything is known.
Memory: what is resident with all pods less what is with the pods of an empty namespace, per pod.
Steady: requests as `parley live` counts them and as the audit log has them.
Changes: pods are created and deleted at random moments; seen is when the line of the first round
that shows it stands in the trace, which is written after the round is in the record.
"""

import http.client
import json
import os
import queue
import random
import re
import shutil
import signal
import ssl
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path

BENCH = Path(__file__).resolve().parent
sys.path.insert(0, str(BENCH))
from table import Row, as_table, spread  # pylint: disable=wrong-import-position

TESTBED = BENCH.parent / "testbed" / "testbed"
EMPTY = "kube-public"  # A namespace that every cluster has, without pods.
INTERVAL_S = 1.0
LATE_MS_MAX = 250


class Missing(Exception):
    """Why nothing can be measured."""


@dataclass
class Options:
    build: Path
    nodes: int = 1000
    pods: int = 20_000
    pairs: int = 5
    steady: int = 120
    changes: int = 240
    cluster: str = ""
    json: bool = False


def say(text: str) -> None:
    print(f"live_figures: {text}", file=sys.stderr, flush=True)


def options_of(arguments: list) -> Options:
    folders = [a for a in arguments if not a.startswith("--")]
    if len(folders) != 1:
        raise Missing("one build folder is needed; see the first lines of this file")
    options = Options(Path(folders[0]).resolve())
    for argument in (a[2:] for a in arguments if a.startswith("--")):
        name, _, value = argument.partition("=")
        if not hasattr(options, name) or name == "build":
            raise Missing(f"--{name} is not known; see the first lines of this file")
        kind = type(getattr(options, name))
        setattr(options, name, True if kind is bool else kind(value))
    return options


def informer_of(options: Options) -> str:
    """Builds the peer; its modules are pinned beside it."""
    go = shutil.which("go") or "/usr/local/go/bin/go"
    if not os.path.exists(go):
        raise Missing("there is no Go, so neither the test cluster nor the peer can be built")
    program = options.build / "bench" / "informer"
    done = subprocess.run([go, "build", "-mod=readonly", "-o", str(program), "."],
                          cwd=BENCH / "informer", capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Missing(f"the peer cannot be built: {(done.stderr.strip() or '?').splitlines()[-1]}")
    return str(program)


def program_of(options: Options, name: str) -> str:
    path = options.build / name
    if not path.exists():
        raise Missing(f"{path.name} was not built")
    return str(path)


class Cluster:
    """A cluster that runs while this lives, or one that somebody else has started."""

    def __init__(self, options: Options):
        self.name = ""
        if options.cluster:
            shown = subprocess.run(
                [str(TESTBED), "status", "--name", options.cluster, "-o", "json"],
                stdout=subprocess.PIPE, text=True, check=True)
            self.facts = json.loads(shown.stdout)
            return
        self.name = f"figures{os.getpid()}"
        say(f"starting {options.nodes:,} nodes and {options.pods:,} pods; this takes minutes")
        done = subprocess.run(
            [str(TESTBED), "up", "--profile", "scale", "--name", self.name, "--nodes",
             str(options.nodes), "--pods", str(options.pods), "-o", "json"],
            stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            self.name = ""
            raise Missing("the test cluster did not come up")
        self.facts = json.loads(done.stdout)

    def down(self) -> None:
        if self.name:
            subprocess.run([str(TESTBED), "down", "--name", self.name], check=True,
                           stdout=subprocess.DEVNULL)

    def connection(self) -> http.client.HTTPSConnection:
        context = ssl.create_default_context(cafile=self.facts["ca"])
        context.load_cert_chain(self.facts["client_certificate"], self.facts["client_key"])
        host, port = re.match(r"https://([^:/]+):?(\d*)", self.facts["server"]).groups()
        return http.client.HTTPSConnection(host, int(port or 443), context=context, timeout=60)


def ask(to: http.client.HTTPSConnection, method: str, path: str, body: dict | None = None) -> dict:
    to.request(method, path, json.dumps(body) if body else None,
               {"Content-Type": "application/json"})
    answer = to.getresponse()
    said = answer.read()
    if answer.status >= 400:
        raise Missing(f"{method} {path}: {answer.status} {said[:200]!r}")
    return json.loads(said)


def first_snapshot(command: list, settle: bool = False) -> dict:
    """Seconds from the start of the process until its first line, and what its lines say."""
    begin = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        line = process.stdout.readline()
        took = time.monotonic() - begin
        rest = process.stdout.readline() if settle else ""
        process.stdout.read()
    if process.returncode != 0 or not line:
        raise Missing(f"{Path(command[0]).name} ended with {process.returncode}")
    return {**json.loads(line), **(json.loads(rest) if rest else {}), "took": took}


def compare(options: Options, cluster: Cluster, informer: str) -> list:
    """First snapshots and memory of both sides, in turn."""
    kubeconfig = cluster.facts["kubeconfig"]
    ours = [program_of(options, "bench/first_snapshot"), f"--kubeconfig={kubeconfig}"]
    peer = [informer, f"--kubeconfig={kubeconfig}"]
    first_snapshot(ours)  # Both once untimed, so that the server's caches are warm.
    first_snapshot(peer)
    mine, theirs = [], []
    for i in range(options.pairs):
        say(f"first snapshot, pair {i + 1} of {options.pairs}")
        mine.append(first_snapshot(ours + ["--settle=3"], settle=True))
        theirs.append(first_snapshot(peer + ["--settle=3s"], settle=True))
    bare_mine = first_snapshot(ours + ["--settle=3", f"--namespace={EMPTY}"], settle=True)
    bare_theirs = first_snapshot(peer + ["--settle=3s", f"--namespace={EMPTY}"], settle=True)
    if mine[0]["pods"] != theirs[0]["pods"] or mine[0]["nodes"] != theirs[0]["nodes"]:
        raise Missing(f"the two sides do not see the same: {mine[0]} and {theirs[0]}")
    pods = mine[0]["pods"]
    ratios = [m["took"] / t["took"] for m, t in zip(mine, theirs)]
    middle = lambda runs, key: statistics.median(run[key] for run in runs)
    called = f"client-go 0.35.4 informers, {theirs[0]['kinds']} kinds, protobuf"
    rows = [Row(f"first snapshot of {mine[0]['nodes']:,} nodes and {pods:,} pods",
                f"{middle(mine, 'took'):.2f} s, {middle(mine, 'requests'):.0f} requests",
                "<= 1.25", statistics.median(ratios) <= 1.25,
                f"{called}: {middle(theirs, 'took'):.2f} s", spread(ratios))]
    per_pod = lambda run, bare, key: (run[key] - bare[key]) / pods
    for key, what in (("rss", "resident memory per pod"),
                      ("rss_trimmed", "the same once free memory was given back")):
        own = [per_pod(run, bare_mine, key) for run in mine]
        other = [per_pod(run, bare_theirs, key) for run in theirs]
        times = [o / m for m, o in zip(own, other)]
        met = statistics.median(own) <= 1024 and statistics.median(times) >= 10
        rows.append(Row(what, f"{statistics.median(own):,.0f} B", "<= 1 KiB, >= 10 times less",
                        met, f"client-go: {statistics.median(other):,.0f} B", spread(times, 1)))
    return rows


class Trace:
    """Reads a trace while it grows: when each line was complete, and which names it holds."""

    def __init__(self, path: str):
        self.path, self.stop = path, False
        self.lines = queue.Queue()
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self) -> None:
        while not os.path.exists(self.path):
            time.sleep(0.05)
        part = []
        with open(self.path, "rb") as file:
            while not self.stop:
                piece = file.read(1 << 22)
                if not piece:
                    time.sleep(0.005)
                    continue
                now = time.time()
                while (end := piece.find(b"\n")) >= 0:
                    line = b"".join(part) + piece[:end]
                    self.lines.put((now, frozenset(re.findall(rb'"name":"(figure-\d+)"', line))))
                    part, piece = [], piece[end + 1:]
                part.append(piece)


def pod_object(name: str, node: str) -> dict:
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name},
            "spec": {"nodeName": node, "terminationGracePeriodSeconds": 0,
                     "automountServiceAccountToken": False,
                     "containers": [{"name": "a", "image": "none", "resources": {
                         "requests": {"cpu": "10m", "memory": "16Mi"}}}]}}


def make_changes(cluster: Cluster, count: int) -> list:
    """Creates pods and deletes them later, at random moments: (acknowledged, name, there)."""
    draw = random.Random(7)
    to = cluster.connection()
    path = "/api/v1/namespaces/default/pods"
    node = ask(to, "GET", "/api/v1/nodes?limit=1")["items"][0]["metadata"]["name"]
    done, alive, number = [], [], 0  # A deleted pod has existed for ten others: some round has shown it.
    while len(done) < count:
        time.sleep(draw.uniform(0.05, 0.95))
        if len(alive) > 20 or (len(alive) > 10 and draw.random() < 0.5):
            name = alive.pop(draw.randrange(len(alive) - 10))
            ask(to, "DELETE", f"{path}/{name}?gracePeriodSeconds=0")
            done.append((time.time(), name.encode(), False))
        else:
            number += 1
            name = f"figure-{number:05}"
            ask(to, "POST", path, pod_object(name, node))
            done.append((time.time(), name.encode(), True))
            alive.append(name)
    time.sleep(5 * INTERVAL_S)  # So that the last ones are seen before they are deleted.
    for name in alive:
        ask(to, "DELETE", f"{path}/{name}?gracePeriodSeconds=0")
    to.close()
    return done


def delays(changes: list, trace: Trace) -> list:
    """Seconds from each change until a round shows it."""
    lines = []
    while not trace.lines.empty():
        lines.append(trace.lines.get())
    out = []
    for at, name, there in changes:
        seen = next((when for when, names in lines if when >= at and (name in names) == there),
                    None)
        if seen is None:
            raise Missing(f"{name.decode()} was never seen to come or go")
        out.append(seen - at)
    return sorted(out)


def cpu_s(pid: int) -> float:
    words = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def audited(path: str) -> int:
    """Requests by `parley` that the audit log has, rotated parts left out."""
    with open(path, encoding="utf-8", errors="replace") as log:
        return sum('"userAgent":"parley/' in line for line in log)


def live(options: Options, cluster: Cluster, folder: str) -> list:
    return [program_of(options, "parley"), "live", "--kubeconfig", cluster.facts["kubeconfig"],
            "--event-dir", os.path.join(folder, "run"), "--interval", f"{INTERVAL_S:.0f}s",
            "--lines"]


def changing(options: Options, cluster: Cluster) -> list:
    """How soon a change is in the record."""
    say(f"parley live beside {options.changes} changes")
    with tempfile.TemporaryDirectory(dir=options.build) as folder:
        file = os.path.join(folder, "trace.jsonl")
        with subprocess.Popen(live(options, cluster, folder) + ["--trace-out", file],
                              stdout=subprocess.DEVNULL) as process:
            trace = Trace(file)
            try:
                for _ in range(5):  # The first rounds list everything.
                    trace.lines.get(timeout=120)
                changes = make_changes(cluster, options.changes)
                took = delays(changes, trace)
            finally:
                process.send_signal(signal.SIGINT)
                process.wait(60)
                trace.stop = True
    at = lambda share: took[min(len(took) - 1, int(share * len(took)))] * 1e3
    most = INTERVAL_S * 1e3 + LATE_MS_MAX
    return [Row(f"change in the cluster to its round in record and trace, {len(took)} changes",
                f"p50 {at(0.5):.0f} ms, p99 {at(0.99):.0f} ms, rounds every second",
                f"p99 <= {LATE_MS_MAX} ms and an interval", at(0.99) <= most)]


def rest(options: Options, cluster: Cluster) -> list:
    """The cost of following a cluster in which only leases change."""
    say(f"parley live at rest, {options.steady} s")
    begin, said = time.monotonic(), []
    with (tempfile.TemporaryDirectory(dir=options.build) as folder,
          subprocess.Popen(live(options, cluster, folder), stdout=subprocess.PIPE,
                           text=True) as process):
        reader = threading.Thread(target=lambda: said.extend(process.stdout), daemon=True)
        reader.start()
        time.sleep(20)
        log = cluster.facts["audit_log"]
        before, cpu = audited(log), cpu_s(process.pid)
        time.sleep(options.steady)
        asked = audited(log) - before
        cpu = (cpu_s(process.pid) - cpu) / options.steady
        process.send_signal(signal.SIGINT)
        process.wait(60)
        reader.join(10)
    passed = time.monotonic() - begin
    own = re.search(r"Asked the API server (\d+) times", "".join(said))
    if own is None:
        raise Missing("parley live did not say what it asked")
    per_s = int(own[1]) / passed
    return [Row(f"requests at rest, {options.nodes:,} nodes",
                f"{asked / options.steady:.2f}/s by the audit log, {per_s:.2f}/s by its own count "
                f"with the start in it; {100 * cpu:.0f} % of a core, rounds every second",
                "<= 5/s", max(per_s, asked / options.steady) <= 5.0)]


def part(name: str, measure: callable) -> list:
    """Its rows, or one that says why there are none."""
    try:
        return measure()
    except (Missing, OSError, subprocess.SubprocessError, queue.Empty) as reason:
        return [Row(name, f"skipped: {reason or type(reason).__name__}", "", None)]


def main() -> int:
    try:
        options = options_of(sys.argv[1:])
        for needed in ("parley", "bench/first_snapshot"):
            program_of(options, needed)
        informer = informer_of(options)
        cluster = Cluster(options)
        try:
            rows = part("first snapshot and memory", lambda: compare(options, cluster, informer))
            rows += part("requests at rest", lambda: rest(options, cluster))
            rows += part("change to record", lambda: changing(options, cluster))
        finally:
            cluster.down()
    except (Missing, OSError, subprocess.SubprocessError) as reason:
        print(f"live_figures: {reason}", file=sys.stderr)
        return 1
    print(json.dumps([asdict(row) for row in rows]) if options.json else as_table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
