#include "fake/disk.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

namespace parley::fake {
namespace {

std::unique_ptr<File> opened(Disk& disk, const std::string& path,
                             OpenMode mode = OpenMode::create) {
    return std::move(disk.open(path, mode).value());
}

std::string text(Disk& disk, const std::string& path) {
    const auto bytes = read_file(disk, path);
    return bytes ? *bytes : "none";
}

/// All contents that a power cut can leave of a file.
std::set<std::string> outcomes(const Disk& disk, const std::string& path) {
    std::set<std::string> seen;
    for (std::uint64_t seed = 0; seed < 200; ++seed) seen.insert(text(*disk.power_cut(seed), path));
    return seen;
}

TEST(FakeDisk, reads_back_what_it_wrote) {
    Disk disk;
    const auto file = opened(disk, "a");
    ASSERT_TRUE(file->write(1, "bcd"));
    ASSERT_TRUE(file->write_zeros(2, 1));
    ASSERT_TRUE(file->allocate(2, 4));
    EXPECT_EQ(text(disk, "a"), std::string("\0b\0d\0\0", 6));
    ASSERT_TRUE(file->truncate(2));
    EXPECT_EQ(text(disk, "a"), std::string("\0b", 2));
    EXPECT_EQ(file->read(1, 9).value(), "b");
    EXPECT_EQ(file->read(9, 9).value(), "");
}

TEST(FakeDisk, keeps_what_was_synced_with_its_folder) {
    Disk disk;
    const auto file = opened(disk, "a");
    ASSERT_TRUE(file->write(0, "kept"));
    ASSERT_TRUE(file->sync());
    EXPECT_EQ(outcomes(disk, "a"), (std::set<std::string>{"none", "kept"}));
    ASSERT_TRUE(disk.sync_directory("."));
    EXPECT_EQ(outcomes(disk, "a"), std::set<std::string>{"kept"});
}

TEST(FakeDisk, loses_or_tears_what_was_not_synced) {
    Disk disk;
    const auto file = opened(disk, "a");
    ASSERT_TRUE(disk.sync_directory("."));
    ASSERT_TRUE(file->write(0, "abc"));
    EXPECT_EQ(outcomes(disk, "a"), (std::set<std::string>{"", "a", "ab", "abc"}));
    ASSERT_TRUE(file->sync());
    ASSERT_TRUE(file->truncate(1));
    EXPECT_EQ(outcomes(disk, "a"), (std::set<std::string>{"abc", "a"}));
}

TEST(FakeDisk, a_write_may_keep_any_of_its_sectors) {
    Disk disk;
    const auto file = opened(disk, "a");
    ASSERT_TRUE(file->write_zeros(0, 1536));
    ASSERT_TRUE(file->sync());
    ASSERT_TRUE(disk.sync_directory("."));
    ASSERT_TRUE(file->write(0, std::string(1536, 'x')));
    const std::string only_the_last = std::string(1024, '\0') + std::string(512, 'x');
    EXPECT_TRUE(outcomes(disk, "a").contains(only_the_last));
}

TEST(FakeDisk, a_rename_is_whole_or_not_at_all) {
    Disk disk;
    ASSERT_TRUE(write_file_atomically(disk, "a", "old"));
    const auto file = opened(disk, "b");
    ASSERT_TRUE(file->write(0, "new"));
    ASSERT_TRUE(file->sync());
    ASSERT_TRUE(disk.rename("b", "a"));
    EXPECT_EQ(text(disk, "a"), "new");
    EXPECT_EQ(text(disk, "b"), "none");
    EXPECT_EQ(outcomes(disk, "a"), (std::set<std::string>{"old", "new"}));
    ASSERT_TRUE(disk.sync_directory("."));
    EXPECT_EQ(outcomes(disk, "a"), std::set<std::string>{"new"});
}

TEST(FakeDisk, after_a_failed_sync_the_bytes_are_seen_and_lost) {
    Disk disk;
    const auto file = opened(disk, "a");
    ASSERT_TRUE(disk.sync_directory("."));
    ASSERT_TRUE(file->write(0, std::string(4096, 'x')));
    disk.fail_at(disk.calls() + 1, Disk::Fault::io);
    EXPECT_EQ(disk_fault(file->sync().error()), DiskFault::broken);
    EXPECT_TRUE(file->sync());
    EXPECT_EQ(text(disk, "a"), std::string(4096, 'x'));
    EXPECT_EQ(outcomes(disk, "a").size(), 1u);
    EXPECT_NE(text(*disk.power_cut(1), "a"), std::string(4096, 'x'));
}

TEST(FakeDisk, fails_at_the_call_it_is_told) {
    Disk disk;
    const auto file = opened(disk, "a");
    disk.fail_at(3, Disk::Fault::full);
    ASSERT_TRUE(file->write(0, "ab"));
    const auto failed = file->write(2, "cdef");
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().message, "cannot write a: disk full");
    EXPECT_EQ(disk_fault(failed.error()), DiskFault::full);
    EXPECT_EQ(text(disk, "a"), "abcd");  // The first half.
    EXPECT_TRUE(file->truncate(0));
    disk.fail_from(5, Disk::Fault::io);
    EXPECT_FALSE(file->sync());
    EXPECT_FALSE(disk.make_directory("b"));
    disk.heal();
    EXPECT_TRUE(disk.make_directory("b"));
}

TEST(FakeDisk, without_power_nothing_goes_on) {
    Disk disk;
    const auto file = opened(disk, "a");
    ASSERT_TRUE(disk.sync_directory("."));
    disk.fail_at(disk.calls() + 1, Disk::Fault::power);
    EXPECT_FALSE(file->write(0, "begun"));
    EXPECT_FALSE(file->read(0, 1));
    EXPECT_FALSE(file->sync());
    EXPECT_FALSE(disk.open("a", OpenMode::read));
    EXPECT_TRUE(outcomes(disk, "a").contains("begun"));
    EXPECT_TRUE(outcomes(disk, "a").contains(""));
}

TEST(FakeDisk, an_ignored_sync_says_it_worked) {
    for (const std::uint64_t ignored : {1u, 2u}) {
        Disk disk;
        disk.ignore_sync(ignored);
        const auto file = opened(disk, "a");
        ASSERT_TRUE(file->write(0, "x"));
        EXPECT_TRUE(file->sync());
        EXPECT_TRUE(disk.sync_directory("."));
        EXPECT_EQ(disk.syncs(), 2u);
        EXPECT_EQ(outcomes(disk, "a"), (std::set<std::string>{ignored == 1 ? "" : "none", "x"}));
    }
}

TEST(FakeDisk, has_no_more_room_than_given) {
    Disk disk;
    disk.set_capacity(10);
    const auto file = opened(disk, "a");
    ASSERT_TRUE(file->write(0, "0123456789"));
    ASSERT_TRUE(file->write(5, "56789"));
    EXPECT_EQ(disk_fault(file->write(10, "x").error()), DiskFault::full);
    EXPECT_EQ(disk_fault(file->allocate(5, 6).error()), DiskFault::full);
    ASSERT_TRUE(disk.remove("a"));
    EXPECT_TRUE(opened(disk, "b")->write(0, "0123456789"));
}

TEST(FakeDisk, folders_and_locks) {
    Disk disk;
    ASSERT_TRUE(make_directories(disk, "x/y"));
    EXPECT_EQ(disk_fault(disk.make_directory("x/y").error()), DiskFault::taken);
    (void)opened(disk, "x/y/b");
    (void)opened(disk, "./x//y/a");
    EXPECT_EQ(disk.list("x/y").value(), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(disk_fault(disk.remove("x/y").error()), DiskFault::taken);
    EXPECT_EQ(disk_fault(disk.open("none/a", OpenMode::create).error()), DiskFault::missing);
    EXPECT_EQ(disk_fault(disk.open("x", OpenMode::read).error()), DiskFault::denied);

    auto first = disk.lock("x/lock");
    ASSERT_TRUE(first);
    EXPECT_EQ(disk_fault(disk.lock("x/lock").error()), DiskFault::taken);
    first->reset();
    EXPECT_TRUE(disk.lock("x/lock"));
}

/// For every sync there is a power cut that shows if it was left out.
void every_sync_is_needed(const std::function<void(Disk&)>& act,
                          const std::function<bool(Disk&)>& holds) {
    Disk complete;
    act(complete);
    ASSERT_GT(complete.syncs(), 0u);
    for (std::uint64_t seed = 0; seed < 100; ++seed) EXPECT_TRUE(holds(*complete.power_cut(seed)));
    for (std::uint64_t ignored = 1; ignored <= complete.syncs(); ++ignored) {
        Disk disk;
        disk.ignore_sync(ignored);
        act(disk);
        bool noticed = false;
        for (std::uint64_t seed = 0; seed < 100; ++seed) noticed |= !holds(*disk.power_cut(seed));
        EXPECT_TRUE(noticed) << "sync " << ignored;
    }
}

TEST(Durability, write_file_atomically_needs_each_of_its_syncs) {
    every_sync_is_needed(
        [](Disk& disk) { EXPECT_TRUE(write_file_atomically(disk, "state.json", "all of it")); },
        [](Disk& disk) { return text(disk, "state.json") == "all of it"; });
}

TEST(Durability, make_directories_needs_each_of_its_syncs) {
    every_sync_is_needed(
        [](Disk& disk) {
            // Somebody created the first folder and died.
            ASSERT_TRUE(disk.make_directory("x"));
            EXPECT_TRUE(make_directories(disk, "x/y/z"));
        },
        [](Disk& disk) { return disk.exists("x/y/z").value(); });
}

TEST(Durability, write_file_atomically_gives_old_or_new_at_every_call) {
    std::set<std::string> seen;
    for (std::uint64_t call = 1; call <= 5; ++call) {
        for (const auto fault : {Disk::Fault::full, Disk::Fault::io, Disk::Fault::power}) {
            Disk disk;
            ASSERT_TRUE(write_file_atomically(disk, "a", "old"));
            disk.fail_at(disk.calls() + call, fault);
            EXPECT_FALSE(write_file_atomically(disk, "a", "new"));
            seen.merge(outcomes(disk, "a"));
        }
    }
    EXPECT_EQ(seen, (std::set<std::string>{"old", "new"}));
}

}  // namespace
}  // namespace parley::fake
