#!/usr/bin/env python3
"""The fence of deploy/fence and the policies of deploy/admission on a real API server: whatever the account
of mode act tries beyond mode act is refused, also if it has every right; what mode act does passes with
the rights of deploy/rbac alone, and needs each of them; orders to new Jobs hold, say why and end by themselves.

Usage: tests/cluster/fence_test.py PROGRAM [unittest arguments]
"""

import datetime
import os
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from fence_attacks import ALLOWED, ATTACKS, BY_RELEASE, CAP, LEADER, LEDGER
from fence_attacks import MUTATING as MUTATING_POLICY
from fence_attacks import OF_THE_WEBHOOK, ORDER, READ, WORKER
from fence_world import (APPS, COST, DECISION, JOBS, MERGE, NODES, QUARANTINE, SPACES, Seen, config, create, job,
                         lease, mark, objects, pod, pods, quota, space, workload)
from kit import MUTATING, ROOT, Client, Cluster, from_now, observer, require_machine, until
from rbac_test import kubeconfig_with
from rights import documents, forbidden, roles_in, unused_rules

PROGRAM = ""
DEPLOY = os.path.join(ROOT, "deploy")
USER = "system:serviceaccount:parley-system:"
BARRED = ("kube-system", "parley-system")
WHY = "12 Jobs wait for 40 free cores"


