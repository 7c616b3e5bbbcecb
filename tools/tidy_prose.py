"""A rule of tools/tidy.py: sentences that were made for people are not read back as data."""

import re

# Where sentences are made and shown. Not src/web/serve: it reads requests.
HOMES = ("src/layers/explanation/", "src/replay/", "src/web/views/", "src/web/run/", "src/apps/", "web/src/")
# A line may say why it searches for words anyway: what it reads is not ours, or no sentence.
SAYS_WHY = re.compile(r"// prose: \w")

NAMES = (r"(?P<call>find|rfind|find_first_of|find_last_of|find_first_not_of|starts_with|ends_with"
         r"|indexOf|lastIndexOf|startsWith|endsWith|includes|split|replace|replaceAll|match|matchAll|search)")
LITERAL = r"""(?P<quote>["'`])(?P<text>(?:\\.|(?!(?P=quote)).)*)(?P=quote)"""
LOOKS_FOR = re.compile(r"\b" + NAMES + r"\(\s*" + LITERAL)
# What the argument holds is not seen, but what it is searched in is called like a sentence.
HOLDS_WORDS = (r"\b(?:message|because|sentence|headline|rationale|reason|why|figure|detail|said|told|line|text)_?"
               r"\)?(?:\(\)|\.value\(\))?\)?")
LOOKS_IN = re.compile(HOLDS_WORDS + r"(?:\.|\?\.|->)" + NAMES + r"\((?P<variable>[A-Za-z_][\w.:]*)")
# In C++: what is shown for a missing value or a limit never reached.
STANDS_FOR = re.compile(r'[!=]=\s*"(?:-|\?|never)"')
# Two words or more are no key.
SAME_WORDS = re.compile(r"""[!=]==?\s*(["'`])[^"'`]*[A-Za-z]{2,} [A-Za-z][^"'`]*\1""")
# In TypeScript: a pattern with a word and what follows it. In C++ any: nothing here needs one.
WORD_THEN = r"/(?:\\.|[^/\\])*[A-Za-z]{3,}(?: |\\s)(?:\\.|[^/\\])*/[a-z]*"
PATTERN = re.compile(r"\b(?:match|matchAll|replace|replaceAll|search|split)\(" + WORD_THEN + "|" + WORD_THEN
                     + r"\.(?:test|exec)\(")
REGEX = re.compile(r"\bstd::regex\b")
WHOLE = ("starts_with", "ends_with", "startsWith", "endsWith")


def is_prose(call, text):
    """Whether it searches for words or their separators, not for a path, a key or trailing blanks."""
    if call == "find_first_not_of":
        return "0123456789" in text  # A number is cut out of a text.
    if text.strip() == "":
        return text != "" and call not in WHOLE
    if re.fullmatch(r"\s*[,;()]\s*", text):
        return True
    word = re.fullmatch(r"[A-Za-z]{3,}:?", text) is not None
    return word or (" " in text and re.search(r"[A-Za-z]{3,}", text) is not None)


def found_in(line, in_cpp):
    """What in a line reads a sentence."""
    for match in LOOKS_FOR.finditer(line):
        if is_prose(match["call"], match["text"]):
            yield match.group()
    for pattern in [LOOKS_IN, SAME_WORDS] + ([STANDS_FOR, REGEX] if in_cpp else [PATTERN]):
        yield from (match.group() for match in pattern.finditer(line))


def read_back(tree):
    """(path, line, rule, text) of each place that looks for words in a text."""
    for path, text in sorted(tree.files.items()):
        test = re.search(r"_test\.(h|cc)$|\.test\.ts$", path)
        if test or not path.startswith(HOMES) or not path.endswith((".h", ".cc", ".ts", ".svelte")):
            continue
        lines = text.splitlines()
        for number, line in enumerate(lines, 1):
            found = list(found_in(line, path.startswith("src/")))
            before = lines[number - 2] if number > 1 else ""
            if not found or SAYS_WHY.search(line) or SAYS_WHY.search(before) or line.lstrip().startswith("//"):
                continue
            yield (path, number, "prose", f"`{found[0]}` reads a sentence back; take the field that it was made "
                   "from, or say `// prose: why` on the line or before it")
