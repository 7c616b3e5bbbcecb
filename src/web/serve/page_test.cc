#include "web/serve/page.h"

#include <gtest/gtest.h>

namespace parley::web {
namespace {

TEST(Page, every_address_gives_the_shell) {
    for (const char* path : {"/", "/tour-7/live", "/tour-7/142/node/node-07", "/index.html"}) {
        const PageAnswer answer = page_at(path);
        ASSERT_NE(answer.file, nullptr) << path;
        EXPECT_EQ(answer.file->path, "/index.html") << path;
        EXPECT_EQ(answer.type, "text/html; charset=utf-8");
        EXPECT_FALSE(answer.lasts) << "the shell names the files of its version";
    }
    EXPECT_EQ(page_at("/assets/none.js").file, nullptr);
}

TEST(Page, the_shell_holds_no_code_of_its_own) {
    const std::string_view shell = page_at("/").file->bytes;
    EXPECT_NE(shell.find("<!doctype html>"), std::string_view::npos);
    EXPECT_EQ(shell.find("<script>"), std::string_view::npos) << "the policy forbids inline code";
    EXPECT_EQ(shell.find("<style"), std::string_view::npos);
    EXPECT_EQ(shell.find(" style="), std::string_view::npos);
}

TEST(Page, files_have_their_types) {
    EXPECT_EQ(type_of("/assets/a.js"), "text/javascript; charset=utf-8");
    EXPECT_EQ(type_of("/assets/a.woff2"), "font/woff2");
    EXPECT_EQ(type_of("/other"), "application/octet-stream");
}

TEST(Page, is_packed_where_that_helps) {
    EXPECT_LT(gzipped(std::string(10'000, 'a')).size(), 100U);
    EXPECT_EQ(gzipped("x"), "");
}

}  // namespace
}  // namespace parley::web
