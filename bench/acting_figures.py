#!/usr/bin/env python3
"""What acting costs and how soon it ends, on a real API server, by its audit log.

Usage: acting_figures.py PROGRAM [--only=WORD] [--times=N] [--nodes=N] [--steady=SECONDS] [--json]

stops     from each way of stopping to the last change, while a hundred pods are being resized: N times (20)
failover  from kill -9, and from SIGTERM, of the leader to the next one's first decision, in rounds of 3 s: N times (10)
first     from a decision that is durable to its first request and to its first change: N actions (20). Durable is when
          the last fdatasync before it returned, by strace
steady    requests in a second at 1,000 nodes while it leads, with an action that stands
memory    resident memory there in mode act beside mode observe, in turn: N pairs (5)

Nodes and pods are objects in the API server that this program keeps alive: see tests/cluster/stage.py. A figure of so
few runs has no 99th percentile; the greatest is given instead.
"""

import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path

BENCH = Path(__file__).resolve().parent
sys.path.insert(0, str(BENCH))
sys.path.insert(0, str(BENCH.parent / "tests" / "cluster"))
from table import Row, as_table, spread  # pylint: disable=wrong-import-position
import failover  # pylint: disable=wrong-import-position
import stops  # pylint: disable=wrong-import-position
from kit import until  # pylint: disable=wrong-import-position
from stage import Stage, at  # pylint: disable=wrong-import-position

SETTLE_S = 30  # Before memory and rates are read.


def say(text):
    print(f"acting_figures: {text}", file=sys.stderr, flush=True)


class Options:
    def __init__(self, arguments):
        self.program, self.only, self.times, self.nodes, self.steady, self.json = "", "", 0, 1000, 120, False
        for argument in arguments:
            name, _, value = argument.removeprefix("--").partition("=")
            if not argument.startswith("--"):
                self.program = os.path.abspath(argument)
            elif name == "json":
                self.json = True
            elif name in ("only", "times", "nodes", "steady"):
                setattr(self, name, type(getattr(self, name))(value))
            else:
                raise SystemExit(__doc__)
        if not self.program:
            raise SystemExit(__doc__)


class OnStage:
    """A stage in a folder of its own, while this lives."""

    def __init__(self, options, **how):
        self.folder = tempfile.mkdtemp(prefix="parley-figures-")
        self.stage = Stage(options.program, self.folder, tag="figures", **how)

    def __enter__(self):
        return self.stage

    def __exit__(self, *_):
        self.stage.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def greatest(values, unit="s", digits=2):
    return (f"median {statistics.median(values):.{digits}f} {unit}, greatest of {len(values)} "
            f"{max(values):.{digits}f} {unit}")


def stopping(options):
    rows = []
    with OnStage(options, interval="0.5s") as stage:
        for way in stops.WAYS:
            say(f"stops: {way}")
            found = stops.measure(stage, way, options.times or 20)
            took = [seconds for seconds, _ in found]
            rows.append(Row(f"stopped by {way}, to the last change", f"{greatest(took)}; at most "
                            f"{max(count for _, count in found)} changes", "p99 < 1 s", max(took) < 1.0))
    return rows


def failing_over(options):
    rows = []
    with OnStage(options, interval="3s", pods=12, busy=6) as stage:
        for how, target in ((signal.SIGKILL, 20.0), (signal.SIGTERM, 20.0)):
            say(f"failover: {how.name}")
            took = failover.measure(stage, how, options.times or 10)
            rows.append(Row(f"{how.name} of the leader to the next one's first decision, rounds of 3 s",
                            greatest(took, digits=1), f"<= {target:.0f} s", max(took) <= target))
    return rows


def durable(path):
    """When calls of fdatasync returned, by strace's lines."""
    found = re.compile(r"^\d+ +(\d+\.\d+) (?:fdatasync\(.*|<\.\.\. fdatasync resumed>.*) = 0 <(\d+\.\d+)>")
    out = []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            match = found.match(line)
            if match:
                # A call that was interrupted by another thread's is written when it returns.
                began = 0.0 if "resumed" in line else float(match.group(2))
                out.append(float(match.group(1)) + began)
    return sorted(out)


