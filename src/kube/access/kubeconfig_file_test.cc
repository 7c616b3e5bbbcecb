#include "kube/access/kubeconfig_file.h"

#include "kube/access/kubeconfig_kit_test.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <sys/stat.h>

namespace parley::kube {
namespace {

TEST(SmallFile, is_read_whole_and_through_links) {
    const Scratch scratch;
    scratch.write("..data/token", "abc\n");
    std::filesystem::create_symlink("..data/token", scratch.path("token"));
    const auto file = read_small_file(scratch.path("token"));
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->text, "abc\n");
    EXPECT_EQ(file->stamp, stamp_of(scratch.path("token")).value());
    EXPECT_EQ(read_small_file(scratch.write("empty", ""))->text, "");
}

TEST(SmallFile, has_another_stamp_when_it_is_written_or_replaced) {
    const Scratch scratch;
    const std::string path = scratch.write("token", "abc");
    const Stamp first = stamp_of(path).value();
    scratch.write("token", "abcd");
    const Stamp longer = stamp_of(path).value();
    EXPECT_NE(first, longer);
    // As kubelet does it: a new file takes the place of the old one.
    std::filesystem::rename(scratch.write("other", "abcd"), path);
    EXPECT_NE(longer, stamp_of(path).value());
}

TEST(SmallFile, refuses_what_is_none) {
    const Scratch scratch;
    const std::string path = scratch.write("big", std::string(1 << 20, 'x'));
    EXPECT_EQ(message_of(read_small_file(path)), "");
    EXPECT_EQ(scratch.shown(message_of(
                  read_small_file(scratch.write("big", std::string((1 << 20) + 1, 'x'))))),
              "DIR/big: it has 1048577 bytes, and 1048576 are allowed; is it the right file?");
    EXPECT_EQ(scratch.shown(message_of(read_small_file(scratch.path("none")))),
              "DIR/none: there is no such file; check the path");
    EXPECT_EQ(read_small_file(path + "/below").error().code, ErrorCode::gone);
    EXPECT_EQ(scratch.shown(message_of(read_small_file(scratch.folder()))),
              "DIR: this is a folder; name a file in it");
    EXPECT_EQ(message_of(read_small_file("/dev/zero")),
              "/dev/zero: this is not a regular file; write the text to one");
    // Opening it would wait for a writer.
    ASSERT_EQ(::mkfifo(scratch.path("pipe").c_str(), 0600), 0);
    EXPECT_EQ(scratch.shown(message_of(read_small_file(scratch.path("pipe")))),
              "DIR/pipe: this is not a regular file; write the text to one");
}

}  // namespace
}  // namespace parley::kube
