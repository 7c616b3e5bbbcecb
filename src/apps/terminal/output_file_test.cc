#include "apps/terminal/output_file.h"

#include "fake/disk.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sys/stat.h>

namespace parley::app {
namespace {

mode_t rights(const std::string& path) {
    struct stat status{};
    EXPECT_EQ(::stat(path.c_str(), &status), 0);
    return status.st_mode & 0777;
}

TEST(OutputFile, is_readable_as_the_umask_says_and_other_files_are_not) {
    std::string folder = testing::TempDir() + "output_file_XXXXXX";
    ASSERT_NE(::mkdtemp(folder.data()), nullptr);
    const mode_t before = ::umask(022);
    ASSERT_TRUE(write_output(real_disk(), folder + "/report.html", "report"));
    ASSERT_TRUE(write_file_atomically(real_disk(), folder + "/state", "state"));
    ::umask(027);
    ASSERT_TRUE(write_output(real_disk(), folder + "/other.html", "report"));
    ::umask(before);
    EXPECT_EQ(rights(folder + "/report.html"), 0644U);
    EXPECT_EQ(rights(folder + "/other.html"), 0640U);
    EXPECT_EQ(rights(folder + "/state"), 0600U);
    EXPECT_EQ(read_file(real_disk(), folder + "/report.html").value(), "report");
    std::filesystem::remove_all(folder);
}

TEST(OutputFile, says_what_the_disk_says) {
    fake::Disk disk;
    ASSERT_TRUE(write_output(disk, "report.html", "report"));
    EXPECT_FALSE(write_output(disk, "nowhere/report.html", "report"));
}

TEST(OutputFile, what_cannot_be_written_is_known_before_the_work) {
    // A training of ten minutes used to end with "cannot open nodir/report.html.tmp", and its model
    // was lost.
    std::string folder = testing::TempDir() + "output_file_XXXXXX";
    ASSERT_NE(::mkdtemp(folder.data()), nullptr);
    EXPECT_TRUE(check_output(""));
    EXPECT_TRUE(check_output("report.html"));
    EXPECT_TRUE(check_output(folder + "/report.html"));
    EXPECT_EQ(check_output(folder).error().message,
              "cannot write " + folder + ": it is a folder; name a file");
    EXPECT_EQ(
        check_output(folder + "/a/b").error().message,
        "cannot write " + folder + "/a/b: there is no folder " + folder + "/a; make it first");
    ASSERT_TRUE(write_output(real_disk(), folder + "/file", ""));
    EXPECT_FALSE(check_output(folder + "/file/report.html"));
    // A study or a trace used to be overwritten by the report on it.
    EXPECT_EQ(check_output(folder + "/file", {"other", folder + "/./file"}).error().message,
              folder + "/file is read here and would be overwritten; name another");
    EXPECT_FALSE(
        check_output(folder + "/not-yet",
                     {folder + "/../" + folder.substr(folder.rfind('/') + 1) + "/not-yet"}));
    EXPECT_TRUE(check_output(folder + "/report.html", {folder + "/file"}));
    EXPECT_FALSE(check_output("./not-yet", {"not-yet"}));
    EXPECT_TRUE(check_output("", {""}));
    EXPECT_TRUE(check_output_folder(""));
    EXPECT_TRUE(check_output_folder("models"));
    EXPECT_TRUE(check_output_folder(folder));
    EXPECT_TRUE(check_output_folder(folder + "/a/b/c/"));
    EXPECT_EQ(check_output_folder(folder + "/file/a").error().message,
              "cannot write " + folder + "/file/a: " + folder + "/file is no folder; name another");
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace parley::app
