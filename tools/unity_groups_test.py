#!/usr/bin/env python3
"""Usage: tools/unity_groups_test.py [unittest arguments]"""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from unity_groups import FILES_MAX, groups_of, inner_names

TEXT = """
#define TWICE(x) x x
constexpr int kOutside = 1;
int shared();
namespace {

using namespace model;
using model::Cause;
using Rows = std::vector<Row>;
struct Options {
    int inside = 1;
};
enum class Kind { one };
__extension__ using Wide = __int128;
constexpr std::size_t kMost = 3;
const char* const kNames[] = {"a"};
std::map<int, std::string> table{};
template <class T>
T* parse(const T& text) {
    return helper(text);
}
[[noreturn]] void stop(int status) {}
std::vector<std::pair<std::string, int>>
a_long_name(int x);

}  // namespace

int shared() { return 1; }
"""


class Groups(unittest.TestCase):
    def test_inner_names_are_those_that_others_may_have_too(self):
        self.assertEqual(inner_names(TEXT), {
            "TWICE", "kOutside", "Rows", "Options", "Kind", "Wide", "kMost", "kNames", "table", "parse",
            "stop", "a_long_name"})

    def test_files_that_share_a_name_are_apart(self):
        self.assertEqual(groups_of([("a", {"x"}), ("b", {"y"}), ("c", {"x"}), ("d", {"y"}),
                                    ("e", set())]), [["a", "b", "e"], ["c", "d"]])

    def test_a_group_is_not_too_large(self):
        groups = groups_of([(str(i), set()) for i in range(FILES_MAX + 1)])
        self.assertEqual([len(group) for group in groups], [FILES_MAX, 1])


if __name__ == "__main__":
    unittest.main()
