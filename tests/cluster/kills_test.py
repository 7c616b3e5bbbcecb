#!/usr/bin/env python3
"""Exactly once. Processes in mode act are killed, or stopped and woken beside their successor, at every step of every
kind of action that this cluster can have, some of them behind a proxy that loses, delays, doubles and reorders
requests, some while etcd or the API server is started anew. By the API server's audit log, by the objects and by the
records: nothing is done twice, nothing of ours is without its mark, every effect stands in a record, and `parley
release` brings back what was there.

A successor waits up to 15 s for the lease of a process that was killed. Here the test takes the dead one's name off
the lease at once: what would happen 15 s later happens now, nothing else. Of a process that is only stopped the lease
is taken away before its time; that is worse than life, where its own clock would have told it, and must hold too,
since ledger and versions do not rest on clocks.

The ledger is removed between scenes, as it would forbid a second action on the same node for half an hour. What would
expire after hours expires for processes whose clock is hours ahead.

Not here: `scale`, which nothing proposes yet.

Kills: at least 30, by fewer lives of each action, two batches of which have every kind; in `make check-all` 500. The
seed is printed; PARLEY_SEED sets it, PARLEY_KILLS how many, PARLEY_KEEP keeps the folder with all records. A seed
chooses the same kinds, endings and weather again; which request comes first is up to the machine.

Usage: tests/cluster/kills_test.py PROGRAM [unittest arguments]
"""

import collections
import concurrent.futures
import copy
import gc
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import kills_audit as audit
from kills_proxy import Aim, Tally
from kills_scene import ENDINGS, KINDS, LATER_S, Scene
from kills_world import REPLICAS, TEMPLATE, World
from kit import ALL, MUTATING, ROOT, Cluster, observer, require_machine, until

PROGRAM = ""
KILLS = int(os.environ.get("PARLEY_KILLS") or (500 if ALL else 30))
LIVES = (4, 3) if ALL else (2, 1)  # Towards the end of an action, and of its undoing.
HOMES = 5
SEED = int(os.environ.get("PARLEY_SEED") or random.randrange(1 << 32))
KEEP = bool(os.environ.get("PARLEY_KEEP"))
USER = "system:serviceaccount:parley-system:parley-observer"
# What the API server writes down: all of a change of ours, and nothing else.
AUDIT = {"apiVersion": "audit.k8s.io/v1", "kind": "Policy", "omitStages": ["RequestReceived"], "rules": [
    {"level": "None", "resources": [{"group": "coordination.k8s.io"}, {"group": "events.k8s.io"}]},
    {"level": "RequestResponse", "users": [USER], "verbs": ["create", "update", "patch", "delete"]}, {"level": "None"}]}


class Evidence:
    """An audit log and a record of one throttle, as they should be, for the judge to be tried on."""

    DECISION = "0123456789abcdef0000000100000007"

    def __init__(self):
        self.version = 40
        marks = {audit.OURS + "decision": self.DECISION, audit.OURS + "kind": "throttle"}
        node_marks = {**marks, audit.OURS + "changes": "taint: none > prefer_no_schedule"}
        pod_marks = {**marks, audit.OURS + "changes": "cpu_limit_m main: 400 > 340"}
        less = {**TEMPLATE, "limits": {"cpu": "340m", "memory": "128Mi"}}
        taint = [{"key": "parley.dev/quarantine", "effect": "PreferNoSchedule"}]
        self.log = [
            self.event("0", "nodes", "n-0", {"metadata": {"annotations": node_marks}}, node_marks, {}),
            self.event("1", "nodes", "n-0", [{"op": "add", "path": "/spec/taints", "value": taint}], node_marks,
                       {"taints": taint}),
            self.event("2", "pods", "web-1", {"metadata": {"annotations": pod_marks}}, pod_marks, pod_of(TEMPLATE)),
            self.event("3", "pods", "web-1", {"metadata": {}, "spec": pod_of(less)}, pod_marks, pod_of(less), "resize"),
            self.event("4", "pods", "web-2", {"kind": "Eviction", "metadata": {}, "deleteOptions": {
                "preconditions": {"uid": "u-2"}}}, {}, {}, "eviction"),
            self.event("undo-0", "nodes", "n-0", [{"op": "remove", "path": "/spec/taints/0"}], node_marks, {}),
            self.event("undo-1", "nodes", "n-0", {"metadata": {"annotations": {k: None for k in marks}}}, {}, {})]
        self.records = {self.DECISION: {i: {"open", "applied"} for i in range(5)}}

    def event(self, step, resource, name, body, marks, spec, subresource=None):
        """A change that took effect: what was asked for, and the object as it was answered."""
        self.version += 1
        if isinstance(body, list):
            body.insert(0, {"op": "replace", "path": "/metadata/resourceVersion", "value": str(self.version - 1)})
        else:
            body["metadata"]["resourceVersion"] = str(self.version - 1)
        about = {"resource": resource, "name": name, "namespace": "" if resource == "nodes" else "shop"}
        if subresource:
            about["subresource"] = subresource
        return {"auditID": f"parley-{self.DECISION}-{step}", "verb": "patch", "objectRef": about, "requestObject": body,
                "responseStatus": {"code": 200}, "requestReceivedTimestamp": f"{self.version}",
                "responseObject": {"metadata": {"name": name, "namespace": about["namespace"], "annotations": marks,
                                                "resourceVersion": str(self.version)}, "spec": spec}}

    def again(self, index, step=None):
        """The same once more, with an effect; perhaps as another step."""
        event = copy.deepcopy(self.log[index])
        event["responseObject"]["metadata"]["resourceVersion"] = "99"
        if step is not None:
            event["auditID"] = f"parley-{self.DECISION}-{step}"
        self.log.append(event)

    def verdict(self):
        """What is found, in the words before the first colon."""
        found = audit.twice(self.log) + audit.decided_again(self.log) + audit.unrecorded(self.log, self.records)
        found += audit.unmarked(self.log, TEMPLATE, REPLICAS)
        return sorted({each.split(":")[0].split(" (")[0] for each in found})


