#!/usr/bin/env python3
"""Trained models of demand, as a person uses them: data set, training, shelf, serving, replay.

Usage: tests/cli/demand_test.py PROGRAM [unittest arguments]
"""

import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = ""


class Demand(unittest.TestCase):
    """Rows from records, a model with a forest for each horizon, and a run that it serves."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="parley-demand-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def parley(self, *arguments, status=0):
        # Its own home folder: no model or key of this machine.
        done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, text=True,
                              timeout=300, check=False, env={**os.environ, "HOME": self.folder})
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def test_rows_of_a_record(self):
        run = self.path("run")
        self.parley("simulate", "--scenario", "mixed", "--seed", "11", "--interval", "1m",
                    "--rounds", "1400", "--mode", "observe", "--event-dir", run)
        done = self.parley("dataset", "demand", "--from", run, "-o", "json", "--out",
                           self.path("rows"))
        facts = json.loads(done.stdout)
        self.assertEqual([each["minutes"] for each in facts["horizons"]], [1, 5, 15, 60])
        self.assertGreater(facts["horizons"][3]["rows"], 1000)
        self.assertGreater(facts["horizons"][3]["left_out"], 0)
        self.assertIn("embargo 1h1m", facts["horizons"][3]["split"])
        with open(self.path("rows"), "rb") as file:
            head = json.loads(file.readline())
        self.assertEqual(head["rows"], facts["horizons"][3]["rows"])
        self.assertIn("60 min", self.parley("dataset", "demand", "--from", run).stdout)

    def test_rows_need_a_source_that_is_for_training(self):
        wrong = self.parley("dataset", "demand", status=2)
        self.assertIn("say where rows come from", wrong.stderr)
        wrong = self.parley("dataset", "demand", "--simulate", "1000000-1000001", status=2)
        self.assertIn("not for training", wrong.stderr)

    def test_the_model_that_ships_serves_explains_and_replays(self):
        run = self.path("run")
        self.parley("simulate", "--scenario", "calm", "--seed", "7", "--interval", "30s", "--rounds",
                    "160", "--predictor", "xgboost", "--event-dir", run)
        said = self.parley("why", run).stdout
        self.assertRegex(said, r"Demand now 0\.\d+; at most 0\.\d+ within 60 min "
                               r"\(0\.\d+ to 0\.\d+ in 9 of 10\), by demand-[0-9a-f]{12}")
        self.assertRegex(said, r"From 0\.\d+ now, [+-]0\.\d+ as series go, [+-]0\.\d+ [a-z_0-9]+ ")
        self.assertIn("bit for bit", self.parley("replay", run).stdout)
        kept = os.listdir(os.path.join(run, "models"))
        self.assertEqual(sorted(name.split("-")[0] for name in kept), ["demand", "risk"])
        # Without its model a run cannot be replayed.
        shutil.rmtree(glob.glob(os.path.join(run, "models", "demand-*"))[0])
        self.assertIn("is needed", self.parley("replay", run, status=2).stderr)

    def test_without_a_trained_predictor_demand_stays_what_is_used(self):
        run = self.path("run")
        self.parley("simulate", "--scenario", "calm", "--interval", "30s", "--rounds", "80",
                    "--event-dir", run)
        self.assertNotIn("within an hour", self.parley("why", run).stdout)
        self.assertFalse(os.path.exists(os.path.join(run, "models")))

    def test_a_trained_one_is_shown_compared_exported_used_and_refused(self):
        self.parley("train", "demand", "--simulate", "1-24", "--length", "5h", "--rounds", "15",
                    "--models", "mine", "--report", "report.html")
        self.assertEqual(os.stat(self.path("report.html")).st_mode & 0o044, 0o044)
        model = [name for name in os.listdir(self.path("mine")) if name.startswith("demand-")][0]
        shown = self.parley("model", "show", model, "--models", "mine").stdout
        self.assertIn("simulated: scenario mixed, seeds 1 to 24", shown)
        self.assertIn("60 min", shown)
        manifest = json.loads(self.parley("model", "show", model, "--models", "mine", "-o",
                                          "json").stdout)
        self.assertEqual(len(manifest["forests"]), 4)
        self.assertIn(model, self.parley("model", "list", "--models", "mine").stdout)
        self.assertIn("features are the same",
                      self.parley("model", "compare", model, model, "--models", "mine").stdout)
        said = self.parley("model", "export", model, "out.ubj", "--models", "mine").stdout
        self.assertIn("out-3600s.ubj", said)
        self.assertTrue(os.path.exists(self.path("out-60s.ubj")))
        self.parley("model", "use", model, "--kind", "demand", "--models", "mine")
        run = self.path("run")
        self.parley("simulate", "--scenario", "calm", "--rounds", "3", "--predictor", "xgboost",
                    "--models", "mine", "--event-dir", run)
        self.assertIn(model, os.listdir(os.path.join(run, "models")))
        # A changed model is refused, and the shipped one is used.
        with open(os.path.join(self.path("mine"), model, "model-60s.ubj"), "ab") as file:
            file.write(b"x")
        done = self.parley("simulate", "--scenario", "calm", "--rounds", "3", "--predictor",
                           "xgboost", "--models", "mine", "--event-dir", self.path("other"))
        self.assertIn("it was damaged; instead, demand-", done.stderr)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
