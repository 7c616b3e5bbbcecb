#!/usr/bin/env python3
"""Bounded with hostile brains. Nine Parleys are told the worst in every round, each by an adversary of its own: by a
configuration that makes every action pay, which is what a brain decides by, and by nodes that are said to fail one
after the other. What they may disrupt is bounded by the guard's defaults; how much they did disrupt is counted in
the API server's audit log alone. Settings that would lift the guard's bounds are refused, so that no configuration
can show a count that is too high; the count is tried on falsified logs instead.

Not here: a trained model. What it says is a risk like that of evidence, and evidence is set to certainty here.

Usage: tests/cluster/hostile_test.py PROGRAM [unittest arguments]
"""

import collections
import os
import stat
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import homes
from kills_audit import OURS, took_effect
from kit import ALL

PROGRAM = ""
LASTS_S = 300 if ALL else 90
TURN_S = 4  # So long a node is said to fail; two rounds of three must say so.
AN_HOUR = 6  # Disruptions, by the guard's default; this takes less than one.
AT_ONCE = 1  # Of twelve nodes one in ten, and at least one.
TAKES_AWAY = ("migrate", "replicate", "power_state")
PROVIDER = """#!/bin/sh
file={folder}/$1-$2
if [ "$3" = read ]; then
    cat "$file" 2>/dev/null || {{ [ "$1" = power ] && echo on || echo 1000000; }}
else
    echo "$3" >"$file" && echo "$1 $2 $3" >>{folder}/log && echo "$3"
fi
"""


class Adversary(homes.Trial):
    kinds, policy_more = (), {}
    lies = True  # A node is said to fail, another one every TURN_S.
    turn, at = 0, 0.0

    def settings(self):
        policy = {"risk": {"holdout": 0}, "evidence": {"pressure": 1.0},
                  "stakes": {"throttle_cost": 0.0001, "replicate_cost": 0.0001, "margin": 1.0},
                  "allow": [{"space": self.home.space, "kinds": list(self.kinds)}]}
        for name, rules in self.policy_more.items():
            policy[name] = {**policy.get(name, {}), **rules}
        made = {"policy": policy}
        if {"power_state", "dvfs"} & set(self.kinds):
            ability = "power" if "power_state" in self.kinds else "clock"
            made["providers"] = [{"nodes": self.home.nodes, ability: [self.provider()]}]
        return made

    def provider(self):
        path = os.path.join(self.folder, "provider")
        with open(path, "w", encoding="utf-8") as file:
            file.write(PROVIDER.format(folder=self.folder))
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
        return path

    def switched(self):
        """What the provider was told to do."""
        try:
            with open(os.path.join(self.folder, "log"), encoding="utf-8") as log:
                return log.read().splitlines()
        except FileNotFoundError:
            return []

    def worst(self):
        """The node that is said to fail next."""
        self.turn += 1
        return self.home.nodes[self.turn % 6]

    def lasts(self):
        if not self.lies or time.monotonic() - self.at < TURN_S:
            return
        self.at = time.monotonic()
        self.test.world.press(self.home.victim, False)
        self.home.victim = self.worst()
        self.test.world.press(self.home.victim, True)


class Hungry(Adversary):
    """Pods use a sixth of what they asked for."""

    def open(self):
        self.home.memory, self.home.pod_memory = "40Mi", "10Mi"
        super().open()


class Fullest(Adversary):
    def worst(self):
        on = collections.Counter(pod["spec"].get("nodeName") for pod in self.test.world.pods(self.home))
        on.pop(None, None)
        return max(self.home.nodes, key=lambda name: (on[name], name))


def adversary(what, kinds, base=Adversary, lies=True, **policy_more):
    made = type("Adversary", (base,), {})
    made.what, made.kinds, made.lies, made.policy_more = what, kinds, lies, policy_more
    return made


def only(throttle, replicate, migrate):
    return {"throttle_efficacy": throttle, "replicate_efficacy": replicate, "migrate_efficacy": migrate,
            "throttle_cost": 0.0001, "replicate_cost": 0.0001, "replicate_timeliness": 1.0, "margin": 1.0}


EVERY = ("migrate", "replicate", "throttle", "memory_balloon", "admission", "resource_cap")
ADVERSARIES = [
    adversary("every node fails, always", EVERY, lies=False, evidence={"base": 1.0}),
    adversary("another node fails every few seconds", ("migrate",), stakes=only(0.01, 0.01, 1.0)),
    adversary("it is always the fullest node that fails", ("migrate",), base=Fullest, stakes=only(0.01, 0.01, 1.0)),
    adversary("every workload is to be copied", ("replicate",), stakes=only(0.01, 1.0, 0.01)),
    adversary("every node is to be throttled", ("throttle",), stakes=only(1.0, 0.01, 0.01)),
    adversary("every node is idle and to be put to sleep", ("power_state",), lies=False,
              efficiency={"sleep_below": 0.5, "rounds_idle": 2, "rounds_of": 3}),
    adversary("every clock is to be slowed", ("dvfs",), lies=False,
              efficiency={"dvfs_below": 0.5, "sleep_below": 0.0}),
    adversary("memory is to be taken from everybody", ("memory_balloon",), base=Hungry, lies=False,
              efficiency={"balloon_below": 1.0, "sleep_below": 0.0, "balloon_margin": 1.0}),
    adversary("everything at once", EVERY, base=Fullest,
              efficiency={"balloon_below": 1.0, "sleep_below": 0.5},
              admission={"queue_from": 1, "deprioritize_from": 2, "cap_from": 3}),
]


