// Store: reads a journal folder, frame by frame; damage is named and never skipped in silence.

#pragma once

#include "base/file.h"
#include "store/journal_head.h"
#include "store/journal_report.h"
#include "store/journal_segment.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace parley::store {

/// Kinds below this one are the caller's.
inline constexpr std::uint8_t kClosingKind = 255;
/// More than a writer ever makes of a segment.
inline constexpr std::uint64_t kSegmentBytesMax = std::uint64_t{1} << 30;

struct Frame {
    std::uint8_t kind = 0;
    std::uint16_t version = 0;
    std::uint64_t sequence = 0;
    bool keyframe = false;
    bool dropped = false;  ///< Retention took the payload: it is empty here and was not.
    std::string payload;
    Digest digest{};  ///< Of the payload, to which it was compared.

    friend bool operator==(const Frame&, const Frame&) = default;
};

struct ReaderOptions {
    std::uint16_t version_max = 1;  ///< Of payloads; the reader refuses newer ones.
    Position from;                  ///< By default the beginning.
    /// How much of a segment is read at once: whoever opens a round in the middle of a long run
    /// needs little of up to 64 MiB. A keyframe of 5,000 nodes and some rounds fit.
    std::uint64_t part_bytes = std::uint64_t{2} << 20;
};

/// Reads while somebody else may write: what is not finished yet counts as a torn tail; but what
/// the journal's head says was acknowledged and is not there is damage. Holds a
/// part of one segment and one payload in memory; where it is damaged, all that is left of it. One
/// thread at a time. Borrows the disk.
class JournalReader {
public:
    /// A folder that is missing or empty is a journal without frames. Fails if the disk does.
    [[nodiscard]] static Result<JournalReader> open(Disk& disk, std::string folder,
                                                    ReaderOptions options = {});

    /// The next frame, or nothing at the end. Fails if the disk does, or with `denied` on
    /// something that only a newer program understands; then it stays there.
    [[nodiscard]] Result<std::optional<Frame>> next();

    /// As next(), without looking at the payload; valid until the next call. Also gives the frames
    /// of kClosingKind that writers leave when they end.
    [[nodiscard]] Result<std::optional<FrameView>> next_view();

    /// Complete when next() has given nothing.
    const Report& report() const { return report_; }
    /// Before the frame that next() would give.
    const Position& position() const { return position_; }
    /// Segments in the folder, and the last of them that holds any frame (0 if none does).
    const std::vector<std::uint32_t>& segments() const { return segments_; }
    std::uint32_t last_live_segment() const { return last_live_; }

private:
    JournalReader(Disk& disk, std::string folder, ReaderOptions options);

    Result<void> find_last_live();
    Later later_than(std::size_t segment) const;
    Result<bool> enter_next_segment();
    Result<std::optional<FrameView>> next_in_segment();
    Result<void> read_on();
    Result<SegmentPart> read_part(std::uint64_t from);
    Result<void> leave_segment();
    void take_damage();
    void count(const FrameHeader& header);
    void compare_with_head();

    Disk* disk_;
    std::string folder_;
    ReaderOptions options_;
    std::optional<JournalHead> head_;  ///< As it was before the segments were looked at.
    std::vector<std::uint32_t> segments_;
    std::size_t next_segment_ = 0;
    std::uint32_t last_live_ = 0;
    std::unique_ptr<File> file_;    ///< The segment that it is in.
    std::uint64_t file_bytes_ = 0;  ///< As it was entered; what is written later is not looked at.
    std::uint64_t part_begin_ = 0;  ///< Of the bytes below.
    std::uint64_t part_bytes_ = 0;  ///< How much to read at once.
    std::unique_ptr<std::string> bytes_;  ///< Behind a pointer, as the walker's views must stay.
    std::optional<SegmentWalker> walker_;
    std::size_t damage_taken_ = 0;
    std::vector<Hole> holes_;
    Position position_;
    Report report_;
};

/// Where to begin in order to read from the last keyframe that still has its payload; nothing if
/// there is none. Usually looks at the last segment alone.
[[nodiscard]] Result<std::optional<Position>> find_last_keyframe(Disk& disk,
                                                                 const std::string& folder,
                                                                 std::uint16_t version_max = 1);

}  // namespace parley::store
