#!/usr/bin/env python3
"""Golden runs stay readable, replay bit for bit, and are what the program still records.

Usage: tests/cli/golden_test.py PROGRAM   (from the project's root)
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = ""
GOLDEN = os.path.join("tests", "golden", "runs", "v1")


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120,
                          check=False)


class Golden(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="parley-golden-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.run_folder = os.path.join(self.folder, "v1")
        shutil.copytree(GOLDEN, self.run_folder)
        with open(os.path.join(GOLDEN, "digest.txt"), encoding="ascii") as file:
            self.digest = file.read().strip()

    def test_it_has_its_digest(self):
        self.assertEqual(run("digest", self.run_folder).stdout.split()[0], self.digest)

    def test_it_replays(self):
        done = run("replay", self.run_folder, "-o", "json")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual(report["rounds"], 60)
        if report["same_rules"]:
            self.assertEqual(report["differing"], 0)

    def test_decisions_move_only_with_the_rules_version(self):
        report = json.loads(run("replay", self.run_folder, "-o", "json").stdout)
        if not report["same_rules"]:
            self.skipTest("recorded under other rules: a newer golden run takes over")
        again = os.path.join(self.folder, "again")
        done = run("simulate", "--scenario", "tour", "--seed", "7", "--rounds", "60",
                   "--event-dir", again)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(run("digest", again).stdout.split()[0], self.digest,
                         "decisions or inputs changed: raise kRulesVersion in src/layers/decide.h "
                         "and add a golden run beside this one")


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