def marked(events):
    """(node or workload, decision, kind) of every mark that took effect, in order."""
    found = []
    for event in filter(took_effect, events):
        body = event.get("requestObject")
        notes = body.get("metadata", {}).get("annotations") if isinstance(body, dict) else None
        if notes and notes.get(OURS + "decision"):
            found.append((event["objectRef"]["name"], notes[OURS + "decision"], notes.get(OURS + "kind")))
    return found


def disrupted(events):
    """How many decisions took something away, and how many nodes were kept free at once."""
    decisions = {decision for _, decision, kind in marked(events) if kind in TAKES_AWAY}
    evicting = {e["auditID"].split("-")[1] for e in filter(took_effect, events)
                if e["objectRef"].get("subresource") == "eviction"}
    closed, most = set(), 0
    for event in filter(took_effect, events):
        shown = event.get("responseObject") or {}
        if event["objectRef"]["resource"] != "nodes" or shown.get("kind") != "Node":
            continue
        ours = [t for t in shown["spec"].get("taints", []) if t["key"].startswith(OURS) and t["effect"] == "NoSchedule"]
        (closed.add if ours else closed.discard)(shown["metadata"]["name"])
        most = max(most, len(closed))
    return len(decisions | evicting), most


def falsified(count, closed_at_once):
    """A log of so many migrates of different nodes, of which so many are closed at the same time."""
    log = []
    for i in range(count):
        for j, closed in ((i, True), (i - closed_at_once + 1, False)):
            if j < 0:
                continue
            note = {OURS + "decision": f"d{j}", OURS + "kind": "migrate"}
            taints = [{"key": OURS + "quarantine", "effect": "NoSchedule"}] if closed else []
            log.append({"auditID": f"parley-d{j}-0", "verb": "patch", "responseStatus": {"code": 200},
                        "objectRef": {"resource": "nodes", "name": f"n-{j}"},
                        "requestObject": {"metadata": {"annotations": note, "resourceVersion": "1"}},
                        "responseObject": {"kind": "Node", "spec": {"taints": taints},
                                           "metadata": {"name": f"n-{j}", "resourceVersion": "2"}}})
    return log


class Judge(unittest.TestCase):
    def test_disruptions_are_counted(self):
        self.assertEqual(disrupted([]), (0, 0))
        self.assertEqual(disrupted(falsified(7, 3)), (7, 3))
        self.assertEqual(disrupted(falsified(4, 1)), (4, 1))
        evicted = {"auditID": "parley-other-3", "verb": "create", "responseStatus": {"code": 201},
                   "objectRef": {"resource": "pods", "name": "web", "subresource": "eviction"}}
        self.assertEqual(disrupted(falsified(2, 1) + [evicted]), (3, 1), "whatever marks say")


class Hostile(homes.Homes):
    quiet_at_first = False

    @classmethod
    def setUpClass(cls):
        cls.start(PROGRAM, ADVERSARIES, "hostile")

    def test_whatever_they_are_told_they_disrupt_at_most_what_is_allowed(self):
        self.wait_for_all()
        end = time.monotonic() + LASTS_S
        while time.monotonic() < end:
            for trial in self.trials:
                trial.lasts()
            time.sleep(0.3)
        time.sleep(0.5)
        events = self.log.more()
        acted = 0
        for trial in self.trials:
            own = self.of(trial, events)
            decisions, at_once = disrupted(own)
            asleep = [line for line in trial.switched() if line.startswith("power") and line.endswith("sleep")]
            acted += bool(own or trial.switched())
            print(f"  {trial.what}: {len(own)} changes, {decisions} disruptions, {at_once} nodes at once, "
                  f"{len(trial.switched())} switched", flush=True)
            if os.environ.get("PARLEY_SHOW"):
                print("    " + trial.ask("why")[:1500], flush=True)
            with self.subTest(trial.what):
                self.assertLessEqual(decisions, AN_HOUR)
                self.assertLessEqual(at_once, AT_ONCE)
                self.assertLessEqual(len(asleep), AT_ONCE)
                again = [each for each, count in collections.Counter(
                    (where, kind) for where, _, kind in set(marked(own))).items() if count > 1]
                self.assertEqual(again, [], "decided twice about the same within minutes")
        self.assertGreater(acted, 2, "adversaries that achieve nothing at all prove nothing")


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
