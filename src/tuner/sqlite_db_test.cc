#include "tuner/sqlite_db.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace parley::tuner {
namespace {

TEST(SqliteDb, values_go_in_and_come_out) {
    auto db = SqliteDb::open(":memory:", true, seconds(1));
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

TEST(SqliteDb, errors_say_what_to_do) {
    auto db = SqliteDb::open(":memory:", true, seconds(1));
    ASSERT_TRUE(db->run("CREATE TABLE t (a INTEGER UNIQUE); INSERT INTO t VALUES (1)"));
    EXPECT_EQ(db->run("INSERT INTO t VALUES (1)").error().code, ErrorCode::conflict);
    EXPECT_EQ(db->run("nonsense").error().code, ErrorCode::malformed);
    ASSERT_TRUE(db->run("PRAGMA query_only=1"));
    const auto unwritten = db->run("INSERT INTO t VALUES (2)");
    ASSERT_FALSE(unwritten);
    EXPECT_TRUE(unwritten.error().message.ends_with(
        "readonly database; copy the study to a place where it may be written"))
        << unwritten.error().message;
    EXPECT_EQ(db->prepare("SELECT * FROM nowhere").error().code, ErrorCode::malformed);
    EXPECT_FALSE(SqliteDb::open("/nowhere/at/all", true, seconds(1)));
    const std::string path = testing::TempDir() + std::to_string(getpid()) + "tuner_no_database";
    std::ofstream(path) << std::string(5000, 'x');
    auto broken = SqliteDb::open(path, false, seconds(1));
    ASSERT_TRUE(broken);  // Read when first used.
    EXPECT_EQ(broken->first("SELECT 1 FROM sqlite_master").error().code, ErrorCode::malformed);
    std::filesystem::remove(path);
}

TEST(SqliteDb, nothing_in_a_file_runs) {
    const std::string path = testing::TempDir() + std::to_string(getpid()) + "tuner_hostile.db";
    std::filesystem::remove(path);
    {
        auto db = SqliteDb::open(path, true, seconds(1));
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
}  // namespace parley::tuner
