#include "apps/shelf/model_run.h"

#include "base/json_read.h"
#include "fake/disk.h"
#include "layers/prediction/node_features.h"
#include "learn/folder/model_kit_test.h"
#include "learn/folder/served_model.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

using learn::kSmallModel;
using learn::small_manifest;

/// A shelf with a model of other features than are made here, and one that fits.
struct Shelf {
    Shelf() : key(*learn::SigningKey::at(disk, "own.key")) {
        shelf.trust.own_key = key.public_key();
        foreign = *learn::save_model(disk, shelf.folder, small_manifest(), kSmallModel, key);
        fitting = *learn::save_model(disk, shelf.folder, fitting_manifest(), fitting_model(), key);
    }

    static std::string fitting_model() {
        std::string text = kSmallModel;
        const std::string from = "\"num_feature\":\"2\"";
        return text.replace(text.find(from), from.size(),
                            "\"num_feature\":\"" +
                                std::to_string(prediction::wanted_features().features.size()) +
                                "\"");
    }
    static learn::ModelManifest fitting_manifest() {
        learn::ModelManifest manifest = small_manifest();
        manifest.inputs = prediction::wanted_features();
        manifest.calibration = {.id = "few", .kind = brain::CalibrationKind::intercept};
        for (learn::Probe& probe : manifest.probes) {
            probe.row.resize(manifest.inputs.features.size());
        }
        return manifest;
    }
    std::string current() { return *read_file(disk, "models/current.json"); }

    fake::Disk disk;
    learn::SigningKey key;
    ModelShelf shelf{"models", {}};
    std::string foreign;
    std::string fitting;
};

TEST(ModelRun, lists_what_is_served_and_what_is_refused) {
    Shelf s;
    ASSERT_TRUE(use_model(s.disk, s.shelf, s.fitting, ""));
    ASSERT_TRUE(write_file_atomically(s.disk, "models/" + s.foreign + "/signature", "{}"));
    const auto text = list_text(s.disk, s.shelf, Format::table);
    ASSERT_TRUE(text) << text.error().message;
    EXPECT_NE(text->find("* " + s.fitting), std::string::npos) << *text;
    EXPECT_NE(text->find("  " + s.foreign + "    refused: models/" + s.foreign +
                         "/signature: digest is missing"),
              std::string::npos)
        << *text;
    const auto json = list_text(s.disk, s.shelf, Format::json);
    ASSERT_TRUE(json && parse_json(*json));
    EXPECT_EQ(parse_json(*json)->items()->size(), 4U);
}

/// The id of the model of that kind that ships.
std::string shipped_id(bool risk) {
    return learn::parse_manifest((risk ? learn::shipped_risk() : learn::shipped_demand()).manifest)
        ->id;
}

TEST(ModelRun, what_ships_is_listed_where_there_is_no_other) {
    // An empty shelf was reported as containing nothing, although two models served.
    fake::Disk disk;
    const auto text = list_text(disk, {"models", {}}, Format::table);
    ASSERT_TRUE(text) << text.error().message;
    for (const bool risk : {true, false}) {
        EXPECT_NE(text->find("* " + shipped_id(risk)), std::string::npos) << *text;
    }
    EXPECT_NE(text->find("ships with parley; simulated: scenario mixed"), std::string::npos);
    const auto json = list_text(disk, {"models", {}}, Format::json);
    ASSERT_TRUE(json && parse_json(*json));
    EXPECT_EQ(parse_json(*json)->items()->size(), 2U);
    EXPECT_NE(json->find("\"in_use\":true,\"shipped\":true"), std::string::npos) << *json;
}

