#include "tuner/sqlite_schema.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::tuner {
namespace {

TEST(SqliteSchema, is_made_once_and_then_found) {
    auto db = sqlite::Database::open_shared(":memory:", true, seconds(1));
    ASSERT_TRUE(db);
    const auto missing = prepare_schema(*db, false);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::gone);
    ASSERT_TRUE(prepare_schema(*db, true));
    EXPECT_EQ(**db->first("SELECT count(*) FROM sqlite_master WHERE type='table'"), "13");
    EXPECT_EQ(**db->first("SELECT version_num FROM alembic_version"), "v3.2.0.a");
    EXPECT_EQ(**db->first("SELECT schema_version || ' ' || library_version FROM version_info"),
              "12 5.0.0");
    ASSERT_TRUE(db->run("INSERT INTO studies (study_name) VALUES ('a')"));
    EXPECT_TRUE(prepare_schema(*db, true));
    EXPECT_TRUE(prepare_schema(*db, false));
    EXPECT_EQ(**db->first("SELECT count(*) FROM studies"), "1");
}

TEST(SqliteSchema, of_another_revision_is_refused) {
    auto db = sqlite::Database::open_shared(":memory:", true, seconds(1));
    ASSERT_TRUE(prepare_schema(*db, true));
    ASSERT_TRUE(db->run("UPDATE alembic_version SET version_num='v2.6.0.a'"));
    const auto old = prepare_schema(*db, true);
    ASSERT_FALSE(old);
    EXPECT_EQ(old.error().code, ErrorCode::malformed);
    EXPECT_NE(old.error().message.find("v2.6.0.a"), std::string::npos);
}

}  // namespace
}  // namespace parley::tuner
