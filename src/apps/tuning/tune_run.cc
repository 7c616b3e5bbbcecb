#include "apps/tuning/tune_run.h"

#include "base/number.h"
#include "base/time_text.h"
#include "experiment/tune_objective.h"
#include "tuner/importance.h"
#include "tuner/json.h"
#include "tuner/pruner.h"
#include "tuner/study.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <thread>
#include <utility>

namespace parley::app {
namespace {

using tuner::Owner;
using tuner::Storage;
using tuner::Study;
using tuner::Trial;
using tuner::TrialState;

/// A value of which less is better, whatever the objective.
double ranked(double value, model::Profile profile) {
    return experiment::more_is_better(profile) ? -value : value;
}

/// What workers share: whether to continue, their progress, the first error.
class Crew {
public:
    Crew(const TuneWatch& watch, const char* what, std::int64_t of, model::Profile profile)
        : watch_(watch), what_(what), of_(of), profile_(profile) {}

    /// The next piece of work, or nothing if there is none left.
    std::optional<std::int64_t> take() {
        if (stopped_ || winding_up_) return std::nullopt;
        const std::int64_t place = taken_++;
        return place < of_ ? std::optional(place) : std::nullopt;
    }
    /// `whole` is the value of a trial that has just become complete.
    void note_run(bool ends_one, std::optional<double> whole = std::nullopt) {
        const std::lock_guard lock(mutex_);
        if (ends_one) ++done_;
        if (whole && (!best_ || ranked(*whole, profile_) < ranked(*best_, profile_))) best_ = whole;
        if (!watch_) return;
        const Go go = watch_({what_, done_, of_, best_});
        if (go == Go::stop) stopped_ = true;
        if (go != Go::on) winding_up_ = true;
    }
    void note_error(Error error) {
        const std::lock_guard lock(mutex_);
        if (!error_) error_ = std::move(error);
        stopped_ = true;
    }
    bool stopped() const { return stopped_; }

    /// Call it after all have ended.
    Result<void> outcome() const {
        if (error_) return tl::unexpected(*error_);
        if (!stopped_) return {};
        return fail(ErrorCode::gone,
                    "it was ended; the study is whole, and the same command goes "
                    "on with it");
    }

private:
    const TuneWatch& watch_;
    const char* what_;
    std::int64_t of_;
    model::Profile profile_;
    std::mutex mutex_;
    std::int64_t done_ = 0;
    std::optional<double> best_;
    std::optional<Error> error_;
    std::atomic<std::int64_t> taken_ = 0;
    std::atomic<bool> winding_up_ = false;
    std::atomic<bool> stopped_ = false;
};

/// Runs `work` on this many threads, including this one, and waits for all.
template <class F>
void work_together(int workers, const F& work) {
    std::vector<std::jthread> threads;
    for (int i = 1; i < workers; ++i) threads.emplace_back(work);
    work();
}

/// One worker on a study: asks, runs, reports, tells. Has its own handle of the study.
class Worker {
public:
    Worker(const TunePlan& plan, experiment::Objective& objective, Crew& crew, Storage& storage)
        : plan_(plan),
          objective_(objective),
          crew_(crew),
          storage_(storage),
          sampler_({.seed = plan.seed}),
          space_(tuning_space(plan.profile)) {}

