#!/usr/bin/env python3
"""A node is emptied by Parley's migrate and by `kubectl drain`, in turn, on three real nodes.

Usage: drain_figures.py PROGRAM [--pairs=K] [--only=WORD] [--json]

Twenty pods that take some seconds to start are on one node: of ten workloads with a disruption budget of one pod each,
of ten without, and of one with such a budget. Time: from the first request of whoever empties the node until none of
the pods is on it any more and all twenty are ready. Unready seconds: how many of the twenty were missing, over that time.
Requests: by the API server's audit log, in that time; of Parley's those that belong to the action, since it goes on to
observe: changes, dry runs, live reads, ledger and Events.

The node runs out of memory by its status, which the test writes; nothing is the matter with it.
"""

import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import asdict
from pathlib import Path

BENCH = Path(__file__).resolve().parent
sys.path.insert(0, str(BENCH))
sys.path.insert(0, str(BENCH.parent / "tests" / "cluster"))
from table import Row, as_table, spread  # pylint: disable=wrong-import-position
from kills_world import MERGE, Admin, stamp  # pylint: disable=wrong-import-position
from kit import Cluster, deployment, observer, until  # pylint: disable=wrong-import-position
from rbac_test import kubeconfig_with  # pylint: disable=wrong-import-position
from stage import at  # pylint: disable=wrong-import-position

PODS = 20
SPACE = "shop"
# Name -> how many workloads, and whether each has a budget of one pod.
SHAPES = {"ten workloads with budgets": (10, True), "ten workloads without": (10, False),
          "one workload with a budget": (1, True)}
POLICY = {"policy": {"risk": {"holdout": 0}, "evidence": {"pressure": 0.9},
                     "stakes": {"throttle_efficacy": 0.01, "migrate_efficacy": 0.95, "replicate_efficacy": 0.01},
                     "allow": [{"space": SPACE, "kinds": ["migrate"]}]}}


def say(text):
    print(f"drain_figures: {text}", file=sys.stderr, flush=True)


def workload(name, replicas, node):
    """Ready three seconds after it started; at first on this node."""
    made = deployment(name, replicas, cpu="10m", memory="8Mi", space=SPACE)
    pod = made["spec"]["template"]["spec"]
    pod["containers"] = [{
        "name": "web", "image": "testbed.local/busybox:1", "imagePullPolicy": "IfNotPresent",
        "command": ["/bin/sh", "-c", "sleep 3; exec httpd -f -p 8080"],
        "readinessProbe": {"tcpSocket": {"port": 8080}, "periodSeconds": 1},
        "resources": {"requests": {"cpu": "10m", "memory": "8Mi"}}}]
    pod["affinity"] = {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [
        {"weight": 100, "preference": {"matchExpressions": [
            {"key": "kubernetes.io/hostname", "operator": "In", "values": [node]}]}}]}}
    made["metadata"]["labels"] = {"app": name}
    return made


def budget(name):
    return {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": name, "namespace": SPACE},
            "spec": {"maxUnavailable": 1, "selector": {"matchLabels": {"app": name}}}}


class Watch(threading.Thread):
    """How many of the pods are ready, and how many are still on the node, every 0.1 s."""

    def __init__(self, cluster, node):
        super().__init__(daemon=True)
        self.admin, self.node, self.seen, self.over = Admin(cluster), node, [], False
        self.start()

    def run(self):
        while not self.over:
            pods = self.admin.must("GET", f"/api/v1/namespaces/{SPACE}/pods?resourceVersion=0")["items"]
            ready = [p for p in pods if "deletionTimestamp" not in p["metadata"] and any(
                c["type"] == "Ready" and c["status"] == "True" for c in p["status"].get("conditions", []))]
            there = [p for p in pods if p["spec"].get("nodeName") == self.node]
            self.seen.append((time.time(), len(ready), len(there)))
            time.sleep(0.1)

    def done(self):
        return bool(self.seen) and self.seen[-1][1] >= PODS and self.seen[-1][2] == 0

    def close(self):
        self.over = True
        self.join(10)
        self.admin.close()

    def unready(self, begun, ended):
        """Pod-seconds between these moments."""
        spans = [(a, b) for a, b in zip(self.seen, self.seen[1:]) if a[0] >= begun - 0.2 and b[0] <= ended + 0.2]
        return sum((b[0] - a[0]) * max(0, PODS - a[1]) for a, b in spans)


