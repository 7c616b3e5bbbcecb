// Trial: a whole run on the simulated cluster as a plain loop, without shell, record or clock. Used
// by tuning, comparisons and training.

#pragma once

#include "layers/observation/snapshot_builder.h"
#include "layers/round_core.h"
#include "sim/scenario/scenario.h"
#include "sim/world/twin.h"
#include "sim/world/world.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace parley::trial {

struct RunSetup {
    std::shared_ptr<const sim::Scenario> scenario;
    std::uint64_t seed = 0;
    Duration interval = seconds(3);
    model::Policy policy;
    model::Mode mode = model::Mode::act;
    prediction::Brains brains;
    bool oracle = false;  ///< Replaces the trained model by one that knows what will happen.
    /// Also follow what would happen without each action; costs a fork for each.
    bool twins = false;
};

/// Everything is allowed everywhere, as in `simulate` without a file.
model::Policy open_policy();

/// Does what session, pipeline and observer do, on a world that answers at once. Cannot be copied
/// or moved, since it holds a world. Used by one thread.
class WorldRun {
public:
    using Tell = std::function<Result<void>(const model::ActionEvent&)>;

    explicit WorldRun(RunSetup setup);
    WorldRun(const WorldRun&) = delete;
    WorldRun& operator=(const WorldRun&) = delete;

    /// Observes and decides.
    void decide_round();
    /// Carries out what was decided; calls `tell` for each event. Fails only if that does.
    [[nodiscard]] Result<void> carry_out_round(const Tell& tell = {});

    const model::RoundInput& input() const { return round_.input; }
    const model::Decision& decision() const { return round_.decision; }
    const model::Memory& memory() const { return core_.memory(); }
    const model::Policy& policy() const { return core_.settings().policy; }
    const sim::World& world() const { return world_; }

private:
    cluster::Twins* twins() { return twins_ ? &*twins_ : nullptr; }
    void ask_oracle();

    Duration interval_;
    bool oracle_;
    std::uint64_t run_;  ///< Its id; the scenario is handed on before the core is made.
    sim::World world_;
    std::optional<sim::Twins> twins_;
    observation::SnapshotBuilder builder_;
    RoundCore core_;
    Decided round_;
};

}  // namespace parley::trial
