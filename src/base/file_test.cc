#include "base/file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>

namespace parley {
namespace {

/// The real disk, in a folder of its own.
class RealDisk : public ::testing::Test {
protected:
    RealDisk() {
        std::string pattern = (std::filesystem::temp_directory_path() / "parley-XXXXXX").string();
        folder_ = ::mkdtemp(pattern.data()) != nullptr ? pattern : "";
    }
    ~RealDisk() override {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }

    std::string in(std::string_view name) const { return join(folder_, name); }
    std::unique_ptr<File> created(std::string_view name) {
        return std::move(disk_.open(in(name), OpenMode::create).value());
    }
    mode_t rights(const std::string& path) const {
        struct stat status{};
        EXPECT_EQ(::stat(path.c_str(), &status), 0);
        return status.st_mode & 0777;
    }

    Disk& disk_ = real_disk();
    std::string folder_;
};

TEST_F(RealDisk, reads_back_what_it_wrote_anywhere) {
    const auto file = created("a");
    ASSERT_TRUE(file->write(3, "def"));
    ASSERT_TRUE(append(*file, "ghi"));
    ASSERT_TRUE(file->sync());
    EXPECT_EQ(file->size().value(), 9u);
    EXPECT_EQ(file->read(0, 100).value(), std::string("\0\0\0defghi", 9));
    EXPECT_EQ(file->read(5, 2).value(), "fg");
    EXPECT_EQ(file->read(9, 2).value(), "");
    EXPECT_EQ(file->read(1000, 2).value(), "");
}

TEST_F(RealDisk, zeros_overwrite_and_allocation_does_not) {
    const auto file = created("a");
    ASSERT_TRUE(file->write(0, "abcdef"));
    ASSERT_TRUE(file->write_zeros(4, 400'000));
    EXPECT_EQ(file->size().value(), 400'004u);
    ASSERT_TRUE(file->allocate(0, 500'000));
    EXPECT_EQ(file->size().value(), 500'000u);
    EXPECT_EQ(file->read(0, 6).value(), std::string("abcd\0\0", 6));
    ASSERT_TRUE(file->truncate(2));
    EXPECT_EQ(file->read(0, 6).value(), "ab");
}

TEST_F(RealDisk, what_it_makes_is_for_its_owner_alone) {
    (void)created("a");
    ASSERT_TRUE(make_directories(disk_, in("x/y/z")));
    EXPECT_EQ(rights(in("a")), 0600u);
    EXPECT_EQ(rights(in("x")), 0700u);
    EXPECT_EQ(rights(in("x/y/z")), 0700u);
    EXPECT_TRUE(make_directories(disk_, in("x/y/z")));
}

TEST_F(RealDisk, names_come_sorted) {
    (void)created("b");
    (void)created("a");
    ASSERT_TRUE(disk_.make_directory(in("c")));
    EXPECT_EQ(disk_.list(folder_).value(), (std::vector<std::string>{"a", "b", "c"}));
    ASSERT_TRUE(disk_.remove(in("c")));
    ASSERT_TRUE(disk_.rename(in("a"), in("b")));
    EXPECT_EQ(disk_.list(folder_).value(), std::vector<std::string>{"b"});
    EXPECT_TRUE(disk_.exists(in("b")).value());
    EXPECT_FALSE(disk_.exists(in("a")).value());
    EXPECT_FALSE(disk_.exists(in("b/under-a-file")).value());
}

TEST_F(RealDisk, an_error_says_what_and_where) {
    const auto missing = disk_.open(in("none"), OpenMode::read);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().message, "cannot open " + in("none") + ": No such file or directory");
    EXPECT_EQ(disk_fault(missing.error()), DiskFault::missing);

    (void)created("a");
    EXPECT_EQ(disk_fault(disk_.open(in("a"), OpenMode::create_new).error()), DiskFault::taken);
    EXPECT_EQ(disk_fault(disk_.open(folder_, OpenMode::read).error()), DiskFault::denied);
    EXPECT_EQ(disk_fault(disk_.make_directory(folder_).error()), DiskFault::taken);
    EXPECT_EQ(disk_fault(disk_.remove(in("none")).error()), DiskFault::missing);
    EXPECT_EQ(disk_fault(disk_.list(in("none")).error()), DiskFault::missing);
    EXPECT_EQ(disk_fault(disk_.sync_directory(in("none")).error()), DiskFault::missing);
    EXPECT_FALSE(disk_.open(in("a"), OpenMode::read).value()->write(0, "no"));
}

TEST_F(RealDisk, a_full_disk_is_called_so) {
    // A file system in memory notices at once that it lacks this much, and is not filled by the
    // attempt.
    struct statfs system{};
    if (::statfs("/dev/shm", &system) != 0 || system.f_type != TMPFS_MAGIC) {
        GTEST_SKIP() << "/dev/shm is not in memory here";
    }
    const std::string path = "/dev/shm/" + std::filesystem::path(folder_).filename().string();
    const auto file = disk_.open(path, OpenMode::create_new);
    if (!file) GTEST_SKIP() << file.error().message;
    const auto refused = (*file)->allocate(0, std::uint64_t{1} << 46);
    ASSERT_TRUE(disk_.remove(path));
    ASSERT_FALSE(refused);
    EXPECT_EQ(disk_fault(refused.error()), DiskFault::full);
    EXPECT_EQ(refused.error().message, "cannot allocate space for " + path + ": disk full");
}

TEST_F(RealDisk, devices_are_refused) {
    EXPECT_EQ(disk_.open("/dev/null", OpenMode::write).error().message,
              "cannot open /dev/null: it is not a regular file");
}

TEST_F(RealDisk, a_pipe_that_nobody_writes_into_is_refused_at_once) {
    ASSERT_EQ(::mkfifo(in("pipe").c_str(), 0600), 0);
    EXPECT_EQ(read_file(disk_, in("pipe")).error().message,
              "cannot open " + in("pipe") + ": it is not a regular file");
}

TEST_F(RealDisk, one_holder_of_a_lock) {
    auto first = disk_.lock(in("lock"));
    ASSERT_TRUE(first);
    const auto second = disk_.lock(in("lock"));
    ASSERT_FALSE(second);
    EXPECT_EQ(disk_fault(second.error()), DiskFault::taken);
    EXPECT_EQ(second.error().message, "cannot lock " + in("lock") + ": another process holds it");
    first->reset();
    EXPECT_TRUE(disk_.lock(in("lock")));
}

TEST_F(RealDisk, a_lock_whose_file_was_removed_is_still_held) {
    const auto first = disk_.lock(in("lock"));
    ASSERT_TRUE(first);
    ASSERT_TRUE(disk_.remove(in("lock")));
    EXPECT_EQ(disk_fault(disk_.lock(in("lock")).error()), DiskFault::taken);
}

TEST_F(RealDisk, knows_whether_a_file_is_still_under_its_name) {
    const auto file = created("a");
    EXPECT_TRUE(file->in_place(0));
    ASSERT_TRUE(disk_.rename(in("a"), in("b")));
    EXPECT_EQ(file->in_place(0).error().code, ErrorCode::gone);
    const auto other = created("a");
    EXPECT_EQ(file->in_place(0).error().message,
              "cannot find " + in("a") + ": another file is in its place");
    ASSERT_TRUE(disk_.remove(in("a")));
    EXPECT_FALSE(other->in_place(0));
}

TEST_F(RealDisk, knows_whether_a_file_was_cut) {
    const auto file = created("a");
    ASSERT_TRUE(file->write(0, "12345678"));
    EXPECT_TRUE(file->in_place(8));
    EXPECT_FALSE(file->in_place(9));
    ASSERT_EQ(::truncate(in("a").c_str(), 3), 0);
    const auto cut = file->in_place(8);
    ASSERT_FALSE(cut);
    EXPECT_EQ(cut.error().code, ErrorCode::gone);
    EXPECT_EQ(cut.error().message,
              "cannot find all of " + in("a") + ": of 8 bytes 3 are left, the rest was cut off");
}

TEST_F(RealDisk, links_are_followed_by_plain_reading_alone) {
    ASSERT_TRUE(created("real")->write(0, "x"));
    std::filesystem::create_symlink(in("real"), in("link"));
    std::filesystem::create_symlink(in("missing"), in("dangling"));
    EXPECT_EQ(read_file(disk_, in("link")).value(), "x");
    EXPECT_EQ(read_own_file(disk_, in("real")).value(), "x");
    EXPECT_EQ(disk_fault(read_own_file(disk_, in("link")).error()), DiskFault::denied);
    for (const char* name : {"link", "dangling"}) {
        for (const OpenMode mode : {OpenMode::write, OpenMode::create, OpenMode::create_new}) {
            EXPECT_FALSE(disk_.open(in(name), mode)) << name;
        }
        EXPECT_FALSE(disk_.lock(in(name))) << name;
    }
    EXPECT_FALSE(disk_.exists(in("missing")).value());
}

TEST_F(RealDisk, nothing_but_regular_files_is_replaced) {
    ASSERT_EQ(::mkfifo(in("pipe").c_str(), 0600), 0);
    ASSERT_TRUE(disk_.make_directory(in("folder")));
    ASSERT_TRUE(created("real")->write(0, "mine"));
    std::filesystem::create_symlink(in("real"), in("link"));
    const std::pair<const char*, PathKind> kinds[] = {{"pipe", PathKind::other},
                                                      {"folder", PathKind::folder},
                                                      {"link", PathKind::link},
                                                      {"/dev/null", PathKind::other}};
    for (const auto& [name, kind] : kinds) {
        const std::string path = name[0] == '/' ? name : in(name);
        EXPECT_EQ(disk_.kind(path).value(), kind);
        EXPECT_EQ(check_replaceable(disk_, path).error().code, ErrorCode::denied) << name;
        if (name[0] == '/') continue;  // A path that is only looked at.
        EXPECT_FALSE(write_file_atomically(disk_, path, "x"));
        EXPECT_FALSE(clear_file(disk_, path));
        ASSERT_TRUE(created("new")->write(0, "x"));
        EXPECT_FALSE(replace_file(disk_, in("new"), path));
        EXPECT_EQ(disk_.kind(path).value(), kind);
        EXPECT_EQ(disk_.kind(path + ".tmp").value(), PathKind::nothing);
        // It is not taken for the leftover of an earlier attempt either.
        std::filesystem::rename(path, in("a.tmp"));
        EXPECT_FALSE(write_file_atomically(disk_, in("a"), "x"));
        EXPECT_EQ(disk_.kind(in("a.tmp")).value(), kind);
        std::filesystem::remove(in("a.tmp"));
    }
    EXPECT_EQ(read_file(disk_, in("real")).value(), "mine");
    EXPECT_EQ(disk_.kind(in("missing")).value(), PathKind::nothing);
    EXPECT_TRUE(check_replaceable(disk_, in("missing")));
    EXPECT_TRUE(clear_file(disk_, in("missing")));
    EXPECT_TRUE(clear_file(disk_, in("real")));
}

TEST_F(RealDisk, atomic_writes_replace_and_leave_nothing_behind) {
    ASSERT_TRUE(created("state.json.tmp")->write(0, "left by a run that died, and longer"));
    ASSERT_TRUE(write_file_atomically(disk_, in("state.json"), "one"));
    ASSERT_TRUE(write_file_atomically(disk_, in("state.json"), "two"));
    EXPECT_EQ(read_file(disk_, in("state.json")).value(), "two");
    EXPECT_EQ(disk_.list(folder_).value(), std::vector<std::string>{"state.json"});
    EXPECT_FALSE(write_file_atomically(disk_, in("no/folder"), "x"));
}

TEST_F(RealDisk, refuses_to_read_more_than_asked_for) {
    ASSERT_TRUE(created("a")->write(0, "abcd"));
    EXPECT_EQ(read_file(disk_, in("a"), 4).value(), "abcd");
    const auto refused = read_file(disk_, in("a"), 3);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::malformed);
}

TEST(Paths, join_and_parent) {
    EXPECT_EQ(join("a/b", "c"), "a/b/c");
    EXPECT_EQ(join("a/", "c"), "a/c");
    EXPECT_EQ(join("", "c"), "c");
    EXPECT_EQ(parent_of("a/b/c"), "a/b");
    EXPECT_EQ(parent_of("a/b/"), "a");
    EXPECT_EQ(parent_of("c"), ".");
    EXPECT_EQ(parent_of("/c"), "/");
    EXPECT_EQ(parent_of("/"), "/");
}

}  // namespace
}  // namespace parley
