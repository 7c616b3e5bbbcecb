#!/usr/bin/env python3
"""Runs the commands about trained models as a person would.

Usage: tests/cli/brains_test.py PROGRAM [unittest arguments]
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = ""


class Brains(unittest.TestCase):
    """A trained model serves, is kept with the run, and the run can be replayed with it."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="parley-brains-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def parley(self, *arguments, status=0):
        # Its own home folder: no model or key of this machine.
        done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, text=True,
                              timeout=120, check=False, env={**os.environ, "HOME": self.folder})
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def test_the_model_that_ships_serves_explains_and_replays(self):
        run = self.path("run")
        self.parley("simulate", "--scenario", "failing-node", "--seed", "7", "--rounds", "60",
                    "--predictor", "xgboost", "--event-dir", run)
        with open(os.path.join(run, "events.jsonl"), encoding="utf-8") as file:
            acted = [event["round"] for event in map(json.loads, file)
                     if event["message"].startswith("A migrate node-")]
        said = self.parley("why", run, "--round", str(acted[0])).stdout
        self.assertRegex(said, r"Risk that it fails within 30 min: 0\.\d+, by risk-[0-9a-f]{12}")
        self.assertRegex(said, r"Odds 0\.\d+ of a node of which nothing is known, x")
        self.assertIn("bit for bit", self.parley("replay", run).stdout)

    def test_a_node_that_nothing_was_done_about_says_what_pushed_its_risk(self):
        run = self.path("run")
        self.parley("simulate", "--scenario", "calm", "--rounds", "8", "--predictor", "xgboost",
                    "--event-dir", run)
        said = self.parley("why", run, "--node", "node-03").stdout
        self.assertIn("Its risk in round 8", said)
        self.assertRegex(said, r"Odds 0\.\d+ of a node of which nothing is known, x")
        self.parley("simulate", "--scenario", "calm", "--rounds", "8", "--event-dir",
                    self.path("other"))
        self.assertNotIn("Its risk", self.parley("why", self.path("other"), "--node",
                                                 "node-03").stdout)

    def test_two_days_are_corrected_and_replay_bit_for_bit(self):
        run = self.path("run")
        self.parley("simulate", "--scenario", "mixed", "--seed", "1000003", "--interval", "60s",
                    "--rounds", "3000", "--predictor", "xgboost", "--event-dir", run)
        self.assertIn("bit for bit", self.parley("replay", run).stdout)
        # A node that was judged after the correction; which one depends on the model.
        wanted = r"Correction [0-9a-f]{16}, learned while serving, x\d"
        said = ""
        for node in range(1, 13):
            said = self.parley("why", run, "--node", f"node-{node:02}").stdout
            if re.search(wanted, said):
                break
        self.assertRegex(said, wanted)

    def test_what_is_withheld_is_said_and_never_without_being_asked_for(self):
        def rounds(seed, share):
            run = self.path(f"run-{seed}-{share}")
            self.parley("simulate", "--scenario", "failing-node", "--seed", str(seed), "--rounds",
                        "40", "--predictor", "xgboost", "--event-dir", run, "--set",
                        f"policy.risk.holdout={share}", "--set", "policy.risk.urgent=1")
            with open(os.path.join(run, "events.jsonl"), encoding="utf-8") as file:
                text = file.read()
            self.assertIn("bit for bit", self.parley("replay", run).stdout)
            return "hold-out" in text, "A migrate node-" in text
        halves = [rounds(seed, 0.5) for seed in range(1, 9)]
        self.assertIn((True, False), halves)
        self.assertIn((False, True), halves)
        self.assertEqual({rounds(seed, 0) for seed in range(1, 4)}, {(False, True)})
        self.assertIn("holdout: 0.1", self.parley("config", "print").stdout)

    def test_a_cluster_with_few_failures_fits_the_model_that_ships(self):
        short = self.parley("train", "risk", "--simulate", "501-502", "--length", "2h", status=1)
        self.assertIn("are needed; give more data, or fit the calibration of the model that ships: "
                      "parley train risk --recalibrate", short.stderr)
        done = self.parley("train", "risk", "--recalibrate", "--simulate", "501-503")
        self.assertRegex(done.stdout, r"failures came where [0-9.]+ were expected")
        model = re.search(r"Model (risk-[0-9a-f]{12}) is in", done.stderr).group(1)
        self.parley("model", "use", model)
        shown = self.parley("model", "show", model).stdout
        self.assertIn("; recalibrated: simulated: scenario mixed, seeds 501 to 503", shown)
        run = self.path("run")
        self.parley("simulate", "--scenario", "failing-node", "--seed", "7", "--rounds", "40",
                    "--predictor", "xgboost", "--event-dir", run)
        self.assertIn(model, os.listdir(os.path.join(run, "models")))
        self.assertIn("bit for bit", self.parley("replay", run).stdout)

    def test_the_examples_of_export_work_but_for_the_id(self):
        shipped = {each["kind"]: each["id"]
                   for each in json.loads(self.parley("model", "list", "-o", "json").stdout)}
        examples = set()
        for words in (["model"], ["model", "export"]):
            for line in self.parley(*words, "--help").stdout.splitlines():
                if line.startswith("  parley model export "):
                    examples.add(line.split("    ")[0].strip())
        self.assertEqual(len(examples), 2)
        for example in examples:
            with self.subTest(example):
                _, model, export, name, file = example.split()
                said = self.parley(model, export, shipped[name.split("-")[0]], file).stdout
                self.assertTrue(said.startswith("Wrote "), said)

    def test_a_key_is_trusted_where_a_refusal_names_it(self):
        for command in ("simulate", "demo", "live", "compare"):
            self.assertIn("--trust", self.parley(command, "--help").stdout)

    def test_a_model_that_was_changed_afterwards_is_refused(self):
        run = self.path("run")
        self.parley("simulate", "--scenario", "failing-node", "--rounds", "3",
                    "--predictor", "xgboost", "--event-dir", run)
        folder = os.path.join(run, "models", os.listdir(os.path.join(run, "models"))[0])
        with open(os.path.join(folder, "model"), "r+b") as file:
            file.seek(1000)
            byte = file.read(1)[0]
            file.seek(1000)
            file.write(bytes([byte ^ 1]))
        done = self.parley("replay", run, status=1)
        self.assertIn("digest", done.stderr)

    def test_a_file_of_xgboost_is_shown_or_refused(self):
        shipped = next(each["id"] for each in
                       json.loads(self.parley("model", "list", "-o", "json").stdout)
                       if each["kind"] == "risk")
        self.parley("model", "export", shipped, "own.ubj")
        facts = json.loads(self.parley("model", "show", "own.ubj", "-o", "json").stdout)
        self.assertEqual([facts["gives"], facts["features"]], ["logistic", 34])
        with open(self.path("cut.ubj"), "wb") as file, open(self.path("own.ubj"), "rb") as whole:
            file.write(whole.read()[:5000])
        self.assertRegex(self.parley("model", "show", "./cut.ubj", status=1).stderr,
                         r"^error: ./cut.ubj: byte \d+: the file ends within ")

    def test_a_pipe_that_nobody_writes_into_holds_nobody_up(self):
        os.mkfifo(self.path("pipe.csv"))
        done = self.parley("train", "risk", "--trace", "backblaze", "--from", "pipe.csv", status=1)
        self.assertIn("pipe.csv: it is not a regular file", done.stderr)

    def test_a_data_set_of_a_record_says_what_it_holds(self):
        run = self.path("run")
        self.parley("simulate", "--scenario", "mixed", "--seed", "11", "--interval", "30s",
                    "--rounds", "240", "--mode", "observe", "--event-dir", run)
        facts = json.loads(self.parley("dataset", "risk", "--from", run, "-o", "json").stdout)
        self.assertGreater(facts["rows"], 500)
        self.assertGreater(facts["censored"], 0)
        self.assertEqual(len(facts["columns"]), 34)

    def test_rows_of_one_short_run_are_counted_and_written_split_or_not(self):
        run = self.path("run")
        self.parley("simulate", "--scenario", "failing-node", "--interval", "30s", "--rounds", "130",
                    "--mode", "observe", "--event-dir", run)
        # A dozen nodes are split by rank; an hour of series is too short for slices.
        for kind, split in (("risk", "order of the hash of the entity"),
                            ("demand", "cannot be split for training")):
            with self.subTest(kind):
                rows = self.path("rows-" + kind)
                said = self.parley("dataset", kind, "--from", run, "--out", rows).stdout
                self.assertIn(split, said)
                self.assertIn(" features of version ", said)
                with open(rows, "rb") as file:
                    self.assertIn("rows", json.loads(file.readline()))

    def test_a_comparison_of_an_arm_with_itself_finds_nothing(self):
        done = self.parley("compare", "--scenario", "calm", "--arms", "evidence,oracle", "--pairs",
                           "3", "--length", "10m", "-o", "json")
        facts = json.loads(done.stdout)
        self.assertEqual(facts["comparisons"][0]["answer"], "equivalent")
        for arm in facts["arms"]:
            self.assertEqual([arm["failures"], arm["answered_share"], arm["lead_minutes"]],
                             [0, None, None])
        wrong = self.parley("compare", "--arms", "brian,never", status=2)
        self.assertIn('no arm is called "brian"', wrong.stderr)

    def test_a_flag_without_an_effect_is_refused(self):
        cases = {
            ("train", "risk", "--trace", "foo", "--from", "x"):
                'no trace is called "foo"; there are backblaze, borg and grid5000',
            ("train", "risk", "--trace", "grid5000", "--from", "x", "--horizon", "5m"):
                "--horizon has no meaning with --trace",
            ("train", "risk", "--trace", "grid5000", "--from", "x", "--simulate", "1-2"):
                "--simulate has no meaning with --trace",
            ("train", "risk", "--trace", "grid5000", "--from", "x", "--models", "m"):
                "--models has no meaning with --trace",
            ("train", "demand", "--trace", "nab", "--from", "x", "--length", "5h"):
                "--length has no meaning without --simulate",
            ("train", "risk", "--simulate", "1-2", "--out", "x"):
                "--out has no meaning without --trace",
            ("train", "risk", "--simulate", "1-2", "--from", "x"):
                "--from has no meaning with --simulate",
            ("train", "risk", "--simulate", "5-1"): "ends before it begins",
            ("train", "risk", "--simulate", "1-100000"): "are not for training",
            ("train", "risk", "--simulate", "1-2", "--length", "0h"): "--length is a time from 1h",
            ("train", "risk", "--simulate", "1-2", "--length", "99999h"): "--length is a time from",
            ("train", "risk", "--simulate", "1-2", "--horizon", "-3m"): "--horizon is a time above",
            ("train", "risk", "--simulate", "1-2", "--horizon", "2m"): "--horizon is a time above",
            ("train", "risk", "--trace", "grid5000", "--from", "missing.csv"):
                "--from: there is no missing.csv; check the path",
            ("train", "demand", "--from", "missing"): "--from: there is no missing",
            ("train", "risk", "--trace", "grid5000"): "--trace needs its files",
            ("train", "risk", "--trace", "borg", "--from", "a", "b"): "this trace is one file",
            ("train", "risk", "--trace", "borg", "--from", "a", "--out", PROGRAM + "/x"):
                "is no folder; name another",
            ("dataset", "risk", "--simulate", "5-1"): "ends before it begins",
            ("dataset", "demand", "--from", "x", "--length", "3h"): "--length has no meaning",
            ("dataset", "demand", "--from", "x", "x"): "x is given twice",
            ("compare", "--scenario", "foo"): 'no scenario is called "foo"',
            ("compare", "--scenario", ""): 'no scenario is called ""',
            ("compare", "--arms", "brain,never,brain"): "--arms names something twice",
            ("compare", "--length", "999999h"): "at most 168h",
            ("compare", "--markdown", "nodir/x.md"): "there is no folder nodir; make it first",
            ("train", "risk", "--simulate", "1-2", "--report", "nodir/x"): "there is no folder",
            ("train", "risk", "--simulate", "1-2", "--rows", "."): "it is a folder; name a file",
            ("train", "risk", "--simulate", "1-2", "--seed", "-1"): "--seed",
            ("train", "risk", "--simulate", "1-2", "--models", PROGRAM): "is no folder; name one",
            ("dataset", "risk", "--simulate", "1-2", "--out", "nodir/x"): "there is no folder",
            ("tune", "--write", "nodir/x"): "there is no folder nodir; make it first",
            ("tune", "--seed", "-1"): "--seed",
            ("model", "list", "--models", PROGRAM): "is no folder; name one",
        }
        for arguments, words in cases.items():
            with self.subTest(arguments):
                self.assertIn(words, self.parley(*arguments, status=2).stderr)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