class Field:
    """Three real nodes, twenty pods on one of them."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.cluster = Cluster("real", tag="drain")
        self.admin = Admin(self.cluster)
        self.cluster.kubectl("create", "namespace", SPACE)
        token = observer(self.cluster, "observe-metrics.yaml", "act.yaml")
        self.config = kubeconfig_with(self.cluster, token, os.path.join(folder, "act.kubeconfig"))
        self.policy = os.path.join(folder, "policy.yaml")
        with open(self.policy, "w", encoding="utf-8") as file:
            json.dump(POLICY, file)
        self.node = sorted(n["metadata"]["name"] for n in self.cluster.get("nodes"))[-1]

    def close(self):
        self.admin.close()
        self.cluster.down()

    def place(self, count, budgets):
        """All twenty on the node, ready."""
        others = [n["metadata"]["name"] for n in self.cluster.get("nodes") if n["metadata"]["name"] != self.node]
        for name in others:
            self.cluster.kubectl("cordon", name)
        names = [f"web-{i}" for i in range(count)]
        self.cluster.apply(*(workload(name, PODS // count, self.node) for name in names))
        if budgets:
            self.cluster.apply(*map(budget, names))
        for name in names:
            self.cluster.kubectl("rollout", "status", f"deployment/{name}", "-n", SPACE, "--timeout=120s")
        for name in others:
            self.cluster.kubectl("uncordon", name)

    def clear(self):
        self.cluster.kubectl("delete", "deployment,pdb", "--all", "-n", SPACE)
        until(lambda: not json.loads(self.cluster.kubectl("get", "pods", "-n", SPACE, "-o", "json"))["items"], 120,
              "an empty namespace")

    def press(self):
        """The node says that it runs out of memory, until its kubelet says otherwise."""
        self.admin.send("PATCH", f"/api/v1/nodes/{self.node}/status", {"status": {"conditions": [
            {"type": "MemoryPressure", "status": "True", "reason": "Test", "message": "",
             "lastHeartbeatTime": stamp(), "lastTransitionTime": stamp()}]}},
            "application/strategic-merge-patch+json")

    def log(self, agent):
        return self.cluster.audited(agent)

    def finish(self, watch, begun):
        until(watch.done, 300, "an empty node and twenty ready pods elsewhere")
        ended = watch.seen[-1][0]
        time.sleep(0.3)
        return ended, watch.unready(begun, ended)

    def by_drain(self):
        before = len(self.log("kubectl"))
        watch = Watch(self.cluster, self.node)
        time.sleep(0.5)
        begun = time.time()
        try:
            self.cluster.kubectl("drain", self.node, "--ignore-daemonsets", "--delete-emptydir-data", "--timeout=300s")
            ended, unready = self.finish(watch, begun)
        finally:
            watch.close()
            requests = [e for e in self.log("kubectl")[before:] if begun <= at(e)]
            self.cluster.kubectl("uncordon", self.node)
        return {"took": ended - begun, "unready": unready, "requests": len(requests)}

    def by_parley(self):
        before = len(self.log("parley/"))
        run = os.path.join(tempfile.mkdtemp(dir=self.folder), "run")
        with open(run + ".said", "w", encoding="utf-8") as said:
            process = subprocess.Popen([self.program, "live", "--mode", "act", "--config", self.policy, "--kubeconfig",
                                        self.config, "--event-dir", run, "--lines", "--listen", "off"], stdout=said,
                                       stderr=said)
        watch = Watch(self.cluster, self.node)
        ours = lambda: [e for e in self.log("parley/")[before:] if e["auditID"].startswith("parley-")]  # pylint: disable=unnecessary-lambda-assignment
        try:
            time.sleep(12)  # It leads and has seen everything.
            end = time.monotonic() + 60
            while not ours():
                self.press()
                if time.monotonic() > end:
                    with open(run + ".said", encoding="utf-8") as said:
                        raise AssertionError("no migrate: " + said.read()[-1500:])
                time.sleep(0.3)
            begun = at(ours()[0])
            ended, unready = self.finish(watch, begun)
            time.sleep(4)
        finally:
            watch.close()
            process.send_signal(signal.SIGTERM)
            process.wait(60)
        requests = [e for e in self.log("parley/")[before:] if begun - 1 <= at(e) <= ended + 4 and (
            e["auditID"].startswith("parley-") or e["verb"] == "get" and e["objectRef"]["resource"] in ("pods", "nodes")
            and e["objectRef"].get("name") or e["objectRef"].get("name") == "parley-ledger"
            or e["objectRef"]["resource"] == "events" and e["verb"] == "create")]
        released = subprocess.run([self.program, "release", "--all", "--kubeconfig", self.config], capture_output=True,
                                  text=True, timeout=120, check=False)
        if released.returncode != 0:
            raise AssertionError(released.stderr)
        self.cluster.kubectl("delete", "configmap", "parley-ledger", "-n", "parley-system", "--ignore-not-found")
        return {"took": ended - begun, "unready": unready, "requests": len(requests)}

    def pair(self, shape):
        found = []
        for how in (self.by_parley, self.by_drain):
            self.place(*SHAPES[shape])
            found.append(how())
            self.clear()
            say(f"{shape}, {how.__name__}: " + ", ".join(f"{k} {v:.1f}" for k, v in found[-1].items()))
        return found


def rows_of(shape, pairs):
    ratio = lambda key: [ours[key] / max(theirs[key], 1e-9) for ours, theirs in pairs]  # pylint: disable=unnecessary-lambda-assignment
    middle = lambda side, key: statistics.median(pair[side][key] for pair in pairs)  # pylint: disable=unnecessary-lambda-assignment
    out = []
    for key, what, target, most in (("took", "time", "<= 1.2", 1.2), ("unready", "unready pod-seconds", "< 1", 1.0),
                                    ("requests", "requests", "kubectl's plus mark and ledger", None)):
        unit = " s" if key != "requests" else ""
        met = None if most is None else statistics.median(ratio(key)) <= most
        out.append(Row(f"migrate of 20 pods, {shape}: {what}", f"{middle(0, key):.1f}{unit}", target, met,
                       f"kubectl drain: {middle(1, key):.1f}{unit}", spread(ratio(key))))
    return out


def main():
    words = [a for a in sys.argv[1:] if not a.startswith("--")]
    flags = dict(a[2:].partition("=")[::2] for a in sys.argv[1:] if a.startswith("--"))
    if len(words) != 1:
        raise SystemExit(__doc__)
    folder = tempfile.mkdtemp(prefix="parley-drain-")
    rows = []
    field = Field(os.path.abspath(words[0]), folder)
    try:
        for shape in (s for s in SHAPES if flags.get("only", "") in s):
            pairs = [field.pair(shape) for _ in range(int(flags.get("pairs", 5)))]
            rows += rows_of(shape, pairs)
    finally:
        field.close()
        shutil.rmtree(folder, ignore_errors=True)
    print(json.dumps([asdict(row) for row in rows]) if "json" in flags else as_table(rows))
    say(f"load average {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