    Result<void> work() {
        while (crew_.take()) {
            if (auto failed = storage_.fail_stale(plan_.grace); !failed) {
                return tl::unexpected(failed.error());
            }
            std::vector<tuner::Param> params;
            const auto number = storage_.ask([&](const Study& study, const Trial& trial) {
                params = sampler_.suggest(study, trial, space_);
                return tuner::Draft{.params = params,
                                    .system_attributes = tuner::relative_attributes(params)};
            });
            if (!number) return tl::unexpected(number.error());
            const auto done = run(*number, params);
            // Another process took this worker for dead and failed its trial: continue with the
            // next one.
            if (!done && done.error().code != ErrorCode::conflict) {
                std::ignore = storage_.tell(*number, TrialState::fail, std::nullopt);
                return done;
            }
        }
        return {};
    }

private:
    Result<void> run(std::int64_t number, const std::vector<tuner::Param>& params) {
        model::Policy policy = experiment::untuned(plan_.profile);
        const auto values = tuned_values(params, plan_.profile).value_or(std::vector<double>{});
        if (auto fits = experiment::set_values(values, policy); !fits) {
            // Somebody enqueued invalid values; the study says why it failed.
            crew_.note_run(true);
            auto said = storage_.set_attribute(number, Owner::user, "parley:error",
                                               tuner::json_text(fits.error().message));
            return said ? storage_.tell(number, TrialState::fail, std::nullopt) : said;
        }
        double sum = 0;
        for (std::int64_t step = 1; step <= plan_.pairs; ++step) {
            if (crew_.stopped()) return storage_.tell(number, TrialState::fail, std::nullopt);
            if (auto alive = storage_.heartbeat(number); !alive) return alive;
            const auto value =
                objective_(values, tuning_seed(plan_) + static_cast<std::uint64_t>(step) - 1);
            if (!value) {
                auto told = storage_.tell(number, TrialState::fail, std::nullopt);
                return told ? tl::unexpected(value.error()) : told;
            }
            sum += *value;
            const double mean = sum / static_cast<double>(step);
            if (auto done = storage_.report(number, step, mean); !done) return done;
            const bool last = step == plan_.pairs;
            const auto worse = last ? Result<bool>(false) : hopeless(number);
            if (!worse) return tl::unexpected(worse.error());
            if (last || *worse) {
                auto told =
                    storage_.tell(number, *worse ? TrialState::pruned : TrialState::complete, mean);
                if (!told) return told;
            }
            crew_.note_run(last || *worse, last ? std::optional(mean) : std::nullopt);
            if (*worse) break;
        }
        return {};
    }

    /// Whether to stop the trial after its last report.
    Result<bool> hopeless(std::int64_t number) {
        const Study& study = storage_.study();
        const Trial& trial = study.trials[static_cast<std::size_t>(number)];
        if (plan_.pruner == TunePruner::none || is_default(trial, plan_.profile)) {
            return false;
        }
        const tuner::Judgement judgement =
            plan_.pruner == TunePruner::median
                ? tuner::judge_by_median(study, trial)
                : tuner::judge_by_hyperband(study, trial, {.resource_max = plan_.pairs});
        for (const auto& [key, json] : judgement.reached) {
            auto done = storage_.set_attribute(number, Owner::system, key, json);
            if (!done) return tl::unexpected(done.error());
        }
        return judgement.prune;
    }

    const TunePlan& plan_;
    experiment::Objective& objective_;
    Crew& crew_;
    Storage& storage_;
    tuner::Sampler sampler_;
    tuner::Space space_;
};

Result<void> run_trials(const TunePlan& plan, experiment::Objective& objective,
                        const TuneWatch& watch) {
    Crew crew(watch, "trials", plan.trials, plan.profile);
    work_together(static_cast<int>(std::min<std::int64_t>(plan.workers, plan.trials)), [&] {
        auto storage = join_study(plan);
        if (!storage) return crew.note_error(storage.error());
        auto done = Worker(plan, objective, crew, **storage).work();
        if (!done) crew.note_error(done.error());
    });
    return crew.outcome();
}

/// A policy to be judged on the fresh seeds, with its values on them.
struct Candidate {
    std::int64_t trial = 0;
    double tuning = 0;
    std::vector<double> values;
    std::vector<double> fresh;

