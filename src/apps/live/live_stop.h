// App: one stop for a run and for its cluster. The file in the run folder and the object in the
// cluster come to say the same, whoever pressed or lifted which.

#pragma once

#include "apps/running/kill_switch.h"
#include "kube/write/stop_object.h"

#include <boost/asio/awaitable.hpp>

#include <atomic>
#include <optional>
#include <string>

namespace parley::app {

/// What is to be done so that both sides say the same.
enum class StopErrand { none, press_file, lift_file, press_object, lift_object };

/// Pure. Whichever side changed since they agreed last is followed by the other. Where they never
/// agreed, a stop wins.
class StopAgreement {
public:
    /// `object` is nothing while it is not known. `lifted`: the object's stop is of this run, and a
    /// person lifted it while no process ran.
    StopErrand next(bool file, std::optional<bool> object, bool lifted);

private:
    std::optional<bool> agreed_;
};

/// Carries out what the agreement wants, and keeps the switch that the sender reads. Used on one
/// executor; must outlive what it started.
class LiveStop {
public:
    /// `file` is the switch that the run folder drives, where there is one; `run` names this run.
    LiveStop(Disk& disk, std::string folder, std::string run, KillSwitch file,
             kube::StopObject& object);

    /// Read before every request.
    std::atomic<bool>& now() { return now_; }
    /// Looks at both sides twenty times a second, for ever.
    boost::asio::awaitable<void> follow();
    /// The ledger says stopped, and neither side does: both are pressed, so that somebody can lift
    /// it.
    void found_in_ledger();
    /// Why both sides could not be made to agree; empty: they agree, or soon will.
    const std::string& trouble() const { return trouble_; }

private:
    boost::asio::awaitable<Result<void>> carry_out(StopErrand errand);

    Disk& disk_;
    std::string folder_;
    std::string run_;
    KillSwitch file_;
    kube::StopObject& object_;
    StopAgreement agreement_;
    bool lifted_;  ///< A person lifted it last, before this process began.
    std::atomic<bool> now_ = false;
    std::string trouble_;
};

}  // namespace parley::app
