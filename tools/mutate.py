#!/usr/bin/env python3
"""Tests the tests of guard and referee: breaks their source in one place at a time.

Every mutant must compile and then fail a test. A survivor is a gap in the tests, a mutant that
does not compile is a mistake of this script; both make it exit 1. A run over everything in which
all are caught writes the table docs/mutation.md. Sources are never touched: copies and mutants
live in build/mutate. The operators are in tools/mutate_operators.py. What was caught stays known
as long as no source, test, operator or compiler changes, so that a run cut short can be taken up;
--anew forgets it.
"""

import argparse
import concurrent.futures
import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

from mutate_operators import OPERATORS, closing, code_only, mutants_of

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "mutate"
SRC = WORK / "src"  # A copy, so that edits meanwhile do not matter.
LOCK = ROOT / "build" / "mutate.lock"
CAUGHT = ROOT / "build" / "mutate_caught"  # A file for each state of what the verdicts rest on.
TABLE = ROOT / "docs" / "mutation.md"
FOLDERS = ("guard", "layers/arbitration")
NEEDED = ("base", "model", "fake") + FOLDERS
COMPILER = os.environ.get("CXX", "clang++-19")
FLAGS = ["-std=c++20", "-w", "-ffp-contract=off", f"-I{SRC}"]
LINK = ["-fuse-ld=mold", "-lgtest", "-lgtest_main", "-lcrypto", "-lpthread"]
SECONDS_MAX = 30  # A mutant that takes more time of a CPU than this loops for ever, and is caught.

# Headers that all mutants include and none changes: parsed once.
COMMON = ["base/codec.h", "base/number.h", "base/quantity.h", "base/time_text.h", "model/round.h",
          "<algorithm>", "<bit>", "<cmath>", "<optional>", "<span>", "<tuple>"]


# Building and judging.

def sources(root=SRC):
    """Files to be mutated: those of the folders that hold code."""
    found = []
    for folder in FOLDERS:
        for file in sorted((root / folder).iterdir()):
            if file.suffix in (".cc", ".h") and not file.stem.endswith("_test"):
                found.append(str(file.relative_to(root)))
    return found


def run(command, **options):
    try:
        return subprocess.run([str(c) for c in command], capture_output=True, text=True,
                              errors="replace", check=False, **options)
    except FileNotFoundError as missing:
        sys.exit(f"mutate: {missing.filename} is not installed; see tools/setup.sh")


def must(command):
    done = run(command)
    if done.returncode != 0:
        sys.exit(f"mutate: the unchanged sources do not build: {' '.join(str(c) for c in command)}\n"
                 f"{done.stderr}")


def object_of(path):
    return WORK / "objects" / (path.replace("/", "_") + ".o")


def compile_command(source, target):
    """Flags for what is not mutated: optimised, since tests run many times."""
    return ["ccache", COMPILER, *FLAGS, "-O1", "-c", source, "-o", target]


def compile_mutant(source, target, folder):
    """Flags for what runs once: compiled fast."""
    return [COMPILER, f"-I{folder}", *FLAGS, "-O0", "-include-pch", WORK / "common.pch", "-c",
            source, "-o", target]


def includers(header):
    """The sources that include a header, directly or indirectly; tests are left out."""
    seen = {header}
    while True:
        more = {p for p in sources() if p not in seen
                and any(f'#include "{s}"' in (SRC / p).read_text() for s in seen)}
        if not more:
            return sorted(p for p in seen if p.endswith(".cc"))
        seen |= more


def link(objects, folder, target):
    """The test program of a folder, from the given objects, tests and what they rest on."""
    tests = sorted((WORK / "objects").glob(folder.replace("/", "_") + "_*_test.cc.o"))
    return [COMPILER, *objects, *tests, WORK / "ground.a", *LINK, "-o", target]


def copy_sources():
    shutil.rmtree(WORK, ignore_errors=True)
    for folder in NEEDED:
        shutil.copytree(ROOT / "src" / folder, SRC / folder)


