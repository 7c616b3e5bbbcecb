// Store: reads a run back: its header, then round by round. Damage is reported, never skipped in
// silence.

#pragma once

#include "base/file.h"
#include "base/hash.h"
#include "store/journal_reader.h"
#include "store/run_format.h"
#include "store/run_gaps.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace parley::store {

/// A round as it is in the record.
struct RoundRecord {
    model::RoundInput input;  ///< Empty except for its number if the run keeps decisions only.
    model::Decision decision;
    /// The memory it began with, if that differs from what the round before left.
    std::optional<model::Memory> start;
    std::optional<model::Memory> memory;  ///< The memory before the round, if there is a keyframe.
    std::vector<model::ActionEvent> events;  ///< What came back during the round.
};

struct RunFacts {
    RunStatus status = RunStatus::running;  ///< A run that was killed also reads as running.
    std::string reason;
    std::uint64_t rounds = 0;
    std::uint64_t resumed = 0;  ///< How often it was resumed.
    std::uint64_t epoch = 1;    ///< Above 1: it was repaired.
    /// Identifies the run: the chain at its beginning, in hexadecimal; empty if that is lost.
    std::string born;
    /// The last recorded round, whether it can be read or not. After lost frames it is a lower
    /// bound until the next keyframe or the end.
    std::uint64_t last_round = 0;
    std::vector<NumberRange> dropped;  ///< Rounds whose payload retention removed, in order.
    std::vector<StageNote> stages;     ///< Of the process that wrote last; empty: it does not say.

    /// The last of those that retention removed; 0: none.
    std::uint64_t last_dropped() const { return dropped.empty() ? 0 : dropped.back().last; }
};

/// A place where reading may begin, and the first round it then gives.
struct KeyframePlace {
    std::uint64_t round = 0;
    Position position;
};

/// The keyframes after `from` that still have their payload, in order; `from` is moved to the end,
/// to continue later with what is written by then. Looks at every frame but decodes only keyframes.
/// Sentences about what cannot be read go to `gaps`, if given.
[[nodiscard]] Result<std::vector<KeyframePlace>> find_keyframes(
    Disk& disk, const std::string& folder, Position& from,
    std::vector<std::string>* gaps = nullptr);

/// The state between two rounds, saved by a reader: reading may begin here as well.
struct Waypoint {
    std::uint64_t round = 0;  ///< The first round it then gives.
    Position position;
    std::string input;  ///< The input of the round before, packed.
    std::string decision;

    std::size_t bytes() const { return input.size() + decision.size(); }
};

/// Called for a round that is passed on the way to the wanted one, with its memory if there is a
/// keyframe.
using Passed = std::function<void(const model::RoundInput&, const model::Memory*)>;

struct Acknowledged {
    std::uint64_t round = 0;
    bool exact = true;  ///< False: an upper bound, since nobody knows what the lost frames held.
};

/// RunFacts::born of the run in `folder`, without reading all of it; empty if that is lost.
[[nodiscard]] Result<std::string> born_of(Disk& disk, const std::string& folder);

/// A payload with checksum and digest, for a file of its own.
std::string packed_payload(const std::string& payload);

/// Borrows the disk. One thread at a time. May read while a run is being written.
class RunReader {
public:
    /// Fails with `denied` (nothing there, or a newer version) or `malformed` (not a run), in one
    /// sentence that says what to do.
    [[nodiscard]] static Result<RunReader> open(Disk& disk, const std::string& folder);

    /// Begins at a keyframe (find_keyframes) of a run whose header is known, so that any round is
    /// at most a few hundred rounds away.
    [[nodiscard]] static Result<RunReader> open_at(Disk& disk, const std::string& folder,
                                                   RunHeader header, const Position& keyframe);

    /// Like open_at, from a waypoint of another reader of the same run.
    [[nodiscard]] static Result<RunReader> open_at(Disk& disk, const std::string& folder,
                                                   RunHeader header, const Waypoint& waypoint);
    /// Where it is now; nothing in a gap.
    std::optional<Waypoint> waypoint() const;
    /// The round that was begun and not returned yet, if any.
    const std::optional<RoundRecord>& begun() const { return current_; }
    /// Size of the inputs and decisions read so far, decompressed: a measure of what reading costs.
    std::uint64_t bytes() const { return bytes_; }

    /// Begins at the last keyframe, near the end of the run; nothing if that is the beginning.
    [[nodiscard]] static Result<std::optional<RunReader>> open_at_last(Disk& disk,
                                                                       const std::string& folder,
                                                                       RunHeader header);

