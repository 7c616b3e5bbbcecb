#!/usr/bin/env python3
"""Tests of tools/mutate.py and its operators: what they make of a few lines, without a compiler."""

import io
import sys
import tempfile
import unittest
from contextlib import redirect_stdout
from pathlib import Path

import mutate
from mutate_operators import OPERATORS, mutants_of


def made(operator, text):
    """The text after each mutant of one operator, without the lines that are common to all."""
    return [m.apply(text) for m in mutants_of("a.cc", text) if m.operator == operator]


class Operators(unittest.TestCase):
    def check(self, operator, text, expected):
        self.assertEqual(made(operator, text), expected, text)

    def test_rules_are_left_out(self):
        self.check("drop-rule", 'constexpr Rule kRules[] = {\n{"a", b, c}, {"d", e, f},\n};',
                   ['constexpr Rule kRules[] = {\n {"d", e, f},\n};',
                    'constexpr Rule kRules[] = {\n{"a", b, c}, \n};'])
        self.check("drop-rule", "first_of({{x, f(a, b)}, {y, z}})",
                   ["first_of({ {y, z}})", "first_of({{x, f(a, b)}, })"])
        self.check("drop-rule", "for (const auto part : {a(), b()}) {",
                   ["for (const auto part : { b()}) {", "for (const auto part : {a(), }) {"])

    def test_checks_are_never_true(self):
        for condition, never in [("a(b) && c", "false"), ("const auto* x = f(); x", "const auto* x = f(); false"),
                                 ("const auto* x = f(y)", "const auto* x = f(y); false"),
                                 ("auto x = f()", "auto x = f(); false"), ("a == b", "false")]:
            self.assertIn(f"if ({never}) return;", made("drop-rule", f"if ({condition}) return;"))
        self.check("drop-rule", "x = a || b ? c : d;", ["x = a || b && false ? c : d;"])

    def test_cases_and_keys_are_left_out(self):
        self.check("drop-rule", "case State::moot:\ncase State::failed: return;",
                   ["\ncase State::failed: return;", "case State::moot:\n return;"])
        self.check("drop-rule", "std::tuple(-a.b, c(d, e))",
                   ["std::tuple(0, c(d, e))", "std::tuple(-a.b, 0)"])

    def test_comparisons_flip(self):
        for before, after in [("<", ">="), (">", "<="), ("<=", ">"), (">=", "<"), ("==", "!="), ("!=", "==")]:
            self.check("flip-comparison", f"a {before} b", [f"a {after} b"])
            self.check("flip-comparison", f"a {before}\n    b", [f"a {after}\n    b"])
        self.check("flip-comparison", "std::is_eq(o) : std::is_lt(o)",
                   ["std::is_neq(o) : std::is_lt(o)", "std::is_eq(o) : std::is_gteq(o)"])
        for text in ["std::vector<int> a", "a <=> b", "a->b", "// a < b", '"a < b"', "#include <a>"]:
            self.check("flip-comparison", text, [])

    def test_logic_flips(self):
        self.check("flip-logic", "a && !b", ["a || !b", "a && b"])
        self.check("flip-logic", "a ||\n b", ["a &&\n b"])
        self.check("flip-logic", "f(true, false)", ["f(false, false)", "f(true, true)"])
        self.check("flip-logic", "std::min(a, std::ranges::any_of(b))",
                   ["std::max(a, std::ranges::any_of(b))", "std::min(a, std::ranges::all_of(b))"])
        for text in ["a != b", "T&& a", "std::minmax(a, b)", "untrue", "// !a"]:
            self.check("flip-logic", text, [])

    def test_numbers_and_bounds_move_by_one(self):
        for before, after in [("<", "<="), (">", ">="), ("<=", "<"), (">=", ">")]:
            self.check("off-by-one", f"a {before} b", [f"a {after} b"])
        self.check("off-by-one", "f(0, 1)", ["f(1, 1)", "f(0, 2)"])
        self.check("off-by-one", "hours(24)", ["hours(25)", "hours(23)"])
        self.check("off-by-one", "x = 1'000;", ["x = 1001;", "x = 999;"])
        self.check("off-by-one", "1U << n", ["2U << n"])
        self.check("off-by-one", "x * 1e6 + 0.5", ["x * (1e6 + 1) + 0.5", "x * 1e6 + (0.5 + 1)"])
        for text in ["a == b", "int64_t", "a1", "// 3", '"3"', "f<x>"]:
            self.check("off-by-one", text, [])

    def test_order_changes(self):
        self.check("swap-order", "Role kRoles[] = {Role::a, Role::b, Role::c};",
                   ["Role kRoles[] = {Role::b, Role::a, Role::c};", "Role kRoles[] = {Role::a, Role::c, Role::b};"])
        self.check("swap-order", "enum class Rank { a, b };", ["enum class Rank { b, a };"])
        self.check("swap-order", "std::pair(rank(p), -p.score)",
                   ["std::pair(-p.score, rank(p))", "std::pair(rank(p), p.score)"])
        self.check("swap-order", 'if (a) return "x";\nif (b) {\n    return refuse(c);\n}\n',
                   ['if (b) {\n    return refuse(c);\n}\nif (a) return "x";\n'])
        for text in ['if (a) return "x";\nif (b) return f(c);', 'if (a) return "x";\nf();\nif (b) return "y";',
                     "enum class Other { a, b };"]:
            self.check("swap-order", text, [])

    def test_every_mutant_differs_and_says_where(self):
        text = "\n\nif (a < 3 && !b) return;"
        for mutant in mutants_of("guard/a.cc", text):
            self.assertNotEqual(mutant.apply(text), text)
            self.assertTrue(str(mutant).startswith("src/guard/a.cc:3: "), str(mutant))


