#!/usr/bin/env python3
"""The least privilege of mode observe: under the roles of deploy/rbac, everything that is used is
granted and everything that is granted is used.

Usage: tests/cluster/rbac_test.py PROGRAM [unittest arguments]
"""

import json
import os
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from kit import ROOT, Cluster, Live, bare_pod, deployment, long, observer, require_machine, source

PROGRAM = ""
RBAC = os.path.join(ROOT, "deploy", "rbac")
USER = "system:serviceaccount:parley-system:parley-observer"
# A kind that is not served is asked for once, which is how that is found out.
UNSERVED = {("watch", "autoscaling.k8s.io", "multidimpodautoscalers"),
            ("list", "autoscaling.k8s.io", "multidimpodautoscalers")}


def crd(group, version, plural, kind, scope="Namespaced"):
    """A kind of another project, only as far as it can be read."""
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": f"{plural}.{group}",
                         "annotations": {"api-approved.kubernetes.io": "unapproved, for a test"}},
            "spec": {"group": group, "scope": scope,
                     "names": {"plural": plural, "kind": kind},
                     "versions": [{"name": version, "served": True, "storage": True,
                                   "schema": {"openAPIV3Schema": {
                                       "type": "object",
                                       "x-kubernetes-preserve-unknown-fields": True}}}]}}


def kubeconfig_with(cluster, token, path):
    """Writes a kubeconfig with this token, and returns its path."""
    with open(path, "w", encoding="utf-8") as file:
        json.dump({
            "apiVersion": "v1", "kind": "Config", "current-context": "observer",
            "clusters": [{"name": "c", "cluster": {
                "server": cluster.facts["server"],
                "certificate-authority": cluster.facts["ca"]}}],
            "users": [{"name": "u", "user": {"token": token}}],
            "contexts": [{"name": "observer", "context": {"cluster": "c", "user": "u"}}]}, file)
    return path


def roles_of_observing():
    return sorted(name for name in os.listdir(RBAC) if name.startswith("observe"))


