#!/usr/bin/env python3
"""The first hour of docs/acting.md on a real API server: every command of that page, as it stands there and in its
order, and its settings file as it stands there. None may fail.

Usage: tests/cluster/first_hour_test.py PROGRAM [unittest arguments]
"""

import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from kit import MUTATING, ROOT, Cluster, require_machine, until

PROGRAM = ""
PAGE = os.path.join(ROOT, "docs", "acting.md")
COMMAND = r"(?:kubectl|parley) [^`]*"
ROUNDS = 3  # Of each `parley live`, before the page goes on.


def commands(page):
    """What a reader would type, in order: indented lines without the words beside them, and what stands in `marks`."""
    found = re.finditer(rf"^    ({COMMAND}?)(?:  +\S.*)?$|`({COMMAND})`", page, re.M)
    return [" ".join((each.group(1) or each.group(2)).split()) for each in found]


class FirstHour(unittest.TestCase):
    def setUp(self):
        require_machine()
        self.folder = tempfile.mkdtemp(prefix="parley-hour-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.cluster = Cluster("api", *MUTATING, tag="hour")
        self.addCleanup(self.cluster.down)
        for space in ("shop", "night", "kube-node-lease"):  # Its own programs may have made the last by now.
            self.cluster.kubectl("create", "namespace", space, check=space != "kube-node-lease")
        self.cluster.apply({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-1"}})
        os.symlink(os.path.join(ROOT, "deploy"), os.path.join(self.folder, "deploy"))
        programs = os.path.join(self.folder, "bin")
        os.mkdir(programs)
        os.symlink(PROGRAM, os.path.join(programs, "parley"))
        os.symlink(self.cluster.facts["kubectl"], os.path.join(programs, "kubectl"))
        self.surroundings = {**self.cluster.surroundings(), "KUBECONFIG": self.cluster.kubeconfig,
                             "PATH": programs + ":" + os.environ["PATH"]}
        self.live, self.run_folder = None, ""
        self.addCleanup(self.end)

    def runs(self):
        return set(glob.glob(os.path.join(self.folder, "runs", "*")))

    def begin(self, command):
        """A `parley live` that goes on until the next one."""
        self.end()
        before = self.runs()
        self.live = subprocess.Popen(command, shell=True, executable="/bin/bash", cwd=self.folder,
                                     env=self.surroundings, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                     stderr=subprocess.STDOUT, text=True, start_new_session=True)
        until(lambda: self.made(before) >= ROUNDS or self.live.poll() is not None, 60, f"rounds of {command}")
        if self.live.poll() is not None:
            self.fail(f"{command} ended with {self.live.returncode}: {self.live.stdout.read()[-2000:]}")

    def made(self, before):
        for self.run_folder in self.runs() - before:
            path = os.path.join(self.run_folder, "state.json")
            if os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    return json.load(file)["rounds"]
        return 0

    def end(self):
        if self.live is None:
            return
        if self.live.poll() is None:
            os.killpg(self.live.pid, signal.SIGINT)
        said, _ = self.live.communicate(timeout=60)
        status, self.live = self.live.returncode, None
        self.assertEqual(status, 0, said[-2000:])

    def meant(self, command):
        """With the reader's own words in place of those in capitals."""
        names = {"RUN": self.run_folder, "NAME": "node-1", "TEXT": "'the hour is over'"}
        for name, value in names.items():
            command = re.sub(rf"\b{name}\b", value, command)
        if int(re.sub(r"\D", "", self.minor)) < 36:
            command = command.replace("queue.yaml", "queue-beta.yaml")  # As the page says beside it.
        return command

    def test_every_command_of_the_page_does_what_it_says(self):
        with open(PAGE, encoding="utf-8") as file:
            page = file.read()
        self.minor = json.loads(self.cluster.kubectl("version", "-o", "json"))["serverVersion"]["minor"]
        settings = re.search(r"^```yaml\n(.*?)^```", page, re.M | re.S).group(1)
        with open(os.path.join(self.folder, "act.yaml"), "w", encoding="utf-8") as file:
            file.write(settings)
        all_of_them = commands(page)
        self.assertGreater(len(all_of_them), 25, all_of_them)
        for typed in all_of_them:
            command = self.meant(typed)
            if command.startswith("parley live"):
                self.begin(command)
                continue
            if "create configmap" in command:  # No person types so fast that the stop just lifted still stands.
                until(lambda: self.cluster.find("configmap", "parley-stop", "parley-system") is None, 30, "its end")
            done = subprocess.run(command, shell=True, executable="/bin/bash", cwd=self.folder, env=self.surroundings,
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)
            print(f"  {typed}: {done.returncode}", flush=True)
            with self.subTest(typed):
                wanted = 0
                if command.startswith("parley check"):  # Here nobody measures the use of nodes and pods.
                    wanted = 1
                    self.assertIn("It would run.\n1 missing", done.stdout)
                self.assertEqual(done.returncode, wanted, f"{command}\n{done.stdout[-1500:]}{done.stderr[-1500:]}")
        self.end()


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
