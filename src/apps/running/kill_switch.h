// App: the kill switch of a run: a file in its folder. While it exists, the run sends nothing; only
// a person removes it. Whoever can write to the folder can press it, from another process, too.

#pragma once

#include "base/file.h"
#include "base/result.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>

namespace parley::app {

/// Read by the sender before every request.
using KillSwitch = std::shared_ptr<std::atomic<bool>>;

/// Who pressed it: "session 2 of the dashboard".
struct Press {
    std::string who;                           ///< Empty: the file does not say.
    std::string at;                            ///< By the wall clock; set when it is written.
    std::optional<std::uint64_t> after_round;  ///< The newest round that they saw; nothing: none.

    bool operator==(const Press&) const = default;
};

/// Who lifts it, and why. A person has stopped the run, and whoever lets it act again answers for
/// that.
struct Lift {
    std::string who;
    std::string because;
};

/// Presses it and records who did. Durable when it returns; pressing it twice is no error.
[[nodiscard]] Result<void> press_kill_switch(Disk& disk, const std::string& run,
                                             const Press& press);
/// Lifts it and records who did and why. False: it was not pressed.
[[nodiscard]] Result<bool> lift_kill_switch(Disk& disk, const std::string& run, const Lift& lift);
bool kill_switch_pressed(Disk& disk, const std::string& run);
/// Who pressed it; nothing: it is not pressed.
std::optional<Press> kill_switch_press(Disk& disk, const std::string& run);

/// For a process that takes up a run whose ledger says `stopped`: whether a person lifted the
/// switch since. If nobody did and the file is gone all the same, it is pressed again, so that
/// somebody can lift it.
[[nodiscard]] Result<bool> was_lifted_since(Disk& disk, const std::string& run, bool stopped);

/// What a person did to the switch last.
struct SwitchWord {
    std::string what;  ///< "stop" or "clear".
    std::string who;
    std::string because;  ///< Of "clear"; empty: not said.
};
/// Nothing: nobody did anything, or that cannot be read.
std::optional<SwitchWord> last_switch_word(Disk& disk, const std::string& run);

/// One line of people.jsonl in the run folder: what a person did to the run, when, from where, and
/// why if that was said.
[[nodiscard]] Result<void> note_person(Disk& disk, const std::string& run, const std::string& what,
                                       const std::string& who, const std::string& because = "");

/// Looks for the file five times a second on its own thread, the first time before it returns. The
/// switch is lifted only if the file existed and is gone: if it was pressed but could not be
/// written, it stays pressed.
class KillSwitchWatch {
public:
    KillSwitchWatch(Disk& disk, std::string run, KillSwitch into);
    ~KillSwitchWatch();
    KillSwitchWatch(const KillSwitchWatch&) = delete;
    KillSwitchWatch& operator=(const KillSwitchWatch&) = delete;

    /// Presses it in this process at once, even if writing the file fails.
    [[nodiscard]] Result<void> press(const Press& press);

private:
    Disk& disk_;
    std::string run_;
    KillSwitch into_;
    std::atomic<bool> seen_;  ///< The file exists: seen, or written here.
    std::atomic<bool> leaving_ = false;
    std::thread thread_;
};

}  // namespace parley::app
