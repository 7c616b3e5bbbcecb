"""How tools/mutate.py breaks source text: operators, each a function from a file to its mutants."""

import re
from dataclasses import dataclass

from tidy import code_of, line_at


@dataclass(frozen=True)
class Mutant:
    path: str      # Relative to src/.
    operator: str
    start: int     # What is replaced, by position in the file,
    end: int
    text: str      # and by what.
    line: int
    what: str      # For people.

    def __str__(self):
        return f"src/{self.path}:{self.line}: {self.operator}: {self.what}"

    def apply(self, text):
        return text[:self.start] + self.text + text[self.end:]


# Where things are. `code` is the text as code_only() gives it.

def short(text):
    return " ".join(text.split())[:60]


def closing(code, start):
    """The position after the bracket that closes the one at start."""
    depth = 0
    for i in range(start, len(code)):
        depth += (code[i] in "({[") - (code[i] in ")}]")
        if depth == 0:
            return i + 1
    raise ValueError("unbalanced brackets")


def items(code, start):
    """(start, end) of each part between the commas of the bracket at start."""
    end = closing(code, start) - 1
    found, at = [], start + 1
    while at < end:
        depth, stop = 0, at
        while stop < end and (depth or code[stop] != ","):
            depth += (code[stop] in "({[") - (code[stop] in ")}]")
            stop += 1
        if part := code[at:stop].strip():
            first = at + code[at:stop].index(part)
            found.append((first, first + len(part)))
        at = stop + 1
    return found


# Tables of rules, lists of checks, lists that a loop goes through.
LISTS = re.compile(r"\bk[A-Z]\w*\[\] = \{|\bfirst_of\(\{|\bfor \([^;{}]* : \{")
KEYS = re.compile(r"\bstd::(?:tuple|pair)\(")  # Sort keys.
RANKS = re.compile(r"\benum class Rank \{")


def in_order(code):
    """Lists whose order matters, as (start, end) of their parts."""
    for pattern in (LISTS, KEYS, RANKS):
        for m in pattern.finditer(code):
            yield items(code, m.end() - 1)


def checks(code):
    """Of each `if`: where it starts, its condition starts and ends, and its statement ends."""
    for m in re.finditer(r"\bif \(", code):
        start, end = m.end(), closing(code, m.end() - 1) - 1
        body = end + 1 + (len(code[end + 1:]) - len(code[end + 1:].lstrip()))
        last = closing(code, body) if code[body] == "{" else code.index(";", body) + 1
        yield m.start(), start, end, last


def never(condition):
    """A condition that is never true but keeps its declaration, which the body may use."""
    if ";" in condition:
        return condition[:condition.rindex(";")] + "; false"
    if re.match(r"(const )?[\w:<>]+[*&]? \w+ = ", condition):
        return condition + "; false"
    return "false"


# Operators: each gives (start, end, replacement, description).

def drop_rule(text, code):
    """a rule, a check, a case or a key is left out, or a condition is never true"""
    for m in LISTS.finditer(code):
        for start, end in items(code, m.end() - 1):
            after = end + 1 if code[end:end + 1] == "," else end
            yield start, after, "", "left out: " + short(text[start:end])
    for m in KEYS.finditer(code):
        for start, end in items(code, m.end() - 1):
            yield start, end, "0", "not sorted by " + short(text[start:end])
    for m in re.finditer(r"\bcase [\w:]+:(?!:)", code):
        yield m.start(), m.end(), "", "left out: " + m.group()
    for _, start, end, _ in checks(code):
        yield start, end, never(text[start:end]), "never: " + short(text[start:end])
    for m in re.finditer(r"\s\?\s", code):
        yield m.start(), m.end(), " && false" + m.group(), "never: " + short(text[:m.end()].rsplit("\n", 1)[-1])


FLIPPED = {"<": ">=", ">": "<=", "<=": ">", ">=": "<", "==": "!=", "!=": "==",
           "is_eq": "is_neq", "is_lt": "is_gteq"}
SHIFTED = {"<": "<=", ">": ">=", "<=": "<", ">=": ">"}
COMPARISON = re.compile(r"(?<= )(<|>|<=|>=|==|!=)(?=\s)|(?<=\bstd::)(is_eq|is_lt)\b")


def flip_comparison(text, code):
    """< becomes >=, == becomes !=, and so on"""
    for m in COMPARISON.finditer(code):
        yield *m.span(), FLIPPED[m.group()], f"{m.group()} becomes {FLIPPED[m.group()]}"


TURNED = {"&&": "||", "||": "&&", "!": "", "true": "false", "false": "true", "min": "max",
          "max": "min", "any_of": "all_of", "all_of": "any_of"}
LOGIC = re.compile(r"(?<= )(&&|\|\|)(?=\s)|!(?!=)|\b(true|false)\b|(?<=::)(min|max|any_of|all_of)\b")


def flip_logic(text, code):
    """&& becomes ||, a ! is left out, true becomes false, min becomes max, any_of becomes all_of"""
    for m in LOGIC.finditer(code):
        yield *m.span(), TURNED[m.group()], f"{m.group()} becomes {TURNED[m.group()] or 'nothing'}"


# A number that is part of neither a name nor a larger number.
NUMBER = re.compile(r"(?<![\w.'])(\d[\d']*(?:\.\d+|e\d+)?)(?:LL|U)?(?![\w.'])")


def off_by_one(text, code):
    """< becomes <=, a number becomes one more, or one less if it is more than one"""
    for m in COMPARISON.finditer(code):
        if m.group() in SHIFTED:
            yield *m.span(), SHIFTED[m.group()], f"{m.group()} becomes {SHIFTED[m.group()]}"
    for m in NUMBER.finditer(code):
        number = m.group(1).replace("'", "")
        if not number.isdigit():
            yield *m.span(1), f"({number} + 1)", f"{number} becomes one more"
            continue
        for changed in [int(number) + 1] + [int(number) - 1] * (int(number) > 1):
            yield *m.span(1), str(changed), f"{number} becomes {changed}"


# A function body that refuses, with a reason.
VERDICT = re.compile(r'\b(Refused|Overridden)\{|\brefuse\(|\breturn \{?"')


def swapped(text, first, second):
    (a, b), (c, d) = first, second
    return a, d, text[c:d] + text[b:c] + text[a:b], f"{short(text[a:b])} goes after line {line_at(text, c)}"


def swap_order(text, code):
    """neighbouring rules, checks, keys or ranks change places, a key sorts the other way round"""
    for parts in in_order(code):
        for first, second in zip(parts, parts[1:]):
            yield swapped(text, first, second)
    for m in KEYS.finditer(code):
        for start, _ in items(code, m.end() - 1):
            if code[start] == "-":
                yield start, start + 1, "", "the other way round"
    found = [(start, last) for start, _, _, last in checks(code)]
    for first, second in zip(found, found[1:]):
        if not code[first[1]:second[0]].strip() and all(
                VERDICT.search(text[a:b]) for a, b in (first, second)):
            yield swapped(text, first, second)


OPERATORS = {f.__name__.replace("_", "-"): f
             for f in (drop_rule, flip_comparison, flip_logic, off_by_one, swap_order)}


def code_only(text):
    """Comments, literals and directives blanked, position by position."""
    return re.sub(r"^#.*", lambda m: " " * len(m.group()), code_of(text), flags=re.M)


def mutants_of(path, text):
    code = code_only(text)
    for name, operator in OPERATORS.items():
        for start, end, new, what in operator(text, code):
            yield Mutant(path, name, start, end, new, line_at(text, start), what)
