#include "learn/rows/rows_check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace parley::learn {
namespace {

Rows good() {
    return {.columns = {{"load", "share"}, {"age", "s"}},
            .values = {0.5F, 10, 0.9F, std::nanf("")},
            .label = {0, 1},
            .weight = {1, 2},
            .time = {{0}, {1}},
            .entity = {0, 1},
            .group = {0, 0},
            .event = {kNoEvent, 0}};
}

struct Case {
    const char* name;
    std::function<void(Rows&)> change;
    const char* error;
};

class RowsCheckRefuses : public testing::TestWithParam<Case> {};

TEST_P(RowsCheckRefuses, with_the_reason) {
    Rows rows = good();
    GetParam().change(rows);
    const auto checked = check_risk_rows(rows);
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().message, GetParam().error);
}

const Case kCases[] = {
    {"no_rows", [](Rows& r) { r = {.columns = r.columns}; }, "data set: it has no rows"},
    {"no_features", [](Rows& r) { r.columns.clear(); },
     "data set: it has no features; name at least one column"},
    {"no_name", [](Rows& r) { r.columns[0].name = ""; }, "data set: a feature has no name"},
    {"no_unit", [](Rows& r) { r.columns[1].unit = ""; }, "data set: feature age has no unit"},
    {"name_twice", [](Rows& r) { r.columns[1].name = "load"; },
     "data set: feature load stands there twice"},
    {"short_part", [](Rows& r) { r.event.pop_back(); },
     "data set: its parts have different lengths; every row needs all of them"},
    {"short_values", [](Rows& r) { r.values.pop_back(); },
     "data set: its parts have different lengths; every row needs all of them"},
    {"label_missing", [](Rows& r) { r.label[1] = std::nanf(""); }, "data set: row 1 has no label"},
    {"weight_missing", [](Rows& r) { r.weight[0] = std::nanf(""); },
     "data set: row 0 has no weight; a censored row weighs 0"},
    {"weight_negative", [](Rows& r) { r.weight[0] = -1; },
     "data set: row 0 has no weight; a censored row weighs 0"},
    {"null_entity", [](Rows& r) { r.entity[1] = -1; }, "data set: row 1 has no entity"},
    {"null_run", [](Rows& r) { r.group[1] = -1; }, "data set: row 1 has no run"},
    {"label_between", [](Rows& r) { r.label[1] = 0.5F; },
     "data set: row 1 has a label that is not 0 or 1"},
    {"no_failure", [](Rows& r) { r.label[1] = 0; },
     "data set: no row has the label 1; nothing that failed is in it"},
    {"no_survivor", [](Rows& r) { r.label[0] = 1; },
     "data set: no row has the label 0; nothing that survived is in it"},
};
INSTANTIATE_TEST_SUITE_P(Table, RowsCheckRefuses, testing::ValuesIn(kCases),
                         [](const auto& each) { return each.param.name; });

TEST(RowsCheck, takes_missing_values) { EXPECT_TRUE(check_risk_rows(good())); }

TEST(RowsCheck, fingerprints_everything) {
    const std::string before = fingerprint(good());
    EXPECT_EQ(before, fingerprint(good()));
    const std::function<void(Rows&)> changes[] = {
        [](Rows& r) { r.values[0] = 0.6F; },     [](Rows& r) { r.label[0] = 1; },
        [](Rows& r) { r.weight[0] = 3; },        [](Rows& r) { r.time[0] = {5}; },
        [](Rows& r) { r.entity[0] = 7; },        [](Rows& r) { r.columns[0].name = "loads"; },
        [](Rows& r) { r.columns[0].unit = "s"; }};
    for (const auto& change : changes) {
        Rows rows = good();
        change(rows);
        EXPECT_NE(fingerprint(rows), before);
    }
}

}  // namespace
}  // namespace parley::learn
