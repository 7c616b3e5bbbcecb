#include "tuner/journal_storage.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

namespace parley::tuner {
namespace {

namespace fs = std::filesystem;

struct JournalStorageTest : testing::Test {
    JournalStorageTest() {
        fs::remove_all(folder);
        fs::create_directory(folder);
    }
    ~JournalStorageTest() override { fs::remove_all(folder); }

    void write(const std::string& text) const { std::ofstream(path, std::ios::app) << text; }
    std::string bytes() const {
        std::ifstream file(path);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    std::string folder = testing::TempDir() + std::to_string(getpid()) + "tuner_journal";
    std::string path = folder + "/journal";
    StorageConfig config{.study = "a"};
};

Draft nothing(const Study&, const Trial&) { return {}; }

TEST_F(JournalStorageTest, a_torn_tail_is_read_over_and_cut_before_the_next_line) {
    const auto storage = *open_journal(path, config);
    ASSERT_TRUE(storage->ask(nothing));
    const std::string whole = bytes();
    for (const char* torn : {"{\"op_code\":6,", "}", "{\"op_code\":4,\"study_id\":0}"}) {
        write(torn);
        ASSERT_TRUE(storage->refresh());
        EXPECT_EQ(storage->study().trials.size(), 1u) << torn;
        EXPECT_EQ(bytes(), whole + torn);  // Somebody may still be writing it.
        EXPECT_EQ((*open_journal(path, config))->study().trials.size(), 1u) << torn;
        fs::resize_file(path, whole.size());
    }
    write("{\"op_code\":6,");
    ASSERT_TRUE(storage->ask(nothing));
    EXPECT_TRUE(bytes().starts_with(whole + "{\"op_code\":4,\"worker_id\""));
    EXPECT_EQ((*open_journal(path, config))->study().trials.size(), 2u);
}

TEST_F(JournalStorageTest, a_file_of_another_kind_without_a_line_end_was_cut_to_nothing) {
    const std::string theirs = "a photograph, or a note without an end of line";
    write(theirs);
    const auto storage = open_journal(path, config);
    ASSERT_FALSE(storage);
    EXPECT_EQ(storage.error().code, ErrorCode::malformed);
    EXPECT_EQ(storage.error().message, path + " is no journal of Optuna; name another file");
    EXPECT_EQ(bytes(), theirs);
    std::ofstream(path) << "{\"op_co";  // Whoever began it died in its first line.
    EXPECT_TRUE(open_journal(path, config));
}

TEST_F(JournalStorageTest, a_line_that_is_none_is_named) {
    ASSERT_TRUE(open_journal(path, config));
    write("{\"op_code\":4,\"study_id\":0,\"datetime_start\":null}\nrubbish\n");
    const auto storage = open_journal(path, config);
    ASSERT_FALSE(storage);
    EXPECT_EQ(storage.error().code, ErrorCode::malformed);
    EXPECT_TRUE(storage.error().message.starts_with("line 3 of ")) << storage.error().message;
}

TEST_F(JournalStorageTest, half_a_line_is_read_when_it_is_whole) {
    const auto storage = *open_journal(path, config);
    write("{\"op_code\":4,\"study_id\":0,\"date");
    ASSERT_TRUE(storage->refresh());
    write("time_start\":null}\n");
    ASSERT_TRUE(storage->refresh());
    EXPECT_EQ(storage->study().trials.size(), 1u);
}

TEST_F(JournalStorageTest, a_study_that_is_deleted_or_cut_is_gone) {
    const auto storage = *open_journal(path, config);
    ASSERT_TRUE(storage->ask(nothing));
    write("{\"op_code\":1,\"worker_id\":\"w\",\"study_id\":0}\n");
    const auto asked = storage->ask(nothing);
    ASSERT_FALSE(asked);
    EXPECT_EQ(asked.error().code, ErrorCode::gone);
    const auto again = *open_journal(path, {.study = "b"});
    fs::resize_file(path, 10);
    const auto refreshed = again->refresh();
    ASSERT_FALSE(refreshed);
    EXPECT_EQ(refreshed.error().code, ErrorCode::conflict);
}

TEST_F(JournalStorageTest, leaves_no_lock_behind) {
    const auto storage = *open_journal(path, config);
    ASSERT_TRUE(storage->ask(nothing));
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
}

}  // namespace
}  // namespace parley::tuner
