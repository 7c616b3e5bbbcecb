#!/usr/bin/env python3
"""What Parley must not conclude, through its commands: a bad release is no sign of a node, one sample
puts nothing to sleep, and no setting lifts the guard's own limits.

Usage: tests/cli/judgement_test.py PROGRAM [unittest arguments]
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = ""

DISRUPTIVE = ("migrate", "replicate", "power_state:sleep", "power_state:off")


class Judgement(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="parley-judgement-")
        self.addCleanup(shutil.rmtree, self.folder)

    def run_it(self, *arguments):
        return subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True,
                              text=True, timeout=240, check=False, stdin=subprocess.DEVNULL)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)
        return name

    def disruptions(self, run, *arguments):
        """Labels of accepted actions of a run that take capacity or pods away."""
        done = self.run_it("simulate", "--event-dir", run, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = []
        with open(os.path.join(self.folder, run, "events.jsonl"), encoding="utf-8") as events:
            for line in events:
                event = json.loads(line)
                if event["kind"] == "decision":
                    label = event["data"]["action_label"]
                    found += [label for kind in DISRUPTIVE if label.endswith(":" + kind)]
        return found


class BadRelease(Judgement):
    def test_a_node_that_fails_is_still_found(self):
        self.assertIn("AgentA:migrate", self.disruptions("failing", "--scenario", "failing-node",
                                                         "--seed", "7", "--rounds", "60"))

    def test_crash_loops_move_nothing_and_why_says_whose_they_are(self):
        for predictor in ("evidence", "xgboost"):
            for seed in ("1", "7", "31"):
                run = f"{predictor}-{seed}"
                self.assertEqual(self.disruptions(run, "--scenario", "bad-release", "--seed", seed,
                                                  "--rounds", "250", "--predictor", predictor),
                                 [], run)
        why = self.run_it("why", "evidence-7", "--round", "200")
        self.assertEqual(why.returncode, 0, why.stderr)
        self.assertIn("its own crash loop", why.stdout)


NOISY = """name: noisy
description: 12 nodes that are a little busier than what may sleep, measured badly
nodes: [{count: 12, zones: 3, cpu_m: 3000, memory_mib: 6144, can_power: true}]
workloads:
  - {space: shop, name: web, replicas: 36, service: {rate: {base: 450}},
     pod: {cpu_request_m: 500, memory_request_mib: 512, memory_mib: 400}}
sources:
  - {source: metrics, noise: 0.3}
  - {source: prometheus, noise: 0.3}
"""


class OneSample(Judgement):
    def test_noise_puts_no_node_to_sleep(self):
        self.write("noisy.yaml", NOISY)
        for seed in range(1, 9):
            self.assertEqual(self.disruptions(f"noise-{seed}", "--scenario", "noisy.yaml",
                                              "--seed", str(seed), "--rounds", "300"), [], seed)


# Ten settings that nobody may loosen: what is written, and the part of the sentence that names it.
BEYOND = [
    ("guard.allowance_one_in", "1", "10"),
    ("guard.breaker_share", "0.9", "0.2"),
    ("guard.breaker_quiet", "0s", "10m"),
    ("guard.metrics_age_max", "1h", "2m"),
    ("guard.api_age_max", "10m", "1m"),
    ("guard.coverage_disrupt", "0", "0.8"),
    ("guard.warmup_rounds", "0", "3"),
    ("stakes.rounds_over", "1", "2"),
    ("evidence.base", "0", "1e-06"),
    ("efficiency.sleep_below", "1", "0.5"),
]

COMMANDS = [
    ["config", "print"],
    ["simulate", "--rounds", "3"],
    ["demo", "--rounds", "3"],
    ["live", "--rounds", "1"],
    ["compare", "--scenario", "calm"],
]


class Floor(Judgement):
    def refused(self, *arguments):
        done = self.run_it(*arguments)
        self.assertEqual(done.returncode, 2, (arguments, done.stdout, done.stderr))
        self.assertEqual(done.stdout, "")
        return done.stderr

    def test_a_setting_beyond_is_refused_with_file_line_key_and_limit(self):
        for key, value, limit in BEYOND:
            group, name = key.split(".")
            self.write("loose.yaml", f"policy:\n  {group}:\n    {name}: {value}\n")
            said = self.refused("simulate", "--config", "loose.yaml", "--rounds", "3")
            self.assertIn("loose.yaml:3:", said)
            self.assertIn(f"policy.{key} must be", said)
            self.assertIn(limit, said)
            self.assertIn("the guard's own limit, which settings may tighten and never loosen",
                          said)
            said = self.refused("simulate", "--rounds", "3", "--set", f"policy.{key}={value}")
            self.assertIn(f"--set policy.{key}", said)

    def test_every_command_that_takes_settings_refuses(self):
        self.write("loose.yaml", "policy:\n  evidence:\n    base: 0\n")
        for command in COMMANDS:
            flag = ["--policy", "loose.yaml"] if command[0] == "compare" else ["--config",
                                                                               "loose.yaml"]
            self.assertIn("policy.evidence.base must be", self.refused(*command, *flag), command)

    def test_rounds_that_are_too_few_together_are_refused(self):
        self.write("loose.yaml", "policy:\n  stakes:\n    rounds_of: 8\n")
        said = self.refused("config", "print", "--config", "loose.yaml")
        self.assertIn("loose.yaml:3: policy.stakes.rounds_over is 2 of 8 rounds", said)
        self.assertIn("write 6 or more", said)

    def test_what_is_tighter_is_taken(self):
        self.write("tight.yaml", "policy:\n  guard: {allowance_one_in: 20, breaker_share: 0.1, "
                                 "coverage_disrupt: 1, warmup_rounds: 9}\n  stakes: "
                                 "{rounds_over: 3}\n")
        done = self.run_it("config", "print", "--config", "tight.yaml")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"allowance_one_in: 20 +# tight.yaml:2")


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
