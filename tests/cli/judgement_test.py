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

    def events(self, run, kind):
        with open(os.path.join(self.folder, run, "events.jsonl"), encoding="utf-8") as events:
            return [event for event in map(json.loads, events) if event["kind"] == kind]

    def disruptions(self, run, *arguments):
        """Labels of accepted actions of a run that take capacity or pods away."""
        done = self.run_it("simulate", "--event-dir", run, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        labels = [event["data"]["action_label"] for event in self.events(run, "decision")]
        return [label for label in labels for kind in DISRUPTIVE if label.endswith(":" + kind)]


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

    def test_a_model_that_has_no_forecast_yet_does_not_make_one_sample_enough(self):
        """For its first 15 minutes a node has none, and the figures stand for it."""
        self.write("near.yaml", NEAR)
        for seed in range(1, 9):
            self.assertEqual(self.disruptions(f"near-{seed}", "--scenario", "near.yaml", "--seed",
                                              str(seed), "--rounds", "200", "--predictor",
                                              "xgboost"), [], seed)


# Twelve nodes at a demand of a little under 0.2; they may sleep below 0.12.
NEAR = """name: near
nodes: [{count: 12, zones: 3, cpu_m: 3000, memory_mib: 6144, can_power: true}]
workloads:
  - space: shop
    name: web
    replicas: 36
    service: {rate: {base: 250}}
    pod: {cpu_request_m: 500, memory_request_mib: 512, memory_mib: 400}
sources:
  - {source: metrics, noise: 0.3}
  - {source: prometheus, noise: 0.3}
"""

# The node that could take the pods fails after they were moved.
STRANDED = """name: stranded
nodes:
  - {name: node, count: 12, zones: 3}
  - {name: gpu, pool: gpu, count: 2, zones: 1, racks: 1, cpu_m: 4000}
workloads:
  - {space: shop, name: web, replicas: 12, service: {rate: {base: 60}}}
  - space: ml
    name: infer
    replicas: 6
    selector: pool=gpu
    service: {rate: {base: 2}}
    pod: {cpu_request_m: 300, cpu_limit_m: 300}
script:
  - {kind: degrade_heal, at: 3, target: gpu-01, lead: 480, gamma: 0.2}
  - {kind: fail, at: 100, target: gpu-02, repair: 0}
"""


class Contradict(Judgement):
    """Two sources of which one is off by a factor of e, in other ways than scenario contradict has it."""

    def try_with(self, name, change):
        shown = self.run_it("scenario", "show", "contradict", "-o", "json")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        scenario = json.loads(shown.stdout)
        change(scenario["sources"])
        self.write(f"{name}.json", json.dumps(scenario))
        self.assertEqual(self.disruptions(name, "--scenario", f"./{name}.json", "--rounds", "200"), [])
        raised = [each for each in self.events(name, "alarm")
                  if each["data"]["kind"] == "sources_contradict"]
        cleared = [each for each in raised if "cleared" in each["message"]]
        self.assertTrue(raised, "nobody noticed")
        self.assertEqual(cleared, [], "what is still so was called over")

    def test_one_that_lags_behind_the_other(self):
        def late(sources):
            sources[0]["lag"] = 40
        self.try_with("late", late)

    def test_two_that_measure_at_other_times(self):
        def seldom(sources):
            sources[0]["period"], sources[1]["period"] = 60, 30
        self.try_with("seldom", seldom)

    def test_one_that_is_wrong_about_half_of_the_nodes(self):
        def half(sources):
            sources[0]["faults"][0]["share"] = 0.5
        self.try_with("half", half)


class Stranded(Judgement):
    def test_pods_that_find_no_node_undo_the_drain_whatever_else_was_done_there(self):
        self.write("stranded.yaml", STRANDED)
        self.run_it("simulate", "--scenario", "stranded.yaml", "--seed", "1", "--rounds", "300",
                    "--event-dir", "stranded")
        said = self.run_it("why", "stranded", "--node", "gpu-01").stdout
        self.assertIn("found no node for over 2m00s after our eviction", " ".join(said.split()))


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
    ("evidence.base", "0", "0.000001"),
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
