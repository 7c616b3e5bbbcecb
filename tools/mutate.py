#!/usr/bin/env python3
"""Tests the tests of guard and referee: breaks their source in one place at a time.

Usage: tools/mutate.py [--file PART] [--operator NAME] [--limit N] [--jobs N] [--list]

Every mutant must compile and then fail a test. A survivor is a gap in the tests, a mutant that
does not compile is a mistake of this script; both make it exit 1. A run over everything writes the
table docs/mutation.md. Sources are never touched: copies and mutants live in build/mutate.

Operators
  drop-rule        a row of a table of rules is left out, or a check is never true
  flip-comparison  < becomes >=, == becomes !=, and so on
  off-by-one       < becomes <=, a whole number becomes one more
  swap-order       two neighbouring rules, checks or ranks change places
"""

import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tidy import code_of, line_at

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "mutate"
SRC = WORK / "src"  # A copy: whoever edits meanwhile disturbs nothing.
TABLE = ROOT / "docs" / "mutation.md"
FOLDERS = ("guard", "layers/arbitration")
NEEDED = ("base", "model", "fake") + FOLDERS
COMPILER = os.environ.get("CXX", "clang++-19")
FLAGS = ["-std=c++20", "-w", "-ffp-contract=off", f"-I{SRC}"]
LINK = ["-fuse-ld=mold", "-lgtest", "-lgtest_main", "-lpthread"]
SECONDS_MAX = 60  # A mutant that runs longer than this loops for ever, and is caught.

# What all mutants include and none of them changes: parsed once.
COMMON = ["base/codec.h", "base/number.h", "base/quantity.h", "base/time_text.h", "model/round.h",
          "<algorithm>", "<bit>", "<cmath>", "<optional>", "<span>", "<tuple>"]


@dataclass(frozen=True)
class Mutant:
    path: str      # From src/.
    operator: str
    start: int     # What is replaced, by position in the file,
    end: int
    text: str      # and by what.
    line: int
    what: str      # For people.

    def place(self):
        return f"src/{self.path}:{self.line}"


# Operators: each gives (start, end, replacement, description) for the code of one file, in which
# comments and literals are blanked.

FLIPPED = {"<": ">=", ">": "<=", "<=": ">", ">=": "<", "==": "!=", "!=": "=="}
SHIFTED = {"<": "<=", ">": ">=", "<=": "<", ">=": ">"}
COMPARISON = re.compile(r"(?<= )(<|>|<=|>=|==|!=)(?= )")
# A whole number that is neither part of a name, of a larger number, nor of a template's name.
WHOLE = re.compile(r"(?<![\w.'])(\d[\d']*)(LL)?(?![\w.'])")
VERDICT = re.compile(r"\b(Refused|Overridden)\b")


def flip_comparison(text, code):
    for m in COMPARISON.finditer(code):
        yield m.start(), m.end(), FLIPPED[m.group()], f"{m.group()} becomes {FLIPPED[m.group()]}"


def off_by_one(text, code):
    for m in COMPARISON.finditer(code):
        if m.group() in SHIFTED:
            yield m.start(), m.end(), SHIFTED[m.group()], f"{m.group()} becomes {SHIFTED[m.group()]}"
    for m in WHOLE.finditer(code):
        if code[:m.start()].rsplit("\n", 1)[-1].lstrip().startswith("#"):
            continue
        more = str(int(m.group(1).replace("'", "")) + 1)
        yield m.start(1), m.end(1), more, f"{m.group(1)} becomes {more}"


def closing(code, start):
    """The position after the bracket that closes the one at start."""
    depth = 0
    for i in range(start, len(code)):
        depth += (code[i] in "({[") - (code[i] in ")}]")
        if depth == 0:
            return i + 1
    raise ValueError("unbalanced brackets")


def rows_of_tables(text, code):
    """(start, end) of each row of each table of rules, table by table."""
    for table in re.finditer(r"\bk(Rules|Rungs)\[\] = \{|first_of\(\{", code):
        inside = table.end()
        end = closing(code, table.end() - 1) - 1
        rows = []
        while (start := code.find("{", inside, end)) != -1:
            inside = closing(code, start)
            rows.append((start, inside))
        yield rows


def never(condition):
    """A condition that keeps its declaration, which the body may use, and is never true."""
    if ";" in condition:
        return condition[:condition.rindex(";")] + "; false"
    if re.match(r"(const )?[\w:<>]+[*&]? \w+ = ", condition):
        return condition + "; false"
    return "false"


def checks(code):
    """(start, end) of the condition, end of the statement, for each `if` without else."""
    for m in re.finditer(r"\bif \(", code):
        start, end = m.end(), closing(code, m.end() - 1) - 1
        body = end + 1 + (len(code[end + 1:]) - len(code[end + 1:].lstrip()))
        last = closing(code, body) if code[body] == "{" else code.index(";", body) + 1
        yield m.start(), start, end, last


def drop_rule(text, code):
    for rows in rows_of_tables(text, code):
        for start, end in rows:
            after = end + 1 if code[end:end + 1] == "," else end
            yield start, after, "", "left out: " + " ".join(text[start:end].split())[:60]
    for _, start, end, _ in checks(code):
        condition = text[start:end]
        yield start, end, never(condition), "never: " + " ".join(condition.split())[:60]


def swapped(text, first, second):
    (a, b), (c, d) = first, second
    return a, d, text[c:d] + text[b:c] + text[a:b], f"after {line_at(text, c)}: {text[a:b][:40]!r}"