def pod_of(resources):
    return {"containers": [{"name": "main", "resources": resources}]}


class Judge(unittest.TestCase):
    """What is falsified is found: a judge that never finds anything would pass everything."""

    def setUp(self):
        self.given = Evidence()

    def test_what_is_as_it_should_be_is_found_so(self):
        self.assertEqual(self.given.verdict(), [])

    def test_a_step_with_two_effects_is_found(self):
        for index in range(7):
            given = Evidence()
            given.again(index)
            self.assertIn("done twice", given.verdict(), given.log[index])

    def test_a_repetition_without_an_effect_is_none(self):
        conflict, still = copy.deepcopy(self.given.log[1]), copy.deepcopy(self.given.log[1])
        conflict["responseStatus"]["code"] = 409
        still["responseObject"]["metadata"]["resourceVersion"] = "41"
        self.given.log += [conflict, still]
        self.assertEqual(self.given.verdict(), [])

    def test_a_pod_that_is_evicted_by_two_steps_is_found(self):
        self.given.again(4, step="3")
        self.assertEqual(self.given.verdict(), ["done twice"])

    def test_a_change_without_its_mark_is_found(self):
        for index in (1, 3):
            given = Evidence()
            given.log[index]["responseObject"]["metadata"]["annotations"] = {}
            self.assertEqual(given.verdict(), ["without a mark"], given.log[index])

    def test_a_mark_that_is_taken_off_too_early_is_found(self):
        del self.given.log[5]
        self.given.log[5]["responseObject"]["spec"] = self.given.log[1]["responseObject"]["spec"]
        self.assertEqual(self.given.verdict(), ["without a mark"])

    def test_an_effect_that_no_record_has_is_found(self):
        for index in range(5):
            given = Evidence()
            given.records[given.DECISION][index] = {"open", "given_up"}
            self.assertEqual(given.verdict(), ["in no record as done"])
        self.given.records = {}
        self.assertEqual(self.given.verdict(), ["in no record"])

    def test_a_change_that_names_no_decision_is_found(self):
        self.given.log[1]["auditID"] = "fb6b9a17-5f2c-4a2e-a7a4-6d1d40c1d2a6"
        self.assertIn("in no record", self.given.verdict())

    def test_a_second_decision_about_a_node_is_found(self):
        other = copy.deepcopy(self.given.log[0])
        other["requestObject"]["metadata"]["annotations"][audit.OURS + "decision"] = "f" * 32
        other["auditID"] = f"parley-{'f' * 32}-0"
        other["responseObject"]["metadata"]["resourceVersion"] = "99"
        self.given.log.append(other)
        self.given.records["f" * 32] = {0: {"applied"}}
        self.assertIn("decided again", self.given.verdict())

    def test_what_nobody_will_give_back_and_what_was_switched_twice_is_found(self):
        marked = [("n-0", {audit.OURS + "kind": "throttle"})]
        self.assertEqual(audit.nobodys(marked, "migrate n-1 of round 3; throttle n-0 of round 4"), [])
        self.assertEqual(len(audit.nobodys(marked, "migrate n-1 of round 3")), 1)
        once = [("power", "sleep", Evidence.DECISION, "4"), ("power", "on", Evidence.DECISION, "undo-0")]
        self.assertEqual(audit.switched_twice(once), [])
        self.assertEqual(len(audit.switched_twice(once + once[:1])), 1)


