#!/usr/bin/env python3
"""Every example of every --help, of README.md and of docs/ runs.

An example is a command of a code block, or of the part "Examples" of a --help, that begins with
`parley`. Each is run as it stands, in a folder with what it names, and has to end well. What is
long is run in small (SMALL), what never ends is stopped (UNTIL_STOPPED), and what needs a cluster,
a download or hours is not run (NOT_RUN, with the reason): its flags are checked all the same. An
example that is new is run, and so cannot rot.

Usage: tests/cli/examples_test.py PROGRAM   (from the project's root)
"""

import glob
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import own_tables

PROGRAM = ""
SECONDS = 60  # Slower examples belong in one of the lists.

# (what an example matches, why it is not run)
NOT_RUN = [
    (r"parley (live|check|exercise|release)\b", "needs a cluster: tests/cluster"),
    (r"--trace (grid5000|datacenter|borg|backblaze)", "needs a trace that is not in the repository"),
    (r"parley train .*--simulate 1-\d+", "trains for half an hour: tests/cli/brains_test.py does it in small"),
    (r"parley compare --threads 2", "all scenarios, 100 pairs each: hours"),
    (r"parley dataset .*--simulate", "simulates twenty days: minutes"),
    (r"--listen 0\.0\.0\.0", "would listen on every address of the machine"),
    (r"risk-ba9876543210", "compares two models of one's own, which training makes"),
    (r"parley train .*--from runs/", "learns only from days of record, which take an hour to make"),
]

# (what an example matches, what in it is made smaller)
SMALL = [
    (r"parley tune\b", [(r"--trials (?!0)\d+", "--trials 2"), (r"--timeout \S+", "--timeout 1s --trials 1"),
                        (r"parley tune", "parley tune --pairs 1 --length 10m --fresh 2")]),
    (r"parley compare\b", [(r"--pairs \d+", "--pairs 2"), (r"$", " --length 10m")]),
    (r"parley train (risk|demand) --csv", [(r"$", " --rounds 20")]),
    (r"parley demo --trials", [(r"--trials \d+", "--trials 0")]),
    (r"parley (demo|simulate) .*--listen 127\.0\.0\.1:8765", [(r"127\.0\.0\.1:8765", "127.0.0.1:0")]),
]

# Commands that run until a person ends them.
UNTIL_STOPPED = r"parley (serve|demo(?! --rounds))\b"

# Placeholders.
STANDS_FOR = [
    (r"\[RUN\]", "runs/tour-7"), (r"\bRUN\b", "runs/tour-7"), (r" \[--clear --because TEXT\]", ""), (r" \.\.\.", ""),
]


def command_of(line):
    """The command in a line of a code block; None: there is none."""
    line = line.strip()
    line = line[2:] if line.startswith("$ ") else line
    line = re.sub(r"^build/parley\b", "parley", line)
    if not re.match(r"parley [a-z]", line):
        return None
    line = re.split(r"\s+#\s", line)[0]
    return re.split(r"\s{2,}", line)[0].strip()  # What follows is a remark about it.


def of_document(text):
    """Commands of all code blocks: fenced, or indented by four."""
    found, fenced = [], False
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif fenced or line.startswith("    "):
            found.append(command_of(line))
    return [each for each in found if each]


def help_of(*words):
    return subprocess.run([PROGRAM, *words, "--help"], capture_output=True, text=True, timeout=20,
                          check=True, env={**os.environ, "COLUMNS": "200"}).stdout


def of_help(words=()):
    """Commands of the examples of a --help, and of those of its own commands."""
    text = help_of(*words)
    found = []
    _, _, examples = text.partition("Examples:")
    found += [command_of(line) for line in examples.splitlines()]
    heading, names = "", []
    for line in text.splitlines():
        if line and not line.startswith(" "):
            heading = line.lower()
        elif "command" in heading and re.match(r"  [a-z][a-z-]+(,| |$)", line):
            names.append(line.split()[0].rstrip(","))
    for name in names:
        found += of_help((*words, name))
    return [each for each in found if each]


def all_examples():
    """{command: where it was found}, each once."""
    places = {}
    for each in of_help():
        places.setdefault(each, "--help")
    for path in ["README.md", *sorted(glob.glob("docs/**/*.md", recursive=True))]:
        if path.startswith("docs/decisions/"):
            continue  # They describe the state of their time.
        with open(path, encoding="utf-8") as file:
            for each in of_document(file.read()):
                places.setdefault(each, path)
    return places


def in_small(command):
    for pattern, changes in SMALL:
        if re.search(pattern, command):
            for what, by in changes:
                command = re.sub(what, by, command, count=1)
    return command


