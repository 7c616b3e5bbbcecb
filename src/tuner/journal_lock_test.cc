#include "tuner/journal_lock.h"

#include "base/clock.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace parley::tuner {
namespace {

namespace fs = std::filesystem;

struct JournalLockTest : testing::Test {
    JournalLockTest() {
        fs::remove_all(folder);
        fs::create_directory(folder);
        std::ofstream(path) << "x\n";
    }
    ~JournalLockTest() override { fs::remove_all(folder); }

    std::string folder = testing::TempDir() + std::to_string(getpid()) + "tuner_lock";
    std::string path = folder + "/journal";
    std::string link = path + ".lock";
};

TEST_F(JournalLockTest, is_a_link_to_the_journal_while_it_is_held) {
    {
        const auto lock = JournalLock::acquire(path, seconds(30), seconds(1));
        ASSERT_TRUE(lock);
        EXPECT_EQ(fs::read_symlink(link), path);
        EXPECT_TRUE(lock->held());
        const auto second = JournalLock::acquire(path, seconds(30), milliseconds(5));
        ASSERT_FALSE(second);
        EXPECT_EQ(second.error().code, ErrorCode::unavailable);
    }
    EXPECT_FALSE(fs::is_symlink(link));
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
}

TEST_F(JournalLockTest, of_a_dead_holder_is_broken_after_its_grace) {
    fs::create_symlink(path, link);
    EXPECT_FALSE(JournalLock::acquire(path, seconds(30), milliseconds(30)));
    EXPECT_TRUE(JournalLock::acquire(path, milliseconds(20), seconds(5)));
}

TEST_F(JournalLockTest, of_a_writer_is_not_broken) {
    fs::create_symlink(path, link);
    std::atomic<bool> stop{false};
    std::thread writer([&] {
        std::ofstream file(path, std::ios::app);
        while (!stop) {
            file << "x\n" << std::flush;
            nap(milliseconds(1));
        }
    });
    EXPECT_FALSE(JournalLock::acquire(path, milliseconds(300), milliseconds(400)));
    stop = true;
    writer.join();
}

TEST_F(JournalLockTest, that_was_taken_away_is_not_held_nor_removed_again) {
    auto first = JournalLock::acquire(path, seconds(30), seconds(1));
    auto lock = std::optional<JournalLock>(std::move(*first));
    fs::remove(link);
    EXPECT_FALSE(lock->held());
    nap(milliseconds(20));  // Files have the time of the last tick.
    const auto next = JournalLock::acquire(path, seconds(30), seconds(1));
    lock.reset();
    EXPECT_TRUE(next->held());
}

TEST_F(JournalLockTest, keeps_all_others_out) {
    std::atomic<int> inside = 0;
    std::atomic<int> met = 0;  // Somebody who was inside already.
    std::vector<std::thread> workers;
    for (int w = 0; w < 4; ++w) {
        workers.emplace_back([&] {
            for (int i = 0; i < 50; ++i) {
                const auto lock = JournalLock::acquire(path, seconds(30), seconds(60));
                ASSERT_TRUE(lock);
                met += inside.fetch_add(1);
                nap(microseconds(100));
                --inside;
            }
        });
    }
    for (std::thread& worker : workers) worker.join();
    EXPECT_EQ(met.load(), 0);
}

TEST_F(JournalLockTest, where_nothing_can_be_made_says_so) {
    const auto lock = JournalLock::acquire("/nowhere/journal", seconds(30), seconds(1));
    ASSERT_FALSE(lock);
    EXPECT_EQ(lock.error().code, ErrorCode::denied);
}

}  // namespace
}  // namespace parley::tuner
