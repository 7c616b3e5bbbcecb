#!/usr/bin/env python3
"""Plants twelve faults, one layer each, and asks what a person would ask: the answer names the layer, or says what
only that layer could be blamed for. Of a run in which nothing is wrong the same questions get none of these answers.

Usage: tests/scenarios/planted/planted_test.py PROGRAM [unittest arguments]
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from dataclasses import dataclass

import plant

PROGRAM = ""


@dataclass(frozen=True)
class Given:
    """What gives a fault away: a question, and a sentence of the answer."""
    fault: object
    question: tuple  # A command, then what stands after the run's name.
    sentence: str
    beside: str = ""  # What the answer also says, though not of this fault alone.
    status: int = 0


# Kinds of events, which are read in events.jsonl; "last" is the last round of the run.
ALARMS, EXECUTION, DISAGREEMENTS = ("alarm",), ("execution",), ("disagreement",)
LAST = ("why", "--round", "last")

TABLE = [
    # Layer 1: what is measured.
    Given(plant.node_without_samples, ALARMS,
          "metrics reads ok, but node-05 has had no sample for 10 rounds; suspect layer 1, observation"),
    Given(plant.node_without_samples, LAST, "suspect layer 1, observation"),
    Given(plant.node_without_samples, ("why", "--round", "3"), "1 alarm since, the first in round 45: metrics reads ok"),
    Given(plant.source_off_by_a_factor, ALARMS, "suspect layer 1, observation"),
    Given(plant.source_off_by_a_factor, LAST,
          "Shown and believed differ: metrics and prometheus differ: metrics says 3.0 times as much CPU as prometheus"),
    Given(plant.source_off_by_a_factor, DISAGREEMENTS,
          "metrics says 3.0 times as much memory as prometheus (median of 12 nodes); suspect layer 1, observation"),
    # Layer 2: what is believed of it.
    Given(plant.model_that_expects_too_much, ALARMS, "do not come true: 0 nodes failed where 10.0 were expected"),
    Given(plant.model_that_expects_too_much, LAST, "suspect layer 2, prediction"),
    Given(plant.predictor_blind_to_readiness, LAST,
          "spare-02 is not Ready, but its risk is only <0.01 by formula; suspect layer 2, prediction"),
    Given(plant.predictor_blind_to_readiness, DISAGREEMENTS, "by formula; suspect layer 2, prediction"),
    Given(plant.predictor_blind_to_readiness, ("why", "--node", "spare-02"), "not Ready, risk <0.01"),
    # Layer 3: what is wanted.
    Given(plant.margin_that_nothing_passes, ("why-not", "migrate:node-02"),
          "First cause: configuration, policy.stakes.margin: x 50 by configuration (default x 1.1)",
          "Nobody proposed it."),
    Given(plant.margin_that_nothing_passes, ("why",),
          "policy.stakes.margin: x 50 by configuration (default x 1.1)", "A safety did nothing: highest risk while Ready 0.39, node-02"),
    Given(plant.margin_that_nothing_passes, LAST, "A safety idle: On no node would acting pay, whatever its risk."),
    Given(plant.queue_that_nobody_answers, LAST,
          "pods are short of room while C admission admits; suspect layer 3, proposal"),
    Given(plant.queue_that_nobody_answers, ("why-not", "queue"),
          "First cause: configuration, policy.admission.queue_from: 5000 by configuration (default 8)",
          "Nobody proposed it."),
    Given(plant.queue_that_nobody_answers, ("why",),
          "policy.admission.queue_from: 5000 by configuration (default 8)", "C admission did nothing: most 9 pods short"),
    # Layer 4: what is let through.
    Given(plant.warm_up_without_end, LAST, "Who was refused, and by which rule A safety migrate node-02"),
    Given(plant.warm_up_without_end, ("why-not", "migrate:node-02"), "First cause: guard, warm-up",
          "Agent A safety proposed it, and it was refused by warm-up"),
    Given(plant.warm_up_without_end, ("why",),
          "policy.guard.warmup_rounds is 100000 by configuration (default 3)"),
    Given(plant.headroom_that_nobody_has, ("why-not", "migrate:node-02"), "First cause: guard, fits-elsewhere",
          "policy.guard.headroom is 1 by configuration (default 0.1)"),
    # Layer 5: what is carried out.
    Given(plant.budget_that_never_yields, ("why", "--node", "node-02"),
          "is over: its time ran out: shop/web has a disruption budget that allows 0 now",
          "A safety wanted migrate: accepted"),
    Given(plant.budget_that_never_yields, ("why",), "its time ran out: shop/web has a disruption budget that allows 0 now; "
          "suspect layer 5, execution"),
    Given(plant.budget_that_never_yields, ("why", "--workload", "shop/web"), "is over; never sent: evict web-"),
    Given(plant.budget_that_never_yields, EXECUTION, "migrate node-02 is held: shop/web has a disruption budget"),
    Given(plant.mark_taken_away, LAST, "our mark on node-02 is missing: migrate of round",
          "stands there; suspect layer 5, execution"),
    Given(plant.mark_taken_away, ("why",), "our mark on node-02 is missing: migrate of round",
          "stands there; suspect layer 5, execution"),
    Given(plant.mark_taken_away, ("why", "--node", "node-02"), "our mark on node-02 is missing: migrate of round"),
    Given(plant.mark_taken_away, DISAGREEMENTS, "suspect layer 5, execution"),
    # Layer 6: what is kept.
    Given(plant.byte_flipped, ("why",), "Damaged: segment 000001", status=1),
    Given(plant.byte_flipped, ("replay",), "the checksum does not match", status=1),
    Given(plant.journal_cut, ("why",), "Damaged: journal_cut/run.db tells of 100 rounds, and the journal holds 60", status=1),
    Given(plant.journal_cut, ("replay",), "Damaged: journal_cut/run.db tells of 100 rounds, and the journal holds 60", status=1),
]


class Planted(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="parley-planted-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        for fault in [*plant.FAULTS, plant.whole]:
            plant.plant(PROGRAM, fault, os.path.join(cls.folder, fault.__name__))

    def events(self, run, kind):
        with open(os.path.join(self.folder, run, "events.jsonl"), encoding="utf-8") as file:
            return " ".join(event["message"] for event in map(json.loads, file) if event["kind"] == kind)

    def last_round(self, run):
        with open(os.path.join(self.folder, run, "state.json"), encoding="utf-8") as file:
            return str(json.load(file)["rounds"])

    def ask(self, run, question):
        """What is said, as one line, and the exit status."""
        if question in (ALARMS, EXECUTION, DISAGREEMENTS):
            return self.events(run, question[0]), 0
        words = [self.last_round(run) if word == "last" else word for word in question]
        done = subprocess.run([PROGRAM, words[0], run, *words[1:]], cwd=self.folder, capture_output=True, text=True,
                              timeout=60, check=False, stdin=subprocess.DEVNULL)
        return " ".join((done.stdout + done.stderr).split()), done.returncode

    def test_two_faults_of_every_layer(self):
        self.assertEqual(sorted(plant.FAULTS.values()), [layer for layer in plant.LAYERS for _ in range(2)])
        self.assertEqual({each.fault for each in TABLE}, set(plant.FAULTS))

    def test_every_fault_is_given_away(self):
        for each in TABLE:
            with self.subTest(fault=each.fault.__name__, layer=plant.FAULTS[each.fault], question=each.question):
                said, status = self.ask(each.fault.__name__, each.question)
                self.assertIn(each.sentence, said)
                self.assertIn(each.beside, said)
                self.assertEqual(status, each.status, said)

    def test_no_alarm_suspects_another_layer(self):
        for fault, layer in plant.FAULTS.items():
            said = self.events(fault.__name__, "alarm")
            for other in plant.LAYERS:
                if other != layer:
                    self.assertNotIn(f"suspect layer {other},", said, fault.__name__)

    def test_nothing_of_it_is_said_where_nothing_is_wrong(self):
        for each in TABLE:
            if "spare-02" in each.question:
                continue  # There is no such node.
            with self.subTest(fault=each.fault.__name__, question=each.question):
                self.assertNotIn(each.sentence, self.ask("whole", each.question)[0])


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
