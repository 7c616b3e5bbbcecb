// Replay: a recorded run in, every decision made again; out, the first difference, if any.

#pragma once

#include "base/diff.h"
#include "base/result.h"
#include "layers/decide.h"
#include "store/run_reader.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace parley::replay {

/// A round in which another policy would have accepted something else.
struct Change {
    std::uint64_t round = 0;
    TimePoint at;
    std::string recorded;  ///< Labels of what was accepted; `idle` for nothing.
    std::string other;
    friend bool operator==(const Change&, const Change&) = default;
};
BOOST_DESCRIBE_STRUCT(Change, (), (round, at, recorded, other))

struct Report {
    std::uint64_t rounds = 0;
    std::uint64_t differing = 0;
    std::uint64_t first_round = 0;  ///< Of the first difference.
    std::string path;               ///< Of the first difference; empty if there is none.
    std::string recorded;
    std::string derived;
    bool same_rules = true;  ///< Whether it was recorded under the rules_version of this program.
    std::uint32_t rules_version = 0;
    std::vector<Change> changes;              ///< With another policy only.
    std::vector<store::NumberRange> dropped;  ///< Rounds that were trimmed, so not made again.
    std::vector<std::string> gaps;            ///< What cannot be read of the record.
};
BOOST_DESCRIBE_STRUCT(Report, (),
                      (rounds, differing, first_round, path, recorded, derived, same_rules,
                       rules_version, changes, dropped, gaps))

using Progress = std::function<void(std::uint64_t rounds)>;

/// Makes every decision again and compares it bit for bit. Fails only if the record cannot be read
/// or holds no inputs. `brains` are the models that the recorded policy names.
[[nodiscard]] Result<Report> replay(store::RunReader& run, const prediction::Brains& brains,
                                    const Progress& progress);

/// A policy with the models that it names.
struct Other {
    model::Policy policy;
    prediction::Brains brains;
};

/// What `other` would have decided in each round, given the same inputs and the memory that the
/// recorded policy left.
[[nodiscard]] Result<Report> replay_with(store::RunReader& run, const prediction::Brains& brains,
                                         const Other& other, const Progress& progress);

/// A forecast with the reasons of one node in it.
struct Believed {
    model::Forecast forecast;
    model::NodeForecast node;
};

/// What a round believed about a node, and why, computed again: the record keeps reasons only for
/// nodes that were acted on. Nothing if no trained model judged it.
[[nodiscard]] Result<std::optional<Believed>> believed(store::RunReader& run,
                                                       const prediction::Brains& brains,
                                                       const std::string& node,
                                                       std::uint64_t round);

/// Called with each round that is read, the memory that it left, and what came back during it.
using Recovered = std::function<void(const store::Keyframe& round,
                                     const std::vector<model::ActionEvent>& events)>;

/// Reads to the end and computes the memory that the last round left.
[[nodiscard]] Result<store::Keyframe> recover(store::RunReader& run,
                                              const prediction::Brains& brains,
                                              const Recovered& each = {});

}  // namespace parley::replay
