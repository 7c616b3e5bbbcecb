#!/usr/bin/env python3
"""Never on doubt. Each Parley of these leads, sees a part of the cluster of its own, and is about to empty a node that
runs out of memory, when something of what it knows becomes stale, partial, contradictory or false, its clock is set, its
rights are taken, or the API server refuses: by the audit log it changes nothing while that lasts, and `why` has the
reason. When it is over, it acts: so it was that which held it back.

PARLEY_TRIALS=WORDS has only those whose name contains these; PARLEY_SHOW=1 prints what `why` says of each.

Usage: tests/cluster/doubt_test.py PROGRAM [unittest arguments]
"""

import concurrent.futures
import copy
import os
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import homes
from fault_proxy import Fault
from kills_world import MERGE, micro

PROGRAM = ""
# Shorter than by default, so that what is stale is so soon.
GUARD = {"api_age_max": "6s", "metrics_age_max": "15s", "clock_jump_max": "30s"}
AGED_S = 18
LASTS_S = 20  # With a node in trouble.


class Trial(homes.Trial):
    def settings(self):
        made = super().settings()
        made["policy"]["guard"] = GUARD
        return made


def faulty(what, words, fault):
    """A trial whose proxy answers like this."""
    class Faulty(Trial):
        def begin(self):
            self.proxy.set(copy.copy(fault))
    Faulty.what, Faulty.words = what, words
    return Faulty


def measured(what, words, distort):
    """A trial whose Metrics Server answers like this."""
    class Measured(Trial):
        def begin(self):
            self.home.distort = distort

        def end(self):
            self.home.distort = lambda item: item
    Measured.what, Measured.words = what, words
    return Measured


def used(item, **usage):
    """The same sample with another use."""
    if "usage" in item:
        return {**item, "usage": {**item["usage"], **usage}}
    return {**item, "containers": [{**each, "usage": {**each["usage"], **usage}} for each in item["containers"]]}


class ClockJumps(Trial):
    """After a step nothing is done before every source was heard anew; so it is set again before that."""

    what, words = "the clock is set by five minutes, again and again", "clock"
    ahead, at = 0, 0.0

    def lasts(self):
        if time.monotonic() - self.at > 0.8:
            self.at, self.ahead = time.monotonic(), self.ahead + 300
            self.set_clock(self.ahead)

    def end(self):
        pass


class NoRights(Trial):
    what, words, again = "the right to evict is taken away", "403|rests|cool", False  # What was refused rests for half an hour.

    def begin(self):
        self.test.bind(self.home, False)

    def end(self):
        self.test.bind(self.home, True)


class Breaker(Trial):
    what, words, again = "a third of all nodes is in trouble at once", "the breaker", False  # Ten minutes of quiet.

    def begin(self):
        for name in self.home.nodes[:4]:
            self.test.world.press(name, True)

    def end(self):
        for name in self.home.nodes[:4]:
            self.test.world.press(name, name == self.home.victim)


class ForeignLedger(Trial):
    """Its process knows what it wrote itself; a new leader would not."""

    what, words = "the ledger is another program's, as a new leader finds it", "reading the ledger"

    def begin(self):
        base = f"/api/v1/namespaces/{self.home.name}/configmaps/parley-ledger"
        self.test.admin.must("PATCH", base, {"data": {"format": "somebody-else"}}, MERGE)
        self.hold("another", 1)

    def hold(self, who, seconds):
        self.test.admin.send("PATCH", f"/apis/coordination.k8s.io/v1/namespaces/{self.home.name}/leases/parley-leader",
                             {"spec": {"holderIdentity": who, "renewTime": micro(),
                                       "leaseDurationSeconds": seconds}}, MERGE)

    def end(self):
        base = f"/api/v1/namespaces/{self.home.name}/configmaps/parley-ledger"
        self.test.admin.must("PATCH", base, {"data": {"format": "parley-ledger-1"}}, MERGE)


class OtherLeader(ForeignLedger):
    what, words = "another one holds the lease", "dry"

    def begin(self):
        pass

    def lasts(self):
        self.hold("another", 15)

    def end(self):
        pass


def from_the_start(what, words, fault):
    """A trial whose proxy answers like this before the process has seen anything."""
    class Unsynced(Trial):
        late = True  # It does not become ready.

        def open(self):
            super().open()
            self.proxy.set(copy.copy(fault))
    Unsynced.what, Unsynced.words = what, words
    return Unsynced


