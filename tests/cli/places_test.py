#!/usr/bin/env python3
"""Where pods may be placed and whose shortage it is, as `simulate`, `why` and `why-not` report it.

Usage: tests/cli/places_test.py PROGRAM   (from the project's root)
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = ""

NODES = """
nodes:
  - {name: node, count: 12, zones: 3}
  - {name: gpu, pool: gpu, count: 1, zones: 1, racks: 1}
"""

# The only node with a GPU degrades; four pods cannot run elsewhere.
GPU = NODES + """
name: only-gpu
workloads:
  - {space: shop, name: web, replicas: 12, service: {rate: {base: 60}}}
  - {space: ml, name: train, replicas: 4, selector: pool=gpu, service: {rate: {base: 20}}}
script:
  - {kind: degrade_fail, at: 3, target: gpu-01, lead: 480, gamma: 0.2}
"""

# One tenant floods the cluster, another has a Job now and then; a third requests something impossible.
TENANTS = NODES + """
name: tenants
jobs:
  - space: loud
    name: crunch
    parallel: 4
    work_core_s: 240
    pod: {cpu_request_m: 2600, cpu_limit_m: 2600}
    bursts: [{at: 30, jobs: 30}]
  - space: quiet
    name: crunch
    parallel: 4
    work_core_s: 240
    pod: {cpu_request_m: 2600, cpu_limit_m: 2600}
    bursts: [{at: 30, jobs: 1}, {at: 120, jobs: 1}]
  - space: dreamer
    name: huge
    parallel: 20
    pod: {cpu_request_m: 500000, cpu_limit_m: 500000}
    bursts: [{at: 10, jobs: 10}]
"""


class Places(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="parley-places-")
        self.addCleanup(shutil.rmtree, self.folder)

    def run_of(self, scenario, rounds):
        """The folder of a run of the scenario."""
        file = os.path.join(self.folder, "scenario.yaml")
        with open(file, "w", encoding="ascii") as out:
            out.write(scenario)
        folder = os.path.join(self.folder, "run")
        self.said("simulate", "--scenario", file, "--seed", "1", "--rounds", str(rounds),
                  "--event-dir", folder)
        return folder

    def said(self, *arguments):
        done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_why_not_names_the_pod_that_has_nowhere_to_go(self):
        folder = self.run_of(GPU, 30)
        said = self.said("why-not", folder, "migrate:gpu-01", "--round", "20")
        answer = " ".join(said.split())
        self.assertRegex(answer, r"train-\w+-\w+ of ml/train may run on no other node that takes "
                                 r"pods, by its selector, affinity, taints, spread or volumes")
        self.assertIn("fits-elsewhere", answer)

    def test_an_order_names_whom_it_is_for(self):
        folder = self.run_of(TENANTS, 60)
        answer = json.loads(self.said("why", folder, "-o", "json"))
        text = json.dumps(answer)
        self.assertIn("in loud", text)
        self.assertNotIn("in quiet", text)
        self.assertNotIn("in dreamer", text)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
