// App: one run beside a real cluster: reflectors, observation, pipeline and record on their own
// thread, at a fixed period.

#pragma once

#include "apps/live/live_watcher.h"
#include "apps/running/kill_switch.h"
#include "apps/running/rounds.h"
#include "apps/shelf/brains.h"
#include "apps/terminal/settings.h"
#include "base/result.h"
#include "kube/access/credentials.h"
#include "kube/provider/provider.h"
#include "kube/webhook/webhook.h"
#include "kube/write/leader.h"
#include "layers/explanation/wording/leading.h"
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
    prometheus::Options prometheus;  ///< Without a url it is off.
    std::string name;                ///< Of the cluster, for people and the record.
    model::Policy policy;
    ServedBrains served;  ///< The models that the policy names.
    model::Mode mode = model::Mode::observe;
    Duration interval = seconds(3);
    std::optional<std::uint64_t> last;  ///< The round to stop after.
    store::RecordLevel record = store::RecordLevel::full;
    std::string folder;
    bool resume = false;
    std::string trace_out;                    ///< Observed snapshots as JSON lines; empty: none.
    bool anonymise = false;                   ///< Replace the names in them.
    std::optional<ExerciseOptions> exercise;  ///< Nothing: the cluster is left alone.
    std::uint64_t seed = 0;                   ///< Drawn; of a run that goes on, its own.
    LoadedSettings loaded;                    ///< Where each came from.
    std::vector<store::StageNote> stages;     ///< How far what it prepares is; for the record.
    std::string home = "parley-system";       ///< The namespace of lease and ledger, in mode `act`.
    std::vector<kube::Provider> providers;    ///< Commands for power and clocks.
    std::optional<kube::WebhookOptions> webhook;  ///< Nothing: the API server cannot ask us.
    KillSwitch kill = std::make_shared<std::atomic<bool>>(false);
    /// Called with every round, and in mode `act` with who led, on the loop's thread; must return
    /// at once.
    std::function<void(std::shared_ptr<const Published>, std::optional<explanation::Leading>)>
        watch;
};

/// The header of a run with these options.
store::RunHeader header_of(const LiveOptions& options);

/// The state of the cluster as of the last round.
struct LiveState {
    kube::ClusterFacts cluster;
    kube::Leadership leadership;  ///< In mode `act`.
    /// As it was when the last round began; nothing in other modes.
    std::optional<explanation::Leading> leading;
    std::string remark;         ///< That Events were lost, or a stop was not passed on; else empty.
    Duration late;              ///< How late the last round began.
    std::uint64_t skipped = 0;  ///< Rounds skipped because the one before took too long.
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
    /// The same, including rounds that next() has not returned yet; known after stop().
    std::uint64_t recorded() const;
    Duration late() const override;
    LiveState state() const;
    std::optional<explanation::Leading> leading() const override;
    std::string remark() const override;
    /// How many Events about actions were not written, in a sentence; empty: none. After stop().
    std::string lost_events() const;
    /// What the exerciser did, in order; complete only after stop().
    std::vector<exercise::Happened> exercised() const;

    /// Ends the loop after the current round, and closes the record: `complete` after the last
    /// round, `failed` after an error, else `stopped`.
    [[nodiscard]] Result<store::RunStatus> stop();

private:
    struct Parts;
    explicit LiveSession(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> parts_;
};

}  // namespace parley::app
