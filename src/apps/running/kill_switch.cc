#include "apps/running/kill_switch.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/json_read.h"
#include "base/time_text.h"
#include "layers/explanation/telling/people.h"

#include <utility>

namespace parley::app {
namespace {

constexpr Duration kGlance = milliseconds(200);

std::string file_of(const std::string& run) { return join(run, "stopped.json"); }

struct PersonNote {
    std::string at;
    std::string what;
    std::string who;
};
BOOST_DESCRIBE_STRUCT(PersonNote, (), (at, what, who))

/// The same with a reason.
struct ReasonedNote {
    std::string at;
    std::string what;
    std::string who;
    std::string because;
};
BOOST_DESCRIBE_STRUCT(ReasonedNote, (), (at, what, who, because))

/// The content of the file. Only its existence counts: an empty one stops as well.
struct StopNote {
    std::string at;
    std::string what;
    std::string who;
    std::optional<std::uint64_t> after_round;
};
BOOST_DESCRIBE_STRUCT(StopNote, (), (at, what, who, after_round))

constexpr std::uint64_t kNoteBytesMax = 65'536;

}  // namespace

Result<void> note_person(Disk& disk, const std::string& run, const std::string& what,
                         const std::string& who, const std::string& because) {
    auto file = disk.open(join(run, "people.jsonl"), OpenMode::create);
    if (!file) return tl::unexpected(file.error());
    const std::string now = print_time(wall_now());
    const std::string line = because.empty() ? to_json(PersonNote{now, what, who})
                                             : to_json(ReasonedNote{now, what, who, because});
    if (auto done = append(**file, line + "\n"); !done) return done;
    return (*file)->sync();
}

bool kill_switch_pressed(Disk& disk, const std::string& run) {
    const auto there = disk.exists(file_of(run));
    return there && *there;
}

std::optional<Press> kill_switch_press(Disk& disk, const std::string& run) {
    if (!kill_switch_pressed(disk, run)) return std::nullopt;
    Press press;
    const auto bytes = read_file(disk, file_of(run), kNoteBytesMax);
    if (!bytes) return press;
    const auto note = parse_json(*bytes);
    if (!note) return press;
    const auto text = [&](std::string_view name) {
        const Json* value = note->find(name);
        return value != nullptr && value->text() != nullptr ? *value->text() : std::string();
    };
    press.who = text("who");
    press.at = text("at");
    const Json* round = note->find("after_round");
    const double* number = round == nullptr ? nullptr : round->number();
    if (number != nullptr && *number >= 0 && *number < 0x1p53) {
        press.after_round = static_cast<std::uint64_t>(*number);
    }
    return press;
}

Result<void> press_kill_switch(Disk& disk, const std::string& run, const Press& press) {
    if (kill_switch_pressed(disk, run)) return {};
    const StopNote note{print_time(wall_now()), "stop", press.who, press.after_round};
    auto written = write_file_atomically(disk, file_of(run), to_json(note) + "\n");
    if (!written) return written;
    return note_person(disk, run, "stop", press.who);
}

Result<bool> lift_kill_switch(Disk& disk, const std::string& run, const Lift& lift) {
    if (!kill_switch_pressed(disk, run)) return false;
    // Recorded before it is lifted: without a record of who did it, it is not lifted.
    if (auto noted = note_person(disk, run, "clear", lift.who, lift.because); !noted) {
        return tl::unexpected(noted.error());
    }
    if (auto gone = disk.remove(file_of(run)); !gone) return tl::unexpected(gone.error());
    if (auto kept = disk.sync_directory(run); !kept) return tl::unexpected(kept.error());
    return true;
}

std::optional<SwitchWord> last_switch_word(Disk& disk, const std::string& run) {
    const auto people = explanation::read_people(disk, run);
    if (!people || people->empty()) return std::nullopt;
    return SwitchWord{people->back().what, people->back().who, people->back().because};
}

Result<bool> was_lifted_since(Disk& disk, const std::string& run, bool stopped) {
    if (!stopped || kill_switch_pressed(disk, run)) return false;
    const auto people = explanation::read_people(disk, run);
    if (!people) return tl::unexpected(people.error());
    if (!people->empty() && people->back().what == "clear") return true;
    auto pressed = press_kill_switch(disk, run, {.who = "the run's ledger"});
    if (!pressed) return tl::unexpected(pressed.error());
    return false;
}

KillSwitchWatch::KillSwitchWatch(Disk& disk, std::string run, KillSwitch into)
    : disk_(disk),
      run_(std::move(run)),
      into_(std::move(into)),
      seen_(kill_switch_pressed(disk_, run_)) {
    *into_ = seen_.load();
    thread_ = std::thread([this] {
        while (!leaving_) {
            nap(kGlance);
            const auto there = disk_.exists(file_of(run_));
            if (!there || *there == seen_) continue;  // If we cannot look, nothing changes.
            seen_ = *there;
            *into_ = *there;
        }
    });
}

Result<void> KillSwitchWatch::press(const Press& press) {
    *into_ = true;
    auto pressed = press_kill_switch(disk_, run_, press);
    // A file that was created and removed between two looks still counts as seen.
    if (pressed) seen_ = true;
    return pressed;
}

KillSwitchWatch::~KillSwitchWatch() {
    leaving_ = true;
    thread_.join();
}

}  // namespace parley::app