class Examples(unittest.TestCase):
    """Commands that people copy work."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="parley-examples-")
        home, programs = os.path.join(cls.folder, "home"), os.path.join(cls.folder, "bin")
        os.mkdir(home)
        os.mkdir(programs)
        os.symlink(PROGRAM, os.path.join(programs, "parley"))
        cls.environment = {**os.environ, "COLUMNS": "100", "HOME": home, "KUBECONFIG": "/nonexistent",
                           "PATH": programs + ":" + os.environ["PATH"]}
        for name in ["XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"]:
            cls.environment.pop(name, None)
        cls.make("parley simulate --scenario tour --seed 7 --rounds 150 --event-dir runs/tour-7")
        for seed, names in [(1, ["a", "monday", "prod"]), (2, ["b", "tuesday"])]:
            run = f"runs/mixed-{seed}"
            cls.make(f"parley simulate --scenario mixed --seed {seed} --rounds 300 --interval 15s --event-dir {run}")
            for name in names:
                shutil.copytree(os.path.join(cls.folder, run), os.path.join(cls.folder, "runs", name))
        cls.make("parley scenario show calm > mine.yaml")
        cls.write("careful.yaml", "policy:\n  stakes:\n    margin: 2\n")
        cls.write("nodes.csv", own_tables.failures("node", "when", "cpu"))
        cls.write("load.csv", own_tables.use())
        cls.write("list.csv", "feature,serves,unit\ncpu,cpu_share,percent\nchange_of_cpu,disk_share,percent\n"
                  "since_last_failure,lease_age,s\nfailures_before,memory_share,percent\n")
        cls.write("model.json", own_tables.foreign_model(
            features=("cpu", "change_of_cpu", "since_last_failure", "failures_before")))
        cls.make("parley train risk --csv nodes.csv --time when --entity node --event down --rounds 20 --out brain")
        cls.write("tuned.yaml", "policy:\n  stakes:\n    margin: 1.2\n")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    @classmethod
    def write(cls, name, text):
        with open(os.path.join(cls.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    @classmethod
    def make(cls, command):
        done = cls.run_shell(command)
        assert done.returncode == 0, command + "\n" + done.stderr

    @classmethod
    def run_shell(cls, command):
        return subprocess.run(["bash", "-c", command], cwd=cls.folder, capture_output=True, text=True,
                              timeout=SECONDS, check=False, env=cls.environment, stdin=subprocess.DEVNULL)

    def real(self, command):
        """The command with its placeholders filled in."""
        for pattern, by in STANDS_FOR:
            command = re.sub(pattern, by, command)
        for kind in ["risk", "demand"]:
            place = f"{kind}-0123456789ab"
            if place in command:
                listed = json.loads(self.run_shell("parley model list -o json").stdout)
                rows = listed["models"] if isinstance(listed, dict) else listed
                ids = [row["id"] for row in rows if row["id"].startswith(kind + "-")]
                self.assertTrue(ids, f"no model of {kind}")
                command = command.replace(place, ids[0])
        return command

    def check_flags(self, command):
        """Its flags are known: with an unknown one added, the program complains about that one only."""
        words = shlex.split(command.split(" > ")[0])[1:]
        done = subprocess.run([PROGRAM, *words, "--no-such-flag"], capture_output=True, text=True,
                              timeout=20, check=False, env=self.environment)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("--no-such-flag", done.stderr.splitlines()[0])

    def check_until_stopped(self, command):
        if "--lines" not in command and "demo" in command:
            command += " --lines"
        if "--listen" not in command:
            command += " --listen 127.0.0.1:0"
        with subprocess.Popen(["bash", "-c", "exec " + command], cwd=self.folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env=self.environment) as process:
            seen, end = "", time.monotonic() + SECONDS
            while "Dashboard: " not in seen and time.monotonic() < end and process.poll() is None:
                seen += process.stdout.readline()
            process.send_signal(signal.SIGINT)
            rest, _ = process.communicate(timeout=SECONDS)
        self.assertIn("Dashboard: ", seen)
        self.assertEqual(process.returncode, 0, seen + rest)

    def check_beside_a_server(self, command):
        """`link` and `stop` need a running dashboard."""
        with subprocess.Popen([PROGRAM, "serve", "runs/tour-7", "--listen", "127.0.0.1:0"],
                              cwd=self.folder, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, env=self.environment) as server:
            self.assertIn("Dashboard: ", server.stdout.readline())
            done = self.run_shell(command)
            server.send_signal(signal.SIGINT)
            server.communicate(timeout=SECONDS)
        self.assertEqual(done.returncode, 0, done.stderr)

    def check(self, command):
        if any(re.search(pattern, command) for pattern, _ in NOT_RUN):
            return self.check_flags(command)
        command = in_small(self.real(command))
        if re.match(UNTIL_STOPPED, command):
            return self.check_until_stopped(command)
        if re.match(r"parley (link|stop)\b", command):
            return self.check_beside_a_server(command)
        if "--event-dir A" in command and "--resume" not in command:
            shutil.rmtree(os.path.join(self.folder, "A"), ignore_errors=True)
        done = self.run_shell(command)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return None

    def test_each_works(self):
        examples = all_examples()
        self.assertGreater(len(examples), 80, "examples are not found any more")
        for command, place in examples.items():
            with self.subTest(place=place, command=command):
                self.check(command)

    def test_lists_name_only_what_there_is(self):
        examples = all_examples()
        for pattern in [each[0] for each in NOT_RUN + SMALL]:
            self.assertTrue(any(re.search(pattern, each) for each in examples), f"no example is {pattern}")


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
