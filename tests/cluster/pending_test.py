#!/usr/bin/env python3
"""Why pods wait, as `parley live` says it and as the real scheduler says it: every cause at once on
one cluster, and then the end of some of them.

Usage: tests/cluster/pending_test.py PROGRAM [unittest arguments]
"""

import json
import os
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from kit import (Cluster, Live, deployment, pause_image, pods_listed, pods_shown, require_machine,
                 source)

PROGRAM = ""


def pod(name, pool=None, requests=None, labels=None, ports=None, claim=None, **spec):
    container = {"name": "a", "image": pause_image(), "resources": {"requests": requests or {}}}
    if requests and any("/" in resource for resource in requests):
        container["resources"]["limits"] = requests
    if ports:
        container["ports"] = ports
    if claim:
        spec["volumes"] = [{"name": "v", "persistentVolumeClaim": {"claimName": claim}}]
    if pool:
        spec["nodeSelector"] = {"pool": pool}
    return {"apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": name, "namespace": "default", "labels": labels or {"app": name}},
            "spec": {"terminationGracePeriodSeconds": 0, "containers": [container], **spec}}


def node_affinity(key, value):
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {
        "nodeSelectorTerms": [{"matchExpressions": [
            {"key": key, "operator": "In", "values": [value]}]}]}}}


def pod_affinity(kind, app):
    return {kind: {"requiredDuringSchedulingIgnoredDuringExecution": [
        {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {"app": app}}}]}}


def claim(name, **spec):
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim",
            "metadata": {"name": name, "namespace": "default"},
            "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "",
                     "resources": {"requests": {"storage": "1Gi"}}, **spec}}


def device(name, claimed):
    """A pod that claims a device by the name of a ResourceClaim."""
    item = pod(name, "a", resourceClaims=[{"name": "d", "resourceClaimName": claimed}])
    item["spec"]["containers"][0]["resources"]["claims"] = [{"name": "d"}]
    return item


# No node has a device of this class.
DEVICES = [
    {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass",
     "metadata": {"name": "none.example.com"},
     "spec": {"selectors": [{"cel": {"expression": "device.driver == 'none.example.com'"}}]}},
    {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim",
     "metadata": {"name": "device", "namespace": "default"},
     "spec": {"devices": {"requests": [
         {"name": "d", "exactly": {"deviceClassName": "none.example.com"}}]}}},
]

FAR_VOLUME = {
    "apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "far"},
    "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"],
             "storageClassName": "", "claimRef": {"namespace": "default", "name": "far"},
             "local": {"path": "/far"}, "nodeAffinity": {"required": node_affinity(
                 "kubernetes.io/hostname", "elsewhere")["nodeAffinity"][
                     "requiredDuringSchedulingIgnoredDuringExecution"]}}}

SPREAD = [{"maxSkew": 1, "topologyKey": "kubernetes.io/hostname",
           "whenUnsatisfiable": "DoNotSchedule", "nodeAffinityPolicy": "Ignore",
           "labelSelector": {"matchLabels": {"app": "evenly"}}}]

PORT = [{"containerPort": 80, "hostPort": 8080}]

# They run in pool a, and keep others out.
SETTLED = [
    pod("first", "a", labels={"app": "first"}),
    pod("loner", "a", labels={"app": "loner"}, affinity=pod_affinity("podAntiAffinity", "guest")),
    pod("evenly-1", "a", labels={"app": "evenly"}),
    pod("port-1", "a", ports=PORT),
]

