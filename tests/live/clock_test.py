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

    def begin(self):
        self.offset = os.path.join(self.folder, "offset")
        self.set_clock(0)
        self.start(environment={"LD_PRELOAD": SHIM, "SET_CLOCK": self.offset})
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

    def test_there_and_back_neither_freezes_time_nor_makes_anything_younger(self):
        self.begin()
        begun = time.monotonic() - (self.rounds()[-1]["taken"] -
                                    self.rounds()[0]["taken"])
        self.api.silent.add("n-3")
        silent = time.monotonic()
        self.set_clock(600)
        # Times that others wrote are ten minutes old by this clock, and are not used.
        self.until(lambda r: source(r, "metrics")["condition"] == "late", 90, "late metrics")
        self.set_clock(0)
        self.until(lambda r: source(r, "metrics")["condition"] == "ok", 30, "metrics again")
        last = self.rounds()[-1]
        since = time.monotonic() - silent
        self.assertGreater(self.lease_age(last, "n-3"), since * 0.9 - 4)
        self.assertLess(self.lease_age(last, "n-3"), since * 1.1 + 4)
        self.assertLess(self.lease_age(last, "n-1"), 10)
        self.check_rounds(begun)
        self.until(lambda _: re.search(r"alarm +cleared: our clock was set back", self.said()), 30,
                   "every source to have spoken again")
        said = self.end()
        self.assertRegex(said, r"alarm +our clock was set forward by (9m5\ds|10m0\ds); ages go on")
        self.assertRegex(said, r"alarm +our clock was set back by (9m5\ds|10m0\ds); ages go on")
        self.in_the_record()

    def in_the_record(self):
        """`why` mentions it for the round, and the decisions replay the same."""
        done = self.ask("replay", self.run_folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        rounds = len(self.rounds())
        texts = [self.ask("why", self.run_folder, "--round", str(n)).stdout
                 for n in range(1, rounds + 1)]
        told = [text for text in texts if "our clock was set" in " ".join(text.split())]
        self.assertTrue(told)

    def test_back_is_as_good(self):
        self.begin()
        begun = time.monotonic() - (self.rounds()[-1]["taken"] -
                                    self.rounds()[0]["taken"])
        self.set_clock(-600)
        known = len(self.rounds())
        self.until(lambda r: r["round"] >= known + 8, 60, "eight rounds more")
        self.check_rounds(begun)
        self.assertLess(self.lease_age(self.rounds()[-1], "n-1"), 10)
        self.assertEqual(source(self.rounds()[-1], "api")["condition"], "ok")
        self.assertRegex(self.end(), r"alarm +our clock was set back by (9m5\ds|10m0\ds)")


if __name__ == "__main__":
    kit.main()
