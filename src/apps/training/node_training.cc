#include "apps/training/node_training.h"

#include "base/number.h"
#include "base/time_text.h"

namespace parley::app {
namespace {

/// A node must be Ready for ten minutes and then be watched for half an hour.
constexpr Duration kRunLeast = hours(1);
constexpr Duration kRunMost = hours(672);  // Four weeks.

}  // namespace

Result<learn::SimulatedRuns> simulated_runs(const std::string& seeds,
                                            const std::string& length_text) {
    learn::SimulatedRuns runs;
    const std::size_t dash = seeds.find('-');
    const auto first = parse_uint64(seeds.substr(0, dash));
    const auto last = parse_uint64(dash == std::string::npos ? "" : seeds.substr(dash + 1));
    if (!first || !last) {
        return fail(ErrorCode::denied, "--simulate is a range of seeds such as 1-100, and " +
                                           in_quotes(seeds) + " was given");
    }
    runs.first_seed = *first;
    runs.last_seed = *last;
    if (auto fine = learn::check_seeds(runs); !fine) return within("--simulate", fine.error());
    const auto length = parse_duration(length_text);
    if (!length || *length < kRunLeast || *length > kRunMost) {
        return fail(ErrorCode::denied, "--length is a time from 1h to 672h such as 24h, and " +
                                           in_quotes(length_text) + " was given");
    }
    runs.length = *length;
    return runs;
}

std::string provenance_of(const NodeTraining& training) {
    if (!training.simulated) {
        return "recorded: " + std::to_string(training.runs.size()) +
               (training.runs.size() == 1 ? " run" : " runs");
    }
    const learn::SimulatedRuns& runs = *training.simulated;
    return "simulated: scenario " + runs.scenario + ", seeds " + std::to_string(runs.first_seed) +
           " to " + std::to_string(runs.last_seed) + ", " + print_age(runs.length) +
           " each, nobody acting";
}

std::uint64_t steps_of(const NodeTraining& training) {
    if (!training.simulated) return training.runs.size();
    const learn::SimulatedRuns& runs = *training.simulated;
    return (runs.last_seed - runs.first_seed + 1) *
           static_cast<std::uint64_t>(in_minutes(runs.length) / 60.0);
}

const char* steps_name(const NodeTraining& training) {
    return training.simulated ? "simulated hours" : "runs";
}

learn::Done shown_by(const NodeTraining& training, const TrainWatch& watch) {
    const double each =  // Simulated runs are counted in hours, since each takes a while.
        training.simulated ? in_minutes(training.simulated->length) / 60.0 : 1.0;
    return [each, total = steps_of(training), &watch](double done) {
        return watch(static_cast<std::uint64_t>(done * each), total);
    };
}

}  // namespace parley::app
