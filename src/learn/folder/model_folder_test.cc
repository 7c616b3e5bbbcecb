#include "learn/folder/model_folder.h"

#include "fake/disk.h"
#include "learn/folder/model_bytes.h"
#include "learn/folder/model_kit_test.h"

#include <gtest/gtest.h>

namespace parley::learn {
namespace {

constexpr const char* kModels = "data/models";

/// A disk with one model on it.
struct Saved {
    Saved() : key(*SigningKey::at(disk, "own.key")) {
        const auto saved = save_model(disk, kModels, small_manifest(), kSmallModel, key);
        EXPECT_TRUE(saved) << saved.error().message;
        id = saved.value_or("");
        folder = join(kModels, id);
        trust.own_key = key.public_key();
    }

    std::string read(const std::string& name) { return *read_file(disk, join(folder, name)); }
    void write(const std::string& name, const std::string& bytes) {
        ASSERT_TRUE(write_file_atomically(disk, join(folder, name), bytes));
    }
    /// Why it is refused, without the folder's name; empty if it is not.
    std::string refusal() {
        const auto model = open_model(disk, folder, trust);
        if (model) return "";
        const std::string head = "the model " + folder + ": ";
        EXPECT_TRUE(model.error().message.starts_with(head)) << model.error().message;
        return model.error().message.substr(head.size());
    }

