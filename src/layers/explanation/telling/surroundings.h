// Layer 6, explanation: a round in, what was known around its decision out, a line each.

#pragma once

#include "layers/explanation/telling/narrator.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::explanation {

/// "12 nodes Ready, 184 pods, 12 pending: 9 CPU, 2 selector, 1 our gate".
std::string cluster_line(const Told& told);

/// "12 pending: 9 CPU, 2 selector, 1 our gate"; a pod that waits for several reasons counts by the
/// first of selector, our gate, another's gate, shortage, the rest. "0 pending".
std::string pending_line(const model::Snapshot& snapshot);

/// Pods that wait, by the cause they count by.
struct PendingWord {
    std::optional<model::Cause> cause;  ///< Nothing: they are starting.
    std::string text;                   ///< "CPU", "our gate", "starting".
    std::int64_t count = 0;
};
/// The most first.
std::vector<PendingWord> pending_words(const model::Snapshot& snapshot);

/// Pods of one workload that wait for the same.
struct Waiting {
    std::string who;   ///< "shop/cart".
    std::string what;  ///< "2 pods wait for CPU, since 4m12s".
};
BOOST_DESCRIBE_STRUCT(Waiting, (), (who, what))
Waiting waiting_of(const model::Snapshot& snapshot, const model::PendingGroup& group,
                   TimePoint now);
/// One for each workload and cause, what no room would end first; at most `count`, the rest
/// counted.
std::vector<std::string> waiting_lines(const Told& told, std::size_t count);

/// "node-07 0.86 (acts above 0.25)   node-03 0.21": the highest, at most `count`; unknown ones are
/// counted at the end.
std::string risk_line(const Told& told, std::size_t count = 3);

/// How a source stands, and for how old what it delivered is.
struct SourceWord {
    model::Source source = model::Source::api;
    bool late = false;  ///< Late or failed.
    std::string text;   ///< "prometheus 94s LATE (limit 60s)", "metrics 14s, 11 of 12 nodes".
};
BOOST_DESCRIBE_STRUCT(SourceWord, (), (source, late, text))

/// Those that are on, in the order of the snapshot.
std::vector<SourceWord> source_words(const model::RoundInput& input);
/// The same in one line.
std::string sources_line(const model::RoundInput& input);

/// What was not there to decide on, by name: "metrics failed: no route to host", "CPU use of
/// node-03 and node-12". Empty: nothing was missing.
std::vector<std::string> missing_readings(const Told& told);

/// What was taken for granted: "energy price =0.10 (configuration)".
std::vector<std::string> assumed(const Told& told);

/// Nodes worth a look, in words, as state.json has them and the screen takes them: whoever wants
/// figures asks web/views. Most first: over their limit, shown and believed differ, then by risk.
struct NodeWord {
    std::string node;
    std::string ready;      ///< "3h05m", "NotReady 41s".
    std::string lease;      ///< "9.1s"; "?" if unknown.
    std::string cpu;        ///< "71%"; "?".
    std::string memory;     ///< Likewise.
    std::string pods;       ///< "14".
    std::string risk;       ///< "0.86"; "?".
    std::string limit;      ///< "0.25"; "never".
    std::string waiting;    ///< "41.3": risk x loss; "?".
    std::string acting;     ///< "12.0": of the cheapest remedy; "-".
    bool over = false;      ///< Over its own limit.
    bool differs = false;   ///< Shown and believed differ.
    bool pays = false;      ///< Waiting costs more than acting.
    double risk_value = 0;  ///< For a bar; 0 if unknown.
    // What two of the texts above say, for whoever goes by it; not shown by itself.
    bool measured = false;  ///< Its use of CPU and memory is known.
    bool weighed = false;   ///< There is a remedy whose cost waiting can be held against.
};
BOOST_DESCRIBE_STRUCT(NodeWord, (),
                      (node, ready, lease, cpu, memory, pods, risk, limit, waiting, acting, over,
                       differs, pays, risk_value))

std::vector<NodeWord> nodes_worth_a_look(const Told& told, std::size_t count);

}  // namespace parley::explanation
