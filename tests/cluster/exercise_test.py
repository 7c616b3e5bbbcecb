#!/usr/bin/env python3
"""The exerciser on a real cluster, alone and beside `live-kubernetes-run` with the flags of the
prototype, each by its effect.

Usage: tests/cluster/exercise_test.py PROGRAM [unittest arguments]
"""

import itertools
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from kit import (ALL, ROOT, Cluster, deployment, kubeconfig, lateness, long, milli, observer,
                 pause_image, require_machine)

PROGRAM = ""
OURS = "app.kubernetes.io/part-of=parley-exerciser"
SPACE = "parley-exercise"
SOON = 10  # Seconds; usually one, but a busy machine gets its time.
# What a phase leads to beside a run of the prototype's profile, in their order.
PHASES = {"idle-power-save": [], "light-dvfs": ["B dvfs"], "moderate-memory": ["B memory_balloon"],
          "safety-throttle": ["A throttle"], "safety-migrate": ["A migrate"],
          "safety-replicate": ["A replicate"], "admission-queue": ["C queue"],
          "admission-deprioritize": ["C deprioritize"], "admission-cap": ["C resource_cap"]}


class Exercise(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        require_machine()
        cls.cluster = Cluster("real")
        cls.addClassCleanup(cls.cluster.down)
        cls.numbers = itertools.count(1)

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="parley-exercise-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        # A separate one: a namespace takes long to vanish, and only its pods are in the way of others.
        self.space = f"{SPACE}-{next(self.numbers)}"
        self.audited_before = len(self.cluster.audited("parley-exerciser/"))
        self.addCleanup(self.clear)

    def clear(self):
        """Deletes the namespace and waits until its pods are gone."""
        self.cluster.kubectl("delete", "namespace", self.space, "--ignore-not-found",
                             "--wait=false")
        end = time.monotonic() + 60
        while self.cluster.kubectl("get", "pods", "-n", self.space, "-o", "name"):
            self.assertLess(time.monotonic(), end, "its pods do not go")
            time.sleep(0.2)

    def path(self, name):
        return os.path.join(self.folder, name)

    def silent_image(self):
        """An image in a registry that accepts connections and never answers: it is being pulled for
        ten seconds, and then it cannot be."""
        registry = socket.create_server(("", 0))
        self.addCleanup(registry.close)
        bridge = self.cluster.facts["nodes"][0]["address"].rsplit(".", 1)[0] + ".1"
        return f"{bridge}:{registry.getsockname()[1]}/pause:1"

    def start(self, *words, image=pause_image()):
        """A command of the program on this cluster, in the background."""
        errors = open(self.path("stderr"), "w+", encoding="utf-8")
        self.addCleanup(errors.close)
        process = subprocess.Popen(
            [PROGRAM, *words, "--kubeconfig", self.cluster.kubeconfig, "--exercise-image",
             image, "--exercise-namespace", self.space], stdout=subprocess.PIPE, stderr=errors, text=True)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.kill()
        process.wait()
        process.stdout.close()

    def run_all(self, *words, seconds=180, **how):
        """Runs it to its end; returns its output."""
        process = self.start(*words, **how)
        output, _ = process.communicate(timeout=seconds)
        with open(self.path("stderr"), encoding="utf-8") as file:
            said = file.read()
        self.assertEqual(process.returncode, 0, output + said)
        return output + said

    def deployments(self, cluster=None):
        text = (cluster or self.cluster).kubectl(
            "get", "deployments", "-n", self.space, "-l", OURS, "-o", "json")
        return json.loads(text)["items"]

    def wait_for_deployment(self, cluster=None, seconds=30):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = self.deployments(cluster)
            if found:
                return found[0]
            time.sleep(0.1)
        raise AssertionError("no Deployment came")

    def space_is_gone(self):
        """Gone, or being deleted."""
        text = self.cluster.kubectl("get", "namespace", self.space, "--ignore-not-found", "-o", "json")
        return not text or json.loads(text)["status"]["phase"] == "Terminating"

    def events(self, kind):
        with open(self.path("run/events.jsonl"), encoding="utf-8") as file:
            return [e for e in map(json.loads, file) if e["kind"] == kind]

    def test_phases_lead_to_what_they_mean_and_touch_one_namespace(self):
        """Beside a run of the prototype's profile, with the command line of the prototype: all
        nine phases, or in `make test` the first three."""
        wanted = list(PHASES)[:9 if ALL else 3]
        rounds = str(3 * len(wanted) + 3)
        calibration = self.path("watts.json")
        with open(calibration, "w", encoding="utf-8") as file:
            json.dump({"idle_w": 61.5, "cpu_w": 33.0, "source": "a meter in rack 7"}, file)
        said = self.run_all(
            "live-kubernetes-run", "--event-dir", self.path("run"), "--interval-seconds", "2",
            "--max-iterations", rounds, "--profile", "prototype", "--namespace-prefixes",
            f"{self.space},default,test-", "--trace-out", self.path("trace.jsonl"), "--trials", "3",
            "--no-policy", "--no-tune", "--power-calibration", calibration, "--exercise-cluster",
            "--exercise-interval-iterations", "3", "--lines")
        self.assertIn("ray_ppo   disabled: by --no-policy", said)
        self.assertIn("optuna    disabled: by --no-tune; --trials 3 is void", said)
        self.assertIn(f"changes namespace {self.space} of", said)
        self.assertIn(f"{rounds} rounds, complete", said)
        labels = " ".join(e["message"] for e in self.events("decision"))
        for label in (label for phase in wanted for label in PHASES[phase]):
            self.assertIn(label, labels)
        phases = [e["data"]["phase"] for e in self.events("exercise") if e.get("data")]
        self.assertEqual(list(dict.fromkeys(phases))[:len(wanted)], wanted)
        self.check_times(2.0, int(rounds))
        self.check_audit()
        self.assertTrue(self.space_is_gone())
        done = subprocess.run([PROGRAM, "replay", self.path("run")], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        clocked = next(e["round"] for e in self.events("decision") if "B dvfs" in e["message"])
        why = subprocess.run([PROGRAM, "why", self.path("run"), "--round", str(clocked)],
                             capture_output=True, text=True)
        self.assertIn("a meter in rack 7", " ".join(why.stdout.split()))

    def check_times(self, interval, rounds):
        """Rounds are a true period apart: lateness does not add up."""
        with open(self.path("trace.jsonl"), encoding="utf-8") as file:
            taken = [json.loads(line)["taken"] for line in file]
        self.assertEqual(len(taken), rounds)
        self.assertLess(lateness(taken, interval), 1.0, taken)

    def check_audit(self):
        """What the exerciser wrote is in its namespace; Parley itself only read."""
        events = self.cluster.audited("parley-exerciser/")[self.audited_before:]
        for event in events:
            about = event["objectRef"]
            self.assertEqual(about.get("namespace", about.get("name")), self.space, event)
        wrote = {e["verb"] for e in events}
        self.assertIn("create", wrote)
        read = {e["verb"] for e in self.cluster.audited("parley/")}
        self.assertLessEqual(read, {"get", "list", "watch"})

    @long
    def test_randomised_phases_come_again_with_their_seed(self):
        def phases(seed, folder):
            said = self.run_all("exercise", "--exercise-randomize", "--exercise-seed", seed,
                                "--exercise-form", "selector", "--phases", "3", "--phase", "4s")
            self.assertNotIn("FAILED", said)
            return re.findall(r": ([a-z-]+: (?:\d+ pods? of \S+ CPU and \S+|deleted))", said)

        first = phases("31", "a")
        self.assertEqual(len(first), 3, first)
        self.assertEqual(phases("31", "b"), first)
        self.assertNotEqual(phases("32", "c"), first)

    def test_what_a_killed_one_left_goes_at_the_next_start(self):
        process = self.start("exercise", "--phase", "5s")
        self.wait_for_deployment()
        process.kill()
        process.communicate()
        left = len(self.deployments())
        self.assertGreaterEqual(left, 1)
        said = self.run_all("exercise", "--phases", "1", "--phase", "1s")
        word = "Deployment" if left == 1 else "Deployments"
        self.assertIn(f"deleted {left} {word} that an exerciser before had left", said)
        self.assertTrue(self.space_is_gone())

    def test_ctrl_c_cleans_up_soon(self):
        process = self.start("live", "--event-dir", self.path("run"), "--interval", "1s", "--lines",
                             "--exercise-cluster", "--exercise-interval-iterations", "2")
        self.wait_for_deployment()
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 0, output)
        self.assertLess(time.monotonic() - begun, SOON)
        self.assertIn("cleaned up namespace", output)
        self.assertIn("stopped", output)
        self.assertTrue(self.space_is_gone())

    def test_what_others_have_in_the_namespace_stays(self):
        self.cluster.kubectl("create", "namespace", self.space)
        self.cluster.apply(deployment("theirs", 1, space=self.space))
        said = self.run_all("exercise", "--phases", "2", "--phase", "4s")
        self.assertIn("uses namespace", said)
        names = json.loads(self.cluster.kubectl("get", "deployments", "-n", self.space, "-o", "json"))
        self.assertEqual([d["metadata"]["name"] for d in names["items"]], ["theirs"])
        self.assertFalse(self.space_is_gone())

    @long
    def test_a_quota_that_lets_nothing_in_is_said(self):
        self.cluster.kubectl("create", "namespace", self.space)
        self.cluster.kubectl("create", "quota", "none", "-n", self.space, "--hard=pods=0")
        said = self.run_all("exercise", "--phases", "2", "--phase", "10s")
        self.assertIn("FAILED light-dvfs", said)
        self.assertIn("exceeded quota", said)

    @long
    def test_an_image_that_does_not_come_is_said_with_what_to_do(self):
        """First that it is being pulled, then once why it did not come, and again at the end."""
        said = self.run_all("exercise", "--phases", "2", "--phase", "18s",
                            image=self.silent_image())
        lines = [line for line in said.splitlines() if "FAILED light-dvfs" in line]
        self.assertEqual(len(lines), 3, said)
        self.assertRegex(lines[0], r"0 of \d+ run after .*: Pulling image .*--exercise-image IMAGE")
        self.assertRegex(lines[1], r"still 0 of \d+ run: (ErrImagePull|ImagePullBackOff), .*timeout"
                                   r".*--exercise-image IMAGE")
        self.assertRegex(lines[2], r"ended without its effect after .*: (ErrImagePull|"
                                   r"ImagePullBackOff), .*--exercise-image IMAGE")

    @long
    def test_beside_a_run_the_reason_is_an_event_once_for_each_phase(self):
        said = self.run_all("live", "--event-dir", self.path("run"), "--interval", "1s", "--lines",
                            "--max-iterations", "34", "--exercise-cluster",
                            "--exercise-interval-iterations", "16", image=self.silent_image())
        why = [e["message"] for e in self.events("exercise") if "light-dvfs" in e["message"]]
        self.assertEqual(len(why), 3, why)  # What was put, that it is being pulled, why not.
        self.assertIn("Pulling image", why[1])
        self.assertRegex(why[2], "ErrImagePull|ImagePullBackOff")
        self.assertIn("--exercise-image IMAGE", why[2])
        ended = [line for line in said.splitlines() if "light-dvfs ended without its effect" in line]
        self.assertEqual(len(ended), 1, said)
        self.assertIn("--exercise-image IMAGE", ended[0])

    def test_ctrl_c_ends_the_wait_for_a_namespace_that_is_being_deleted(self):
        self.cluster.kubectl("create", "namespace", self.space)
        self.cluster.apply({"apiVersion": "v1", "kind": "ConfigMap",
                            "metadata": {"name": "stays", "namespace": self.space,
                                         "finalizers": ["parley.dev/test"]}})
        self.cluster.kubectl("delete", "namespace", self.space, "--wait=false")
        process = self.start("exercise", "--phase", "5s")
        self.assertIn(f"waits for namespace {self.space}", process.stdout.readline())
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 0, output)
        self.assertLess(time.monotonic() - begun, SOON)

    @long
    def test_pods_of_others_in_the_namespace_keep_their_room(self):
        """They are not part of a phase, which would count their room as free."""
        self.cluster.kubectl("create", "namespace", self.space)
        nodes = [milli(n["status"]["allocatable"]["cpu"]) for n in self.cluster.get("nodes")]
        others = deployment("theirs", len(nodes), space=self.space, cpu=f"{min(nodes) * 3 // 4}m")
        spread = {"topologyKey": "kubernetes.io/hostname", "labelSelector":
                  {"matchLabels": others["spec"]["selector"]["matchLabels"]}}
        others["spec"]["template"]["spec"]["affinity"] = {"podAntiAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": [spread]}}
        self.cluster.apply(others)
        self.cluster.kubectl("rollout", "status", "deployment/theirs", "-n", self.space,
                             "--timeout=50s")
        said = self.run_all("exercise", "--phases", "2", "--phase", "4s")
        self.assertRegex(said, "light-dvfs: others ask for 7[0-9] % of the CPU")

    @long
    def test_the_same_phases_on_another_cluster(self):
        """An API server without controllers: the Deployment is there, its pods never come, and
        nothing of that holds up the first cluster."""
        other = Cluster("api")
        self.addCleanup(other.down)
        process = self.start("exercise", "--phases", "2", "--phase", "10s",
                             "--mirror-exercise-kubeconfig", other.kubeconfig)
        here = self.wait_for_deployment()
        there = self.wait_for_deployment(other)
        output, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, output)

        def sizes(found):
            return found["spec"]["template"]["spec"]["containers"][0]["resources"]

        self.assertEqual(here["metadata"]["name"], there["metadata"]["name"])
        self.assertEqual(sizes(here), sizes(there))
        self.assertRegex(output, r"\b(\d+) of \1 run")
        self.assertRegex(output, r"\b0 of \d+ were created")
        self.assertEqual(self.deployments(other), [])

    @long
    def test_pods_that_really_use_what_they_ask_for(self):
        tar = self.path("parley.tar")
        subprocess.run([os.path.join(ROOT, "deploy", "image.py"), PROGRAM, tar], check=True,
                       capture_output=True)
        self.cluster.command("image", "import", tar)
        process = subprocess.Popen(
            [PROGRAM, "exercise", "--kubeconfig", self.cluster.kubeconfig, "--exercise-image",
             "parley:dev", "--exercise-load", "both", "--phase", "6s", "--phases", "100",
             "--exercise-namespace", self.space],
            stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.end, process)
        found = self.wait_for_deployment()
        process.send_signal(signal.SIGSTOP)  # So that the phase lasts.
        self.addCleanup(process.send_signal, signal.SIGCONT)
        asked = found["spec"]["template"]["spec"]["containers"][0]["resources"]["requests"]
        used = self.used_by_pods(milli(asked["cpu"]) * 0.6)
        self.assertGreater(used, milli(asked["cpu"]) * 0.6)
        process.send_signal(signal.SIGCONT)
        process.send_signal(signal.SIGTERM)
        output, _ = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 0, output)
        self.assertIn("which burn CPU and hold memory", output)

    def used_by_pods(self, enough, seconds=120):
        """Millicores of the exercise's pods, once they are enough."""
        end, used = time.monotonic() + seconds, 0
        while time.monotonic() < end and used < enough:
            text = self.cluster.kubectl(
                "get", "--raw", f"/apis/metrics.k8s.io/v1beta1/namespaces/{self.space}/pods",
                check=False)
            items = json.loads(text)["items"] if text else []
            nano = [c["usage"]["cpu"] for i in items for c in i["containers"]]
            used = sum(int(n[:-1]) / 1e6 for n in nano if n.endswith("n"))
            time.sleep(1)
        return used

    @long
    def test_under_its_own_role_what_is_used_is_granted_and_the_other_way_round(self):
        self.space = SPACE  # The role is for this namespace.
        token = observer(self.cluster, "exercise.yaml")
        port = self.cluster.facts["server"].rsplit(":", 1)[-1]
        path = kubeconfig(self.path("kubeconfig"), port, self.cluster.facts["ca"], token)
        with open(path, encoding="utf-8") as file:
            config = json.load(file)
        config["clusters"][0]["cluster"]["server"] = self.cluster.facts["server"]
        with open(path, "w", encoding="utf-8") as file:
            json.dump(config, file)
        # A failed pod is reported after 8 s. Events are fetched for one whose status says nothing.
        for effect, image in ((r"\b(\d+) of \1 run", pause_image()),
                              ("Pulling image", self.silent_image()),
                              ("exceeded quota", pause_image())):
            if effect == "exceeded quota":
                self.cluster.kubectl("create", "quota", "none", "-n", self.space, "--hard=pods=0")
            done = subprocess.run(
                [PROGRAM, "exercise", "--kubeconfig", path, "--exercise-image", image,
                 "--phases", "2", "--phase", "12s"], capture_output=True, text=True, timeout=90)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertRegex(done.stdout, effect)
        used = {(e["objectRef"]["resource"], e["verb"])
                for e in self.cluster.audited("parley-exerciser/")[self.audited_before:]}
        self.assertEqual(used, {
            ("namespaces", "get"), ("pods", "list"), ("events", "list"), ("deployments", "list"),
            ("deployments", "create"), ("deployments", "deletecollection")})
        self.assertFalse(self.space_is_gone())  # It was not created by the exerciser.


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
