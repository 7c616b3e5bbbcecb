#!/usr/bin/env python3
"""`parley live` beside pods that come and go by the thousand: it lists them while they change, ends
as a fresh list, and does not grow.

Pods and changes: 3,000 and 5,000; in `make check-all` 10,000 and 100,000.

Usage: tests/cluster/churn_test.py PROGRAM [unittest arguments]
"""

import http.client
import json
import os
import queue
import re
import ssl
import sys
import threading
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from kit import ALL, Cluster, Live, pods_listed, pods_shown, require_machine, source

PROGRAM = ""
# So that resident memory is memory in use: freed memory is returned, and there is one heap.
os.environ.update(MALLOC_ARENA_MAX="1", MALLOC_TRIM_THRESHOLD_="65536",
                  MALLOC_MMAP_THRESHOLD_="65536")
PODS = 10_000 if ALL else 3_000
NODES = 100
OWNERS = 50
CHANGES = 100_000 if ALL else 5_000
BATCH = 250  # Pods that are deleted by one request.
GROWTH_MB = 8  # Growth of resident memory from the sixth tenth to the end: a heap has holes.


def node(i):
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": f"node-{i}"},
            "status": {"allocatable": {"cpu": "64", "memory": "256Gi", "pods": "500"}}}


def replica_set(i):
    labels = {"app": f"app-{i}"}
    return {"apiVersion": "apps/v1", "kind": "ReplicaSet",
            "metadata": {"name": f"app-{i}", "namespace": "default"},
            "spec": {"replicas": PODS // OWNERS, "selector": {"matchLabels": labels},
                     "template": {"metadata": {"labels": labels}, "spec": {
                         "containers": [{"name": "a", "image": "none"}]}}}}


def tail(i):
    """Five characters, as of a generated name."""
    out = ""
    for _ in range(5):
        i, digit = divmod(i, 36)
        out = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + out
    return out


def pod(i, owners):
    """As a ReplicaSet creates them, but already bound, since there is no scheduler."""
    name = f"app-{i % OWNERS}"
    return json.dumps({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": f"{name}-{tail(i)}", "generateName": f"{name}-",
                     "namespace": "default", "labels": {"app": name, "batch": str(i // BATCH)},
                     "ownerReferences": [{"apiVersion": "apps/v1", "kind": "ReplicaSet",
                                          "name": name, "uid": owners[name],
                                          "controller": True}]},
        "spec": {"nodeName": f"node-{i % NODES}", "terminationGracePeriodSeconds": 0,
                 "automountServiceAccountToken": False,
                 "containers": [{"name": "a", "image": "none", "resources": {
                     "requests": {"cpu": "10m", "memory": "16Mi"}}}]}}).encode()


class Writers:
    """A few connections to the API server that send requests as fast as it answers."""

    def __init__(self, facts, owners, count=8):
        self.owners = owners  # Name -> uid.
        self.host, port = re.match(r"https://([^:/]+):?(\d*)", facts["server"]).groups()
        self.port = int(port or 443)
        self.context = ssl.create_default_context(cafile=facts["ca"])
        self.context.load_cert_chain(facts["client_certificate"], facts["client_key"])
        self.todo = queue.Queue(1000)
        self.failed = None
        self.threads = [threading.Thread(target=self._work, daemon=True) for _ in range(count)]
        for thread in self.threads:
            thread.start()

    def _work(self):
        to = http.client.HTTPSConnection(self.host, self.port, context=self.context, timeout=60)
        while (job := self.todo.get()) is not None:
            try:
                method, path, body = job
                to.request(method, path, body, {"Content-Type": "application/json"})
                answer = to.getresponse()
                said = answer.read()
                if answer.status >= 400:
                    raise AssertionError(f"{method} {path}: {answer.status} {said[:300]}")
            except Exception as error:  # pylint: disable=broad-except
                self.failed = self.failed or error
            finally:
                self.todo.task_done()
        to.close()

    def create(self, i):
        self.todo.put(("POST", "/api/v1/namespaces/default/pods",
                       pod(i, self.owners)))

    def delete_batch(self, number):
        self.todo.put(("DELETE", "/api/v1/namespaces/default/pods?gracePeriodSeconds=0&"
                       f"labelSelector=batch%3D{number}", None))

    def finish(self):
        self.todo.join()
        if self.failed is not None:
            raise AssertionError(f"a change failed: {self.failed}")

    def close(self):
        for _ in self.threads:
            self.todo.put(None)
        for thread in self.threads:
            thread.join(60)


def resident_mb(pid):
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        return int(re.search(r"VmRSS:\s+(\d+) kB", file.read()).group(1)) / 1024


class Memory:
    """Samples a process ten times a second; parts end where they are marked."""

    def __init__(self, pid):
        self.parts = []
        self.part = []
        self.pid = pid
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._look, daemon=True)
        self.thread.start()

    def _look(self):
        while not self.over.wait(0.1):
            self.part.append(resident_mb(self.pid))

    def mark(self):
        self.part, done = [], self.part
        self.parts.append(done or [resident_mb(self.pid)])

    def stop(self):
        self.over.set()
        self.thread.join()


