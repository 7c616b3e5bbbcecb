"""What the tests of the test cluster share: running it, skipping tiers, saying how long it took."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(FOLDER))

from parley_testbed import build, leftovers, nodes, parts, process  # noqa: E402

PROGRAM = os.path.join(os.path.dirname(FOLDER), "testbed")

# `make test` has a short one of each; `make check-all` sets this and has them all.
ALL = os.environ.get("PARLEY_FAULTS") == "all"
long = unittest.skipUnless(ALL, "it takes long: make check-all has it")


def skip_or_fail(sentence):
    """In CI a tier that cannot run is a failure: else nobody would notice that it never does."""
    if os.environ.get("CI") == "true":
        raise AssertionError(f"{sentence} (with CI=true that is a failure)")
    print(f"SKIPPED: {sentence}", file=sys.stderr, flush=True)
    raise unittest.SkipTest(sentence)


def need_programs(profile, minor=parts.MINOR):
    missing = build.missing_of(parts.needed_by(profile, minor))
    if missing and build.go_command() is None:
        names = ", ".join(p.name for p in missing)
        skip_or_fail(f"the {profile} tier is skipped: Go is missing, and {names} must be built")


def need_real_nodes():
    if os.geteuid() != 0:
        skip_or_fail("the real tier is skipped: it needs root, for namespaces and cgroups")
    if missing := nodes.missing_packages():
        skip_or_fail(f"the real tier is skipped: {', '.join(missing)} must be installed; "
                     "run tools/setup.sh cluster")


class TimedTest(unittest.TestCase):
    """Prints how long each test took."""

    def run(self, result=None):
        begin = time.monotonic()
        super().run(result)
        name = self.id().rsplit(".", 1)[-1]
        print(f"  {time.monotonic() - begin:6.1f} s  {name}", file=sys.stderr, flush=True)


class ClusterTest(TimedTest):
    """Runs the program itself, in a folder of its own beside the clusters of the user."""

    @classmethod
    def setUpClass(cls):
        cls.root = tempfile.mkdtemp(prefix="parley-clusters-")
        cls.before = leftovers.machine(cls.root)

    @classmethod
    def tearDownClass(cls):
        subprocess.run([PROGRAM, "--dir", cls.root, "down", "--all"], check=False,
                       capture_output=True, timeout=300)
        if os.path.isdir(cls.root) and not os.listdir(cls.root):
            os.rmdir(cls.root)  # Otherwise it holds the logs of what failed.
        else:
            shutil.rmtree(cls.root, ignore_errors=True)

    def call_testbed(self, *arguments, status=0, output=None, timeout_s=600):
        done = subprocess.run([PROGRAM, "--dir", self.root, *arguments], capture_output=True,
                              text=True, timeout=timeout_s, check=False)
        if done.returncode != status:
            self.fail(f"testbed {' '.join(arguments)} exited with {done.returncode}, not {status}: "
                      f"{done.stdout}{done.stderr}")
        return getattr(done, output or ("stdout" if status == 0 else "stderr"))

    def up(self, *arguments, timeout_s=600):
        return json.loads(self.call_testbed("up", *arguments, "-o", "json", timeout_s=timeout_s))

    def kubectl(self, cluster, *arguments, status=0, content=None, timeout_s=60):
        command = [cluster["kubectl"], f"--kubeconfig={cluster['kubeconfig']}", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout_s,
                              check=False, input=content,
                              env=process.without_proxies(os.environ))
        self.assertEqual(done.returncode, status, f"{arguments}: {done.stdout}{done.stderr}")
        return done.stdout

    def eventually(self, check, timeout_s, what):
        deadline = time.monotonic() + timeout_s
        while not (value := check()):
            if time.monotonic() > deadline:
                self.fail(f"{what} did not happen within {timeout_s} s")
            time.sleep(0.2)
        return value

    def assert_nothing_left(self):
        """Neither by our own search nor by comparison with the machine as it was."""
        self.assertEqual(self.call_testbed("leftovers"), "nothing is left\n")
        lines = leftovers.differences(self.before, leftovers.machine(self.root))
        # Other people's processes come and go; a namespace of ours would be new.
        lines = [line for line in lines if not line.startswith("network namespaces: gone")]
        self.assertEqual(lines, [])
