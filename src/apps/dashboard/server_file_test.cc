#include "apps/dashboard/server_file.h"

#include "base/clock.h"
#include "fake/disk.h"
#include "web/serve/login.h"

#include <gtest/gtest.h>

#include <unistd.h>

namespace parley::app {
namespace {

const Environment kHome = [](const char* name) {
    return std::string(name) == "HOME" ? std::string("home") : std::string();
};

TEST(ServerFile, leaves_word_while_it_lives) {
    fake::Disk disk;
    EXPECT_TRUE(server_words(disk, kHome)->empty());
    {
        const ServerFile file(disk, kHome,
                              {.url = "http://127.0.0.1:8765",
                               .port = 8765,
                               .key = "6b6579",
                               .process = ::getpid(),
                               .runs = {"/runs/tour-7"}});
        EXPECT_EQ(file.problem(), "");
        const auto words = server_words(disk, kHome);
        ASSERT_TRUE(words && words->size() == 1);
        EXPECT_EQ((*words)[0].runs[0], "/runs/tour-7");
        const std::string link = new_link((*words)[0]);
        EXPECT_TRUE(link.starts_with("http://127.0.0.1:8765/#token="));
        web::Logins logins("key", web::real_secret());
        EXPECT_EQ(logins.try_token(link.substr(link.find('=') + 1), wall_now()).tried,
                  web::Tried::welcome)
            << "the server knows the same key";
    }
    EXPECT_TRUE(server_words(disk, kHome)->empty());
}

TEST(ServerFile, the_word_of_a_process_that_is_gone_counts_for_nothing) {
    fake::Disk disk;
    const ServerFile file(disk, kHome,
                          {.url = "x", .port = 1, .key = "", .process = 0, .runs = {}});
    EXPECT_TRUE(server_words(disk, kHome)->empty());
}

TEST(ServerFile, without_a_home_there_is_no_word) {
    fake::Disk disk;
    const ServerFile file(disk, [](const char*) { return std::string(); }, {.port = 1});
    EXPECT_NE(file.problem().find("HOME"), std::string::npos);
}

}  // namespace
}  // namespace parley::app