class Kills(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        require_machine()
        cls.program = PROGRAM
        # In memory, where there is such a place: processes are killed here, and make records by the dozen.
        cls.folder = tempfile.mkdtemp(prefix="parley-kills-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
        if not KEEP:
            cls.addClassCleanup(shutil.rmtree, cls.folder)
        policy = os.path.join(cls.folder, "audit.json")
        with open(policy, "w", encoding="utf-8") as file:
            json.dump(AUDIT, file)
        cls.set_clock()
        cls.cluster = Cluster("api", *MUTATING, "--apiserver-flag", "audit-policy-file=" + policy, tag="kills")
        cls.addClassCleanup(cls.cluster.down)
        token = observer(cls.cluster, "act.yaml")
        cls.tally, cls.stops = Tally(), 0
        cls.scenes = [Scene(cls, i, SEED + i) for i in range(HOMES)]
        cls.grant()
        cls.world = World(cls.cluster, [scene.home for scene in cls.scenes])
        cls.addClassCleanup(cls.world.close)
        for scene in cls.scenes:
            scene.open(token)
            cls.addClassCleanup(scene.close)
        cls.log = audit.Log(cls.cluster.facts["audit_log"])
        cls.effects = cls.conflicts = cls.restarts = 0

    @classmethod
    def set_clock(cls):
        """What makes a process believe that it is hours later."""
        cls.shim, cls.later = os.path.join(cls.folder, "set_clock.so"), os.path.join(cls.folder, "later")
        subprocess.run([os.environ.get("CC", "clang-19"), "-shared", "-fPIC", "-O1", "-o", cls.shim,
                        os.path.join(ROOT, "tests", "live", "set_clock.c")], check=True)
        with open(cls.later, "w", encoding="utf-8") as file:
            file.write(str(LATER_S))

    @classmethod
    def grant(cls):
        """The rights of deploy/rbac/act.yaml and the policies of deploy/admission, for homes of other names."""
        made = []
        for name in ("priority-class", "reject", "queue-beta"):
            cls.cluster.kubectl("apply", "-f", os.path.join(ROOT, "deploy", "admission", name + ".yaml"))
        for kind, name in (("role", "act"), ("rolebinding", "act"), ("validatingadmissionpolicybinding", "reject"),
                           ("mutatingadmissionpolicybinding", "queue")):
            words = ("-n", "parley-system") if name == "act" else ()
            made.append(json.loads(cls.cluster.kubectl("get", kind, "parley-" + name, *words, "-o", "json")))
        for home in (scene.home for scene in cls.scenes):
            own = copy.deepcopy(made)
            for each in own[:2]:
                each["metadata"] = {"name": "parley-act", "namespace": home.name}
            for each in own[2:]:
                each["metadata"] = {"name": each["metadata"]["name"] + "-" + home.name}
                each["spec"]["matchResources"]["namespaceSelector"] = {
                    "matchLabels": {"kubernetes.io/metadata.name": home.space}}
                each["spec"]["paramRef"]["namespace"] = home.name
            cls.cluster.apply(*({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
                                for name in (home.space, home.name)), *own)

    def objects(self):
        """Of each kind, those of all homes by name."""
        return [{f"{i['metadata'].get('namespace', '')}/{i['metadata']['name']}": i for part in parts for i in part}
                for parts in zip(*(scene.objects() for scene in self.scenes))]

    def steady(self):
        """All objects, once there are as many pods as are wanted, all of them running."""
        def settled():
            found = self.objects()
            running = [p for p in found[2].values() if p["status"].get("phase") == "Running"]
            return found if len(running) == len(found[2]) == HOMES * REPLICAS else None
        return until(settled, 120, f"a world that has settled ({self.world.failed})")

    def restart(self):
        """etcd or the API server ends and comes back, while all are at work."""
        part = ("etcd", "apiserver")[self.restarts % 2]
        self.restarts += 1
        time.sleep(6)
        self.cluster.command(part, "kill")
        time.sleep(1)
        self.cluster.command(part, "start")

    def together(self, work):
        """The same in all homes at once, until nothing of it is on its way any more."""
        with concurrent.futures.ThreadPoolExecutor(HOMES) as pool:
            list(pool.map(work, self.scenes))
        until(lambda: not any(scene.under_way() for scene in self.scenes), 120, "the arrival of what is late")

    def batch(self, number):
        """A scene in every home, then all of them are judged."""
        before = self.steady()
        for i, scene in enumerate(self.scenes):
            turn, place = divmod(number * HOMES + i, len(KINDS))
            kind = KINDS[place]
            # In every second home the weather is bad, and for each kind every second time.
            scene.prepare(kind, scene.draw.choice(ENDINGS[kind]), 0.25 * ((place + turn + SEED) % 2))
        breaks = number % 8 == SEED % 2
        with concurrent.futures.ThreadPoolExecutor(1) as beside:
            breaking = beside.submit(self.restart) if breaks else None
            self.together(lambda scene: scene.play(*LIVES))
            if breaking is not None:
                breaking.result()
        time.sleep(0.3)  # The log is written behind the answer.
        events = self.log.more()
        problems = [f"{scene.home.name}, {scene.kind} until {scene.ending} ({'; '.join(scene.lives)}): {each}"
                    for scene in self.scenes for each in dict.fromkeys(
                        scene.problems + scene.without_mark() + scene.undone() +
                        audit.switched_twice(scene.home.switched))]
        problems += self.judge(events, breaks)
        return problems + self.give_back(before, breaks)

    def judge(self, events, lossy):
        """By the audit log and the records. An API server that is killed may not write down what it did."""
        self.effects += sum(map(audit.took_effect, events))
        self.conflicts += sum(e["responseStatus"]["code"] == 409 for e in events)
        problems = audit.twice(events) + audit.decided_again(events)
        problems += [] if lossy else audit.unmarked(events, TEMPLATE, REPLICAS)
        return problems + [each for scene in self.scenes for each in self.unrecorded(scene, events)]

    @staticmethod
    def unrecorded(scene, events):
        """What the API server did in a home and no record there has."""
        names = (*scene.home.nodes, scene.home.space, scene.home.name)
        events = [e for e in events if {e["objectRef"].get("name"), e["objectRef"].get("namespace")} & set(names)]
        # An order of six seconds may be over before a successor could look whether it was given; and an eviction that
        # was on its way when its process was killed may come when its action is over: docs/acting.md, "Not yet".
        evictions = {e["auditID"] for e in events if e["objectRef"].get("subresource") == "eviction"}
        over = scene.in_flight if scene.kind == "reject" else evictions.intersection(scene.in_flight)
        missing = audit.unrecorded(events, audit.recorded(scene.runs), over)
        return audit.unrecorded(events, audit.recorded(scene.runs, PROGRAM), over) if missing else []

    def give_back(self, before, lossy):
        """What marks say is given back, by a command that is killed, too."""
        problems = []

        def killed(scene):
            scene.ease()
            scene.cordon(False)
            scene.free_lease()
            scene.release(scene.draw.choice(("--all", "--expired")), Aim(self.tally, "release", scene.draw))

        def whole(scene):
            for proxy in scene.proxies:
                proxy.rough = 0.0
            process = scene.release()
            if process.process.returncode != 0:
                problems.append(f"release ended with {process.process.returncode}: {process.words()}")
            problems.extend(f"after release: {each}" for each in scene.left())
            self.world.clear(scene.home)
        self.together(killed)
        self.together(whole)
        after = self.steady()
        for was, now in zip(before[:2], after[:2]):
            problems += [f"not as before: {name}: {json.dumps([audit.bare(was[name]), audit.bare(now[name])])}"
                         for name in was if audit.bare(was[name]) != audit.bare(now[name])]
        for scene in self.scenes:
            scene.mend()
        events = self.log.more()
        self.effects += sum(map(audit.took_effect, events))
        return problems + audit.twice(events) + ([] if lossy else audit.unmarked(events, TEMPLATE, REPLICAS))

    def test_whatever_is_killed_is_done_once_and_can_be_given_back(self):
        print(f"  seed {SEED}", flush=True)
        number, problems = 0, []
        while self.kills() < KILLS or number * HOMES < len(KINDS):
            begun = time.monotonic()
            found = self.batch(number)
            problems += [f"batch {number}: {each}" for each in found]
            kinds = ", ".join(f"{scene.kind} until {scene.ending}" for scene in self.scenes)
            print(f"  batch {number}: {time.monotonic() - begun:.0f} s, {kinds}; {self.kills()} kills so far", *found,
                  sep="\n    ", flush=True)
            number += 1
            gc.collect()  # Connections are large and hold themselves.
            self.assertLess(number, 4 + KILLS // 5, "too few kills")
        self.say(number)
        if KEEP:
            shutil.copy(self.log.path, self.folder)
            print(f"  records and audit log are in {self.folder}", flush=True)
        self.assertEqual(problems, [])

    def kills(self):
        return sum(self.tally.hits.values())

    def say(self, batches):
        weather = collections.Counter()
        for proxy in (proxy for scene in self.scenes for proxy in scene.proxies):
            weather += proxy.met
        print("  " + "\n  ".join(self.tally.table()))
        print(f"  seed {SEED}: {batches} batches, {self.kills()} kills, {self.stops} of them stopped beside a second "
              f"leader; {self.effects} effects, {self.conflicts} conflicts; {self.restarts} restarts of etcd or API "
              "server; weather: " + ", ".join(f"{name} {count}" for name, count in weather.most_common()), flush=True)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
