#include "layers/explanation/derived/run_database.h"

#include "layers/explanation/telling/story_kit_test.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace parley::explanation {
namespace {

using kit::Round;

class RunDatabaseTest : public testing::Test {
protected:
    RunDatabaseTest() {
        const auto* info = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::temp_directory_path() /
                  (std::string("parley-run-database-") + info->name());
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
    }
    ~RunDatabaseTest() override { std::filesystem::remove_all(folder_); }

    std::string path() const { return (folder_ / "run.db").string(); }
    std::string ask(const std::string& sql) {
        auto database = sqlite::Database::open_to_read(path());
        if (!database) return database.error().message;
        const auto answer = database->first(sql);
        if (!answer) return answer.error().message;
        return *answer ? **answer : "null";
    }

    std::filesystem::path folder_;
};

const DerivedMeta kMeta{.rounds = 2,
                        .chain_head = "abc",
                        .events_bytes = 10,
                        .events_crc = 4'000'000'000U,
                        .state_bytes = 20,
                        .state_crc = 2,
                        .born = "f00d"};

TEST_F(RunDatabaseTest, every_table_has_its_rows) {
    auto database = RunDatabase::create(path());
    ASSERT_TRUE(database) << database.error().message;
    Round round;
    round.decision.alarms.push_back(
        {.about = kit::node_id(12), .rounds = 31, .sentence = "silent"});
    round.decision.closed.push_back({.round = 118,
                                     .closed = 142,
                                     .action = model::Replicate{},
                                     .target = kit::node_id(7),
                                     .advantage = {model::Role::safety, 3'000'000},
                                     .twin_error = model::Cost{model::Role::safety, 1'000'000}});
    ASSERT_TRUE(
        database->take(round.told(), {{round.input.now, 142, EventKind::alarm, "m", "{}"}}));
    round.move_to(143, round.input.now + seconds(3));
    round.risk(7).risk = 0.5;
    round.decision.closed[0].state = model::ScoreState::missing;
    round.decision.score = {
        .cost = {model::Role::safety, 500'000}, .score = -0.5, .leaves = 4, .missing = 1};
    ASSERT_TRUE(database->take(round.told(), {}));
    round.decision.closed[0].state = model::ScoreState::censored;
    round.decision.closed[0].samples = 7;
    round.decision.closed[0].observed = {model::Role::safety, 2'000'000};
    ASSERT_TRUE(database->take_end(round.decision.closed, {}));
    ASSERT_TRUE(database->finish(kMeta));

    EXPECT_EQ(ask("SELECT cost FROM rounds WHERE round = 142"), "null") << "nothing was read";
    EXPECT_EQ(ask("SELECT cost FROM rounds WHERE round = 143"), "0.5");
    EXPECT_EQ(ask("SELECT value FROM meta WHERE key = 'cost_pod_minutes'"), "0.5");
    EXPECT_EQ(ask("SELECT value FROM meta WHERE key = 'coverage'"), "0.8");
    EXPECT_EQ(ask("SELECT value FROM meta WHERE key = 'not_known_because'"), "");
    EXPECT_EQ(ask("SELECT advantage FROM scores WHERE state = 'censored'"), "null");
    EXPECT_EQ(ask("SELECT observed || ' ' || samples FROM scores WHERE state = 'censored'"),
              "2.0 7");
    EXPECT_EQ(ask("SELECT winner || ' ' || label || ' ' || target || ' ' || contest FROM rounds"),
              "safety AgentA:replicate node-07 contested");
    EXPECT_EQ(ask("SELECT group_concat(fate) FROM proposals WHERE round = 142"),
              "idle,accepted,overridden,overridden");
    EXPECT_EQ(ask("SELECT rule FROM proposals WHERE role = 'admission' AND round = 142"),
              "action-limit");
    EXPECT_EQ(ask("SELECT count(*) FROM nodes WHERE round = 142"), "12");
    EXPECT_EQ(ask("SELECT group_concat(node) FROM nodes WHERE round = 143"), "node-07");
    EXPECT_EQ(ask("SELECT count(*) FROM events"), "1");
    EXPECT_EQ(ask("SELECT advantage FROM scores WHERE state = 'measured'"), "3.0");
    EXPECT_EQ(ask("SELECT advantage FROM scores WHERE state = 'missing'"), "null");
    EXPECT_EQ(ask("SELECT sentence FROM alarms WHERE about = 'node-12' AND round = 142"), "silent");
}

TEST_F(RunDatabaseTest, says_what_it_was_made_from) {
    auto database = RunDatabase::create(path());
    ASSERT_TRUE(database);
    ASSERT_TRUE(database->finish(kMeta));
    const auto meta = read_meta(path());
    ASSERT_TRUE(meta) << meta.error().message;
    DerivedMeta expected = kMeta;
    expected.database_bytes = std::filesystem::file_size(path());
    EXPECT_EQ(*meta, expected);
}

TEST_F(RunDatabaseTest, is_sealed_until_it_is_edited) {
    auto database = RunDatabase::create(path());
    ASSERT_TRUE(database);
    ASSERT_TRUE(database->finish(kMeta));
    EXPECT_FALSE(is_sealed(real_disk(), path()));
    ASSERT_TRUE(seal(real_disk(), path()));
    EXPECT_TRUE(is_sealed(real_disk(), path()));
    EXPECT_EQ(read_meta(path())->born, "f00d");
    {
        auto edited = sqlite::Database::open_shared(path(), false, seconds(1));
        ASSERT_TRUE(edited->run("UPDATE meta SET value = '3' WHERE key = 'rounds'"));
    }
    EXPECT_FALSE(is_sealed(real_disk(), path()));
    EXPECT_FALSE(is_sealed(real_disk(), path() + ".nowhere"));
}

TEST_F(RunDatabaseTest, one_that_was_never_finished_vouches_for_nothing) {
    {
        auto database = RunDatabase::create(path());
        ASSERT_TRUE(database);
        Round round;
        ASSERT_TRUE(database->take(round.told(), {}));
    }
    EXPECT_FALSE(read_meta(path()));
}

}  // namespace
}  // namespace parley::explanation
