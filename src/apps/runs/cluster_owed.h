// App: a record in; out, what the simulated cluster must remember by it.

#pragma once

#include "model/open_action.h"
#include "store/run_format.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace parley::sim {
struct Remembered;  // Declared, not included: records of live runs are opened through this header.
}  // namespace parley::sim

namespace parley::app {

/// A request that was answered ok, and so was carried out.
struct CarriedOut {
    std::uint64_t round = 0;
    TimePoint at;
    std::optional<model::Request> request;  ///< Nothing if the record keeps decisions only.
};

/// What the record of a run says about its cluster: each request whose answer is recorded, and how
/// often the ledger was stored.
class ClusterOwed {
public:
    /// A round with the memory that it left, and what came back during it.
    void take(const store::Keyframe& round, const std::vector<model::ActionEvent>& events);
    /// The same where decisions alone are recorded: then only the number of requests is known.
    void take(const model::Decision& decision, const std::vector<model::ActionEvent>& events);
    /// The process came to its end after the last round, which therefore is complete.
    void end() { ended_ = true; }

    std::uint64_t rounds() const { return rounds_; }
    /// The first request that is not among what the cluster remembers; nothing: all are.
    std::optional<CarriedOut> first_missing(const std::vector<sim::Remembered>& remembered) const;
    /// The version of the ledger that the last round began with.
    std::uint64_t ledger_at_last() const { return last_.input.controls.ledger_version; }
    /// The version that was stored when the record ends; `stored` is the ledger that the last round
    /// began with.
    std::uint64_t ledger_behind(const model::Ledger& stored) const;

private:
    std::uint64_t rounds_ = 0;
    bool ended_ = false;
    std::vector<CarriedOut> carried_out_;
    store::Keyframe last_;
    std::vector<model::ActionEvent> events_;  ///< Of the last round.
};

}  // namespace parley::app
