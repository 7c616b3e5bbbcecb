#!/usr/bin/env python3
"""Others win. What neighbours and people mark is left alone, and whoever changes what Parley is changing
has it: at most one conflict, then Parley steps back, says so, and the target rests.

| neighbour | mark | what it means here | test |
|---|---|---|---|
| HPA | scaleTargetRef | its replicas are not ours | Marks |
| VPA | targetRef, unless updateMode is Off | its sizes are not ours | Marks |
| KEDA | ScaledObject, paused or not | its replicas are not ours | Marks |
| server-side apply (Argo CD, Flux, Helm) | f:replicas in managedFields, operation Apply | its replicas are not ours | Marks |
| Kueue | labels kueue.x-k8s.io/ of a Job or its pods | protected | Marks |
| Karpenter | taints karpenter.sh/disrupted and disruption, a NodeClaim that is being deleted | maintenance | Marks |
| Karpenter | do-not-disrupt on a pod | not evicted | Marks |
| Cluster Autoscaler | taints ToBeDeleted..., DeletionCandidate... | maintenance | Marks |
| Cluster Autoscaler | safe-to-evict: false on a pod | not evicted | Marks |
| descheduler | prefer-no-eviction on a pod | not evicted | Marks |
| people | kubectl cordon, before | maintenance | Marks |
| people | parley.dev/opt-out, pause-until on namespace, workload, pod | protected | Marks |
| people | kubectl cordon, drain, taint, scale, edit in the middle | steps back, rests | Meanwhile |
| GitOps | puts replicas and taints back every second | steps back, rests | Meanwhile |

Usage: tests/cluster/others_test.py PROGRAM [unittest arguments]
"""

import datetime
import json
import os
import subprocess
import sys
import threading
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from kit import Cluster, Live, deployment, long, observer, require_machine, source
from rbac_test import crd, kubeconfig_with

PROGRAM = ""