    double mean() const {
        double sum = 0;
        for (const double value : fresh) sum += value;
        return sum / static_cast<double>(fresh.size());
    }
};

/// The best complete trials with different tuned values, best first, ties by number.
std::vector<Candidate> best_of(const Study& study, model::Profile profile) {
    std::vector<Candidate> all;
    for (const Trial& trial : study.trials) {
        const bool counts = trial.state == TrialState::complete && trial.values.size() == 1 &&
                            std::isfinite(trial.values.front()) && tuner::infeasibility(trial) <= 0;
        auto values = counts ? tuned_values(trial.params, profile) : std::nullopt;
        model::Policy policy{.profile = profile};
        if (!values || !experiment::set_values(*values, policy)) continue;
        all.push_back(
            {.trial = trial.number, .tuning = trial.values.front(), .values = *std::move(values)});
    }
    std::ranges::sort(all, {}, [profile](const Candidate& c) {
        return std::pair(ranked(c.tuning, profile), c.trial);
    });
    std::vector<Candidate> best;
    for (Candidate& each : all) {
        const bool known = std::ranges::any_of(
            best, [&](const Candidate& other) { return other.values == each.values; });
        if (!known && best.size() < kFinalists) best.push_back(std::move(each));
    }
    return best;
}

/// Runs every candidate on the same seeds.
Result<void> run_fresh(const TunePlan& plan, experiment::Objective& objective,
                       const TuneWatch& watch, std::vector<Candidate>& candidates) {
    const auto count = static_cast<std::int64_t>(candidates.size());
    for (Candidate& each : candidates) each.fresh.resize(static_cast<std::size_t>(plan.fresh));
    Crew crew(watch, "runs on fresh seeds", count * plan.fresh, plan.profile);
    work_together(plan.workers, [&] {
        while (const auto place = crew.take()) {
            Candidate& mine = candidates[static_cast<std::size_t>(*place % count)];
            const auto pair = static_cast<std::size_t>(*place / count);
            const auto value = objective(mine.values, fresh_seed(plan) + pair);
            if (!value) return crew.note_error(value.error());
            mine.fresh[pair] = *value;
            crew.note_run(true);
        }
    });
    return crew.outcome();
}

/// The value of `tuned_on` in the winner's settings: seeds that it was found and judged on.
std::string seeds_of_plan(const TunePlan& plan) {
    const auto range = [](std::uint64_t first, std::int64_t count) {
        return "  - {from: " + std::to_string(first) +
               ", to: " + std::to_string(first + static_cast<std::uint64_t>(count) - 1) + "}\n";
    };
    return range(tuning_seed(plan), plan.pairs) + range(fresh_seed(plan), plan.fresh);
}

std::string settings_of_values(const std::vector<double>& values, model::Profile profile,
                               const std::string& comment, const std::string& seeds) {
    std::string out = "# " + comment + "\ntuned_on:\n" + seeds + "policy:\n";
    if (profile != model::Profile::parley) {
        out += "  profile: " + std::string(enum_name(profile)) + "\n";
    }
    std::string_view group;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const experiment::Tunable& each = experiment::tunables(profile)[i];
        const std::size_t dot = each.path.find('.');
        if (each.path.substr(0, dot) != group) {
            group = each.path.substr(0, dot);
            out += "  " + std::string(group) + ":\n";
        }
        const bool time = each.name.ends_with("_min");
        const std::string text = time
                                     ? print_duration(minutes(static_cast<std::int64_t>(values[i])))
                                     : print_double(values[i]);
        out += "    " + std::string(each.path.substr(dot + 1)) + ": " + text + "\n";
    }
    return out;
}

void describe_study(const TunePlan& plan, const Study& study, TuneReport& report) {
    report.storage = plan.storage;
    report.study = study.name;
    report.scenario = plan.scenario;
    report.profile = plan.profile;
    report.objective = experiment::objective_text(plan.profile);
    if (plan.profile == model::Profile::parley) report.prices = experiment::prices_hash();
    report.hours = in_minutes(plan.span.length) / 60;
    report.interval_s = in_seconds(plan.span.interval);
    report.pairs = plan.pairs;
    for (const Trial& trial : study.trials) {
        report.complete += trial.state == TrialState::complete ? 1 : 0;
        report.pruned += trial.state == TrialState::pruned ? 1 : 0;
        report.failed += trial.state == TrialState::fail ? 1 : 0;
        report.open += tuner::is_finished(trial.state) ? 0 : 1;
        const bool whole = trial.state == TrialState::complete && !trial.values.empty();
        if (whole && is_default(trial, plan.profile)) {
            report.default_tuning = trial.values.front();
        }
    }
}

void describe_winner(const TunePlan& plan, const Study& study, const Candidate& winner,
                     const Candidate& standard, TuneReport& report) {
    std::vector<double> differences;
    for (std::size_t i = 0; i < winner.fresh.size(); ++i) {
        differences.push_back(winner.fresh[i] - standard.fresh[i]);
    }
    report.default_fresh = standard.mean();
    report.difference = experiment::compare_pairs(differences, 1);
    experiment::Paired cost = report.difference;
    if (experiment::more_is_better(plan.profile)) {
        cost.mean = -report.difference.mean;
        cost.low = -report.difference.high;
        cost.high = -report.difference.low;
    }
    const double base = std::abs(report.default_fresh);
    report.answer = experiment::answer_of(
        cost, cost.p,
        {.delta = experiment::kDeltaShare * base, .matters = experiment::kMattersShare * base});
    report.no_importance_because = tuner::nothing_to_rank_by(study);
    std::vector<tuner::Importance> shares;
    if (report.no_importance_because.empty()) shares = tuner::importances(study);
    for (std::size_t i = 0; i < winner.values.size(); ++i) {
        TunedParameter row{.name = std::string(experiment::tunables(plan.profile)[i].name),
                           .before = standard.values[i],
                           .value = winner.values[i]};
        const auto share = std::ranges::find(shares, row.name, &tuner::Importance::name);
        if (share != shares.end()) row.importance = share->share;
        report.parameters.push_back(std::move(row));
    }
    const bool reward = plan.profile == model::Profile::prototype;
    report.settings = settings_of_values(
        winner.values, plan.profile,
        "parley tune: trial " + std::to_string(winner.trial) + " of the study " +
            in_quotes(study.name) + "; " + experiment::value_text(winner.mean(), plan.profile) +
            (reward ? " a round on " : " pod-minutes on ") + std::to_string(plan.fresh) +
            " fresh seeds of " + plan.scenario + ", the default " +
            experiment::value_text(report.default_fresh, plan.profile) +
            (reward ? "; the objective contains its own weights" : ""),
        seeds_of_plan(plan));
}

}  // namespace

