// App: the summary of a whole run: who proposed what, what became of it, what it cost.

#pragma once

#include "base/describe.h"
#include "layers/explanation/wording/account_sum.h"
#include "layers/explanation/wording/alarm_count.h"
#include "model/round.h"
#include "store/run_format.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace parley::app {

struct AgentTally {
    std::string agent;          ///< `A safety`.
    std::int64_t accepted = 0;  ///< And let through; in observe and dry-run: that would be sent.
    std::int64_t held = 0;      ///< Accepted, but nothing was sent in that round.
    std::int64_t lost = 0;
    std::int64_t refused = 0;
    std::int64_t idle = 0;
    std::string refused_by;  ///< The guard's rule that refused most often; empty: none.
};
BOOST_DESCRIBE_STRUCT(AgentTally, (), (agent, accepted, held, lost, refused, idle, refused_by))

/// What `simulate -o json` prints.
struct RunSummary {
    std::string scenario;
    std::uint64_t seed = 0;
    std::string profile;
    std::string mode;
    std::string status;  ///< complete, stopped or failed.
    std::uint64_t rounds = 0;
    std::uint64_t contested = 0;   ///< Rounds in which someone was overruled.
    std::uint64_t alarms = 0;      ///< That were raised; one that stands for long counts once.
    std::uint64_t with_alarm = 0;  ///< Rounds in which any alarm stood.
    std::vector<AgentTally> agents;
    std::optional<double> cost_pod_minutes;  ///< Everything so far, by the cost account.
    std::optional<double> score;             ///< Sum over rounds; 0 is best.
    std::string last;                        ///< The last round's decision in a sentence.
    std::string folder;                      ///< Empty: nothing was recorded.
    std::optional<double> coverage;  ///< Share of the account's readings that could be read.
    std::string not_known_because;   ///< Why cost and score are missing; empty: they are known.
    std::vector<store::StageNote> stages;
    store::RecordLevel record = store::RecordLevel::full;
    std::uint64_t last_read = 0;  ///< The last round that read any of the account; 0: none did.
    std::vector<std::string> left_out;  ///< Lines that nobody counted, each with the reason.
};
BOOST_DESCRIBE_STRUCT(RunSummary, (),
                      (scenario, seed, profile, mode, status, rounds, contested, alarms, with_alarm,
                       agents, cost_pod_minutes, score, last, folder, coverage, not_known_because,
                       stages, record, last_read, left_out))

/// What is known before the first round.
RunSummary begun_summary(const store::RunHeader& header, const std::string& folder,
                         const std::vector<store::StageNote>& stages);

/// Counts round by round.
class Tally {
public:
    Tally();
    void add(const model::Decision& decision);
    /// Fills in the counts.
    void fill(RunSummary& summary) const;

private:
    model::PerRole<AgentTally> agents_;
    model::PerRole<std::map<std::string, std::int64_t>> refusals_;
    std::uint64_t contested_ = 0;
    explanation::AlarmCount alarms_;
    explanation::AccountSum account_;
    std::uint64_t last_read_ = 0;
    std::string last_;
};

/// The summary as text.
std::string print_summary(const RunSummary& summary);

}  // namespace parley::app
