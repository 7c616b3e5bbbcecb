// App: what a run prepares before its first round, and how that went: off by choice is not the same
// as missing.

#pragma once

#include "apps/parley/brains.h"
#include "base/describe.h"
#include "model/policy.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::app {

enum class StageStatus : std::uint8_t {
    disabled,  ///< By choice.
    idle,      ///< Nobody asked for it.
    skipped,   ///< It cannot be: something is missing.
    running,
    complete,
    failed,
};
BOOST_DESCRIBE_ENUM(StageStatus, disabled, idle, skipped, running, complete, failed)

struct BootStage {
    std::string name;
    StageStatus status = StageStatus::skipped;
    std::string detail;
};

struct BootFlags {
    bool no_policy = false;
    bool no_tune = false;
    std::optional<std::int64_t> trials;
};

/// Brains and policy; what tuning came to is said by boot_tuning.h. In the order in which a run
/// goes through them.
std::vector<BootStage> boot_stages(const BootFlags& flags, const model::Policy& policy,
                                   const ServedBrains& served);

/// A line for each: "optuna    disabled: by --no-tune; --trials 3 is void".
std::string print(const std::vector<BootStage>& stages);

}  // namespace parley::app