def prepare(jobs):
    """Compiles everything unchanged, once, and checks that the tests pass."""
    (WORK / "objects").mkdir()
    common = WORK / "common.h"
    common.write_text("".join(
        f"#include {name}\n" if name[0] == "<" else f'#include "{name}"\n' for name in COMMON))
    must([COMPILER, *FLAGS, "-O0", "-x", "c++-header", common, "-o", WORK / "common.pch"])
    paths = [str(f.relative_to(SRC)) for folder in ("base", "model") + FOLDERS
             for f in sorted((SRC / folder).glob("*.cc"))]
    paths = [p for p in paths if p.startswith(FOLDERS) or not p.endswith("_test.cc")]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(lambda p: must(compile_command(SRC / p, object_of(p))), paths))
    ground = WORK / "ground.a"
    switch = WORK / "switch.cc"
    switch.write_text(SWITCH_SOURCE)
    must(compile_command(switch, object_of("switch")))
    must(["ar", "rcs", ground, object_of("switch")]
         + [object_of(p) for p in paths if not p.startswith(FOLDERS)])
    first = next(p for p in sources() if p.endswith(".cc"))
    programs = build(first, (SRC / first).read_text(), WORK / "unchanged")
    if isinstance(programs, str):
        sys.exit(f"mutate: the unchanged sources: {programs}")
    if judge(programs) != "survived":
        sys.exit("mutate: the tests fail on the unchanged sources; mend them first")


# Most mutants are within a function. All those of one file are compiled at once: its functions get
# a body for each of them, and SWITCH says which one runs. The others are compiled one by one.

SWITCH = "PARLEY_MUTANT"
SWITCH_SOURCE = f"""#include <cstdlib>
int parley_mutant = [] {{
    const char* number = std::getenv("{SWITCH}");
    return number != nullptr ? std::atoi(number) : 0;
}}();
"""


def bodies(code):
    """(start, end) of the bodies of functions that begin in the first column."""
    at = 0
    while m := re.compile(r"^[A-Za-z]", re.M).search(code, at):
        stop = min(p for p in (code.find(";", m.start()), code.find("{", m.start()), len(code)) if p >= 0)
        head = re.sub(r"template <[^>]*>", "", code[m.start():stop])
        if stop == len(code) or code[stop] == ";":
            at = stop + 1
        elif re.match(r"\s*namespace\b", head):
            at = stop + 1
        else:
            at = closing(code, stop)
            if "(" in head and not re.search(r"\b(struct|class|enum|constexpr)\b|= *$", head):
                yield stop, at


def switched(text, numbered):
    """The text with a switch in each body, and the numbers of the mutants that it holds."""
    held, out, at = [], [], 0
    for start, end in bodies(code_only(text)):
        mine = [(n, m) for n, m in numbered if start < m.start and m.end < end]
        if not mine:
            continue
        cases = "".join(
            f"case {n}: {text[start:m.start]}{m.text}{text[m.end:end]} break;\n" for n, m in mine)
        out += [text[at:start], "{ switch (::parley_mutant) {\n", cases, "default: ",
                text[start:end], " } }"]
        at = end
        held += [n for n, _ in mine]
    return "extern int parley_mutant;\n" + "".join(out) + text[at:], held


def build(path, text, folder):
    """The test programs, in the order in which they are run, with other text for one file. Or why
    there is none."""
    copy = folder / path
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_text(text)
    changed = {}
    for user in includers(path):
        changed[user] = folder / (user.replace("/", "_") + ".o")
        source = copy if user == path else SRC / user
        done = run(compile_mutant(source, changed[user], folder))
        if done.returncode != 0:
            return "does not compile: " + done.stderr.split("error:", 1)[-1].split("\n")[0]
    objects = [changed.get(p, object_of(p)) for p in sources() if p.endswith(".cc")]
    programs = []
    # The tests of its own folder first, since they are most likely to fail.
    for tests in sorted(FOLDERS, key=lambda f: not path.startswith(f)):
        programs.append(folder / (tests.replace("/", "_") + "_test"))
        done = run(link(objects, tests, programs[-1]))
        if done.returncode != 0:
            return "does not link: " + done.stderr[:200]
    return programs


