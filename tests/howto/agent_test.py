#!/usr/bin/env python3
"""Adds the agent of docs/howto/write-an-agent.md to a copy of the program, by only what is written
there, and sees it propose.

Usage: tests/howto/agent_test.py FOLDER [--whole]   (from the project's root)

The copy and its build are in FOLDER, which is kept, so that the next time is quick. By default only the
agents and their tests are built, and the agent's own test is run. With --whole the whole program is, and
the agent is looked for in what a run shows: proposals, `why`, state.json, figures by role, settings.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import unittest

HOWTO = os.path.join("docs", "howto", "write-an-agent.md")
FOLDER = ""
WHOLE = False
FULL_FROM = 5  # In which round the disk of FULL_NODE fills up.
FULL_NODE = "node-05"


def run(*command, **more):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **more)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(command)}: {done.returncode}\n"
                             f"{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
    return done.stdout


def blocks(page):
    """(the line of text before it, code) of each C++ block."""
    for found in re.finditer(r"^```cpp\n(.*?)^```$", page, re.M | re.S):
        before = page[:found.start()].rstrip().splitlines()
        yield before[-1] if before else "", found.group(1)


def howto():
    """What the page says to write: (the line with the roles, {path: text})."""
    with open(HOWTO, encoding="utf-8") as file:
        page = file.read()
    roles, files = None, {}
    for before, code in blocks(page):
        named = re.findall(r"`(src/[^`]+)`", before)
        if code.startswith("#define PARLEY_ROLES "):
            roles = code.strip()
        elif named:
            files[named[-1]] = code
        else:
            raise AssertionError(f"a block of {HOWTO} says neither a file nor the roles:\n{code[:200]}")
    return roles, files


def write(path, text):
    """Leaves a file alone that already has this text, so that nothing is built again."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.exists(path):
        with open(path, "rb") as file:
            if file.read() == text:
                return
    with open(path, "wb") as file:
        file.write(text)


def copy_tree(into, roles, files):
    names = run("git", "ls-files", "-co", "--exclude-standard").splitlines()
    wanted = [name for name in names if name.startswith(
        ("src/", "bench/", "brains/", "cmake/", "tests/", "tools/"))
        or name in ("CMakeLists.txt", "CMakePresets.json")]
    texts = {name: None for name in wanted if os.path.isfile(name)}
    for name in texts:
        with open(name, "rb") as file:
            texts[name] = file.read()
    header = "src/model/action.h"
    changed = re.sub(rb"^#define PARLEY_ROLES .*$", roles.encode(), texts[header], flags=re.M)
    if changed == texts[header]:
        raise AssertionError(f"{header} has no line to add the role to")
    texts[header] = changed
    for path, text in files.items():
        if path in texts:
            raise AssertionError(f"{path} is there already: the page means new files")
        texts[path] = text.encode()
    for folder, _, there in os.walk(into):  # Files of an earlier tree that this one does not have.
        for name in there:
            path = os.path.join(folder, name)
            if os.path.relpath(path, into) not in texts:
                os.remove(path)
    for name, text in texts.items():
        write(os.path.join(into, name), text)
        if os.access(name, os.X_OK):
            os.chmod(os.path.join(into, name), 0o755)


