#include "layers/explanation/derived/derived.h"

#include "layers/explanation/telling/story_kit_test.h"
#include "sqlite/database.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace parley::explanation {
namespace {

using kit::Round;
namespace fs = std::filesystem;

/// A run of three rounds in a folder of its own, gone when the test is over.
class DerivedTest : public testing::Test {
protected:
    DerivedTest() {
        const auto* info = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = fs::temp_directory_path() / (std::string("parley-derived-") + info->name());
        fs::remove_all(folder_);
        fs::create_directories(folder_.parent_path());
        recording_.emplace(real_disk(), run(), policy_);
        for (int i = 0; i < 3; ++i) keep();
    }
    ~DerivedTest() override { fs::remove_all(folder_); }

    void keep() {
        ++rounds_;
        Round round(rounds_, {seconds(3 * static_cast<std::int64_t>(rounds_)).us});
        recording_->keep(round, round.all_sent());
    }

    std::string run() const { return folder_.string(); }
    std::string path(const char* name) const { return (folder_ / name).string(); }
    std::string text(const char* name) const {
        auto read = read_file(real_disk(), path(name));
        return read ? *read : read.error().message;
    }
    void write(const char* name, const std::string& bytes) const {
        std::ofstream(path(name), std::ios::trunc | std::ios::binary) << bytes;
    }
    /// Why it was rebuilt; empty: it was left alone.
    std::string ensured() {
        const auto facts = ensure(real_disk(), run());
        if (!facts) return "error: " + facts.error().message;
        EXPECT_EQ(facts->rounds, rounds_);
        EXPECT_EQ(facts->rebuilt, !facts->because.empty());
        return facts->because;
    }
    void expect_whole() {
        EXPECT_EQ(ensured(), "");
        auto database = sqlite::Database::open_to_read(path("run.db"));
        ASSERT_TRUE(database);
        EXPECT_EQ(*database->first("SELECT count(*) FROM rounds"), std::to_string(rounds_));
        EXPECT_NE(text("state.json").find("\"rounds\":" + std::to_string(rounds_)),
                  std::string::npos);
    }

