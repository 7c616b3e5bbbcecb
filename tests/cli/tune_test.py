#!/usr/bin/env python3
"""Runs `parley tune` as a person would, and reads its studies with the real Optuna.

Usage: tests/cli/tune_test.py PROGRAM [unittest arguments]   (from the project's root)
"""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = ""
ROOT = os.getcwd()
STUDY = "parley-failing-node"
SHORT = ["--scenario", "failing-node", "--pairs", "2", "--length", "10m", "--fresh", "3"]

# The study as Optuna sees it. Run by the Python of tools/venv.sh optuna.
READ = """
import json, sys, optuna
optuna.logging.set_verbosity(optuna.logging.ERROR)
place, name = sys.argv[1:]
kind, path = place.split(":", 1)
if kind == "journal":
    from optuna.storages import JournalStorage
    from optuna.storages.journal import JournalFileBackend
    storage = JournalStorage(JournalFileBackend(path))
else:
    storage = "sqlite:///" + path
study = optuna.load_study(study_name=name, storage=storage)
print(json.dumps({
    "best": study.best_value, "trial": study.best_trial.number, "user": study.user_attrs,
    "states": [t.state.name for t in study.trials],
    "steps": [sorted(t.intermediate_values) for t in study.trials],
    "importances": optuna.importance.get_param_importances(study),
    "first": study.trials[0].params, "first_user": study.trials[0].user_attrs}))
"""

# Somebody enqueues a trial with Optuna, for Parley to run.
ENQUEUE = """
import sys, optuna
optuna.logging.set_verbosity(optuna.logging.ERROR)
study = optuna.load_study(study_name=sys.argv[2], storage="sqlite:///" + sys.argv[1])
study.enqueue_trial({"stakes.margin": 2.5, "stakes.rounds_over": 3})
"""


def optuna_python():
    """A Python with Optuna; nothing if it is not available. With CI=true it must be."""
    made = subprocess.run(["tools/venv.sh", "optuna"], cwd=ROOT, capture_output=True, text=True,
                          timeout=600, check=False)
    if made.returncode == 0:
        return os.path.join(made.stdout.strip(), "bin", "python")
    if os.environ.get("CI") == "true":
        raise AssertionError("tools/venv.sh optuna: " + made.stderr)
    return None


