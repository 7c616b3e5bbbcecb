#include "experiment/compare.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <thread>
#include <tuple>
#include <utility>

namespace parley::experiment {
namespace {

constexpr std::size_t kPairsLeast = 2;  // A single pair has no spread.

/// Outcomes of one scenario: by arm, then by seed.
using Outcomes = std::vector<std::vector<RunOutcome>>;
using RunKey = std::tuple<std::string, std::string, std::uint64_t>;

/// Runs what is missing up to `pairs` seeds on several threads; each writes to its own places.
class Runner {
public:
    Runner(const Plan& plan, const Progress& progress) : plan_(plan), progress_(progress) {
        for (const DoneRun& each : plan.done)
            known_.try_emplace({each.scenario, each.arm, each.seed}, &each.outcome);
    }

    void expect(std::int64_t runs) { expected_ += runs; }
    std::int64_t expected() const { return std::max(done_, expected_); }
    std::int64_t done() const { return done_; }

    /// False if it was stopped; then the outcomes are those of the first complete pairs.
    bool run(const std::string& scenario, std::int64_t pairs, Outcomes& outcomes) {
        const auto from = static_cast<std::int64_t>(outcomes.front().size());
        const auto arms = static_cast<std::int64_t>(plan_.arms.size());
        for (auto& arm : outcomes) arm.resize(static_cast<std::size_t>(pairs));
        std::atomic<std::int64_t> next = 0;
        const std::int64_t count = (pairs - from) * arms;
        std::vector<std::atomic<bool>> finished(
            static_cast<std::size_t>(std::max<std::int64_t>(0, count)));
        const auto work = [&] {
            for (std::int64_t i = next++; i < count && !ended_; i = next++) {
                const auto arm = static_cast<std::size_t>(i % arms);
                const auto pair = static_cast<std::size_t>(from + i / arms);
                outcomes[arm][pair] =
                    outcome_of(scenario, plan_.arms[arm], plan_.first_seed + pair);
                finished[static_cast<std::size_t>(i)] = true;
            }
        };
        std::vector<std::jthread> threads;
        for (int i = 1; i < plan_.threads; ++i) threads.emplace_back(work);
        work();
        threads.clear();
        if (!ended_) return true;
        std::int64_t whole = 0;
        while (whole < count && finished[static_cast<std::size_t>(whole)]) ++whole;
        for (auto& arm : outcomes) arm.resize(static_cast<std::size_t>(from + whole / arms));
        return false;
    }

private:
    RunOutcome outcome_of(const std::string& scenario, const Arm& arm, std::uint64_t seed) {
        const auto found = known_.find({scenario, arm.name, seed});
        if (found != known_.end()) {
            note_done(nullptr);
            return *found->second;
        }
        auto world = world_of(plan_.own, scenario, seed);
        DoneRun run{scenario, arm.name, seed, run_arm(arm, *std::move(world), seed, plan_.span)};
        note_done(&run);
        return run.outcome;
    }

    void note_done(const DoneRun* fresh) {
        const std::lock_guard lock(mutex_);
        ++done_;
        if (fresh != nullptr && plan_.keep) plan_.keep(*fresh);
        if (progress_ && !progress_(done_, std::max(done_, expected_))) ended_ = true;
    }

