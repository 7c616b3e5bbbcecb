#include "apps/live/live_stop.h"

#include "base/clock.h"
#include "base/clock_wait.h"
#include "base/time_text.h"

#include <utility>

namespace parley::app {
namespace {

constexpr Duration kGlance = milliseconds(50);
constexpr Duration kRetry = seconds(1);

/// "alice, in the cluster".
std::string in_cluster(const std::string& who) {
    return who.empty() ? std::string("somebody, in the cluster") : who + ", in the cluster";
}

}  // namespace

StopErrand StopAgreement::next(bool file, std::optional<bool> object, bool lifted) {
    if (!object) return StopErrand::none;
    if (file == *object) {
        agreed_ = file;
        return StopErrand::none;
    }
    if (!agreed_ && *object && lifted) return StopErrand::lift_object;
    const bool stops = !agreed_.value_or(false);  // What both will say.
    if (stops) return file ? StopErrand::press_object : StopErrand::press_file;
    return file ? StopErrand::lift_file : StopErrand::lift_object;
}

LiveStop::LiveStop(Disk& disk, std::string folder, std::string run, KillSwitch file,
                   kube::StopObject& object)
    : disk_(disk),
      folder_(std::move(folder)),
      run_(std::move(run)),
      file_(std::move(file)),
      object_(object),
      now_(file_->load()) {
    const auto last = folder_.empty() ? std::nullopt : last_switch_word(disk_, folder_);
    lifted_ = last && last->what == "clear";
}

boost::asio::awaitable<Result<void>> LiveStop::carry_out(StopErrand errand) {
    const kube::StopWord there = object_.now() ? object_.now()->word : kube::StopWord{};
    switch (errand) {
        case StopErrand::none:
            break;
        case StopErrand::press_file:
            co_return press_kill_switch(disk_, folder_, {.who = in_cluster(there.who)});
        case StopErrand::lift_file: {
            auto lifted = lift_kill_switch(disk_, folder_, {in_cluster(there.who), there.because});
            if (!lifted) co_return tl::unexpected(lifted.error());
            break;
        }
        case StopErrand::press_object:
        case StopErrand::lift_object: {
            const auto last = last_switch_word(disk_, folder_);
            kube::StopWord word{last ? last->who : "", print_time(wall_now()), run_,
                                last ? last->because : ""};
            co_return co_await object_.write(errand == StopErrand::press_object, std::move(word));
        }
    }
    co_return Result<void>{};
}

boost::asio::awaitable<void> LiveStop::follow() {
    const std::shared_ptr<kube::Api> kept = object_.api();  // The loop may end us after it.
    while (true) {
        const auto& seen = object_.now();
        const bool file = file_->load();
        now_ = file || (seen && seen->stops);
        const bool lifted = lifted_ && seen && seen->word.run == run_;
        const auto errand =
            agreement_.next(file, seen ? std::optional(seen->stops) : std::nullopt, lifted);
        if (errand != StopErrand::none && !folder_.empty()) {
            auto done = co_await carry_out(errand);
            trouble_ = done ? std::string() : done.error().message;
            co_await pause(done ? kGlance : kRetry);
            continue;
        }
        co_await pause(kGlance);
    }
}

void LiveStop::found_in_ledger() {
    if (folder_.empty() || now_) return;
    auto pressed = press_kill_switch(disk_, folder_, {.who = "the cluster's ledger"});
    if (!pressed) trouble_ = pressed.error().message;
}

}  // namespace parley::app