def judge(programs, number=0):
    """caught or survived, by the tests of one mutant."""
    environment = os.environ | {SWITCH: str(number)}
    for program in programs:
        limited = ["prlimit", f"--cpu={SECONDS_MAX}", program]
        done = run([*limited, "--gtest_brief=1", "--gtest_fail_fast"], env=environment)
        if done.returncode != 0:
            return "caught"
    return "survived"


def judge_alone(number, mutant):
    folder = WORK / f"mutant-{number}"
    programs = build(mutant.path, mutant.apply((SRC / mutant.path).read_text()), folder)
    result = programs if isinstance(programs, str) else judge(programs)
    shutil.rmtree(folder)
    return result


def tasks(chosen):
    """One for each mutant: (mutant, function that judges it), and how they are prepared."""
    by_path = defaultdict(list)
    for number, mutant in enumerate(chosen, 1):
        by_path[mutant.path].append((number, mutant))
    for path, numbered in by_path.items():
        folder = WORK / "switched" / path.replace("/", "_")
        text, held = switched((SRC / path).read_text(), numbered)
        programs = build(path, text, folder) if held else []
        if isinstance(programs, str):
            held = []  # One of them does not compile; compiled alone, it shows which.
        elif judge(programs) != "survived":
            sys.exit(f"mutate: with switches in {path} and none of them on, the tests fail")
        for number, mutant in numbered:
            if number in held:
                yield mutant, lambda p=programs, n=number: judge(p, n)
            else:
                yield mutant, lambda n=number, m=mutant: judge_alone(n, m)


# What was caught before.

class Caught:
    """Mutants that were caught, by everything that this rests on. Survivors are tried again."""

    def __init__(self, folder, state):
        folder.mkdir(parents=True, exist_ok=True)
        self.file = folder / state
        self.known = set(self.file.read_text().splitlines()) if self.file.exists() else set()

    @staticmethod
    def key(mutant):
        text = hashlib.sha256(mutant.text.encode()).hexdigest()[:16]
        return f"{mutant.path} {mutant.operator} {mutant.start} {mutant.end} {text}"

    def __contains__(self, mutant):
        return self.key(mutant) in self.known

    def add(self, mutant):
        with self.file.open("a") as file:
            file.write(self.key(mutant) + "\n")


def state_of(root, compiler):
    """Of all sources that are compiled, this script and its operators, and the compiler."""
    digest = hashlib.sha256(compiler.encode())
    tools = [Path(__file__).resolve(), Path(__file__).resolve().with_name("mutate_operators.py")]
    for file in tools + sorted(p for p in root.rglob("*") if p.is_file()):
        digest.update(str(file.name).encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:24]


# Telling.

def table(results):
    lines = ["| File | " + " | ".join(OPERATORS) + " | survived |",
             "|---|" + "--:|" * (len(OPERATORS) + 1)]
    rows = {m.path: [] for m, _ in results}
    for mutant, result in results:
        rows[mutant.path].append((mutant, result))
    rows["all"] = results
    for name, part in rows.items():
        cells = []
        for operator in OPERATORS:
            mine = [r for m, r in part if m.operator == operator]
            cells.append(f"{sum(r == 'caught' for r in mine)} of {len(mine)}" if mine else "-")
        survived = sum(r == "survived" for _, r in part)
        label = "**all**" if name == "all" else f"`{name}`"
        lines.append(f"| {label} | {' | '.join(cells)} | {survived} |")
    return "\n".join(lines) + "\n"