class Switches(unittest.TestCase):
    TEXT = ("namespace a {\nint f(int x) {\n    return x < 1;\n}\n"
            "template <class T>\nT g(T x) { return !x; }\n"
            "constexpr int kRules[] = {2};\nstruct S {\n    int h() { return 3; }\n};\n"
            "S::S(int x)\n    : x_(x) {\n    y_ = 4;\n}\nint i(int);\n}\n")

    def held(self):
        numbered = list(enumerate(mutants_of("a.cc", self.TEXT), 1))
        return numbered, *mutate.switched(self.TEXT, numbered)

    def test_holds_the_mutants_within_functions(self):
        numbered, _, held = self.held()
        self.assertEqual({m.line for n, m in numbered if n in held}, {3, 6, 13})
        self.assertEqual({m.line for n, m in numbered if n not in held}, {7, 9})

    def test_keeps_what_was_there_and_every_change(self):
        numbered, text, held = self.held()
        self.assertIn("default: {\n    return x < 1;\n} } }", text)
        for number, mutant in numbered:
            self.assertEqual(f"case {number}: {{" in text, number in held)
        self.assertIn("{ return x; } break;", text)
        self.assertEqual(text.count("{"), text.count("}"))


class Telling(unittest.TestCase):
    def test_counts_by_file_and_operator(self):
        mutants = list(mutants_of("guard/a.cc", "a < b"))
        results = list(zip(mutants, ["caught", "survived"], strict=True))
        rows = mutate.table(results).splitlines()
        self.assertEqual(rows[2], "| `guard/a.cc` | - | 1 of 1 | - | 0 of 1 | - | 1 |")
        self.assertEqual(rows[3], "| **all** | - | 1 of 1 | - | 0 of 1 | - | 1 |")

    def test_every_operator_finds_something_to_break(self):
        sources = mutate.ROOT / "src"
        found = {m.operator for path in mutate.sources(sources)
                 for m in mutants_of(path, (sources / path).read_text())}
        self.assertEqual(found, set(OPERATORS))

    def test_lists_what_would_be_tried(self):
        out = io.StringIO()
        with redirect_stdout(out):
            self.assertEqual(mutate.main(["--list", "--file", "src/guard/breaker.cc", "--operator", "swap-order"]), 0)
        lines = out.getvalue().splitlines()
        self.assertTrue(all(x.startswith("src/guard/breaker.cc:") for x in lines[:-1]))
        self.assertEqual(lines[-1], f"{len(lines) - 1} mutants")

    def test_says_when_nothing_is_chosen(self):
        with self.assertRaisesRegex(SystemExit, "nothing is chosen"):
            mutate.main(["--list", "--file", "src/none"])


class WhatWasCaught(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_is_known_again_and_nothing_else_is(self):
        first, second = [m for m in mutants_of("a.cc", "a < b && c")][:2]
        mutate.Caught(self.folder, "s").add(first)
        again = mutate.Caught(self.folder, "s")
        self.assertIn(first, again)
        self.assertNotIn(second, again)
        self.assertNotIn(first, mutate.Caught(self.folder, "another state"))

    def test_is_forgotten_with_any_change_of_what_it_rests_on(self):
        (self.folder / "a.cc").write_text("a")
        before = mutate.state_of(self.folder, "clang 19")
        self.assertEqual(before, mutate.state_of(self.folder, "clang 19"))
        self.assertNotEqual(before, mutate.state_of(self.folder, "clang 20"))
        (self.folder / "a_test.cc").write_text("b")
        self.assertNotEqual(before, mutate.state_of(self.folder, "clang 19"))


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    unittest.main()
