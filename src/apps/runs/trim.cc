#include "apps/runs/trim.h"

#include "base/number.h"
#include "base/quantity.h"
#include "layers/explanation/derived/derived.h"
#include "layers/explanation/derived/witness.h"
#include "store/journal.h"
#include "store/run_trim.h"
#include "store/run_writer.h"

#include <algorithm>
#include <utility>

namespace parley::app {
namespace {

struct RoundAt {
    std::uint64_t round = 0;
    TimePoint at;
};

/// Why it must not be trimmed: what is missing would look like what was dropped.
Result<void> check_whole(Disk& disk, const std::string& run, const store::RunReader& reader,
                         std::uint64_t last) {
    const auto lost = store::undeclared(reader.missing());
    const explanation::JournalHolds holds{reader.facts().born, reader.facts().rounds, last};
    const std::string why = lost.empty() ? explanation::ask_witnesses(disk, run, holds).beyond
                                         : "its record is damaged: " + text_of(lost.front());
    if (why.empty()) return {};
    return fail(ErrorCode::malformed, "cannot trim " + run + ": " + why + "; `parley repair " +
                                          run + "` keeps what is damaged aside, and then it can");
}

/// The first round to keep.
Result<std::uint64_t> wanted_from(const std::vector<RoundAt>& rounds, const Keep& keep,
                                  store::RecordLevel level) {
    if (keep.rounds) {
        const std::size_t kept = static_cast<std::size_t>(
            std::min<std::uint64_t>(std::max<std::uint64_t>(*keep.rounds, 1), rounds.size()));
        return rounds[rounds.size() - kept].round;
    }
    if (level != store::RecordLevel::full) {
        return fail(ErrorCode::denied,
                    "this run kept decisions only, and so no times; say --keep-rounds");
    }
    const TimePoint from = rounds.back().at - *keep.span;
    return std::ranges::find_if(rounds, [&](const RoundAt& each) { return each.at >= from; })
        ->round;
}

/// While they are missing they are made anew by whoever needs them; old ones would be taken for
/// the only witness of what was dropped.
Result<void> clear_derived(Disk& disk, const std::string& run) {
    for (const char* name : {"run.db", "events.jsonl", "state.json"}) {
        if (auto gone = clear_file(disk, join(run, name)); !gone) return gone;
    }
    return disk.sync_directory(run);
}

std::string count(std::uint64_t value) { return thousands(static_cast<std::int64_t>(value)); }

std::string left_text(const Trimmed& trimmed) {
    return store::rounds_text({trimmed.first_round, trimmed.last_round});
}

std::string unchanged_text(const Trimmed& trimmed) {
    const std::string nothing = "Nothing was dropped: " + trimmed.run;
    if (trimmed.wanted_from <= trimmed.first_round) {
        return nothing + " has only " + left_text(trimmed) + ", and all of it is to be kept.\n";
    }
    return nothing + " has " + left_text(trimmed) + ", and from round " +
           std::to_string(trimmed.wanted_from) +
           " on it is to be kept; it can be cut every 600 rounds or 8 MiB, and where it was gone "
           "on "
           "with, and no such place lies before that.\n";
}

}  // namespace

Result<Trimmed> trim(Disk& disk, const std::string& run, const Keep& keep,
                     const std::function<void(std::uint64_t rounds)>& progress) {
    // Opened once before locking, which needs a folder: what is not a run is reported.
    if (auto there = store::RunReader::open(disk, run); !there) {
        return tl::unexpected(there.error());
    }
    const auto lock = store::lock_journal(disk, store::journal_folder(run));
    if (!lock) return tl::unexpected(lock.error());
    auto reader = store::RunReader::open(disk, run);
    if (!reader) return tl::unexpected(reader.error());
    std::vector<RoundAt> rounds;
    reader->show_all([&](const model::RoundInput& input, const model::Decision& decision) {
        rounds.push_back({decision.round, input.now});
        if (progress) progress(rounds.size());
    });
    if (const auto read = reader->next(); !read) return tl::unexpected(read.error());
    if (rounds.empty()) return fail(ErrorCode::denied, run + " holds no round that can be read");
    Trimmed out{.run = run, .first_round = rounds.front().round, .last_round = rounds.back().round};
    if (auto whole = check_whole(disk, run, *reader, out.last_round); !whole) {
        return tl::unexpected(whole.error());
    }
    const auto from = wanted_from(rounds, keep, reader->header().record);
    if (!from) return tl::unexpected(from.error());
    out.wanted_from = *from;
    const auto cut = store::cut_before(disk, run, out.first_round, *from);
    if (!cut) return tl::unexpected(cut.error());
    if (!*cut) return out;
    if (auto cleared = clear_derived(disk, run); !cleared) return tl::unexpected(cleared.error());
    const auto dropped = store::drop_rounds(disk, run, **cut);
    if (!dropped) return within("trimming " + run, dropped.error());
    const auto kept = std::ranges::lower_bound(rounds, (*cut)->round, {}, &RoundAt::round);
    out.rounds_dropped = static_cast<std::uint64_t>(kept - rounds.begin());
    out.first_round = kept->round;
    out.bytes_freed = dropped->bytes_freed;
    out.segments_left = dropped->segments_skipped;
    const auto derived = explanation::rebuild(disk, run);
    if (!derived) {
        return within("the run is trimmed, what is derived from it is not made", derived.error());
    }
    return out;
}

std::string text_of(const Trimmed& trimmed) {
    if (trimmed.rounds_dropped == 0) return unchanged_text(trimmed);
    std::string text = "Dropped " + count(trimmed.rounds_dropped) +
                       (trimmed.rounds_dropped == 1 ? " round of " : " rounds of ") + trimmed.run +
                       ", " + show_bytes(static_cast<std::int64_t>(trimmed.bytes_freed)) +
                       "B of its journal. Left: " + left_text(trimmed) + ".\n";
    if (trimmed.first_round < trimmed.wanted_from) {
        text += "Asked for was from round " + std::to_string(trimmed.wanted_from) +
                " on; what lies between two places at which it can be cut stays together.\n";
    }
    for (const std::uint32_t segment : trimmed.segments_left) {
        text += "journal/" + store::segment_name(segment) +
                " is damaged, as a repair has declared, and stays as it is.\n";
    }
    return text +
           "why, why-not and replay answer about what is left, and --resume goes on with it; of "
           "the "
           "rest only the chain is left, which still verifies. events.jsonl, state.json and run.db "
           "were made anew.\n";
}

}  // namespace parley::app
