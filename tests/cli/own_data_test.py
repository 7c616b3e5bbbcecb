#!/usr/bin/env python3
"""A researcher's own tables, models, scenarios and seeds, through the commands.

Usage: tests/cli/own_data_test.py PROGRAM [unittest arguments]
"""

import json
import math
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import own_tables

PROGRAM = ""
COMPARE = ["compare", "--arms", "evidence,never", "--length", "10m"]


class OwnData(unittest.TestCase):
    """Data that people bring is accepted, or refused with place and reason."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="parley-own-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return name

    def environment(self):
        return {**os.environ, "HOME": self.folder, "OMP_WAIT_POLICY": "passive"}

    def parley(self, *arguments, status=0):
        done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, text=True,
                              timeout=300, check=False, env=self.environment())
        self.assertEqual(done.returncode, status, done.stderr + done.stdout)
        return done

    def nodes_table(self):
        return self.write("hosts.csv", own_tables.failures())

    RISK = ["--time", "at_ms", "--entity", "host", "--event", "down", "--horizon", "1h", "--rounds",
            "20"]

    def test_a_table_of_failures_trains_and_with_a_list_serves(self):
        table = self.nodes_table()
        done = self.parley("train", "risk", "--csv", table, *self.RISK, "--out", "brain")
        self.assertIn("hosts.csv: down within 1h", done.stdout)
        self.assertIn('No features, as they hold text or nothing: "zone"', done.stderr)
        self.assertIn("serves nodes only with a list", done.stderr)
        # Without a list it is not known which node feature a column is.
        said = self.parley("model", "use", "./brain", status=2).stderr
        self.assertIn("nothing says which features of a node these are", said)
        self.write("list.csv", "feature,serves,unit\ndisk,disk_share,percent\n")
        done = self.parley("train", "risk", "--csv", table, *self.RISK, "--features", "list.csv")
        model = done.stderr.split("Model ")[1].split()[0]
        self.assertIn(f"parley model use {model}", done.stderr)
        self.parley("model", "use", model)
        run = self.path("run")
        self.parley("simulate", "--scenario", "failing-node", "--rounds", "8", "--predictor",
                    "xgboost", "--event-dir", run)
        self.assertIn("bit for bit", self.parley("replay", run).stdout)
        self.assertRegex(self.parley("why", run, "--node", "node-03").stdout, r"Odds .* x[\d.]+ disk_share")

    def test_a_table_of_use_is_forecast_at_its_own_step(self):
        table = self.write("load.csv", own_tables.use())
        arguments = ["train", "demand", "--csv", table, "--time", "when", "--entity", "service",
                     "--value", "rps", "--rounds", "30"]
        report = json.loads(self.parley(*arguments, "-o", "json").stdout)
        self.assertEqual([h["minutes"] for h in report["horizons"]], [15, 45, 180])
        self.assertEqual(report["data"]["slices"][0]["entities"], 3)
        self.assertIn("does not serve nodes", self.parley(*arguments, "--out", "brain").stderr)

    def test_wrong_tables_are_refused_with_their_place(self):
        self.write("x.csv", "t,e,v\n0,a,0\n60,a,0\n60,a,1\n")
        usual = ["train", "risk", "--csv", "x.csv", "--time", "t", "--entity", "e", "--event", "v"]
        self.assertIn("x.csv:4: the time 1970-01-01T00:01:00Z of \"a\" stands in line 3 already",
                      self.parley(*usual, status=1).stderr)
        self.assertIn("x.csv:1: no column is called \"tt\"",
                      self.parley(*usual[:5], "tt", *usual[6:], status=1).stderr)
        self.assertIn("--csv: there is no nope.csv",
                      self.parley("train", "risk", "--csv", "nope.csv", *usual[4:], status=2).stderr)
        self.assertIn("--csv needs the names of its columns",
                      self.parley("train", "risk", "--csv", "x.csv", status=2).stderr)

    def test_a_foreign_model_serves_with_a_feature_list(self):
        self.write("theirs.json", own_tables.foreign_model())
        self.write("list.csv", "feature,serves,unit\ncpu,cpu_share,percent\n")
        use = ["model", "use", "./theirs.json"]
        self.assertIn("--features LIST", self.parley(*use, status=2).stderr)
        said = self.parley(*use, "--features", "list.csv", status=2).stderr
        self.assertIn("not calibrated", said)
        self.assertIn("--calibrated", said)
        self.write("bad.csv", "feature,serves,unit\ncpu,cpu_shares,percent\n")
        self.assertIn("bad.csv:2: no node feature is called \"cpu_shares\"; did you mean cpu_share?",
                      self.parley(*use, "--features", "bad.csv", status=1).stderr)
        said = self.parley(*use, "--features", "list.csv", "--calibrated").stdout
        self.assertRegex(said, r"risk-[0-9a-f]{12} is now the model of risk")
        run = self.path("run")
        self.parley("simulate", "--scenario", "calm", "--rounds", "6", "--predictor", "xgboost",
                    "--event-dir", run)
        self.assertIn("bit for bit", self.parley("replay", run).stdout)
        # Odds of 1 %, and times e to the -1 below 90 %: as the file itself gives.
        odds = 0.01 / 0.99 * math.exp(-1)
        self.assertIn(f"0.00{round(odds / (1 + odds) * 1000)}",
                      self.parley("why", run, "--node", "node-03").stdout)

    def scenario(self, name="mine.yaml"):
        return "./" + self.write(name, self.parley("scenario", "show", "calm").stdout)

    def test_comparisons_take_scenario_files_and_seeds_of_ones_own(self):
        mine = self.scenario()
        report = json.loads(self.parley(*COMPARE, "--scenario", f"calm,{mine}", "--seeds",
                                        "2000000-2000002", "-o", "json").stdout)
        self.assertEqual([a["scenario"] for a in report["arms"]], ["calm"] * 2 + [mine] * 2)
        self.assertEqual(report["arms"][0]["runs"], 3)
        self.assertEqual(report["first_seed"], 2000000)
        for seeds, why in {"1-10": "the model learned from seeds 1 to 110",
                           "100010-100020": "parley tune uses seeds 100000 to 199999",
                           "5-3": "--seeds is the first seed, or a range"}.items():
            said = self.parley(*COMPARE, "--scenario", "calm", "--seeds", seeds, status=2).stderr
            self.assertIn(why, said)
        self.assertIn("./other.yaml", self.parley(*COMPARE, "--scenario", "./other.yaml", "--pairs",
                                                  "2", status=2).stderr)

    def test_a_comparison_that_was_stopped_goes_on_with_what_is_kept(self):
        arguments = [*COMPARE, "--scenario", "calm,failing-node", "--pairs", "12"]
        whole = self.parley(*arguments, "-o", "json").stdout
        kept = [*arguments, "--keep", "kept.runs", "-o", "json"]
        process = subprocess.Popen([PROGRAM, *kept], cwd=self.folder, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=self.environment())
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and process.poll() is None:
            try:
                with open(self.path("kept.runs"), encoding="utf-8") as file:
                    if len(file.readlines()) > 5:
                        break
            except FileNotFoundError:
                pass
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        out, said = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, said)
        part = json.loads(out)
        if part["stopped"]:
            self.assertIn("the same command goes on", said)
            self.assertLess(part["runs_done"], part["runs_wanted"])
        with open(self.path("kept.runs"), encoding="utf-8") as file:
            before = file.readlines()
        again = self.parley(*kept).stdout
        self.assertEqual(json.loads(again)["comparisons"], json.loads(whole)["comparisons"])
        with open(self.path("kept.runs"), encoding="utf-8") as file:
            after = file.readlines()
        self.assertEqual(after[:len(before)], before, "nothing is run twice")
        self.assertEqual(len(after), 1 + 2 * 2 * 12)
        said = self.parley(*arguments, "--interval", "30s", "--keep", "kept.runs", status=2).stderr
        self.assertIn("holds runs of another comparison", said)

    def test_tuning_takes_scenario_files_and_seeds_and_compare_refuses_them(self):
        mine = self.scenario()
        tune = ["tune", "--scenario", mine, "--seeds", "300000", "--pairs", "2", "--length", "10m",
                "--fresh", "2", "--trials", "2", "--write", "tuned.yaml"]
        self.assertIn("- {from: 300002, to: 300003}", self.parley(*tune).stdout)
        with open(self.path("tuned.yaml"), encoding="utf-8") as file:
            self.assertIn("tuned_on:\n  - {from: 300000, to: 300001}\n  - {from: 300002, to: 300003}\n", file.read())
        said = self.parley("compare", "--policy", "tuned.yaml", "--arms", "evidence", "--scenario",
                           "calm", "--seeds", "300001-300010", status=2).stderr
        self.assertIn("tuned.yaml was tuned on seeds 300000 to 300001", said)
        # The file changed under the same name, so it is another study.
        self.write("mine.yaml", self.parley("scenario", "show", "failing-node").stdout.replace(
            "name: failing-node", "name: calm"))
        self.assertIn("the scenario", self.parley(*tune, status=2).stderr)
        said = self.parley("tune", "--seeds", "999999", "--trials", "1", status=2).stderr
        self.assertIn("are for parley compare alone", said)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
