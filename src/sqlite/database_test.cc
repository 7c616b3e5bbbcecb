#include "sqlite/database.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace parley::sqlite {
namespace {

/// A test with a folder of its own, which is removed afterwards.
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
    auto database = Database::open_to_read(path());
    ASSERT_TRUE(database);
    EXPECT_EQ(*database->first("SELECT count(*) FROM t"), "2");
    EXPECT_EQ(*database->first("SELECT c FROM t WHERE a = -5 AND d IS NULL"), "it's");
    EXPECT_EQ(*database->first("SELECT b FROM t WHERE a = 1"), std::nullopt);
    EXPECT_EQ(*database->first("SELECT b FROM t WHERE a = 9"), std::nullopt);
    EXPECT_FALSE(database->run("CREATE TABLE u(a)"));  // For reading only.
}

TEST_F(DatabaseTest, says_what_is_wrong_and_where) {
    EXPECT_FALSE(Database::open_to_read(path()));
    std::ofstream(path()) << std::string(4096, 'x');
    auto garbage = Database::open_to_read(path());
    ASSERT_TRUE(garbage);  // SQLite looks at the file only when something is asked.
    const auto answer = garbage->first("PRAGMA quick_check");
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

TEST_F(DatabaseTest, waits_at_no_pipe_and_follows_no_link_beside_the_file) {
    {
        ASSERT_TRUE(Database::create(path())->run("CREATE TABLE t(a)"));
    }
    for (const char* ending : {"-journal", "-wal", "-shm"}) {
        const std::string beside = path() + ending;
        ASSERT_EQ(::mkfifo(beside.c_str(), 0600), 0);
        const auto at_pipe = Database::open_to_read(path());
        ASSERT_FALSE(at_pipe);
        EXPECT_EQ(at_pipe.error().code, ErrorCode::denied);
        EXPECT_EQ(at_pipe.error().message,
                  "cannot open " + beside +
                      ": it is not a regular file, which SQLite would take for its own; remove it");
        EXPECT_FALSE(Database::open_shared(path(), true, seconds(1)));
        std::filesystem::remove(beside);
        std::filesystem::create_symlink(path(), beside);
        EXPECT_FALSE(Database::open_to_read(path()));
        std::filesystem::remove(beside);
        EXPECT_TRUE(Database::open_to_read(path()));
    }
    // A link to a database leads to another place, where the same holds.
    const std::string link = (folder_ / "link.db").string();
    std::filesystem::create_symlink(path(), link);
    EXPECT_TRUE(Database::open_shared(link, false, seconds(1)));
    ASSERT_EQ(::mkfifo((path() + "-wal").c_str(), 0600), 0);
    EXPECT_FALSE(Database::open_shared(link, false, seconds(1)));
    const std::string pipe = (folder_ / "pipe.db").string();
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_FALSE(Database::open_to_read(pipe));
}

TEST(SharedDatabase, values_go_in_and_come_out) {
    auto db = Database::open_shared(":memory:", true, seconds(1));
    ASSERT_TRUE(db);
    ASSERT_TRUE(db->run("CREATE TABLE t (a INTEGER, b FLOAT, c TEXT UNIQUE)"));
    auto insert = db->prepare("INSERT INTO t VALUES (?, ?, ?)");
    ASSERT_TRUE(insert);
    ASSERT_TRUE(insert->bind(1, std::int64_t{7}).bind(2, 0.1).bind(3, "x\0y").run());
    ASSERT_TRUE(
        insert->bind(1, std::int64_t{8}).bind_null(2).bind(3, std::string_view("z\0y", 3)).run());
    EXPECT_EQ(db->last_id(), 2);
    auto rows = db->prepare("SELECT a, b, c FROM t ORDER BY a");
    ASSERT_TRUE(*rows->step());
    EXPECT_EQ(rows->whole(0), 7);
    EXPECT_EQ(rows->number(1), 0.1);
    ASSERT_TRUE(*rows->step());
    EXPECT_TRUE(rows->is_null(1));
    EXPECT_EQ(rows->text(2), std::string("z\0y", 3));
    EXPECT_FALSE(*rows->step());
    EXPECT_EQ(**db->first("SELECT count(*) FROM t"), "2");
    EXPECT_EQ(*db->first("SELECT a FROM t WHERE a=9"), std::nullopt);
}

TEST(SharedDatabase, what_cannot_be_bound_is_said_once) {
    auto db = Database::open_shared(":memory:", true, seconds(1));
    ASSERT_TRUE(db->run("CREATE TABLE t (a INTEGER)"));
    auto insert = db->prepare("INSERT INTO t VALUES (?)");
    const auto unbound = insert->bind(1, std::int64_t{1}).bind(2, std::int64_t{2}).run();
    ASSERT_FALSE(unbound);
    EXPECT_EQ(unbound.error().message,
              "a database in memory: SQLite says: column index out of range");
    EXPECT_TRUE(insert->bind(1, std::int64_t{1}).run());
    EXPECT_EQ(**db->first("SELECT count(*) FROM t"), "1");
}

TEST(SharedDatabase, errors_say_what_to_do) {
    auto db = Database::open_shared(":memory:", true, seconds(1));
    ASSERT_TRUE(db->run("CREATE TABLE t (a INTEGER UNIQUE); INSERT INTO t VALUES (1)"));
    EXPECT_EQ(db->run("INSERT INTO t VALUES (1)").error().code, ErrorCode::conflict);
    EXPECT_EQ(db->run("nonsense").error().code, ErrorCode::malformed);
    ASSERT_TRUE(db->run("PRAGMA query_only=1"));
    const auto unwritten = db->run("INSERT INTO t VALUES (2)");
    ASSERT_FALSE(unwritten);
    EXPECT_TRUE(unwritten.error().message.ends_with(
        "readonly database; copy it to a place where it may be written"))
        << unwritten.error().message;
    EXPECT_EQ(db->prepare("SELECT * FROM nowhere").error().code, ErrorCode::malformed);
    EXPECT_FALSE(Database::open_shared("/nowhere/at/all", true, seconds(1)));
    const std::string path = testing::TempDir() + std::to_string(getpid()) + "no_database";
    std::ofstream(path) << std::string(5000, 'x');
    auto broken = Database::open_shared(path, false, seconds(1));
    ASSERT_TRUE(broken);  // The schema is read when it is first used.
    EXPECT_EQ(broken->first("SELECT 1 FROM sqlite_master").error().code, ErrorCode::malformed);
    std::filesystem::remove(path);
}

TEST(SharedDatabase, nothing_in_a_file_runs) {
    const std::string path = testing::TempDir() + std::to_string(getpid()) + "hostile.db";
    std::filesystem::remove(path);
    {
        auto db = Database::open_shared(path, true, seconds(1));
        ASSERT_TRUE(
            db->run("CREATE TABLE t (a); CREATE TABLE seen (a); "
                    "CREATE TRIGGER x AFTER INSERT ON t BEGIN INSERT INTO seen VALUES (1); END"));
        ASSERT_TRUE(db->run("INSERT INTO t VALUES (1)"));
        EXPECT_EQ(**db->first("SELECT count(*) FROM seen"), "0");
        ASSERT_TRUE(db->run("CREATE VIEW v AS SELECT a FROM t"));
        EXPECT_FALSE(db->first("SELECT a FROM v"));
        EXPECT_FALSE(db->run("PRAGMA writable_schema=ON; DELETE FROM sqlite_master"));
    }
    std::filesystem::remove(path);
}

}  // namespace
}  // namespace parley::sqlite
