#include "learn/rounds/risk_sources.h"

#include <algorithm>
#include <map>

namespace parley::learn {
namespace {

RoundSink into(RiskRows& rows) {
    return {.begin = [&rows](const std::string& name,
                             std::int32_t group) { rows.begin_run(name, group); },
            .see = [&rows](const model::RoundInput& input, const model::Policy& policy,
                           const model::Decision& decision) -> Result<void> {
                rows.see(input, policy, &decision);
                return {};
            },
            .end = [&rows] { rows.end_run(); }};
}

/// What failed in a simulated world, by the node names used in rows.
using Failures = std::map<std::string, std::vector<sim::NodeFailure>>;

/// The cause of the first failure of its node after the last row of an event.
std::vector<std::string> families_of(const RiskData& data, const Failures& failures) {
    std::vector<TimePoint> last(static_cast<std::size_t>(data.events));
    std::vector<std::int32_t> entity(last.size());
    for (std::size_t i = 0; i < data.rows.size(); ++i) {
        if (data.rows.event[i] == kNoEvent) continue;
        const auto event = static_cast<std::size_t>(data.rows.event[i]);
        last[event] = std::max(last[event], data.rows.time[i]);
        entity[event] = data.rows.entity[i];
    }
    std::vector<std::string> families;
    for (std::size_t event = 0; event < last.size(); ++event) {
        sim::FaultCause cause = sim::FaultCause::none;
        const auto of_node = failures.find(data.entities[static_cast<std::size_t>(entity[event])]);
        if (of_node != failures.end()) {
            const auto found = std::ranges::find_if(
                of_node->second,
                [&](const sim::NodeFailure& each) { return each.at > last[event]; });
            if (found != of_node->second.end()) cause = found->cause;
        }
        families.emplace_back(enum_name(cause));
    }
    return families;
}

}  // namespace

Result<RiskData> rows_of_runs(Disk& disk, const std::vector<std::string>& folders,
                              const RiskRules& rules, const Done& done) {
    RiskRows rows(rules);
    if (auto read = read_runs(disk, folders, into(rows), done); !read)
        return tl::unexpected(read.error());
    return rows.finish();
}

Result<RiskData> rows_of_simulation(const SimulatedRuns& runs, const RiskRules& rules,
                                    const Done& done) {
    RiskRows rows(rules);
    RoundSink sink = into(rows);
    std::string run;
    sink.begin = [&](const std::string& name, std::int32_t group) {
        run = name;
        rows.begin_run(name, group);
    };
    Failures failures;
    sink.learn_truth = [&](const std::vector<sim::NodeFailure>& all) {
        for (const sim::NodeFailure& each : all) {
            failures[run + "/" + each.node.text()].push_back(each);
        }
    };
    if (auto made = simulate_runs(runs, sink, done); !made) return tl::unexpected(made.error());
    RiskData data = rows.finish();
    data.families = families_of(data, failures);
    return data;
}

}  // namespace parley::learn
