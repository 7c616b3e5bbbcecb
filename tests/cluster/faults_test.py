#!/usr/bin/env python3
"""`parley live` behind a proxy that does everything wrong: while a fault lasts the ages tell the
truth, and when it ends the snapshot is what a fresh list is.

Usage: tests/cluster/faults_test.py PROGRAM [unittest arguments]
"""

import os
import sys
import tempfile
import shutil
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from fault_proxy import Fault, FaultProxy
from kit import (Cluster, Live, bare_pod, kubeconfig, observer, pods_listed, pods_shown,
                 require_machine, source)

PROGRAM = ""
LASTS = 5  # Seconds of a fault.

# What happens, and whether nothing at all can be read meanwhile, so that the API reads failed.
FAULTS = [
    ("connections are reset", Fault("reset"), True),
    ("a black hole", Fault("black_hole"), True),
    ("one byte a second", Fault("drip"), True),
    ("truncated JSON", Fault("truncated"), True),
    ("garbage", Fault("garbage"), True),
    ("a gzip bomb", Fault("bomb"), True),
    ("a login page with 200", Fault("login_page"), True),
    ("401 in the middle", Fault("status", code=401, reason="Unauthorized"), True),
    ("403 on one kind", Fault("status", path="/deployments", code=403, reason="Forbidden"), False),
    ("410 on every list and watch", Fault("status", path="limit=|watch=", code=410,
                                          reason="Expired"), True),
    ("429 with Retry-After", Fault("status", code=429, reason="TooManyRequests", retry_after=1),
     True),
    ("a storm of 500", Fault("status", code=500, reason="InternalError"), True),
]
TAMPERED = [
    ("events are lost", Fault("lose", path="/pods")),
    ("events come twice", Fault("double", path="/pods")),
    ("events come in the wrong order", Fault("swap", path="/pods")),
    ("an event goes back in time", Fault("go_back", path="/pods")),
    ("the watch expires inside", Fault("expire", path="/pods")),
]


# In `make test` those that differ most; in `make check-all` all of them.
SHORT = ("a black hole", "truncated JSON", "a gzip bomb", "401 in the middle",
         "403 on one kind", "a storm of 500")


def faults():
    everything = os.environ.get("PARLEY_FAULTS") == "all"
    return [each for each in FAULTS if everything or each[0] in SHORT]


class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        require_machine()
        cls.cluster = Cluster("api")
        cls.addClassCleanup(cls.cluster.down)
        cls.folder = tempfile.mkdtemp(prefix="parley-faults-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.proxy = FaultProxy(cls.cluster, cls.folder)
        cls.addClassCleanup(cls.proxy.close)
        token = observer(cls.cluster)
        cls.kubeconfig = kubeconfig(os.path.join(cls.folder, "kubeconfig"), cls.proxy.port,
                                    cls.cluster.facts["ca"], token)
        cls.live = Live(PROGRAM, cls.cluster, "--verify-every", "4s", kubeconfig=cls.kubeconfig)
        cls.addClassCleanup(cls.live.close)
        cls.churned = 0

    def churn(self):
        """Makes two pods and takes the older half of all away."""
        type(self).churned += 1
        self.cluster.apply(bare_pod(f"a{self.churned}"), bare_pod(f"b{self.churned}"))
        if self.churned % 2 == 0:
            self.cluster.kubectl("delete", "pod", f"a{self.churned - 1}", "--grace-period=0",
                                 "--force", "--ignore-not-found")

    def settle(self, what):
        def agrees(snapshot):
            return source(snapshot, "api")["condition"] == "ok" and \
                pods_shown(snapshot) == pods_listed(self.cluster.get("pods"))
        return self.live.until(agrees, 75, "a snapshot like kubectl's after " + what)

    def test_whatever_happens_it_ends_as_a_fresh_list(self):
        self.churn()
        self.settle("the start")
        for what, fault, blind in faults():
            with self.subTest(what):
                self.proxy.set(fault)
                begun = time.time()
                self.churn()
                if blind:
                    failed = self.live.until(
                        lambda s: source(s, "api")["condition"] != "ok", 30, what + " to show")
                    self.assertTrue(source(failed, "api")["reason"], what)
                # A kind that failed before may still be waiting for its next try.
                while fault.met == 0 and time.time() < begun + 40:
                    time.sleep(0.2)
                time.sleep(max(0.0, begun + LASTS - time.time()))
                self.churn()
                self.proxy.set(None)
                self.settle(what)
                self.assertGreater(fault.met, 0, what + " was never met")
                print(f"  {what}: {time.time() - begun:.0f} s", flush=True)

    def test_watch_lines_may_be_tampered_with(self):
        self.churn()
        self.settle("the start")
        for what, fault in TAMPERED:
            with self.subTest(what):
                self.proxy.tamper(fault)
                self.churn()
                self.churn()
                time.sleep(1)
                self.proxy.tamper(None)
                self.churn()
                self.settle(what)
                self.assertGreater(fault.met, 0, what + " was never met")

    def test_a_past_that_is_restored_is_followed(self):
        """etcd goes back in time, and resource versions with it."""
        self.proxy.set(None)
        self.churn()
        self.settle("the start")
        saved = os.path.join(self.folder, "etcd.snapshot")
        self.cluster.command("etcd", "snapshot", saved)
        self.churn()
        self.churn()
        self.settle("more pods")
        self.cluster.command("etcd", "restore", saved)
        self.settle("a restored past")
        self.churn()
        self.settle("pods after it")

    def test_without_a_fault_the_ages_are_young(self):
        self.proxy.set(None)
        seen = self.settle("nothing")
        self.assertLess(seen["taken"] - source(seen, "api")["last_success"], 10)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
