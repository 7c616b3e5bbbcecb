#include "learn/folder/model_manifest.h"

#include "base/json.h"
#include "learn/folder/model_kit_test.h"

#include <gtest/gtest.h>

#include <functional>

namespace parley::learn {
namespace {

brain::Forest small_forest() { return std::move(brain::read_xgboost(kSmallModel)->forest); }

TEST(ModelManifest, reads_back_what_was_written) {
    const std::string text = to_json(small_manifest());
    const auto manifest = parse_manifest(text);
    ASSERT_TRUE(manifest) << manifest.error().message;
    EXPECT_EQ(to_json(*manifest), text);
    EXPECT_EQ(facts_of(*manifest).inputs, kSmallInputs);
}

TEST(ModelManifest, its_id_is_of_its_contents_and_of_the_trees) {
    const ModelManifest manifest = small_manifest();
    const std::string id = model_id(manifest, kSmallModel);
    EXPECT_TRUE(id.starts_with("risk-")) << id;
    EXPECT_EQ(id.size(), 17U);
    ModelManifest named = manifest;
    named.id = id;
    EXPECT_EQ(model_id(named, kSmallModel), id);
    EXPECT_NE(model_id(manifest, kSmallModel + " "), id);
    named.seed = 6;
    EXPECT_NE(model_id(named, kSmallModel), id);
}

struct Case {
    const char* name;
    std::function<void(ModelManifest&)> damage;
    std::string error;
};

class ManifestRefused : public testing::TestWithParam<Case> {};

TEST_P(ManifestRefused, with_a_reason) {
    ModelManifest damaged = small_manifest();
    GetParam().damage(damaged);
    const auto manifest = parse_manifest(to_json(damaged));
    ASSERT_FALSE(manifest);
    EXPECT_EQ(manifest.error().message, GetParam().error);
}

const Case kCases[] = {
    {"future", [](ModelManifest& m) { m.format = 3; },
     "it has format 3, and this program reads formats 1 and 2; use a newer program or train it "
     "again"},
    {"no_features", [](ModelManifest& m) { m.inputs.features.clear(); },
     "inputs.features must hold 1 to 4096 features"},
    {"no_unit", [](ModelManifest& m) { m.inputs.features[0].unit = ""; },
     "a feature has no name or no unit"},
    {"twice", [](ModelManifest& m) { m.inputs.features[1].name = "lease_age"; },
     "the feature \"lease_age\" stands twice"},
    {"calibration", [](ModelManifest& m) { m.calibration.b = -1; },
     "the calibration has a slope that is not above 0"},
    {"trained", [](ModelManifest& m) { m.trained = "today"; },
     "trained: \"today\" is not a time such as 2025-03-01T12:00:00Z"},
    {"horizon", [](ModelManifest& m) { m.horizons_s = {0}; }, "horizons_s must be seconds above 0"},
    {"gap", [](ModelManifest& m) { m.gap_s = -1; }, "gap_s must be seconds from 0 on"},
    {"probes", [](ModelManifest& m) { m.probes.pop_back(); }, "it has 63 probe rows, not 64"},
};
INSTANTIATE_TEST_SUITE_P(Table, ManifestRefused, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(ModelManifest, bytes_that_are_none_are_refused) {
    const struct {
        std::string bytes;
        std::string error;
    } cases[] = {
        {"", "byte 0: this is no JSON value"},
        {"{}", "it has no format; is it the manifest of a model?"},
        {"{\"format\":1}", "id is missing"},
        {std::string(kManifestBytesMax + 1, ' '), "it is larger than 4 MiB"},
    };
    for (const auto& c : cases) {
        const auto manifest = parse_manifest(c.bytes);
        ASSERT_FALSE(manifest);
        EXPECT_EQ(manifest.error().message, c.error);
    }
}

TEST(ModelManifest, names_the_first_feature_that_differs) {
    const struct {
        const char* name;
        brain::FeatureList expected;
        std::string error;
    } cases[] = {
        {"same", kSmallInputs, ""},
        {"version",
         {4, kSmallInputs.features},
         "it was trained with features of version 3, and version 4 is made here; train it again"},
        {"missing",
         {3, {{"lease_age", "s"}, {"cpu_use", "share"}, {"age", "s"}}},
         "it does not know the feature \"age\", which is made here; train it again"},
        {"extra",
         {3, {{"lease_age", "s"}}},
         "it wants the feature \"cpu_use\", which is not made here"},
        {"order",
         {3, {{"cpu_use", "share"}, {"lease_age", "s"}}},
         "its feature 0 is \"lease_age\" in \"s\", and here it is \"cpu_use\" in \"share\"; train "
         "it again"},
        {"unit",
         {3, {{"lease_age", "s"}, {"cpu_use", "cores"}}},
         "its feature 1 is \"cpu_use\" in \"share\", and here it is \"cpu_use\" in \"cores\"; "
         "train it again"},
    };
    for (const auto& c : cases) {
        const auto fine = check_features(kSmallInputs, c.expected);
        EXPECT_EQ(fine ? "" : fine.error().message, c.error) << c.name;
    }
}

TEST(ModelManifest, trees_that_do_not_fit_are_refused) {
    const Case cases[] = {
        {"fine", [](ModelManifest&) {}, ""},
        {"within", [](ModelManifest& m) { m.probes[9].margin += 9e-7; }, ""},
        {"beyond", [](ModelManifest& m) { m.probes[9].margin = -1.5; },
         "probe row 9 gives -1 where -1.5 is expected, a difference of 0.5"},
        {"nan", [](ModelManifest& m) { m.probes[9].margin = std::nan(""); },
         "probe row 9 gives -1 where nan is expected, a difference of nan"},
        {"width", [](ModelManifest& m) { m.probes[2].row.pop_back(); },
         "probe row 2 has 1 values for 2 features"},
        {"no_float", [](ModelManifest& m) { m.probes[2].row[0] = 1e300; },
         "probe row 2 holds more than a float can"},
        {"features", [](ModelManifest& m) { m.inputs.features.pop_back(); },
         "its trees have 2 features and its manifest 1"},
        {"kind", [](ModelManifest& m) { m.kind = brain::ModelKind::demand; },
         "its trees give log-odds, and a demand needs a value"},
    };
    for (const Case& c : cases) {
        ModelManifest manifest = small_manifest();
        c.damage(manifest);
        const auto fine = check_trees(manifest, small_forest());
        EXPECT_EQ(fine ? "" : fine.error().message, c.error) << c.name;
    }
}

}  // namespace
}  // namespace parley::learn
