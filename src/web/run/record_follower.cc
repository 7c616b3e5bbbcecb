#include "web/run/record_follower.h"

#include "base/clock.h"
#include "layers/explanation/derived/witness.h"
#include "store/run_writer.h"

#include <utility>

namespace parley::web {
namespace {

RunState state_of(store::RunStatus status) {
    switch (status) {
        case store::RunStatus::running:
            return RunState::running;
        case store::RunStatus::complete:
            return RunState::complete;
        case store::RunStatus::stopped:
            return RunState::stopped;
        case store::RunStatus::failed:
            break;
    }
    return RunState::failed;
}

/// Whether a process holds the journal, which it does while it writes.
bool is_written(Disk& disk, const std::string& folder) {
    const auto lock = disk.lock(join(store::journal_folder(folder), "lock"));
    return !lock && disk_fault(lock.error()) == DiskFault::taken;
}

}  // namespace

bool RecordFollower::read_more(Duration budget) {
    const std::lock_guard reading(reading_);
    if (!walk_) open();
    if (!walk_) {
        known_.with([](RunKnown& known) { known.read = true; });
        return false;
    }
    return read_newest(budget) || (earlier_ && read_earlier(budget));
}

void RecordFollower::open() {
    auto reader = store::RunReader::open(disk_, folder_);
    if (!reader) {
        known_.with([&](RunKnown& known) { known.problem = reader.error().message; });
        return;
    }
    const store::RunHeader header = reader->header();
    store_ = std::make_shared<RoundStore>(disk_, folder_, header);
    auto last = store::RunReader::open_at_last(disk_, folder_, header);
    const auto lifted = [&disk = disk_, folder = folder_](std::optional<TimePoint> before) {
        return explanation::lifted_text(disk, folder, before);
    };
    if (last && *last) {  // The newest first, since somebody waits for them.
        walk_.emplace(**std::move(last));
        earlier_.emplace(Earlier{RecordWalk(*std::move(reader)), RunIndex(header, lifted)});
    } else {
        walk_.emplace(*std::move(reader));
    }
    known_.with([&](RunKnown& known) {
        known.problem.clear();
        known.begin(header, store_);
        if (earlier_) known.earlier_rounds = 0;
    });
}

/// Whether to look for what was written since its end was reached.
bool RecordFollower::may_have_grown() {
    if (walk_->reader().facts().status != store::RunStatus::running) return false;
    const bool killed =
        known_.with([](const RunKnown& known) { return known.state == RunState::killed; });
    if (killed && !is_written(disk_, folder_)) return false;
    // At least a second between two looks: if one finds nothing, the last round counts as complete.
    if (earlier_ && wall_now() - looked_ < seconds(1)) return false;
    looked_ = wall_now();
    seen_after_its_writer_ = false;
    return walk_->look_again().has_value();
}

bool RecordFollower::read_newest(Duration budget) {
    // Time may have run out between the last round and the end of the record: then that is still to
    // do.
    const bool read = known_.with([](const RunKnown& known) { return known.read; });
    if (read && walk_->reader().at_end() && !may_have_grown()) return false;
    const TimePoint begun = wall_now();
    bool found = false;
    while (wall_now() - begun < budget) {
        // The last round is complete when another has begun, or when nothing came for a while.
        auto next = walk_->next(quiet_);
        if (!next) {
            known_.with([&](RunKnown& known) {
                known.know(*walk_, !earlier_);
                known.add_gaps({next.error().message});
                known.read = true;
            });
            return false;
        }
        if (*next) {
            found = true;
            known_.with([&](RunKnown& known) { known.take(*std::move(next)); });
            if (!earlier_) store_->mark(*walk_);
        } else if (reach_end(found)) {
            return false;
        }
    }
    return true;
}

bool RecordFollower::reach_end(bool found) {
    quiet_ = !found;
    const store::RunFacts facts = walk_->reader().facts();
    RunState state = state_of(facts.status);
    std::string reason = facts.reason;
    std::uint64_t told = 0;
    if (state == RunState::running && !is_written(disk_, folder_)) {
        // What was read may be older than the writer's last frames: the end comes later.
        quiet_ = true;
        if (!std::exchange(seen_after_its_writer_, true) && walk_->look_again()) return false;
        state = RunState::killed;
        // If the head is lost as well, what was made from the record still tells of it.
        const explanation::JournalHolds holds{facts.born, facts.rounds, facts.last_round};
        told = explanation::ask_witnesses(disk_, folder_, holds).rounds;
        const bool lost = walk_->reader().end_is_lost() || told > facts.last_round;
        reason = lost ? kEndLost : kKilled;
    }
    const bool first = !known_.with([](const RunKnown& known) { return known.read; });
    // Errors will be reported when a round is opened.
    if (first && !earlier_) (void)store_->prepare();
    known_.with([&](RunKnown& known) {
        known.told = told;
        known.finish(state, reason);
        known.know(*walk_, !earlier_);
        known.newest_are_read();
    });
    return true;
}

/// The next round of the walk from the beginning; null: it has met what is known of the end, or
/// there is no more. `in_vain`: it looked for what was written since and found nothing.
Result<SeenRoundPtr> RecordFollower::next_earlier(bool& in_vain) {
    // Rounds that the other walk returned are complete, and so are those before.
    const std::uint64_t newest =
        known_.with([](const RunKnown& known) { return known.index->newest(); });
    if (!earlier_->index.empty() && earlier_->index.newest() >= newest) return SeenRoundPtr();
    auto next = earlier_->walk.next(in_vain);
    if (!next || *next || std::exchange(in_vain, true)) return next;
    return earlier_->walk.look_again() ? earlier_->walk.next(true) : std::move(next);
}

bool RecordFollower::read_earlier(Duration budget) {
    // Errors will be reported when a round is opened.
    if (earlier_->index.empty()) (void)store_->prepare();
    const TimePoint begun = wall_now();
    SeenRoundPtr last;
    bool in_vain = false;
    while (wall_now() - begun < budget) {
        auto next = next_earlier(in_vain);
        if (!next) {
            known_.with([&](RunKnown& known) {
                known.add_gaps({next.error().message});
                known.earlier_rounds.reset();
            });
            earlier_.reset();
            return false;
        }
        if (!*next) {
            known_.with([&](RunKnown& known) {
                known.all_are_read(earlier_->index, earlier_->walk, *walk_, std::move(last));
            });
            earlier_.reset();
            return false;
        }
        earlier_->index.take(**next);
        store_->mark(earlier_->walk);
        last = *std::move(next);
        in_vain = false;
    }
    known_.with([&](RunKnown& known) { known.earlier_rounds = earlier_->index.rounds(); });
    return true;
}

}  // namespace parley::web
