#!/usr/bin/env python3
"""Three real nodes in trouble at once: one is cut off and Parley migrates it, one has no room, one is drained by hand
meanwhile. Workloads never fall below their disruption budgets; and once all is over `parley release --all` leaves
every object as it was before Parley came.

Usage: tests/cluster/three_nodes_test.py PROGRAM [unittest arguments]
"""

import json
import os
import sys
import threading
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from acting import ModeAct
from kit import amount, deployment, long, milli

PROGRAM = ""
# As in act_test.py: a lease that is slow is enough here.
POLICY = """
policy:
  evidence: {lease_slow: 0.3, lease_slow_after: 13s}
  allow:
    - {space: shop, kinds: [migrate]}
"""
KINDS = "nodes,namespaces,deployments,poddisruptionbudgets,jobs,resourcequotas,services"
BUDGET = 4  # Of six pods.
# What the API server and other programs renew by themselves, and what a count of changes is.
RENEWED = ("resourceVersion", "managedFields", "generation", "creationTimestamp")


class Healthy(threading.Thread):
    """Watches a budget: how many of its pods were healthy at the worst moment."""

    def __init__(self, test):
        super().__init__(daemon=True)
        self.test, self.least, self.looks, self.over = test, 99, 0, threading.Event()
        self.start()

    def run(self):
        while not self.over.wait(0.3):
            status = self.test.cluster.find("pdb", "web", "shop")["status"]
            self.least = min(self.least, status["currentHealthy"])
            self.looks += 1

    def end(self):
        self.over.set()
        self.join(30)


@long
class ThreeNodes(ModeAct):
    @classmethod
    def setUpClass(cls):
        cls.start(PROGRAM, "real", tag="three", spaces={"shop": ["act"]})
        cls.policy = cls.write("act.yaml", POLICY)

    def objects(self):
        """What a person or a program wants of each object, and how it is marked. Pods come and go with their nodes."""
        found = {}
        for item in json.loads(self.cluster.kubectl("get", KINDS, "-A", "-o", "json"))["items"]:
            about = item["metadata"]
            kept = {key: value for key, value in about.items() if key not in RENEWED}
            # The ledger is ours and holds what is open; it is in no kind of this list.
            found[item["kind"], about.get("namespace", ""), about["name"]] = {
                **{key: value for key, value in item.items() if key not in ("status", "metadata")}, "metadata": kept}
        return found

    def fill(self, node):
        """Pods that leave no room on a node for one more of `web`."""
        room = self.nodes()[node]["status"]["allocatable"]
        cpu, memory = self.cluster.requested()[node]
        self.assertGreater(amount(room["memory"]) - memory, 64 << 20)
        rest = milli(room["cpu"]) - cpu - 20
        filler = deployment("filler", 1, cpu=f"{rest}m", space="shop", nodeSelector={"kubernetes.io/hostname": node})
        self.cluster.apply(filler)
        self.cluster.kubectl("rollout", "status", "deployment/filler", "-n", "shop", "--timeout=120s")

    def test_budgets_hold_and_release_leaves_everything_as_it_was(self):
        self.cluster.apply(deployment("web", 6, cpu="100m", space="shop"),
                           {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget",
                            "metadata": {"name": "web", "namespace": "shop"},
                            "spec": {"minAvailable": BUDGET, "selector": {"matchLabels": {"app": "web"}}}})
        self.cluster.kubectl("rollout", "status", "deployment/web", "-n", "shop", "--timeout=120s")
        full, drained, victim = sorted(self.nodes(), key=lambda name: len(self.pods_on(name)))
        self.fill(full)
        before = self.objects()
        live = self.live()
        self.settle(live)
        healthy = Healthy(self)
        self.addCleanup(healthy.end)
        self.cut_off(live, victim)
        self.comes(live, self.evicted, "a first eviction")
        self.cluster.command("node", "heal", victim)
        # There is not room for all: it may end by its time.
        self.cluster.kubectl("drain", drained, "--ignore-daemonsets", "--delete-emptydir-data", "--timeout=40s", check=False)
        time.sleep(5)
        by_us = len(self.evicted())
        self.cluster.kubectl("uncordon", drained)
        self.cluster.kubectl("rollout", "status", "deployment/web", "-n", "shop", "--timeout=120s")
        healthy.end()
        why = live.answer("why")
        self.assertEqual(live.stop()[0], 0)
        print(f"  {by_us} evicted by us beside the drain of {drained}; at least "
              f"{healthy.least} of 6 healthy in {healthy.looks} looks", flush=True)
        self.assertGreaterEqual(healthy.least, BUDGET)
        self.assertGreater(healthy.looks, 30)
        self.assertIn(f"migrate {victim}", why)
        self.cluster.kubectl("wait", "--for=condition=Ready", "node", "--all", "--timeout=120s")
        done = self.release("--all")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        after = self.objects()
        self.assertEqual(sorted(after), sorted(before))
        for name, was in before.items():
            with self.subTest(name):
                self.assertEqual(after[name], was)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
