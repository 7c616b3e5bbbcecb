#!/usr/bin/env python3
"""Mode dry-run on a real API server: every request of what a round would begin goes there as a dry run, with the same
field manager, content type and versions as in earnest, and its answer is recorded and shown. By the audit log nothing
else is asked for by us that would change anything. And `parley check --mode act`, before all that: it asks about every
right of deploy/rbac/act*.yaml.

Usage: tests/cluster/dry_run_test.py PROGRAM [unittest arguments]
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from kills_proxy import Held, KillProxy
from kills_scene import settings_of
from kills_world import Home, World
from kit import ROOT, Cluster, Live, kubeconfig, observer, require_machine, until
from rights import grants_of, roles_in

PROGRAM = ""
RULE = r"apiGroups: \[(.*?)\]\s+resources: \[(.*?)\]\s+(?:resourceNames: \[(.*?)\]\s+)?verbs: \[(.*?)\]"
CHANGES = ("create", "update", "patch", "delete")


class DryRun(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        require_machine()
        cls.folder = tempfile.mkdtemp(prefix="parley-dry-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.cluster = Cluster("api", tag="dry")
        cls.addClassCleanup(cls.cluster.down)
        cls.home = Home(0)
        for name in (cls.home.space, cls.home.name):
            cls.cluster.kubectl("create", "namespace", name)
        token = observer(cls.cluster, "act.yaml")
        cls.world = World(cls.cluster, [cls.home])
        cls.addClassCleanup(cls.world.close)
        # It shows the use of nodes and pods, which nobody measures here.
        cls.proxy = KillProxy(cls.cluster, cls.folder, cls.home, Held(), 1)
        cls.addClassCleanup(cls.proxy.close)
        cls.config = kubeconfig(os.path.join(cls.folder, "kubeconfig"), cls.proxy.port, cls.cluster.facts["ca"], token)

    def setUp(self):
        self.begun = len(self.cluster.audited())

    def live(self, mode, kind="migrate"):
        """A run that has a reason for an action of this kind, and no other may be had."""
        policy = os.path.join(self.folder, "policy.yaml")
        with open(policy, "w", encoding="utf-8") as file:
            json.dump(settings_of(kind, self.home.space, self.proxy.command, self.home.victim), file)
        until(lambda: len(self.world.pods(self.home)) == 12, 60, "twelve pods")
        self.world.press(self.home.victim, True)
        self.addCleanup(self.world.press, self.home.victim, False)
        live = Live(PROGRAM, self.cluster, "--mode", mode, "--config", policy, "--listen", "off", "--home",
                    self.home.name, "--namespace", self.home.space, kubeconfig=self.config, interval="0.5s")
        self.addCleanup(live.close)
        return live

    def changes(self):
        """What we asked for since the test began that would change something, by the API server's own log."""
        return [e for e in self.cluster.audited()[self.begun:]
                if e["verb"] in CHANGES and e["stage"] == "ResponseComplete"
                and e["objectRef"]["resource"] not in ("selfsubjectaccessreviews", "selfsubjectrulesreviews")]

    def told(self, live):
        """Events of execution, as state.json shows them."""
        if not os.path.exists(os.path.join(live.run, "state.json")):
            return []  # Not yet.
        return [e["message"] for e in live.state()["events"] if e["kind"] == "execution"]

    def would(self, live):
        """The round in which it would have begun, from its events once dry runs were answered."""
        until(lambda: any("dry run: " in text for text in self.told(live)), 90, "answers of dry runs")
        return next(e["round"] for e in live.state()["events"] if "dry run: " in e["message"])

    def test_every_request_is_answered_and_nothing_is_changed(self):
        before = self.cluster.kubectl("get", "node", self.home.victim, "-o", "json")
        live = self.live("dry-run")
        number = self.would(live)
        until(lambda: live.state()["rounds"] > number + 20, 60, "twenty rounds more")
        status, said, _ = live.stop()
        self.assertEqual(status, 0, said)
        changes = self.changes()
        self.assertGreater(len(changes), 2)
        for event in changes:
            self.assertIn("dryRun=All", event["requestURI"])
            self.assertIn("fieldManager=parley", event["requestURI"])
            self.assertLess(event["responseStatus"]["code"], 300, event)
        asked = [(e["objectRef"]["resource"], e["objectRef"].get("subresource", "")) for e in changes]
        self.assertEqual(asked[:2], [("nodes", ""), ("nodes", "")], "its mark, its taint")
        self.assertEqual(set(asked[2:]), {("pods", "eviction")})
        self.assertEqual(len(asked), len(set((e["objectRef"]["name"], e["auditID"]) for e in changes)), "each once")
        names = json.loads(before)["spec"].get("taints"), json.loads(before)["metadata"].get("annotations")
        now = self.cluster.find("node", self.home.victim)
        self.assertEqual((now["spec"].get("taints"), now["metadata"].get("annotations")), names)
        why = live.answer("why", "--round", str(number))
        self.assertRegex(why, rf"Would have sent: mark {self.home.victim}, quarantine {self.home.victim}")
        self.assertIn(f"Dry run: {len(asked)} of {len(asked)} would be accepted.", why)
        self.assertEqual(live.ask("replay").returncode, 0, "what was answered decides nothing")

    def test_a_refused_one_says_why(self):
        """Once by a policy of the cluster's, once since our account may not."""
        self.cluster.apply(
            {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicy",
             "metadata": {"name": "no-evictions"}, "spec": {
                 "matchConstraints": {"resourceRules": [{"apiGroups": [""], "apiVersions": ["v1"],
                                                         "operations": ["CREATE"], "resources": ["pods/eviction"]}]},
                 "validations": [{"expression": "false", "message": "nobody is evicted on Fridays"}]}},
            {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicyBinding",
             "metadata": {"name": "no-evictions"},
             "spec": {"policyName": "no-evictions", "validationActions": ["Deny"]}})
        self.addCleanup(self.cluster.kubectl, "delete", "validatingadmissionpolicybinding", "no-evictions")
        until(self.refuses, 30, "a policy that holds")
        live = self.live("dry-run")
        number = self.would(live)
        self.assertTrue(any("nobody is evicted on Fridays" in text for text in self.told(live)), self.told(live))
        live.stop()
        why = live.answer("why", "--round", str(number))
        self.assertRegex(why, r"Dry run: 2 of \d+ would be accepted; evict \S+: dry run: denied: .*Fridays")
        for event in self.changes():
            self.assertIn("dryRun=All", event["requestURI"])

    def refuses(self):
        pods = self.world.pods(self.home)
        if not pods:  # The world makes them when it next looks at this home.
            return False
        pod = pods[0]["metadata"]["name"]
        status, _ = self.world.admin.send(
            "POST", f"/api/v1/namespaces/{self.home.space}/pods/{pod}/eviction?dryRun=All",
            {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": pod, "namespace": self.home.space}})
        return status >= 400

    def test_without_rights_each_answer_says_what_grants_them(self):
        self.cluster.kubectl("delete", "clusterrolebinding", "parley-act")
        self.addCleanup(self.cluster.kubectl, "apply", "-f", os.path.join(ROOT, "deploy", "rbac", "act.yaml"))
        live = self.live("dry-run")
        number = self.would(live)
        live.stop()
        why = live.answer("why", "--round", str(number))
        self.assertRegex(why, r"Dry run: 0 of \d+ would be accepted")
        self.assertRegex(re.sub(r"\s+", " ", why), r"403.* is forbidden: User .*deploy/rbac/act\.yaml grants it")

    def test_observe_asks_for_nothing(self):
        live = self.live("observe")
        until(lambda: any("would send" in text for text in self.told(live)), 90, "something that it would do")
        live.stop()
        self.assertEqual(self.changes(), [])

    def check(self):
        """What `parley check` says of an account that is to act in every way, decoded."""
        policy = os.path.join(self.folder, "all.yaml")
        kinds = "migrate replicate throttle memory_balloon admission resource_cap power_state dvfs".split()
        command = [self.proxy.command]
        with open(policy, "w", encoding="utf-8") as file:
            json.dump({"policy": {"allow": [{"space": self.home.space, "kinds": kinds}]},
                       "providers": [{"nodes": ["*"], "power": command, "clock": command}]}, file)
        done = subprocess.run([PROGRAM, "check", "--mode", "act", "--config", policy, "--kubeconfig", self.config,
                               "-o", "json"], capture_output=True, text=True, timeout=60, cwd=self.folder)
        page = json.loads(done.stdout)
        said = [f"{each['verdict']} {each['text']}" for each in page["findings"] if each["topic"] == "capabilities"]
        return said, page["missing_rules"]

    def test_check_asks_about_every_right_of_acting(self):
        served = "mutatingadmissionpolicies" in self.cluster.kubectl("api-resources", "-o", "name")
        self.cluster.kubectl("delete", "clusterrolebinding", "parley-act")
        self.cluster.kubectl("delete", "rolebinding", "parley-act", "-n", "parley-system")
        self.addCleanup(self.cluster.kubectl, "apply", "-f", os.path.join(ROOT, "deploy", "rbac", "act.yaml"))
        said, rules = self.check()
        asked = set()
        for groups, resources, names, verbs in re.findall(RULE, rules):
            asked |= {(group.strip('" '), resource.strip(), name.strip(), verb.strip()) for group in groups.split(",")
                      for resource in resources.split(",") for name in names.split(",") for verb in verbs.split(",")}
        granted = {grant[1:] for name in ("act.yaml",) + (() if served else ("act-webhook.yaml",))
                   for role in roles_in(self.cluster, "rbac", name) for grant in grants_of(role)}
        self.assertEqual(granted - asked, set(), "granted and not asked about")
        self.assertEqual(asked - granted, set(), "asked about and not granted")
        expected = [r"leading and the ledger in parley-system: may not create configmaps.*; apply deploy/rbac/act.yaml",
                    r"telling of it by Events: may not create events in default.*; apply deploy/rbac/act.yaml"]
        if not served:
            expected.append("queue and deprioritize by --webhook.*apply deploy/rbac/act-webhook.yaml")
        for sentence in expected:
            self.assertTrue(any(re.match("missing " + sentence, each) for each in said), said)

    def test_check_finds_nothing_missing_where_all_is_granted(self):
        self.cluster.kubectl("apply", "-f", os.path.join(ROOT, "deploy", "rbac", "act-webhook.yaml"))
        self.addCleanup(self.cluster.kubectl, "delete", "clusterrolebinding", "parley-act-webhook")
        said, rules = self.check()
        self.assertEqual(rules, "")
        self.assertEqual({each.split()[0] for each in said}, {"ok"}, said)

    def test_a_deletion_with_a_body_is_only_tried_if_the_body_says_so(self):
        """Why kube/watch/dry_run.cc writes it there, too."""
        quotas = f"/api/v1/namespaces/{self.home.space}/resourcequotas"
        for body, left in (({"dryRun": ["All"]}, 200), ({}, 404)):
            self.world.admin.must("POST", quotas, {"metadata": {"name": "tried"}, "spec": {"hard": {"pods": "99"}}})
            options = {"apiVersion": "v1", "kind": "DeleteOptions", **body}
            self.world.admin.must("DELETE", quotas + "/tried?dryRun=All", options)
            self.assertEqual(self.world.admin.send("GET", quotas + "/tried")[0], left, body)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
