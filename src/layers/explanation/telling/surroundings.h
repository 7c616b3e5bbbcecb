// Layer 6, explanation: a round in, what was known when it was decided out, line by line.

#pragma once

#include "layers/explanation/telling/narrator.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::explanation {

/// "12 nodes Ready, 184 pods, 12 pending: 9 CPU, 2 selector, 1 our gate".
std::string cluster_line(const Told& told);

/// "12 pending: 9 CPU, 2 selector, 1 our gate", or "0 pending". A pod with several causes counts by
/// the first of: selector, our gate, another's gate, shortage, the rest.
std::string pending_line(const model::Snapshot& snapshot);

/// Waiting pods with the cause they count by.
struct PendingWord {
    std::optional<model::Cause> cause;  ///< Nothing: they are starting.
    std::string text;                   ///< "CPU", "our gate", "starting".
    std::int64_t count = 0;
};
/// The largest group first.
std::vector<PendingWord> pending_words(const model::Snapshot& snapshot);

/// Pods of one workload that wait for the same cause.
struct Waiting {
    std::string who;   ///< "shop/cart".
    std::string what;  ///< "2 pods wait for CPU, since 4m12s".
};
BOOST_DESCRIBE_STRUCT(Waiting, (), (who, what))
Waiting waiting_of(const model::Snapshot& snapshot, const model::PendingGroup& group,
                   TimePoint now);
/// One line for each workload and cause, beginning with pods that more room would not help; at most
/// `count`, and a line that counts the rest.
std::vector<std::string> waiting_lines(const Told& told, std::size_t count);

/// The highest risks, at most `count`: "node-07 0.86 (acts above 0.25)   node-03 0.21"; at the end
/// how many are unknown.
std::string risk_line(const Told& told, std::size_t count = 3);

/// The state of a source and the age of what it delivered.
struct SourceWord {
    model::Source source = model::Source::api;
    bool late = false;  ///< Late or failed.
    std::string text;   ///< "prometheus 94s LATE (limit 60s)", "metrics 14s, 11 of 12 nodes".
};
BOOST_DESCRIBE_STRUCT(SourceWord, (), (source, late, text))

/// Those that are switched on, in the order of the snapshot.
std::vector<SourceWord> source_words(const model::RoundInput& input);
/// The same in one line.
std::string sources_line(const model::RoundInput& input);

/// The readings that were missing for the decision: "metrics failed: no route to host", "CPU use of
/// node-03 and node-12". Empty: none.
std::vector<std::string> missing_readings(const Told& told);

/// The values that were assumed: "energy price =0.10 (configuration)".
std::vector<std::string> assumed(const Told& told);

/// Nodes worth a look, as text for state.json and the screen; web/views has them as figures. Order:
/// over their limit, then shown and believed differ, then by risk.
struct NodeWord {
    std::string node;
    std::string ready;      ///< "3h05m", "NotReady 41s".
    std::string lease;      ///< "9.1s"; "?" if unknown.
    std::string cpu;        ///< "71%"; "?".
    std::string memory;     ///< "88%"; "?".
    std::string pods;       ///< "14".
    std::string risk;       ///< "0.86"; "?".
    std::string limit;      ///< "0.25"; "never".
    std::string waiting;    ///< "41.3": risk x loss; "?".
    std::string acting;     ///< "12.0": of the cheapest remedy; "-".
    bool over = false;      ///< Over its own limit.
    bool differs = false;   ///< Shown and believed differ.
    bool pays = false;      ///< Waiting costs more than acting.
    double risk_value = 0;  ///< For a bar; 0 if unknown.
    // Two of the texts above as flags; not shown themselves.
    bool measured = false;  ///< Its use of CPU and memory is known.
    bool weighed = false;   ///< There is a remedy whose cost can be compared with waiting.
};
BOOST_DESCRIBE_STRUCT(NodeWord, (),
                      (node, ready, lease, cpu, memory, pods, risk, limit, waiting, acting, over,
                       differs, pays, risk_value))

std::vector<NodeWord> nodes_worth_a_look(const Told& told, std::size_t count);

}  // namespace parley::explanation
