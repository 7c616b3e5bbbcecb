#!/usr/bin/env python3
"""Tuning at the start of a run, as a person sees it. Optuna reads the study, where it is installed.

Usage: tests/cli/boot_test.py PROGRAM [unittest arguments]
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = ""
OPTUNA = os.path.join("build", "venv", "optuna", "bin", "python")
READ = """
import json, optuna, sys
optuna.logging.set_verbosity(optuna.logging.ERROR)
study = optuna.load_study(study_name="parley-mixed", storage="sqlite:///" + sys.argv[1])
print(json.dumps([len(study.trials), study.best_value]))
"""


class Boot(unittest.TestCase):
    """Off by choice, not asked for, done and void are distinguished."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="parley-boot-")
        self.addCleanup(shutil.rmtree, self.folder)

    def demo(self, *arguments):
        run = os.path.join(self.folder, "run")
        done = subprocess.run([PROGRAM, "demo", "--rounds", "3", "--pace", "0s", "--lines",
                               "--event-dir", run, *arguments], capture_output=True, text=True,
                              timeout=600, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return run, done.stderr

    def test_nobody_asked(self):
        run, said = self.demo()
        self.assertIn("optuna    idle: nobody asked for it", said)
        self.assertFalse(os.path.exists(os.path.join(run, "tuning")))

    def test_off_by_choice(self):
        run, said = self.demo("--no-tune", "--trials", "5")
        self.assertIn("optuna    disabled: by --no-tune; --trials 5 is void", said)
        self.assertFalse(os.path.exists(os.path.join(run, "tuning")))

    def test_trials_before_the_first_round(self):
        run, said = self.demo("--trials", "2")
        self.assertIn("optuna    running: 1 of 2 trials, best ", said)
        self.assertIn("optuna    complete: 2 trials, best ", said)
        with open(os.path.join(run, "tuning", "result.json"), encoding="utf-8") as file:
            result = json.load(file)
        self.assertEqual(result["report"]["complete"] + result["report"]["pruned"], 2)
        self.assertEqual("the winner is used" in said, result["used"])
        replayed = subprocess.run([PROGRAM, "replay", run], capture_output=True, text=True,
                                  check=True)
        self.assertIn("bit for bit", replayed.stdout)
        if not os.path.exists(OPTUNA):
            self.skipTest("Optuna is not installed: tools/venv.sh optuna")
        study = os.path.join(run, "tuning", "study.db")
        read = subprocess.run([OPTUNA, "-c", READ, study], capture_output=True, text=True,
                              check=True)
        trials, best = json.loads(read.stdout)
        self.assertEqual(trials, 2)
        self.assertAlmostEqual(best, min(each["tuning"] for each in result["report"]["finalists"]))


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
