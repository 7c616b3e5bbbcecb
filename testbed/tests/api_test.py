"""The `api` profile, and what holds for every profile: cleaning, killing, side by side."""

import glob
import json
import os
import signal
import subprocess
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

from support import ALL, PROGRAM, ClusterTest, long, need_programs

from parley_testbed import parts, process, state

UP_LIMIT_S = 60  # Usually 3 to 6; a machine at work on something else gets its time.


def setUpModule():
    need_programs("api")
    subprocess.run([PROGRAM, "build", "api"], check=True, timeout=3600)


class Api(ClusterTest):
    def tearDown(self):
        self.call_testbed("down", "--all")

    def test_is_up_in_seconds_and_leaves_nothing(self):
        cluster = self.up("--profile", "api", "--name", "one")
        self.assertLess(cluster["took_s"], UP_LIMIT_S)
        print(f"           api profile ready in {cluster['took_s']} s", flush=True)
        version = json.loads(self.kubectl(cluster, "version", "-o", "json"))["serverVersion"]
        self.assertEqual(version["gitVersion"], cluster["kubernetes"])
        self.assertIn("kube-system", self.kubectl(cluster, "get", "namespaces", "-o", "name"))
        self.assertEqual(self.call_testbed("status", "--name", "one").splitlines()[0],
                         "cluster one: up, profile api")
        self.call_testbed("down", "--name", "one")
        self.assertEqual(self.call_testbed("list"), "no clusters\n")
        self.assert_nothing_left()
        self.assertEqual([n for n in os.listdir(self.root) if n.startswith("one")], [])

    def test_serves_tokens_permissions_and_an_audit_log(self):
        cluster = self.up("--name", "one")
        self.kubectl(cluster, "create", "serviceaccount", "reader")
        token = self.kubectl(cluster, "create", "token", "reader").strip()
        config = os.path.join(self.root, "token.kubeconfig")
        self.write_token_config(cluster, token, config)
        refused = subprocess.run([cluster["kubectl"], f"--kubeconfig={config}", "get", "pods"],
                                 capture_output=True, text=True, timeout=60, check=False)
        os.remove(config)
        self.assertIn("forbidden", refused.stderr)
        with open(cluster["audit_log"], encoding="utf-8") as file:
            events = [json.loads(line) for line in file]
        users = {e["user"]["username"] for e in events if e["verb"] == "list"}
        self.assertIn("system:serviceaccount:default:reader", users)
        self.assertIn("create", {e["verb"] for e in events})

    def write_token_config(self, cluster, token, path):
        value = {"apiVersion": "v1", "kind": "Config", "current-context": "x",
                 "clusters": [{"name": "x", "cluster": {"server": cluster["server"],
                                                        "certificate-authority": cluster["ca"]}}],
                 "users": [{"name": "x", "user": {"token": token}}],
                 "contexts": [{"name": "x", "context": {"cluster": "x", "user": "x"}}]}
        with open(path, "w", encoding="utf-8") as file:
            json.dump(value, file)

    def test_two_run_side_by_side(self):
        with ThreadPoolExecutor(2) as pool:  # Also while both of them start.
            one, two = pool.map(lambda name: self.up("--name", name), ("one", "two"))
        self.assertNotEqual(one["server"], two["server"])
        self.kubectl(one, "create", "namespace", "only-here")
        self.assertNotIn("only-here", self.kubectl(two, "get", "namespaces", "-o", "name"))
        self.call_testbed("down", "--name", "one")
        self.kubectl(two, "get", "namespaces")

    def test_a_second_one_of_the_same_name_is_refused(self):
        cluster = self.up("--name", "one")
        text = self.call_testbed("up", "--name", "one", status=1)
        self.assertIn('a cluster called "one" is up already', text)
        self.kubectl(cluster, "get", "namespaces")

    def test_what_a_killed_testbed_leaves_is_cleaned_by_the_next(self):
        """At many moments of `up`, from before the first process to the last wait."""
        for delay_s in (0.05, 0.2, 0.4, 0.6, 0.9, 1.3, 2.0) if ALL else (0.2, 1.3):
            self.kill_during_up(delay_s)
            records = glob.glob(f"{self.root}/killed/processes/*.json")
            processes = [self.process_of(path) for path in records]
            self.call_testbed("up", "--name", "other")
            self.assertFalse(os.path.exists(f"{self.root}/killed"), f"after {delay_s} s")
            self.assertFalse(any(map(process.is_alive, processes)), f"after {delay_s} s")
            self.call_testbed("down", "--name", "other")
            self.assert_nothing_left()

    def kill_during_up(self, delay_s):
        child = subprocess.Popen([PROGRAM, "--dir", self.root, "up", "--name", "killed"],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(delay_s)
        child.kill()
        child.wait(timeout=30)

    def process_of(self, path):
        value = state.read_json(path)
        return process.Process(path, value["pid"], value["start"], value["boot"])

    def test_one_whose_processes_were_all_killed_can_be_started_again(self):
        cluster = self.up("--name", "one")
        for pid in cluster["pids"].values():
            os.kill(pid, signal.SIGKILL)
        self.assertIn("dead", subprocess.run(
            [PROGRAM, "--dir", self.root, "status", "--name", "one"], capture_output=True,
            text=True, timeout=60, check=False).stdout)
        cluster = self.up("--name", "one")
        self.kubectl(cluster, "get", "namespaces")

    def test_ctrl_c_takes_back_what_was_begun(self):
        child = subprocess.Popen([PROGRAM, "--dir", self.root, "up", "--name", "one"],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.eventually(lambda: glob.glob(f"{self.root}/one/processes/*.json"), 30, "a process")
        child.send_signal(signal.SIGINT)
        _, text = child.communicate(timeout=60)
        self.assertEqual((child.returncode, text), (130, "testbed: stopped\n"))
        self.assert_nothing_left()

    def test_a_part_that_does_not_start_is_named_with_the_end_of_its_log(self):
        with open(os.path.join(self.root, "broken"), "w", encoding="ascii") as file:
            file.write("#!/bin/sh\necho this program is broken; exit 3\n")
        os.chmod(file.name, 0o755)
        code = ("import sys; sys.path.insert(0, sys.argv[1]);"
                "from parley_testbed import cli, control, parts;"
                "real = parts.find;"
                "parts.find = lambda n, m=None: sys.argv[2] if n == 'etcd' else real(n, m);"
                "sys.exit(cli.main(['--dir', sys.argv[3], 'up', '--name', 'one']))")
        done = subprocess.run(["python3", "-B", "-c", code, os.path.dirname(PROGRAM), file.name,
                               self.root], capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "(?s)error: etcd ended; .*this program is broken.*Nothing of "
                                      "the cluster is left; its logs are in .*one.failed")
        self.assert_nothing_left()
        os.remove(file.name)

    def test_the_api_server_can_be_killed_and_started(self):
        cluster = self.up("--name", "one")
        self.kubectl(cluster, "create", "namespace", "kept")
        self.call_testbed("apiserver", "kill", "--name", "one")
        self.kubectl(cluster, "get", "namespaces", status=1)
        self.call_testbed("apiserver", "start", "--name", "one")
        self.assertIn("kept", self.kubectl(cluster, "get", "namespaces", "-o", "name"))

    @long  # Those of faults go back to a plain one.
    def test_etcd_goes_back_to_a_snapshot_plain_and_with_bumped_revisions(self):
        cluster, file = self.up("--name", "one"), os.path.join(self.root, "snapshot")
        self.call_testbed("etcd", "snapshot", file, "--name", "one")
        for bump in (False, True):
            # More writes than the API server does by itself when it starts.
            items = [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {
                "name": f"more-{number}", "namespace": "default"}} for number in range(100)]
            self.kubectl(cluster, "create", "-f", "-", content=json.dumps(
                {"apiVersion": "v1", "kind": "List", "items": items}))
            self.kubectl(cluster, "create", "namespace", "later")
            before = self.version_of(cluster)
            self.call_testbed("etcd", "restore", file, "--name", "one",
                         *(["--bump-revision"] if bump else []))
            self.assertNotIn("later", self.kubectl(cluster, "get", "namespaces", "-o", "name"))
            after = self.version_of(cluster)
            self.assertTrue(after > before + 10**8 if bump else after < before, (before, after))
        os.remove(file)

    def version_of(self, cluster):
        text = self.kubectl(cluster, "get", "--raw", "/api/v1/namespaces")
        return int(json.loads(text)["metadata"]["resourceVersion"])


@long  # Each minor is built from its sources first.
class Minors(ClusterTest):
    def test_runs_on_the_minors_before_and_after(self):
        for minor in parts.MINORS:
            need_programs("api", minor)
            with self.subTest(minor):
                cluster = self.up("--name", "one", "--kubernetes", minor, timeout_s=3600)
                print(f"           Kubernetes {minor} ready in {cluster['took_s']} s", flush=True)
                text = self.kubectl(cluster, "get", "--raw", "/version")
                self.assertEqual(json.loads(text)["gitVersion"], cluster["kubernetes"])
                self.assertTrue(cluster["kubernetes"].startswith(f"v{minor}."))
                self.call_testbed("down", "--name", "one")
        self.assert_nothing_left()


if __name__ == "__main__":
    unittest.main()