    const Plan& plan_;
    const Progress& progress_;
    std::map<RunKey, const RunOutcome*> known_;
    std::mutex mutex_;
    std::int64_t done_ = 0;
    std::int64_t expected_ = 0;
    std::atomic<bool> ended_ = false;
};

std::vector<double> differences(const std::vector<RunOutcome>& first,
                                const std::vector<RunOutcome>& other, auto&& figure) {
    std::vector<double> out;
    for (std::size_t i = 0; i < first.size(); ++i)
        out.push_back(figure(first[i]) - figure(other[i]));
    return out;
}

double mean_of(const std::vector<RunOutcome>& runs, auto&& figure) {
    double sum = 0;
    for (const RunOutcome& run : runs) sum += figure(run);
    return sum / static_cast<double>(runs.size());  // The mean of no runs is NaN, not zero.
}

/// The seeds of which every arm's account could be read sufficiently: a pair is complete or left
/// out.
struct Kept {
    Outcomes outcomes;
    std::int64_t left_out = 0;
    std::string because;  ///< The reason for the first one left out.
};

Kept readable(const Outcomes& all) {
    Kept kept{.outcomes = Outcomes(all.size()), .left_out = 0, .because = {}};
    for (std::size_t pair = 0; pair < all.front().size(); ++pair) {
        std::string because;
        for (const auto& arm : all) {
            if (because.empty()) because = not_known_because(arm[pair]);
        }
        if (!because.empty()) {
            ++kept.left_out;
            if (kept.because.empty()) kept.because = because;
            continue;
        }
        for (std::size_t arm = 0; arm < all.size(); ++arm) {
            kept.outcomes[arm].push_back(all[arm][pair]);
        }
    }
    return kept;
}

double cost_of(const RunOutcome& run) { return run.cost; }
double disruptions_of(const RunOutcome& run) { return static_cast<double>(run.disruptive); }

ArmFacts facts_of(const std::string& scenario, const Arm& arm,
                  const std::vector<RunOutcome>& runs) {
    ArmFacts facts{.scenario = scenario, .arm = arm.name};
    facts.runs = static_cast<std::int64_t>(runs.size());
    facts.cost = mean_of(runs, cost_of);
    for (const model::Role role : model::kRoles) {
        facts.by[role] = mean_of(runs, [role](const auto& r) { return r.by[role]; });
    }
    facts.lost_requests = mean_of(runs, [](const auto& r) { return r.lost_requests; });
    facts.violating_requests = mean_of(runs, [](const auto& r) { return r.violating_requests; });
    facts.disruptive = mean_of(runs, disruptions_of);
    facts.failures = mean_of(runs, [](const auto& r) { return double(r.failures); });
    const double answered = mean_of(runs, [](const auto& r) { return double(r.answered); });
    const double lead = mean_of(runs, [](const auto& r) { return r.lead_minutes; });
    const double needless = mean_of(runs, [](const auto& r) { return double(r.needless); });
    const double weeks = mean_of(runs, [](const auto& r) { return r.node_weeks; });
    if (facts.failures > 0) facts.answered_share = answered / facts.failures;
    if (answered > 0) facts.lead_minutes = lead / answered;
    facts.needless_per_100_node_weeks = weeks == 0 ? 0 : 100 * needless / weeks;
    return facts;
}

const ArmFacts* named(const std::vector<ArmFacts>& all, const std::string& scenario,
                      const std::string& arm) {
    const auto found = std::ranges::find_if(
        all, [&](const ArmFacts& f) { return f.scenario == scenario && f.arm == arm; });
    return found == all.end() ? nullptr : &*found;
}

void close_gaps(std::vector<ArmFacts>& all) {
    for (ArmFacts& facts : all) {
        const ArmFacts* formula = named(all, facts.scenario, "formula");
        const ArmFacts* oracle = named(all, facts.scenario, "oracle");
        if (formula == nullptr || oracle == nullptr) continue;
        const double gap = formula->cost - oracle->cost;
        if (gap > 0) facts.gap_closed = (formula->cost - facts.cost) / gap;
    }
}

void adjust(std::vector<Comparison>& all) {
    std::map<std::string, std::vector<Comparison*>> by_other;
    for (Comparison& each : all) {
        if (each.not_known_because.empty()) by_other[each.against].push_back(&each);
    }
    for (auto& [other, group] : by_other) {
        std::vector<double> p;
        for (const Comparison* each : group) p.push_back(each->cost.p);
        const std::vector<double> adjusted = holm(p);
        for (std::size_t i = 0; i < group.size(); ++i) {
            group[i]->adjusted_p = adjusted[i];
            group[i]->pairs_least = pairs_to_tell(group.size());
            group[i]->answer = answer_of(group[i]->cost, adjusted[i],
                                         {group[i]->delta, group[i]->matters}, group.size());
        }
    }
}

void add_scenario(const Plan& plan, const std::string& scenario, const Outcomes& all,
                  CompareReport& report) {
    const auto [outcomes, left_out, few] = readable(all);
    for (std::size_t i = 0; i < plan.arms.size(); ++i) {
        report.arms.push_back(facts_of(scenario, plan.arms[i], outcomes[i]));
        report.arms.back().left_out = left_out;
        if (i == 0) continue;
        Comparison each{
            .scenario = scenario, .arm = plan.arms[0].name, .against = plan.arms[i].name};
        if (outcomes[i].size() < kPairsLeast) {
            each.not_known_because = std::to_string(left_out) + " of " +
                                     std::to_string(all[i].size()) + " seeds were left out: " + few;
            report.comparisons.push_back(std::move(each));
            continue;
        }
        const double other = mean_of(outcomes[i], cost_of);
        each.delta = kDeltaShare * other;
        each.matters = plan.matters * other;
        each.cost = compare_pairs(differences(outcomes[0], outcomes[i], cost_of), 1);
        each.disruptions = compare_pairs(differences(outcomes[0], outcomes[i], disruptions_of), 2);
        each.disruptions_not_inferior =
            not_inferior(each.disruptions, mean_of(outcomes[i], disruptions_of));
        report.comparisons.push_back(std::move(each));
    }
}

Result<void> check(const Plan& plan) {
    if (plan.arms.size() < 2) return fail(ErrorCode::denied, "a comparison needs two arms");
    if (plan.first_seed < kTestSeeds && !plan.own_seeds) {
        return fail(ErrorCode::denied,
                    "seeds below " + std::to_string(kTestSeeds) +
                        " are for training and tuning; compare on seeds from there on");
    }
    const auto most = static_cast<std::uint64_t>(plan.pairs > 0 ? plan.pairs : kPairsMax);
    const std::uint64_t last_seed = plan.first_seed + most - 1;
    for (const TrainedOn& each : plan.trained_on) {
        if (each.to < plan.first_seed || each.from > last_seed) continue;
        return fail(ErrorCode::denied, each.who + " seeds " + std::to_string(each.from) + " to " +
                                           std::to_string(each.to) + ", and would be judged on " +
                                           std::to_string(plan.first_seed) + " to " +
                                           std::to_string(last_seed) +
                                           ": it knows their answers; compare on other seeds, such "
                                           "as those from " +
                                           std::to_string(kTestSeeds) + " on");
    }
    for (const std::string& name : plan.scenarios) {
        if (auto there = world_of(plan.own, name, plan.first_seed); !there)
            return tl::unexpected(there.error());
    }
    return {};
}

}  // namespace

Result<CompareReport> compare(const Plan& plan, const Progress& progress) {
    if (auto fine = check(plan); !fine) return tl::unexpected(fine.error());
    CompareReport report{.first_seed = plan.first_seed,
                         .hours = in_minutes(plan.span.length) / 60.0,
                         .interval_s = in_seconds(plan.span.interval)};
    Runner runner(plan, progress);
    const auto arms = static_cast<std::int64_t>(plan.arms.size());
    const auto least = std::max(plan.pairs, plan.pairs > 0 ? 2 : kPilotPairs);
    runner.expect(least * arms * static_cast<std::int64_t>(plan.scenarios.size()));
    for (const std::string& scenario : plan.scenarios) {
        Outcomes all(plan.arms.size());
        bool whole = runner.run(scenario, least, all);
        const Outcomes pilot = readable(all).outcomes;
        // The pilot's runs count, too. If the world cannot be read, more runs do not help.
        if (whole && plan.pairs == 0 && pilot.front().size() >= kPairsLeast) {
            const double delta = kDeltaShare * mean_of(pilot[1], cost_of);
            const std::int64_t pairs =
                pairs_needed(differences(pilot[0], pilot[1], cost_of), delta);
            runner.expect((pairs - least) * arms);
            whole = runner.run(scenario, pairs, all);
        }
        if (all.front().size() >= kPairsLeast) add_scenario(plan, scenario, all, report);
        if (whole) continue;
        report.stopped = true;
        break;
    }
    report.runs_done = runner.done();
    report.runs_wanted = runner.expected();
    if (report.comparisons.empty()) {
        return fail(ErrorCode::gone, "it was ended before any scenario had two pairs of runs");
    }
    close_gaps(report.arms);
    adjust(report.comparisons);
    return report;
}

}  // namespace parley::experiment