# What is created, the causes that Parley must find, and words of the scheduler's own message.
WAITING = [
    (pod("cpu", "a", requests={"cpu": "65"}), {"cpu", "impossible"},
     "Insufficient cpu"),
    (pod("memory", "a", requests={"memory": "300Gi"}), {"memory", "impossible"},
     "Insufficient memory"),
    (pod("both", "a", requests={"cpu": "65", "memory": "300Gi"}), {"cpu", "memory", "impossible"},
     "Insufficient"),
    (pod("gpu", "a", requests={"example.com/gpu": "1"}), {"resource"},
     "Insufficient example.com/gpu"),
    (pod("disk", "a", requests={"ephemeral-storage": "2Ti"}), {"resource"},
     "Insufficient ephemeral-storage"),
    (pod("selector", "nowhere"), {"selector", "impossible"}, "node affinity/selector"),
    (pod("affinity", affinity=node_affinity("disk", "ssd")), {"affinity", "impossible"},
     "node affinity/selector"),
    (pod("taint", "tainted"), {"taint"}, "untolerated taint"),
    (pod("cordon", "cordoned"), {"taint"}, "unschedulable"),
    (pod("full", "full"), {"pods", "impossible"}, "Too many pods"),
    (pod("no-claim", claim="missing"), {"volume"}, '"missing" not found'),
    (pod("unbound", claim="unbound"), {"volume"}, "unbound immediate PersistentVolumeClaims"),
    (pod("far", "a", claim="far"), {"volume"}, "PersistentVolume's node affinity"),
    (pod("scratch", "a", volumes=[{"name": "v", "ephemeral": {"volumeClaimTemplate": {
        "spec": claim("unused")["spec"]}}}]), {"volume"},
     "unbound immediate PersistentVolumeClaims"),
    (device("no-device", "absent"), {"claim"}, None),
    (device("device", "device"), {"claim"}, "cannot allocate all claims"),
    (pod("near", "a", affinity=pod_affinity("podAffinity", "nobody")), {"affinity"},
     "pod affinity rules"),
    (pod("apart", "a", affinity=pod_affinity("podAntiAffinity", "first")), {"affinity"},
     "anti-affinity rules"),
    (pod("guest", "a", labels={"app": "guest"}), {"affinity"},
     "existing pods anti-affinity rules"),
    (pod("evenly-2", "a", labels={"app": "evenly"}, topologySpreadConstraints=SPREAD),
     {"affinity"}, "topology spread"),
    (pod("port-2", "a", ports=PORT), {"port"}, "free ports"),
    (pod("gate", schedulingGates=[{"name": "example.com/later"}]), {"other_gate"},
     "SchedulingGated"),
    (pod("held", schedulingGates=[{"name": "parley.dev/admission"}]), {"our_hold"},
     "SchedulingGated"),
    (pod("scheduler", schedulerName="another"), {"other_scheduler"}, None),
]


def said(item):
    """What the scheduler says about a pod; empty: nothing."""
    for each in item["status"].get("conditions", []):
        if each["type"] == "PodScheduled" and each["status"] == "False":
            return each.get("message", "") + " " + each.get("reason", "")
    return ""


