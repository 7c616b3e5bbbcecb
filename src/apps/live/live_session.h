// App: one run beside a real cluster: reflectors, observation, pipeline and record on a thread of
// their own, at a true period.

#pragma once

#include "apps/live/live_watcher.h"
#include "apps/session/kill_switch.h"
#include "apps/session/rounds.h"
#include "apps/shelf/brains.h"
#include "apps/terminal/settings.h"
#include "base/result.h"
#include "kube/access/credentials.h"
#include "model/policy.h"
#include "store/run_format.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace parley::app {

struct LiveOptions {
    kube::Access access;
    kube::CredentialOptions credentials;
    kube::WatcherOptions watcher;
    prometheus::Options prometheus;  ///< Without a url it is off by choice.
    std::string name;                ///< Of the cluster, for people and the record.
    model::Policy policy;
    ServedBrains served;  ///< What the policy names.
    model::Mode mode = model::Mode::observe;
    Duration interval = seconds(3);
    std::optional<std::uint64_t> last;  ///< The round to stop after.
    store::RecordLevel record = store::RecordLevel::full;
    std::string folder;
    bool resume = false;
    std::string trace_out;                    ///< Observed snapshots as JSON lines; empty: none.
    bool anonymise = false;                   ///< The names in them.
    std::optional<ExerciseOptions> exercise;  ///< Nothing: the cluster is left alone.
    std::uint64_t seed = 0;                   ///< Drawn; of a run that goes on, its own.
    LoadedSettings loaded;                    ///< Where each came from.
    std::vector<store::StageNote> stages;     ///< How far what it prepares is; for the record.
    KillSwitch kill = std::make_shared<std::atomic<bool>>(false);
    /// Told of every round on the loop's thread; must return at once.
    std::function<void(std::shared_ptr<const Published>)> watch;
};

/// What a run with these options says of itself.
store::RunHeader header_of(const LiveOptions& options);

/// How it goes with the cluster, as of the last round.
struct LiveState {
    kube::ClusterFacts cluster;
    Duration late;              ///< How much later than it should have the last round began.
    std::uint64_t skipped = 0;  ///< Rounds that were not held because the one before took too long.
};

/// The loop runs from start() until stop(), the last round, or a round that cannot be recorded.
class LiveSession final : public Rounds {
public:
    /// Opens the record. Nothing is asked of the cluster before start().
    [[nodiscard]] static Result<std::unique_ptr<LiveSession>> open(LiveOptions options);
    ~LiveSession() override;

    void start();

    [[nodiscard]] Result<bool> next() override;
    std::shared_ptr<const Published> last() const override;
    std::uint64_t rounds() const override;
    /// The same with those that next() has not given yet; known after stop().
    std::uint64_t recorded() const;
    Duration late() const override;
    LiveState state() const;
    /// What the exerciser did, in order; whole only after stop().
    std::vector<exercise::Happened> exercised() const;

    /// Ends the loop after the round that is under way, and closes the record: `complete` after
    /// the last round, `failed` after an error, else `stopped`.
    [[nodiscard]] Result<store::RunStatus> stop();

private:
    struct Parts;
    explicit LiveSession(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> parts_;
};

}  // namespace parley::app
