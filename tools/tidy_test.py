#!/usr/bin/env python3
"""Tests of tools/tidy.py: for every rule an example that it reports and one that it lets pass."""

import os
import sys
import tempfile
import unittest

import tidy
from tidy_table import ALLOWED, DECLARED_ELSEWHERE, IMPURE, UNPAIRED

# The examples must not trip the rules that read this file too.
OPEN_MARK = "TO" + "DO"
MACHINE_PATH = "/wor" + "k/main"


def found(rule, files):
    """`path:line` of each finding of one rule function."""
    return [f"{f.path}:{f.line}" for f in rule(tidy.Tree(files))]


def header(body=""):
    return "// Part: what goes in, what comes out.\n\n#pragma once\n" + body


class Doors(unittest.TestCase):
    page = "".join(f"| `src/{folder}` | what it is for |\n" for folder in ALLOWED)

    def architecture(self, text, path="src/base/a.h"):
        return found(tidy.check_architecture, {"ARCHITECTURE.md": text, path: header()})

    def where(self, text):
        return found(tidy.check_where, {"docs/where.md": text, "src/base/a.h": header()})

    def test_every_folder_has_a_sentence(self):
        self.assertEqual(self.architecture(self.page), [])
        self.assertEqual(self.architecture(self.page.replace("| `src/kube/watch`", "| kube/watch")),
                         ["ARCHITECTURE.md:1"])
        self.assertEqual(self.architecture(self.page.replace("`src/guard` | what it is for", "`src/guard` | ")),
                         ["ARCHITECTURE.md:1"])

    def test_no_folder_that_is_not_there(self):
        rows = self.page + "| `src/attic` | what was |\n"
        self.assertEqual(self.architecture(rows), [f"ARCHITECTURE.md:{len(ALLOWED) + 1}"])

    def layer(self, name, text, *paths):
        files = {"ARCHITECTURE.md": self.page, f"docs/layers/{name}.md": text}
        return found(tidy.check_architecture, files | dict.fromkeys(paths, ""))

    def test_a_layer_names_its_files(self):
        here = ("src/guard/a.cc", "src/guard/a_test.cc", "src/guard/b.h")
        for text in ["| file | does |\n|---|---|\n| `a` | x |\n", "| file | does |\n|---|---|\n| `a`, `b` | x |\n",
                     "| limit | is |\n|---|---|\n| `c` | 1 |\n\n| file | does |\n|---|---|\n| `a` | x |\n"]:
            self.assertEqual(self.layer("guard", text, *here), [], text)
        for text, line in [("`a` does x\n", 1), ("| file | does |\n|---|---|\n| `b` | `a` |\n", 1),
                           ("| file | does |\n|---|---|\n| `a` | x |\n| `gone` | y |\n", 4)]:
            self.assertEqual(self.layer("guard", text, *here), [f"docs/layers/guard.md:{line}"], text)

    def test_a_layer_names_the_room_of_a_file(self):
        rooms = "| room | file | does |\n|---|---|---|\n| `telling` | `a` | x |\n"
        page, home = "docs/layers/explanation.md", "src/layers/explanation"
        self.assertEqual(self.layer("explanation", rooms, f"{home}/telling/a.cc"), [])
        self.assertEqual(self.layer("explanation", rooms, f"{home}/alarms/a.cc"), [f"{page}:3", f"{page}:1"])
        self.assertEqual(self.architecture(self.page, f"{home}/alarms/a.cc"), [f"{page}:1"], "no page at all")

    def test_paths_to_change_exist(self):
        fine = "| to change | go to |\n|---|---|\n" + "| a | `src/base/a.h`, `src/base/` |\n" * 30
        self.assertEqual(self.where(fine), [])
        self.assertEqual(self.where(fine + "| b | `src/base/b.h` |\n"), ["docs/where.md:33"])
        self.assertEqual(self.where(fine + "| b | somewhere |\n"), ["docs/where.md:33"])
        self.assertEqual(self.where(fine + "| b | `pragma` and `once` of `src/base/a.h` |\n"), [])
        self.assertEqual(self.where(fine + "| b | `pragma` and `twice` of `src/base/a.h` |\n"),
                         ["docs/where.md:33"])
        self.assertEqual(self.where(fine[:-40]), ["docs/where.md:1"])
        self.assertEqual(found(tidy.check_where, {"src/base/a.h": header()}), ["docs/where.md:1"])

    def test_parts_named_in_passing_exist(self):
        fine = "| to change | go to |\n|---|---|\n" + "| a | `src/base/a.h` |\n" * 30
        files = {"docs/where.md": fine, "src/base/a.h": header(), "base/x/b": "",
                 "docs/live.md": "`base/a`\n`base/b`\n`base/x/b`\n`else/a`\n"}
        self.assertEqual(found(tidy.check_where, files), ["docs/live.md:2"])


