// App: tuning: several workers run trials in the simulator, and the best are judged on fresh seeds.
// The study can be read by Optuna.

#pragma once

#include "apps/tuning/tune_study.h"
#include "base/describe.h"
#include "base/result.h"
#include "experiment/paired.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace parley::app {

/// How many of the best trials are run again on fresh seeds.
inline constexpr std::size_t kFinalists = 5;

/// One of the best trials. Values are means of the objective.
struct Finalist {
    std::int64_t trial = 0;
    double tuning = 0;  ///< On the tuning seeds, by which it was chosen.
    double fresh = 0;   ///< On seeds that were not used for choosing.
};
BOOST_DESCRIBE_STRUCT(Finalist, (), (trial, tuning, fresh))

struct TunedParameter {
    std::string name;
    double before = 0;                 ///< The default value.
    double value = 0;                  ///< The winner's value.
    std::optional<double> importance;  ///< By PED-ANOVA; all together 1. Nothing: not known.
};
BOOST_DESCRIBE_STRUCT(TunedParameter, (), (name, before, value, importance))

struct TuneReport {
    std::string storage;
    std::string study;
    std::string scenario;
    model::Profile profile = model::Profile::parley;
    std::string objective;   ///< What values are, and which are better.
    std::string prices;      ///< Their hash; empty if the objective is not a cost.
    double hours = 0;        ///< Of a run.
    double interval_s = 0;   ///< Between rounds.
    std::int64_t pairs = 0;  ///< Tuning seeds.
    std::int64_t complete = 0;
    std::int64_t pruned = 0;
    std::int64_t failed = 0;
    std::int64_t open = 0;                 ///< Waiting, or running in another process.
    std::optional<double> default_tuning;  ///< Nothing: its trial is not complete.
    double default_fresh = 0;
    std::vector<Finalist> finalists;  ///< Best on the fresh seeds first: that is the winner.
    experiment::Paired difference;    ///< Winner less default on the fresh seeds.
    experiment::Answer answer = experiment::Answer::unresolved;  ///< Of the winner.
    std::vector<TunedParameter> parameters;
    std::string settings;  ///< The winner and the seeds it knows, as YAML that --config takes.
    std::string no_importance_because;  ///< Why none is known; empty: they are.
};
BOOST_DESCRIBE_STRUCT(TuneReport, (),
                      (storage, study, scenario, profile, objective, prices, hours, interval_s,
                       pairs, complete, pruned, failed, open, default_tuning, default_fresh,
                       finalists, difference, answer, parameters, settings, no_importance_because))

struct TuneProgress {
    const char* what = "";
    std::int64_t done = 0;
    std::int64_t of = 0;
    std::optional<double> best;  ///< Of a complete trial so far; nothing: there is none.
};

enum class Go {
    on,
    wind_up,  ///< No more trials begin.
    stop,     ///< Nothing more is run; trials in progress fail.
};
/// Called after every run, by one thread at a time.
using TuneWatch = std::function<Go(const TuneProgress&)>;

/// Runs plan.trials more trials, then the best ones on fresh seeds. The study is consistent
/// whenever it ends, and the same plan can continue it. `gone` if it was stopped, or if no trial is
/// complete.
[[nodiscard]] Result<TuneReport> tune(const TunePlan& plan, const TuneWatch& watch);

}  // namespace parley::app
