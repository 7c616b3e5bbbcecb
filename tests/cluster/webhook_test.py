#!/usr/bin/env python3
"""The webhook of mode act on a real API server, by the rights of deploy/rbac alone and behind the fence: new
Jobs are held where and as long as the order says; whatever becomes of the process, Jobs are created; its
certificates are replaced without one failed request.

Usage: tests/cluster/webhook_test.py PROGRAM [unittest arguments]
"""

import base64
import json
import os
import re
import socket
import ssl
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from acting import ModeAct
from fence_world import DECISION, mark
from kit import MUTATING, ROOT, from_now, job, long, until

PROGRAM = ""
POLICY = """
policy:
  allow:
    - {space: batch, kinds: [migrate]}
"""
# A namespace for every reason to hold a Job or not; orders name all but `unnamed`.
SPACES = {"batch": ["admission"], "unnamed": ["admission"], "unlabelled": []}
HOOK = "parley-queue"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Webhook(ModeAct):
    @classmethod
    def setUpClass(cls):
        cls.start(PROGRAM, "api", *MUTATING, tag="hook", spaces=SPACES, roles=("act.yaml", "act-webhook.yaml"))
        cls.policy = cls.write("act.yaml", POLICY)
        cls.made = 0

    def setUp(self):
        # A stop stands in both, and would hold for the next test too.
        self.cluster.kubectl("delete", "configmap", "parley-ledger", "parley-stop", "-n", "parley-system",
                             "--ignore-not-found")
        self.order("admit", 0)
        self.failed = self.passed_over()
        super().setUp()

    def live(self, *options):
        """Beside a dead leader's lease the next one waits, up to 15 s."""
        self.port = free_port()
        live = super().live("--listen", "off", "--webhook", f"127.0.0.1:{self.port}", *options)
        try:
            until(lambda: f":{self.port}/" in self.asked_at(), 60, "a registered webhook")
        except AssertionError as late:
            raise AssertionError(f"{late}\n{live.said()}") from None
        time.sleep(1)  # The API server hears of it by a watch.
        return live

    def registered(self):
        """Our configuration, or None."""
        return self.cluster.find("mutatingwebhookconfiguration", HOOK)

    def asked_at(self):
        found = self.registered()
        return found["webhooks"][0]["clientConfig"].get("url", "") if found else ""

    def order(self, mode, seconds, spaces="batch,unlabelled"):
        self.cluster.apply({"apiVersion": "v1", "kind": "ConfigMap",
                            "metadata": {"name": "parley-admission", "namespace": "parley-system",
                                         "labels": {"app.kubernetes.io/managed-by": "parley"}},
                            "data": {"mode": mode, "decision": DECISION, "until": from_now(seconds), "spaces": spaces,
                                     "why": "a test"}})

    def create(self, space="batch", **more):
        """A new Job as the API server answers, before anybody can have changed it again."""
        Webhook.made += 1
        new = job(f"job-{Webhook.made}", space, **more)
        return json.loads(self.cluster.kubectl("create", "-f", "-", "-o", "json", text=json.dumps(new)))

    def held(self, *words, **more):
        return self.create(*words, **more)["spec"].get("suspend", False)

    def expiry(self):
        """Until when a new Job is held; empty: it is not."""
        return self.create()["metadata"].get("annotations", {}).get("parley.dev/expires", "")

    def shakes_hands(self, bundle):
        """Whether whoever trusts this, and nobody else, trusts the webhook now."""
        trust = ssl.create_default_context(cadata=base64.b64decode(bundle).decode())
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as plain:
            with trust.wrap_socket(plain, server_hostname="127.0.0.1"):
                return True

    def passed_over(self):
        """How many requests the API server went on with because we failed, by its own count."""
        text = self.cluster.kubectl("get", "--raw", "/metrics")
        return sum(int(float(n)) for n in re.findall(
            r'^apiserver_admission_webhook_fail_open_count\{[^}]*queue\.parley\.dev[^}]*\} (\S+)$', text, re.M))

    def test_jobs_are_held_where_and_as_long_as_the_order_says(self):
        live = self.live()
        self.assertFalse(self.held(), "there is no order")
        self.order("queue", 600)
        until(self.held, 10, "a Job that is held")
        held = self.create(meta={"annotations": {"team": "blue"}})
        self.assertTrue(held["spec"]["suspend"])
        said = held["metadata"]["annotations"]
        self.assertEqual(said, {"team": "blue", **mark("suspend: 0 > 1", "admission", said.get("parley.dev/expires"))})
        self.assertFalse(self.held("unnamed"), "the order does not name it")
        self.assertFalse(self.held("unlabelled"), "its owner has not allowed it")
        for name, more in (("Kueue's", {"meta": {"labels": {"kueue.x-k8s.io/queue-name": "q"}}}),
                           ("another manager's", {"managedBy": "example.org/other"})):
            self.assertFalse(self.held(**more), name)
        own = self.create(suspend=True)
        self.assertNotIn("annotations", own["metadata"], "its owner has suspended it")
        self.order("queue", 8)
        until(lambda: self.expiry() not in ("", said["parley.dev/expires"]), 8, "the new order")
        until(lambda: not self.held(), 15, "the end of the order")
        self.assertEqual(self.passed_over(), self.failed)
        self.assertEqual(live.stop()[0], 0)
        self.assertIsNone(self.registered(), "taken away at the end")
        ids = [e["auditID"] for e in self.our_changes()
               if e["objectRef"]["resource"] == "mutatingwebhookconfigurations"]
        self.assertGreaterEqual(len(ids), 2)
        self.assertEqual(len(ids), len(set(ids)))
        self.assertTrue(all(i.startswith("parley-webhook-") for i in ids), ids)

    def test_jobs_are_put_last_only_by_a_class_that_exists(self):
        live = self.live()
        self.order("deprioritize", 600)
        time.sleep(5)

        def name():
            return self.create()["spec"]["template"]["spec"].get("priorityClassName", "")
        self.assertEqual(name(), "", "no pod of such a Job would ever be created")
        path = os.path.join(ROOT, "deploy", "admission", "priority-class.yaml")
        self.cluster.kubectl("apply", "-f", path)
        self.addCleanup(self.cluster.kubectl, "delete", "-f", path)
        until(lambda: name() == "parley-batch", 10, "a Job that is put last")
        last = self.create()
        self.assertFalse(last["spec"].get("suspend", False))
        self.assertNotIn("parley.dev/changes", last["metadata"]["annotations"])
        self.assertEqual(self.passed_over(), self.failed)
        self.assertEqual(live.stop()[0], 0)

    def test_a_dead_process_stops_no_job_and_its_successor_is_asked(self):
        first = self.live()
        self.order("queue", 600)
        until(self.held, 10, "a Job that is held")
        first.process.kill()
        first.process.communicate()
        self.assertIsNotNone(self.registered(), "nobody took it away")
        for _ in range(3):
            begun = time.monotonic()
            self.assertFalse(self.held())
            self.assertLess(time.monotonic() - begun, 3)
        second = self.live()
        until(self.held, 10, "a Job that the successor holds")
        self.assertEqual(second.stop()[0], 0)

    def test_a_stop_holds_no_more_jobs(self):
        live = self.live()
        self.order("queue", 600)
        until(self.held, 10, "a Job that is held")
        done = subprocess.run([PROGRAM, "stop", live.run], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        until(lambda: not self.held(), 10, "a Job that is not held")
        self.assertEqual(live.stop()[0], 0)

    def test_certificates_are_replaced_without_a_failed_request(self):
        live = self.live("--webhook-certificate-lasts", "16s")
        self.order("queue", 600)
        until(self.held, 10, "a Job that is held")
        bundles, jobs = set(), 0
        end = time.monotonic() + 40
        while time.monotonic() < end:
            self.assertTrue(self.held(), f"after {jobs} Jobs")
            jobs += 1
            bundle = self.registered()["webhooks"][0]["clientConfig"]["caBundle"]
            self.assertTrue(self.shakes_hands(bundle))
            bundles.add(bundle)
        self.assertEqual(self.passed_over(), self.failed)
        several = max(base64.b64decode(each).count(b"BEGIN CERTIFICATE") for each in bundles)
        self.assertGreaterEqual(len(bundles), 4)
        self.assertIn(several, (2, 3))
        self.assertEqual(live.stop()[0], 0)
        print(f"  {jobs} Jobs held under {len(bundles)} bundles", flush=True)

    @long
    def test_where_the_policy_is_installed_nobody_is_asked(self):
        path = os.path.join(ROOT, "deploy", "admission", "queue-beta.yaml")
        live = self.live()
        self.cluster.kubectl("apply", "-f", path)
        self.addCleanup(self.cluster.kubectl, "delete", "-f", path)
        until(lambda: self.registered() is None, 60, "a webhook that stepped aside")
        self.assertEqual(live.stop()[0], 0)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
