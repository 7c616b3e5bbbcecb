// App: rounds in, what a whole run came to out: who proposed what, what became of it, what it cost.

#pragma once

#include "base/describe.h"
#include "model/round.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace parley::app {

struct AgentTally {
    std::string agent;  ///< `A safety`.
    std::int64_t accepted = 0;
    std::int64_t lost = 0;
    std::int64_t refused = 0;
    std::int64_t idle = 0;
    std::string refused_by;  ///< The guard's rule that refused most often; empty: none.
};
BOOST_DESCRIBE_STRUCT(AgentTally, (), (agent, accepted, lost, refused, idle, refused_by))

/// What `simulate -o json` prints.
struct RunSummary {
    std::string scenario;
    std::uint64_t seed = 0;
    std::string profile;
    std::string mode;
    std::string status;  ///< complete, stopped or failed.
    std::uint64_t rounds = 0;
    std::uint64_t contested = 0;   ///< Rounds in which someone was overruled.
    std::uint64_t with_alarm = 0;  ///< Rounds.
    std::vector<AgentTally> agents;
    double cost_pod_minutes = 0;  ///< Everything so far, by the cost account.
    double score = 0;             ///< Sum over rounds; 0 is best.
    std::string last;             ///< The last round's decision in a sentence.
    std::string folder;           ///< Empty: nothing was recorded.
};
BOOST_DESCRIBE_STRUCT(RunSummary, (),
                      (scenario, seed, profile, mode, status, rounds, contested, with_alarm, agents,
                       cost_pod_minutes, score, last, folder))

/// Counts round by round.
class Tally {
public:
    Tally();
    void add(const model::Decision& decision);
    /// Fills in what was counted, and what it cost by the memory behind the last round.
    void fill(const model::Memory& memory, RunSummary& summary) const;

private:
    std::vector<AgentTally> agents_;  ///< By role.
    std::vector<std::map<std::string, std::int64_t>> refusals_;
    std::uint64_t contested_ = 0;
    std::uint64_t with_alarm_ = 0;
    double score_ = 0;
    std::string last_;
};

/// For people.
std::string print_summary(const RunSummary& summary);

}  // namespace parley::app