TEST(ModelRun, what_ships_is_shown_compared_exported_and_used_by_its_id) {
    Shelf s;
    const std::string id = shipped_id(true);
    EXPECT_TRUE(show_text(s.disk, s.shelf, id, Format::table)
                    ->starts_with("id            " + id + ", ships with parley, in use\n"));
    EXPECT_TRUE(compare_text(s.disk, s.shelf, id, s.fitting, Format::table));
    EXPECT_TRUE(export_model(s.disk, s.shelf, id, "own.ubj"));
    EXPECT_EQ(*read_file(s.disk, "own.ubj"), learn::shipped_risk().trees);
    ASSERT_TRUE(use_model(s.disk, s.shelf, s.fitting, ""));
    EXPECT_TRUE(show_text(s.disk, s.shelf, id, Format::table)
                    ->starts_with("id            " + id + ", ships with parley\n"));
    EXPECT_EQ(*use_model(s.disk, s.shelf, id, ""),
              "The model of risk that ships is in use again.\n");
    EXPECT_EQ(s.current(), "{\"risk\":\"\",\"demand\":\"\"}\n");
}

TEST(ModelRun, shows_one_in_both_formats) {
    Shelf s;
    const auto text = show_text(s.disk, s.shelf, s.foreign, Format::table);
    ASSERT_TRUE(text) << text.error().message;
    EXPECT_NE(text->find("lease_age"), std::string::npos);
    const auto json = show_text(s.disk, s.shelf, s.foreign, Format::json);
    ASSERT_TRUE(json);
    EXPECT_TRUE(learn::parse_manifest(*json));
}

TEST(ModelRun, names_that_are_none_are_refused) {
    Shelf s;
    for (const char* id : {"", "..", "../own.key", "risk-000000000000", "Risk"}) {
        const auto text = show_text(s.disk, s.shelf, id, Format::table);
        ASSERT_FALSE(text) << id;
        EXPECT_TRUE(text.error().message.starts_with("there is no model \"")) << id;
    }
    EXPECT_EQ(
        show_text(s.disk, s.shelf, s.fitting + "0", Format::table).error().message,
        "there is no model \"" + s.fitting + "0\" in models; did you mean " + s.fitting + "?");
}

TEST(ModelRun, only_what_fits_is_put_to_use) {
    Shelf s;
    EXPECT_EQ(*use_model(s.disk, s.shelf, s.fitting, "risk"),
              s.fitting + " is now the model of risk.\n");
    EXPECT_EQ(s.current(), "{\"risk\":\"" + s.fitting + "\",\"demand\":\"\"}\n");
    EXPECT_EQ(use_model(s.disk, s.shelf, s.fitting, "demand").error().message,
              s.fitting + " is a model of risk, not of demand");
    EXPECT_EQ(use_model(s.disk, s.shelf, s.fitting, "risky").error().message,
              "\"risky\" is not one of risk or demand");
    const auto foreign = use_model(s.disk, s.shelf, s.foreign, "");
    ASSERT_FALSE(foreign);
    EXPECT_TRUE(foreign.error().message.starts_with("the model " + s.foreign + ": it "));
    EXPECT_EQ(s.current(), "{\"risk\":\"" + s.fitting + "\",\"demand\":\"\"}\n");
    EXPECT_EQ(use_model(s.disk, s.shelf, "shipped", "").error().message,
              "say of which kind with --kind risk or --kind demand");
    EXPECT_EQ(*use_model(s.disk, s.shelf, "shipped", "risk"),
              "The model of risk that ships is in use again.\n");
    EXPECT_EQ(s.current(), "{\"risk\":\"\",\"demand\":\"\"}\n");
}

TEST(ModelRun, one_that_is_not_calibrated_is_not_put_to_use_and_never_said_to_serve) {
    Shelf s;
    learn::ModelManifest raw = Shelf::fitting_manifest();
    raw.calibration = {};
    const std::string id =
        *learn::save_model(s.disk, s.shelf.folder, raw, Shelf::fitting_model(), s.key);
    const std::string why =
        "it is not calibrated, so that it may not drive actions; train it on runs with more "
        "failures";
    const auto used = use_model(s.disk, s.shelf, id, "risk");
    ASSERT_FALSE(used);
    EXPECT_EQ(used.error().message, "the model " + id + ": " + why);
    EXPECT_EQ(used.error().code, ErrorCode::denied);
    // One that was put into use before this check existed.
    ASSERT_TRUE(learn::set_current_models(s.disk, s.shelf.folder, {.risk = id}));
    const auto all = list_text(s.disk, s.shelf, Format::table);
    ASSERT_TRUE(all);
    EXPECT_NE(all->find("* " + id + "    refused: " + why + "\n"), std::string::npos) << *all;
    EXPECT_TRUE(all->ends_with("while it is refused, the one that ships serves.\n")) << *all;
    const auto one = show_text(s.disk, s.shelf, id, Format::table);
    ASSERT_TRUE(one);
    EXPECT_NE(one->find("refused       " + why + "; the one that ships serves\n"),
              std::string::npos)
        << *one;
}

