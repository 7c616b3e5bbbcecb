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

import json
import os
import sys
import threading
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from acting import MARKS, ModeAct, is_quarantined, marks_on
from kit import Cluster, Live, deployment, from_now, job, long, require_machine, until
from rbac_test import crd

PROGRAM = ""
HOUR = 3600


def node(name, annotations=None, **spec):
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "annotations": annotations or {}},
            "spec": spec}


def scaler(api, kind, name, target, **spec):
    return {"apiVersion": api, "kind": kind, "metadata": {"name": name, "namespace": "shop"},
            "spec": {**target, **spec}}


def ref(name, field="scaleTargetRef"):
    return {field: {"apiVersion": "apps/v1", "kind": "Deployment", "name": name}}


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
        cluster.apply(shop, asked(quiet, "opt-out", "true"), asked(later, "pause-until", from_now(HOUR)))
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
        asked(works["paused"], "pause-until", from_now(HOUR))
        asked(works["over"], "pause-until", from_now(-HOUR))
        asked(works["odd"], "pause-until", "tomorrow")
        paused = scaler("keda.sh/v1alpha1", "ScaledObject", "p", {"scaleTargetRef": {"name": "keda-paused"}})
        paused["metadata"]["annotations"] = {"autoscaling.keda.sh/paused": "true"}
        cls.cluster.apply(
            *works.values(), deployment("web", 2, space="quiet"), deployment("web", 2, space="later"),
            job("report", "shop"), job("queued", "shop", meta={"labels": {"kueue.x-k8s.io/queue-name": "team"}}),
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
                "out": {"parley.dev/opt-out": "true"}, "paused": {"parley.dev/pause-until": from_now(HOUR)},
                "over": {"parley.dev/pause-until": from_now(-HOUR)}}
        for name, marks in asks.items():
            made = deployment(f"pod-{name}", 1, space="shop")
            made["kind"] = "ReplicaSet"
            cls.cluster.apply(made)
            uid = cls.cluster.find("rs", f"pod-{name}", "shop")["metadata"]["uid"]
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
        self.cluster.kubectl("annotate", "namespace", "shop", "parley.dev/pause-until=" + from_now(15))
        self.live.until(protects, 20, "a namespace that pauses us")
        self.live.until(lambda s: not protects(s), 60, "the end of the pause")
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
# A pod is ready only once this condition holds, which the tests alone set: so a plan that waits for ready pods
# waits as long as a test needs to come in between.
GATE = "shop.example.org/open"