    /// Rounds before this one are not returned but shown to `passed` (may be empty), because
    /// copying a round of a large cluster takes longer than reading it.
    void skip_to(std::uint64_t round, Passed passed);

    /// Rounds are shown to this function instead of being returned; next() then reads to the end in
    /// one call. Copying a round takes longer than reading it, and a value that nobody else holds
    /// can be changed in place.
    using Shown = std::function<void(const model::RoundInput&, const model::Decision&)>;
    void show_all(Shown shown) { shown_ = std::move(shown); }

    const RunHeader& header() const { return header_; }

    /// The next round, or nothing at the end. After damage it continues at the next keyframe;
    /// gaps() says which rounds are missing.
    [[nodiscard]] Result<std::optional<RoundRecord>> next();

    /// Like next(), for a run that may still be written: holds back the last round, for which more
    /// events may come, until a later one begins, the run has ended, or `give_last` is set.
    [[nodiscard]] Result<std::optional<RoundRecord>> next_whole(bool give_last);
    /// At the end: continues with what was written since.
    [[nodiscard]] Result<void> look_again();

    /// True once every frame was read.
    bool at_end() const { return ended_; }
    /// Sentences about what cannot be read, for people.
    std::vector<std::string> gaps() const { return sentences(missing()); }
    /// What cannot be read, as values.
    RunGaps missing() const;
    /// The last round that may have been acknowledged: later than the last readable one if frames
    /// after that are lost. Valid at the end.
    Acknowledged acknowledged() const;
    /// Whether frames after the last one were acknowledged and are lost, so that nobody knows how
    /// the run ended. Valid at the end.
    bool end_is_lost() const { return lost_since(damage_counted_) > 0; }
    const Report& report() const { return reader_.report(); }
    const RunFacts& facts() const { return facts_; }

    /// SHA-256 over the inputs, decisions and events that count. Call it once, after everything was
    /// read from the beginning.
    std::string digest();

private:
    RunReader(Disk& disk, std::string folder, JournalReader reader);

    Result<std::optional<RoundRecord>> next_begun();

    void note_losses(const Frame& frame);
    Result<bool> take(const Frame& frame);
    Result<bool> take_note(const Frame& frame);
    Result<bool> decide_round(const Frame& frame);
    std::uint64_t at_most_rounds(std::uint64_t frames) const;
    std::uint64_t lost_since(std::size_t counted) const;
    void note_round();
    void cover(const Frame& frame);
    void cover(std::uint8_t kind, const Digest& digest);
    void count_unread(RunFrame kind);
    void note_dropped(std::uint64_t round);
    tl::unexpected<Error> damaged(const Frame& frame, const std::string& what) const;

    Disk* disk_;
    std::string folder_;
    JournalReader reader_;
    RunHeader header_;
    bool have_header_ = false;
    bool digests_ = true;   ///< It has read everything from the beginning, so there is a digest.
    bool lost_ = false;     ///< After damage or dropped payloads, until the next keyframe.
    bool damaged_ = false;  ///< Like `lost_`, but only after real damage, not after retention.
    bool unread_input_ = false;  ///< While lost: an input was seen whose decision is still to come.
    bool ended_ = false;
    std::uint64_t expected_sequence_ = 0;
    model::RoundInput input_;                   ///< Of the last round.
    model::Decision decision_;                  ///< Of the last round.
    std::optional<model::RoundInput> pending_;  ///< An input whose decision is still to come.
    Digest pending_digest_{};
    std::uint64_t bytes_ = 0;
    std::uint64_t wanted_from_ = 0;  ///< Rounds before it are passed over.
    Passed passed_;
    Shown shown_;
    std::optional<model::Memory> start_;
    std::optional<model::Memory> memory_;
    std::optional<RoundRecord> current_;
    RunFacts facts_;
    std::vector<Damage> damage_;      ///< Found before look_again().
    std::vector<NumberRange> jumps_;  ///< Rounds that are missing.
    std::vector<GapNote> repairs_;
    /// The last round read; nothing if it began in the middle.
    std::optional<std::uint64_t> last_round_;
    /// How many of the reader's damages were counted up to the last frame.
    std::size_t damage_counted_ = 0;
    std::uint64_t unread_ = 0;  ///< The most rounds that may have been lost since then.
    /// How many rounds there were, as the run itself says; 0: it does not say.
    std::uint64_t said_at_end_ = 0;
    Sha256 sha_;
};

}  // namespace parley::store
