#!/usr/bin/env python3
"""Which files of a folder can be compiled as one: tools/unity_groups.py FILE.cc...

Prints a line `GROUP FILE` for each. Files whose inner names collide, such as two functions `parse`
of unnamed namespaces, are in different groups; a group has ten files at most, so that every core has
something to do. The preset `run` compiles so, see docs/decisions/0031.
"""

import re
import sys

FILES_MAX = 10
# Types, aliases, macros; then functions and variables, whose type stands before them or on its own line.
NAMED = (re.compile(r"(?:enum class|enum|struct|class|union|concept|using|#define)\s+(\w+)"),
         re.compile(r"[A-Za-z_][\w:<>,&*\s\[\]()]*?[\s&*>](\w+)\s*(?:[({=;]|\[\w*\])"),
         re.compile(r"(\w+)\("))
# Outside of unnamed namespaces these are of their file, too.
INNER = re.compile(r"(?:static|constexpr|const) |#define ")
TEMPLATE = re.compile(r"template <.*?>\s*(?=\w)")


def inner_names(text):
    """What a file names for itself: declarations at the beginning of a line."""
    names, unnamed = set(), False
    for line in text.splitlines():
        if line.startswith("namespace {"):
            unnamed = True
        elif line == "}  // namespace":
            unnamed = False
        elif re.match(r"[A-Za-z_#\[]", line) and (unnamed or INNER.match(line)):
            line = TEMPLATE.sub("", re.sub(r"\[\[\w+\]\] |__extension__ ", "", line))
            if re.match(r"using (namespace |\w+::)|template |requires |#(?!define)", line):
                continue
            found = next(filter(None, (each.match(line) for each in NAMED)), None)
            if found:
                names.add(found.group(1))
    return names


def groups_of(files):
    """Lists of (name, inner names), each as full as can be: files is a list of such pairs."""
    groups = []
    for name, inner in files:
        for group, taken in groups:
            if len(group) < FILES_MAX and not inner & taken:
                group.append(name)
                taken |= inner
                break
        else:
            groups.append(([name], set(inner)))
    return [group for group, _ in groups]


def main():
    files = []
    for name in sorted(sys.argv[1:]):
        with open(name, encoding="utf-8") as file:
            files.append((name, inner_names(file.read())))
    for number, group in enumerate(groups_of(files)):
        for name in group:
            print(number, name)


if __name__ == "__main__":
    main()
