#include "apps/runs/repair.h"

#include "apps/runs/record_state.h"
#include "base/clock.h"
#include "layers/decide.h"
#include "store/journal_report.h"
#include "store/run_writer.h"
#include "version.h"

#include <algorithm>
#include <set>
#include <utility>

namespace parley::app {
namespace {

constexpr int kTriesMax = 10'000;

/// Creates the first of journal/damaged-1, -2, ... that is free.
Result<std::string> make_aside(Disk& disk, const std::string& run) {
    for (int i = 1; i < kTriesMax; ++i) {
        const std::string name = "journal/damaged-" + std::to_string(i);
        const auto made = disk.make_directory(join(run, name));
        if (made) return name;
        if (disk_fault(made.error()) != DiskFault::taken) return tl::unexpected(made.error());
    }
    return fail(ErrorCode::denied, "there are too many folders journal/damaged-N in " + run);
}

Result<void> copy(Disk& disk, const std::string& from, const std::string& to) {
    const auto there = disk.kind(from);
    if (!there) return tl::unexpected(there.error());
    if (*there != PathKind::file) return {};  // Already gone, or not a file of ours.
    const auto bytes = read_own_file(disk, from);
    if (!bytes) return tl::unexpected(bytes.error());
    return write_file_atomically(disk, to, *bytes);
}

/// Copies first, so that after a crash nothing is only half anywhere.
Result<void> keep_aside(Disk& disk, const std::string& run, const std::string& aside,
                        const RecordState& state) {
    const std::string journal = store::journal_folder(run);
    std::set<std::uint32_t> segments;
    for (const store::Damage& each : undeclared(state.gaps)) segments.insert(each.segment);
    for (const std::uint32_t each : segments) {
        const std::string name = store::segment_name(each);
        if (auto kept = copy(disk, join(journal, name), join(aside, name)); !kept) return kept;
    }
    if (auto kept = copy(disk, join(journal, "head"), join(aside, "head")); !kept) return kept;
    for (const char* name : {"run.db", "events.jsonl", "state.json"}) {
        const std::string from = join(run, name);
        if (auto kept = copy(disk, from, join(aside, name)); !kept) return kept;
        if (auto moved = clear_file(disk, from); !moved) return moved;
    }
    return disk.sync_directory(run);
}

store::GapNote note_of(const RecordState& state, const std::string& aside) {
    store::GapNote note{.epoch = state.epoch + 1,
                        .acknowledged = state.acknowledged.round,
                        .aside = aside,
                        .program = kProgram,
                        .wall_us = wall_now().us,
                        .exact = state.acknowledged.exact};
    for (const store::Damage& each : undeclared(state.gaps)) {
        note.frames.push_back({each.first_lost, each.last_lost});
        note.why.push_back(text_of(each));
    }
    if (note.why.empty()) note.why.push_back(state.trouble);
    const std::uint64_t last = state.last.decision.round;
    for (const store::NumberRange& each : state.gaps.rounds) {
        const bool declared = std::ranges::any_of(state.gaps.repairs, [&](const auto& before) {
            return std::ranges::count(before.rounds, each) > 0;
        });
        if (!declared && each.first <= last) note.rounds.push_back(each);
    }
    // An earlier repair after which nothing was recorded has declared a part of this.
    std::uint64_t from = last;
    for (const store::GapNote& before : state.gaps.repairs) {
        from = std::max(from, before.acknowledged);
    }
    const std::uint64_t to = state.acknowledged.round;
    if (to > from) note.rounds.push_back({from + 1, to});
    return note;
}

}  // namespace

Result<Repaired> repair(Disk& disk, const std::string& run) {
    auto state = read_state(disk, run, nullptr, [](const store::RunHeader& header) -> Result<void> {
        if (header.rules_version == kRulesVersion) return {};
        return fail(ErrorCode::denied,
                    "the run was recorded under rules_version " +
                        std::to_string(header.rules_version) + ", this program decides by " +
                        std::to_string(kRulesVersion) +
                        ", and could not go on with it; all that can be read of it is read as it "
                        "is, and nothing was changed");
    });
    if (!state) return within("repairing " + run, state.error());
    Repaired out{.run = run,
                 .damaged = !state->trouble.empty(),
                 .rounds_readable = state->last.decision.round,
                 .epoch = state->epoch,
                 .next_round = state->acknowledged.round + 1};
    if (!out.damaged) return out;
    const auto aside = make_aside(disk, run);
    if (!aside) return tl::unexpected(aside.error());
    out.aside = *aside;
    if (auto kept = keep_aside(disk, run, join(run, *aside), *state); !kept) {
        return within("keeping what is damaged aside", kept.error());
    }
    const store::GapNote note = note_of(*state, *aside);
    store::Keyframe last = std::move(state->last);
    last.decision.round = state->acknowledged.round;  // So that the next round is the one after it.
    auto declared = store::RunWriter::declare(disk, run, std::move(state->lock), note, last);
    if (!declared) return within("declaring what is lost", declared.error());
    out.epoch = note.epoch;
    out.gone = store::sentences({.repairs = {note}});
    return out;
}

std::string text_of(const Repaired& repaired) {
    if (!repaired.damaged) {
        return "Nothing is damaged: " + repaired.run + " holds all rounds up to " +
               std::to_string(repaired.rounds_readable) + ".\n";
    }
    std::string text = "Repaired: " + repaired.run + " can be gone on with.\n";
    for (const std::string& each : repaired.gone) text += "  " + each + "\n";
    return text + "Go on with --resume: round " + std::to_string(repaired.next_round) +
           " is the next.\n";
}

}  // namespace parley::app