def until(holds, seconds, what):
    """The first true answer."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = holds()
        if found:
            return found
        time.sleep(0.3)
    raise AssertionError(f"{what} did not come in {seconds} s")


def at(hours):
    """RFC 3339, that many hours from now."""
    then = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=hours)
    return then.strftime("%Y-%m-%dT%H:%M:%SZ")


def node(name, annotations=None, **spec):
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "annotations": annotations or {}},
            "spec": spec}


def scaler(api, kind, name, target, **spec):
    return {"apiVersion": api, "kind": kind, "metadata": {"name": name, "namespace": "shop"},
            "spec": {**target, **spec}}


def ref(name, field="scaleTargetRef"):
    return {field: {"apiVersion": "apps/v1", "kind": "Deployment", "name": name}}


def job(name, labels):
    return {"apiVersion": "batch/v1", "kind": "Job",
            "metadata": {"name": name, "namespace": "shop", "labels": labels},
            "spec": {"template": {"spec": {"restartPolicy": "Never",
                                           "containers": [{"name": "a", "image": "none"}]}}}}


def asked(item, what, value):
    """The object with an annotation under our domain."""
    item["metadata"]["annotations"] = {f"parley.dev/{what}": value}
    return item


class Marks(unittest.TestCase):
    """What is marked before: plain objects on an API server, and what a snapshot makes of them."""

    @classmethod
    def setUpClass(cls):
        require_machine()
        cls.cluster = cluster = Cluster("api", tag="o")
        cls.addClassCleanup(cluster.down)
        cluster.kubectl("create", "namespace", "kube-node-lease", check=False)
        cluster.apply(
            crd("autoscaling.k8s.io", "v1", "verticalpodautoscalers", "VerticalPodAutoscaler"),
            crd("karpenter.sh", "v1", "nodepools", "NodePool", "Cluster"),
            crd("karpenter.sh", "v1", "nodeclaims", "NodeClaim", "Cluster"),
            crd("keda.sh", "v1alpha1", "scaledobjects", "ScaledObject"))
        for name in ("verticalpodautoscalers.autoscaling.k8s.io", "nodepools.karpenter.sh",
                     "nodeclaims.karpenter.sh", "scaledobjects.keda.sh"):
            cluster.kubectl("wait", "--for=condition=Established", f"crd/{name}", "--timeout=30s")
        shop, quiet, later = ({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
                              for name in ("shop", "quiet", "later"))
        cluster.apply(shop, asked(quiet, "opt-out", "true"), asked(later, "pause-until", at(1)))
        cls.put_nodes()
        cls.put_workloads()
        cls.put_pods()
        cls.live = Live(PROGRAM, cluster)
        cls.addClassCleanup(cls.live.close)

        def complete(seen):
            """Kinds that a cluster may lack are not waited for by the first rounds, so that this does."""
            owners = {w["id"]: (w["scale_owner"], w["size_owner"]) for w in seen["workloads"]}
            return (len(seen["nodes"]) == 7 and len(seen["pods"]) == 7 and "shop/applied" in owners
                    and owners["shop/keda"][0] != "nobody" and owners["shop/vpa"][1] != "nobody"
                    and any(n["maintenance"] for n in seen["nodes"] if n["id"] == "claimed"))

        cls.seen = cls.live.until(complete, 60, "all nodes and pods, and who owns them")

    @classmethod
    def put_nodes(cls):
        hard = "NoSchedule"
        cls.cluster.apply(
            node("plain"), node("cordoned", unschedulable=True),
            node("disrupted", taints=[{"key": "karpenter.sh/disrupted", "effect": hard}]),
            node("to-be-deleted", taints=[{"key": "ToBeDeletedByClusterAutoscaler", "effect": hard}]),
            node("candidate", taints=[{"key": "DeletionCandidateOfClusterAutoscaler",
                                       "effect": "PreferNoSchedule"}]),
            node("claimed"), node("kept"),
            {"apiVersion": "karpenter.sh/v1", "kind": "NodeClaim", "status": {"nodeName": "claimed"},
             "metadata": {"name": "claim", "finalizers": ["karpenter.sh/termination"]}},
            {"apiVersion": "karpenter.sh/v1", "kind": "NodeClaim", "status": {"nodeName": "kept"},
             "metadata": {"name": "other"}})
        cls.cluster.kubectl("delete", "nodeclaim", "claim", "--wait=false")

    @classmethod
    def put_workloads(cls):
        names = ("free", "hpa", "vpa", "vpa-off", "keda", "keda-paused", "out", "not-out", "paused", "over", "odd")
        works = {name: deployment(name, 2, space="shop") for name in names}
        asked(works["out"], "opt-out", "true")
        asked(works["not-out"], "opt-out", "false")
        asked(works["paused"], "pause-until", at(1))
        asked(works["over"], "pause-until", at(-1))
        asked(works["odd"], "pause-until", "tomorrow")
        paused = scaler("keda.sh/v1alpha1", "ScaledObject", "p", {"scaleTargetRef": {"name": "keda-paused"}})
        paused["metadata"]["annotations"] = {"autoscaling.keda.sh/paused": "true"}
        cls.cluster.apply(
            *works.values(), deployment("web", 2, space="quiet"), deployment("web", 2, space="later"),
            job("report", {}), job("queued", {"kueue.x-k8s.io/queue-name": "team"}),
            scaler("autoscaling/v2", "HorizontalPodAutoscaler", "h", ref("hpa"), minReplicas=1, maxReplicas=3),
            scaler("autoscaling.k8s.io/v1", "VerticalPodAutoscaler", "v", ref("vpa", "targetRef")),
            scaler("autoscaling.k8s.io/v1", "VerticalPodAutoscaler", "o", ref("vpa-off", "targetRef"),
                   updatePolicy={"updateMode": "Off"}),
            scaler("keda.sh/v1alpha1", "ScaledObject", "k", {"scaleTargetRef": {"name": "keda"}}), paused)
        cls.cluster.kubectl("apply", "--server-side", "--field-manager=argocd-controller", "-f", "-",
                            text=json.dumps(deployment("applied", 2, space="shop")))

    @classmethod
    def put_pods(cls):
        """Pods of one ReplicaSet each, since nobody makes them here."""
        asks = {"plain": {}, "unsafe": {"cluster-autoscaler.kubernetes.io/safe-to-evict": "false"},
                "undisrupted": {"karpenter.sh/do-not-disrupt": "true"},
                "unmoved": {"descheduler.alpha.kubernetes.io/prefer-no-eviction": ""},
                "out": {"parley.dev/opt-out": "true"}, "paused": {"parley.dev/pause-until": at(1)},
                "over": {"parley.dev/pause-until": at(-1)}}
        for name, marks in asks.items():
            made = deployment(f"pod-{name}", 1, space="shop")
            made["kind"] = "ReplicaSet"
            cls.cluster.apply(made)
            uid = json.loads(cls.cluster.kubectl("get", "rs", f"pod-{name}", "-n", "shop", "-o", "json"))[
                "metadata"]["uid"]
            cls.cluster.apply({
                "apiVersion": "v1", "kind": "Pod",
                "metadata": {"name": f"pod-{name}-1", "namespace": "shop", "annotations": marks,
                             "ownerReferences": [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "uid": uid,
                                                  "name": f"pod-{name}", "controller": True}]},
                "spec": {"nodeName": "plain", "automountServiceAccountToken": False,
                         "terminationGracePeriodSeconds": 0, "containers": [{"name": "a", "image": "none"}]}})

    def work(self, name):
        return next(w for w in self.seen["workloads"] if w["id"] == name)

    def test_nodes_that_others_empty_are_under_maintenance(self):
        marked = {n["id"] for n in self.seen["nodes"] if n["maintenance"]}
        self.assertEqual(marked, {"disrupted", "to-be-deleted", "candidate", "claimed"})
        self.assertEqual({n["id"] for n in self.seen["nodes"] if n["cordoned"]}, {"cordoned"})

    def test_replicas_and_sizes_belong_to_who_sets_them(self):
        owners = {name: (self.work(f"shop/{name}")["scale_owner"], self.work(f"shop/{name}")["size_owner"])
                  for name in ("free", "hpa", "vpa", "vpa-off", "keda", "keda-paused", "applied")}
        self.assertEqual(owners, {
            "free": ("nobody", "nobody"), "hpa": ("hpa", "nobody"), "vpa": ("nobody", "vpa"),
            "vpa-off": ("nobody", "nobody"), "keda": ("other", "nobody"), "keda-paused": ("other", "nobody"),
            "applied": ("other", "nobody")})

    def test_what_kueue_admits_and_what_opts_out_is_protected(self):
        left = {w["id"] for w in self.seen["workloads"] if w["protect"]}
        self.assertEqual(left, {"shop/job/queued", "shop/out", "shop/paused", "shop/odd", "quiet/web", "later/web",
                                "shop/bare/pod-out", "shop/bare/pod-paused"})

    def test_pods_that_ask_for_it_are_not_evicted(self):
        movable = {p["name"] for p in self.seen["pods"] if p["evictable"]}
        self.assertEqual(movable, {"pod-plain-1", "pod-over-1"})

    def test_an_opt_out_counts_from_the_next_round_and_until_it_is_taken_back(self):
        def protects(s):
            return next(w for w in s["workloads"] if w["id"] == "shop/free")["protect"]
        self.cluster.kubectl("annotate", "deployment", "free", "-n", "shop", "parley.dev/opt-out=true")
        self.live.until(protects, 20, "a workload that opted out")
        self.cluster.kubectl("annotate", "deployment", "free", "-n", "shop", "parley.dev/opt-out-")
        self.live.until(lambda s: not protects(s), 20, "a workload that takes it back")
        soon = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=6))
        self.cluster.kubectl("annotate", "namespace", "shop",
                             "parley.dev/pause-until=" + soon.strftime("%Y-%m-%dT%H:%M:%SZ"))
        self.live.until(protects, 20, "a namespace that pauses us")
        self.live.until(lambda s: not protects(s), 20, "the end of the pause")
        self.cluster.kubectl("annotate", "namespace", "shop", "parley.dev/pause-until-")


# By default a lease that is slow alone does not outweigh an eviction here.
MIGRATES = """
policy:
  evidence: {lease_slow: 0.3, lease_slow_after: 13s}
  allow:
    - {space: shop, kinds: [migrate]}