class LeastPrivilege(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        require_machine()
        cls.cluster = Cluster("real")
        cls.addClassCleanup(cls.cluster.down)
        cls.cluster.apply(
            crd("autoscaling.k8s.io", "v1", "verticalpodautoscalers", "VerticalPodAutoscaler"),
            crd("karpenter.sh", "v1", "nodepools", "NodePool", "Cluster"),
            crd("karpenter.sh", "v1", "nodeclaims", "NodeClaim", "Cluster"),
            crd("keda.sh", "v1alpha1", "scaledobjects", "ScaledObject"))

    def kubeconfig_of_observer(self, folder, space="parley-system"):
        token = self.cluster.kubectl("create", "token", "parley-observer", "-n", space).strip()
        return kubeconfig_with(self.cluster, token, os.path.join(folder, f"{space}.kubeconfig"))

    def granted(self, name):
        """(verb, group, resource) of every rule in a file, read by kubectl."""
        text = self.cluster.kubectl("create", "--dry-run=client", "-o", "json", "-f",
                                    os.path.join(RBAC, name))
        objects = json.JSONDecoder()
        rules, at = set(), 0
        while at < len(text):
            document, end = objects.raw_decode(text, at)
            at = end + len(text[end:]) - len(text[end:].lstrip())
            for item in document.get("items", [document]):
                for rule in item.get("rules") or []:
                    for group in rule["apiGroups"]:
                        for resource in rule["resources"]:
                            for verb in rule["verbs"]:
                                rules.add((verb, group, resource))
        return rules

    def test_used_is_granted_and_granted_is_used(self):
        files = roles_of_observing()
        for name in files:
            self.cluster.kubectl("apply", "-f", os.path.join(RBAC, name))
        before = len(self.cluster.audited())  # Another test asked for what it had been denied.
        live = Live(PROGRAM, self.cluster, "--verify-every", "3s",
                    kubeconfig=self.kubeconfig_of_observer(os.path.dirname(self.cluster.kubeconfig)))
        self.addCleanup(live.close)
        seen = live.until(lambda s: source(s, "metrics") and
                          source(s, "metrics")["condition"] == "ok" and len(s["nodes"]) == 3, 60,
                          "nodes and their use")
        self.assertEqual(source(seen, "api")["reason"], "", "nothing is hidden from it")
        wanted = {name: self.granted(name) - UNSERVED for name in files}
        # Every kind is listed again for verification, each at its own time.
        end = time.monotonic() + 60
        while not self.asked(before)[0] >= set().union(*wanted.values()) and \
                time.monotonic() < end:
            time.sleep(0.5)
        live.stop()
        used, denied = self.asked(before)
        self.assertEqual(denied, set(), "used, but not granted")
        for name in files:
            self.assertEqual(wanted[name] - used, set(), f"granted by {name}, but not used")

    def asked(self, before):
        """(verb, group, resource) of the observer's requests since then, and of those denied."""
        used, denied = set(), set()
        for event in self.cluster.audited()[before:]:
            if event["user"]["username"] != USER or "objectRef" not in event:
                continue
            about = event["objectRef"]
            what = (event["verb"], about.get("apiGroup", ""), about["resource"])
            code = event.get("responseStatus", {}).get("code", 200)
            (denied if code == 403 else used).add(what)
        return used, denied

    def make_reader(self, space):
        """A namespace whose pods, Deployments and their use the observer of `shop` may read."""
        self.cluster.kubectl("create", "namespace", space)
        self.addCleanup(self.cluster.kubectl, "delete", "namespace", space, "--wait=false")
        self.cluster.kubectl(
            "create", "role", "reader", "-n", space, "--verb=list,watch",
            "--resource=pods,deployments.apps,replicasets.apps,pods.metrics.k8s.io")
        self.cluster.kubectl("create", "rolebinding", "reader", "-n", space, "--role=reader",
                             "--serviceaccount=shop:parley-observer")

    def test_with_the_rights_of_two_namespaces_it_sees_them_and_says_what_it_does_not(self):
        for space in ("shop", "till"):
            self.make_reader(space)
        self.cluster.kubectl("create", "serviceaccount", "parley-observer", "-n", "shop")
        self.cluster.apply(deployment("web", 2, space="shop"), deployment("till", 1, space="till"),
                           deployment("other", 1))
        self.addCleanup(self.cluster.kubectl, "delete", "deployment", "other", "--now")
        folder = os.path.dirname(self.cluster.kubeconfig)
        live = Live(PROGRAM, self.cluster, "-n", "shop", "-n", "till",
                    kubeconfig=self.kubeconfig_of_observer(folder, "shop"))
        self.addCleanup(live.close)
        seen = live.until(lambda s: len(s["pods"]) == 3 and source(s, "metrics")["condition"] == "ok",
                          90, "the three pods of the namespaces, and their use")
        self.assertEqual({p["workload"] for p in seen["pods"]}, {"shop/web", "till/till"})
        self.cluster.kubectl("delete", "deployment", "till", "-n", "till", "--now")
        seen = live.until(lambda s: len(s["pods"]) == 2, 60, "the two pods that are left")
        self.assertEqual(source(seen, "api")["condition"], "ok")
        self.assertIn("may not see", source(seen, "api")["reason"])
        self.assertIn("nodes", source(seen, "api")["reason"])

    def test_check_says_what_is_missing_and_then_that_all_is_well(self):
        for name in roles_of_observing():
            self.cluster.kubectl("apply", "-f", os.path.join(RBAC, name))
        config = self.kubeconfig_of_observer(os.path.dirname(self.cluster.kubeconfig))
        done = self.check(config)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.cluster.kubectl("delete", "-f", os.path.join(RBAC, "observe-metrics.yaml"))
        end = time.monotonic() + 30  # The API server learns of it a little later.
        while (done := self.check(config)).returncode == 0 and time.monotonic() < end:
            time.sleep(0.5)
        self.assertEqual(done.returncode, 1)
        self.assertIn("list nodes", done.stdout)
        self.assertIn("- apiGroups: [metrics.k8s.io]\n    resources: [nodes, pods]\n"
                      "    verbs: [list]", done.stdout)

    def check(self, config):
        return subprocess.run([PROGRAM, "check", "--kubeconfig", config], text=True,
                              cwd=os.path.dirname(config), capture_output=True, timeout=60)


class Revoked(unittest.TestCase):
    """Rights are revoked while open watches continue."""

    @classmethod
    def setUpClass(cls):
        require_machine()
        cls.cluster = Cluster("api", tag="r")
        cls.addClassCleanup(cls.cluster.down)

    def begin(self):
        token = observer(self.cluster)
        path = os.path.join(os.path.dirname(self.cluster.kubeconfig), "revoked.kubeconfig")
        kubeconfig_with(self.cluster, token, path)
        live = Live(PROGRAM, self.cluster, kubeconfig=path)
        self.addCleanup(live.close)
        live.until(lambda s: source(s, "api")["condition"] == "ok", 60, "an API that is read")
        return live

    def failed(self, live, reason):
        """Only a probe can have noticed: watches are renewed after five minutes, lists verified
        after ten."""
        seen = live.until(lambda s: source(s, "api")["condition"] == "failed", 30, "a failed API")
        self.assertIn(reason, source(seen, "api")["reason"])
        # News from an old watch does not count as recovery.
        self.cluster.apply(bare_pod("after-" + reason))
        last = live.until(lambda s: s["round"] >= seen["round"] + 5, 30, "five rounds more")
        self.assertEqual({source(s, "api")["condition"] for s in live.snapshots()
                          if s["round"] >= seen["round"]}, {"failed"}, last)

    def test_a_role_that_is_taken_away(self):
        live = self.begin()
        self.cluster.kubectl("delete", "clusterrolebinding", "parley-observe")
        self.failed(live, "forbidden")
        observer(self.cluster)
        live.until(lambda s: source(s, "api")["condition"] == "ok", 90, "an API that is read again")

    @long
    def test_an_account_that_is_deleted(self):
        live = self.begin()
        self.cluster.kubectl("delete", "serviceaccount", "parley-observer", "-n", "parley-system")
        self.failed(live, "401")


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
