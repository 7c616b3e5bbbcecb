"""The `scale` profile: kwok nodes and pods."""

import json
import os
import subprocess
import unittest

from support import PROGRAM, ClusterTest, need_programs

NODES = int(os.environ.get("TESTBED_SCALE_NODES", "100"))
PODS = int(os.environ.get("TESTBED_SCALE_PODS", "1000"))


def setUpModule():
    need_programs("scale")
    subprocess.run([PROGRAM, "build", "scale"], check=True, timeout=3600)


class Scale(ClusterTest):
    def test_nodes_are_ready_and_pods_run(self):
        cluster = self.up("--profile", "scale", "--name", "big", "--nodes", str(NODES),
                          "--pods", str(PODS))
        print(f"           {NODES} nodes and {PODS} pods in {cluster['took_s']} s", flush=True)
        nodes = json.loads(self.kubectl(cluster, "get", "nodes", "-o", "json"))["items"]
        ready = [n for n in nodes for c in n["status"]["conditions"]
                 if c["type"] == "Ready" and c["status"] == "True"]
        self.assertEqual(len(ready), NODES)
        pods = json.loads(self.kubectl(cluster, "get", "pods", "-A", "-o", "json"))["items"]
        self.assertEqual(len([p for p in pods if p["status"]["phase"] == "Running"]), PODS)
        self.assertGreater(len({p["spec"]["nodeName"] for p in pods}), NODES / 2)
        self.call_testbed("down", "--name", "big")
        self.assert_nothing_left()

    def test_nodes_without_pods(self):
        cluster = self.up("--profile", "scale", "--name", "few", "--nodes", "3", "--pods", "0")
        names = self.kubectl(cluster, "get", "nodes", "-o", "name").split()
        self.assertEqual(names, ["node/kwok-00001", "node/kwok-00002", "node/kwok-00003"])
        self.call_testbed("down", "--name", "few")


if __name__ == "__main__":
    unittest.main()
