// Acting on a risk hides whether it was right. Five times in a row, a model is trained on runs in
// which the previous one acted: with watching and hold-out, its risks stay right. For comparison, a
// pipeline that takes a drained node for one that did not fail.
//
// All generations meet the same worlds, so that differences come from what acting hid, not from
// other seeds; and all are judged on those worlds without any action.

#include "apps/training/train_risk.h"
#include "fake/disk.h"
#include "layers/prediction/node_features.h"
#include "learn/fit/metrics.h"
#include "learn/folder/model_folder.h"
#include "learn/folder/served_model.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <vector>

namespace parley::app {
namespace {

using Brain = std::shared_ptr<const brain::Model>;

constexpr std::uint64_t kFirstSeed = 1'000;
constexpr double kHoldout = 0.1;

const TrainWatch kOn = [](std::uint64_t, std::uint64_t) { return true; };

/// The worlds that all generations meet.
learn::SimulatedRuns worlds(std::uint64_t count, Duration length) {
    return {.first_seed = kFirstSeed,
            .last_seed = kFirstSeed + count - 1,
            .length = length,
            .interval = seconds(30)};
}

enum class Pipeline { honest, naive };

/// The naive pipeline sees a node removed without a failure, and concludes that nothing happened.
void forget_deeds(learn::RiskData& data) {
    for (std::size_t i = 0; i < data.rows.size(); ++i) {
        if (data.watched[i].treatment != learn::Treatment::acted) continue;
        data.rows.label[i] = 0;
        data.rows.event[i] = learn::kNoEvent;
        data.watched[i] = {.ending = learn::Ending::survived,
                           .after = data.rules.horizon,
                           .shown_risk = data.watched[i].shown_risk};
    }
}

Brain trained(const learn::SimulatedRuns& simulated, Pipeline pipeline) {
    NodeTraining training{.simulated = simulated};
    training.rules.every = minutes(2);
    training.flags.depth = 4;
    training.flags.rounds = 400;
    auto data = learn::rows_of_simulation(simulated, training.rules, {});
    EXPECT_TRUE(data) << data.error().message;
    if (pipeline == Pipeline::naive) forget_deeds(*data);
    auto weights = learn::censoring_weights(data->watched);
    EXPECT_TRUE(weights);
    data->rows.weight = *std::move(weights);
    fake::Disk disk;
    auto made = train_on_rows(disk, training, *data, kOn);
    EXPECT_TRUE(made) << made.error().message;
    const auto key = learn::SigningKey::at(disk, "key");
    const auto id = learn::save_model(disk, "models", made->manifest, made->model_bytes, *key);
    EXPECT_TRUE(id) << id.error().message;
    const auto files = learn::stored_files(disk, "models/" + *id, {.own_key = key->public_key()});
    EXPECT_TRUE(files) << files.error().message;
    auto model = learn::model_of(*files, prediction::wanted_features());
    EXPECT_TRUE(model) << model.error().message;
    return *model;
}

/// Mean risk over the share that really fails, in runs without actions.
struct Calibrated {
    double all = 0;
    double high = 0;  ///< Over the two percent with the highest risks: those that are acted on.
};

Calibrated calibrated(const brain::Model& model, const learn::RiskData& untreated) {
    const learn::Rows& rows = untreated.rows;
    std::vector<double> risks;
    std::vector<std::pair<double, float>> seen;
    double said = 0;
    double came = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows.weight[i] == 0) continue;
        const double risk =
            brain::apply(model.calibration, brain::margin(model.forest, rows.row(i)));
        seen.emplace_back(risk, rows.label[i]);
        said += risk;
        came += rows.label[i];
    }
    std::ranges::sort(seen, std::greater{});
    double high_said = 0;
    double high_came = 0;
    for (std::size_t i = 0; i < seen.size() / 50; ++i) {
        high_said += seen[i].first;
        high_came += seen[i].second;
    }
    return {said / came, high_said / high_came};
}

/// What a pipeline predicts for the same worlds after some generations.
struct Played {
    Calibrated start;
    std::vector<Calibrated> honest;
    std::vector<Calibrated> naive;
};

Played play(int generations, const learn::SimulatedRuns& runs) {
    learn::RiskRules rules;
    rules.every = minutes(2);
    const auto untreated = learn::rows_of_simulation(runs, rules, {});
    EXPECT_TRUE(untreated);
    const Brain first = trained(runs, Pipeline::honest);
    Played played{.start = calibrated(*first, *untreated)};
    std::printf("nobody acting: said / came %.3f, highest 2%% %.3f\n", played.start.all,
                played.start.high);
    for (const Pipeline pipeline : {Pipeline::honest, Pipeline::naive}) {
        const bool honest = pipeline == Pipeline::honest;
        Brain acting = first;
        for (int generation = 1; generation <= generations; ++generation) {
            learn::SimulatedRuns acted = runs;
            acted.acting = acting;
            acted.holdout = honest ? kHoldout : 0;
            acting = trained(acted, pipeline);
            const Calibrated found = calibrated(*acting, *untreated);
            std::printf("%s generation %d: said / came %.3f, highest 2%% %.3f\n",
                        honest ? "honest" : "naive", generation, found.all, found.high);
            std::fflush(stdout);
            (honest ? played.honest : played.naive).push_back(found);
        }
    }
    return played;
}

void expect_within(const Played& played) {
    for (const Calibrated& found : played.honest) {
        EXPECT_GT(found.all, 0.8);
        EXPECT_LT(found.all, 1.25);
    }
}

/// Part of the tests of every build.
TEST(Generations, the_first_keeps_risks_what_they_are) {
    const Played played = play(1, worlds(80, hours(2)));
    expect_within(played);
    EXPECT_LT(played.naive.back().all, played.honest.back().all);
}

/// Run by hand: it takes minutes.
TEST(FiveGenerations, watching_and_hold_out_keep_risks_what_they_are_and_forgetting_does_not) {
    const Played played = play(5, worlds(40, hours(6)));
    expect_within(played);
    EXPECT_LT(played.naive.back().all, played.honest.back().all);
}

}  // namespace
}  // namespace parley::app
