"""Building into the cache, with the smallest of the modules."""

import glob
import os
import re
import shutil
import subprocess
import tempfile
import time
import unittest

from support import PROGRAM, TimedTest, skip_or_fail

from parley_testbed import build, parts

TESTBED = os.path.dirname(PROGRAM)


def setUpModule():
    if build.go_command() is None:
        skip_or_fail("the build tier is skipped: Go is missing")


class Build(TimedTest):
    def setUp(self):
        self.cache = tempfile.mkdtemp(prefix="parley-cache-")
        self.addCleanup(shutil.rmtree, self.cache)
        # Go's own cache stays where it is, or each test would compile the standard library.
        go_cache = subprocess.run([build.go_command(), "env", "GOCACHE"], capture_output=True,
                                  text=True, timeout=60, check=True).stdout.strip()
        self.environment = {**os.environ, "XDG_CACHE_HOME": self.cache, "GOCACHE": go_cache}

    def start(self, program=PROGRAM, part="pause", **environment):
        return subprocess.Popen([program, "build", part], stderr=subprocess.PIPE, text=True,
                                env={**self.environment, **environment})

    def finish(self, child, status=0):
        _, text = child.communicate(timeout=300)
        self.assertEqual(child.returncode, status, text)
        return text

    def built(self):
        return glob.glob(f"{self.cache}/parley/testbed/pause-*/bin/*")

    def test_it_is_built_once(self):
        self.assertRegex(self.finish(self.start()), r"built pause/pause in \d+ s, \d+ MB")
        self.assertEqual([os.path.basename(p) for p in self.built()], ["pause"])
        self.assertEqual(self.finish(self.start()), "")

    def test_two_at_the_same_time_build_it_once(self):
        both = [self.start(), self.start()]
        texts = "".join(map(self.finish, both))
        self.assertEqual(texts.count("built pause/pause"), 1, texts)

    def test_what_a_killed_build_left_is_not_taken_for_the_program(self):
        child = self.start()
        # Once the folder is there, the compiler is at work.
        while not glob.glob(f"{self.cache}/parley/testbed/pause-*/bin"):
            time.sleep(0.005)
        child.kill()
        self.finish(child, status=-9)
        folder = glob.glob(f"{self.cache}/parley/testbed/pause-*/bin")[0]
        with open(f"{folder}/pause.part-1", "wb") as file:
            file.write(b"half")
        self.finish(self.start())
        names = [n for n in os.listdir(folder) if not n.endswith(".log")]
        self.assertEqual(names, ["pause"])

    def test_a_change_of_a_module_builds_it_again(self):
        copy = os.path.join(self.cache, "testbed")
        shutil.copytree(TESTBED, copy)
        program = os.path.join(copy, "testbed")
        self.finish(self.start(program))
        with open(f"{copy}/go/pause/main.go", "a", encoding="utf-8") as file:
            file.write("\n// Changed.\n")
        self.assertIn("built pause/pause", self.finish(self.start(program)))
        self.assertEqual(len(self.built()), 2)

    def test_an_error_of_the_compiler_is_shown_with_its_place(self):
        copy = os.path.join(self.cache, "testbed")
        shutil.copytree(TESTBED, copy)
        with open(f"{copy}/go/pause/main.go", "a", encoding="utf-8") as file:
            file.write("\nfunc wrong() { missing() }\n")
        text = self.finish(self.start(os.path.join(copy, "testbed")), status=1)
        self.assertRegex(text, r"(?s)error: go could not build pause; .*undefined: missing")
        self.assertEqual([p for p in self.built() if not p.endswith(".log")], [])

    def test_without_go_it_says_what_must_be_installed(self):
        code = ("import sys; sys.path.insert(0, sys.argv[1]);"
                "from parley_testbed import build, cli;"
                "build.go_command = lambda: None; sys.exit(cli.main(['build', 'pause']))")
        done = subprocess.run(["python3", "-B", "-c", code, TESTBED], env=self.environment,
                              capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "error: Go is not installed, and pause must be built; "
                                      "install Go 1.26.4 or newer and put it on the PATH\n")

    def test_the_version_of_go_that_is_asked_for_is_the_highest_that_a_module_needs(self):
        texts = [parts.files_of(p.module)["go.mod"].decode() for p in parts.PROGRAMS]
        needed = [re.search(r"^go (\S+)", text, re.M).group(1) for text in texts]
        self.assertEqual(max(needed, key=lambda v: [int(n) for n in v.split(".")]), "1.26.4")


if __name__ == "__main__":
    unittest.main()
