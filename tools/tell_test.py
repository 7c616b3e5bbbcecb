#!/usr/bin/env python3
"""Tests of tools/tell.py: what is passed on, what is kept back, and that silence is broken."""

import os
import subprocess
import sys
import time
import unittest

TELL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tell.py")


def told(text, pause=0.0, every="0.2"):
    """What it prints for a text whose source is then silent for a while."""
    tell = subprocess.Popen([sys.executable, "-B", TELL, "build", every], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, text=True)
    tell.stdin.write(text)
    tell.stdin.flush()
    time.sleep(pause)
    out, _ = tell.communicate()
    return out


class Tell(unittest.TestCase):
    def test_passes_on_what_is_no_progress(self):
        text = "FAILED: a.o\nerror: no\n[1/2] Building CXX object src/base/CMakeFiles/base.dir/a.cc.o\nlast"
        self.assertEqual(told(text, every="60"), "FAILED: a.o\nerror: no\nlast\n")

    def test_says_how_far_a_build_is(self):
        line = "[12/427] Building CXX object src/sim/world/CMakeFiles/sim_world.dir/twin.cc.o\n"
        self.assertRegex(told(line, 0.5), r"^(build: 12 of 427, 0 s so far, last sim/world/twin\.cc\n)+$")

    def test_says_how_far_the_tests_are(self):
        text = ("        Start  7: Guard.refuses\n  3/3800 Test  #7: Guard.refuses ....   Passed    0.10 sec\n"
                "  4/3800 Test  #8: Guard.allows ....***Failed    0.10 sec\n")
        out = told(text, 0.5)
        self.assertIn("4/3800 Test  #8: Guard.allows", out)
        self.assertNotIn("Start", out)
        self.assertRegex(out, r"build: 3 of 3800, 0 s so far, last Guard\.refuses\n")

    def test_breaks_silence_even_when_nothing_was_said_yet(self):
        self.assertRegex(told("", 0.5), r"^(build: 0 s so far\n)+$")


if __name__ == "__main__":
    unittest.main()
