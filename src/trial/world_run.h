// Trial: a whole run on the simulated cluster as a plain loop, without shell, record or clock:
// scenario, seed and policy in, rounds out. Tuning, comparisons and training run this.

#pragma once

#include "guard/facts.h"
#include "layers/decide.h"
#include "layers/observation/snapshot_builder.h"
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
    bool oracle = false;  ///< A trained model's place is taken by one that knows what will happen.
    bool twins = false;   ///< What would have come of not acting; costs a fork for each action.
};

/// Everything is allowed everywhere, as `simulate` has it without a file.
model::Policy open_policy();

/// What session, pipeline, observer and sender do, in their order, on a world that answers at once.
/// Not copied or moved: it holds a world. One thread.
class WorldRun {
public:
    using Tell = std::function<Result<void>(const model::ActionEvent&)>;

    explicit WorldRun(RunSetup setup);
    WorldRun(const WorldRun&) = delete;
    WorldRun& operator=(const WorldRun&) = delete;

    /// Observes and decides.
    void decide_round();
    /// Carries out what was decided; tells each event. Fails only if telling does.
    [[nodiscard]] Result<void> carry_out_round(const Tell& tell = {});

    const model::RoundInput& input() const { return input_; }
    const model::Decision& decision() const { return decision_; }
    const model::Memory& memory() const { return memory_; }
    const model::Policy& policy() const { return setup_.policy; }
    const sim::World& world() const { return world_; }

private:
    void observe(TimePoint now);
    void ask_oracle();
    bool opened_now(const model::DecisionId& id) const;
    void follow();
    void swap_ledger();
    Result<void> carry_out(model::Step step, const guard::Facts& facts, const Tell& tell);
    model::ActionEvent meet(const model::Step& step, const guard::Facts& facts);

    RunSetup setup_;
    sim::World world_;
    std::optional<sim::Twins> twins_;
    observation::SnapshotBuilder builder_;
    std::uint64_t round_ = 0;
    model::RoundInput input_;
    model::Decision decision_;
    model::Memory memory_;
    model::Ledger ledger_;
    model::Ledger stored_;
    std::vector<model::ActionEvent> events_;
    std::vector<model::TwinSample> samples_;
};

}  // namespace parley::trial
