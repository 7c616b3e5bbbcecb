#!/usr/bin/env python3
"""Runs `parley demo` in a terminal of its own and presses keys.

Usage: tests/cli/terminal_test.py PROGRAM [unittest arguments]
"""

import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import sys
import tempfile
import termios
import time
import unittest

PROGRAM = ""
ENTER, LEAVE = "\x1b[?1049h", "\x1b[?1049l"


class Screen:
    """The program in a pseudo terminal; its output so far is in `text`."""

    def __init__(self, folder, columns, rows, *arguments, **environment):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.environ.pop("NO_COLOR", None)
            os.environ.update({"TERM": "xterm-256color", **environment})
            time.sleep(0.2)  # Until the parent has set the size.
            os.execv(PROGRAM, [PROGRAM, "demo", *arguments])
        self.resize(columns, rows)
        self.text = ""

    def resize(self, columns, rows):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, until, seconds=30):
        """Reads until the pattern appears in new output; returns that output."""
        fresh, end = "", time.monotonic() + seconds
        while not re.search(until, fresh, re.S):
            ready = select.select([self.fd], [], [], max(0, end - time.monotonic()))[0]
            if not ready:
                raise AssertionError(f"no {until!r} in {fresh[-3000:]!r}")
            try:
                data = os.read(self.fd, 65536)
            except OSError:  # The other side is closed.
                data = b""
            if not data:
                raise AssertionError(f"ended without {until!r} in {fresh[-3000:]!r}")
            fresh += data.decode(errors="replace")
        self.text += fresh
        return fresh

    def press(self, keys):
        os.write(self.fd, keys.encode())

    def end(self):
        """Leaves nothing running, however the test ends."""
        os.close(self.fd)
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)

    def status(self, seconds=30):
        """Reads to the end and returns the exit status."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                data = os.read(self.fd, 65536)
            except OSError:
                data = b""
            if not data:
                pid, self.pid = self.pid, 0
                return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            self.text += data.decode(errors="replace")
        raise AssertionError("does not end")


class Terminal(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="parley-terminal-")
        self.addCleanup(shutil.rmtree, self.folder)

    def start(self, columns, rows, *arguments, **environment):
        screen = Screen(self.folder, columns, rows, *arguments, **environment)
        self.addCleanup(screen.end)
        return screen

    def test_q_leaves_the_screen_and_says_how_to_go_on(self):
        screen = self.start(80, 24, "--pace", "50ms")
        screen.read(r"round [5-9] ")
        screen.press("q")
        self.assertEqual(screen.status(), 0)
        shown, _, after = screen.text.partition(LEAVE)
        self.assertIn(ENTER, shown)
        self.assertIn("The run is in runs/tour-7", after)
        self.assertEqual(after.count("  parley "), 3)
        self.assertIn("q quit", shown)

    def test_a_larger_terminal_shows_nodes_and_follows_its_size(self):
        screen = self.start(120, 40, "--pace", "50ms")
        screen.read("KUBERNETES SHOWS.*PARLEY BELIEVES")
        screen.resize(80, 24)
        screen.read(r"risk     .*left back")
        screen.resize(70, 20)
        screen.read("needs 80 x 24")
        screen.press("q")
        self.assertEqual(screen.status(), 0)

    def test_time_can_be_walked(self):
        screen = self.start(120, 40, "--pace", "50ms")
        screen.read(r"round 1\d ")
        screen.press(" ")
        screen.read("paused")
        screen.press("\x1b[D\x1b[D")
        screen.read(r"before the newest \(\d+\)")
        screen.press("d")
        screen.press("l")
        screen.read("paused")
        screen.press("q")
        self.assertEqual(screen.status(), 0)

    def test_why_answers_on_the_screen(self):
        screen = self.start(100, 30, "--pace", "50ms")
        screen.read(r"round [5-9] ")
        screen.press("w")
        screen.read(r"Round \d+, T\+")
        screen.press("x")
        screen.read("q quit")
        screen.press("n")
        screen.read("why not")
        screen.press("migrate:node-03\r")
        screen.read("any other key")
        screen.press("x")
        screen.read("q quit")
        screen.press("q")
        self.assertEqual(screen.status(), 0)

    def test_a_signal_gives_the_terminal_back(self):
        screen = self.start(80, 24, "--pace", "50ms")
        screen.read(r"round [3-9] ")
        os.kill(screen.pid, signal.SIGTERM)
        self.assertEqual(screen.status(), 0)
        self.assertIn(LEAVE, screen.text)
        self.assertIn("stopped.", screen.text)

    def test_a_small_or_dumb_terminal_gets_lines(self):
        for columns, rows, term in ((79, 24, "xterm"), (80, 23, "xterm"), (120, 40, "dumb")):
            screen = self.start(columns, rows, "--rounds", "3", "--pace", "0s", TERM=term)
            self.assertEqual(screen.status(), 0)
            self.assertNotIn("\x1b", screen.text)
            self.assertIn("decision", screen.text)

    def test_no_color_means_none(self):
        screen = self.start(80, 24, "--pace", "50ms", NO_COLOR="1")
        screen.read(r"round [3-9] ")
        screen.press("q")
        self.assertEqual(screen.status(), 0)
        self.assertNotRegex(screen.text, "\x1b\\[(1|2|7|38[0-9;]*)m")


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
