"""Rules of tools/tidy.py about the pages: links lead somewhere, every folder and every file of a layer is named,
every path that a page sends people to is there, and records name who superseded them. Each yields what a Finding
is made of."""

import posixpath
import re

from tidy_table import ALLOWED

ROWS_MIN = 30  # Of docs/where.md.
# "`A` and `B` of `path`": what to look for in a file.
SYMBOLS = re.compile(r"((?:`\w+`(?:,| and| and others)? )+)of `([^`]+)`")


def rows_of(text):
    """(line number, cells) of each row of each table of a page."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("|") and not re.match(r"\|[\s:|-]+\|$", line):
            yield number, [cell.strip() for cell in line.strip().strip("|").split("|")]


def unnamed_folders(tree):
    """ARCHITECTURE.md names every folder of the include table with a sentence, and no other."""
    page = "ARCHITECTURE.md"
    if not tree.src:
        return
    named = {}
    for number, cells in rows_of(tree.files.get(page, "")):
        match = re.fullmatch(r"`src/([a-z_/]+)`", cells[0])
        if match and len(cells) > 1 and cells[1]:
            named[match.group(1)] = number
    for folder in sorted(set(ALLOWED) - set(named)):
        yield (page, 1, "doors", f"does not say what src/{folder} is for; add a row to its table")
    for folder in sorted(set(named) - set(ALLOWED)):
        yield (page, named[folder], "doors", f"names src/{folder}, which is no folder of src/README.md")


def files_told(text):
    """(line number, room or "", name) of each file in the tables of a page that have a column `file`."""
    header, began, last = [], 0, 0
    for number, cells in rows_of(text):
        if number > last + (2 if last == began else 1) or not header:
            header, began = cells, number
        elif "file" in header and len(cells) == len(header):
            room = cells[header.index("room")].strip("`") if "room" in header else ""
            for name in re.findall(r"`(\w+)`", cells[header.index("file")]):
                yield number, room, name
        last = number


def untold_files(tree):
    """The page of a layer names every .cc of its folder, with its room if it has rooms, and no file that is gone."""
    layers = {match.group(1) for path in tree.src if (match := re.match(r"src/(layers/\w+|guard)/", path))}
    for layer in sorted(layers):
        page, folder = f"docs/layers/{posixpath.basename(layer)}.md", f"src/{layer}"
        told = {posixpath.join(folder, room, name): number
                for number, room, name in files_told(tree.files.get(page, ""))}
        here = {posixpath.splitext(path)[0]: path for path in tree.src
                if path.startswith(folder + "/") and not re.search(r"_test\.(h|cc)$", path)}
        for whole in sorted(set(told) - set(here)):
            yield (page, told[whole], "doors", f"names {whole}, which is not there; did it move?")
        for whole in sorted(set(here) - set(told)):
            if f"{whole}.cc" in tree.files:
                yield (page, 1, "doors", f"does not say what {whole}.cc does; add it to the table of files, and its "
                       "room if the layer has rooms")


def lost_paths(tree):
    """docs/where.md has its rows, and every path in it is there."""
    page = "docs/where.md"
    text = tree.files.get(page)
    if text is None:
        if tree.src:
            yield (page, 1, "doors", "is missing; it answers \"where would I change ...?\"")
        return
    rows = [(number, cells) for number, cells in rows_of(text) if cells[0] != "to change"]
    if len(rows) < ROWS_MIN:
        yield (page, 1, "doors", f"answers {len(rows)} questions of at least {ROWS_MIN}")
    for number, cells in rows:
        paths = [p for p in re.findall(r"`([^`\s]+)`", cells[-1]) if "/" in p]
        if not paths:
            yield (page, number, "doors", f"'{cells[0]}' leads to no path")
        for path in paths:
            if path not in tree.files and path.rstrip("/") not in tree.folders:
                yield (page, number, "doors", f"{path} does not exist; say where it is now")
        for names, path in SYMBOLS.findall(cells[-1]):
            for name in re.findall(r"`(\w+)`", names):
                if not re.search(rf"\b{name}\b", tree.files.get(path, "")):
                    yield (page, number, "doors", f"{path} has no {name}; say where it is now")


def lost_parts(tree):
    """A part of src that a page names in passing, as `kube/watch/reflector`, is there."""
    folders = {path.split("/")[1] for path in tree.src}
    for page, text in sorted(tree.files.items()):
        if not page.startswith("docs/") or not page.endswith(".md") or "/decisions/" in page:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            for name in re.findall(r"`([a-z_]+/[a-z_0-9/]+)`", line):
                whole = f"src/{name}"
                there = any(path.startswith((whole + ".", whole + "/", whole + "_")) for path in tree.src)
                real = any(path.startswith(name) for path in tree.files)  # Such as web/src/views.
                if name.split("/")[0] in folders and not there and not real:
                    yield (page, number, "paths", f"names {name}, but there is no {whole}; did it move?")


def one_sided(tree):
    """A record of decisions that supersedes another is named at that one's top, and the other way round."""
    says = {"Supersedes": {}, "Superseded": {}}
    records = {match.group(1): path for path in tree.files
               if (match := re.fullmatch(r"docs/decisions/(\d{4})-[^/]+\.md", path))}
    for number, path in records.items():
        for match in re.finditer(r"^(Supersede[sd])\b(?:.+\n?)+", tree.files[path], re.M):
            line = tree.files[path].count("\n", 0, match.start()) + 1
            for other in re.findall(r"\]\((\d{4})-", match.group()):
                says[match.group(1)][number, other] = (path, line)
                if match.group(1) == "Superseded" and line != 3:
                    yield (path, line, "records", f"say that {other} supersedes this right under the title")
    for (newer, older), (path, line) in says["Supersedes"].items():
        if (older, newer) not in says["Superseded"]:
            yield (path, line, "records", f"supersedes {older}, whose top does not say so; write `Superseded by` there")
    for (older, newer), (path, line) in says["Superseded"].items():
        if (newer, older) not in says["Supersedes"]:
            yield (path, line, "records", f"is superseded by {newer}, which does not say so; write `Supersedes` there")


def slug(heading):
    """The anchor that GitHub makes of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def prose_of(text):
    """Markdown with code blanked: links in it are examples."""
    blank = lambda m: re.sub(r"[^\n]", " ", m.group())
    return re.sub(r"`[^`\n]*`", blank, re.sub(r"^( *)```.*?^ *```", blank, text, flags=re.M | re.S))


def dead_links(tree):
    for path, text in sorted(tree.files.items()):
        if not path.endswith(".md"):
            continue
        for match in re.finditer(r"\]\(([^()\s]+)\)", prose_of(text)):
            target, _, anchor = match.group(1).partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            line = text.count("\n", 0, match.start()) + 1
            full = posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) if target else path
            if full not in tree.files and full not in tree.folders and full != ".":
                yield (path, line, "links", f"{target} does not exist; mend or drop the link")
            elif anchor and full.endswith(".md"):
                headings = re.findall(r"^#+ +(.*?) *#*$", tree.files[full], re.M)
                if anchor not in map(slug, headings):
                    yield (path, line, "links", f"{full} has no heading for #{anchor}")
