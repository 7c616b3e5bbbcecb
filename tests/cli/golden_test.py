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
GOLDEN = os.path.join("tests", "golden", "runs")


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120,
                          check=False)


class Golden(unittest.TestCase):
    """Each folder of tests/golden/runs is a run that an earlier program recorded: tour, seed 7,
    60 rounds. None of them is ever written again."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="parley-golden-")
        self.addCleanup(shutil.rmtree, self.folder)

    def copies(self):
        """(folder, digest) of a copy of each run: reading one may rebuild its derived files."""
        names = sorted(entry.name for entry in os.scandir(GOLDEN) if entry.is_dir())
        self.assertTrue(names, "there is no golden run")
        for name in names:
            copy = os.path.join(self.folder, name)
            if not os.path.exists(copy):
                shutil.copytree(os.path.join(GOLDEN, name), copy)
            with open(os.path.join(copy, "digest.txt"), encoding="ascii") as file:
                yield copy, file.read().strip()

    def test_each_has_its_digest(self):
        for folder, digest in self.copies():
            with self.subTest(folder):
                self.assertEqual(run("digest", folder).stdout.split()[0], digest)

    def test_each_replays(self):
        for folder, _ in self.copies():
            with self.subTest(folder):
                done = run("replay", folder, "-o", "json")
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                report = json.loads(done.stdout)
                self.assertEqual(report["rounds"], 60)
                if report["same_rules"]:
                    self.assertEqual(report["differing"], 0)

    def test_each_can_be_asked_why(self):
        for folder, _ in self.copies():
            with self.subTest(folder):
                early = os.path.basename(folder) in ("v1", "v2")
                done = run("why", folder, "--round", "21" if early else "16")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("Agent A safety won: migrate node-07.", done.stdout)

    def test_decisions_move_only_with_the_rules_version(self):
        digests = [digest for folder, digest in self.copies()
                   if json.loads(run("replay", folder, "-o", "json").stdout)["same_rules"]]
        self.assertEqual(len(digests), 1, "one golden run for the rules_version of this program: "
                         "copy journal/ and the digest of a run into tests/golden/runs")
        again = os.path.join(self.folder, "again")
        done = run("simulate", "--scenario", "tour", "--seed", "7", "--rounds", "60",
                   "--event-dir", again)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(run("digest", again).stdout.split()[0], digests[0],
                         "decisions or inputs changed: raise kRulesVersion in src/layers/decide.h "
                         "and add a golden run beside the others")


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
