// Store: reads a run back: its header, then round by round. Damage is said, never skipped in
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
    model::RoundInput input;  ///< Empty but for its number if the run keeps decisions only.
    model::Decision decision;
    std::optional<model::Memory> start;      ///< It began with this, not with what was left.
    std::optional<model::Memory> memory;     ///< Before the round, where a keyframe stands.
    std::vector<model::ActionEvent> events;  ///< What came back within it.
};

struct RunFacts {
    RunStatus status = RunStatus::running;  ///< Running also if it was killed.
    std::string reason;
    std::uint64_t rounds = 0;
    std::uint64_t resumed = 0;  ///< How often.
    std::uint64_t epoch = 1;    ///< Above 1: it was repaired.
    std::string born;  ///< The chain when it began, in hexadecimal, by which no other run is taken
                       ///< for it; empty if that is lost.
    /// The last round that was recorded, whether it can be read or not: where frames are lost, the
    /// least that it can be, until a keyframe or the end tells.
    std::uint64_t last_round = 0;
    std::uint64_t last_dropped = 0;  ///< The last whose payload retention took.
    std::vector<StageNote> stages;   ///< Of the process that wrote last; empty: it does not say.
};

/// Where reading may begin, and the first round that then comes.
struct KeyframePlace {
    std::uint64_t round = 0;
    Position position;
};

/// Keyframes from `from` on that still have their payload, in order; `from` is then where to go on
/// with what is written later. Looks at every frame and decodes keyframes alone. `gaps`, if given,
/// gets sentences about what cannot be read.
[[nodiscard]] Result<std::vector<KeyframePlace>> find_keyframes(
    Disk& disk, const std::string& folder, Position& from,
    std::vector<std::string>* gaps = nullptr);

/// The state between two rounds, kept by a reader on its way: reading may begin here as well.
struct Waypoint {
    std::uint64_t round = 0;  ///< The first that then comes.
    Position position;
    std::string input;  ///< Of the round before, packed.
    std::string decision;

    std::size_t bytes() const { return input.size() + decision.size(); }
};

/// A round that is passed on the way to one that is wanted; the memory is that of a keyframe.
using Passed = std::function<void(const model::RoundInput&, const model::Memory*)>;

struct Acknowledged {
    std::uint64_t round = 0;
    bool exact = true;  ///< False: it may be fewer, as nobody knows what the lost frames were.
};

/// A payload with its checksum and digest, as it stands alone in a file.
std::string packed_payload(const std::string& payload);

/// Borrows the disk. One thread at a time. May read while a run is being written.
class RunReader {
public:
    /// Fails with `denied` (nothing there, or of a newer version) or `malformed` (not a run), in
    /// one sentence that says what to do.
    [[nodiscard]] static Result<RunReader> open(Disk& disk, const std::string& folder);

    /// Begins at a keyframe (find_keyframes) of a run whose header is known: any round is then a
    /// few hundred away.
    [[nodiscard]] static Result<RunReader> open_at(Disk& disk, const std::string& folder,
                                                   RunHeader header, const Position& keyframe);

    /// As open_at, from a waypoint of a reader of the same run.
    [[nodiscard]] static Result<RunReader> open_at(Disk& disk, const std::string& folder,
                                                   RunHeader header, const Waypoint& waypoint);
    /// Where it stands; nothing where something is missing.
    std::optional<Waypoint> waypoint() const;
    /// The round that it has begun and not given yet, if any.
    const std::optional<RoundRecord>& begun() const { return current_; }
    /// Of inputs and decisions that it has read, unpacked: what reading costs.
    std::uint64_t bytes() const { return bytes_; }

    /// Begins at the last keyframe of a run, and so near its end; nothing if there is none but its
    /// beginning.
    [[nodiscard]] static Result<std::optional<RunReader>> open_at_last(Disk& disk,
                                                                       const std::string& folder,
                                                                       RunHeader header);

    /// Rounds before this one are not given, but shown to `passed` (may be empty): to copy a round
    /// of a large cluster takes longer than to read it.
    void skip_to(std::uint64_t round, Passed passed);

    /// Rounds are not given, but shown, each as it stands; next() then reads to the end at once. To
    /// copy a round takes longer than to read it, and what nobody holds is changed in place.
    using Shown = std::function<void(const model::RoundInput&, const model::Decision&)>;
    void show_all(Shown shown) { shown_ = std::move(shown); }

    const RunHeader& header() const { return header_; }

    /// The next round, or nothing at the end. After damage the rounds go on from the next keyframe;
    /// gaps() says which are missing.
    [[nodiscard]] Result<std::optional<RoundRecord>> next();

    /// As next(), of a run that somebody else may be writing: keeps the last round back, since more
    /// may come back for it, until a later one begins, the run has ended, or `give_last` is set.
    [[nodiscard]] Result<std::optional<RoundRecord>> next_whole(bool give_last);
    /// At the end: goes on with what was written since.
    [[nodiscard]] Result<void> look_again();

    /// True once every frame was read.
    bool at_end() const { return ended_; }
    /// Sentences about what cannot be read, for people.
    std::vector<std::string> gaps() const { return sentences(missing()); }
    /// The same for programs.
    RunGaps missing() const;
    /// The last round that may have been acknowledged: above the last that can be read, where more
    /// came behind it. Ask at the end.
    Acknowledged acknowledged() const;
    const Report& report() const { return reader_.report(); }
    const RunFacts& facts() const { return facts_; }

    /// SHA-256 over inputs, decisions and events that count. Ask once, when all was read from the
    /// beginning on.
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
    tl::unexpected<Error> damaged(const Frame& frame, const std::string& what) const;

    Disk* disk_;
    std::string folder_;
    JournalReader reader_;
    RunHeader header_;
    bool have_header_ = false;
    bool digests_ = true;        ///< From its beginning on.
    bool lost_ = false;          ///< After damage, until the next keyframe.
    bool damaged_ = false;       ///< Likewise, and not only as retention took what was there.
    bool unread_input_ = false;  ///< Of a round whose decision is still to come, while it is lost.
    bool ended_ = false;
    std::uint64_t expected_sequence_ = 0;
    model::RoundInput input_;                   ///< Of the last round.
    model::Decision decision_;                  ///< Of the last round.
    std::optional<model::RoundInput> pending_;  ///< An input whose decision is still to come.
    Digest pending_digest_{};
    std::uint64_t bytes_ = 0;
    std::uint64_t wanted_from_ = 0;  ///< Rounds before it are passed.
    Passed passed_;
    Shown shown_;
    std::optional<model::Memory> start_;
    std::optional<model::Memory> memory_;
    std::optional<RoundRecord> current_;
    RunFacts facts_;
    std::vector<Damage> damage_;      ///< Found before it looked again.
    std::vector<NumberRange> jumps_;  ///< Rounds that were left out.
    std::vector<GapNote> repairs_;
    std::optional<std::uint64_t> last_round_;  ///< Read; nothing if it began in the middle.
    std::size_t damage_counted_ = 0;           ///< Of the reader's, up to the last frame.
    std::uint64_t unread_ = 0;       ///< Rounds at most since then that could not be read.
    std::uint64_t said_at_end_ = 0;  ///< How many rounds there were, by the run itself; 0: unsaid.
    Sha256 sha_;
};

}  // namespace parley::store