def swap_order(text, code):
    for rows in rows_of_tables(text, code):
        for first, second in zip(rows, rows[1:]):
            yield swapped(text, first, second)
    found = [(start, last) for start, _, _, last in checks(code)]
    for first, second in zip(found, found[1:]):
        if code[first[1]:second[0]].strip() == "" and all(
                VERDICT.search(code[a:b]) for a, b in (first, second)):
            yield swapped(text, first, second)
    for m in re.finditer(r"enum class Rank \{([^}]*)\}", code):
        names = [(m.start(1) + n.start(), m.start(1) + n.end())
                 for n in re.finditer(r"\w+", m.group(1))]
        for first, second in zip(names, names[1:]):
            yield swapped(text, first, second)


OPERATORS = {"drop-rule": drop_rule, "flip-comparison": flip_comparison, "off-by-one": off_by_one,
             "swap-order": swap_order}


def mutants_of(path):
    text = (SRC / path).read_text()
    code = code_of(text)
    for name, operator in OPERATORS.items():
        for start, end, new, what in operator(text, code):
            yield Mutant(path, name, start, end, new, line_at(text, start), what)


def sources():
    """Files to be mutated: those of the folders that hold code."""
    found = []
    for folder in FOLDERS:
        for file in sorted((SRC / folder).iterdir()):
            if file.suffix in (".cc", ".h") and not file.name.endswith("_test.cc"):
                found.append(str(file.relative_to(SRC)))
    return found


def run(command, **options):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False,
                          **options)


def must(command):
    done = run(command)
    if done.returncode != 0:
        sys.exit(f"mutate: {' '.join(str(c) for c in command)}\n{done.stderr}")


def object_of(path):
    return WORK / "objects" / (path.replace("/", "_") + ".o")


def compile_command(source, target):
    """What stays as it is, is built well: tests run many times."""
    return ["ccache", COMPILER, *FLAGS, "-O1", "-c", source, "-o", target]


def compile_mutant(source, target, folder):
    """What is run once, is built fast."""
    return [COMPILER, f"-I{folder}", *FLAGS, "-O0", "-include-pch", WORK / "common.pch", "-c",
            source, "-o", target]


def includers(header):
    """The sources that see a header, directly or through others; tests keep what they have."""
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
    """Compiles everything unchanged, once, and sees that the tests pass."""
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
    ground.unlink(missing_ok=True)
    must(["ar", "rcs", ground] + [object_of(p) for p in paths if not p.startswith(FOLDERS)])
    result = judge(None, WORK / "unchanged")
    if result != "survived":
        sys.exit(f"mutate: the tests fail on the unchanged sources: {result}")


def judge(mutant, folder):
    """caught, survived, or why it cannot be said."""
    folder.mkdir(parents=True, exist_ok=True)
    changed = {}
    if mutant is not None:
        text = (SRC / mutant.path).read_text()
        copy = folder / mutant.path
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text[:mutant.start] + mutant.text + text[mutant.end:])
        for path in includers(mutant.path):
            source = copy if path == mutant.path else SRC / path
            changed[path] = folder / (path.replace("/", "_") + ".o")
            done = run(compile_mutant(source, changed[path], folder))
            if done.returncode != 0:
                return "does not compile: " + done.stderr.split("error:", 1)[-1].split("\n")[0]
    objects = [changed.get(p, object_of(p)) for p in sources() if p.endswith(".cc")]
    # The tests of its own folder first: they are the likeliest to fail.
    order = sorted(FOLDERS, key=lambda f: mutant is not None and not mutant.path.startswith(f))
    for tests in order:
        program = folder / "test"
        done = run(link(objects, tests, program))
        if done.returncode != 0:
            return "does not link: " + done.stderr[:200]
        try:
            if run([program, "--gtest_brief=1", "--gtest_fail_fast"], timeout=SECONDS_MAX).returncode != 0:
                return "caught"
        except subprocess.TimeoutExpired:
            return "caught"
    return "survived"


def judge_and_clean(numbered):
    number, mutant = numbered
    folder = WORK / f"mutant-{number}"
    result = judge(mutant, folder)
    shutil.rmtree(folder)
    return mutant, result


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
        "their tests; this table is its output, caught of made. Every mutant must be caught: a rule\n"
        "that can be dropped, flipped, moved by one or put in another place without a test failing\n"
        "is a rule that nobody would miss. `make check-all` runs it.\n\n" + table(results))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--file", default="", help="only files whose path contains this")
    parser.add_argument("--operator", default="", choices=["", *OPERATORS], help="only this one")
    parser.add_argument("--limit", type=int, default=0, help="at most this many, evenly spread")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many at a time")
    parser.add_argument("--list", action="store_true", help="only print what would be tried")
    options = parser.parse_args()
    copy_sources()
    chosen = [m for path in sources() if options.file in path for m in mutants_of(path)
              if options.operator in ("", m.operator)]
    if options.limit and len(chosen) > options.limit:
        chosen = [chosen[i * len(chosen) // options.limit] for i in range(options.limit)]
    if options.list:
        for mutant in chosen:
            print(f"{mutant.place()}: {mutant.operator}: {mutant.what}")
        print(f"{len(chosen)} mutants")
        return 0
    prepare(options.jobs)
    results = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for mutant, result in pool.map(judge_and_clean, enumerate(chosen)):
            results.append((mutant, result))
            if result != "caught":
                print(f"{mutant.place()}: {result}: {mutant.operator}: {mutant.what}"[:200],
                      flush=True)
            elif len(results) % 50 == 0:
                print(f"mutate: {len(results)} of {len(chosen)}", flush=True)
    bad = [r for _, r in results if r != "caught"]
    print(table(results))
    print(f"mutate: {len(results) - len(bad)} of {len(results)} caught")
    if not bad and not (options.file or options.operator or options.limit):
        write_table(results)
    return 1 if bad or not results else 0


if __name__ == "__main__":
    sys.exit(main())
