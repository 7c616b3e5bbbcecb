#include "layers/explanation/derived/database.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>

namespace parley::explanation {
namespace {

/// A folder of its own, gone when the test is over.
class DatabaseTest : public testing::Test {
protected:
    DatabaseTest() {
        const auto* info = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::temp_directory_path() /
                  (std::string("parley-database-") + info->name());
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
    }
    ~DatabaseTest() override { std::filesystem::remove_all(folder_); }

    std::string path() const { return (folder_ / "x.db").string(); }

    std::filesystem::path folder_;
};

TEST_F(DatabaseTest, keeps_what_it_is_given) {
    {
        auto database = Database::create(path());
        ASSERT_TRUE(database) << database.error().message;
        ASSERT_TRUE(database->run("CREATE TABLE t(a, b, c, d)"));
        auto insert = database->prepare("INSERT INTO t VALUES(?,?,?,?)");
        ASSERT_TRUE(insert);
        ASSERT_TRUE(insert->run({std::int64_t{-5}, 0.5, std::string_view("it's"), nullptr}));
        ASSERT_TRUE(insert->run({std::int64_t{1}, std::numeric_limits<double>::quiet_NaN(),
                                 std::string_view(), nullptr}));
    }
    auto database = Database::open(path());
    ASSERT_TRUE(database);
    EXPECT_EQ(*database->ask("SELECT count(*) FROM t"), "2");
    EXPECT_EQ(*database->ask("SELECT c FROM t WHERE a = -5 AND d IS NULL"), "it's");
    EXPECT_EQ(*database->ask("SELECT b FROM t WHERE a = 1"), std::nullopt);
    EXPECT_EQ(*database->ask("SELECT b FROM t WHERE a = 9"), std::nullopt);
    EXPECT_FALSE(database->run("CREATE TABLE u(a)"));  // For reading only.
}

TEST_F(DatabaseTest, says_what_is_wrong_and_where) {
    EXPECT_FALSE(Database::open(path()));
    std::ofstream(path()) << std::string(4096, 'x');
    auto garbage = Database::open(path());
    ASSERT_TRUE(garbage);  // SQLite looks only when asked.
    const auto answer = garbage->ask("PRAGMA quick_check");
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().message, path() + ": SQLite says: file is not a database");
    EXPECT_FALSE(Database::create(path()));
}

TEST_F(DatabaseTest, never_writes_into_one_that_is_there) {
    {
        auto first = Database::create(path());
        ASSERT_TRUE(first);
        ASSERT_TRUE(first->run("CREATE TABLE t(a)"));
    }
    const auto second = Database::create(path());
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, ErrorCode::conflict);
}

TEST_F(DatabaseTest, a_wrong_statement_is_an_error) {
    auto database = Database::create(path());
    ASSERT_TRUE(database);
    EXPECT_FALSE(database->prepare("INSERT INTO nowhere VALUES(?)"));
    ASSERT_TRUE(database->run("CREATE TABLE t(a PRIMARY KEY)"));
    auto insert = database->prepare("INSERT INTO t VALUES(?)");
    ASSERT_TRUE(insert);
    EXPECT_TRUE(insert->run({std::int64_t{1}}));
    EXPECT_FALSE(insert->run({std::int64_t{1}}));
    EXPECT_TRUE(insert->run({std::int64_t{2}}));
}

}  // namespace
}  // namespace parley::explanation
