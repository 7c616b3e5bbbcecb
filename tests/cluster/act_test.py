#!/usr/bin/env python3
"""Mode act on a real cluster: a node that fails is emptied before it is lost, by the rights of
deploy/rbac alone and within deploy/fence; every request is in the API server's audit log as the
record says; one process leads; `parley release` gives back what marks say.

Usage: tests/cluster/act_test.py PROGRAM [unittest arguments]
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from acting import MARKS, ModeAct, is_quarantined, marks_on
from fault_proxy import Fault, FaultProxy
from kit import MUTATING, ROOT, deployment, job, kubeconfig, long, until
from rights import forbidden, roles_in, unused_rules

PROGRAM = ""
# By default a lease that is slow alone does not outweigh an eviction here. Kubelets renew every 10 s, later on a busy
# machine; a node is NotReady after 20.
POLICY = """
policy:
  evidence: {lease_slow: 0.3, lease_slow_after: 13s}
  admission: {queue_from: 3}
  allow:
    - {space: shop, kinds: [migrate, replicate, throttle]}
    - {space: night, kinds: [admission, resource_cap]}
"""


class Acting(ModeAct):
    @classmethod
    def setUpClass(cls):
        cls.start(PROGRAM, "real", *MUTATING, tag="act", spaces={"shop": ["act"], "night": ["act", "admission"]})
        cls.policy = cls.write("act.yaml", POLICY)

    @classmethod
    def tearDownClass(cls):
        """Of all tests together: no change was wanted that is not granted. fence_test.py has a request for each right
        that is; which of them these tests did not come to need is said."""
        events = cls.cluster.audited()
        wanted = forbidden(e for e in events if e["verb"] in ("create", "update", "patch", "delete"))
        if wanted:
            raise AssertionError(f"wanted, but not granted: {wanted}")
        unused = [right for role in roles_in(cls.cluster, "rbac", "act.yaml") for right in unused_rules(events, role)]
        print(f"  granted by act.yaml and not needed here: {', '.join(unused) or 'nothing'}", flush=True)

    def events(self, space):
        """Kubernetes' own, of ours."""
        found = json.loads(self.cluster.kubectl("get", "events.events.k8s.io", "-n", space, "-o", "json"))
        return [e for e in found["items"] if e.get("reportingController") == "parley.dev/parley"]

    def setUp(self):
        self.cluster.apply(deployment("web", 6, space="shop"))
        self.cluster.kubectl("rollout", "status", "deployment/web", "-n", "shop", "--timeout=120s")
        super().setUp()

    def test_a_node_that_fails_is_emptied_recorded_and_given_back(self):
        live = self.live()
        self.settle(live)
        self.assertEqual(self.our_changes(), [], "nothing is wrong yet")
        victim = self.cut_off(live)
        self.empties(live, victim)
        node = self.nodes()[victim]
        self.assertEqual(marks_on(node), sorted(MARKS))
        self.assertTrue(is_quarantined(node))
        changes = self.our_changes()
        ids = [e["auditID"] for e in changes]
        self.assertEqual(len(ids), len(set(ids)), "no request stands twice")
        self.assertTrue(all(i.startswith("parley-") for i in ids), ids)
        decision = node["metadata"]["annotations"]["parley.dev/decision"]
        self.assertTrue(all(decision in i for i in ids), ids)
        self.assertEqual({e["responseStatus"]["code"] // 100 for e in changes}, {2})
        self.assertEqual(live.stop()[0], 0)
        began = [e for e in self.events("default") if e["metadata"]["name"].startswith("parley." + decision)
                 and e["reason"] == "ParleyMigrate"]
        self.assertEqual([(e["regarding"]["kind"], e["regarding"]["name"], e["type"]) for e in began],
                         [("Node", victim, "Normal")])
        self.assertEqual(began[0]["regarding"]["uid"], node["metadata"]["uid"])
        self.assertRegex(began[0]["eventTime"], r"\.\d{6}Z$")
        self.assertTrue(began[0]["note"].startswith(f"migrate {victim}. "), began[0]["note"])
        why = live.answer("why")
        self.assertIn(f"migrate {victim}", why)
        self.assert_scored(live, f"migrate {victim}", "safety")
        self.assertEqual(live.ask("replay").returncode, 0)
        ledger = self.cluster.find("configmap", "parley-ledger", "parley-system")
        self.assertIn("migrate", ledger["data"]["open"])
        lease = self.cluster.find("lease", "parley-leader", "parley-system")
        self.assertNotIn("holderIdentity", lease["spec"], "given back at the end")
        dry = self.release("--all", "--dry-run")
        self.assertEqual(dry.returncode, 0, dry.stderr)
        self.assertIn(f"would   Node {victim}: lift quarantine of {victim}", dry.stdout)
        self.assertEqual(self.release("--expired").stdout, "", "it has not expired yet")
        done = self.release("--all")
        self.assertEqual(done.returncode, 0, done.stderr)
        after = self.nodes()[victim]
        self.assertEqual(marks_on(after), [])
        self.assertFalse(is_quarantined(after))
        self.assertEqual(self.release("--all").stdout, "", "nothing is left")

    @long
    def test_what_a_killed_process_began_its_successor_finishes(self):
        # One pod at a time, so that the second eviction is refused for a moment.
        self.cluster.apply({"apiVersion": "policy/v1", "kind": "PodDisruptionBudget",
                            "metadata": {"name": "web", "namespace": "shop"},
                            "spec": {"minAvailable": 5, "selector": {"matchLabels": {"app": "web"}}}})
        self.addCleanup(self.cluster.kubectl, "delete", "pdb", "web", "-n", "shop", "--ignore-not-found")
        first = self.live()
        self.settle(first)
        victim = self.cut_off(first)
        there = len(self.pods_on(victim))
        self.comes(first, self.evicted, "a first eviction")
        first.process.kill()
        first.process.communicate()
        left = len(self.pods_on(victim))
        self.assertGreater(left, 0, "it was killed on the way")
        # What is left to do on a node that is lost would be moot, and a budget counts its pods as unready.
        self.cluster.command("node", "heal", victim)
        self.cluster.kubectl("delete", "pdb", "web", "-n", "shop")
        second = self.live()
        self.comes(second, lambda: not self.pods_on(victim), "a node that the successor has emptied")
        evicted = self.evicted()
        self.assertEqual(len(evicted), there)
        self.assertEqual(len(set(evicted)), there, "none twice")
        decisions = {e["auditID"].split("-")[1] for e in self.our_changes()}
        self.assertEqual(len(decisions), 1, "one decision, carried out by two processes")
        self.assertEqual(second.stop()[0], 0)
        print(f"  killed with {left} of {there} pods left; the successor evicted them", flush=True)

    @long
    def test_what_is_done_and_not_heard_of_is_done_once(self):
        folder = tempfile.mkdtemp(prefix="parley-act-")
        self.addCleanup(shutil.rmtree, folder)
        proxy = FaultProxy(self.cluster, folder)
        self.addCleanup(proxy.close)
        live = self.live(kubeconfig=kubeconfig(os.path.join(folder, "kubeconfig"), proxy.port,
                                               self.cluster.facts["ca"], self.token))
        self.settle(live)
        # Marks, taints and evictions; the ledger and the lease are heard.
        unheard = Fault("unheard", path="/(nodes|pods)/", one_in=2)
        proxy.set(unheard)
        victim = self.cut_off(live)
        there = len(self.pods_on(victim))
        self.empties(live, victim)
        self.assertGreater(unheard.met, 2)
        evicted = self.evicted()
        self.assertEqual(sorted(evicted), sorted(set(evicted)), "none twice")
        self.assertEqual(len(evicted), there)
        taints = [e for e in self.our_changes() if e["objectRef"]["resource"] == "nodes"
                  and e["responseStatus"]["code"] == 200]
        self.assertEqual(len(taints), 2, "one mark and one taint")
        self.assertEqual(live.stop()[0], 0)
        self.assertEqual(live.ask("replay").returncode, 0)
        print(f"  {unheard.met // 2} of {unheard.met} answers were lost", flush=True)

    @long
    def test_a_stop_ends_all_sending(self):
        live = self.live()
        self.settle(live)
        done = subprocess.run([PROGRAM, "stop", live.run], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        victim = self.cut_off(live)
        risky = live.until(lambda s: any(n["id"] == victim and n["ready"] != "yes" for n in s["nodes"]), 60,
                           "a node that is lost")
        live.until(lambda s: s["round"] > risky["round"] + 3, 30, "more rounds")
        self.assertEqual(self.our_changes(), [])
        self.assertEqual(live.stop()[0], 0)
        self.assertIn("kill switch", live.answer("why-not", f"migrate:{victim}"))

    def test_check_says_of_every_kind_whether_it_could_act(self):
        def check():
            return subprocess.run([PROGRAM, "check", "--mode", "act", "--config", self.policy, "--kubeconfig",
                                   self.config], capture_output=True, text=True, timeout=60,
                                  cwd=os.path.dirname(self.policy)).stdout
        said = check()
        for what in ("migrate in shop", "replicate in shop", "throttle in shop", "admission in night",
                     "resource_cap in night"):
            self.assertRegex(said, rf"ok +{what}\n")
        self.cluster.kubectl("delete", "clusterrolebinding", "parley-act")
        try:
            said = check()
        finally:
            self.cluster.kubectl("apply", "-f", os.path.join(ROOT, "deploy", "rbac", "act.yaml"))
        self.assertRegex(said, r"missing +migrate in shop: may not .*create pods/eviction in shop; apply deploy/rbac")
        self.assertRegex(said, r"resources: \[[^]]*pods/eviction")

    @long
    def test_one_of_two_leads_and_the_other_takes_over(self):
        first = self.live()
        first.until(lambda s: s["round"] > 3, 60, "rounds of the first")
        second = self.live()
        second.until(lambda s: s["round"] > 3, 60, "rounds of the second")

        def holder():
            lease = self.cluster.find("lease", "parley-leader", "parley-system")
            return lease["spec"].get("holderIdentity", ""), lease["spec"]["leaseTransitions"]

        def leading(live):
            return live.state()["leading"]

        # A test before may have left the lease to a process that was killed.
        until(lambda: f"_{first.process.pid}_" in holder()[0], 40, "the first as leader")
        epoch = holder()[1]
        until(lambda: leading(first)["leads"], 10, "the first says so")
        self.assertFalse(leading(second)["leads"])
        self.assertEqual((leading(second)["holder"], leading(second)["epoch"]), holder())
        first.process.kill()  # It cannot give its lease back.
        first.process.communicate()
        begun = time.monotonic()
        until(lambda: f"_{second.process.pid}_" in holder()[0], 40, "another leader")
        took = time.monotonic() - begun
        print(f"  another leader after {took:.1f} s", flush=True)
        self.assertGreater(took, 5)
        self.assertEqual(holder()[1], epoch + 1)
        until(lambda: leading(second)["leads"] and leading(second)["epoch"] == epoch + 1, 20, "it says that it leads")
        status, said, _ = second.stop()
        self.assertEqual(status, 0)
        self.assertRegex(said, r"leader +follows \S+, epoch \d+")
        self.assertRegex(said, r"leader +leads, epoch \d+")

    @long
    def test_a_job_is_held_while_pods_wait_for_room_and_freed_afterwards(self):
        for name in ("priority-class", "reject", "queue-beta"):
            self.cluster.kubectl("apply", "-f", os.path.join(ROOT, "deploy", "admission", name + ".yaml"))
        pod = deployment("x", 1)["spec"]["template"]["spec"]

        def create_job(name):
            self.cluster.apply(job(name, "night", pod))
            self.addCleanup(self.cluster.kubectl, "delete", "job", name, "-n", "night", check=False)

        create_job("early")  # Without any Job there, holding Jobs back would help nobody.
        live = self.live()
        self.settle(live)
        some = next(iter(self.nodes().values()))["status"]["allocatable"]["cpu"]
        share = int(some[:-1]) * 6 // 10 if some.endswith("m") else int(some) * 600
        self.cluster.apply(deployment("hungry", 9, cpu=f"{share}m", space="night"))
        self.addCleanup(self.cluster.kubectl, "delete", "deployment", "hungry", "-n", "night", check=False)

        def order():
            found = self.cluster.find("configmap", "parley-admission", "parley-system")
            return found["data"] if found else {}

        self.comes(live, lambda: order().get("mode") == "queue", "an order that queues")
        self.assertEqual(order()["spaces"], "night")
        create_job("late")

        def late():
            return self.cluster.find("job", "late", "night")

        held = late()
        self.assertTrue(held["spec"]["suspend"])
        self.assertEqual(held["metadata"]["annotations"]["parley.dev/decision"], order()["decision"])
        time.sleep(5)
        self.assertTrue(late()["spec"]["suspend"], "it is held while the order stands")
        self.cluster.kubectl("scale", "deployment/hungry", "-n", "night", "--replicas=0")
        self.comes(live, lambda: not late()["spec"]["suspend"], "a Job that is free")
        self.assertEqual(marks_on(late()), [])
        self.assertEqual(order()["mode"], "admit")
        freed = [e for e in self.our_changes() if e["objectRef"]["resource"] == "jobs"]
        self.assertEqual(len(freed), 1)
        self.assertEqual(live.stop()[0], 0)
        why = live.answer("why")
        self.assertIn("queue", why)
        self.assert_scored(live, "queue new batch pods", "admission")
        self.assertEqual(live.ask("replay").returncode, 0)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
