#!/usr/bin/env python3
"""Who is at the other end of `parley live`: another cluster behind the same address is never mixed
with the first, and certificates and authorities may change under way.

Usage: tests/cluster/identity_test.py PROGRAM [unittest arguments]
"""

import os
import shutil
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from fault_proxy import FaultProxy, Upstream, authority, certify
from kit import (Cluster, Live, bare_pod, kubeconfig, long, observer, pods_listed, pods_shown,
                 require_machine, source)

PROGRAM = ""


def node(name):
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name},
            "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "110"}}}


class OtherEnd(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        require_machine()
        cls.clusters = {}
        cls.tokens = {}
        for tag in ("a", "b"):
            cluster = cls.clusters[tag] = Cluster("api", tag=tag)
            cls.addClassCleanup(cluster.down)
            cls.tokens[tag] = observer(cluster)
            cluster.apply(*[node(f"{tag}-{i}") for i in range(3)],
                          *[bare_pod(f"{tag}-{i}") for i in range(3)])

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="parley-identity-")
        self.addCleanup(shutil.rmtree, self.folder)
        first = self.clusters["a"]
        self.proxy = FaultProxy(first, self.folder)
        self.addCleanup(self.proxy.close)
        self.ca = os.path.join(self.folder, "ca.crt")
        shutil.copy(first.facts["ca"], self.ca)
        path = kubeconfig(os.path.join(self.folder, "kubeconfig"), self.proxy.port, self.ca,
                          self.tokens["a"])
        self.live = Live(PROGRAM, first, kubeconfig=path)
        self.addCleanup(self.live.close)
        self.settle("a", "the start")

    def settle(self, tag, what):
        def agrees(snapshot):
            return source(snapshot, "api")["condition"] == "ok" and \
                pods_shown(snapshot) == pods_listed(self.clusters[tag].get("pods"))
        return self.live.until(agrees, 60, f"a snapshot like kubectl's of {tag} after {what}")

    def move(self, tag):
        facts = self.clusters[tag].facts
        self.proxy.move(Upstream(facts["server"], facts["ca"], self.tokens[tag]))

    def test_two_clusters_are_never_mixed(self):
        other = self.clusters["b"]
        # So that a watch of the first can continue in the second, which is the worst case.
        for i in range(60):
            other.kubectl("annotate", "node", "b-0", f"step={i}", "--overwrite")
        other.apply(*[bare_pod(f"b-late-{i}") for i in range(3)])
        moved = time.time()
        self.move("b")
        seen = self.settle("b", "a move")
        print(f"  another cluster: {seen['taken'] - moved:.0f} s", flush=True)
        self.assertIn("another cluster", source(seen, "api")["reason"])
        self.move("a")
        self.settle("a", "the move back")
        for snapshot in self.live.snapshots():
            whose = {row["id"][0] for row in snapshot["nodes"]} | \
                {pod["name"][0] for pod in snapshot["pods"]}
            self.assertEqual(len(whose), 1, f"round {snapshot['round']} mixes {whose}: "
                             f"{source(snapshot, 'api')}")

    @long
    def test_a_new_certificate_of_the_same_authority_is_no_trouble(self):
        facts = self.clusters["a"].facts
        self.proxy.show(certify(facts["ca"], facts["ca_key"], self.folder, "renewed"))
        self.clusters["a"].apply(bare_pod("a-renewed"))
        self.settle("a", "a new certificate")
        self.assertFalse([s["round"] for s in self.live.snapshots()
                          if s["round"] > 1 and source(s, "api")["condition"] == "failed"])

    def test_an_authority_that_is_not_trusted_is_said_and_one_that_is_put_in_place_is_taken(self):
        made = authority(self.folder, "another-authority")
        begun = time.time()
        self.proxy.show(certify(*made, self.folder, "foreign"))
        failed = self.live.until(lambda s: source(s, "api")["condition"] == "failed", 30,
                                 "a failed api")
        reason = source(failed, "api")["reason"]
        self.assertIn("certificate", reason)
        self.assertNotIn("\n", reason)
        self.assertLess(source(failed, "api")["last_success"], begun + 1)
        shutil.copy(made[0], self.ca + ".new")
        os.replace(self.ca + ".new", self.ca)
        replaced = time.time()
        self.clusters["a"].apply(bare_pod("a-trusted"))
        seen = self.settle("a", "its authority was put in place")
        print(f"  {reason!r}; well {seen['taken'] - replaced:.0f} s after", flush=True)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
