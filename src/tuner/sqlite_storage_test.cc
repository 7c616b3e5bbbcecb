#include "tuner/sqlite_storage.h"

#include "sqlite/database.h"
#include "tuner/test_study.h"

#include <gtest/gtest.h>

#include <barrier>
#include <filesystem>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace parley::tuner {
namespace {

namespace fs = std::filesystem;

struct SqliteStorageTest : testing::Test {
    SqliteStorageTest() {
        fs::remove_all(folder);
        fs::create_directory(folder);
    }
    ~SqliteStorageTest() override { fs::remove_all(folder); }

    sqlite::Database other() const {
        return *sqlite::Database::open_shared(path, false, seconds(1));
    }

    std::string folder = testing::TempDir() + std::to_string(getpid()) + "tuner_sqlite";
    std::string path = folder + "/db";
    StorageConfig config{.study = "a", .busy_limit = milliseconds(50)};
};

Draft one(const Study&, const Trial&) {
    return {.params = {{"x", shared(FloatRange{}), 0.5}}, .system_attributes = {{"k", "1"}}};
}

TEST_F(SqliteStorageTest, zombies_fail_when_their_heart_stopped) {
    const auto storage = *open_sqlite(path, config);
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(storage->ask(one));
    ASSERT_TRUE(storage->heartbeat(0));
    ASSERT_TRUE(storage->heartbeat(1));
    ASSERT_TRUE(
        other().run("UPDATE trial_heartbeats SET heartbeat='2020-01-01 00:00:00' "
                    "WHERE trial_id=2"));
    EXPECT_EQ(*storage->fail_stale(seconds(60)), std::vector<std::int64_t>{1});
    EXPECT_EQ(storage->study().trials[1].state, TrialState::fail);
    EXPECT_EQ(storage->study().trials[2].state, TrialState::running);
    EXPECT_TRUE(storage->fail_stale(seconds(60))->empty());
}

/// Frames that the log of a database has grown by: one commit writes at least one, and a commit's
/// last frame says so, at byte 4 of its head.
int commits_in(const std::string& wal) {
    const auto size = fs::file_size(wal);
    FILE* file = std::fopen(wal.c_str(), "rb");
    int commits = 0;
    for (std::uintmax_t at = 32; at + 24 <= size; at += 24 + 4096) {
        unsigned char head[8] = {};
        std::fseek(file, static_cast<long>(at), SEEK_SET);
        if (std::fread(head, 1, 8, file) != 8) break;
        commits += (head[4] | head[5] | head[6] | head[7]) != 0;
    }
    std::fclose(file);
    return commits;
}

TEST_F(SqliteStorageTest, a_trial_costs_two_commits) {
    const auto storage = *open_sqlite(path, config);
    const int before = commits_in(path + "-wal");
    for (int i = 0; i < 5; ++i) {
        const auto number = storage->ask(one);
        ASSERT_TRUE(storage->tell(*number, TrialState::complete, 1.0));
    }
    EXPECT_EQ(commits_in(path + "-wal") - before, 10);
}

TEST_F(SqliteStorageTest, what_could_not_be_stored_did_not_happen) {
    const auto storage = *open_sqlite(path, config);
    ASSERT_TRUE(storage->ask(one));
    sqlite::Database writer = other();
    ASSERT_TRUE(writer.run("BEGIN IMMEDIATE"));
    const auto blocked = storage->ask(one);
    ASSERT_FALSE(blocked);
    EXPECT_EQ(blocked.error().code, ErrorCode::unavailable);
    EXPECT_EQ(storage->study().trials.size(), 1u);
    ASSERT_TRUE(storage->refresh());  // Reading goes on meanwhile.
    ASSERT_TRUE(writer.run("COMMIT"));
    EXPECT_EQ(*storage->ask(one), 1);
}

TEST_F(SqliteStorageTest, those_who_open_a_new_study_at_once_wait_for_each_other) {
    constexpr int kAtOnce = 6;
    config.busy_limit = seconds(60);
    for (int i = 0; i < 40; ++i) {
        const std::string place = path + std::to_string(i);
        // A file as Optuna leaves it: not yet of the kind that many write at once.
        ASSERT_TRUE(sqlite::Database::open_shared(place, true, seconds(1))
                        ->run("CREATE TABLE IF NOT EXISTS other (x INTEGER)"));
        std::barrier all(kAtOnce);
        std::vector<std::string> errors(kAtOnce);
        std::vector<std::jthread> threads;
        for (std::string& error : errors) {
            threads.emplace_back([&, this] {
                all.arrive_and_wait();
                if (const auto opened = open_sqlite(place, config); !opened) {
                    error = opened.error().message;
                }
            });
        }
        threads.clear();  // Joins them.
        for (const std::string& error : errors) ASSERT_EQ(error, "");
    }
}

TEST_F(SqliteStorageTest, what_is_not_in_order_is_refused) {
    const auto storage = *open_sqlite(path, config);
    ASSERT_TRUE(storage->ask(one));
    ASSERT_TRUE(
        other().run("INSERT INTO trials (number, study_id, state) VALUES (7, 1, 'RUNNING')"));
    const auto seen = storage->refresh();
    ASSERT_FALSE(seen);
    EXPECT_EQ(seen.error().code, ErrorCode::malformed);
    EXPECT_FALSE(open_sqlite(path, config));
    ASSERT_TRUE(other().run("DELETE FROM trials WHERE number=7"));
    EXPECT_TRUE(storage->refresh());
    ASSERT_TRUE(other().run("DELETE FROM studies"));
    EXPECT_EQ(storage->refresh().error().code, ErrorCode::gone);
}

TEST_F(SqliteStorageTest, a_file_that_is_no_database_is_refused) {
    fs::create_directory(path);
    EXPECT_FALSE(open_sqlite(path, config));
}

}  // namespace
}  // namespace parley::tuner
