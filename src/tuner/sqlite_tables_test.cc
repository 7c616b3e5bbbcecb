#include "tuner/sqlite_tables.h"

#include "tuner/sqlite_schema.h"
#include "tuner/test_study.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace parley::tuner {
namespace {

struct SqliteTablesTest : testing::Test {
    SqliteTablesTest() {
        EXPECT_TRUE(prepare_schema(db, true));
        EXPECT_TRUE(tables.prepare());
        EXPECT_TRUE(tables.create_study("a", Direction::maximize));
    }

    sqlite::Database db = *sqlite::Database::open_shared(":memory:", true, seconds(1));
    SqliteTables tables{db};
};

TEST_F(SqliteTablesTest, a_study_is_found_by_name) {
    const auto study = tables.study("a");
    ASSERT_TRUE(study && study->has_value());
    EXPECT_TRUE((*study)->maximizes());
    EXPECT_FALSE(tables.study("b")->has_value());
    EXPECT_EQ(tables.create_study("a", Direction::minimize).error().code, ErrorCode::conflict);
}

TEST_F(SqliteTablesTest, rows_are_spelled_as_optuna_spells_them) {
    const Trial begun{.number = 0, .start = TimePoint{1735787045000006}};
    const std::int64_t id = *tables.add_trial(1, begun);
    ASSERT_TRUE(tables.add_param(id, {"x", shared(FloatRange{}), 0.5}));
    ASSERT_TRUE(tables.set_intermediate(id, 1, std::nan("")));
    ASSERT_TRUE(tables.set_intermediate(id, 2, -INFINITY));
    ASSERT_TRUE(tables.set_value(id, INFINITY));
    ASSERT_TRUE(tables.set_state(id, TrialState::complete, {}, TimePoint{1735787046000000}));
    EXPECT_EQ(
        **db.first("SELECT state || ' ' || datetime_start || ' ' || datetime_complete FROM trials"),
        "COMPLETE 2025-01-02 03:04:05.000006 2025-01-02 03:04:06.000000");
    EXPECT_EQ(**db.first("SELECT value_type FROM trial_values WHERE value IS NULL"), "INF_POS");
    EXPECT_EQ(**db.first("SELECT group_concat(intermediate_value_type) FROM "
                         "trial_intermediate_values WHERE intermediate_value IS NULL"),
              "NAN,INF_NEG");
    const auto trial = tables.trial(id);
    ASSERT_TRUE(trial);
    EXPECT_EQ(trial->start->us, 1735787045000006);
    EXPECT_EQ(trial->values, std::vector<double>{INFINITY});
    EXPECT_TRUE(std::isnan(trial->intermediate.at(1)));
    EXPECT_EQ(trial->params.at(0).value, 0.5);
}

TEST_F(SqliteTablesTest, rubbish_is_refused) {
    const std::int64_t id = *tables.add_trial(1, {});
    ASSERT_TRUE(
        db.run("INSERT INTO trial_params (trial_id, param_name, param_value, "
               "distribution_json) VALUES (1, 'x', 'abc', '{')"));
    EXPECT_EQ(tables.trial(id).error().code, ErrorCode::malformed);
    ASSERT_TRUE(db.run("DELETE FROM trial_params; UPDATE trials SET state='SLEEPING'"));
    EXPECT_EQ(tables.trial(id).error().code, ErrorCode::malformed);
    EXPECT_EQ(tables.trial(99)->number, -1);
}

TEST_F(SqliteTablesTest, a_heart_that_stopped_is_found) {
    const std::int64_t beating = *tables.add_trial(1, {.number = 0});
    const std::int64_t stopped = *tables.add_trial(1, {.number = 1});
    ASSERT_TRUE(tables.add_trial(1, {.number = 2}));  // Never had one.
    ASSERT_TRUE(tables.beat(beating));
    ASSERT_TRUE(tables.beat(stopped));
    EXPECT_TRUE(tables.stale(1, seconds(60))->empty());
    ASSERT_TRUE(
        db.run("UPDATE trial_heartbeats SET heartbeat=datetime('now', '-61 seconds') || "
               "'.000000' WHERE trial_id=2"));
    EXPECT_EQ(*tables.stale(1, seconds(60)), std::vector<std::int64_t>{stopped});
    ASSERT_TRUE(tables.beat(stopped));
    EXPECT_TRUE(tables.stale(1, seconds(60))->empty());
}

}  // namespace
}  // namespace parley::tuner
