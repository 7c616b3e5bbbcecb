#include "apps/runs/record_state.h"

#include "apps/runs/cluster_log.h"
#include "apps/shelf/brains.h"
#include "layers/explanation/derived/witness.h"
#include "replay/replay.h"
#include "store/journal.h"
#include "store/run_reader.h"
#include "store/run_writer.h"

#include <algorithm>
#include <utility>

namespace parley::app {
namespace {

/// Losses that no repair has declared; empty: none.
std::string damage_of(const store::RunGaps& gaps) {
    const auto lost = undeclared(gaps);
    if (lost.empty()) return {};
    std::string text = "its record is damaged: " + text_of(lost.front());
    if (lost.size() > 1) text += ", and " + std::to_string(lost.size() - 1) + " more";
    return text;
}

/// Reads to the end; returns the state after the last round.
Result<store::Keyframe> read_to_end(store::RunReader& reader, const prediction::Brains& brains,
                                    ClusterOwed& owed) {
    if (reader.header().record == store::RecordLevel::full) {
        return replay::recover(reader, brains, [&](const auto& round, const auto& events) {
            owed.take(round, events);
        });
    }
    store::Keyframe last;
    while (true) {
        auto round = reader.next();
        if (!round) return tl::unexpected(round.error());
        if (!*round) return last;
        last.decision = std::move((*round)->decision);
        owed.take(last.decision, (*round)->events);
    }
}

/// Whether the last process came to its end, and did not fail in the middle of a round.
bool came_to_its_end(store::RunStatus status) {
    return status == store::RunStatus::complete || status == store::RunStatus::stopped;
}

Result<prediction::Brains> brains_for(Disk& disk, const std::string& folder,
                                      const prediction::Brains* given,
                                      const store::RunHeader& header) {
    if (given != nullptr) return *given;
    return recorded_brains(disk, folder, header.policy);
}

/// Compares with everything else that knows about rounds.
void ask_witnesses(Disk& disk, const std::string& folder, std::uint64_t rounds,
                   RecordState& state) {
    const std::uint64_t last = state.acknowledged.round;
    const auto told = explanation::ask_witnesses(disk, folder, {state.born, rounds, last});
    if (!told.foreign.empty()) state.notes.push_back(told.foreign + ", and is made anew");
    state.trouble = damage_of(state.gaps);
    if (state.trouble.empty()) state.trouble = told.beyond;
    std::uint64_t known = told.rounds;
    if (state.header.simulated) {
        const std::uint64_t asked = last_round_asked(disk, folder, state.header.interval);
        if (state.trouble.empty() && asked > last) {
            state.trouble = "cluster.log remembers what was asked for in round " +
                            std::to_string(asked) + ", and the journal ends with round " +
                            std::to_string(last);
        }
        known = std::max(known, asked);
    }
    if (state.trouble.empty()) return;
    // If run.db was made when the journal ended there, it knows how many there were.
    const auto head = store::read_head(disk, store::journal_folder(folder));
    const bool counted = state.epoch == 1 && head && head->chain == told.chain;
    if (counted) {
        state.acknowledged = {std::max(state.last.decision.round, known), true};
    } else if (known > last) {
        state.acknowledged = {known, false};
    }
}

}  // namespace

Result<RecordState> read_state(Disk& disk, const std::string& folder,
                               const prediction::Brains* brains, const HeaderCheck& check) {
    // Opened once before locking, which needs a folder: what is not a run is reported.
    if (auto there = store::RunReader::open(disk, folder); !there) {
        return tl::unexpected(there.error());
    }
    RecordState state;
    auto lock = store::lock_journal(disk, store::journal_folder(folder));
    if (!lock) return tl::unexpected(lock.error());
    state.lock = *std::move(lock);
    auto reader = store::RunReader::open(disk, folder);
    if (!reader) return tl::unexpected(reader.error());
    state.header = reader->header();
    if (check) {
        if (auto fine = check(state.header); !fine) return tl::unexpected(fine.error());
    }
    const auto served = brains_for(disk, folder, brains, state.header);
    if (!served) return tl::unexpected(served.error());
    auto last = read_to_end(*reader, *served, state.owed);
    if (!last) return tl::unexpected(last.error());
    if (came_to_its_end(reader->facts().status)) state.owed.end();
    state.last = *std::move(last);
    state.acknowledged = reader->acknowledged();
    state.born = reader->facts().born;
    state.epoch = reader->facts().epoch;
    state.gaps = reader->missing();
    ask_witnesses(disk, folder, reader->facts().rounds, state);
    return state;
}

}  // namespace parley::app
