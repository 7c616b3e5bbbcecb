#!/usr/bin/env python3
"""`parley live` behind a proxy that does everything wrong: while a fault lasts the ages tell the
truth, and when it ends the snapshot is what a fresh list is.

In `make test` each fault has a proxy and a `parley live` of its own beside one cluster, so that
together they take the time of one; in `make check-all` one Parley suffers all of them in a row.

Usage: tests/cluster/faults_test.py PROGRAM [unittest arguments]
"""

import os
import shutil
import sys
import tempfile
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from fault_proxy import Fault, FaultProxy
from kit import (ALL, Cluster, Live, bare_pod, kubeconfig, observer, pods_listed, pods_shown,
                 require_machine, source)

PROGRAM = ""
LASTS = 5  # Seconds that a fault lasts.

# The fault, and whether nothing can be read meanwhile, so that the API reads failed.
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


# `make test` runs those that differ most, `make check-all` all of them.
SHORT = ("a black hole", "truncated JSON", "a gzip bomb", "401 in the middle",
         "403 on one kind", "a storm of 500")


def series():
    """Faults by the Parley that suffers them, one after the other."""
    if ALL:
        return [FAULTS]
    return [[each] for each in FAULTS if each[0] in SHORT]


class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        require_machine()
        cls.cluster = Cluster("api")
        cls.addClassCleanup(cls.cluster.down)
        cls.folder = tempfile.mkdtemp(prefix="parley-faults-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.token = observer(cls.cluster)
        cls.proxy, cls.live = cls.follow()
        cls.churned = 0
        cls.turn = threading.Lock()

    @classmethod
    def follow(cls):
        """A Parley behind its own proxy."""
        folder = tempfile.mkdtemp(dir=cls.folder)
        proxy = FaultProxy(cls.cluster, folder)
        cls.addClassCleanup(proxy.close)
        path = kubeconfig(os.path.join(folder, "kubeconfig"), proxy.port,
                          cls.cluster.facts["ca"], cls.token)
        live = Live(PROGRAM, cls.cluster, "--verify-every", "4s", kubeconfig=path)
        cls.addClassCleanup(live.close)
        return proxy, live

    def churn(self):
        """Creates two pods and deletes the older half of all."""
        with self.turn:
            type(self).churned += 1
            number = self.churned
        self.cluster.apply(bare_pod(f"a{number}"), bare_pod(f"b{number}"))
        if number % 2 == 0:
            self.cluster.kubectl("delete", "pod", f"a{number - 1}", "--grace-period=0",
                                 "--force", "--ignore-not-found")

    def settle(self, what, live=None):
        def agrees(snapshot):
            return source(snapshot, "api")["condition"] == "ok" and \
                pods_shown(snapshot) == pods_listed(self.cluster.get("pods"))
        return (live or self.live).until(agrees, 75, "a snapshot like kubectl's after " + what)

    def suffer(self, proxy, live, what, fault, blind):
        """One fault, from its beginning until everything is well again."""
        proxy.set(fault)
        begun = time.time()
        self.churn()
        if blind:
            failed = live.until(lambda s: source(s, "api")["condition"] != "ok", 30,
                                what + " to show")
            if not source(failed, "api")["reason"]:
                raise AssertionError("the API is not well and says no reason")
        # A kind that failed before may still be waiting for its next attempt.
        while fault.met == 0 and time.time() < begun + 40:
            time.sleep(0.2)
        time.sleep(max(0.0, begun + LASTS - time.time()))
        self.churn()
        proxy.set(None)
        self.settle(what, live)
        if fault.met == 0:
            raise AssertionError("it was never met")
        print(f"  {what}: {time.time() - begun:.0f} s", flush=True)

    def suffer_all(self, faults):
        """What went wrong, by fault; empty: nothing."""
        proxy, live = self.follow()
        self.settle("the start", live)
        wrong = {}
        for what, fault, blind in faults:
            try:
                self.suffer(proxy, live, what, fault, blind)
            except AssertionError as error:
                wrong[what] = error
                proxy.set(None)
        return wrong

    def test_whatever_happens_it_ends_as_a_fresh_list(self):
        self.churn()
        with ThreadPoolExecutor(len(FAULTS)) as pool:
            wrong = {what: error for each in pool.map(self.suffer_all, series())
                     for what, error in each.items()}
        for what, error in wrong.items():
            with self.subTest(what):
                raise error

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