    fake::Disk disk;
    SigningKey key;
    Trust trust;
    std::string id;
    std::string folder;
};

std::string changed(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

TEST(ModelFolder, what_is_saved_is_loaded) {
    Saved saved;
    const auto model = open_model(saved.disk, saved.folder, saved.trust);
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_EQ(model->manifest.id, saved.id);
    EXPECT_EQ(model->manifest.provenance, "simulated");
    EXPECT_EQ(brain::margin(model->forests.front(), std::vector<float>{0.7F, 0}), 2.0F);
    EXPECT_EQ(*list_models(saved.disk, kModels), std::vector{saved.id});
    EXPECT_EQ(saved.read("model.json"), kSmallModel);
}

TEST(ModelFolder, saving_it_again_changes_nothing) {
    Saved saved;
    const std::uint64_t calls = saved.disk.calls();
    const auto again = save_model(saved.disk, kModels, small_manifest(), kSmallModel, saved.key);
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, saved.id);
    EXPECT_LE(saved.disk.calls(), calls + 2);  // Folders above are made durable once more.
}

TEST(ModelFolder, what_would_not_load_is_not_saved) {
    Saved saved;
    ModelManifest manifest = small_manifest();
    manifest.probes[5].margin = 7;
    const auto wrong = save_model(saved.disk, kModels, manifest, kSmallModel, saved.key);
    ASSERT_FALSE(wrong);
    EXPECT_EQ(
        wrong.error().message,
        "saving a model: model.json: probe row 5 gives -1 where 7 is expected, a difference of 8");
    EXPECT_FALSE(save_model(saved.disk, kModels, small_manifest(), "{}", saved.key));
    EXPECT_EQ(list_models(saved.disk, kModels)->size(), 1U);
}

TEST(ModelFolder, every_changed_byte_is_found) {
    Saved saved;
    for (const char* name : {"model.json", "manifest.json", "signature"}) {
        const std::string good = saved.read(name);
        for (std::size_t i = 0; i + 1 < good.size(); i += 7) {
            std::string bad = good;
            bad[i] = static_cast<char>(bad[i] ^ 1);
            saved.write(name, bad);
            EXPECT_NE(saved.refusal(), "") << name << " byte " << i;
        }
        saved.write(name, good.substr(0, good.size() / 2));
        EXPECT_NE(saved.refusal(), "") << name << " cut";
        saved.write(name, good);
    }
    EXPECT_EQ(saved.refusal(), "");
}

TEST(ModelFolder, each_refusal_says_why) {
    Saved saved;
    const std::string manifest = saved.read("manifest.json");
    const std::string signature = saved.read("signature");

    saved.write("manifest.json", changed(manifest, "\"format\":1", "\"format\":3"));
    EXPECT_EQ(saved.refusal(),
              "manifest.json: it has format 3, and this program reads formats 1 and 2; use a newer "
              "program or train it again");
    saved.write("manifest.json", changed(manifest, "model.json", "../../key"));
    EXPECT_EQ(saved.refusal(), "its trees must be in model.json or model.ubj");
    saved.write("manifest.json", changed(manifest, "simulated", "measured!"));
    EXPECT_EQ(saved.refusal(),
              "manifest and trees do not have the digest in its signature; it was damaged");
    saved.write("manifest.json", manifest);

    const auto other = SigningKey::at(saved.disk, "other.key");
    saved.write("manifest.json", changed(manifest, saved.key.public_key(), other->public_key()));
    EXPECT_EQ(saved.refusal(),
              "manifest and trees do not have the digest in its signature; it was damaged");
    saved.write("manifest.json", manifest);

    saved.write("signature", changed(signature, "\"signature\":\"", "\"signature\":\"00"));
    EXPECT_EQ(saved.refusal(), "its signature is not by the key in its manifest; it was changed");
    saved.write("signature", signature);
    ASSERT_TRUE(saved.disk.remove(join(saved.folder, "model.json")));
    EXPECT_NE(saved.refusal().find("model.json"), std::string::npos);
}

TEST(ModelFolder, a_foreign_key_must_be_named) {
    Saved saved;
    const std::string id = key_id_of(saved.key.public_key());
    saved.trust = {.own_key = SigningKey::at(saved.disk, "other.key")->public_key()};
    EXPECT_EQ(saved.refusal(), "it was signed by the key " + id +
                                   ", which is not this machine's; if you know whose it is, allow "
                                   "it with --trust " +
                                   id);
    saved.trust = {};
    EXPECT_NE(saved.refusal(), "");
    saved.trust.keys = {"0123456789abcdef", id};
    EXPECT_EQ(saved.refusal(), "");
}

TEST(ModelFolder, whatever_fails_while_saving_there_is_a_whole_model_or_none) {
    Saved before;
    const std::uint64_t first = before.disk.calls() + 1;
    ModelManifest manifest = small_manifest();
    manifest.seed = 77;
    for (std::uint64_t call = first;; ++call) {
        Saved saved;
        const std::uint64_t start = saved.disk.calls();
        saved.disk.fail_at(start + (call - first) + 1, fake::Disk::Fault::power);
        const auto id = save_model(saved.disk, kModels, manifest, kSmallModel, saved.key);
        if (id) break;
        const auto after = saved.disk.power_cut(call);
        const auto names = list_models(*after, kModels);
        ASSERT_TRUE(names) << names.error().message;
        for (const std::string& name : *names) {
            const auto model = open_model(*after, join(kModels, name), saved.trust);
            EXPECT_TRUE(model) << "call " << call << ": " << model.error().message;
        }
        // What was left behind is in nobody's way.
        const auto again = save_model(*after, kModels, manifest, kSmallModel, saved.key);
        ASSERT_TRUE(again) << again.error().message;
        EXPECT_TRUE(open_model(*after, join(kModels, *again), saved.trust));
    }
}

TEST(ModelFolder, which_one_is_in_use_is_kept) {
    fake::Disk disk;
    EXPECT_EQ(*current_models(disk, kModels), CurrentModels{});
    EXPECT_TRUE(list_models(disk, kModels)->empty());
    const CurrentModels current{.risk = "risk-1", .demand = ""};
    ASSERT_TRUE(set_current_models(disk, kModels, current));
    EXPECT_EQ(*current_models(disk, kModels), current);
    ASSERT_TRUE(write_file_atomically(disk, join(kModels, "current.json"), "{\"risk\":1}"));
    const auto broken = current_models(disk, kModels);
    ASSERT_FALSE(broken);
    EXPECT_EQ(broken.error().message,
              "data/models/current.json: risk must be a text; remove this file to use the models "
              "that ship");
}

// Several forests in one folder.

/// As kSmallModel, but a value and `high` above the split.
std::string value_model(const std::string& high) {
    std::string text = changed(kSmallModel, "binary:logistic", "reg:squarederror");
    return changed(text, "2E0]", high + "]");
}

ModelManifest two_horizons() {
    ModelManifest manifest = small_manifest();
    manifest.kind = brain::ModelKind::demand;
    manifest.horizons_s = {60, 300};
    for (const double horizon : manifest.horizons_s) {
        HorizonForest forest{.horizon_s = horizon, .serves = "model", .errors = {0, 1, 2}};
        for (Probe probe : manifest.probes) {
            const bool low = !(probe.row[0] >= 0.5);
            probe.margin = low ? -0.5 : horizon == 60 ? 2.5 : 3.5;
            forest.probes.push_back(probe);
        }
        manifest.forests.push_back(forest);
    }
    manifest.probes.clear();
    return manifest;
}

const std::vector<std::string> kTwoFiles = {value_model("2E0"), value_model("3E0")};

struct SavedTwo : Saved {
    SavedTwo() {
        const auto saved = save_model(disk, kModels, two_horizons(), join_files(kTwoFiles), key);
        EXPECT_TRUE(saved) << saved.error().message;
        id = saved.value_or("");
        folder = join(kModels, id);
    }
    std::string why_refused() {
        const auto model = open_model(disk, folder, trust);
        return model ? "" : model.error().message;
    }
};

TEST(SeveralForests, each_has_a_file_of_its_own_that_xgboost_reads) {
    SavedTwo saved;
    EXPECT_TRUE(saved.id.starts_with("demand-"));
    EXPECT_EQ(saved.read("model-60s.json"), kTwoFiles[0]);
    EXPECT_EQ(saved.read("model-300s.json"), kTwoFiles[1]);
    const auto model = open_model(saved.disk, saved.folder, saved.trust);
    ASSERT_TRUE(model) << model.error().message;
    ASSERT_EQ(model->forests.size(), 2U);
    EXPECT_EQ(brain::margin(model->forests[1], std::vector<float>{0.7F, 0}), 3.5F);
    EXPECT_EQ(model->manifest.format, kSeveralFormat);
    EXPECT_EQ(model->bytes, join_files(kTwoFiles));
    EXPECT_EQ(model_id(model->manifest, model->bytes), saved.id);
}

TEST(SeveralForests, swapped_changed_or_missing_ones_are_refused) {
    SavedTwo saved;
    saved.write("model-60s.json", kTwoFiles[1]);
    EXPECT_NE(saved.why_refused().find("it was damaged"), std::string::npos);
    saved.write("model-60s.json", kTwoFiles[0]);
    EXPECT_EQ(saved.why_refused(), "");
    saved.write("manifest.json",
                changed(saved.read("manifest.json"), "model-300s.json", "../../own.key"));
    EXPECT_NE(saved.why_refused().find("must be in model-300s.json"), std::string::npos)
        << saved.why_refused();
    SavedTwo other;
    ASSERT_TRUE(other.disk.remove(join(other.folder, "model-300s.json")));
    EXPECT_NE(other.why_refused().find("model-300s.json"), std::string::npos);
}

TEST(SeveralForests, what_does_not_fit_is_not_saved) {
    Saved saved;
    const auto why = [&](const ModelManifest& manifest, const std::string& bytes) {
        const auto wrong = save_model(saved.disk, kModels, manifest, bytes, saved.key);
        return wrong ? std::string("saved") : wrong.error().message;
    };
    const std::string bytes = join_files(kTwoFiles);
    const auto expect = [&](ModelManifest manifest, const std::string& part) {
        EXPECT_NE(why(manifest, bytes).find(part), std::string::npos) << why(manifest, bytes);
    };
    ModelManifest manifest = two_horizons();
    EXPECT_NE(why(manifest, join_files(std::vector{kTwoFiles[1], kTwoFiles[0]}))
                  .find("model-60s.json: probe row"),
              std::string::npos);
    EXPECT_NE(why(manifest, kTwoFiles[0]).find("2 files"), std::string::npos);
    manifest.forests[1].probes.pop_back();
    expect(manifest, "forests[1]: it has 63 probe rows");
    manifest = two_horizons();
    manifest.forests[1].horizon_s = 900;
    expect(manifest, "forests[1].horizon_s");
    manifest = two_horizons();
    manifest.forests[0].errors = {0, 2, 1};
    expect(manifest, "forests[0].errors");
    manifest = two_horizons();
    manifest.kind = brain::ModelKind::risk;
    expect(manifest, "a model of demand");
    EXPECT_TRUE(why(two_horizons(), bytes).starts_with("saved"));
}

TEST(SeveralForests, a_manifest_of_one_forest_keeps_its_bytes) {
    const ModelManifest one = small_manifest();
    EXPECT_EQ(print_manifest(one).find("forests"), std::string::npos);
    EXPECT_TRUE(parse_manifest(print_manifest(one)));
    const std::string mixed = changed(print_manifest(one), "{", "{\"forests\":[],");
    EXPECT_FALSE(parse_manifest(mixed));
    ModelManifest two = two_horizons();
    two.format = kSeveralFormat;
    two.forests[0].file = "model-60s.json";
    two.forests[1].file = "model-300s.json";
    const auto again = parse_manifest(print_manifest(two));
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(print_manifest(*again), print_manifest(two));
}

}  // namespace
}  // namespace parley::learn
