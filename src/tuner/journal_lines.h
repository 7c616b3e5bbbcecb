// Tuner: changes of a study in, lines of an Optuna journal out.

#pragma once

#include "base/time.h"
#include "tuner/storage.h"
#include "tuner/trial.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace parley::tuner {

/// Lines with their line ends. `worker` names the writer: text without quotes or backslashes.
class JournalLines {
public:
    explicit JournalLines(std::string worker) : worker_(std::move(worker)) {}

    std::string create_study(std::string_view name, Direction direction) const;
    std::string study_attribute(std::int64_t study, Owner owner, std::string_view key,
                                std::string_view json) const;
    /// A trial that begins now, or one that waits (without a start time).
    std::string create_trial(std::int64_t study, TrialState state, const Draft& draft,
                             std::optional<TimePoint> start) const;
    std::string param(std::int64_t trial, const Param& param) const;
    std::string state(std::int64_t trial, TrialState state, std::optional<double> value,
                      TimePoint now) const;
    std::string intermediate(std::int64_t trial, std::int64_t step, double value) const;
    std::string attribute(std::int64_t trial, Owner owner, std::string_view key,
                          std::string_view json) const;

private:
    std::string begin(int operation) const;

    std::string worker_;
};

}  // namespace parley::tuner
