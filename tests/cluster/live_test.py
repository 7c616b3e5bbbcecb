#!/usr/bin/env python3
"""`parley live` beside three real nodes: it sees what kubectl sees, writes nothing, and goes on
through what happens to a cluster.

Usage: tests/cluster/live_test.py PROGRAM [unittest arguments]
"""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from kit import (ROOT, Cluster, Live, deployment, lateness, long, pods_listed, pods_shown,
                 require_machine, source)

PROGRAM = ""
DISRUPTIVE = ("migrate", "replicate", "power_state")  # Kinds that cordon, evict or move.
ROUNDS_OF_CRASHES = 8  # If crashes counted as signs of their nodes, they would be acted on by then.


class RealNodes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        require_machine()
        cls.cluster = Cluster("real")
        cls.addClassCleanup(cls.cluster.down)

    def live(self, *options):
        live = Live(PROGRAM, self.cluster, *options)
        self.addCleanup(live.close)
        return live

    def settle(self, live, seconds=60):
        """Waits until the snapshot and `kubectl get pods` agree, which they must."""
        def agrees(snapshot):
            return pods_shown(snapshot) == pods_listed(self.cluster.get("pods"))
        return live.until(agrees, seconds, "a snapshot like kubectl's")

    def test_sees_what_kubectl_sees(self):
        live = self.live()
        self.cluster.apply(deployment("web", 5, cpu="60m", memory="40Mi"))
        self.addCleanup(self.cluster.kubectl, "delete", "deployment", "web", "--now")
        def web(snapshot):
            return [p for p in snapshot["pods"] if p["workload"] == "default/web"]
        live.until(lambda s: sum(p["ready"] for p in web(s)) == 5, 60, "five ready pods")
        seen = self.settle(live)
        self.assertEqual(len(web(seen)), 5)
        for node, (cpu_m, memory) in self.cluster.requested().items():
            row = next(r for r in seen["nodes"] if r["id"] == node)
            self.assertEqual((row["cpu_requested_m"], row["memory_requested"]), (cpu_m, memory))
        self.cluster.kubectl("scale", "deployment", "web", "--replicas=2")
        live.until(lambda s: len(web(s)) == 2, 60, "three pods fewer")
        self.settle(live)

    def test_an_image_that_is_not_there_is_a_cause(self):
        live = self.live()
        wrong = deployment("wrong", 1)
        wrong["spec"]["template"]["spec"]["containers"][0]["image"] = "testbed.local/none:1"
        self.cluster.apply(wrong)
        self.addCleanup(self.cluster.kubectl, "delete", "deployment", "wrong", "--now")
        live.until(lambda s: [p["waits_for"] for p in s["pods"]
                              if p["workload"] == "default/wrong"] == [["image"]], 60,
                   "a pod that waits for its image")
        live.stop()
        why = " ".join(live.ask("why", "--workload", "default/wrong").stdout.split())
        self.assertIn('said of one: Container image "testbed.local/none:1" is not present', why)

    def bad_release(self, name):
        """A Deployment that exits as soon as it is started, two pods on every node."""
        even = {"maxSkew": 1, "topologyKey": "kubernetes.io/hostname",
                "whenUnsatisfiable": "DoNotSchedule",
                "labelSelector": {"matchLabels": {"app": name}}}
        bad = deployment(name, 6, cpu="1m", memory="8Mi", topologySpreadConstraints=[even])
        bad["spec"]["template"]["spec"]["containers"][0].update(
            image="testbed.local/busybox:1", command=["false"])
        return bad

    @long
    def test_a_release_that_crashes_on_every_node_moves_nothing(self):
        """It is no sign of a node failing, and `why` tells whose the restarts are and what the kubelet
        says of them."""
        live = self.live()
        names = ("bad-a", "bad-b")
        # Something to lose on every node: otherwise nothing would be moved anyway.
        self.cluster.apply(deployment("good", 6), *[self.bad_release(name) for name in names])
        self.addCleanup(self.cluster.kubectl, "delete", "deployment", "good", *names, "--now")

        def crashes(snapshot):
            """Nodes on which pods of both wait for their next start after a restart."""
            return [{p["node"] for p in snapshot["pods"] if p["workload"] == f"default/{name}" and
                     p["restarts"] > 0 and p["waits_for"] == ["restart"]} for name in names]

        looped = live.until(lambda s: all(len(nodes) == 3 for nodes in crashes(s)), 90,
                            "crash loops of both on all nodes")
        last = live.until(lambda s: s["round"] >= looped["round"] + ROUNDS_OF_CRASHES, 60)
        live.stop()
        why = " ".join(live.ask("why", "--round", str(last["round"])).stdout.split())
        with sqlite3.connect(os.path.join(live.run, "run.db")) as database:
            asked = database.execute("SELECT role, kind, round, fate FROM proposals").fetchall()
        self.assertEqual({each[:2] for each in asked if each[0] == "safety"}, {("safety", "noop")})
        self.assertEqual([each for each in asked if each[1] in DISRUPTIVE], [])
        for name in names:
            self.assertRegex(why, f"default/{name} restarted \\d+ times: its own crash loop, "
                                  "rolled out shortly before")
            about = " ".join(live.ask("why", "--workload", f"default/{name}").stdout.split())
            self.assertRegex(about, "another start after a crash, since [0-9a-z ]+; said of one: "
                                    f"back-off .* restarting failed container=pause pod={name}-")

    def test_use_comes_from_metrics_server_with_its_age(self):
        live = self.live()
        seen = live.until(
            lambda s: all(r["cpu_used_m"]["value"] is not None for r in s["nodes"]), 60,
            "the use of every node")
        self.assertEqual(source(seen, "metrics")["condition"], "ok")
        for row in seen["nodes"]:
            reading = row["cpu_used_m"]["from"]
            self.assertEqual(reading["source"], "metrics")
            self.assertLess(reading["measured"], reading["received"])

    def test_writes_nothing(self):
        live = self.live()
        live.until(lambda s: s["round"] >= 5)
        live.stop()
        verbs = {e["verb"] for e in self.cluster.audited()}
        self.assertTrue(verbs)
        self.assertLessEqual(verbs, {"get", "list", "watch"})

    @long
    def test_asks_little(self):
        live = self.live()
        live.until(lambda s: s["round"] >= 5)
        before = len([e for e in self.cluster.audited() if e["stage"] == "ResponseComplete"])
        time.sleep(10)
        after = len([e for e in self.cluster.audited() if e["stage"] == "ResponseComplete"])
        self.assertLessEqual(after - before, 50, "over five requests a second")

    def test_a_signal_ends_it_within_a_second_and_the_record_is_whole(self):
        for how in (signal.SIGINT, signal.SIGTERM):
            least = 60.0
            for _ in range(3):  # The machine may be busy once, but not every time.
                least = min(least, self.ends_whole(how))
                if least < 1.0:
                    break
            self.assertLess(least, 1.0, f"{how.name} takes over a second")

    def ends_whole(self, how):
        """How long a signal takes to end a run; its record is complete then."""
        live = self.live()
        live.until(lambda s: s["round"] >= 3)
        status, output, took = live.stop(how)
        self.assertEqual(status, 0, live.said())
        self.assertIn("stopped", output)
        replay = live.ask("replay")
        self.assertEqual(replay.returncode, 0, replay.stderr)
        self.assertIn("bit for bit", replay.stdout)
        return took

    def test_ends_complete_after_its_last_round_and_keeps_a_true_period(self):
        live = self.live("--rounds", "8")
        output, _ = live.process.communicate(timeout=60)
        self.assertIn("8 rounds, complete", output)
        taken = [s["taken"] for s in live.snapshots()]
        self.assertEqual(len(taken), 8)
        self.assertLess(lateness(taken, 1.0), 0.7, f"lateness adds up: {taken}")

    def test_an_api_server_that_dies_ages_visibly_and_comes_back(self):
        live = self.live()
        live.until(lambda s: source(s, "api")["condition"] == "ok" and s["round"] >= 2)
        self.cluster.command("apiserver", "kill")
        try:
            failed = live.until(lambda s: source(s, "api")["condition"] == "failed", 30,
                                "a failed api")
            self.assertTrue(source(failed, "api")["reason"])
            aged = live.until(lambda s: s["queue"]["gap"] == "too_old", 60, "a gap for the queue")
            self.assertEqual(len(aged["nodes"]), 3, "what was known stays shown")
            self.assertLess(source(aged, "api")["last_success"], aged["taken"] - 10)
        finally:
            self.cluster.command("apiserver", "start")
        live.until(lambda s: source(s, "api")["condition"] == "ok", 90, "the api again")
        self.settle(live)
        why = live.ask("why", "--round", str(aged["round"]), "-o", "json")
        self.assertEqual(why.returncode, 0, why.stderr)
        self.assertNotIn("accepted\":[{", json.dumps(json.loads(why.stdout)))

    def test_runs_inside_the_cluster_with_the_least_role(self):
        folder = tempfile.mkdtemp(prefix="parley-image-")
        self.addCleanup(shutil.rmtree, folder)
        tar = os.path.join(folder, "parley.tar")
        subprocess.run([os.path.join(ROOT, "deploy", "image.py"), PROGRAM, tar], check=True,
                       capture_output=True, timeout=60)
        self.cluster.command("image", "import", tar)
        for name in ("rbac/observe.yaml", "rbac/observe-metrics.yaml", "observe.yaml"):
            self.cluster.kubectl("apply", "-f", os.path.join(ROOT, "deploy", name))
        self.addCleanup(self.cluster.kubectl, "delete", "namespace", "parley-system", "--wait=false")
        end = time.monotonic() + 60
        said = ""
        while "round 1 " not in said and time.monotonic() < end:
            time.sleep(1)
            said = self.cluster.kubectl("logs", "-n", "parley-system", "deploy/parley-observer",
                                        check=False)
        self.assertIn("the service account of this pod", said)
        self.assertIn("decision", said)
        who = "system:serviceaccount:parley-system:parley-observer"
        verbs = {e["verb"] for e in self.cluster.audited() if e["user"]["username"] == who}
        self.assertTrue(verbs)
        self.assertLessEqual(verbs, {"get", "list", "watch"})

    @long
    def test_a_power_cut_shows_as_a_lost_node(self):
        live = self.live()
        live.until(lambda s: all(r["ready"] == "yes" for r in s["nodes"]), 60)
        self.cluster.command("node", "kill", "node-c")
        try:
            lost = live.until(
                lambda s: next(r for r in s["nodes"] if r["id"] == "node-c")["ready"] != "yes", 90,
                "a node that is not Ready")
            lease = next(r for r in lost["nodes"] if r["id"] == "node-c")["lease"]
            self.assertGreater(lost["taken"] - lease["from"]["received"], 10)
        finally:
            self.cluster.command("node", "start", "node-c")
        live.until(lambda s: all(r["ready"] == "yes" for r in s["nodes"]), 90, "the node again")


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
