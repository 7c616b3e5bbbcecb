#include "config/source.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace parley::config {
namespace {

namespace fs = std::filesystem;

class SourceFiles : public testing::Test {
protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "parley-source-XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        folder_ = name;
    }
    void TearDown() override { fs::remove_all(folder_); }

    std::string write(const std::string& name, const std::string& text) {
        const std::string path = (folder_ / name).string();
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }
    /// The error with the folder cut off.
    std::string error_of(const std::string& path, std::uint64_t bytes_max = 100) {
        const auto source = load_source(real_disk(), path, bytes_max);
        if (source) return "";
        const std::string prefix = folder_.string() + "/";
        std::string message = source.error().message;
        for (auto at = message.find(prefix); at != std::string::npos; at = message.find(prefix)) {
            message.erase(at, prefix.size());
        }
        return message;
    }

    fs::path folder_;
};

TEST_F(SourceFiles, each_way_to_be_unreadable_is_one_sentence) {
    EXPECT_EQ(error_of((folder_ / "no.yaml").string()),
              "no.yaml: there is no such file; check the path");
    fs::create_directory(folder_ / "sub");
    EXPECT_EQ(error_of((folder_ / "sub").string()), "sub: this is a folder; name a file in it");
    EXPECT_EQ(error_of(write("empty", "")), "empty: it is empty; write something into it");
    EXPECT_EQ(error_of(write("large", std::string(101, 'x'))),
              "large: it has 101 bytes, and 100 are allowed; is it the right file?");
    EXPECT_EQ(error_of(write("fits", std::string(100, 'x'))), "");
    EXPECT_EQ(error_of(write("binary", std::string("a\0b", 3))),
              "binary:1:2: this is not UTF-8 text; is it the right file?");
    const std::string pipe = (folder_ / "pipe").string();
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_EQ(error_of(pipe), "pipe: this is not a regular file; write the text to one");
    fs::create_symlink(folder_ / "loop", folder_ / "loop");
    EXPECT_TRUE(error_of((folder_ / "loop").string()).starts_with("loop: cannot be looked at: "));
    if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
    const std::string locked = write("locked", "x");
    fs::permissions(locked, fs::perms::none);
    EXPECT_EQ(error_of(locked),
              "locked: cannot open locked: Permission denied; check its permissions");
}

TEST_F(SourceFiles, a_byte_order_mark_is_no_text) {
    const auto source = load_source(real_disk(), write("bom", "\xef\xbb\xbfx"), 100);
    ASSERT_TRUE(source);
    EXPECT_EQ(source->text, "x");
}

TEST(Source, points_at_the_place) {
    const Source source{"prod.yaml", "run:\n  intervall: 3\r\n"};
    EXPECT_EQ(
        error_at(source, {2, 3, 9}, "no setting is called \"intervall\"", "did you mean interval?")
            .message,
        R"(prod.yaml:2:3: no setting is called "intervall"
    2 |   intervall: 3
      |   ^^^^^^^^^ did you mean interval?)");
    EXPECT_EQ(error_at(source, {}, "it is wrong").message, "prod.yaml: it is wrong");
}

TEST(Source, points_beyond_the_end_without_harm) {
    const Source source{"f", "ab\n"};
    EXPECT_EQ(error_at(source, {1, 50, 9}, "x").message, "f:1:50: x\n    1 | ab\n      |   ^");
    EXPECT_EQ(error_at(source, {9, 1, 1}, "x").message, "f:9:1: x\n    9 | \n      | ^");
    EXPECT_EQ(error_at(source, {1, 1, 99}, "x").message, "f:1:1: x\n    1 | ab\n      | ^^");
}

TEST(Source, shows_a_part_of_a_long_line) {
    const Source source{"f", std::string(500, 'a') + "X" + std::string(500, 'b')};
    const std::string message = error_at(source, {1, 501, 1}, "x").message;
    EXPECT_EQ(message, "f:1:501: x\n    1 | ..." + std::string(30, 'a') + "X" +
                           std::string(59, 'b') + "...\n      | " + std::string(33, ' ') + "^");
}

TEST(Source, a_name_cannot_command_the_terminal) {
    EXPECT_EQ(printable("a\x1b[31m\n\tb\xff\u00fc"), "a?[31m??b?\u00fc");
    EXPECT_EQ(error_at({"\x1b[2J", "x"}, {}, "y").message, "?[2J: y");
}

}  // namespace
}  // namespace parley::config
