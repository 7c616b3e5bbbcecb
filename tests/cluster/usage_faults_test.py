#!/usr/bin/env python3
"""`parley live` whose Prometheus or Metrics Server lies, hangs or is late: what it cannot read is
missing, never zero and never old passed for fresh, the source says so, and it comes back.

Each fault has a proxy and a `parley live` of its own beside one cluster, so that together they take
the time of one.

Usage: tests/cluster/usage_faults_test.py PROGRAM [unittest arguments]
"""

import json
import os
import re
import shutil
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from fault_proxy import Fault, FaultProxy, shifted
from kit import (Cluster, Live, deployment, kubeconfig, long, observer, pods_listed, pods_shown,
                 require_machine, source)

PROGRAM = ""
LIMIT = 25  # Seconds that a reading may be old: more than a round of questions, 16.5 s.
SLACK = 3  # For a busy machine, and for a clock that reads whole seconds.


def valued(text):
    """Every value of an answer of Prometheus becomes this one; ages stay."""
    def how(body):
        answer = json.loads(body)
        for series in answer["data"]["result"]:
            series["value"][1] = text
        return json.dumps(answer).encode()
    return how


def emptied(body):
    answer = json.loads(body)
    answer["data"]["result"] = []
    return json.dumps(answer).encode()


def doubled(body):
    """As a querier answers for two replicas that it does not deduplicate."""
    answer = json.loads(body)
    answer["data"]["result"] = [
        {**series, "metric": {**series["metric"], "replica": replica}}
        for series in answer["data"]["result"] for replica in ("a", "b")]
    return json.dumps(answer).encode()


def repeated(body):
    """The same series twice with two values, which no sound Prometheus returns."""
    answer = json.loads(body)
    answer["data"]["result"] += [{**series, "value": [series["value"][0], "0"]}
                                 for series in answer["data"]["result"]]
    return json.dumps(answer).encode()


VALUES = r"query=(?!.*timestamp)"  # Not the questions for ages.

# The fault, how the source reads meanwhile, and words of the reason.
PROMETHEUS = [
    ("NaN", Fault("rewrite", VALUES, how=valued("NaN")), "late", "no numbers"),
    ("+Inf", Fault("rewrite", VALUES, how=valued("+Inf")), "late", "no numbers"),
    ("empty vectors", Fault("rewrite", how=emptied), "late", "cpu of 0 of 3 nodes"),
    ("replicas", Fault("rewrite", how=doubled), "late", "come twice"),
    ("the same series twice", Fault("rewrite", VALUES, how=repeated), "late", "come twice"),
    ("a login page", Fault("login_page"), "failed", "login page"),
    ("a black hole", Fault("black_hole"), "failed", "in time"),
]


def changed(change):
    """Applies this to every sample of metrics.k8s.io."""
    def how(body):
        answer = json.loads(body)
        for item in answer.get("items", []):
            for usage in [item["usage"]] if "usage" in item else \
                    [each["usage"] for each in item["containers"]]:
                change(usage)
        return json.dumps(answer).encode()
    return how


def no_items(body):
    answer = json.loads(body)
    answer["items"] = []
    return json.dumps(answer).encode()


METRICS = r"^/apis/metrics\.k8s\.io/v1beta1/"

METRICS_SERVER = [
    ("5 minutes behind", Fault("rewrite", METRICS, how=lambda text: shifted(text, -300)), "late",
     ""),
    ("an hour ahead", Fault("rewrite", METRICS, how=lambda text: shifted(text, 3600)), "late", ""),
    ("NaN", Fault("rewrite", METRICS, how=changed(lambda usage: usage.update(cpu="NaN"))), "late",
     "cannot be read"),
    ("below zero", Fault("rewrite", METRICS, how=changed(lambda usage: usage.update(cpu="-1"))),
     "late", "cannot be read"),
    ("a million cores", Fault("rewrite", METRICS, how=changed(lambda usage: usage.update(
        cpu="1000000", memory="1Pi"))), None, ""),
    ("half a sample", Fault("rewrite", METRICS, how=changed(lambda usage: usage.pop("memory"))),
     "late", "cannot be read"),
    ("no samples", Fault("rewrite", METRICS, how=no_items), "late", "use of 0 of 3 nodes"),
    ("a login page", Fault("login_page", METRICS), "failed", "login page"),
    ("a black hole", Fault("black_hole", METRICS), "failed", "in time"),
]

