#!/usr/bin/env python3
"""Models of XGBoost 1.7, 2.1 and the current release, read and served by us: margins with the same
bits, contributions within 1e-4, what must be refused refused.

Usage: tests/brain/xgboost_versions_test.py PROGRAM [unittest arguments]. The Python environments are
made once, from PyPI, by tools/venv.sh; after that nothing is fetched.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PROGRAM = ""

REFUSED = {"refused_categorical.json": "categor", "refused_dart.json": '"dart"',
           "refused_gblinear.json": '"gblinear"', "refused_poisson.json": '"count:poisson"',
           "refused_rank.json": '"rank:pairwise"', "refused_softprob.json": "3 outputs",
           "refused_targets.json": "2 outputs"}


class Versions(unittest.TestCase):
    def answers(self, environment: str) -> dict:
        made = subprocess.run([ROOT / "tools/venv.sh", environment], capture_output=True, text=True,
                              check=False)
        self.assertEqual(made.returncode, 0, made.stderr)
        python = Path(made.stdout.strip()) / "bin" / "python"
        quiet = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"}
        with tempfile.TemporaryDirectory(prefix="parley-xgboost-") as folder:
            subprocess.run([python, "-B", HERE / "xgboost_train.py", folder], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=quiet)
            return json.loads(subprocess.run(
                [python, "-B", HERE / "xgboost_compare.py", PROGRAM, folder], check=True,
                capture_output=True, text=True, env=quiet).stdout)

    def check(self, environment: str, version: str) -> None:
        found = self.answers(environment)
        served = {name: answer for name, answer in found.items() if name not in REFUSED}
        self.assertGreaterEqual(len(served), 30)
        for name, answer in served.items():
            with self.subTest(model=name, xgboost=version):
                self.assertEqual(answer["status"], 0, answer)
                self.assertTrue(answer["version"].startswith(version), answer)
                self.assertEqual(answer["rows"], 3000)
                self.assertEqual(answer["equal_bits"], 1.0, answer)
                self.assertTrue(answer["batch_as_single"], answer)
                self.assertLessEqual(answer["contributions"], 1e-4, answer)
                self.assertLessEqual(answer["sum"], 1e-5, answer)
        for name, words in REFUSED.items():
            with self.subTest(model=name, xgboost=version):
                self.assertEqual(found[name]["status"], 3, found[name])
                self.assertIn(words, found[name]["said"])

    def test_models_of_1_7(self):
        self.check("xgboost17", "1.7.")

    def test_models_of_2_1(self):
        self.check("xgboost21", "2.1.")

    def test_models_of_the_current_release(self):
        self.check("xgboost", "3.")


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