"""
# The same, where adding copies pays most.
REPLICATES = """
policy:
  evidence: {lease_slow: 0.3, lease_slow_after: 13s}
  stakes: {throttle_efficacy: 0.01, migrate_efficacy: 0.05, replicate_efficacy: 0.95, replicate_timeliness: 0.95,
           replicate_cost: 0.01}
  allow:
    - {space: shop, kinds: [replicate]}
"""


@long
class Meanwhile(unittest.TestCase):
    """Somebody else in the middle of our action, on real nodes."""

    @classmethod
    def setUpClass(cls):
        require_machine()
        cls.cluster = Cluster("real", tag="others")
        cls.addClassCleanup(cls.cluster.down)
        cls.cluster.kubectl("create", "namespace", "shop")
        token = observer(cls.cluster, "observe-metrics.yaml", "act.yaml")
        cls.folder = os.path.dirname(cls.cluster.kubeconfig)
        cls.config = kubeconfig_with(cls.cluster, token, os.path.join(cls.folder, "others.kubeconfig"))
        web = deployment("web", 6, space="shop")
        # A plan waits so long for each pod that somebody can come in between.
        web["spec"]["minReadySeconds"] = 40
        cls.cluster.apply(web)
        cls.wait_for_web()

    @classmethod
    def wait_for_web(cls):
        until(lambda: cls.web()["status"].get("availableReplicas") == 6, 180, "six pods that are available")

    def live(self, policy):
        path = os.path.join(self.folder, "others.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(policy)
        live = Live(PROGRAM, self.cluster, "--mode", "act", "--config", path, kubeconfig=self.config)
        self.addCleanup(live.close)
        live.until(lambda s: source(s, "api")["condition"] == "ok" and source(s, "metrics")["condition"] == "ok"
                   and s["round"] > 5, 60, "six rounds with both sources")
        self.begun = len(self.cluster.audited())
        return live

    def nodes(self):
        return {n["metadata"]["name"]: n for n in self.cluster.get("nodes")}

    @classmethod
    def web(cls):
        return json.loads(cls.cluster.kubectl("get", "deployment", "web", "-n", "shop", "-o", "json"))

    def pods_on(self, name):
        return [p for p in self.cluster.get("pods")
                if p["metadata"]["namespace"] == "shop" and p["spec"].get("nodeName") == name
                and "deletionTimestamp" not in p["metadata"]]

    def our_changes(self):
        """What we asked the API server to change in earnest, by its own log."""
        return [e for e in self.cluster.audited()[self.begun:]
                if e["verb"] in ("create", "update", "patch", "delete") and e["stage"] == "ResponseComplete"
                and "dryRun" not in e["requestURI"]
                and e["objectRef"]["resource"] not in ("leases", "configmaps", "events")]

    def forward(self, changes):
        """Those that do something, not those that give it back."""
        return [e for e in changes if "-undo-" not in e["auditID"]]

    def cut_off(self):
        victim = max(self.nodes(), key=lambda name: len(self.pods_on(name)))
        self.assertGreater(len(self.pods_on(victim)), 1)
        self.addCleanup(self.put_right, victim)
        self.cluster.command("node", "partition", victim)
        return victim

    def put_right(self, victim):
        self.cluster.command("node", "heal", victim)
        self.cluster.kubectl("uncordon", victim)
        done = subprocess.run([PROGRAM, "release", "--kubeconfig", self.config, "--all"], capture_output=True,
                              text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.cluster.kubectl("wait", "--for=condition=Ready", f"node/{victim}", "--timeout=60s")
        self.cluster.kubectl("scale", "deployment", "web", "-n", "shop", "--replicas=6")
        self.wait_for_web()
        self.cluster.kubectl("delete", "configmap", "parley-ledger", "-n", "parley-system", check=False)

    def comes(self, live, holds, what, seconds=90):
        try:
            return until(holds, seconds, what)
        except AssertionError as late:
            said = [live.ask("why", *more).stdout for more in ((), ("--round", "20"))]
            raise AssertionError("\n".join([str(late), *said, live.said()])) from None

    def tainted(self, victim):
        return "parley.dev/quarantine" in [t["key"] for t in self.nodes()[victim]["spec"].get("taints", [])]

    def marked(self, item):
        return [k for k in item["metadata"].get("annotations", {}) if k.startswith("parley.dev/")]

    def steps_back(self, live, victim, begun, sentence):
        """After somebody's change: what was ours is given back, nothing else is sent for 15 s, and it is said."""
        self.comes(live, lambda: not self.tainted(victim) and not self.marked(self.nodes()[victim]),
                   "a node without marks of ours", 60)
        time.sleep(15)
        after = self.our_changes()[begun:]
        self.assertEqual([e["auditID"] for e in self.forward(after)], [], "nothing more is done")
        conflicts = [e for e in self.our_changes() if e["responseStatus"]["code"] == 409]
        self.assertLessEqual(len(conflicts), 1, conflicts)
        self.cluster.command("node", "heal", victim)
        self.cluster.kubectl("uncordon", victim)
        newest = live.newest()["round"]  # The last one in which something was wrong with it.
        live.until(lambda s: s["round"] > newest + 2, 20, "rounds after that")
        self.assertEqual(live.stop()[0], 0)
        self.assertIn(sentence, live.ask("why", "--node", victim).stdout + live.ask("why").stdout)
        why_not = live.ask("why-not", f"migrate:{victim}", "--round", str(newest)).stdout
        self.assertRegex(why_not, "rests for another|under maintenance|was cordoned|opt-in|has opted out|protected")
        self.assertEqual(live.ask("replay").returncode, 0)

    def in_the_middle_of_a_migration(self):
        live = self.live(MIGRATES)
        victim = self.cut_off()
        there = len(self.pods_on(victim))
        self.comes(live, lambda: len(self.pods_on(victim)) < there, "a first eviction")
        self.assertGreater(len(self.pods_on(victim)), 0, "it is not over yet")
        return live, victim

    def in_the_middle_of_adding_copies(self):
        live = self.live(REPLICATES)
        victim = self.cut_off()
        self.comes(live, lambda: self.web()["spec"]["replicas"] > 6, "more replicas")
        return live, victim

    def test_a_cordon_ends_a_migration(self):
        live, victim = self.in_the_middle_of_a_migration()
        begun = len(self.our_changes())
        self.cluster.kubectl("cordon", victim)
        self.steps_back(live, victim, begun, f"stepped back: {victim} was cordoned by somebody else")

    def test_a_drain_ends_a_migration(self):
        live, victim = self.in_the_middle_of_a_migration()
        begun = len(self.our_changes())
        # Pods of a node that is cut off stay Terminating, so it does not end.
        self.cluster.kubectl("drain", victim, "--ignore-daemonsets", "--delete-emptydir-data", "--force",
                             "--timeout=3s", check=False)
        self.steps_back(live, victim, begun, f"stepped back: {victim} was cordoned by somebody else")

    def test_who_takes_our_taint_away_ends_a_migration(self):
        live, victim = self.in_the_middle_of_a_migration()
        begun = len(self.our_changes())
        self.cluster.kubectl("taint", "node", victim, "parley.dev/quarantine-")
        self.steps_back(live, victim, begun, f"stepped back: our taint on {victim} was taken away")

    def test_who_edits_our_mark_away_ends_a_migration(self):
        live, victim = self.in_the_middle_of_a_migration()
        begun = len(self.our_changes())
        self.cluster.kubectl("annotate", "node", victim, "parley.dev/decision-", "parley.dev/expires-",
                             "parley.dev/kind-", "parley.dev/changes-")
        self.steps_back(live, victim, begun, f"stepped back: our mark on {victim} was removed or replaced")

    def test_kubectl_scale_has_the_last_word(self):
        live, victim = self.in_the_middle_of_adding_copies()
        begun = len(self.our_changes())
        self.cluster.kubectl("scale", "deployment", "web", "-n", "shop", "--replicas=9")
        self.steps_back(live, victim, begun, "stepped back: shop/web wants 9 replicas, not the")
        self.assertEqual(self.web()["spec"]["replicas"], 9)
        self.assertEqual(self.marked(self.web()), [])

    def test_an_opt_out_in_the_middle_counts(self):
        live, victim = self.in_the_middle_of_adding_copies()
        begun = len(self.our_changes())
        self.cluster.kubectl("annotate", "namespace", "shop", "parley.dev/opt-out=true")
        self.addCleanup(self.cluster.kubectl, "annotate", "namespace", "shop", "parley.dev/opt-out-")
        self.steps_back(live, victim, begun, "stepped back: shop/web has been protected meanwhile")
        self.assertEqual(self.web()["spec"]["replicas"], 6, "what was still ours was given back")

    def test_who_puts_things_back_every_second_is_not_fought(self):
        over = threading.Event()

        def put_back():
            while not over.wait(1):
                self.cluster.kubectl("scale", "deployment", "web", "-n", "shop", "--replicas=6", check=False)
                for name, item in self.nodes().items():
                    taints = [t for t in item["spec"].get("taints", []) if not t["key"].startswith("parley.dev/")]
                    if len(taints) != len(item["spec"].get("taints", [])):
                        self.cluster.kubectl("patch", "node", name, "--type=merge", "-p",
                                             json.dumps({"spec": {"taints": taints}}), check=False)
        live = self.live(REPLICATES)
        applier = threading.Thread(target=put_back)
        applier.start()
        self.addCleanup(applier.join)
        self.addCleanup(over.set)
        victim = self.cut_off()
        self.comes(live, lambda: self.forward(self.our_changes()), "a first step")
        self.comes(live, lambda: any("-undo-" in e["auditID"] for e in self.our_changes()), "giving back")
        begun = len(self.our_changes())
        self.steps_back(live, victim, begun, "stepped back: ")
        over.set()
        done = self.forward(self.our_changes())
        for about in ("nodes", "deployments"):
            sent = [e["requestURI"].split("?")[0] for e in done if e["objectRef"]["resource"] == about]
            # A mark and what it is for, once each; one conflict may have been tried again.
            self.assertLessEqual(len(sent), 3, sent)
        self.assertEqual(self.web()["spec"]["replicas"], 6)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