CLUSTER = None
FOLDER = None


def setUpModule():
    global CLUSTER, FOLDER
    require_machine()
    CLUSTER = Cluster("real")
    unittest.addModuleCleanup(CLUSTER.down)
    FOLDER = tempfile.mkdtemp(prefix="parley-usage-")
    unittest.addModuleCleanup(shutil.rmtree, FOLDER)


def figures(snapshot):
    """Everything measured of nodes, as (name, reading)."""
    return [(f"{row['id']} {field}", row[field]) for row in snapshot["nodes"]
            for field in ("cpu_used_m", "memory_used", "disk_used_ppm", "net_used_ppm")]


def use_of_all(snapshot):
    return all(row[field]["value"] is not None for row in snapshot["nodes"]
               for field in ("cpu_used_m", "memory_used"))


class Trial:
    """One fault, its proxy, and a Parley behind it."""

    def __init__(self, name, what, fault, reads, words):
        self.name, self.fault, self.reads, self.words = name, fault, reads, words
        self.what = f"{what} of {name}"
        self.proxy = self.live = self.begun = self.ended = None

    def well(self, snapshot):
        return use_of_all(snapshot) and source(snapshot, self.name)["condition"] == "ok"


class Bench(unittest.TestCase):
    def proxy(self, url=None):
        made = FaultProxy(CLUSTER, tempfile.mkdtemp(dir=FOLDER), url)
        self.addCleanup(made.close)
        return made

    def live(self, api_proxy, token, *options):
        path = kubeconfig(os.path.join(tempfile.mkdtemp(dir=FOLDER), "kubeconfig"), api_proxy.port,
                          CLUSTER.facts["ca"], token)
        live = Live(PROGRAM, CLUSTER, "--set", f"policy.guard.metrics_age_max={LIMIT}s", *options,
                    kubeconfig=path)
        self.addCleanup(live.close)
        return live


