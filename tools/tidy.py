#!/usr/bin/env python3
"""Checks what no compiler checks: who may include whom, purity, bit-exactness, sizes, links.

Usage: tools/tidy.py [ROOT]. Prints `file:line: rule: what is wrong; what to do` and exits 1 if
anything is. Rules are functions from a Tree to Findings, listed at the end; tools/tidy_test.py
has a failing and a passing example of each.
"""

import os
import posixpath
import re
import subprocess
import sys
from dataclasses import dataclass
from fnmatch import fnmatch

import tidy_docs
import tidy_prose
from tidy_table import ALLOWED, ALSO_EXACT, DECLARED_ELSEWHERE, GENERATED, IMPURE, LONGER, PURE_FOLDERS, PURE_LAYERS, UNPAIRED

CLOCK_HOMES = ("src/base/clock", "src/fake/")
RANDOM_HOMES = ("src/base/random", "src/fake/")

LINES_MAX, TEST_LINES_MAX, FUNCTION_LINES_MAX = 500, 600, 70
TEST_FUNCTION_LINES_MAX = 100  # A test may hold its table.
GUARD_LINES_MAX, README_LINES_MAX, COMMAND_LINES_MAX = 2500, 150, 100
SOURCE_ENDINGS = (".h", ".cc", ".py", ".sh", ".ts", ".svelte", ".go")
TEST_NAMES = ("*_test.cc", "*_test.h", "*_test.py", "*.test.ts", "*_test.go")
SKIPPED = {".git", "build", "runs", "node_modules", "__pycache__"}


@dataclass(frozen=True, order=True)
class Finding:
    path: str
    line: int
    rule: str
    text: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.rule}: {self.text}"


def line_at(text, position):
    return text.count("\n", 0, position) + 1