def one_action(stage):
    """Milliseconds from the durable decision to the ledger's write and to the first change."""
    since = stage.log_size()
    stage.world.press(stage.home.victim, True)
    run = stage.live("--listen", "off")
    trace = os.path.join(run.folder, "strace")
    with subprocess.Popen(["strace", "-f", "--seccomp-bpf", "-e", "trace=fdatasync", "-ttt", "-T", "-o", trace, "-p",
                           str(run.process.pid)], stderr=subprocess.DEVNULL) as strace:
        try:
            until(lambda: len(stage.changes(since)) > 3, 60, f"an action: {run.words()}")
        finally:
            run.end()
            strace.wait(30)
    first = stage.changes(since)[0]
    decision = first["auditID"].split("-")[1]
    ledger = [e for e in stage.asked(since) if e.get("objectRef", {}).get("name") == "parley-ledger"
              and e["verb"] == "update" and at(e) < at(first)]
    wrote = max(ledger, key=at)
    before = [t for t in durable(trace) if t < at(wrote)]
    stage.reset()
    if not before or not decision:
        raise AssertionError("strace saw no fdatasync before the first request")
    return (at(wrote) - before[-1]) * 1e3, (at(first) - before[-1]) * 1e3


def first_requests(options):
    if shutil.which("strace") is None:
        return [Row("decision durable to first request", "skipped: there is no strace", "", None)]
    with OnStage(options, interval="1s", pods=12, busy=6) as stage:
        say("first: decision durable to first request")
        both = [one_action(stage) for _ in range(options.times or 20)]
    asked, changed = [a for a, _ in both], [b for _, b in both]
    return [Row("decision durable to its first request, the ledger's", greatest(asked, "ms", 1), "p99 <= 50 ms",
                max(asked) <= 50),
            Row("the same to its first change, with a live read and a dry run before it", greatest(changed, "ms", 1),
                "p99 <= 50 ms", max(changed) <= 50)]


def resident(run):
    text = Path(f"/proc/{run.process.pid}/status").read_text(encoding="utf-8")
    return int(re.search(r"VmRSS:\s+(\d+)", text)[1]) / 1024


def large(options):
    return OnStage(options, interval="3s", pods=24, busy=6, nodes=options.nodes)


def kind_of(event):
    about = event.get("objectRef") or {}
    return "rights" if "selfsubject" in about.get("resource", "") else about.get("resource", event["requestURI"])


def steady(options):
    with large(options) as stage:
        say(f"steady: {options.nodes} nodes, {options.steady} s")
        since = stage.log_size()
        stage.world.press(stage.home.victim, True)
        run = stage.live("--listen", "off")
        try:
            until(lambda: stage.changes(since), 120, f"an action: {run.words()}")
            time.sleep(SETTLE_S)
            since = stage.log_size()
            time.sleep(options.steady)
            asked = stage.asked(since)
            # Watches that end are logged when they do, and were asked for long before.
            asked = [e for e in asked if e["verb"] != "watch"]
            leads = run.leads()
        finally:
            run.end(signal.SIGTERM)
    rate = len(asked) / options.steady
    most = ", ".join(f"{name} {count / options.steady:.2f}" for name, count in
                     Counter(map(kind_of, asked)).most_common(5))
    if not leads:
        raise AssertionError("it did not lead")
    return [Row(f"requests while it leads and an action stands, {options.nodes:,} nodes, rounds of 3 s",
                f"{rate:.2f}/s over {options.steady} s: {most}", "<= 5/s", rate <= 5)]


def memory(options):
    found = {"observe": [], "act": []}
    with large(options) as stage:
        for pair in range(options.times or 5):
            say(f"memory: pair {pair + 1}")
            for mode, values in found.items():
                run = stage.live("--listen", "off", mode=mode)
                try:
                    until(lambda: run.state().get("rounds", 0) > 2, 120, f"rounds: {run.words()}")  # pylint: disable=cell-var-from-loop
                    time.sleep(SETTLE_S)
                    values.append(resident(run))
                finally:
                    run.end(signal.SIGTERM)
    ratios = [act / observe for act, observe in zip(found["act"], found["observe"])]
    return [Row(f"resident memory in mode act beside observe, {options.nodes:,} nodes, 24 pods",
                f"{statistics.median(found['act']):.0f} MiB", "<= 1.1", statistics.median(ratios) <= 1.1,
                f"observe: {statistics.median(found['observe']):.0f} MiB", spread(ratios))]


PARTS = {"stops": stopping, "failover": failing_over, "first": first_requests, "steady": steady, "memory": memory}


def main():
    options = Options(sys.argv[1:])
    rows = []
    for name, part in PARTS.items():
        if options.only not in name:
            continue
        try:
            rows += part(options)
        except (AssertionError, OSError, subprocess.SubprocessError) as reason:
            rows.append(Row(name, f"skipped: {reason}", "", None))
        say(f"{name}: " + "; ".join(f"{row.figure}: {row.ours}" for row in rows[-3:]))
    print(json.dumps([asdict(row) for row in rows]) if options.json else as_table(rows))
    say(f"load average {os.getloadavg()[0]:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
