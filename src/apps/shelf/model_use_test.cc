#include "apps/shelf/model_use.h"

#include "fake/disk.h"
#include "learn/folder/model_kit_test.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

const Environment kHome = [](const char* name) {
    return std::string(name) == "HOME" ? std::string("/home/a") : std::string();
};

struct Shelf {
    Shelf() {
        EXPECT_TRUE(write_file_atomically(disk, "theirs.json", learn::kSmallModel));
        EXPECT_TRUE(
            write_file_atomically(disk, "list.csv", "feature,serves,unit\n0,cpu_share,percent\n"));
    }
    Result<std::string> use(const ModelUse& what) { return use_named(disk, kHome, shelf, what); }
    std::string refused(const ModelUse& what) {
        const auto used = use(what);
        return used ? "" : used.error().message;
    }

    fake::Disk disk;
    ModelShelf shelf{"models", {}};
};

TEST(ModelUse, a_file_is_put_on_the_shelf_and_served_though_the_key_is_new) {
    Shelf s;
    const auto used = s.use({.name = "theirs.json", .features = "list.csv", .calibrated = true});
    ASSERT_TRUE(used) << used.error().message;
    EXPECT_TRUE(used->starts_with("It is in models/risk-")) << *used;
    EXPECT_TRUE(*s.disk.exists("models/current.json"));
}

TEST(ModelUse, a_file_without_a_calibration_is_refused_with_what_to_do) {
    Shelf s;
    const std::string text = s.refused({.name = "theirs.json", .features = "list.csv"});
    EXPECT_TRUE(
        text.ends_with(", or name it with --calibrated if its probabilities are right as they are"))
        << text;
}

TEST(ModelUse, what_belongs_to_a_file_is_refused_of_an_id) {
    Shelf s;
    EXPECT_EQ(s.refused({.name = "risk-1", .features = "list.csv"}),
              "--features and --calibrated are for a file or folder, such as ./model.json; "
              "\"risk-1\" is a model on the shelf");
    EXPECT_TRUE(s.refused({.name = "risk-1", .calibrated = true}).starts_with("--features and"));
    EXPECT_EQ(s.refused({.name = "theirs.json", .kind = "demand"}),
              "only a model of risk can be taken from elsewhere");
}

TEST(ModelUse, a_horizon_lies_beyond_the_gap_and_within_a_day) {
    Shelf s;
    for (const char* horizon : {"2m", "25h", "soon"}) {
        const std::string text = s.refused({.name = "theirs.json", .horizon = horizon});
        EXPECT_TRUE(text.starts_with("--horizon is a time above 2m")) << horizon << ": " << text;
    }
}

}  // namespace
}  // namespace parley::app