NOT_CODE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"(?P<d>[^()\\\s]{0,16})\(.*?\)(?P=d)"|"(?:\\.|[^"\\\n])*"
        |(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'""", re.S | re.X)


def code_of(text):
    """The text with comments and literals blanked, so that every position stays where it was."""
    return NOT_CODE.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


class Tree:
    """The files to look at, by path from the root, in memory."""

    def __init__(self, files):
        self.files = files
        self.cpp = {p: t for p, t in files.items() if p.endswith((".h", ".cc"))}
        self.code = {p: code_of(t) for p, t in self.cpp.items()}
        self.src = [p for p in sorted(self.cpp) if p.startswith("src/")]
        self.folders = {posixpath.dirname(p) for p in files}
        for folder in list(self.folders):
            while folder:
                folder = posixpath.dirname(folder)
                self.folders.add(folder)

    @staticmethod
    def read(root):
        files = {}
        for path in paths_in(root):
            try:
                with open(os.path.join(root, path), encoding="utf-8", newline="") as file:
                    files[path] = file.read()
            except UnicodeDecodeError:
                files[path] = ""  # Binary: it exists, and a link may name it.
            except FileNotFoundError:
                pass  # Deleted, and not yet committed.
        return Tree(files)


def paths_in(root):
    """What git tracks or would track; without git, everything except build output."""
    git = subprocess.run(["git", "-C", root, "ls-files", "-coz", "--exclude-standard"],
                         capture_output=True, check=False)
    if git.returncode == 0:
        return [p for p in git.stdout.decode().split("\0") if p]
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [f for f in folders if f not in SKIPPED]
        found += [os.path.relpath(os.path.join(folder, n), root) for n in names]
    return found


def is_test(path):
    return any(fnmatch(path, name) for name in TEST_NAMES)


def folder_of(path):
    """The row of the table for a path relative to src/: `layers/decide`, `kube/watch`; tests of layers/ may be several."""
    folder, name = posixpath.split(path)
    row = posixpath.join(folder, stem(name)) if folder == "layers" else folder
    rows = [each for each in ALLOWED if is_test(path) and row.startswith(each + "_")]
    return row if row in ALLOWED else max(rows, key=len, default=row)


def within(folder, names):
    """Whether a folder is one of these, or lies in one of them."""
    return any(folder == name or folder.startswith(name + "/") for name in names)


def house_of(folder):  # The folder that holds this room and those beside it.
    return posixpath.dirname(folder) or folder


def stem(path):
    return re.sub(r"(_test)?\.(h|cc)$", "", path)


def is_pure(path):
    """Whether the rules of purity hold for a file of src/; its tests may do as they like."""
    return (path.startswith("src/") and within(folder_of(path[4:]), PURE_FOLDERS)
            and stem(path) not in IMPURE and not is_test(path))


def is_exact(path):
    return is_pure(path) or (stem(path) in ALSO_EXACT and not is_test(path))


INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*([\"<])([^\">]+)[\">]", re.M)


def includes_of(tree, path):
    """(line, quote, what) of each include that is code."""
    text, code = tree.cpp[path], tree.code[path]
    return [(line_at(text, m.start(1)), m.group(1), m.group(2)) for m in INCLUDE.finditer(text)
            if "#" in code[m.start():m.start(1)]]


def may_include(path, target):
    """Whether the file at path may include target (from src/): by the table, or itself."""
    mine, theirs = folder_of(path[4:]), folder_of(target)
    beside = house_of(mine) == house_of(theirs) and house_of(mine) not in (mine, "layers")
    if mine == theirs or (is_test(path) and (theirs == "fake" or beside)):
        return True
    for word in ALLOWED[mine].split(", "):
        if within(theirs, [word]):
            return True
        if word == "pure layers" and theirs in PURE_LAYERS and stem("src/" + target) not in IMPURE:
            return True
        if word == "all layers" and theirs.startswith("layers/"):
            return True
        if word == "everything but fake" and theirs != "fake":
            return True
    return False


def check_includes(tree):
    for path in tree.src:
        if folder_of(path[4:]) not in ALLOWED:
            continue  # check_folders reports it.
        for line, quote, target in includes_of(tree, path):
            if target in GENERATED or (target.startswith("bench/") and is_test(path)):
                continue
            if quote == '"' and "src/" + target not in tree.files:
                yield Finding(path, line, "includes", f'"{target}" is not a file under src/; own '
                              'headers are included by their path from src/, libraries with <>')
            elif quote == '"' and not may_include(path, target):
                allowed = ALLOWED[folder_of(path[4:])] or "nothing"
                yield Finding(path, line, "includes", f'may not include "{target}"; besides itself '
                              f"this folder may include {allowed} (src/README.md)")


def check_folders(tree):
    """The table in src/README.md is the one above, and covers every folder there is."""
    seen = {}
    for path in tree.src:
        seen.setdefault(folder_of(path[4:]), path)
    for folder in sorted(set(seen) - set(ALLOWED)):
        yield Finding(seen[folder], 1, "folders", f"src/{folder} is not in the folder table; add it "
                      "to src/README.md and to ALLOWED in tools/tidy_table.py, or move the file")
    if not seen:
        return
    readme, rows = "src/README.md", {}
    for number, line in enumerate(tree.files.get(readme, "").splitlines(), 1):
        cells = [c.strip().replace("`", "") for c in line.strip().strip("|").split("|")]
        if len(cells) == 3 and cells[0] not in ("Folder", "") and not cells[0].startswith("-"):
            rows[cells[0]] = (number, cells[2])
    for folder, allowed in ALLOWED.items():
        number, shown = rows.pop(folder, (1, None))
        if shown is None:
            yield Finding(readme, 1, "folders", f"has no row for {folder}, which tools/tidy_table.py knows")
        elif shown != (allowed or "nothing"):
            yield Finding(readme, number, "folders", f"says that {folder} may include '{shown}', "
                          f"tools/tidy_table.py '{allowed or 'nothing'}'; make them equal")
    for folder, (number, _) in rows.items():
        yield Finding(readme, number, "folders", f"{folder} is not in ALLOWED of tools/tidy_table.py")


def search(tree, path, rule, pattern, remedy):
    for match in re.finditer(pattern, tree.code[path]):
        found = " ".join(match.group().split())
        yield Finding(path, line_at(tree.code[path], match.start()), rule, f"`{found}` {remedy}")


CLOCK = (r"\b(?:system_clock|steady_clock|high_resolution_clock|utc_clock|clock_gettime|gettimeofday"
         r"|localtime(?:_r)?|gmtime(?:_r)?|steady_timer|system_timer|deadline_timer"
         r"|high_resolution_timer|sleep_for|sleep_until|usleep|nanosleep)\b|\bstd::time\s*\("
         r"|(?<![\w.>:])time\s*\(\s*(?:NULL|nullptr|0)\s*\)")
GENERATOR = (r"\b(?:random_device|mt19937(?:_64)?|minstd_rand0?|default_random_engine|getrandom"
             r"|s?rand48)\b|(?<![\w.>:])s?rand\s*\(|\bstd::s?rand\s*\(")
COROUTINE = r"\bco_(?:await|return|yield)\b"

# Headers that pure code may not include, and what they bring.
IMPURE_HEADERS = [
    (r"<(boost/asio|boost/beast)", "Asio"),
    (r"<(fstream|filesystem|cstdio|stdio\.h|iostream|fcntl\.h|unistd\.h|sys/)", "files"),
    (r'"base/(file|log)\.h', "files"),
    (r'"base/clock\.h|<(ctime|time\.h)>', "a clock"),
    (r"<random>", "generators"),
    (r"<(thread|mutex|shared_mutex|future|condition_variable|atomic|semaphore|stop_token)>",
     "threads"),
    (r"<coroutine>", "coroutines"),
    (r"<(sstream|format)>|<fmt/|<spdlog/", "printing that is not std::to_chars"),
]


def check_purity(tree):
    value = "in pure code; take it as a value in the RoundInput, or move it to the shell"
    for path in tree.src:
        if folder_of(path[4:]) == "store" and not is_test(path):
            yield from search(tree, path, "purity", COROUTINE, "in store, which does not wait")
        if not is_pure(path):
            continue
        for line, quote, target in includes_of(tree, path):
            for pattern, what in IMPURE_HEADERS:
                if re.match(pattern, quote + target + (">" if quote == "<" else "")):
                    yield Finding(path, line, "purity", f"{target} brings {what} into pure code; "
                                  "take values, and leave the rest to the shell")
        yield from search(tree, path, "purity", CLOCK, value)
        yield from search(tree, path, "purity", GENERATOR, "in pure code; call draw() of base/random.h")
        yield from search(tree, path, "purity", r"\b(?:asio|beast)::", value)
        yield from search(tree, path, "purity", COROUTINE, "in pure code, which does not wait")
        yield from search(tree, path, "purity", r"\b(?:std::|::)?(?:fopen|ifstream|ofstream|getenv)\b",
                          value)


CMATH = ("exp exp2 expm1 log log2 log10 log1p logb ilogb pow sin cos tan asin acos atan atan2 sinh "
         "cosh tanh asinh acosh atanh erf erfc tgamma lgamma cbrt hypot fma fmod remainder remquo "
         "round lround llround rint lrint llrint nearbyint ldexp frexp modf scalbn scalbln nextafter "
         "nexttoward fdim fmin fmax copysign nan signbit isnan isinf isnormal fpclassify lerp").split()
EXACT_RULES = [
    (r"(?:\bstd::|(?<![\w>])::|\b__builtin_)(?:" + "|".join(CMATH) + r")[fl]?\s*\(",
     "may differ by CPU or library; from <cmath> use only sqrt, floor, ceil, trunc, fabs, isfinite, "
     "the others from base/math.h"),
    (r"\bstd::\w+_distribution\b", "differs by library; derive it from draw() of base/random.h"),
    (r"\b(?:std::|ranges::)(?:random_shuffle|shuffle|sample)\s*\(|\b(?:random_)?shuffle\s*\(",
     "has an order of the library's own; sort by a total key or use draw()"),
    (r"\bstd::(?:reduce|transform_reduce)\b|\bstd::execution\b",
     "sums in no fixed order; use a loop or std::accumulate"),
    (r"\b(?:std::)?(?:strto[dfl]d?|sto[df]|stold|atof|v?s?n?f?scanf)\s*\(",
     "depends on the locale; read numbers with std::from_chars"),
    (r"\b(?:std::)?v?(?:s|sn|f|as)?printf\s*\(|\bstd::(?:o|i)?stringstream\b|\bfmt::|\bstd::format\b",
     "prints numbers by rules of its own; use std::to_chars"),
    (r"\bas\s*<\s*(?:double|float)\s*>", "reads by a stream; read numbers with std::from_chars"),
    (r"\blong\s+double\b", "has 80 bits here and other sizes elsewhere; use double"),
    (r"#\s*pragma\s+(?:omp|STDC|GCC\s+optimize|clang\s+fp)\b", "changes how numbers are computed"),
]


def check_exactness(tree):
    for path in tree.src:
        yield from search(tree, path, "exactness", r"\bjson::(?:parse|stream_parser|parser)\b",
                          "changes doubles; read JSON with simdjson")
        if not is_exact(path):
            continue
        for pattern, remedy in EXACT_RULES:
            yield from search(tree, path, "exactness", pattern, remedy)
        yield from check_unordered(tree, path)
        yield from check_to_string(tree, path)
    for path, text in tree.files.items():
        if path.endswith(("CMakeLists.txt", ".cmake", "CMakePresets.json")):
            for match in re.finditer(r"-(?:ffast-math|Ofast|march=|mtune=|mfma|mavx)", text):
                yield Finding(path, line_at(text, match.start()), "exactness",
                              f"{match.group()} lets builds give different bits; leave it out")


def check_unordered(tree, path):
    lines = tree.cpp[path].splitlines()
    for match in re.finditer(r"\bunordered_\w+\s*<|\bstd::hash\b", tree.code[path]):
        line = line_at(tree.code[path], match.start())
        if "// lookup only" not in lines[line - 1].lower():
            yield Finding(path, line, "exactness", f"`{match.group()}` has no order to rely on; use "
                          "a sorted vector or std::map, or say `// lookup only` on the line")


def check_to_string(tree, path):
    """std::to_string of what this file, or its header, shows to be a double."""
    own = tree.code[path] + tree.code.get(stem(path) + ".h", "")
    doubles = set(re.findall(r"\b(?:double|float)\s*&?\s+(\w+)", own))
    for match in re.finditer(r"\bto_string\s*\(((?:[^()]|\([^()]*\))*)\)", tree.code[path]):
        argument = re.sub(r"\([^()]*\)", "", match.group(1))  # Of a call, only the name counts.
        names = re.findall(r"\w+", argument)
        if re.search(r"\d\.|\bdouble\b", argument) or (names and names[-1] in doubles):
            yield Finding(path, line_at(tree.code[path], match.start()), "exactness",
                          "std::to_string of a double rounds to six places; use std::to_chars")


def check_homes(tree):
    for path in tree.src:
        if not path.startswith(CLOCK_HOMES) and not is_pure(path):
            yield from search(tree, path, "homes", CLOCK,
                              "is named only in base/clock and fake/; take a Clock")
        if not path.startswith(RANDOM_HOMES) and not is_pure(path):
            yield from search(tree, path, "homes", GENERATOR,
                              "is named only in base/random and fake/; call draw()")


def check_co_await(tree):
    """No braces, and so no lambda, in an expression with co_await: g++ 12 destroys them twice."""
    for path in sorted(tree.cpp):
        code = tree.code[path]
        for match in re.finditer(r"\bco_await\b", code):
            depth = 0
            for token in re.finditer(r"[(){}\[\];]", code[match.end():match.end() + 2000]):
                depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(token.group(), 0)
                if depth < 0 or token.group() in ";}":
                    break
                if token.group() == "{":
                    yield Finding(path, line_at(code, match.start()), "co_await", "braces or a lambda "
                                  "in an expression with co_await; name it on the line before")
                    break


def check_headers(tree):
    for path in sorted(tree.cpp):
        if not path.endswith(".h"):
            continue
        for line, quote, target in includes_of(tree, path):
            if target == "boost/asio.hpp":
                yield Finding(path, line, "headers", "<boost/asio.hpp> costs seconds in every file; "
                              "a header needs <boost/asio/awaitable.hpp> at most")
        if not tree.cpp[path].startswith("//"):
            yield Finding(path, 1, "headers", "begin with a comment: which part, what goes in, what "
                          "comes out")
        if not re.search(r"^#pragma once$", tree.cpp[path], re.M):
            yield Finding(path, 1, "headers", "has no `#pragma once`")


def check_sizes(tree):
    guard = 0
    for path, text in sorted(tree.files.items()):
        lines = text.count("\n")
        if path.endswith(".d.ts"):
            continue  # Declarations that a tool makes from the OpenAPI document.
        most = LONGER.get(path, (TEST_LINES_MAX if is_test(path) else LINES_MAX,))[0]
        if path.endswith(SOURCE_ENDINGS) and lines > most:
            yield Finding(path, most + 1, "sizes", f"has {lines} lines of at most {most}; split it")
        if path in tree.cpp and path.startswith("src/guard/") and not is_test(path):
            guard += lines
        if path == "README.md" and lines > README_LINES_MAX:
            yield Finding(path, README_LINES_MAX + 1, "sizes",
                          f"has {lines} lines of at most {README_LINES_MAX}; move detail to docs/")
    if guard > GUARD_LINES_MAX:
        yield Finding("src/guard/guard.h", 1, "sizes",
                      f"all of guard has {guard} lines of at most {GUARD_LINES_MAX}")


def check_commands(tree):
    """The program's own folder: a command line in, a call out."""
    folder = "src/apps/parley/"
    for path in tree.src:
        if not path.startswith(folder):
            continue
        lines = tree.files[path].count("\n")
        if lines > COMMAND_LINES_MAX:
            yield Finding(path, COMMAND_LINES_MAX + 1, "commands", f"has {lines} lines of at most "
                          f"{COMMAND_LINES_MAX}; move its work, or its flags, to the room of src/apps "
                          "that it belongs to")
        if not path.endswith("_command.cc") and path[len(folder):] not in ("main.cc", "commands.h"):
            yield Finding(path, 1, "commands", "is no command; what commands share belongs to a room "
                          "of src/apps")


def functions_in(code):
    """(first line, lines) of each function body at namespace or class level, approximately."""
    blank = lambda m: re.sub(r"[^\n]", " ", m.group())
    # A macro's body need not be balanced, and a macro alone belongs to no function.
    code = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, code, flags=re.M)
    code = re.sub(r"\b[A-Z][A-Z_]+\((?:[^()]|\([^()]*\))*\)(?=[ \t]*\n)", blank, code)
    open_braces, head_from = [], 0
    for match in re.finditer(r"[{};]|\b(?:public|protected|private)[ \t]*:(?!:)", code):
        if match.group() == "{":
            head = code[head_from:match.start()]
            outermost = all(kind == "scope" for kind, _ in open_braces)
            begin = match.start() - len(head.lstrip())
            open_braces.append((kind_of(head) if outermost else "inner", begin))
        elif match.group() == "}" and open_braces:
            kind, begin = open_braces.pop()
            if kind == "function":
                first = line_at(code, begin)
                yield first, line_at(code, match.start()) - first + 1
        head_from = match.end()


def kind_of(head):
    """What a brace opens, from the text between the last statement and it."""
    head = re.sub(r"operator\s*\S+?(?=\s*\()", "operator_", head)
    while re.search(r"\([^()]*\)", head):  # Default arguments and types inside parentheses.
        head = re.sub(r"\([^()]*\)", "@", head)
    while re.search(r"<[^<>]*>", head):
        head = re.sub(r"<[^<>]*>", "", head)
    if re.search(r"\b(?:namespace|extern|class|struct|union)\b", head):
        return "scope"
    if "@" in head and "=" not in head:
        return "function"
    return "inner"


def check_functions(tree):
    for path in sorted(tree.cpp):
        for first, lines in functions_in(tree.code[path]):
            most = TEST_FUNCTION_LINES_MAX if is_test(path) else FUNCTION_LINES_MAX
            if lines > most:
                yield Finding(path, first, "sizes", f"a function of {lines} lines; at most "
                              f"{most}, so name its parts")


def check_pairs(tree):
    for path in tree.src:
        if not path.endswith(".cc") or is_test(path) or any(fnmatch(path, p) for p in UNPAIRED):
            continue
        declared = any(fnmatch(path, p) for p in DECLARED_ELSEWHERE)
        for beside in (stem(path) + ".h", stem(path) + "_test.cc"):
            if beside not in tree.files and not (declared and beside.endswith(".h")):
                yield Finding(path, 1, "pairs", f"has no {posixpath.basename(beside)} beside it; "
                              "write it, or name the reason in UNPAIRED of tools/tidy_table.py")


def check_links(tree):
    return (Finding(*found) for rule in (tidy_docs.dead_links, tidy_docs.one_sided) for found in rule(tree))


def check_architecture(tree):
    return (Finding(*found) for rule in (tidy_docs.unnamed_folders, tidy_docs.untold_files) for found in rule(tree))


def check_where(tree):
    return (Finding(*found) for rule in (tidy_docs.lost_paths, tidy_docs.lost_parts) for found in rule(tree))


def check_prose(tree):
    return (Finding(*found) for found in tidy_prose.read_back(tree))


# Written so that this file does not find itself.
MARK = re.compile(r"\b(?:TO[D]O|FIX[M]E|XX[X]|HAC[K])\b")
MACHINE = re.compile(r"/wor[k]/|/roo[t]/|bash_job[s]|\.librar[y]\b")


def check_words(tree):
    for path, text in sorted(tree.files.items()):
        code = not path.endswith(".md") and not is_test(path)
        for number, line in enumerate(text.splitlines(), 1):
            if MACHINE.search(line):
                yield Finding(path, number, "words", "names a path of one machine; use a relative one")
            if path.startswith("src/") and code and "/tmp/" in line:
                yield Finding(path, number, "words", "names /tmp; take the folder as an argument")
            if code and MARK.search(line) and not re.search(r"#\d+|issue \d+", line):
                yield Finding(path, number, "words", "an open mark names no issue; say which, as in "
                              "`(#12)`, or do it now")


RULES = [check_includes, check_folders, check_purity, check_exactness, check_homes, check_co_await,
         check_headers, check_sizes, check_commands, check_functions, check_pairs, check_links, check_words,
         check_architecture, check_where, check_prose]


def check(tree):
    return sorted({finding for rule in RULES for finding in rule(tree)})


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..")
    tree = Tree.read(root)
    findings = check(tree)
    for finding in findings:
        print(finding)
    if not tree.src:
        print(f"tidy: no sources under {root}/src", file=sys.stderr)
        return 2
    print(f"tidy: {len(findings)} findings in {len(tree.files)} files")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
