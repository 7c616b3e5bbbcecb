"""The `real` profile: real kubelets, real containers, real measurements."""

import json
import os
import subprocess
import time
import unittest
import urllib.parse

from support import ALL, PROGRAM, ClusterTest, long, need_programs, need_real_nodes

from parley_testbed import cgroups, images, leftovers
from parley_testbed.api import fetch


def setUpModule():
    need_real_nodes()
    need_programs("real")
    subprocess.run([PROGRAM, "build", "real"], check=True, timeout=3600)


def pod(name, node, command, image=images.BUSYBOX, **spec):
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "labels": {"app": name}},
            "spec": {"nodeName": node, "terminationGracePeriodSeconds": 1,
                     "containers": [{"name": "main", "image": image, "command": command,
                                     "resources": {"requests": {"cpu": "50m", "memory": "32Mi"}}}],
                     **spec}}


class Real(ClusterTest):
    """The tests share a cluster and run in the order of their names; the last takes it down."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        done = subprocess.run([PROGRAM, "--dir", cls.root, "up", "--profile", "real", "--name",
                               "real", "-o", "json"], capture_output=True, text=True, timeout=600,
                              check=False)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        cls.cluster = json.loads(done.stdout)
        print(f"           three real nodes, metrics-server and Prometheus in "
              f"{cls.cluster['took_s']} s", flush=True)

    def run_pod(self, *arguments, **keywords):
        value = pod(*arguments, **keywords)
        self.kubectl(self.cluster, "apply", "-f", "-", content=json.dumps(value))
        self.eventually(lambda: self.phase_of(value["metadata"]["name"]) == "Running", 60,
                        f"pod {value['metadata']['name']} running")

    def phase_of(self, name):
        return self.kubectl(self.cluster, "get", "pod", name, "--ignore-not-found", "-o",
                            "jsonpath={.status.phase}")

    def is_ready(self, name):
        text = self.kubectl(self.cluster, "get", "node", name, "-o", "json")
        return any(c["type"] == "Ready" and c["status"] == "True"
                   for c in json.loads(text)["status"]["conditions"])

    def usage(self):
        """Millicores that each node uses, by metrics-server."""
        text = self.kubectl(self.cluster, "top", "nodes", "--no-headers")
        return {line.split()[0]: int(line.split()[1].rstrip("m")) for line in text.splitlines()}

    def ask(self, query):
        url = f"{self.cluster['prometheus']}/api/v1/query?" + urllib.parse.urlencode(
            {"query": query})
        return json.loads(fetch(url, timeout_s=10))["data"]["result"]

    def test_1_three_nodes_are_ready(self):
        self.assertTrue(all(self.is_ready(n["name"]) for n in self.cluster["nodes"]))
        text = self.kubectl(self.cluster, "get", "nodes", "-o", "json")
        millicores = [n["status"]["allocatable"]["cpu"] for n in json.loads(text)["items"]]
        total = sum(int(m[:-1]) if m.endswith("m") else int(m) * 1000 for m in millicores)
        self.assertLessEqual(total, os.cpu_count() * 1000)

    @long
    def test_2_a_pod_that_burns_shows_on_its_own_node_only(self):
        self.run_pod("burner", "node-b", ["sh", "-c", "while :; do :; done"])
        burning = lambda: (used := self.usage()).get("node-b", 0) > 300 and used
        used = self.eventually(burning, 90, "node-b showing what its pod burns")
        self.assertLess(used["node-a"] + used["node-c"], used["node-b"], used)
        query = "sum by (node) (rate(node_cpu_usage_seconds_total[30s]))"
        cores = lambda: {r["metric"]["node"]: float(r["value"][1]) for r in self.ask(query)}
        same = lambda: (seen := cores()).get("node-b", 0) > 0.2 and seen
        seen = self.eventually(same, 60, "Prometheus showing the same")
        self.assertLess(seen["node-a"] + seen["node-c"], seen["node-b"], seen)
        self.kubectl(self.cluster, "delete", "pod", "burner", "--wait=false")

    def test_3_prometheus_scrapes_every_job_of_every_node(self):
        up = lambda: len([r for r in self.ask("up") if r["value"][1] == "1"]) == 12
        self.eventually(up, 60, "all twelve targets up")
        names = {r["metric"]["nodename"] for r in self.ask("node_uname_info")}
        self.assertEqual(names, {"node-a", "node-b", "node-c"})

    def test_4_pods_reach_each_other_the_api_server_and_give_logs(self):
        self.run_pod("server", "node-a", ["sh", "-c", "mkdir -p /www; echo hello >/www/index.html;"
                                          "echo started; exec httpd -f -p 8080 -h /www"])
        address = self.kubectl(self.cluster, "get", "pod", "server", "-o",
                               "jsonpath={.status.podIP}")
        self.run_pod("client", "node-c", ["sleep", "3600"])
        script = (f"timeout 5 wget -q -O - http://{address}:8080/ && "
                  "nc -w 5 $KUBERNETES_SERVICE_HOST $KUBERNETES_SERVICE_PORT </dev/null "
                  "&& echo api && cut -c 1-3 /var/run/secrets/kubernetes.io/serviceaccount/token")
        text = self.kubectl(self.cluster, "exec", "client", "--", "sh", "-c", script)
        self.assertEqual(text.split(), ["hello", "api", "eyJ"])
        self.assertEqual(self.kubectl(self.cluster, "logs", "server"), "started\n")
        self.kubectl(self.cluster, "delete", "pod", "server", "client", "--wait=false")

    def test_5_an_image_is_given_to_all_nodes(self):
        file = os.path.join(self.root, "image.tar")
        images.write_image(file, "testbed.local/other:2",
                           [{"name": "sh", "content": images.content_of("/bin/busybox")}], {})
        self.call_testbed("image", "import", file, "--name", "real")
        os.remove(file)
        self.run_pod("other", "node-b", ["/sh", "sleep", "3600"], image="testbed.local/other:2")
        self.kubectl(self.cluster, "delete", "pod", "other", "--wait=false")

    def test_6_a_resize_changes_the_running_container(self):
        self.run_pod("resized", "node-a", ["sleep", "3600"])
        patch = {"spec": {"containers": [{"name": "main",
                                          "resources": {"requests": {"cpu": "70m"}}}]}}
        self.kubectl(self.cluster, "patch", "pod", "resized", "--subresource", "resize",
                     "--patch", json.dumps(patch))
        path = "jsonpath={.status.containerStatuses[0].resources.requests.cpu}"
        self.eventually(lambda: self.kubectl(self.cluster, "get", "pod", "resized", "-o",
                                             path) == "70m", 30, "the resize")
        self.kubectl(self.cluster, "delete", "pod", "resized", "--wait=false")

    def test_7_a_node_that_is_cut_off_or_without_power_is_not_ready_and_heals(self):
        for cut, mend in (("partition", "heal"), ("kill", "start"))[:2 if ALL else 1]:
            begin = time.monotonic()
            self.call_testbed("node", cut, "node-c", "--name", "real")
            self.eventually(lambda: not self.is_ready("node-c"), 60, f"NotReady after {cut}")
            print(f"           NotReady {time.monotonic() - begin:.1f} s after {cut}", flush=True)
            begin = time.monotonic()
            self.call_testbed("node", mend, "node-c", "--name", "real")
            self.eventually(lambda: self.is_ready("node-c"), 60, f"Ready after {mend}")
            print(f"           Ready {time.monotonic() - begin:.1f} s after {mend}", flush=True)
        # What happens to one node is not felt by the others.
        text = self.kubectl(self.cluster, "get", "events", "-A", "--field-selector",
                            "reason=NodeNotReady,involvedObject.kind=Node", "-o", "json")
        self.assertEqual({e["involvedObject"]["name"] for e in json.loads(text)["items"]},
                         {"node-c"})
        self.run_pod("after", "node-c", ["sleep", "3600"])

    def test_8_down_with_pods_running_leaves_nothing(self):
        begin = time.monotonic()
        self.call_testbed("down", "--name", "real")
        print(f"           down in {time.monotonic() - begin:.1f} s", flush=True)
        self.assert_nothing_left()

    @long
    def test_9_one_killed_while_its_nodes_start_is_cleaned(self):
        for wanted in ("node-a", "node-c", "metrics-server"):
            child = subprocess.Popen([PROGRAM, "--dir", self.root, "up", "--profile", "real",
                                      "--name", "killed"], stdout=subprocess.DEVNULL,
                                     stderr=subprocess.DEVNULL)
            self.addCleanup(child.kill)  # Else it goes on starting what is to be taken down.
            record = f"{self.root}/killed/processes/{wanted}.json"
            self.eventually(lambda: os.path.exists(record), 180, f"start of {wanted}")
            child.kill()
            child.wait(timeout=30)
            self.call_testbed("up", "--profile", "api", "--name", "next")
            self.call_testbed("down", "--name", "next")
            self.assert_nothing_left()


class Leftovers(ClusterTest):
    def test_what_a_lost_cluster_left_is_listed(self):
        """A test of the search itself: one that found nothing would always be content."""
        subprocess.run(["ip", "link", "add", "parley-br31", "type", "bridge"], check=True)
        folder = os.path.join(cgroups.controllers()[0].path, "parley-31-node-a")
        os.mkdir(folder)
        try:
            text = self.call_testbed("leftovers", status=1, output="stdout")
            self.assertRegex(text, "link +parley-br31\n")
            self.assertRegex(text, f"cgroup +{folder}\n")
            lines = leftovers.differences(self.before, leftovers.machine(self.root))
            self.assertIn(f"cgroups: new: {folder}", lines)
            self.assertTrue(any("network: new:" in li and "parley-br31" in li for li in lines))
        finally:
            os.rmdir(folder)
            subprocess.run(["ip", "link", "delete", "parley-br31"], check=True)
        self.assert_nothing_left()


if __name__ == "__main__":
    unittest.main()
