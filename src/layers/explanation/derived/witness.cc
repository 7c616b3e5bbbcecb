#include "layers/explanation/derived/witness.h"

#include "base/hash.h"
#include "base/number.h"

#include <algorithm>
#include <string_view>

namespace parley::explanation {
namespace {

/// The number after the last "round": in a file of lines; 0 if there is none.
std::uint64_t last_round_in(std::string_view text) {
    constexpr std::string_view kKey = "\"round\":";
    // prose: a key of JSON; the last line may be cut off, and then cannot be parsed.
    const std::size_t at = text.rfind(kKey);
    if (at == std::string_view::npos) return 0;
    const std::string_view rest = text.substr(at + kKey.size());
    // prose: the number after that key.
    const auto number = parse_uint64(rest.substr(0, rest.find_first_not_of("0123456789")));
    return number ? *number : 0;
}

/// What run.db tells. Returns it if it is another run's: then it vouches for files of that run.
std::optional<DerivedMeta> ask_database(Disk& disk, const std::string& path,
                                        const JournalHolds& holds, Witnesses& out) {
    const auto meta = sealed_meta(disk, path);
    if (!meta) return std::nullopt;
    if (is_of_another_run(meta->born, holds.born)) {
        out.foreign = path + " is of another run";
        return meta;
    }
    out.chain = meta->chain_head;
    out.rounds = meta->rounds;
    if (meta->rounds > holds.rounds) {
        out.beyond = path + " tells of " + std::to_string(meta->rounds) +
                     " rounds, and the journal holds " + std::to_string(holds.rounds);
    }
    return std::nullopt;
}

void ask_events(Disk& disk, const std::string& path, const JournalHolds& holds,
                const std::optional<DerivedMeta>& foreign, Witnesses& out) {
    const auto text = read_own_file(disk, path);
    if (!text) return;
    const bool theirs =
        foreign && text->size() == foreign->events_bytes && crc32c(*text) == foreign->events_crc;
    if (theirs) return;
    const std::uint64_t told = last_round_in(*text);
    out.rounds = std::max(out.rounds, told);
    // A run.db of ours vouches for what the events say, or knows that they were edited.
    if (told <= holds.last || !out.beyond.empty() || !out.chain.empty()) return;
    out.beyond = path + " tells of round " + std::to_string(told) +
                 ", and the journal ends with round " + std::to_string(holds.last);
}

}  // namespace

bool is_of_another_run(const std::string& born, const std::string& ours) {
    return !born.empty() && !ours.empty() && born != ours;
}

std::optional<DerivedMeta> sealed_meta(Disk& disk, const std::string& path) {
    const auto there = disk.kind(path);
    if (!there || *there != PathKind::file) return std::nullopt;
    const auto meta = read_meta(path);
    if (!meta) return std::nullopt;
    if (meta->format >= kSealedSince && !is_sealed(disk, path)) return std::nullopt;
    return *meta;
}

Witnesses ask_witnesses(Disk& disk, const std::string& run, const JournalHolds& holds) {
    Witnesses out;
    const auto foreign = ask_database(disk, join(run, "run.db"), holds, out);
    ask_events(disk, join(run, "events.jsonl"), holds, foreign, out);
    return out;
}

}  // namespace parley::explanation
