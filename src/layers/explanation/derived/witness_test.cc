#include "layers/explanation/derived/witness.h"

#include "base/hash.h"
#include "sqlite/database.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace parley::explanation {
namespace {

namespace fs = std::filesystem;

/// Derived files of a run, written by hand, in a folder that is removed afterwards.
class WitnessTest : public testing::Test {
protected:
    WitnessTest() {
        const auto* info = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = fs::temp_directory_path() / (std::string("parley-witness-") + info->name());
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    ~WitnessTest() override { fs::remove_all(folder_); }

    std::string path(const char* name) const { return (folder_ / name).string(); }
    void put(const char* name, const std::string& text) const {
        ASSERT_TRUE(write_file_atomically(real_disk(), path(name), text));
    }
    /// A run.db of a run, and of these events.
    void put_database(const std::string& born, std::uint64_t rounds, const std::string& events) {
        fs::remove(path("run.db"));
        auto database = RunDatabase::create(path("run.db"));
        ASSERT_TRUE(database);
        ASSERT_TRUE(database->finish({.rounds = rounds,
                                      .chain_head = "abc",
                                      .events_bytes = events.size(),
                                      .events_crc = crc32c(events),
                                      .born = born}));
        ASSERT_TRUE(seal(real_disk(), path("run.db")));
    }
    static std::string events_until(std::uint64_t round) {
        return R"({"round":1}
{"round":)" + std::to_string(round) +
               "}\n";
    }
    /// With a journal of five rounds.
    Witnesses ask(const std::string& born = "ours") const {
        return ask_witnesses(real_disk(), folder_.string(), {born, 5, 5});
    }

    fs::path folder_;
};

TEST_F(WitnessTest, nothing_knows_of_nothing) {
    const Witnesses none = ask();
    EXPECT_EQ(none.beyond + none.chain + none.foreign, "");
    EXPECT_EQ(none.rounds, 0U);
    EXPECT_FALSE(sealed_meta(real_disk(), path("run.db")));
}

TEST_F(WitnessTest, a_database_of_ours_knows_how_many_rounds_there_were) {
    put_database("ours", 5, "");
    EXPECT_EQ(ask().beyond, "");
    EXPECT_EQ(ask().chain, "abc");
    put_database("ours", 6, "");
    EXPECT_EQ(ask().beyond, path("run.db") + " tells of 6 rounds, and the journal holds 5");
    EXPECT_EQ(ask().rounds, 6U);
}

TEST_F(WitnessTest, that_of_another_run_is_named_and_not_believed) {
    put_database("theirs", 700, events_until(700));
    put("events.jsonl", events_until(700));
    Witnesses told = ask();
    EXPECT_EQ(told.beyond, "");
    EXPECT_EQ(told.rounds, 0U);
    EXPECT_EQ(told.chain, "");
    EXPECT_EQ(told.foreign, path("run.db") + " is of another run");
    // Events that it does not vouch for may be ours.
    put("events.jsonl", events_until(9));
    told = ask();
    EXPECT_EQ(told.beyond,
              path("events.jsonl") + " tells of round 9, and the journal ends with round 5");
    EXPECT_EQ(told.rounds, 9U);
    // Of a run whose beginning is lost it may be.
    EXPECT_EQ(ask("").rounds, 700U);
    EXPECT_EQ(ask("").foreign, "");
    put_database("", 700, "");
    EXPECT_EQ(ask().rounds, 700U);
}

TEST_F(WitnessTest, an_edited_database_is_not_asked_but_the_events_are) {
    put_database("ours", 6, "");
    {
        auto edited = sqlite::Database::open_shared(path("run.db"), false, seconds(1));
        ASSERT_TRUE(edited->run("UPDATE meta SET value = '700' WHERE key = 'rounds'"));
    }
    EXPECT_EQ(ask().beyond + ask().foreign + ask().chain, "");
    put("events.jsonl", events_until(5));
    EXPECT_EQ(ask().beyond, "");
    put("events.jsonl", events_until(6));
    EXPECT_EQ(ask().beyond,
              path("events.jsonl") + " tells of round 6, and the journal ends with round 5");
    // A database of ours knows better.
    put_database("ours", 5, events_until(5));
    EXPECT_EQ(ask().beyond, "");
}

}  // namespace
}  // namespace parley::explanation
