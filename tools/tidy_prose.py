"""A rule of tools/tidy.py: sentences that were made for people are not read back as data."""

import re

# Where sentences are made and shown. Not src/web/serve: it reads requests.
HOMES = ("src/layers/explanation/", "src/replay/", "src/web/views/", "src/web/run/",
         "src/apps/session/", "web/src/")
# A line may say why it searches for words anyway: what it reads is not ours, or no sentence.
SAYS_WHY = re.compile(r"// prose: \w")

CALLS = (r"\b(?P<call>find|rfind|find_first_of|find_last_of|starts_with|ends_with"
         r"|indexOf|lastIndexOf|startsWith|endsWith|includes|split)\(\s*")
LITERAL = r"""(?P<quote>["'`])(?P<text>(?:\\.|(?!(?P=quote)).)*)(?P=quote)"""
LOOKS_FOR = re.compile(CALLS + LITERAL)
# In C++: what is shown for a missing value or a limit never reached.
STANDS_FOR = re.compile(r'[!=]=\s*"(?:-|\?|never)"')


def is_prose(call, text):
    """Whether it searches for words or their separators, not for a path, a key or trailing blanks."""
    if text.strip() == "":
        return text != "" and call not in ("starts_with", "ends_with", "startsWith", "endsWith")
    if re.fullmatch(r"\s*[,;()]\s*", text):
        return True
    word = re.fullmatch(r"[A-Za-z]{3,}:?", text) is not None
    return word or (" " in text and re.search(r"[A-Za-z]{3,}", text) is not None)


def read_back(tree):
    """(path, line, rule, text) of each place that looks for words in a text."""
    for path, text in sorted(tree.files.items()):
        test = re.search(r"_test\.(h|cc)$|\.test\.ts$", path)
        if test or not path.startswith(HOMES) or not path.endswith((".h", ".cc", ".ts", ".svelte")):
            continue
        lines = text.splitlines()
        for number, line in enumerate(lines, 1):
            found = [m.group() for m in LOOKS_FOR.finditer(line) if is_prose(m["call"], m["text"])]
            found += [m.group() for m in STANDS_FOR.finditer(line)] if path.startswith("src/") else []
            before = lines[number - 2] if number > 1 else ""
            if not found or SAYS_WHY.search(line) or SAYS_WHY.search(before) or line.lstrip().startswith("//"):
                continue
            yield (path, number, "prose", f"`{found[0]}` reads a sentence back; take the field that it was made "
                   "from, or say `// prose: why` on the line or before it")
