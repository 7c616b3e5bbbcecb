#!/usr/bin/env python3
"""What the reports of training say, through the commands that print them.

Usage: tests/cli/reports_test.py PROGRAM [unittest arguments]
"""

import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = ""
SMART = ["5", "10", "12", "187", "188", "189", "196", "197", "198"]
# One tree of two features; only its base margin matters here.
MODEL = {"learner": {
    "attributes": {}, "feature_names": ["load", "age"], "feature_types": ["float", "int"],
    "gradient_booster": {"model": {
        "gbtree_model_param": {"num_trees": "1"}, "tree_info": [0], "trees": [{
            "left_children": [1, -1, -1], "right_children": [2, -1, -1],
            "split_indices": [0, 0, 0], "split_conditions": [0.5, -1.0, 2.0],
            "default_left": [1, 0, 0], "sum_hessian": [4.0, 1.0, 3.0], "split_type": [0, 0, 0],
            "tree_param": {"size_leaf_vector": "1"}}]}, "name": "gbtree"},
    "learner_model_param": {"base_score": "[1E-7]", "num_class": "0", "num_feature": "2",
                            "num_target": "1"},
    "objective": {"name": "binary:logistic"}}, "version": [3, 2, 0]}


class Reports(unittest.TestCase):
    """A report says neither more nor less than the data."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="parley-reports-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def parley(self, *arguments, status=0):
        done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, text=True,
                              timeout=300, check=False,
                              env={**os.environ, "HOME": self.folder, "OMP_WAIT_POLICY": "passive"})
        self.assertEqual(done.returncode, status, done.stderr + done.stdout)
        return done

    def days_of_drives(self, days, drives=4000, seed=5):
        """Each day a drive fails with 1 %, and otherwise its readings change with 5 %: of what ends,
        16.8 % is a failure, however long anybody watches."""
        draw = random.Random(seed)
        folder = self.path(f"days-{days}")
        os.mkdir(folder)
        bad = [0] * drives
        gone = [False] * drives
        heading = "date,serial_number,model,capacity_bytes,failure,smart_9_raw," + ",".join(
            f"smart_{n}_raw" for n in SMART)
        for day in range(days):
            lines = [heading]
            for drive in range(drives):
                if gone[drive]:
                    continue
                failed = day > 0 and draw.random() < 0.01
                if not failed and day > 0 and draw.random() < 0.05:
                    bad[drive] += 1
                gone[drive] = failed
                readings = ["0"] * len(SMART)
                readings[0] = str(bad[drive])
                date = f"2024-{1 + day // 28:02}-{1 + day % 28:02}"
                lines.append(f"{date},S{drive},ST4000,4000787030016,{int(failed)},{1000 + 24 * day},"
                             + ",".join(readings))
            with open(os.path.join(folder, f"day-{day:03}.csv"), "w", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")
        return folder

    def test_ten_days_of_drives_have_the_base_rate_of_a_long_record(self):
        report = json.loads(self.parley(
            "train", "risk", "--trace", "backblaze", "--from", self.days_of_drives(10),
            "--rounds", "5", "-o", "json").stdout)
        self.assertAlmostEqual(report["quality"]["base_rate"], 0.168, delta=0.03)
        self.assertGreater(report["data"]["censored"], 3000)
        self.assertTrue(any("censored" in each for each in report["warnings"]), report["warnings"])

    def nodes(self, name, row, nodes=60, hours=240):
        """A user's table; `row` gives event and features of a node in an hour."""
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write("node,hour,failed,heat,other\n")
            for node in range(nodes):
                for hour in range(hours):
                    event, heat, other = row(node, hour)
                    file.write(f"n{node},{hour * 3600},{event},{heat},{other}\n")
        return ["train", "risk", "--csv", name, "--time", "hour", "--entity", "node", "--event",
                "failed", "--horizon", "2h", "--rounds", "20", "-o", "json"]

    def test_a_feature_that_is_the_label_and_copies_of_rows_are_warned_of(self):
        draw = random.Random(3)
        fails = {(n, h) for n in range(150) for h in range(240) if draw.random() < 0.02}

        def soon(node, hour):
            return int(any((node, hour + k) in fails for k in (1, 2)))

        report = json.loads(self.parley(*self.nodes("leak.csv", lambda n, h: (
            int((n, h) in fails), round(draw.random(), 3), soon(n, h)))).stdout)
        said = " ".join(report["warnings"])
        self.assertIn("feature other alone tells which rows fail", said)
        # Each node is there twice, under another name; a day and a half is split by nodes.
        heat = {}
        report = json.loads(self.parley(*self.nodes("copies.csv", lambda n, h: (
            int((n // 2, h) in fails), heat.setdefault((n // 2, h), draw.random()), h % 7),
            nodes=300, hours=36)).stdout)
        self.assertRegex(" ".join(report["warnings"]), r"\d+ % of the test rows stand among those")
        self.assertNotIn("alone tells", " ".join(report["warnings"]))

    def test_figures_that_no_right_model_would_show_are_not_met(self):
        """Nodes fail eight times as often in the last fifth as before."""
        draw = random.Random(11)
        hours = 600

        def row(_, hour):
            risk = 0.001 if hour < 480 else 0.02
            return int(draw.random() < risk), round(draw.random(), 3), 1

        arguments = self.nodes("rising.csv", row, nodes=120, hours=hours)
        report = json.loads(self.parley(*arguments).stdout)
        bar = next(b for b in report["bars"] if b["what"] == "observed over expected")
        self.assertFalse(bar["met"])
        self.assertLess(bar["chance"], 0.01)
        text = self.parley(*arguments[:-2]).stdout
        line = next(x for x in text.splitlines() if " observed over expected:" in x)
        self.assertIn("NOT MET", line)
        self.assertIn("be as far off under 1 % of the time", line)

    def test_the_newest_slice_calibrates_where_rates_fall(self):
        draw = random.Random(7)

        def table(name, trend):
            def row(node, hour):
                heat = draw.gauss(0, 1)
                odds = math.exp(-3.2 + 1.2 * heat - trend * hour / 100)
                return int(draw.random() < odds / (1 + odds)), round(heat, 3), node % 3
            return self.nodes(name, row, nodes=100, hours=400)

        falling = json.loads(self.parley(*table("falling.csv", 0.7)).stdout)
        self.assertTrue(falling["calibrated_by_newest"])
        level = json.loads(self.parley(*table("level.csv", 0)).stdout)
        self.assertFalse(level["calibrated_by_newest"])

    def test_a_time_that_stands_there_twice_is_an_error_with_its_line(self):
        lines = ["timestamp,value"] + [f"2024-01-01 {h:02}:00:00,{h}" for h in range(24)]
        lines.insert(5, lines[3])
        with open(self.path("twice.csv"), "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        said = self.parley("train", "demand", "--trace", "nab", "--from", "twice.csv",
                           status=1).stderr
        self.assertIn("twice.csv:6: the time 2024-01-01T02:00:00Z stands in line 4 already", said)

    def test_a_base_score_is_taken_as_its_version_takes_it(self):
        def show(version, score, status=0):
            model = json.loads(json.dumps(MODEL))
            model["version"] = version
            model["learner"]["learner_model_param"]["base_score"] = score
            with open(self.path("model.json"), "w", encoding="utf-8") as file:
                json.dump(model, file)
            done = self.parley("model", "show", "./model.json", "-o", "json", status=status)
            return json.loads(done.stdout)["base_margin"] if status == 0 else done.stderr

        # As XGBoost 3.2.0 and 3.1.3 give them.
        self.assertAlmostEqual(show([3, 2, 0], "[1E-7]"), -13.815509796142578, places=6)
        self.assertAlmostEqual(show([3, 1, 3], "[1E-7]"), -16.11809539794922, places=6)
        self.assertAlmostEqual(show([1, 7, 6], "1E-7"), -16.11809539794922, places=6)
        self.assertIn("files are known up to 3.2", show([3, 3, 0], "[1E-1]", status=1))

    def test_better_needs_a_difference_that_matters(self):
        arguments = ("compare", "--scenario", "rack-down", "--arms", "evidence,never", "--pairs", "6",
                     "--length", "10m", "-o", "json")
        usual = json.loads(self.parley(*arguments).stdout)["comparisons"][0]
        self.assertAlmostEqual(usual["matters"] * 10, usual["delta"], places=9)
        mean = abs(usual["cost"]["mean"])
        if usual["answer"] in ("better", "worse"):
            self.assertGreaterEqual(mean, usual["matters"])
        strict = json.loads(self.parley(*arguments, "--matters", "5").stdout)["comparisons"][0]
        self.assertAlmostEqual(strict["matters"], strict["delta"], places=9)
        text = self.parley(*arguments[:-2]).stdout
        self.assertIn("better or worse: by 0.5 % or more, beyond chance (p below 0.05); equivalent: neither, "
                      "and the 95 % within 5 %", text)
        self.assertIn("--matters is a share", self.parley(*arguments, "--matters", "101",
                                                          status=2).stderr)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
