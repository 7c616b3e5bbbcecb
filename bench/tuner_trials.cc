// How long do sampler and storage of the tuner take for a trial, and how good is what they find?
// tuner_peer.py asks Optuna and Rustuna the same; tuner_figures.py runs all of them in turn.
//
// tuner_trials sampler [TRIALS]: seconds of asking and telling per trial, in memory, 10 dimensions
// tuner_trials storage normal|full [TRIALS]: the same with SQLite and even draws
// tuner_trials outcome rastrigin|rosenbrock SEED [TRIALS]: the best value found
// One line of JSON. PARLEY_BENCH_DIR names a folder on the disk to be measured.

#include "base/random.h"
#include "tuner/sampler.h"
#include "tuner/storage.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace parley;
using namespace parley::tuner;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kDimensions = 10;

Space space() {
    const auto range = std::make_shared<const Distribution>(FloatRange{.low = -5.12, .high = 5.12});
    Space all;
    for (std::size_t i = 0; i < kDimensions; ++i) all.emplace_back("x" + std::to_string(i), range);
    return all;
}

double rastrigin(const std::vector<Param>& x) {
    double sum = 10.0 * static_cast<double>(x.size());
    for (const Param& p : x) {
        sum += p.value * p.value - 10 * std::cos(2 * std::numbers::pi * p.value);
    }
    return sum;
}

double rosenbrock(const std::vector<Param>& x) {
    double sum = 0;
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
        const double a = x[i + 1].value - x[i].value * x[i].value;
        const double b = 1 - x[i].value;
        sum += 100 * a * a + b * b;
    }
    return sum;
}

struct Outcome {
    double seconds = 0;  ///< Of asking and telling.
    double best = std::numeric_limits<double>::infinity();
};

Outcome in_memory(std::size_t trials, std::uint64_t seed,
                  double (*objective)(const std::vector<Param>&)) {
    Study study{.name = "bench", .directions = {Direction::minimize}};
    Sampler sampler({.seed = seed});
    const Space all = space();
    Outcome outcome;
    for (std::size_t i = 0; i < trials; ++i) {
        const auto begin = Clock::now();
        Trial trial;
        trial.number = static_cast<std::int64_t>(i);
        trial.params = sampler.suggest(study, trial, all);
        study.trials.push_back(std::move(trial));
        const auto asked = Clock::now();
        const double value = objective(study.trials.back().params);
        const auto tell = Clock::now();
        study.trials.back().values = {value};
        study.trials.back().state = TrialState::complete;
        const std::chrono::duration<double> took = (asked - begin) + (Clock::now() - tell);
        outcome.seconds += took.count();
        outcome.best = std::min(outcome.best, value);
    }
    return outcome;
}

[[noreturn]] void give_up(const Error& error) {
    std::fprintf(stderr, "tuner_trials: %s\n", error.message.c_str());
    std::exit(1);
}

double with_storage(std::size_t trials, bool full) {
    const char* base = std::getenv("PARLEY_BENCH_DIR");
    const std::string path = std::string(base != nullptr ? base : ".") + "/tuner_trials.db";
    const auto remove = [&path] {
        for (const char* tail : {"", "-wal", "-shm"}) std::filesystem::remove(path + tail);
    };
    remove();
    auto storage = open_storage("sqlite:" + path, {.study = "bench", .sync_all = full});
    if (!storage) give_up(storage.error());
    const Space all = space();
    const auto begin = Clock::now();
    for (std::size_t i = 0; i < trials; ++i) {
        const auto number = (*storage)->ask([&](const Study&, const Trial& trial) {
            Draft draft;
            for (const auto& [name, distribution] : all) {
                const auto bits = draw(1, Stream::policy, entity_of(name),
                                       static_cast<std::uint64_t>(trial.number));
                draft.params.push_back({name, distribution, draw_evenly(*distribution, bits)});
            }
            return draft;
        });
        if (!number) give_up(number.error());
        const auto told = (*storage)->tell(*number, TrialState::complete, 1.0);
        if (!told) give_up(told.error());
    }
    const std::chrono::duration<double> took = Clock::now() - begin;
    storage->reset();
    remove();
    return took.count();
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string_view> words(argv + 1, argv + argc);
    const auto count = [&](std::size_t at, std::size_t missing) {
        return at < words.size() ? static_cast<std::size_t>(std::atoll(argv[at + 1])) : missing;
    };
    if (!words.empty() && words[0] == "sampler") {
        const std::size_t trials = count(1, 300);
        const Outcome outcome = in_memory(trials, 1, rastrigin);
        std::printf("{\"seconds_per_trial\": %.9f}\n",
                    outcome.seconds / static_cast<double>(trials));
    } else if (words.size() > 1 && words[0] == "storage") {
        const std::size_t trials = count(2, 200);
        std::printf("{\"seconds_per_trial\": %.9f}\n",
                    with_storage(trials, words[1] == "full") / static_cast<double>(trials));
    } else if (words.size() > 2 && words[0] == "outcome") {
        const auto objective = words[1] == "rosenbrock" ? rosenbrock : rastrigin;
        const Outcome outcome = in_memory(count(3, 100), count(2, 0), objective);
        std::printf("{\"best\": %.17g}\n", outcome.best);
    } else {
        std::fprintf(stderr, "tuner_trials: see its head for what to ask\n");
        return 2;
    }
}
