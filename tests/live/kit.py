"""A `parley live` beside the fake API server, for the tests of this folder."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from fake_api import FakeApi

PROGRAM = ""


def main():
    """The tests that are named, or all of the file: each in a process of its own and all at once,
    since they wait far more than they compute."""
    global PROGRAM
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    if len(sys.argv) > 1:
        unittest.main(verbosity=2)
    names = [test.id().split(".", 1)[1] for case in
             unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
             for test in case]
    begun = time.monotonic()
    children = [(name, subprocess.Popen(
        [sys.executable, "-B", sys.argv[0], PROGRAM, name], stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True)) for name in names]
    failed = []
    for name, child in children:
        said, _ = child.communicate()
        if child.returncode != 0:
            failed.append(name)
            print(said)
    print(f"Ran {len(names)} tests in {time.monotonic() - begun:.1f} s, failed: "
          f"{', '.join(failed) or 'none'}")
    sys.exit(1 if failed or not names else 0)


def source(snapshot, name):
    for each in snapshot["sources"]:
        if each["source"] == name:
            return each
    return None


class LiveTest(unittest.TestCase):
    TLS = False  # Without TLS no credential is sent.

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="parley-live-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.api = FakeApi(tls=self.folder if self.TLS else None)
        self.addCleanup(self.api.close)
        self.run_folder = os.path.join(self.folder, "run")
        self.trace = os.path.join(self.folder, "trace.jsonl")
        self.process = None

    def start(self, *options, user=None, environment=None):
        config = self.api.kubeconfig(os.path.join(self.folder, "kubeconfig"), user)
        self.output = open(os.path.join(self.folder, "stdout"), "w+", encoding="utf-8")
        self.errors = open(os.path.join(self.folder, "stderr"), "w+", encoding="utf-8")
        self.addCleanup(self.output.close)
        self.addCleanup(self.errors.close)
        self.process = subprocess.Popen(
            [PROGRAM, "live", "--kubeconfig", config, "--event-dir", self.run_folder,
             "--trace-out", self.trace, "--interval", "1s", "--lines", "--listen", "off", *options],
            stdout=self.output, stderr=self.errors, stdin=subprocess.DEVNULL,
            env={**os.environ, **(environment or {})})
        self.addCleanup(self.end)

    def end(self):
        """Ends it as a person would; returns its output."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        return self.said()

    def said(self):
        if self.output.closed:
            return ""
        self.output.flush()
        with open(self.output.name, encoding="utf-8") as out, \
                open(self.errors.name, encoding="utf-8") as err:
            return out.read() + err.read()

    def rounds(self):
        if not os.path.exists(self.trace):
            return []
        with open(self.trace, encoding="utf-8") as lines:
            return [json.loads(line) for line in lines if line.endswith("\n")]

    def until(self, holds, limit=60, what="what was waited for"):
        """The first round from now on for which this is true."""
        end, known = time.monotonic() + limit, len(self.rounds())
        while time.monotonic() < end:
            for each in self.rounds()[max(0, known - 1):]:
                if holds(each):
                    return each
            if self.process.poll() is not None:
                raise AssertionError("parley live ended: " + self.said())
            time.sleep(0.1)
        last = json.dumps((self.rounds() or [None])[-1])[:3000]
        raise AssertionError(f"{what} did not come in {limit} s: {last}\n{self.said()}")

    def until_well(self):
        return self.until(
            lambda r: source(r, "api")["condition"] == "ok" and len(r["nodes"]) == 3 and
            source(r, "metrics") and source(r, "metrics")["condition"] == "ok", 60,
            "nodes and their use")

    def ask(self, *words):
        return subprocess.run([PROGRAM, *words], cwd=self.folder, capture_output=True, text=True,
                              timeout=120, stdin=subprocess.DEVNULL)