# Of nothing at all `why` says that it is missing; of what is refused, by which rule.
TRIALS = [
    faulty("the API server answers 429", "429", Fault("status", code=429, reason="TooManyRequests", retry_after=1)),
    faulty("the API server answers 503", "503", Fault("status", code=503, reason="ServiceUnavailable")),
    faulty("changes are answered with 429", "storing the ledger", Fault("status", code=429, retry_after=1, only_changes=True)),
    faulty("changes are answered with 503", "storing the ledger", Fault("status", code=503, only_changes=True)),
    faulty("connections are reset", "api failed", Fault("reset")),
    faulty("pods cannot be read", "pods in", Fault("status", path="/pods", code=503)),
    faulty("pods are forbidden", "pods in", Fault("status", path="/pods", code=403, reason="Forbidden")),
    faulty("nodes cannot be read", "listing nodes: 503", Fault("status", path="/nodes", code=503)),
    faulty("leases of nodes cannot be read", "lease", Fault("status", path="kube-node-lease", code=503)),
    faulty("workloads are forbidden", "deployments", Fault("status", path="/deployments", code=403,
                                                           reason="Forbidden")),
    faulty("budgets cannot be read", "poddisruptionbudgets", Fault("status", path="/poddisruptionbudgets", code=503)),
    faulty("namespaces cannot be read", "namespaces", Fault("status", path=r"/api/v1/namespaces\?", code=503)),
    faulty("metrics hang", "metrics", Fault("black_hole", path="/apis/metrics")),
    measured("there are no samples", "use of", lambda item: None),
    measured("samples of most nodes are missing", "use of",
             lambda item: item if item["metadata"]["name"].endswith("-0") or "containers" in item else None),
    measured("samples are no numbers", "nodes with samples", lambda item: used(item, cpu="NaN", memory="NaN")),
    measured("a million cores are in use", "metrics", lambda item: used(item, cpu="1000000", memory="1Pi")),
    from_the_start("owners were never listed", "replicasets", Fault("black_hole", path="/replicasets")),
    ClockJumps, NoRights, Breaker, ForeignLedger, OtherLeader,
]
for blind in (TRIALS[0], TRIALS[1], TRIALS[4], TRIALS[8]):
    blind.again = False  # Nodes that were not heard of for 40 s count as bad, and the breaker wants minutes of quiet.


class Doubt(homes.Homes):
    @classmethod
    def setUpClass(cls):
        cls.start(PROGRAM, TRIALS, "doubt")

    def pass_time(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for trial in self.trials:
                trial.lasts()
            time.sleep(0.2)

    def test_in_doubt_nothing_is_changed_and_afterwards_it_acts(self):
        self.wait_for_all()
        for trial in self.trials:
            trial.begin()
        self.pass_time(AGED_S)  # Until everything known has aged.
        for trial in self.trials:
            self.world.press(trial.home.victim, True)
        self.pass_time(LASTS_S)
        time.sleep(0.5)
        events = self.log.more()
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(Trial.explain, self.trials))
        for trial in self.trials:
            trial.end()
        for trial in self.trials:
            with self.subTest(trial.what):
                self.assertEqual(self.changes(trial, events), [])
                if os.environ.get("PARLEY_SHOW"):
                    print(f"== {trial.what}\n  why: {trial.answers[0][:700]}\n  why-not: {trial.answers[1][:700]}\n",
                          flush=True)
                self.assertRegex(" ".join(trial.answers), trial.words)
        self.act_again()

    def act_again(self):
        """Who acts once nothing is in doubt any more."""
        seen, begun, took = [], time.monotonic(), {}
        wanted = [trial for trial in self.trials if trial.again]
        while time.monotonic() < begun + 120 and len(took) < len(wanted):
            time.sleep(1)
            seen += self.log.more()
            for trial in wanted:
                if trial.what not in took and self.changes(trial, seen):
                    took[trial.what] = time.monotonic() - begun
        for trial in self.trials:
            with self.subTest(trial.what + ", and goes on"):
                self.assertIsNone(trial.live.poll())
                self.assertNotIn("FAILED", trial.ask("why"))
        for trial in wanted:
            with self.subTest(trial.what + ", and acts afterwards"):
                said = "" if trial.what in took else trial.ask("why") + trial.ask("why-not",
                                                                                  f"migrate:{trial.home.victim}")
                self.assertIn(trial.what, took, said)
                print(f"  {trial.what}: acts {took[trial.what]:.0f} s after its end", flush=True)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
