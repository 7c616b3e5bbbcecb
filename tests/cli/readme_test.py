#!/usr/bin/env python3
"""Every command of README.md runs, and prints what README.md says it prints.

Usage: tests/cli/readme_test.py PROGRAM   (from the project's root)
"""

import os
import shlex
import subprocess
import sys
import tempfile
import unittest

PROGRAM = ""


def blocks(text):
    """(command, expected output) of each block marked to be run."""
    lines, found, index = text.splitlines(), [], 0
    while index < len(lines):
        if lines[index] == "<!-- run -->":
            index += 2
            while lines[index] != "```":
                command = lines[index][2:]
                assert lines[index].startswith("$ "), lines[index]
                index += 1
                output = []
                while lines[index] != "```" and not lines[index].startswith("$ "):
                    output.append(lines[index])
                    index += 1
                found.append((command, output))
        index += 1
    return found


class Readme(unittest.TestCase):
    def test_commands_print_what_it_says(self):
        with open("README.md", encoding="utf-8") as file:
            found = blocks(file.read())
        self.assertTrue(found)
        with tempfile.TemporaryDirectory(prefix="parley-readme-") as folder:
            for command, expected in found:
                words = shlex.split(command)
                self.assertEqual(words[0], "build/parley")
                done = subprocess.run([PROGRAM, *words[1:]], cwd=folder, capture_output=True,
                                      text=True, timeout=120, check=False,
                                      env={**os.environ, "COLUMNS": "100"})
                self.assertEqual(done.returncode, 0, done.stderr)
                if expected:
                    self.assertEqual(done.stdout.rstrip("\n").splitlines(), expected)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