    fs::path folder_;
    model::Policy policy_;
    std::optional<kit::Recording> recording_;
    std::uint64_t rounds_ = 0;
};

TEST_F(DerivedTest, files_are_made_where_they_are_missing_and_then_left_alone) {
    EXPECT_EQ(ensured(), path("run.db") + " is missing");
    const auto made = fs::last_write_time(path("run.db"));
    expect_whole();
    EXPECT_EQ(fs::last_write_time(path("run.db")), made);
    const std::string events = text("events.jsonl");
    EXPECT_EQ(std::ranges::count(events, '\n'), 9) << events;  // Three of them about stages.
    EXPECT_NE(events.find("\"message\":\"A replicate node-07, over C, B\""), std::string::npos);
    for (const char* name : {"run.db", "events.jsonl", "state.json"}) {
        EXPECT_EQ(
            fs::status(path(name)).permissions() & (fs::perms::group_all | fs::perms::others_all),
            fs::perms::none)
            << name;
    }
    EXPECT_FALSE(fs::exists(path("run.db.new")));
    EXPECT_FALSE(fs::exists(path("events.jsonl.new")));
}

TEST_F(DerivedTest, a_deleted_file_comes_back_as_it_was) {
    for (const char* name : {"run.db", "events.jsonl", "state.json"}) {
        ASSERT_TRUE(rebuild(real_disk(), run()));
        const std::string before = text(name);
        fs::remove(path(name));
        EXPECT_EQ(ensured(), path(name) + " is missing");
        EXPECT_TRUE(text(name) == before) << name;
        expect_whole();
    }
}

TEST_F(DerivedTest, a_truncated_file_is_made_anew) {
    for (const char* name : {"run.db", "events.jsonl", "state.json"}) {
        ASSERT_TRUE(rebuild(real_disk(), run()));
        const std::string before = text(name);
        for (const std::size_t size : {std::size_t{0}, before.size() / 2, before.size() - 1}) {
            write(name, before.substr(0, size));
            EXPECT_NE(ensured(), "") << name << " cut to " << size;
            EXPECT_TRUE(text(name) == before) << name;
        }
    }
}

TEST_F(DerivedTest, garbage_of_the_same_length_is_found) {
    for (const char* name : {"run.db", "events.jsonl", "state.json"}) {
        ASSERT_TRUE(rebuild(real_disk(), run()));
        const std::string before = text(name);
        std::string broken = before;
        broken[broken.size() / 2] = static_cast<char>(broken[broken.size() / 2] ^ 1);
        write(name, std::string_view(name) == "run.db" ? std::string(before.size(), 'x') : broken);
        EXPECT_NE(ensured(), "") << name;
        EXPECT_TRUE(text(name) == before) << name;
    }
}

TEST_F(DerivedTest, files_behind_the_journal_catch_up) {
    EXPECT_NE(ensured(), "");
    keep();
    EXPECT_EQ(ensured(), path("run.db") + " is behind the journal: it ends with round 3");
    expect_whole();
    recording_->finish(rounds_);
    EXPECT_NE(ensured(), "");
    EXPECT_NE(text("state.json").find("\"status\":\"complete\""), std::string::npos);
    expect_whole();
}

TEST_F(DerivedTest, an_edited_database_knows_no_nodes) {
    ASSERT_TRUE(rebuild(real_disk(), run()));
    const auto known = nodes_known(real_disk(), run());
    ASSERT_TRUE(known);
    EXPECT_EQ(std::ranges::count(*known, "node-07"), 1);
    {
        auto database = sqlite::Database::open_shared(path("run.db"), false, seconds(1));
        ASSERT_TRUE(database);
        ASSERT_TRUE(database->run("DELETE FROM nodes WHERE node = 'node-07'"));
    }
    EXPECT_FALSE(nodes_known(real_disk(), run()));
    EXPECT_EQ(ensured(), path("run.db") + " was edited");
    EXPECT_EQ(nodes_known(real_disk(), run()), known);
}

TEST_F(DerivedTest, a_database_of_another_run_is_made_anew) {
    ASSERT_TRUE(rebuild(real_disk(), run()));
    const std::string ours = text("run.db");
    const std::string other = run() + "-other";
    fs::remove_all(other);
    policy_.guard.scale_down_window = seconds(1);  // So that its header differs.
    {
        kit::Recording longer(real_disk(), other, policy_);
        for (std::uint64_t i = 1; i <= 9; ++i) {
            Round round(i, {seconds(3 * static_cast<std::int64_t>(i)).us});
            longer.keep(round);
        }
    }
    ASSERT_TRUE(rebuild(real_disk(), other));
    for (const bool also_events : {false, true}) {
        fs::copy(other + "/run.db", path("run.db"), fs::copy_options::overwrite_existing);
        if (also_events) {
            fs::copy(other + "/events.jsonl", path("events.jsonl"),
                     fs::copy_options::overwrite_existing);
        }
        EXPECT_EQ(ensured(), path("run.db") + " is of another run");
        EXPECT_TRUE(text("run.db") == ours);
        expect_whole();
    }
    fs::remove_all(other);
}

TEST_F(DerivedTest, a_database_that_somebody_has_locked_is_replaced) {
    ASSERT_TRUE(rebuild(real_disk(), run()));
    fs::rename(path("run.db"), path("other.db"));
    fs::copy(path("other.db"), path("run.db"));
    auto holder = sqlite::Database::create(path("holder.db"));
    ASSERT_TRUE(holder);
    ASSERT_TRUE(holder->run("ATTACH '" + path("run.db") + "' AS held"));
    ASSERT_TRUE(holder->run("PRAGMA held.locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE"));
    EXPECT_NE(ensured(), "");
    expect_whole();
}

TEST_F(DerivedTest, leftovers_of_an_interrupted_build_do_not_matter) {
    write("run.db.new", "half a file");
    write("events.jsonl.new", "half a file");
    write("run.db-journal", "somebody else's");
    EXPECT_NE(ensured(), "");
    EXPECT_FALSE(fs::exists(path("run.db-journal")));
    expect_whole();
}

TEST_F(DerivedTest, only_one_program_at_a_time_derives) {
    const auto held = real_disk().lock(path("derived.lock"));
    ASSERT_TRUE(held);
    const auto facts = ensure(real_disk(), run());
    ASSERT_FALSE(facts);
    EXPECT_EQ(facts.error().code, ErrorCode::conflict);
    EXPECT_FALSE(fs::exists(path("run.db")));
}

TEST_F(DerivedTest, what_is_no_run_is_refused_and_left_alone) {
    fs::remove_all(folder_);
    EXPECT_FALSE(rebuild(real_disk(), run()));
    EXPECT_FALSE(fs::exists(folder_));
    fs::create_directories(folder_);
    EXPECT_FALSE(ensure(real_disk(), run()));
    EXPECT_TRUE(fs::is_empty(folder_));
}

}  // namespace
}  // namespace parley::explanation