def moment(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def request_of(entry, seen):
    return entry(seen) if callable(entry) else entry


class OnOneCluster(unittest.TestCase):
    """All classes have one API server, which outlives them, and somebody with every right who is not ours."""

    cluster = None

    @classmethod
    def setUpClass(cls):
        require_machine()
        if OnOneCluster.cluster is None:
            cluster = OnOneCluster.cluster = Cluster("api", *MUTATING, tag="f")
            unittest.addModuleCleanup(cluster.down)
            cluster.kubectl("create", "serviceaccount", "somebody", "-n", "default")
            OnOneCluster.somebody = cls.all_powerful("default", "somebody")
            OnOneCluster.seen = Seen(cls.somebody)

    @classmethod
    def all_powerful(cls, space, account):
        cls.cluster.kubectl("create", "clusterrolebinding", "all-" + account, "--clusterrole=cluster-admin",
                            f"--serviceaccount={space}:{account}")
        client = Client(cls.cluster, cls.cluster.kubectl("create", "token", account, "-n", space).strip())
        until(lambda: client.send("GET", "/api/v1/secrets")[0] == 200, 30, "every right")
        return client

    @classmethod
    def apply(cls, *path):
        cls.cluster.kubectl("apply", "-f", os.path.join(DEPLOY, *path))


class Fenced(OnOneCluster):
    """The fence, what is behind it, and clients of both accounts."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        observer(cls.cluster, "act.yaml")
        for path in (("fence", "fence.yaml"), ("admission", "priority-class.yaml"), ("admission", "reject.yaml"),
                     ("admission", "release-cronjob.yaml")):
            cls.apply(*path)
        create(cls.somebody, *[space(name, labels) for name, labels in SPACES.items()])
        for name in BARRED:  # A label does not help.
            cls.cluster.kubectl("label", "namespace", name, "parley.dev/act=allowed", "--overwrite")
        create(cls.somebody, *objects())
        # The API server gives a new node a taint, and nobody takes it away here.
        cls.somebody.send("PATCH", NODES + "bare", {"spec": {"taints": None}}, MERGE)
        cls.ours, cls.release = cls.client("parley-observer"), cls.client("parley-release")
        until(lambda: cls.ours.send("PATCH", WORKER + "?dryRun=All", {"metadata": {"labels": {"x": "y"}}},
                                    MERGE)[0] == 403, 30, "a fence that stands")

    @classmethod
    def client(cls, account, *options):
        token = cls.cluster.kubectl("create", "token", account, "-n", "parley-system", *options).strip()
        return Client(cls.cluster, token)


class Fence(Fenced):
    def refuses_all(self, account, attacks):
        """Rights are not what refuses them."""
        client = self.all_powerful("parley-system", account)
        self.addCleanup(self.cluster.kubectl, "delete", "clusterrolebinding", "all-" + account)
        for name, request, says in attacks:
            with self.subTest(name):
                code, answer = client.send(*request_of(request, self.seen))
                said = answer.get("message", "")
                self.assertEqual(code, 403, said)
                self.assertIn("ValidatingAdmissionPolicy 'parley-fence'", said)
                self.assertIn(says, said)
        print(f"  {len(attacks)} attacks", flush=True)
        return client

    def test_what_is_not_of_mode_act_is_refused_whatever_the_rights(self):
        before = {path: self.seen.read(path)["metadata"]["resourceVersion"] for path in (WORKER, pods())}
        client = self.refuses_all("parley-observer", ATTACKS)
        for path, version in before.items():
            self.assertEqual(self.seen.read(path)["metadata"]["resourceVersion"], version)
        self.passes_all(client, OF_THE_WEBHOOK)

    def test_who_gives_back_does_nothing_else(self):
        self.refuses_all("parley-release", BY_RELEASE)

    def test_a_quota_does_not_fall_below_what_is_used(self):
        create(self.somebody, quota())
        self.addCleanup(self.cluster.kubectl, "delete", "resourcequota", "parley-batch-cap", "-n", "shop",
                        "--ignore-not-found")
        self.cluster.kubectl("patch", "resourcequota", "parley-batch-cap", "-n", "shop", "--subresource=status",
                             "--type=merge", "-p", '{"status":{"used":{"count/jobs.batch":"4"}}}')
        for jobs, want in (("3", 403), ("4", 200)):
            code, answer = self.ours.send(*self.seen.replace(CAP, quota(hard={"count/jobs.batch": jobs})))
            self.assertEqual(code, want, answer.get("message"))

    def test_what_mode_act_does_passes_with_the_rights_of_its_role_and_needs_each(self):
        begun = len(self.cluster.audited())
        self.passes_all(self.ours, ALLOWED)
        for path in READ:
            self.assertEqual(self.ours.send("GET", path)[0], 200, path)
        for version in ("v1", "v1beta1"):
            self.assertIn(self.ours.send("GET", MUTATING_POLICY.format(version))[0], (200, 404))
        events = self.events(begun, "parley-observer")
        self.assertEqual(forbidden(events), [])
        for role in roles_in(self.cluster, "rbac", "act.yaml"):
            self.assertEqual(unused_rules(events, role), [], "granted, but needed by none of the requests")
        print(f"  {len(ALLOWED)} requests of mode act", flush=True)

    def passes_all(self, client, requests):
        for name, request in requests:
            with self.subTest(name):
                code, answer = client.send(*request_of(request, self.seen))
                self.assertIn(code, (200, 201), answer.get("message"))

    def events(self, begun, account):
        """The requests of an account since then; the log may be a moment late."""
        time.sleep(1)
        return [e for e in self.cluster.audited()[begun:] if e["user"]["username"] == USER + account]

    def test_the_role_cannot_take_the_fence_away(self):
        """No policy is asked about policies, so that rights alone protect them."""
        group = "/apis/admissionregistration.k8s.io/v1/"
        for kind in ("validatingadmissionpolicies", "validatingadmissionpolicybindings"):
            for client in (self.ours, self.release):
                self.assertEqual(client.send("DELETE", f"{group}{kind}/parley-fence")[0], 403)

    def test_nobody_else_is_touched(self):
        code, answer = self.somebody.send("PATCH", WORKER + "?dryRun=All", {"spec": {"unschedulable": True}}, MERGE)
        self.assertEqual(code, 200, answer.get("message"))

    def test_a_namespace_that_loses_its_label_is_acted_in_no_more_but_given_back(self):
        create(self.somebody, space("once", {"parley.dev/act": "allowed"}), workload("Deployment", "web", 4, "once"))
        path = APPS.format("once") + "deployments/web"
        self.assertEqual(self.ours.send(*self.seen.annotate(path, mark("replicas: 3 > 4", "scale")))[0], 200)
        self.cluster.kubectl("label", "namespace", "once", "parley.dev/act-")
        until(lambda: self.ours.send(*self.seen.scale(path, 4))[0] == 403, 10, "an end of acting")
        self.assertEqual(self.release.send(*self.seen.scale(path, 3))[0], 200)

    def test_parley_release_gives_back_all_that_has_expired_by_its_own_rights(self):
        past = "2020-01-01T00:00:00Z"
        worn = node_with_ours()
        worn["metadata"]["annotations"] = mark("taint: none > no_schedule", expires=past)
        shrunk = workload("Deployment", "worn", 5)
        shrunk["metadata"]["annotations"] = mark("replicas: 4 > 5", "replicate", past)
        stateful = workload("StatefulSet", "worn", 5)
        stateful["metadata"]["annotations"] = mark("replicas: 4 > 5", "scale", past)
        small = pod("worn")
        small["metadata"]["annotations"] = {
            COST: "-1000", **mark("cpu_limit_m main: 2000 > 1000; deletion_cost: 0 > -1000", "throttle", past)}
        waits = job("worn", suspend=True, annotations=mark("suspend: 0 > 1", "admission", past))
        create(self.somebody, worn, shrunk, stateful, small, waits)
        begun = len(self.cluster.audited())
        folder = os.path.dirname(self.cluster.kubeconfig)
        access = kubeconfig_with(self.cluster, self.release.token, os.path.join(folder, "release.kubeconfig"))
        done = subprocess.run([PROGRAM, "release", "--expired", "--kubeconfig", access], capture_output=True, text=True,
                              timeout=60)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        taints = self.seen.read(NODES + "worn")["spec"].get("taints", [])
        self.assertNotIn(QUARANTINE, [t["key"] for t in taints])
        for kind in ("deployments", "statefulsets"):
            given = self.seen.read(APPS.format("shop") + kind + "/worn")
            self.assertEqual(given["spec"]["replicas"], 4)
            self.assertNotIn("parley.dev/decision", given["metadata"].get("annotations", {}))
        given = self.seen.read(pods(name="worn"))
        self.assertEqual(given["spec"]["containers"][0]["resources"]["limits"]["cpu"], "2")
        self.assertEqual(given["metadata"].get("annotations", {}), {})
        self.assertFalse(self.seen.read(JOBS.format("shop") + "/worn")["spec"]["suspend"])
        events = self.events(begun, "parley-release")
        self.assertEqual(forbidden(events), [])
        role = roles_in(self.cluster, "admission", "release-cronjob.yaml")[0]
        # The command does not look for the cap of batch work yet.
        unused = [u for u in unused_rules(events, role) if u.split()[1] != "resourcequotas"]
        self.assertEqual(unused, [])


def node_with_ours():
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "worn"},
            "spec": {"taints": [{"key": QUARANTINE, "effect": "NoSchedule"}]}}


class Leader(Fenced):
    """Only the pod that holds the Lease acts."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        create(cls.somebody, *[pod(name, "parley-system", serviceAccountName="parley-observer")
                               for name in ("parley-a", "parley-b")])
        cls.pods = {name: cls.client("parley-observer", "--bound-object-kind=Pod", f"--bound-object-name={name}")
                    for name in ("parley-a", "parley-b")}
        # It is not deleted: an API server would follow no Lease after that.
        cls.apply("fence", "fence-leader.yaml")
        cls.hold("")
        until(lambda: cls.tries(cls.pods["parley-a"])[0] != 200, 30, "a second fence")

    @classmethod
    def hold(cls, holder):
        cls.cluster.apply(lease("parley-leader", holder=holder))

    @classmethod
    def tries(cls, client):
        code, answer = client.send("PATCH", WORKER + "?dryRun=All", {"metadata": {"annotations": mark("")}}, MERGE)
        return code, answer.get("message", "")

    def passes(self, name, holds):
        self.hold(holds)
        until(lambda: self.tries(self.pods[name])[0] == 200, 10, f"{name} that leads")

    def test_the_holder_acts_and_when_another_holds_it_does_not(self):
        self.passes("parley-a", "parley-a_1_77")
        code, said = self.tries(self.pods["parley-b"])
        self.assertEqual(code, 403)
        self.assertIn("pod parley-b does not lead: the Lease parley-leader is held by parley-a", said)
        self.passes("parley-b", "parley-b_1_78")
        create(self.somebody, config("parley-ledger"))
        for request in (self.seen.annotate(pods(), mark("")), self.seen.replace(LEDGER, config("parley-ledger")),
                        self.seen.scale(APPS.format("shop") + "deployments/web", 1)):
            code, answer = self.pods["parley-a"].send(*request)
            self.assertIn("'parley-fence-leader'", answer.get("message", ""), request)
            self.assertEqual(code, 403)

    def test_a_name_that_only_begins_alike_does_not_lead(self):
        self.passes("parley-b", "parley-b_1_1")
        self.hold("parley-a2_1_77")
        until(lambda: "held by parley-a2" in self.tries(self.pods["parley-a"])[1], 10, "another holder")

    def test_nobody_acts_while_nobody_holds_it(self):
        self.passes("parley-a", "parley-a_1_77")
        self.cluster.kubectl("delete", "lease", "parley-leader", "-n", "parley-system")
        until(lambda: "no params found" in self.tries(self.pods["parley-a"])[1], 10, "a refusal without a Lease")
        self.hold("")
        until(lambda: "is held by nobody" in self.tries(self.pods["parley-a"])[1], 10, "a Lease of nobody")

    def test_a_token_of_no_pod_never_acts(self):
        self.passes("parley-a", "parley-a_1_77")
        code, said = self.tries(self.ours)
        self.assertEqual(code, 403)
        self.assertIn("bound to no pod", said)

    def test_who_does_not_lead_may_take_the_lease_and_give_back(self):
        self.passes("parley-a", "parley-a_1_77")
        theirs = lease("parley-leader", holder="parley-b_1_9")
        code, answer = self.pods["parley-b"].send(*self.seen.replace(LEADER, theirs))
        self.assertEqual(code, 200, answer.get("message"))
        self.assertEqual(self.release.send(*self.seen.scale(APPS.format("shop") + "deployments/web", 1))[0], 200)