def write_table(results):
    TABLE.write_text(
        "# Mutation of guard and referee\n\n"
        "`tools/mutate.py` breaks the source of guard and referee in one place at a time and runs\n"
        "their tests; this page is its output: caught of made. Every mutant must compile and be\n"
        "caught: a rule that can be dropped, flipped, moved by one or put in another place without\n"
        "a test failing is a rule that nobody would miss. `make check-all` runs it.\n\n"
        + table(results) + "\n"
        + "".join(f"- `{name}`: {f.__doc__}.\n" for name, f in OPERATORS.items()))


def try_all(chosen, jobs, caught):
    """Prints at once what is not caught, and how far it is."""
    results, began = [(m, "caught") for m in chosen if m in caught], time.monotonic()
    known = len(results)
    if known:
        print(f"mutate: {known} of {len(chosen)} were caught before", file=sys.stderr, flush=True)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        left = [m for m in chosen if m not in caught]
        waiting = [(mutant, pool.submit(judged)) for mutant, judged in tasks(left)]
        for mutant, future in waiting:
            result = future.result()
            results.append((mutant, result))
            if result == "caught":
                caught.add(mutant)
            else:
                print(f"{mutant}: {result}"[:240], flush=True)
            if len(results) % 25 == 0:
                each = (time.monotonic() - began) / (len(results) - known)
                minutes = each * (len(chosen) - len(results)) / 60
                print(f"mutate: {len(results)} of {len(chosen)}, {minutes:.0f} minutes to go",
                      file=sys.stderr, flush=True)
    order = {mutant: place for place, mutant in enumerate(chosen)}
    return sorted(results, key=lambda pair: order[pair[0]])


def parsed(arguments):
    operators = "".join(f"  {name:16} {f.__doc__}\n" for name, f in OPERATORS.items())
    parser = argparse.ArgumentParser(
        description=__doc__, epilog="operators:\n" + operators,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", default="", help="only files whose path contains this")
    parser.add_argument("--operator", default="", choices=list(OPERATORS), help="only this one")
    parser.add_argument("--line", type=int, default=0, help="only mutants of this line")
    parser.add_argument("--limit", type=int, default=0, help="at most this many, evenly spread")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many at a time")
    parser.add_argument("--list", action="store_true", help="only print what would be tried")
    parser.add_argument("--anew", action="store_true", help="try what was caught before, too")
    return parser.parse_args(arguments)


def choose(options, root):
    chosen = [m for path in sources(root) if options.file in "src/" + path
              for m in mutants_of(path, (root / path).read_text())
              if options.operator in ("", m.operator) and options.line in (0, m.line)]
    if not chosen:
        sys.exit("mutate: nothing is chosen; --list without anything else shows what there is")
    if options.limit and len(chosen) > options.limit:
        chosen = [chosen[i * len(chosen) // options.limit] for i in range(options.limit)]
    return chosen


def lock():
    """Two runs would use one folder. Held until the process ends."""
    LOCK.parent.mkdir(exist_ok=True)
    held = LOCK.open("w")
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit("mutate: another run uses build/mutate; wait until it ends")
    return held


def main(arguments):
    options = parsed(arguments)
    if options.list:
        chosen = choose(options, ROOT / "src")
        print("\n".join(str(mutant) for mutant in chosen) + f"\n{len(chosen)} mutants")
        return 0
    held = lock()
    copy_sources()
    chosen = choose(options, SRC)
    prepare(options.jobs)
    if options.anew:
        shutil.rmtree(CAUGHT, ignore_errors=True)
    caught = Caught(CAUGHT, state_of(SRC, run([COMPILER, "--version"]).stdout))
    results = try_all(chosen, options.jobs, caught)
    held.close()
    bad = [r for _, r in results if r != "caught"]
    print(table(results))
    print(f"mutate: {len(results) - len(bad)} of {len(results)} caught")
    if not bad and not (options.file or options.operator or options.line or options.limit):
        write_table(results)
        print(f"mutate: wrote {TABLE.relative_to(ROOT)}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
