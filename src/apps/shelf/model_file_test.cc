#include "apps/shelf/model_file.h"

#include "base/json_read.h"
#include "fake/disk.h"
#include "learn/folder/model_kit_test.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

TEST(ModelFile, says_what_is_in_a_file_of_xgboost) {
    fake::Disk disk;
    ASSERT_TRUE(write_file_atomically(disk, "mine.json", learn::kSmallModel));
    const auto text = model_file_text(disk, "mine.json", Format::table);
    ASSERT_TRUE(text) << text.error().message;
    EXPECT_TRUE(
        text->starts_with("file          mine.json\n"
                          "saved by      XGBoost 1.7.4\n"
                          "gives         log-odds, as a risk needs; it begins at 0\n"
                          "trees         1 with 3 nodes, at most 1 splits deep\n"
                          "features      2, without names\n"))
        << *text;
    const auto json = model_file_text(disk, "mine.json", Format::json);
    ASSERT_TRUE(json);
    const auto document = parse_json(*json);
    ASSERT_TRUE(document) << *json;
    EXPECT_EQ(*document->find("gives")->text(), "logistic");
    EXPECT_EQ(*document->find("trees")->number(), 1);
}

TEST(ModelFile, what_would_not_be_served_is_refused_with_its_name) {
    fake::Disk disk;
    ASSERT_TRUE(write_file_atomically(disk, "bad.ubj", "binf old"));
    EXPECT_EQ(model_file_text(disk, "bad.ubj", Format::table).error().message,
              "bad.ubj: it is in XGBoost's old binary format; save it as .json or .ubj");
    EXPECT_FALSE(model_file_text(disk, "none.json", Format::table));
}

TEST(ModelFile, an_id_is_no_file) {
    EXPECT_TRUE(names_file("mine.json"));
    EXPECT_TRUE(names_file("models/mine"));
    EXPECT_FALSE(names_file("risk-0123456789ab"));
    EXPECT_FALSE(names_file("shipped"));
}

}  // namespace
}  // namespace parley::app