@long
class Meanwhile(ModeAct):
    """Somebody else in the middle of our action, on real nodes."""

    @classmethod
    def setUpClass(cls):
        cls.start(PROGRAM, "real", tag="others", spaces={"shop": ["act"]})
        cls.migrates, cls.replicates = cls.write("migrates.yaml", MIGRATES), cls.write("replicates.yaml", REPLICATES)
        cls.cluster.apply(deployment("web", 6, space="shop", readinessGates=[{"conditionType": GATE}]))
        cls.open_web()

    @classmethod
    def web(cls):
        return cls.cluster.find("deployment", "web", "shop")

    @classmethod
    def open_web(cls):
        """Lets every pod that web has by now be ready, and waits until six are."""
        opened = json.dumps({"status": {"conditions": [{"type": GATE, "status": "True"}]}})

        def all_open():
            for pod in cls.cluster.get("pods"):
                waits = GATE not in [c["type"] for c in pod["status"].get("conditions", [])]
                if pod["metadata"]["namespace"] == "shop" and waits:
                    cls.cluster.kubectl("patch", "pod", pod["metadata"]["name"], "-n", "shop", "--subresource=status",
                                        "-p", opened, check=False)  # It may be gone by now.
            return cls.web()["status"].get("availableReplicas") == 6

        until(all_open, 180, "six pods that are available")

    def put_right(self, victim):
        self.cluster.kubectl("uncordon", victim)
        super().put_right(victim)
        self.cluster.kubectl("scale", "deployment", "web", "-n", "shop", "--replicas=6")
        self.open_web()

    def forward(self):
        """Our changes that do something, not those that give it back or renew a mark."""
        return [e for e in self.our_changes() if "-undo-" not in e["auditID"] and not e["auditID"].endswith("-renew")]

    def in_the_middle_of_a_migration(self):
        live = self.live(policy=self.migrates)
        self.settle(live)
        victim = self.cut_off(live)
        self.comes(live, self.evicted, "a first eviction")
        self.begin_waiting(live)
        return live, victim

    def in_the_middle_of_adding_copies(self):
        live = self.live(policy=self.replicates)
        self.settle(live)
        victim = self.cut_off(live)
        self.comes(live, lambda: [e for e in self.forward() if e["objectRef"].get("subresource") == "scale"],
                   "more replicas")
        self.begin_waiting(live)
        self.assertEqual(self.web()["spec"]["replicas"], 7)
        return live, victim

    def begin_waiting(self, live):
        """The round that sent something is over when the second after it is seen: from then on the plan waits."""
        sent = live.newest()["round"]
        live.until(lambda s: s["round"] >= sent + 2, 60, "two rounds more")
        self.done = self.forward()

    def steps_back(self, live, victim, said, action, *refused):
        """After somebody's change: what was ours is given back and nothing else is done any more. `said` is what `why`
        says about it, `refused` what `why-not` says of the same action besides that the node rests."""
        self.comes(live, lambda: not is_quarantined(self.nodes()[victim]) and not marks_on(self.nodes()[victim]),
                   "a node without marks of ours", 60)
        back = live.newest()["round"]
        last = live.until(lambda s: s["round"] >= back + 15, 60, "fifteen rounds more")["round"]
        ids = [[e["auditID"] for e in changes] for changes in (self.forward(), self.done)]
        self.assertEqual(*ids, "nothing more is done")
        conflicts = [e for e in self.done if e["responseStatus"]["code"] == 409]
        self.assertLessEqual(len(conflicts), 1, conflicts)
        self.assertEqual(live.stop()[0], 0)
        self.assertIn(f"is over: stepped back: {said}", live.answer("why", "--node", victim))
        why_not = live.answer("why-not", f"{action}:{victim}", "--round", str(last))
        self.assertRegex(why_not, rf"rest: {victim} rests for another 2\dm\d\ds: somebody else changed it while we did")
        for sentence in refused:
            self.assertIn(sentence, why_not)
        self.assertEqual(live.ask("replay").returncode, 0)

    def test_while_nobody_comes_the_next_pod_stays_until_the_last_is_back(self):
        live, _ = self.in_the_middle_of_a_migration()
        self.comes(live, lambda: "waits until shop/web has 6 ready" in live.answer("why"), "a wait")
        self.assertEqual(len(self.evicted()), 1)
        self.assertEqual(live.stop()[0], 0)

    def test_a_cordon_ends_a_migration(self):
        live, victim = self.in_the_middle_of_a_migration()
        self.cluster.kubectl("cordon", victim)
        self.steps_back(live, victim, f"{victim} was cordoned by somebody else meanwhile", "migrate",
                        f"maintenance: {victim} is under maintenance by someone else")

    def test_a_drain_ends_a_migration(self):
        live, victim = self.in_the_middle_of_a_migration()
        # Pods of a node that is cut off stay Terminating, so it does not end.
        self.cluster.kubectl("drain", victim, "--ignore-daemonsets", "--delete-emptydir-data", "--force",
                             "--timeout=3s", check=False)
        self.steps_back(live, victim, f"{victim} was cordoned by somebody else meanwhile", "migrate",
                        f"maintenance: {victim} is under maintenance by someone else")

    def test_who_takes_our_taint_away_ends_a_migration(self):
        live, victim = self.in_the_middle_of_a_migration()
        self.cluster.kubectl("taint", "node", victim, "parley.dev/quarantine-")
        self.steps_back(live, victim, f"our taint on {victim} was taken away by somebody else", "migrate")

    def test_who_edits_our_mark_away_ends_a_migration(self):
        live, victim = self.in_the_middle_of_a_migration()
        self.cluster.kubectl("annotate", "node", victim, *[key + "-" for key in MARKS])
        self.steps_back(live, victim, f"our mark on {victim} was removed or replaced", "migrate")

    def test_kubectl_scale_has_the_last_word(self):
        live, victim = self.in_the_middle_of_adding_copies()
        self.cluster.kubectl("scale", "deployment", "web", "-n", "shop", "--replicas=9")
        self.steps_back(live, victim, "shop/web wants 9 replicas, not the 7 that we set", "replicate")
        self.assertEqual(self.web()["spec"]["replicas"], 9)
        self.assertEqual(marks_on(self.web()), [])

    def test_an_opt_out_in_the_middle_counts(self):
        live, victim = self.in_the_middle_of_adding_copies()
        self.cluster.kubectl("annotate", "namespace", "shop", "parley.dev/opt-out=true")
        self.addCleanup(self.cluster.kubectl, "annotate", "namespace", "shop", "parley.dev/opt-out-")
        self.steps_back(live, victim, "shop/web has been protected meanwhile", "replicate",
                        f"replicable: nothing on {victim} can be replicated: shop/web is protected")
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
        live = self.live(policy=self.replicates)
        self.settle(live)
        applier = threading.Thread(target=put_back)
        applier.start()
        self.addCleanup(applier.join)
        self.addCleanup(over.set)
        victim = self.cut_off(live)
        self.comes(live, self.forward, "a first step")
        self.comes(live, lambda: any("-undo-" in e["auditID"] for e in self.our_changes()), "giving back")
        self.done = self.forward()
        self.steps_back(live, victim, "shop/web wants 6 replicas, not the 7 that we set", "replicate")
        self.assertTrue(applier.is_alive(), "it went on all the time")
        over.set()
        for about in ("nodes", "deployments"):
            sent = [e["requestURI"].split("?")[0] for e in self.done if e["objectRef"]["resource"] == about]
            # A mark and what it is for, once each; one conflict may have been tried again.
            self.assertLessEqual(len(sent), 3, sent)
        self.assertEqual(self.web()["spec"]["replicas"], 6)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