TEST(ModelRun, one_in_use_that_is_gone_is_listed_as_such) {
    Shelf s;
    ASSERT_TRUE(
        learn::set_current_models(s.disk, s.shelf.folder, {.demand = "demand-0123456789ab"}));
    const auto all = list_text(s.disk, s.shelf, Format::table);
    ASSERT_TRUE(all);
    EXPECT_NE(all->find("* demand-0123456789ab  refused: it is not there\n"), std::string::npos)
        << *all;
    EXPECT_TRUE(all->ends_with("while it is refused, the one that ships serves.\n")) << *all;
}

TEST(ModelRun, a_demand_of_other_horizons_than_are_served_is_not_put_to_use) {
    Shelf s;
    learn::ModelManifest shipped = *learn::parse_manifest(learn::shipped_demand().manifest);
    EXPECT_TRUE(check_servable(shipped));
    learn::ModelManifest other = shipped;
    other.horizons_s = {60, 1'800};
    other.forests.resize(2);
    other.forests[1].horizon_s = 1'800;
    const auto refused = check_servable(other);
    ASSERT_FALSE(refused);
    EXPECT_EQ(
        refused.error().message,
        "the model " + other.id +
            ": it forecasts 1, 30 min, and demand is served at 1, 5, 15 and 60 min, each by a "
            "forest of its own; train one with parley train demand --from or --simulate");
    EXPECT_TRUE(
        use_hint(other, other.id, "").starts_with("It cannot be put into use: it forecasts 1, 30"));
    // As many, but not those.
    other = shipped;
    other.horizons_s[3] = 7'200;
    EXPECT_FALSE(check_servable(other));
}

TEST(ModelRun, the_command_after_training_names_the_folder_that_training_did) {
    const learn::ModelManifest fits = Shelf::fitting_manifest();
    EXPECT_EQ(use_hint(fits, "risk-1", ""), "Put it into use with\n  parley model use risk-1\n");
    EXPECT_EQ(use_hint(fits, "risk-1", "mine"),
              "Put it into use with\n  parley model use risk-1 --models mine\n");
    learn::ModelManifest raw = fits;
    raw.calibration = {};
    EXPECT_TRUE(use_hint(raw, "risk-1", "mine")
                    .starts_with("It cannot be put into use: it is not calibrated"));
}

TEST(ModelRun, exports_the_file_as_it_was_saved) {
    Shelf s;
    EXPECT_EQ(*export_model(s.disk, s.shelf, s.foreign, "out.json"),
              "Wrote out.json, as XGBoost 1.7.4 saved it.\n");
    EXPECT_EQ(*read_file(s.disk, "out.json"), kSmallModel);
    EXPECT_EQ(export_model(s.disk, s.shelf, s.foreign, "out.json").error().message,
              "out.json exists already; name another file");
    EXPECT_EQ(export_model(s.disk, s.shelf, s.foreign, "out.ubj").error().message,
              "XGBoost tells formats apart by their ending, and this model is kept as .json; name "
              "a file that ends so");
}

TEST(ModelRun, compares_two) {
    Shelf s;
    const auto text = compare_text(s.disk, s.shelf, s.foreign, s.fitting, Format::table);
    ASSERT_TRUE(text) << text.error().message;
    EXPECT_NE(text->find("auc"), std::string::npos);
    const auto json = compare_text(s.disk, s.shelf, s.foreign, s.fitting, Format::json);
    ASSERT_TRUE(json && parse_json(*json));
    EXPECT_EQ(
        compare_text(s.disk, s.shelf, s.foreign, shipped_id(false), Format::table).error().message,
        s.foreign + " is a model of risk and " + shipped_id(false) +
            " one of demand; compare two of one kind");
}

}  // namespace
}  // namespace parley::app
