#!/usr/bin/env python3
"""Stopped while it acts as fast as it can: by the API server's audit log nothing is sent soon after, whichever way it
was stopped; a stop outlives its process and the change of leaders, and only a person lifts it. And another leader
takes over in time. bench/acting_figures.py measures the same.

Usage: tests/cluster/stops_test.py PROGRAM [unittest arguments]
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import failover
import stops
from kit import ALL, long, require_machine, until
from stage import Stage

PROGRAM = ""
SOON_S = 1.0  # On a machine that has nothing else to do; here it may.
SLACK_S = 2.0
TIMES = 5 if ALL else 1


class Stops(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        require_machine()
        folder = tempfile.mkdtemp(prefix="parley-stops-")
        cls.addClassCleanup(shutil.rmtree, folder)
        cls.stage = Stage(PROGRAM, folder, interval="0.5s", tag="stops")
        cls.addClassCleanup(cls.stage.close)

    def setUp(self):
        self.runs = []
        self.addCleanup(self.stage.reset)
        self.addCleanup(lambda: [run.end() for run in self.runs])

    def live(self, *options, **more):
        run = self.stage.live("--listen", "off", *options, **more)
        self.runs.append(run)
        return run

    def word(self, run, *words):
        """What `parley stop` says."""
        done = subprocess.run([PROGRAM, "stop", run.run, *words], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def sends_nothing(self, run, rounds=6):
        """For so many rounds of its."""
        size, first = self.stage.log_size(), run.state().get("rounds", 0)
        until(lambda: run.state().get("rounds", 0) >= first + rounds, 60, f"rounds: {run.words()}")
        self.assertEqual([e["requestURI"] for e in self.stage.changes(size)], [])

    def acts(self, run):
        size = self.stage.log_size()
        until(lambda: self.stage.changes(size), 60, f"an action: {run.words()}")

    def test_whichever_way_it_is_stopped_it_sends_nothing_soon_after(self):
        for way in stops.WAYS:
            with self.subTest(way):
                found = stops.measure(self.stage, way, TIMES)
                print(f"  {way}: " + ", ".join(f"{count} requests in {took:.2f} s" for took, count in found), flush=True)
                self.assertLess(max(took for took, _ in found), SOON_S + SLACK_S)

    def test_a_stop_outlives_its_process_and_only_a_person_lifts_it(self):
        run, _ = stops.begin(self.stage)
        self.runs.append(run)
        self.word(run)
        until(lambda: run.state().get("stopped"), 30, "a round that knows")
        self.sends_nothing(run)
        run.end()
        self.stage.free_lease()
        made = run.state()["rounds"]
        again = self.live("--resume", folder=run.folder)
        until(lambda: again.state()["rounds"] > made and again.leads(), 30, "the same run, gone on with")
        self.sends_nothing(again)
        again.end(signal.SIGTERM)
        other = self.live()
        until(other.leads, 30, "another run")
        self.sends_nothing(other)
        until(lambda: "may act again" in self.word(other, "--clear", "--because", "the test is over"), 10, "a stop that can be lifted")
        self.acts(other)

    @long
    def test_who_takes_over_from_one_that_was_stopped_does_not_act(self):
        first = self.live()
        until(first.leads, 30, "a leader")
        second = self.live()
        until(lambda: second.state().get("rounds", 0) > 2, 30, "a follower")
        self.word(first)
        until(lambda: first.state().get("stopped"), 30, "a round that knows")
        self.stage.world.press(self.stage.home.victim, True)
        for how in (signal.SIGTERM, signal.SIGKILL):
            took = failover.take_over(first, second, how)
            print(f"  {how.name}: another leader after {took:.1f} s", flush=True)
            self.sends_nothing(second)
            first, second = second, self.live()
            until(lambda: second.state().get("rounds", 0) > 2, 30, "a follower")  # pylint: disable=cell-var-from-loop


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