class Includes(unittest.TestCase):
    def check(self, path, target, allowed):
        files = {path: f'#include "{target}"\n', "src/" + target: header()}
        self.assertEqual(found(tidy.check_includes, files), [] if allowed else [path + ":1"],
                         f"{path} includes {target}")

    def test_follows_the_table(self):
        for path, target, allowed in [
            ("src/base/a.cc", "base/b.h", True),
            ("src/base/a.cc", "model/b.h", False),
            ("src/model/a.h", "base/b.h", True),
            ("src/guard/a.h", "model/b.h", True),
            ("src/guard/a.h", "layers/prediction/b.h", False),
            ("src/layers/proposal/a.h", "layers/proposal/b.h", True),
            ("src/layers/proposal/a.h", "layers/prediction/b.h", False),
            ("src/layers/arbitration/a.h", "guard/b.h", True),
            ("src/layers/proposal/a.h", "guard/b.h", False),
            ("src/layers/decide.cc", "layers/execution/remember.h", True),
            ("src/layers/decide.cc", "layers/execution/sender.h", False),
            ("src/layers/decide.cc", "layers/observation/b.h", False),
            ("src/layers/decide.cc", "store/b.h", False),
            ("src/layers/pipeline.cc", "layers/execution/sender.h", True),
            ("src/layers/pipeline.cc", "layers/decide.h", True),
            ("src/layers/pipeline.cc", "store/b.h", True),
            ("src/layers/pipeline.cc", "kube/b.h", False),
            ("src/replay/a.cc", "layers/decide.h", True),
            ("src/replay/a.cc", "store/b.h", True),
            ("src/replay/a.cc", "sim/b.h", False),
            ("src/sim/world/twin.cc", "guard/b.h", True),
            ("src/sim/world/twin.cc", "layers/decide.h", False),
            ("src/store/a.cc", "cluster/b.h", False),
            ("src/apps/session/session.cc", "sim/world/b.h", True),
            ("src/apps/running/screen_loop.cc", "sim/world/b.h", False),
            ("src/apps/live/a.cc", "apps/session/b.h", False),
            ("src/kube/picture/a.cc", "kube/decode/b.h", True),
            ("src/kube/decode/a.cc", "kube/picture/b.h", False),
            ("src/kube/decode/a_test.cc", "kube/picture/b.h", True),
            ("src/kube/decode/a_test.cc", "sim/world/b.h", False),
            ("src/layers/proposal/a_test.cc", "layers/prediction/b.h", False),
            ("src/layers/decide.cc", "layers/explanation/alarms/b.h", True),
            ("src/layers/decide.cc", "layers/explanation/telling/b.h", False),
            ("src/trial/a.cc", "sim/world/b.h", True),
            ("src/apps/session/session.cc", "fake/b.h", False),
            ("src/guard/a.cc", "fake/b.h", False),
            ("src/guard/a_test.cc", "fake/b.h", True),
            ("src/guard/a_test.cc", "sim/b.h", False),
            ("src/layers/decide_test.cc", "layers/decide.h", True),
            ("tests/scenarios/a_test.cc", "sim/b.h", True),
        ]:
            self.check(path, target, allowed)

    def test_wants_paths_from_src(self):
        self.assertEqual(found(tidy.check_includes, {"src/base/a.cc": '#include "b.h"\n',
                                                     "src/base/b.h": header()}), ["src/base/a.cc:1"])

    def test_ignores_what_is_not_code(self):
        text = '// #include "model/b.h"\n/*\n#include "model/b.h"\n*/\nauto t = R"(\n#include "x.h"\n)";\n'
        self.assertEqual(found(tidy.check_includes, {"src/base/a.cc": text}), [])

    def test_looks_past_a_comment_before_the_include(self):
        text = '// Why.\n#include "model/b.h"  // Because.\n'
        self.assertEqual(found(tidy.check_includes, {"src/base/a.cc": text, "src/model/b.h": ""}),
                         ["src/base/a.cc:2"])


