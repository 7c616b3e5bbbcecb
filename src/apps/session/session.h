// App: one run on the simulated cluster: world, observation, pipeline and record, wired together.

#pragma once

#include "apps/running/kill_switch.h"
#include "apps/running/rounds.h"
#include "apps/shelf/brains.h"
#include "base/file.h"
#include "base/result.h"
#include "layers/observation/snapshot_builder.h"
#include "layers/pipeline.h"
#include "model/policy.h"
#include "sim/scenario/scenario.h"
#include "store/run_format.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace parley::app {

struct SessionOptions {
    std::shared_ptr<const sim::Scenario> scenario;
    std::uint64_t seed = 1;
    model::Policy policy;
    ServedBrains served;  ///< The models that the policy names; `policy.brains` has their ids.
    model::Mode mode = model::Mode::act;
    Duration interval = seconds(3);  ///< Simulated time between rounds.
    store::RecordLevel record = store::RecordLevel::full;
    std::string folder;   ///< The run folder (--event-dir); empty only with record `none`.
    bool resume = false;  ///< Continue after the last recorded round.
    std::vector<store::StageNote> stages;  ///< How far its stages are; for the record.
    std::string trace_out;                 ///< Observed rounds as JSON lines; empty: none.
    bool twins = true;                     ///< Follow what would have come of doing nothing.
    KillSwitch kill = std::make_shared<std::atomic<bool>>(false);
    /// Called with every round on the loop's thread; must return at once.
    std::function<void(std::shared_ptr<const Published>)> watch;
};

/// Runs rounds one by one, as fast as they are asked for. Used by one thread.
class Session final : public Rounds {
public:
    /// Begins or resumes a run. Refuses, in one sentence, a folder that is not empty, and on resume
    /// another scenario, seed, configuration or rules.
    [[nodiscard]] static Result<std::unique_ptr<Session>> open(SessionOptions options);
    ~Session() override;

    /// One round, `interval` after the last. An error says why nothing could be recorded or sent;
    /// the round before it is complete.
    [[nodiscard]] Result<void> round();
    [[nodiscard]] Result<bool> next() override;

    std::shared_ptr<const Published> last() const override;
    std::uint64_t rounds() const override;

    /// After the last round.
    const model::Memory& memory() const;

    /// Records how the run ended and closes the record.
    [[nodiscard]] Result<void> finish(store::RunStatus status, const std::string& reason);

private:
    struct Parts;
    explicit Session(std::unique_ptr<Parts> parts);

    std::unique_ptr<Parts> parts_;
};

/// The header of a run with these options.
store::RunHeader header_of(const SessionOptions& options);

}  // namespace parley::app
