#include "apps/shelf/model_import.h"

#include "fake/disk.h"
#include "layers/prediction/node_features.h"
#include "learn/folder/model_kit_test.h"
#include "learn/folder/served_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace parley::app {
namespace {

/// A file with two features without names, the first asked for at 0.5, and a list for it.
struct Import {
    Import() : key(*learn::SigningKey::at(disk, "own.key")) {
        EXPECT_TRUE(write_file_atomically(disk, "theirs.json", learn::kSmallModel));
        list("0,cpu_share,percent\n");
        shelf.trust.own_key = key.public_key();
    }
    void list(const std::string& lines) {
        EXPECT_TRUE(write_file_atomically(disk, "list.csv", "feature,serves,unit\n" + lines));
    }
    Result<std::string> take(bool calibrated = true) {
        return import_model(disk, "models", key,
                            {.path = "theirs.json",
                             .features = "list.csv",
                             .horizon = minutes(15),
                             .calibrated = calibrated});
    }

    fake::Disk disk;
    learn::SigningKey key;
    ModelShelf shelf{"models", {}};
};

TEST(ModelImport, a_file_with_a_list_serves_nodes) {
    Import import;
    const auto id = import.take();
    ASSERT_TRUE(id) << id.error().message;
    const auto used = use_model(import.disk, import.shelf, *id, "");
    ASSERT_TRUE(used) << used.error().message;
    const auto inputs = prediction::wanted_features();
    const auto files = learn::stored_files(import.disk, "models/" + *id, import.shelf.trust);
    ASSERT_TRUE(files) << files.error().message;
    const auto model = learn::model_of(*files, inputs);
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_EQ((*model)->facts.horizons_s, std::vector<double>{900});
    const auto at = std::ranges::find(inputs.features, "cpu_share", &brain::Feature::name);
    const auto place = static_cast<std::size_t>(at - inputs.features.begin());
    std::vector<float> row(inputs.features.size(), std::nanf(""));
    for (const float share : {0.0F, 0.004F, 0.006F, 1.0F}) {  // It splits at half a percent.
        row[place] = share;
        EXPECT_EQ(brain::margin((*model)->forest, row), share < 0.005F ? -1.0F : 2.0F) << share;
    }
}

TEST(ModelImport, uncalibrated_it_is_kept_and_not_used) {
    Import import;
    const auto id = import.take(false);
    ASSERT_TRUE(id) << id.error().message;
    const auto used = use_model(import.disk, import.shelf, *id, "");
    ASSERT_FALSE(used);
    EXPECT_NE(used.error().message.find("it is not calibrated"), std::string::npos);
}

TEST(ModelImport, says_what_is_missing) {
    Import import;
    import.list("1,cpu_share,share\n");
    EXPECT_EQ(import.take().error().message,
              "list.csv does not say which node feature \"0\" is, and the model asks for it; add a "
              "line for it");
    import.list("0,cpu_share,share\nload,memory_share,share\n");
    EXPECT_EQ(import.take().error().message,
              "list.csv:3: the model has no feature \"load\"; it has 0, 1");
    const auto none = import_model(import.disk, "models", import.key, {.path = "theirs.json"});
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().message.find("nothing says which features of a node these are"),
              std::string::npos);
}

TEST(ModelImport, forests_of_somebodys_series_say_why_they_cannot_serve) {
    Import import;
    ASSERT_TRUE(make_directories(import.disk, "theirs"));
    ASSERT_TRUE(write_file_atomically(import.disk, "theirs/model-1.ubj", "x"));
    const auto taken = import_model(import.disk, "models", import.key, {.path = "theirs"});
    ASSERT_FALSE(taken);
    EXPECT_EQ(taken.error().message,
              "theirs holds forests of demand that were trained on somebody's series, in steps of "
              "these; nodes and workloads are forecast in minutes of their own: parley train "
              "demand --from RUN makes a model of them");
}

}  // namespace
}  // namespace parley::app