def table(changes=None):
    rows = {**ALLOWED, **(changes or {})}
    return "| Folder | What | May include |\n|---|---|---|\n" + "".join(
        f"| `{folder}` | x | {allowed or 'nothing'} |\n" for folder, allowed in rows.items()
        if allowed is not None)


class Folders(unittest.TestCase):
    def check(self, readme, path="src/base/a.h"):
        return found(tidy.check_folders, {path: header(), "src/README.md": readme})

    def test_equal_tables_pass(self):
        self.assertEqual(self.check(table()), [])

    def test_a_folder_that_is_in_no_table(self):
        self.assertEqual(self.check(table(), "src/utils/a.h"), ["src/utils/a.h:1"])
        self.assertEqual(self.check(table(), "src/layers/other/a.h"), ["src/layers/other/a.h:1"])

    def test_a_row_that_differs_lacks_or_is_too_many(self):
        self.assertEqual(self.check(table({"guard": "base, model, sim"})), ["src/README.md:6"])
        self.assertEqual(self.check(table({"guard": None})), ["src/README.md:1"])
        self.assertEqual(len(self.check(table({"other": "base"}))), 1)


class Purity(unittest.TestCase):
    def check(self, line, path="src/guard/a.cc"):
        return found(tidy.check_purity, {path: "\n" + line + "\n"})

    def test_reports_in_pure_code(self):
        for line in ["#include <boost/asio/awaitable.hpp>", "#include <fstream>", "#include <random>",
                     '#include "base/clock.h"', '#include "base/file.h"', "#include <mutex>",
                     "#include <coroutine>", "#include <sys/stat.h>", "#include <sstream>",
                     "auto t = std::chrono::system_clock::now();", "auto t = time(nullptr);",
                     "std::random_device d;", "int r = rand();", "asio::awaitable<void> f();",
                     "co_await f();", "co_return 1;", "std::ifstream in;", 'getenv("HOME");']:
            self.assertTrue(self.check(line), line)

    def test_lets_values_pass(self):
        for line in ["#include <chrono>", '#include "base/time.h"', '#include "base/random.h"',
                     "TimePoint time(int x);", "input.time(0);", "const int strand = brand(3);",
                     "// system_clock, co_await", 'auto s = "co_await";']:
            self.assertEqual(self.check(line), [], line)

    def test_knows_which_files_are_pure(self):
        line = "co_await f();"
        for path in ["src/layers/decide.cc", "src/layers/prediction/a.h", "src/sim/world/world.cc",
                     "src/layers/execution/action_machine.cc", "src/model/a.h", "src/store/a.cc"]:
            self.assertTrue(self.check(line, path), path)
        for path in [stem + ".cc" for stem in IMPURE] + [
                "src/layers/pipeline.cc", "src/layers/observation/a.cc", "src/guard/a_test.cc",
                "src/fake/a.cc", "tests/a_test.cc"]:
            self.assertEqual(self.check(line, path), [], path)