class Orders(OnOneCluster):
    """What the policies of deploy/admission do with new Jobs; no process of ours runs."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        observer(cls.cluster)
        cls.apply("admission", "priority-class.yaml")
        cls.apply("admission", "reject.yaml")
        allowed = {"parley.dev/admission": "allowed"}
        create(cls.somebody, space("batch", allowed), space("spared", allowed), space("quiet", {}))
        served = {each["name"] for each in cls.seen.read("/apis/admissionregistration.k8s.io/v1")["resources"]}
        cls.stable = "mutatingadmissionpolicies" in served
        cls.mutates = cls.stable or cls.serves_beta()
        if cls.mutates:
            cls.apply("admission", "queue.yaml" if cls.stable else "queue-beta.yaml")

    @classmethod
    def serves_beta(cls):
        code, served = cls.somebody.send("GET", "/apis/admissionregistration.k8s.io/v1beta1")
        return code == 200 and any(each["name"] == "mutatingadmissionpolicies" for each in served["resources"])

    def order(self, mode, seconds=3600, spaces="batch,quiet,kube-system,parley-system"):
        text = from_now(seconds)
        order = config("parley-admission")
        order["data"] = {"mode": mode, "until": text, "decision": DECISION, "spaces": spaces, "why": WHY}
        create(self.somebody, config("parley-admission"))
        self.somebody.send("PUT", ORDER, order)
        self.addCleanup(self.somebody.send, "DELETE", ORDER)
        return text

    def submit(self, space="batch", dry_run=True, **job_of):
        """What the API server makes of a new Job, and what it says."""
        path = JOBS.format(space) + ("?dryRun=All" if dry_run else "")
        return self.somebody.send("POST", path, job("tried" if dry_run else "there", space, **job_of))

    def test_a_rejected_job_is_told_why_and_until_when_and_the_order_ends_by_itself(self):
        text = self.order("reject", 6)
        code, answer = until(lambda: self.submit() if self.submit()[0] == 403 else None, 5, "a refusal")
        self.assertIn(f"Parley refuses new Jobs in batch until {text}: {WHY} (decision {DECISION})", answer["message"])
        self.assertEqual(answer["reason"], "Forbidden")
        self.assertNotIn("retryAfterSeconds", answer.get("details", {}))
        for other in ("spared", "quiet", "kube-system", "parley-system"):
            self.assertEqual(self.submit(other)[0], 201, f"{other} is not named, or not labelled, or barred")
        time.sleep(max(0, moment(text) - time.time()))
        self.assertEqual(self.submit()[0], 201, "nobody has lifted it")

    def test_a_job_that_exists_and_a_pod_are_not_asked_about(self):
        code, answer = self.submit(dry_run=False)
        self.assertEqual(code, 201, answer.get("message"))
        self.order("reject")
        until(lambda: self.submit()[0] == 403, 5, "a refusal")
        path = f"{JOBS.format('batch')}/{answer['metadata']['name']}"
        change = {"metadata": {"annotations": {"x": "y"}}, "spec": {"suspend": True}}
        self.assertEqual(self.somebody.send("PATCH", path, change, MERGE)[0], 200)
        create(self.somebody, pod("alone", "batch"))

    def test_an_order_that_cannot_be_read_refuses_nobody(self):
        self.order("reject")
        until(lambda: self.submit()[0] == 403, 5, "a refusal")
        for data in ({"until": "tomorrow"}, {"until": None}, {"spaces": None}, {"mode": "rejects"}, {"mode": "admit"}):
            self.order("reject")
            until(lambda: self.submit()[0] == 403, 5, "a refusal again")
            self.somebody.send("PATCH", ORDER, {"data": data}, MERGE)
            until(lambda: self.submit()[0] == 201, 5, f"admission with {data}")
        self.somebody.send("DELETE", ORDER)
        until(lambda: self.submit()[0] == 201, 5, "admission without an order")

    def need_mutation(self):
        if not self.mutates:
            self.skipTest("this Kubernetes serves no MutatingAdmissionPolicy here")

    def comes(self, holds, mode, **job_of):
        """The first Job that is made so."""
        def made():
            code, answer = self.submit(**job_of)
            self.assertEqual(code, 201, answer.get("message"))
            return answer if holds(answer) else None
        return until(made, 15, f"a Job as {mode} makes it")

    def plain(self, answer):
        self.assertFalse(answer["spec"].get("suspend"))
        self.assertNotIn("priorityClassName", answer["spec"]["template"]["spec"])
        self.assertEqual([k for k in answer["metadata"].get("annotations", {}) if k.startswith("parley.dev/")], [])

    def test_a_queued_job_is_suspended_and_marked_and_what_is_anothers_is_left_alone(self):
        self.need_mutation()
        text = self.order("queue")
        answer = self.comes(lambda a: a["spec"].get("suspend"), "queue")
        self.assertEqual(answer["metadata"]["annotations"], mark("suspend: 0 > 1", "admission", text))
        owner = {"apiVersion": "batch/v1", "kind": "CronJob", "name": "x", "controller": True,
                 "uid": "00000000-0000-0000-0000-000000000001"}
        self.assertTrue(self.submit(ownerReferences=[owner])[1]["spec"]["suspend"], "a CronJob's Job is a new one")
        self.assertTrue(self.submit(annotations={"x": "y"})[1]["spec"]["suspend"])
        other = {**owner, "kind": "JobSet", "apiVersion": "jobset.x-k8s.io/v1alpha2"}
        for left in ({"labels": {"kueue.x-k8s.io/queue-name": "q"}}, {"ownerReferences": [other]}):
            self.plain(self.submit(**left)[1])
        theirs = self.submit(suspend=True)[1]
        self.assertNotIn("parley.dev/decision", theirs["metadata"].get("annotations", {}))
        for space_ in ("spared", "quiet", "kube-system", "parley-system"):
            self.plain(self.submit(space_)[1])

    def test_a_queue_ends_by_itself_to_the_second(self):
        self.need_mutation()
        text = self.order("queue", 5)
        self.comes(lambda a: a["spec"].get("suspend"), "queue")
        time.sleep(max(0, moment(text) - time.time()))
        self.plain(self.submit()[1])

    def test_times_that_a_client_makes_up_do_not_prolong_it(self):
        self.need_mutation()
        self.order("queue", -60)
        time.sleep(1)
        old = {"manager": "x", "operation": "Update", "apiVersion": "batch/v1", "time": "2020-01-01T00:00:00Z",
               "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {"f:suspend": {}}}}
        for meta in ({}, {"managedFields": [old]}, {"creationTimestamp": "2020-01-01T00:00:00Z"}):
            self.plain(self.submit(**meta)[1])

    def test_a_deprioritized_job_comes_last_unless_it_says_otherwise(self):
        self.need_mutation()
        text = self.order("deprioritize")
        answer = self.comes(lambda a: a["spec"]["template"]["spec"].get("priorityClassName"), "deprioritize")
        self.assertEqual(answer["spec"]["template"]["spec"]["priorityClassName"], "parley-batch")
        self.assertFalse(answer["spec"].get("suspend"))
        want = mark("", "admission", text)
        del want["parley.dev/changes"]
        self.assertEqual(answer["metadata"]["annotations"], want)
        named = self.submit(pod={"priorityClassName": "high"})[1]
        self.assertEqual(named["spec"]["template"]["spec"]["priorityClassName"], "high")
        self.assertNotIn("parley.dev/decision", named["metadata"].get("annotations", {}))

    def test_the_two_files_differ_in_their_version_alone(self):
        texts = []
        for name in ("queue.yaml", "queue-beta.yaml"):
            with open(os.path.join(DEPLOY, "admission", name), encoding="utf-8") as file:
                texts.append(file.read())
        self.assertEqual(texts[0].replace("apiVersion: admissionregistration.k8s.io/v1\n",
                                          "apiVersion: admissionregistration.k8s.io/v1beta1\n"), texts[1])

    def test_the_release_runs_as_its_own_account_each_minute(self):
        cron = [d for d in documents(self.cluster, "admission", "release-cronjob.yaml") if d["kind"] == "CronJob"][0]
        spec = cron["spec"]["jobTemplate"]["spec"]["template"]["spec"]
        self.assertEqual((cron["spec"]["schedule"], cron["spec"]["concurrencyPolicy"], spec["serviceAccountName"],
                          spec["containers"][0]["args"]), ("* * * * *", "Forbid", "parley-release",
                                                           ["release", "--expired"]))


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