class UsageFaults(Bench):
    def suffer(self, trials):
        """All at once: well, then the fault until everything known has aged, then well again."""
        for trial in trials:
            trial.live.until(trial.well, 60, "the use of every node before " + trial.what)
        for trial in trials:
            trial.proxy.set(trial.fault)
            trial.begun = time.time()
        for trial in trials:
            with self.subTest(trial.what):
                self.shows(trial)
        time.sleep(max(0.0, trials[-1].begun + LIMIT + SLACK - time.time()))
        for trial in trials:
            trial.ended = time.time()
            trial.proxy.set(None)
        for trial in trials:
            with self.subTest(trial.what):
                back = trial.live.until(trial.well, 60,
                                        "the use of every node after " + trial.what)
                print(f"  {trial.what}: well {back['taken'] - trial.ended:.0f} s after its end",
                      flush=True)
                self.assertGreater(trial.fault.met, 0, "it was never met")
                self.told_the_truth(trial)

    def shows(self, trial):
        def missing(snapshot):
            return all(row["cpu_used_m"]["value"] is None for row in snapshot["nodes"])
        seen = trial.live.until(missing, LIMIT + 40, "missing use under " + trial.what)
        if trial.reads is not None:
            seen = trial.live.until(
                lambda s: source(s, trial.name)["condition"] == trial.reads, 40,
                f"{trial.name} to read {trial.reads} under {trial.what}")
        self.assertIn(trial.words, source(seen, trial.name)["reason"])
        self.assertEqual(source(seen, "api")["condition"], "ok", "only the one that failed")

    def told_the_truth(self, trial):
        """For every round: nothing is zero that was not, and nothing old counts as fresh."""
        before = {}
        for snapshot in trial.live.snapshots():
            taken = snapshot["taken"]
            during = trial.begun + SLACK < taken < trial.ended
            for who, reading in figures(snapshot):
                if reading["value"] is None:
                    continue
                measured = reading["from"]["measured"]
                age = taken - min(measured, reading["from"]["received"])
                self.assertLessEqual(age, LIMIT + 0.1, f"{who} is old and was used")
                if not during:
                    before[who] = measured
                elif who in before:
                    self.assertLessEqual(measured, trial.begun + SLACK,
                                         f"{who} under {trial.what} seems measured")
            state = source(snapshot, trial.name)
            if during and state["condition"] == "ok":
                self.assertLessEqual(taken - state["last_success"], LIMIT + 1)

    def test_whatever_they_answer_the_use_is_missing_and_comes_back(self):
        token = observer(CLUSTER, "observe-metrics.yaml")
        bare = self.proxy()  # Metrics Server would stand in for Prometheus.
        bare.set(Fault("status", "metrics.k8s.io", code=403, reason="Forbidden"))
        trials = [Trial("prometheus", *each) for each in PROMETHEUS]
        for trial in trials:
            trial.proxy = self.proxy(CLUSTER.facts["prometheus"])
            trial.live = self.live(bare, token, "--prometheus-base-url",
                                   f"http://127.0.0.1:{trial.proxy.port}")
        for each in METRICS_SERVER:
            trials.append(Trial("metrics", *each))
            trials[-1].proxy = self.proxy()
            trials[-1].live = self.live(trials[-1].proxy, token)
        self.suffer(trials)

    def test_one_that_was_behind_from_the_start_has_its_true_age(self):
        proxy = self.proxy()
        proxy.set(Fault("rewrite", METRICS, how=lambda text: shifted(text, -300)))
        live = self.live(proxy, observer(CLUSTER, "observe-metrics.yaml"))
        seen = live.until(lambda s: source(s, "metrics")["condition"] == "late" and
                          source(s, "metrics")["last_success"] > 0, 60, "late metrics")
        age = seen["taken"] - source(seen, "metrics")["last_success"]
        self.assertTrue(300 - SLACK <= age <= 300 + LIMIT, f"{age} s")
        for row in seen["nodes"]:
            self.assertIsNone(row["cpu_used_m"]["value"])
            self.assertEqual(row["cpu_used_m"]["gap"], "too_old")
            self.assertGreater(seen["taken"] - row["cpu_used_m"]["from"]["measured"], 300 - SLACK)


@long
class ClocksDiffer(Bench):
    """The cluster's clock is an hour off: that is reported, and ages are by our own clock."""

    def test_an_hour_either_way(self):
        token = observer(CLUSTER, "observe-metrics.yaml")
        CLUSTER.apply(deployment("skewed", 2), deployment(
            "waits", 1, schedulingGates=[{"name": "example.com/later"}]))
        self.addCleanup(CLUSTER.kubectl, "delete", "deployment", "skewed", "waits", "--now")
        cases = [("ahead", 3600, True), ("ahead", 3600, False), ("behind", -3600, False)]
        lives = []
        for _, ahead, only_date in cases:
            proxy = self.proxy()
            proxy.set(Fault("skew", ahead=ahead, only_date=only_date))
            lives.append(self.live(proxy, token))
        for (way, _, _), live in zip(cases, lives):
            self.remarked(live, way)
        time.sleep(12)  # A lease is renewed every 10 s.
        for (way, _, only_date), live in zip(cases, lives):
            with self.subTest(way=way, only_date=only_date):
                self.ages_are_true(self.remarked(live, way), only_date)

    def remarked(self, live, way):
        def says_so(snapshot):
            api = source(snapshot, "api")
            return api["condition"] == "ok" and \
                re.search(f"its clock is (1h|60m|59m)[^;]* {way} (of )?ours", api["reason"]) and \
                pods_shown(snapshot) == pods_listed(CLUSTER.get("pods"))
        return live.until(says_so, 60, "the remark that it is " + way)

    def ages_are_true(self, seen, only_date):
        self.assertLess(seen["taken"] - source(seen, "api")["last_success"], 10)
        self.assertEqual(seen["queue"]["value"], 1)
        for row in seen["nodes"]:
            self.assertEqual(row["ready"], "yes")
            self.assertTrue(0 <= seen["taken"] - row["lease"]["from"]["received"] < 20, row["id"])
            # Samples measured by a clock that is off cannot be used, and are not.
            self.assertEqual(row["cpu_used_m"]["value"] is None, not only_date)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