Result<TuneReport> tune(const TunePlan& plan, const TuneWatch& watch) {
    auto storage = open_study(plan);
    if (!storage) return tl::unexpected(storage.error());
    experiment::Objective objective(plan.profile, plan.scenario, plan.span, plan.own);
    if (auto done = run_trials(plan, objective, watch); !done) return tl::unexpected(done.error());
    if (auto done = (*storage)->refresh(); !done) return tl::unexpected(done.error());
    const Study& study = (*storage)->study();
    std::vector<Candidate> candidates = best_of(study, plan.profile);
    if (candidates.empty()) {
        return fail(ErrorCode::gone, "no trial of the study " + in_quotes(study.name) +
                                         " is complete; run more with --trials");
    }
    candidates.push_back(
        {.trial = -1, .values = experiment::values_of(experiment::untuned(plan.profile))});
    if (auto done = run_fresh(plan, objective, watch, candidates); !done) {
        return tl::unexpected(done.error());
    }
    const Candidate standard = std::move(candidates.back());
    candidates.pop_back();
    std::ranges::sort(candidates, {}, [&](const Candidate& c) {
        return std::pair(ranked(c.mean(), plan.profile), c.trial);
    });
    TuneReport report;
    describe_study(plan, study, report);
    for (const Candidate& each : candidates) {
        report.finalists.push_back(
            {.trial = each.trial, .tuning = each.tuning, .fresh = each.mean()});
    }
    describe_winner(plan, study, candidates.front(), standard, report);
    return report;
}

}  // namespace parley::app