class Tune(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="parley-tune-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def parley(self, *arguments, status=0):
        done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, text=True,
                              timeout=120, check=False, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def tune(self, place, *more):
        done = self.parley("tune", *SHORT, "--storage", place, "-o", "json", *more)
        return json.loads(done.stdout)

    def optuna(self, script, *arguments):
        python = optuna_python()
        if python is None:
            self.skipTest("Optuna cannot be had from PyPI")
        done = subprocess.run([python, "-c", script, *arguments], cwd=self.folder,
                              capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_a_study_goes_on_and_optuna_reads_the_same(self):
        for kind in ("sqlite", "journal"):
            with self.subTest(kind):
                place = kind + ":" + self.path(kind)
                first = self.tune(place, "--trials", "3")
                self.assertEqual(first["complete"], 3)
                again = self.tune(place, "--trials", "3", "--workers", "2")
                self.assertEqual(again["complete"] + again["pruned"], 6)
                self.assertEqual(again["default_tuning"], first["default_tuning"])
                self.assertEqual(again["default_fresh"], first["default_fresh"])

                theirs = json.loads(self.optuna(READ, place, STUDY))
                ours = min(again["finalists"], key=lambda f: (f["tuning"], f["trial"]))
                self.assertEqual(theirs["best"], ours["tuning"])
                self.assertEqual(theirs["trial"], ours["trial"])
                self.assertEqual(len(theirs["states"]), 6)
                self.assertEqual(theirs["steps"][0], [1, 2])
                self.assertEqual(theirs["user"]["parley:prices"], again["prices"])
                self.assertEqual(theirs["user"]["parley:seeds"], "100000-100001")
                self.assertEqual(theirs["first_user"]["parley:policy"], "default")
                for row in again["parameters"]:
                    self.assertEqual(theirs["first"][row["name"]], row["before"])
                    self.assertAlmostEqual(theirs["importances"][row["name"]], row["importance"], 9)

    def test_two_trials_rank_nothing(self):
        done = self.parley("tune", *SHORT, "--trials", "2", "--storage", "sqlite:" + self.path("db"))
        self.assertIn(", runs of 10m, a round every 15s.\n", done.stdout)
        self.assertIn("\nNo importance: 2 complete trials are too few, 5 are needed.\n", done.stdout)
        report = self.tune("sqlite:" + self.path("db"), "--trials", "0")
        self.assertEqual([row["importance"] for row in report["parameters"]],
                         [None] * len(report["parameters"]))

    def test_optuna_sees_the_prototypes_weights_as_more_is_better(self):
        place = "sqlite:" + self.path("db")
        ours = self.tune(place, "--profile", "prototype", "--trials", "12")
        theirs = json.loads(self.optuna(READ, place, "prototype-failing-node"))
        self.assertEqual(theirs["best"], max(f["tuning"] for f in ours["finalists"]))
        self.assertIn("contains its own weights", theirs["user"]["parley:objective"])
        self.assertEqual(theirs["first"], {"alpha": 1.0, "beta": 0.6, "gamma": 0.8})
        for row in ours["parameters"]:
            self.assertAlmostEqual(theirs["importances"][row["name"]], row["importance"], 9)

    def test_a_trial_that_optuna_enqueued_is_run(self):
        place = self.path("db")
        self.tune("sqlite:" + place, "--trials", "1")
        self.optuna(ENQUEUE, place, STUDY)
        self.tune("sqlite:" + place, "--trials", "1")
        with sqlite3.connect(place) as base:
            row = base.execute("SELECT param_value FROM trial_params p JOIN trials t USING (trial_id)"
                               " WHERE t.number = 1 AND p.param_name = 'stakes.margin'").fetchone()
            state = base.execute("SELECT state FROM trials WHERE number = 1").fetchone()
        base.close()
        self.assertEqual((row[0], state[0]), (2.5, "COMPLETE"))

    def test_other_prices_and_another_scenario_are_refused(self):
        place = self.path("db")
        self.tune("sqlite:" + place, "--trials", "1")
        wrong = self.parley("tune", "--scenario", "calm", "--storage", "sqlite:" + place, "--study",
                            STUDY, "--pairs", "2", "--length", "10m", status=2)
        self.assertIn('has the scenario "failing-node", not "calm"', wrong.stderr)
        with sqlite3.connect(place) as base:
            base.execute("UPDATE study_user_attributes SET value_json = '\"feed\"' "
                         "WHERE key = 'parley:prices'")
        base.close()
        wrong = self.parley("tune", *SHORT, "--storage", "sqlite:" + place, status=2)
        self.assertIn('has prices with the hash "feed"', wrong.stderr)
        self.assertIn("--study", wrong.stderr)
        self.assertEqual(wrong.stdout, "")

    def test_the_study_is_not_replaced_by_its_winner(self):
        for storage in ("journal:s", "sqlite:s", "sqlite:///s"):
            done = self.parley("tune", *SHORT, "--trials", "1", "--storage", storage, "--write",
                               "./s", status=2)
            self.assertIn("would be overwritten", done.stderr)

    def test_the_winner_is_a_file_for_config(self):
        done = self.parley("tune", *SHORT, "--trials", "2", "--storage", "journal:j", "--write",
                           "tuned.yaml")
        self.assertIn(", the winner", done.stdout)
        self.assertIn("\npolicy:\n", done.stdout)
        shown = self.parley("config", "print", "--config", "tuned.yaml", "-o", "json").stdout
        self.assertIn("tuned.yaml", json.loads(shown)["from"]["policy.stakes.margin"])
        self.parley("simulate", "--scenario", "calm", "--rounds", "3", "--config", "tuned.yaml")

    def killed(self, place, how):
        """A study whose process was killed in the middle of a trial."""
        process = subprocess.Popen([PROGRAM, "tune", "--scenario", "failing-node", "--pairs", "500",
                                    "--length", "10m", "--fresh", "3", "--storage", place],
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True)
        file, until = place.split(":", 1)[1], time.monotonic() + 60
        while time.monotonic() < until and self.reports(file) < 3:
            time.sleep(0.02)
        process.send_signal(how)
        _, said = process.communicate(timeout=60)
        return process.returncode, said

    @staticmethod
    def reports(file):
        if not os.path.exists(file):
            return 0
        base = sqlite3.connect(file)
        try:
            return base.execute("SELECT count(*) FROM trial_intermediate_values").fetchone()[0]
        except sqlite3.OperationalError:  # Not created yet.
            return 0
        finally:
            base.close()

    def states(self, file):
        base = sqlite3.connect(file)
        rows = [row[0] for row in base.execute("SELECT state FROM trials ORDER BY number")]
        base.close()
        return rows

    def test_interrupted_it_fails_the_trial_under_way_and_says_how_to_go_on(self):
        code, said = self.killed("sqlite:" + self.path("db"), signal.SIGINT)
        self.assertEqual(code, 0)
        self.assertIn("the same command goes on", said)
        self.assertNotIn("error:", said)
        self.assertEqual(self.states(self.path("db")), ["FAIL"])

    def test_the_trial_of_a_killed_process_fails_when_it_was_silent_for_long_enough(self):
        place = "sqlite:" + self.path("db")
        code, _ = self.killed(place, signal.SIGKILL)
        self.assertEqual(code, -signal.SIGKILL)
        self.assertEqual(self.states(self.path("db")), ["RUNNING"])
        self.parley("tune", "--scenario", "failing-node", "--pairs", "500", "--length", "10m",
                    "--fresh", "3", "--storage", place, "--trials", "1", "--grace", "0s")
        self.assertEqual(self.states(self.path("db")), ["FAIL", "COMPLETE"])

    def test_three_slashes_are_a_path_from_here_as_optuna_reads_them(self):
        self.tune("sqlite:///here.db", "--trials", "1")
        self.assertTrue(os.path.exists(self.path("here.db")))
        self.tune("sqlite:///" + self.path("there.db"), "--trials", "1")
        self.assertTrue(os.path.exists(self.path("there.db")))

    def test_help_has_examples(self):
        self.assertIn("Examples:\n  parley tune ", self.parley("tune", "--help").stdout)

    def test_wrong_use_is_named_and_leaves_nothing_behind(self):
        for arguments, says in ((["--scenario", "nowhere"], '"nowhere"'),
                                (["--storage", "redis:x"], "neither journal:FILE nor sqlite:FILE"),
                                (["--length", "1s"], "--length and --interval"),
                                (["--timeout", "soon"], "--timeout"),
                                (["--pruner", "axe"], "axe"),
                                (["--fresh", "1"], "--fresh")):
            with self.subTest(arguments):
                self.assertIn(says, self.parley("tune", *arguments, status=2).stderr)
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_damaged_storage_is_no_wrong_use(self):
        for kind in ("journal", "sqlite"):
            with self.subTest(kind):
                with open(self.path(kind), "wb") as file:
                    file.write(b"\x00\xff" * 600)
                wrong = self.parley("tune", *SHORT, "--storage", f"{kind}:{self.path(kind)}",
                                    status=1)
                self.assertIn(self.path(kind), wrong.stderr)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