def flat(parts):
    """The minimum of the last two tenths is hardly more than that of the sixth and seventh: what is
    not given back adds up, what is fetched once does not. Before that, on a busy machine, it still
    grows to its size: 49 MB, then 61 for as long as it was tried."""
    early = min(min(each) for each in parts[5:7])
    late = min(min(each) for each in parts[8:])
    return late < early + GROWTH_MB


class Churn(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        require_machine()
        cls.cluster = Cluster("api")
        cls.addClassCleanup(cls.cluster.down)
        cls.cluster.kubectl("create", "namespace", "kube-node-lease", check=False)
        cls.cluster.apply(*[node(i) for i in range(NODES)],
                          *[replica_set(i) for i in range(OWNERS)])
        owners = {each["metadata"]["name"]: each["metadata"]["uid"]
                  for each in cls.cluster.get("replicasets")}
        cls.writers = Writers(cls.cluster.facts, owners)
        cls.addClassCleanup(cls.writers.close)

    def change(self, count, oldest, newest):
        """Deletes and creates this many pods, keeping their number; returns the new bounds."""
        for _ in range(count // (2 * BATCH)):
            self.writers.delete_batch(oldest // BATCH)
            oldest += BATCH
            for _ in range(BATCH):
                self.writers.create(newest)
                newest += 1
        return oldest, newest

    def test_thousands_of_pods_that_churn_are_followed_in_flat_memory(self):
        begun = time.monotonic()
        for i in range(PODS):
            self.writers.create(i)
        self.writers.finish()
        print(f"  {PODS} pods created in {time.monotonic() - begun:.0f} s", flush=True)

        # Started while they change, so that the first list is of a moving target. A round
        # writes 15 MB of trace.
        begun = time.monotonic()
        live = Live(PROGRAM, self.cluster, "--verify-every", "10s",
                    interval="5s" if ALL else "2s")
        self.addCleanup(live.close)
        memory = Memory(live.process.pid)
        self.addCleanup(memory.stop)
        ends = (0, PODS)
        for _ in range(10):
            ends = self.change(CHANGES // 10, *ends)
            self.writers.finish()
            memory.mark()
        took = time.monotonic() - begun

        listed = pods_listed(self.cluster.get("pods"))
        self.assertEqual(len(listed), PODS)
        seen = live.until(lambda s: source(s, "api")["condition"] == "ok" and
                          pods_shown(s) == listed, 90, "a snapshot like kubectl's")
        print(f"  {CHANGES} changes in {took:.0f} s ({CHANGES / took:.0f} a second), "
              f"{seen['round']} rounds; resident MB, least and most of each tenth: "
              f"{', '.join(f'{min(each):.0f}-{max(each):.0f}' for each in memory.parts)}",
              flush=True)
        self.assertTrue(flat(memory.parts), "it grows")


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