class Exactness(unittest.TestCase):
    def check(self, text, path="src/sim/a.cc"):
        return found(tidy.check_exactness, {path: text + "\n"})

    def test_reports(self):
        for line in ["x = std::exp(y);", "x = ::pow(a, b);", "x = std::round(y);", "x = __builtin_log(y);",
                     "x = std::logf(y);", "std::normal_distribution<double> d;",
                     "std::shuffle(a, b, g);", "std::ranges::shuffle(v, g);", "std::reduce(a, b);",
                     "x = std::stod(s);", "x = strtod(p, nullptr);", 'std::snprintf(b, n, "%f", x);',
                     "std::ostringstream out;", 's = fmt::format("{}", x);', "x = node.as<double>();",
                     "long double x = 0;", "std::unordered_map<int, int> m;", "std::hash<int> h;",
                     "s = std::to_string(0.5);", "double x = 1; auto s = std::to_string(x);",
                     "#pragma omp parallel"]:
            self.assertEqual(self.check(line), ["src/sim/a.cc:1"], line)

    def test_lets_pass(self):
        for line in ["x = std::sqrt(std::floor(y) + std::fabs(z));", "if (std::isfinite(x)) f();",
                     "x = math::exp(y);", "x = exp(y);", "x = parley::pow(a, b);", "log(entry);",
                     "std::accumulate(a, b, 0.0);", "std::to_chars(a, b, x);", "int n = std::stoi(s);",
                     "std::unordered_map<int, int> m;  // Lookup only.", "#include <unordered_map>",
                     "int n = 1; auto s = std::to_string(n);", "s = std::to_string(v.size());",
                     "double x; s = std::to_string(count(x));", "s = std::to_string(static_cast<int>(x));", "// std::exp(y)", "node.as<int>();"]:
            self.assertEqual(self.check(line), [], line)

    def test_holds_for_math_and_not_for_the_shell(self):
        self.assertTrue(self.check("x = std::exp(y);", "src/base/math.cc"))
        self.assertTrue(self.check("x = std::exp(y);", "src/base/random.h"))
        self.assertEqual(self.check("x = std::exp(y);", "src/sim/a_test.cc"), [])
        self.assertEqual(self.check("x = std::exp(y);", "src/http/a.cc"), [])

    def test_sees_a_double_in_the_header(self):
        files = {"src/sim/a.h": "struct A { double cost = 0; };", "src/sim/a.cc": "to_string(a.cost);"}
        self.assertEqual(found(tidy.check_exactness, files), ["src/sim/a.cc:1"])

    def test_boost_json_reads_nothing_anywhere(self):
        self.assertTrue(self.check("auto v = boost::json::parse(text);", "src/http/a.cc"))
        self.assertEqual(self.check("auto v = boost::json::serialize(x);", "src/http/a.cc"), [])

    def test_build_flags(self):
        self.assertEqual(found(tidy.check_exactness, {"cmake/A.cmake": "\nadd(-march=native)\n"}),
                         ["cmake/A.cmake:2"])
        self.assertEqual(found(tidy.check_exactness, {"CMakeLists.txt": "add(-ffp-contract=off)\n"}), [])


class Homes(unittest.TestCase):
    def test_clock(self):
        text = "auto now = std::chrono::steady_clock::now();\nstd::this_thread::sleep_for(x);\n"
        self.assertEqual(found(tidy.check_homes, {"src/http/a.cc": text}),
                         ["src/http/a.cc:1", "src/http/a.cc:2"])
        self.assertEqual(found(tidy.check_homes, {"src/http/a_test.cc": text}),
                         ["src/http/a_test.cc:1", "src/http/a_test.cc:2"])
        self.assertEqual(found(tidy.check_homes, {"src/base/clock.cc": text, "src/fake/clock.h": text,
                                                  "bench/a.cc": text}), [])

    def test_random(self):
        text = "std::mt19937 g;\n"
        self.assertEqual(found(tidy.check_homes, {"src/kube/a.cc": text}), ["src/kube/a.cc:1"])
        self.assertEqual(found(tidy.check_homes, {"src/base/random.cc": text}), [])


class CoAwait(unittest.TestCase):
    def check(self, line):
        return found(tidy.check_co_await, {"src/kube/a.cc": line + "\n"})

    def test_reports_braces_and_lambdas(self):
        for line in ["co_await f([p] { return p; });", "auto x = co_await f(Agg{a, b});",
                     "co_await f({a, b});", "if (co_await f({a})) g();", "co_await f(\n    Agg{a});"]:
            self.assertEqual(self.check(line), ["src/kube/a.cc:1"], line)

    def test_lets_pass(self):
        for line in ["auto x = co_await f(std::string(a), b[0]);", "if (co_await f()) { g(); }",
                     "while (co_await f(a)) {", "co_return Event{now, x};", "T x{co_await f()};",
                     "co_await std::move(work); g({a, b});", '// co_await f({})', 'f("co_await {");']:
            self.assertEqual(self.check(line), [], line)


class Headers(unittest.TestCase):
    def test_all_of_asio_in_no_header(self):
        line = "#include <boost/asio.hpp>\n"
        self.assertEqual(found(tidy.check_headers, {"src/http/a.h": header(line)}), ["src/http/a.h:4"])
        self.assertEqual(found(tidy.check_headers, {"src/http/a.cc": line}), [])
        self.assertEqual(found(tidy.check_headers, {
            "src/http/a.h": header("#include <boost/asio/awaitable.hpp>\n")}), [])

    def test_first_lines(self):
        self.assertEqual(len(found(tidy.check_headers, {"src/base/a.h": "int f();\n"})), 2)
        self.assertEqual(found(tidy.check_headers, {"src/base/a.h": header()}), [])


