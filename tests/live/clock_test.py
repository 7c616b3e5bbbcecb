#!/usr/bin/env python3
"""Somebody sets the clock of the machine while `parley live` runs.

Usage: tests/live/clock_test.py PROGRAM [unittest arguments]
"""

import os
import re
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import kit
from kit import LiveTest, source

SHIM = ""


def setUpModule():
    global SHIM
    built = tempfile.TemporaryDirectory(prefix="parley-clock-")
    unittest.addModuleCleanup(built.cleanup)
    SHIM = os.path.join(built.name, "set_clock.so")
    here = os.path.dirname(os.path.abspath(__file__))
    subprocess.run([os.environ.get("CC", "clang-19"), "-shared", "-fPIC", "-O1", "-o", SHIM,
                    os.path.join(here, "set_clock.c")], check=True)


class SetClock(LiveTest):
    def set_clock(self, by):
        """Sets how far the clock is off from now on; replaced as a whole, so that nobody reads half of it."""
        with open(self.offset + ".new", "w", encoding="utf-8") as file:
            file.write(str(by))
        os.replace(self.offset + ".new", self.offset)

    def begin(self, off=0):
        self.offset = os.path.join(self.folder, "offset")
        self.set_clock(off)
        self.start(environment={"LD_PRELOAD": SHIM, "SET_CLOCK": self.offset})
        if off == 0:
            self.until_well()

    def lease_age(self, each, name):
        node = next(n for n in each["nodes"] if n["id"] == name)
        return each["taken"] - node["lease"]["value"]

    def check_rounds(self, begun):
        """Every round is about a second after the one before, whatever the clock says."""
        times = [r["taken"] for r in self.rounds()]
        for before, after in zip(times, times[1:]):
            self.assertGreater(after - before, 0.3, times)
            self.assertLess(after - before, 20, times)
        self.assertLess(abs((times[-1] - times[0]) - (time.monotonic() - begun)), 10)

    def there_and_back(self, by, forward):
        """The clock is set wrongly, and right again; every other clock is right all the time."""
        self.begin()
        begun = time.monotonic() - (self.rounds()[-1]["taken"] -
                                    self.rounds()[0]["taken"])
        first = len(self.rounds())
        self.api.silent.add("n-3")
        silent = time.monotonic()
        for offset, way in ((by, forward), (0, not forward)):
            self.set_clock(offset)
            words = "forward" if way else "back"
            self.until(lambda _: re.search(rf"alarm +our clock was set {words}", self.said()), 60,
                       f"a step {words}")
            # Every source has spoken again, although the clock is still wrong.
            self.until(lambda _: re.search(rf"alarm +cleared: our clock was set {words}",
                                           self.said()), 60, "every source to have spoken again")
            if offset > 0:  # The probe comes every 5 s, and compares with the server's clock.
                self.until(lambda r: re.search(r"its clock is \S+ behind ours",
                                               source(r, "api")["reason"] or ""), 60, "a probe")
            last = self.rounds()[-1]
            since = time.monotonic() - silent
            self.assertGreater(self.lease_age(last, "n-3"), since - 8)
            self.assertLess(self.lease_age(last, "n-3"), since + 4)
            self.assertLess(self.lease_age(last, "n-1"), 10)
        for each in self.rounds()[first:]:
            self.assertNotEqual(source(each, "metrics")["condition"], "failed")
            for node in each["nodes"]:
                self.assertIn("value", node["cpu_used_m"], each["round"])
        self.check_rounds(begun)
        return self.end()

    def test_two_hours_there_and_back_neither_freeze_time_nor_make_anything_younger(self):
        said = self.there_and_back(7200, True)
        self.assertRegex(said, r"alarm +our clock was set forward by (1h59m|2h00m); ages go on")
        self.assertRegex(said, r"alarm +our clock was set back by (1h59m|2h00m); ages go on")
        self.in_the_record()

    def test_ten_minutes_are_as_good(self):
        said = self.there_and_back(600, True)
        self.assertRegex(said, r"alarm +our clock was set forward by (9m5\ds|10m0\ds); ages go on")

    def test_four_hundred_days_back_are_as_good(self):
        said = self.there_and_back(-400 * 86400, False)
        self.assertRegex(said, r"alarm +our clock was set back by (399|400)d; ages go on")

    def test_a_clock_that_was_wrong_and_is_set_right_makes_samples_readable(self):
        self.begin(off=-7200)
        self.until(lambda r: source(r, "api")["condition"] == "ok" and len(r["nodes"]) == 3, 60,
                   "nodes")
        self.assertRegex(source(self.rounds()[-1], "api")["reason"], "(1h59m|2h00m) ahead of ours")
        self.assertNotEqual(source(self.rounds()[-1], "metrics")["condition"], "ok")
        begun = time.monotonic() - (self.rounds()[-1]["taken"] - self.rounds()[0]["taken"])
        self.set_clock(0)
        right = self.until(lambda r: source(r, "metrics")["condition"] == "ok", 60, "samples")
        self.assertRegex(source(right, "api")["reason"],
                         "round time is (1h59m|2h00m) behind the clocks of others")
        self.assertLess(self.lease_age(right, "n-1"), 10)
        ready = next(n for n in right["nodes"] if n["id"] == "n-1")["ready_since"]
        self.assertLess(abs(ready + 7200 - 1767225600), 5, "2026-01-01, by round time")
        self.check_rounds(begun)
        self.until(lambda _: re.search(r"alarm +cleared: our clock was set forward", self.said()),
                   60, "every source to have spoken again")

    def in_the_record(self):
        """`why` mentions it for the round, and the decisions replay the same."""
        done = self.ask("replay", self.run_folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        rounds = len(self.rounds())
        texts = [self.ask("why", self.run_folder, "--round", str(n)).stdout
                 for n in range(1, rounds + 1)]
        told = [text for text in texts if "our clock was set" in " ".join(text.split())]
        self.assertTrue(told)


if __name__ == "__main__":
    kit.main()