class Pending(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        require_machine()
        cls.cluster = cluster = Cluster("scale", "--nodes", "5", "--pods", "0")
        cls.addClassCleanup(cluster.down)
        cls.nodes = sorted(each["metadata"]["name"] for each in cluster.get("nodes"))
        for name, pool in zip(cls.nodes, ("a", "tainted", "cordoned", "full", "crowded")):
            cluster.kubectl("label", "node", name, f"pool={pool}")
        cluster.kubectl("taint", "node", cls.nodes[1], "example.com/mine=yes:NoSchedule")
        cluster.kubectl("taint", "node", cls.nodes[4], "example.com/crowded=yes:NoSchedule")
        cluster.kubectl("cordon", cls.nodes[2])
        cluster.kubectl("patch", "node", cls.nodes[3], "--subresource=status", "-p",
                        json.dumps({"status": {"allocatable": {"pods": "0"}}}))
        cls.live = Live(PROGRAM, cluster)
        cls.addClassCleanup(cls.live.close)

    def items(self):
        return {each["metadata"]["name"]: each for each in self.cluster.get("pods")
                if each["metadata"]["namespace"] == "default"}

    def bound(self, names, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            items = self.items()
            if all(items[name]["spec"].get("nodeName") for name in names):
                return
            time.sleep(0.5)
        raise AssertionError(f"not all of {names} were bound: "
                             f"{[said(items[name]) for name in names]}")

    def waits_for(self, snapshot, name):
        for each in snapshot["pods"]:
            if each["name"] == name and each["space"] == "default":
                return set(each["waits_for"])
        return None

    def test_each_cause_is_the_schedulers(self):
        self.cluster.apply(*SETTLED, *DEVICES, FAR_VOLUME, claim("unbound"),
                           claim("far", volumeName="far"))
        self.bound([each["metadata"]["name"] for each in SETTLED])
        self.cluster.apply(*[each for each, _, _ in WAITING])
        end = time.monotonic() + 60
        for each, causes, words in WAITING:
            name = each["metadata"]["name"]
            with self.subTest(name):
                while words is not None and words not in said(self.items()[name]) and \
                        time.monotonic() < end:
                    time.sleep(0.5)
                message = said(self.items()[name])
                self.assertIn(words or "", message)
                seen = self.live.until(lambda s: self.waits_for(s, name) == causes, 20,
                                       f"{name} to wait for {causes} ({message})")
                self.assertEqual(source(seen, "api")["condition"], "ok")
        self.relieved()

    def relieved(self):
        """Some causes end, and no pod is said to wait for them any more."""
        self.cluster.kubectl("uncordon", self.nodes[2])
        self.cluster.kubectl("taint", "node", self.nodes[1], "example.com/mine-")
        self.cluster.kubectl("delete", "pod", "first", "--now")
        self.cluster.kubectl("patch", "pod", "gate", "--type=json", "-p",
                             '[{"op":"remove","path":"/spec/schedulingGates"}]')
        self.bound(["cordon", "taint", "apart", "gate"])
        seen = self.live.until(
            lambda s: pods_shown(s) == pods_listed(self.cluster.get("pods")), 30,
            "a snapshot like kubectl's")
        for name in ("cordon", "taint", "apart", "gate"):
            self.assertEqual(self.waits_for(seen, name), set(), name)

    def test_one_that_waits_for_its_victim_waits_for_cpu(self):
        tolerates = {"tolerations": [{"operator": "Exists"}]}
        priority = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "value": 1000,
                    "metadata": {"name": "urgent"}}
        victim = pod("victim", "crowded", {"cpu": "60"}, **tolerates)
        victim["metadata"]["finalizers"] = ["example.com/hold"]
        self.cluster.apply(priority, victim)
        self.addCleanup(self.cluster.kubectl, "patch", "pod", "victim", "--type=merge", "-p",
                        '{"metadata":{"finalizers":null}}', check=False)
        self.bound(["victim"])
        self.cluster.apply(pod("urgent", "crowded", {"cpu": "60"}, priorityClassName="urgent",
                               **tolerates))
        self.live.until(lambda s: self.waits_for(s, "urgent") == {"cpu"}, 30, "a wait for cpu")
        end = time.monotonic() + 30
        while not self.items()["urgent"]["status"].get("nominatedNodeName") and \
                time.monotonic() < end:
            time.sleep(0.5)
        self.assertEqual(self.items()["urgent"]["status"].get("nominatedNodeName"), self.nodes[4])
        self.cluster.kubectl("patch", "pod", "victim", "--type=merge", "-p",
                             '{"metadata":{"finalizers":null}}')
        self.bound(["urgent"])
        self.live.until(lambda s: self.waits_for(s, "urgent") == set(), 30, "the end of its wait")

    def test_pods_that_a_quota_keeps_from_being_made_are_short_of_what_is_wanted(self):
        space = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "small"}}
        quota = {"apiVersion": "v1", "kind": "ResourceQuota", "spec": {"hard": {"pods": "1"}},
                 "metadata": {"name": "one", "namespace": "small"}}
        self.cluster.apply(space, quota)
        self.cluster.apply(deployment("limited", 3, space="small"))
        def limited(snapshot):
            for row in snapshot["workloads"]:
                if row["id"] == "small/limited":
                    return row
            return None
        seen = self.live.until(lambda s: limited(s) and limited(s)["ready"] == 1, 60, "one pod")
        self.assertEqual(limited(seen)["wanted"], 3)
        self.assertEqual(limited(seen)["pending"], 0, "nobody waits who was not made")


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