def function(lines, head="int f(int a = 3) {"):
    return head + "\n" + "    g();\n" * (lines - 2) + "}\n"


class Sizes(unittest.TestCase):
    def test_files(self):
        for path, most in [("src/sim/a.cc", 500), ("src/sim/a.h", 500), ("tools/a.py", 500),
                           ("src/sim/a_test.cc", 600), ("web/src/a.svelte", 500)]:
            self.assertEqual(found(tidy.check_sizes, {path: "\n" * most}), [], path)
            self.assertEqual(found(tidy.check_sizes, {path: "\n" * (most + 1)}), [f"{path}:{most + 1}"])
        for path in ("tests/golden/a.json", "web/src/api/schema.d.ts"):
            self.assertEqual(found(tidy.check_sizes, {path: "\n" * 9999}), [])

    def test_guard_as_a_whole(self):
        whole = [f"src/guard/{name}" for name in ("a.cc", "b.cc", "c.h", "d.h", "e.cc")]
        files = {path: "\n" * (tidy.GUARD_LINES_MAX // len(whole)) for path in whole}
        files["src/guard/a_test.cc"] = "\n" * 500
        self.assertEqual(found(tidy.check_sizes, files), [])
        self.assertEqual(len(found(tidy.check_sizes, {**files, "src/guard/f.h": "\n"})), 1)

    def test_commands(self):
        for name in ("demo_command.cc", "main.cc", "commands.h"):
            path = f"src/apps/parley/{name}"
            self.assertEqual(found(tidy.check_commands, {path: "\n" * 100}), [], path)
            self.assertEqual(found(tidy.check_commands, {path: "\n" * 101}), [f"{path}:101"])
        for name in ("from_trace.cc", "flags.h"):
            path = f"src/apps/parley/{name}"
            self.assertEqual(found(tidy.check_commands, {path: "\n"}), [f"{path}:1"])
        self.assertEqual(found(tidy.check_commands, {"src/apps/session/a.cc": "\n" * 101}), [])

    def test_readme(self):
        self.assertEqual(found(tidy.check_sizes, {"README.md": "\n" * 150}), [])
        self.assertEqual(found(tidy.check_sizes, {"README.md": "\n" * 151}), ["README.md:151"])

    def test_functions(self):
        for before, head, after in [
            ("", "int f(int a = 3) {", ""),
            ("namespace x {\n", "bool operator<(const A& b) {", "}\n"),
            ("struct S {\npublic:\n", "int f() const {", "};\n"),
            ("template <class T>\nclass S final : public B<T> {\n", "S(int a) : b_{a}, c_(a) {", "};\n"),
            ("#define M(x) { x\nBOOST_DESCRIBE_STRUCT(A, (),\n  (b))\n", "TEST(Name, is_a_sentence) {", ""),
            ("const int kA[] = {1, 2};\n", "template <class T> auto f(T t) -> std::vector<T> {", ""),
            ('char c = \'{\'; auto s = "{"; auto n = 1\'000;\n', "void f() {", ""),
        ]:
            line = before.count("\n") + 1
            for lines in (70, 71):
                files = {"src/sim/a.cc": before + function(lines, head) + after}
                self.assertEqual(found(tidy.check_functions, files),
                                 [f"src/sim/a.cc:{line}"] if lines > 70 else [], f"{head} {lines}")

    def test_tables_and_types_are_no_functions(self):
        for head in ["const Case kCases[] = {", "struct S {", "enum class E {", "namespace x {",
                     "const auto kCases = std::to_array<Case>({"]:
            text = function(200, head).replace("g();", "a,")
            self.assertEqual(found(tidy.check_functions, {"src/sim/a.cc": text}), [], head)


class Pairs(unittest.TestCase):
    def test_header_and_test_beside(self):
        whole = {"src/sim/a.cc": "", "src/sim/a.h": "", "src/sim/a_test.cc": ""}
        self.assertEqual(found(tidy.check_pairs, whole), [])
        for absent in ("src/sim/a.h", "src/sim/a_test.cc"):
            files = {p: t for p, t in whole.items() if p != absent}
            self.assertEqual(found(tidy.check_pairs, files), ["src/sim/a.cc:1"])

    def test_an_agent_is_declared_by_another_header_but_has_its_test(self):
        files = {"src/layers/proposal/a.cc": "", "src/layers/proposal/a_test.cc": ""}
        self.assertEqual(found(tidy.check_pairs, files), [])
        del files["src/layers/proposal/a_test.cc"]
        self.assertEqual(found(tidy.check_pairs, files), ["src/layers/proposal/a.cc:1"])
        self.assertTrue(all(DECLARED_ELSEWHERE.values()))

    def test_exempt_with_a_reason(self):
        self.assertEqual(found(tidy.check_pairs, {"src/apps/parley/main.cc": ""}), [])
        self.assertTrue(all(UNPAIRED.values()))
        self.assertTrue(all(IMPURE.values()))


class Links(unittest.TestCase):
    def check(self, text, path="docs/a.md"):
        return found(tidy.check_links, {path: text, "docs/b.md": "# One Thing, or two\n",
                                        "src/base/a.h": "", "README.md": ""})

    def test_reports_dead_ones(self):
        for text in ["[x](c.md)", "[x](../src/none)", "![x](p.png)", "[x](b.md#other)", "[x](#none)"]:
            self.assertEqual(self.check("\n" + text), ["docs/a.md:2"], text)

    def test_lets_live_ones_pass(self):
        for text in ["[x](b.md)", "[x](../src/base)", "[x](../README.md)", "[x](https://a.b/c)",
                     "[x](b.md#one-thing-or-two)", "`[x](c.md)`", "```\n[x](c.md)\n```", "[x](..)"]:
            self.assertEqual(self.check(text), [], text)


class Records(unittest.TestCase):
    def check(self, older, newer):
        return found(tidy.check_links, {"docs/decisions/0001-a.md": "# a\n\n" + older,
                                        "docs/decisions/0002-b.md": "# b\n\n" + newer})

    def test_both_name_each_other(self):
        for older, newer in [("Text.\n", "Text, see [0001](0001-a.md).\n"),
                             ("Superseded by [0002](0002-b.md).\n\nText.\n", "Supersedes [0001](0001-a.md).\n"),
                             ("Superseded in part by\n[0002](0002-b.md): x.\n", "Supersedes x of\n[0001](0001-a.md).\n")]:
            self.assertEqual(self.check(older, newer), [], older)

    def test_reports_one_that_does_not(self):
        self.assertEqual(self.check("Text.\n", "Supersedes [0001](0001-a.md).\n"), ["docs/decisions/0002-b.md:3"])
        self.assertEqual(self.check("Superseded by [0002](0002-b.md).\n", "Text of [0001](0001-a.md).\n"),
                         ["docs/decisions/0001-a.md:3"])

    def test_the_older_one_says_so_at_its_top(self):
        self.assertEqual(self.check("Text.\n\nSuperseded by [0002](0002-b.md).\n", "Supersedes [0001](0001-a.md).\n"),
                         ["docs/decisions/0001-a.md:5"])


class Words(unittest.TestCase):
    def test_open_marks_name_an_issue(self):
        self.assertEqual(found(tidy.check_words, {"src/a.cc": f"// {OPEN_MARK}: later\n"}), ["src/a.cc:1"])
        for text in [f"// {OPEN_MARK}(#12): later", f"// {OPEN_MARK}, issue 12: later", "mktemp XXXXXX"]:
            self.assertEqual(found(tidy.check_words, {"src/a.cc": text}), [], text)

    def test_paths_of_one_machine(self):
        self.assertEqual(found(tidy.check_words, {"docs/a.md": f"\nin {MACHINE_PATH}\n"}), ["docs/a.md:2"])
        self.assertEqual(found(tidy.check_words, {"docs/a.md": "in network/main, /workloads/\n"}), [])
        self.assertEqual(found(tidy.check_words, {"src/a.cc": 'f("/tmp/x");'}), ["src/a.cc:1"])
        self.assertEqual(found(tidy.check_words, {"src/a_test.cc": 'f("/tmp/x");'}), [])


class Prose(unittest.TestCase):
    def check(self, line, path="src/layers/explanation/telling/a.cc"):
        return found(tidy.check_prose, {path: "\n" + line + "\n"})

    def test_reports_what_reads_sentences_back(self):
        for line in ['text.find(" (")', 'text.find(\'(\')', 'because.substr(0, because.find(\',\'))',
                     'text.find(", ", at)', 'what.find("pods") != npos', 'text.find("Overruled ")',
                     'because.starts_with("skipped:")', 'text.starts_with("Nothing is done")',
                     'message.substr(0, message.find(\' \'))', 'if (row.evidence == "-")', 'cpu != "?"',
                     'limit == "never" ? a : b']:
            for path in ("src/layers/explanation/telling/a.cc", "src/web/views/a.cc", "src/replay/a.cc",
                         "src/apps/session/a.h", "src/apps/dashboard/a.cc", "src/apps/shelf/a.cc"):
                self.assertEqual(self.check(line, path), [path + ":2"], line)
        for line in ["one.text.includes('cut by a later action')", "result.endsWith('not in this build')",
                     "figure.split(' ')", "mode.replace('simulated', 'sim')", "text.match(/round (\\d+)/)",
                     "/in\\s+round\\s+\\d/.test(said)"]:
            self.assertEqual(self.check(line, "web/src/logic/a.ts"), ["web/src/logic/a.ts:2"], line)

    def test_reports_a_search_in_what_is_called_like_a_sentence(self):
        for line in ["line.find(word, at + 1)", "error.message.starts_with(head) ? a : b", "sentence.find(aside)",
                     "small(event.message).find(wanted)", "(*text)->find(kExact)", "said_.ends_with(kHint)",
                     'rest.find_first_not_of("0123456789")', "std::regex round_in(kRound);"]:
            for path in ("src/apps/dashboard/a.cc", "src/apps/shelf/a.cc", "src/layers/explanation/telling/a.cc"):
                self.assertEqual(self.check(line, path), [path + ":2"], line)
        for line in ["station.figure.endsWith(about)", "text?.startsWith(word)"]:
            self.assertEqual(self.check(line, "web/src/components/A.svelte"), ["web/src/components/A.svelte:2"], line)

    def test_reports_a_comparison_with_a_sentence(self):
        self.assertEqual(self.check('if (why == "no more nodes") return;'), ["src/layers/explanation/telling/a.cc:2"])
        line = "round.more_nodes === 'no more nodes' ? '' : text"
        self.assertEqual(self.check(line, "web/src/logic/a.ts"), ["web/src/logic/a.ts:2"])

    def test_lets_values_pass(self):
        for line in ['nodes.find(slot)', 'std::ranges::find(words, name)', 'path.starts_with("events.")',
                     'line.ends_with(\' \')', 'folder.starts_with(home)', 'rule == "action-limit"', '// text.find(" (")',
                     'name.rfind(\'/\')', 'out += " (" + text + ")"', 'text.find(\'\\n\', begin)', 'lines.find(slot)->second',
                     'found != origins.end()', 'who == "agent"', 'text.find_first_not_of(\' \', end)']:
            self.assertEqual(self.check(line), [], line)
        for line in ["path.split('/')", "/^\\d+$/.test(text)", "size.replace(/0+$/, '')", "question === 'why-not '",
                     "names.includes(name)", "'/' + runs + ' in '"]:
            self.assertEqual(self.check(line, "web/src/logic/a.ts"), [], line)
        self.assertEqual(self.check('text.find(", ")', "src/web/serve/a.cc"), [], "it reads requests")
        self.assertEqual(self.check('text.find(", ")', "src/web/views/a_test.cc"), [])

    def test_a_line_may_say_why(self):
        self.assertEqual(self.check('text.find(" ");  // prose: lines are broken between words'), [])
        self.assertEqual(found(tidy.check_prose, {"src/replay/a.cc": '// prose: of a library\ntext.find("not there")'}), [])
        self.assertEqual(self.check('text.find(" ");  // prose:'), ["src/layers/explanation/telling/a.cc:2"])


class Whole(unittest.TestCase):
    def test_reads_a_folder_without_git(self):
        with tempfile.TemporaryDirectory() as root:
            for path, text in [("src/base/a.cc", ""), ("build/b.cc", ""), ("a.bin", None)]:
                os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
                with open(os.path.join(root, path), "wb") as file:
                    file.write(b"\xff\xfe\x00" if text is None else text.encode())
            self.assertEqual(sorted(tidy.Tree.read(root).files), ["a.bin", "src/base/a.cc"])

    def test_every_rule_is_tried_here(self):
        with open(__file__, encoding="utf-8") as file:
            own = file.read()
        for rule in tidy.RULES:
            self.assertIn(f"tidy.{rule.__name__}", own)


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    unittest.main()
