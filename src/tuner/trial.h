// Tuner: a study and its trials as values, as Optuna's files hold them.

#pragma once

#include "base/describe.h"
#include "base/time.h"
#include "tuner/space.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace parley::tuner {

/// These numbers are stored in journals.
enum class TrialState { running = 0, complete = 1, pruned = 2, fail = 3, waiting = 4 };
BOOST_DESCRIBE_ENUM(TrialState, running, complete, pruned, fail, waiting)
enum class Direction { not_set = 0, minimize = 1, maximize = 2 };

inline bool is_finished(TrialState state) {
    return state != TrialState::running && state != TrialState::waiting;
}

struct Param {
    std::string name;
    DistributionPtr distribution;
    double value = 0;  ///< Internal representation.
};

/// JSON by name.
using Attributes = std::map<std::string, std::string, std::less<>>;

struct Trial {
    std::int64_t id = 0;      ///< Counts all trials of a file.
    std::int64_t number = 0;  ///< Counts those of the study, from 0.
    TrialState state = TrialState::running;
    std::vector<double> values;  ///< Empty until told.
    std::vector<Param> params;   ///< In the order in which they were suggested.
    std::map<std::int64_t, double> intermediate;
    Attributes user_attributes;
    Attributes system_attributes;
    std::optional<TimePoint> start;
    std::optional<TimePoint> complete;

    const Param* find(std::string_view name) const {
        for (const Param& param : params) {
            if (param.name == name) return &param;
        }
        return nullptr;
    }
    /// The last step with a report.
    std::optional<std::int64_t> last_step() const {
        if (intermediate.empty()) return std::nullopt;
        return intermediate.rbegin()->first;
    }
};

struct Study {
    std::int64_t id = 0;
    std::string name;
    std::vector<Direction> directions;
    Attributes user_attributes;
    Attributes system_attributes;
    std::vector<Trial> trials;  ///< Trial number i is at index i.

    bool maximizes() const {
        return !directions.empty() && directions.front() == Direction::maximize;
    }
};

}  // namespace parley::tuner