class HowToWriteAnAgent(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.roles, cls.files = howto()
        cls.tree = os.path.join(FOLDER, "tree")
        cls.build = os.path.join(FOLDER, "whole" if WHOLE else "agents")
        copy_tree(cls.tree, cls.roles, cls.files)
        run("cmake", "-S", cls.tree, "-B", cls.build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
            "-DCMAKE_CXX_COMPILER=clang++-19", f"-DPARLEY_PURE_ONLY={'OFF' if WHOLE else 'ON'}")
        run("cmake", "--build", cls.build, "--target", "parley" if WHOLE else "proposal_test")

    def test_takes_one_enumerator_one_file_and_its_test(self):
        with open("src/model/action.h", encoding="utf-8") as file:
            now = re.search(r"^#define PARLEY_ROLES (.*)$", file.read(), re.M).group(1)
        self.assertEqual(self.roles, f"#define PARLEY_ROLES {now}, disk")
        self.assertEqual(sorted(self.files), ["src/layers/proposal/disk.cc",
                                              "src/layers/proposal/disk_test.cc"])

    def test_its_own_test_and_those_of_all_agents_pass(self):
        if WHOLE:
            self.skipTest("they are built without --whole")
        program = os.path.join(self.build, "src", "layers", "proposal", "proposal_test")
        said = run(program, "--gtest_filter=*DiskWants*:Propose.*:Agents.*")
        self.assertEqual(said.count("[       OK ] Rows/DiskWants"), 3, said)
        self.assertIn("Agents.stand_by_role_and_every_action_is_the_business_of_one", said)


class ThePage(unittest.TestCase):
    """A fifth agent is on the dashboard's page with nothing changed in web/."""

    def test_names_no_agent_by_itself(self):
        with open("src/model/action.h", encoding="utf-8") as file:
            roles = re.search(r"^#define PARLEY_ROLES (.*)$", file.read(), re.M).group(1).split(", ")
        letters = "".join(chr(ord("A") + i) for i in range(len(roles)))
        # As a word of code: quoted, a class or a custom property of CSS, or a key; or a quoted letter.
        named = re.compile(rf"['\"`.-](?:{'|'.join(roles)})\b|\b(?:{'|'.join(roles)}): |['\"`][{letters}]['\"`]")
        read = 0
        for folder, _, there in os.walk(os.path.join("web", "src")):
            for name in there:
                path = os.path.join(folder, name)
                made = name == "schema.d.ts"  # From web/openapi.json, which the next test looks at.
                if made or name.endswith(".test.ts") or os.path.basename(folder) == "testing":
                    continue
                with open(path, encoding="utf-8") as file:
                    for number, line in enumerate(file, 1):
                        found = named.search(re.sub(r"//.*|/\*.*", "", line))
                        self.assertIsNone(found, f"{path}:{number} names an agent by hand: {line.strip()}")
                read += 1
        self.assertGreater(read, 60)

    def test_reads_an_api_that_a_fifth_agent_does_not_change(self):
        if not WHOLE:
            self.skipTest("needs the whole program: --whole")
        with open(os.path.join("web", "openapi.json"), encoding="utf-8") as file:
            self.assertEqual(run(Run.program(), "openapi"), file.read())


class Run(unittest.TestCase):
    """A recorded run in which a disk fills up, decided by the program with the fifth agent."""

    @classmethod
    def setUpClass(cls):
        if not WHOLE:
            raise unittest.SkipTest("needs the whole program: --whole")
        cls.folder = os.path.join(FOLDER, "runs")
        shutil.rmtree(cls.folder, ignore_errors=True)
        os.makedirs(cls.folder)
        cls.seen = os.path.join(cls.folder, "seen.jsonl")
        cls.run_folder = os.path.join(cls.folder, "run")
        cls.parley("simulate", "--scenario", "failing-node", "--seed", "7", "--rounds", "60",
                   "--record", "none", "--trace-out", cls.seen)
        with open(cls.seen, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        for line in lines:
            for node in line.get("nodes", []):
                if node["id"] == FULL_NODE and line["round"] >= FULL_FROM:
                    if node["disk_used_ppm"]["value"] is not None:
                        node["disk_used_ppm"]["value"] = 950000
        with open(cls.seen, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in lines)
        cls.parley("simulate", "--from-trace", cls.seen, "--event-dir", cls.run_folder)
        with open(os.path.join(cls.run_folder, "state.json"), encoding="utf-8") as file:
            cls.state = json.load(file)

    @classmethod
    def parley(cls, *arguments):
        return run(cls.program(), *arguments)

    @staticmethod
    def program():
        return os.path.join(FOLDER, "whole", "parley")

    def test_it_proposes_and_wins_or_loses_in_the_open(self):
        won = f"Agent E disk won: throttle {FULL_NODE}."
        lost = rf"E disk +throttle {FULL_NODE} +0\.95 +[a-z-]+:"
        for round_ in range(FULL_FROM, 61):
            text = self.parley("why", self.run_folder, "--round", str(round_))
            if won in text or re.search(lost, text):
                return
        self.fail("it never wants anything")

    def test_it_is_asked_every_round_and_says_what_is_missing(self):
        text = self.parley("why", self.run_folder, "--round", "1")
        self.assertRegex(text, r"E disk +Missing: fresh disk use of 12 nodes\.")

    def test_state_and_figures_have_its_part(self):
        self.assertIn("E disk", [row["agent"] for row in self.state["proposals"]])
        self.assertEqual(self.state["rewards"]["last"]["disk"], 0)

    def test_events_rank_it_behind_safety_and_admission(self):
        ranks = {}
        with open(os.path.join(self.run_folder, "events.jsonl"), encoding="utf-8") as file:
            for event in map(json.loads, file):
                for each in (event.get("data") or {}).get("proposals", []):
                    ranks.setdefault(each["agent"], set()).add(each["priority"])
        self.assertEqual(ranks["A safety"], {1})
        self.assertEqual(ranks["C admission"], {2})
        self.assertEqual(ranks["E disk"], {3})

    def test_its_weight_is_a_setting(self):
        self.assertIn("epsilon: 1", self.parley("config", "print"))

    def test_it_replays_bit_for_bit(self):
        self.parley("replay", self.run_folder)


if __name__ == "__main__":
    WHOLE = "--whole" in sys.argv
    if WHOLE:
        sys.argv.remove("--whole")
    FOLDER = os.path.abspath(sys.argv.pop(1))
    unittest.main()
