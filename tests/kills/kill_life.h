// Kills: one process: a pipeline over a journal on a fake disk, from its start to its end at a
// chosen point.

#pragma once

#include "fake/disk.h"
#include "layers/pipeline.h"
#include "store/run_writer.h"
#include "tests/kills/kill_hand.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace parley::kills {

/// One record, on a disk of its own; several processes may go on with it, one after the other.
struct Run {
    std::unique_ptr<fake::Disk> disk = std::make_unique<fake::Disk>();
    std::uint64_t id = 0;
    bool begun = false;
};

class Life final : public Recorder {
public:
    /// `fate`: how it ends; nothing: it does not. `stopped` is called while it is stopped.
    Life(Network& network, Run& run, std::size_t run_number, int number, std::optional<Fate> fate,
         std::function<void()> stopped);
    ~Life() override;

    /// One round at the present time; false: it is dead.
    bool round();
    bool dead() const { return dead_; }
    bool was_stopped() const { return was_stopped_; }
    bool armed() const { return armed_; }  ///< Something was to be done.
    /// Nothing of it is on its way: every action stands, or there is none.
    bool rests() const;
    bool has_open() const;
    const std::string& died() const { return died_; }  ///< Where; empty: it did not.

    Result<void> keep_start(const model::Memory& memory) override;
    Result<void> keep_round(const model::RoundInput& input, const model::Decision& decision,
                            const model::Memory& next) override;
    Result<void> keep_event(const model::ActionEvent& event) override;

private:
    Start begin();
    Start resume();
    void pass(const std::string& where);
    bool ends_here(const std::string& where);
    Result<void> keep(const std::string& what, const std::function<Result<void>()>& write);
    void cut_power(const std::function<Result<void>()>& write);
    model::OpenAction planted() const;

    Network& network_;
    Run& run_;
    int number_;
    std::optional<Fate> fate_;
    std::function<void()> stopped_;
    std::unique_ptr<store::RunWriter> writer_;
    std::unique_ptr<Hand> hand_;
    std::unique_ptr<Pipeline> pipeline_;
    std::atomic<bool> stop_ = false;
    bool armed_ = false;  ///< There is something to do: its points count.
    bool dead_ = false;
    bool was_stopped_ = false;
    bool cut_ = false;  ///< Its machine lost power.
    int passed_ = 0;
    std::uint64_t recorded_ = 0;
    std::string died_;
};

}  // namespace parley::kills
