#!/usr/bin/env python3
"""Each run of `parley live` has a seed and ids of its own, and keeps them when it goes on.

Usage: tests/live/ids_test.py PROGRAM [unittest arguments]
"""

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import kit
from kit import LiveTest

RUN_DIGITS = 16  # Of an id; then 4 of the epoch, 8 of the round, 4 of the place.


class Ids(LiveTest):
    def follow(self, name, *options):
        """Three rounds of a run in a folder of this name; (seed, id of the last decision, round)."""
        self.run_folder = os.path.join(self.folder, name)
        self.trace = os.path.join(self.folder, f"{name}-{len(options)}.jsonl")
        self.start("--rounds", options[-1] if options else "3", *options[:-1])
        self.process.wait(60)
        with open(os.path.join(self.run_folder, "state.json"), encoding="utf-8") as file:
            state = json.load(file)
        replayed = self.ask("replay", self.run_folder, "-o", "json")
        self.assertEqual(replayed.returncode, 0, replayed.stdout + replayed.stderr)
        self.assertEqual(json.loads(replayed.stdout)["differing"], 0)
        return state["seed"], state["decision"]["id"], state["decision"]["round"]

    def test_two_runs_with_the_same_flags_share_neither_seed_nor_ids(self):
        first, second = self.follow("a"), self.follow("b")
        self.assertEqual(first[2], second[2])
        self.assertNotEqual(first[0], second[0])
        self.assertNotEqual(first[1][:RUN_DIGITS], second[1][:RUN_DIGITS])
        for _, decision, round_ in (first, second):
            self.assertEqual(decision[RUN_DIGITS:], f"0000{round_:08x}0000")

    def test_a_run_that_goes_on_keeps_its_seed_and_its_id(self):
        seed, before, _ = self.follow("a")
        again, after, round_ = self.follow("a", "--resume", "6")
        self.assertEqual(again, seed)
        self.assertEqual(after[:RUN_DIGITS], before[:RUN_DIGITS])
        self.assertNotEqual(after, before)
        self.assertGreater(round_, 3)


if __name__ == "__main__":
    kit.main()
