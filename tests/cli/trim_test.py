#!/usr/bin/env python3
"""Drops the oldest rounds of a run by `parley trim`: what is left answers, replays and goes on as
before, what is gone is said to be, and a run that is damaged or in use is left alone.

Usage: tests/cli/trim_test.py PROGRAM [unittest arguments]
"""

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = ""
RUN = ["simulate", "--scenario", "failing-node", "--seed", "7"]
DROPPED = "rounds 1 to 80 were dropped by `parley trim`"


def parley(folder, *arguments):
    return subprocess.run([PROGRAM, *arguments], cwd=folder, capture_output=True, text=True, timeout=120,
                          check=False, stdin=subprocess.DEVNULL)


class Trim(unittest.TestCase):
    """Rounds 1 to 120, which can be cut at 41 and 81, where the run was gone on with."""

    @classmethod
    def setUpClass(cls):
        cls.shared = tempfile.mkdtemp(prefix="parley-trim-")
        cls.addClassCleanup(shutil.rmtree, cls.shared)
        for rounds, more in [("40", []), ("80", ["--resume"]), ("120", ["--resume"])]:
            done = parley(cls.shared, *RUN, "--rounds", rounds, "--event-dir", "A", *more)
            assert done.returncode == 0, done.stderr

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="parley-trim-")
        self.addCleanup(shutil.rmtree, self.folder)
        for name in ("A", "B"):
            shutil.copytree(os.path.join(self.shared, "A"), os.path.join(self.folder, name))

    def ask(self, *arguments):
        """Its standard output; it has to end well."""
        done = parley(self.folder, *arguments)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def refused(self, status, *arguments):
        """One sentence, and nothing in the folder is changed."""
        before = self.contents()
        done = parley(self.folder, *arguments)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertTrue(done.stderr.startswith("error: "), done.stderr)
        self.assertEqual(self.contents(), before)
        return done.stderr

    def contents(self, name="B"):
        found = {}
        for place, _, files in os.walk(os.path.join(self.folder, name)):
            for each in files:
                with open(os.path.join(place, each), "rb") as file:
                    found[os.path.relpath(os.path.join(place, each), self.folder)] = file.read()
        return found

    def journal_bytes(self):
        return sum(len(data) for path, data in self.contents().items() if path.endswith(".log") and "journal" in path)

    def test_it_says_what_it_dropped_and_what_is_left(self):
        before = self.journal_bytes()
        said = self.ask("trim", "B", "--keep-rounds", "30")
        self.assertIn("Dropped 80 rounds of B, ", said)
        self.assertIn("Left: rounds 81 to 120.", said)
        self.assertIn("Asked for was from round 91 on;", said)
        self.assertLess(self.journal_bytes(), before)
        facts = json.loads(self.ask("trim", "A", "--keep-rounds", "30", "-o", "json"))
        self.assertEqual((facts["rounds_dropped"], facts["first_round"], facts["last_round"], facts["wanted_from"]),
                         (80, 81, 120, 91))
        self.assertEqual(facts["bytes_freed"], before - self.journal_bytes())

    def test_what_is_left_answers_and_replays_as_before(self):
        self.ask("trim", "B", "--keep-rounds", "30")
        for question in (["why", "--round", "100"], ["why-not", "migrate:node-03", "--round", "100", "-o", "json"]):
            answers = [parley(self.folder, question[0], name, *question[1:]).stdout for name in ("A", "B")]
            if question[-1] == "json":
                counted = ("proposed_rounds", "accepted_rounds", "held_rounds", "dropped", "own", "nearest_round")
                answers = [{key: value for key, value in json.loads(each).items() if key not in counted}
                           for each in answers]
                self.assertEqual(*answers)
            else:
                whole = [re.split(r"\nOver the whole run|\nCloser", each)[0] for each in answers]
                self.assertEqual(*whole)
        replayed = self.ask("replay", "B")
        self.assertIn("Not made again: " + DROPPED, replayed)
        self.assertIn("Of what can be read, 40 rounds, every decision the same, bit for bit.", replayed)
        self.assertEqual(json.loads(self.ask("replay", "B", "-o", "json"))["dropped"], [{"first": 1, "last": 80}])

    def test_the_chain_verifies_and_the_digest_says_of_what_it_is(self):
        self.ask("trim", "B", "--keep-rounds", "30")
        done = parley(self.folder, "digest", "B")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, f"note: {DROPPED}: the checksum is of what is left\n")
        facts = json.loads(self.ask("digest", "B", "-o", "json"))
        self.assertEqual((facts["rounds"], facts["dropped"], facts["gaps"]), (40, [{"first": 1, "last": 80}], []))
        self.assertNotEqual(facts["digest"], json.loads(self.ask("digest", "A", "-o", "json"))["digest"])

    def test_what_is_gone_is_said_to_be(self):
        self.ask("trim", "B", "--keep-rounds", "30")
        for question in (["why", "B", "--round", "5"], ["why-not", "B", "migrate:node-03", "--round", "5"]):
            self.assertIn("which holds rounds 81 to 120; " + DROPPED, self.refused(2, *question))
        self.assertTrue(self.ask("why", "B", "--node", "node-03").startswith(f"Not in it: {DROPPED}."))
        self.assertIn(f"Not in it: {DROPPED}.", self.ask("why-not", "B", "migrate:node-03"))

    def test_derived_files_are_of_what_is_left_and_stay(self):
        self.ask("trim", "B", "--keep-rounds", "30")
        with sqlite3.connect(os.path.join(self.folder, "B", "run.db")) as base:
            rounds = [row[0] for row in base.execute("SELECT round FROM rounds ORDER BY round")]
        self.assertEqual(rounds, list(range(81, 121)))
        with open(os.path.join(self.folder, "B", "events.jsonl"), encoding="utf-8") as file:
            self.assertGreaterEqual(min(json.loads(line)["round"] for line in file), 81)
        before = self.contents()
        done = parley(self.folder, "why", "B")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.contents(), before)
        os.remove(os.path.join(self.folder, "B", "run.db"))  # As after a kill in the middle.
        self.assertIn("were made anew", parley(self.folder, "why", "B").stderr)

    def test_it_can_be_gone_on_with(self):
        self.ask("trim", "B", "--keep-rounds", "30")
        for name in ("A", "B"):
            self.ask(*RUN, "--rounds", "140", "--event-dir", name, "--resume")
        self.assertIn("60 rounds, every decision the same", self.ask("replay", "B"))
        answers = [self.ask("why", name, "--round", "135") for name in ("A", "B")]
        self.assertEqual(re.sub(r"(parley \S+) A\b", r"\1 B", answers[0]), answers[1])
        self.assertIn("Left: rounds 121 to 140.", self.ask("trim", "B", "--keep-rounds", "20"))

    def test_a_time_counts_back_from_the_last_round(self):
        self.assertIn("Left: rounds 81 to 120.", self.ask("trim", "A", "--keep", "1m30s"))
        self.assertIn("Left: rounds 41 to 120.", self.ask("trim", "B", "--keep", "3m"))

    def test_what_hangs_together_stays(self):
        before = self.contents()
        self.assertIn("Nothing was dropped: ", self.ask("trim", "B", "--keep-rounds", "100"))
        self.assertIn("Nothing was dropped: ", self.ask("trim", "B", "--keep", "1d"))
        self.assertEqual(self.contents(), before)
        self.ask("trim", "B", "--keep-rounds", "30")
        self.assertIn("Nothing was dropped: ", self.ask("trim", "B", "--keep-rounds", "30"))

    def test_a_run_shorter_than_what_is_kept_says_so(self):
        self.assertEqual(self.ask("trim", "B", "--keep-rounds", "1000"),
                         "Nothing was dropped: B has only rounds 1 to 120, and all of it is to be kept.\n")

    def test_wrong_use_is_said(self):
        for words in ([], ["--keep-rounds", "0"], ["--keep-rounds", "x"], ["--keep", "0"], ["--keep", "soon"],
                      ["--keep", "1h", "--keep-rounds", "5"]):
            self.refused(2, "trim", "B", *words)
        self.assertIn("--keep-rounds N or --keep TIME", self.refused(2, "trim", "B"))
        self.refused(2, "trim", "none", "--keep-rounds", "5")

    def test_a_damaged_run_is_left_alone(self):
        path = os.path.join(self.folder, "B", "journal", "000001.log")
        with open(path, "r+b") as file:
            file.seek(os.path.getsize(path) // 2)
            byte = file.read(1)[0]
            file.seek(-1, os.SEEK_CUR)
            file.write(bytes([byte ^ 1]))
        self.assertIn("`parley repair B`", self.refused(1, "trim", "B", "--keep-rounds", "30"))

    def test_a_journal_shorter_than_its_witnesses_is_left_alone(self):
        with open(os.path.join(self.folder, "B", "journal", "000001.log"), "r+b") as file:
            file.truncate(os.path.getsize(file.name) - 5000)
        os.remove(os.path.join(self.folder, "B", "journal", "head"))
        self.assertIn("`parley repair B`", self.refused(1, "trim", "B", "--keep-rounds", "30"))

    def test_a_run_in_use_is_left_alone(self):
        with subprocess.Popen([PROGRAM, *RUN, "--rounds", "1000000", "--event-dir", "C"], cwd=self.folder,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            header = os.path.join(self.folder, "C", "journal", "header")
            end = time.monotonic() + 120
            while not os.path.exists(header) and time.monotonic() < end and process.poll() is None:
                time.sleep(0.05)
            done = parley(self.folder, "trim", "C", "--keep-rounds", "1")
            process.send_signal(signal.SIGKILL)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("another process", done.stderr)
        # Killed, it is nobody's.
        self.assertEqual(parley(self.folder, "trim", "C", "--keep-rounds", "1").returncode, 0)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
