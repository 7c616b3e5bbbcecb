// Store: reads a journal folder frame by frame; damage is reported, never skipped in silence.

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

/// The caller may use kinds below this one.
inline constexpr std::uint8_t kClosingKind = 255;
/// A writer never makes a larger segment.
inline constexpr std::uint64_t kSegmentBytesMax = std::uint64_t{1} << 30;

struct Frame {
    std::uint8_t kind = 0;
    std::uint16_t version = 0;
    std::uint64_t sequence = 0;
    bool keyframe = false;
    bool dropped = false;  ///< Retention removed the payload, so it is empty here.
    std::string payload;
    Digest digest{};  ///< Of the payload, which was verified against it.

    friend bool operator==(const Frame&, const Frame&) = default;
};

struct ReaderOptions {
    std::uint16_t version_max = 1;  ///< Of payloads; the reader refuses newer ones.
    Position from;                  ///< By default the beginning.
    /// How much of a segment is read at once: opening a round in the middle of a long run needs
    /// little of up to 64 MiB. Large enough for a keyframe of 5,000 nodes and some rounds.
    std::uint64_t part_bytes = std::uint64_t{2} << 20;
};

/// May read while somebody else writes: an unfinished end counts as a torn tail, unless the
/// journal's head says that it was acknowledged; then it is damage. Holds a part of one segment and
/// one payload in memory; of a damaged segment all that follows. One thread at a time. Borrows the
/// disk.
class JournalReader {
public:
    /// A folder that is missing or empty is a journal without frames. Fails if the disk fails.
    [[nodiscard]] static Result<JournalReader> open(Disk& disk, std::string folder,
                                                    ReaderOptions options = {});

    /// The next frame, or nothing at the end. Fails if the disk fails, or with `denied` at a frame
    /// that only a newer program understands; it does not go beyond that one.
    [[nodiscard]] Result<std::optional<Frame>> next();

    /// Like next(), without reading the payload; valid until the next call. Also returns the
    /// closing frames (kClosingKind) that writers leave at their end.
    [[nodiscard]] Result<std::optional<FrameView>> next_view();

    /// Complete once next() has returned nothing.
    const Report& report() const { return report_; }
    /// The place before the frame that next() would return.
    const Position& position() const { return position_; }
    /// The segments in the folder; and the last of them that holds any frame (0 if none does).
    const std::vector<std::uint32_t>& segments() const { return segments_; }
    std::uint32_t last_live_segment() const { return last_live_; }
    /// What was acknowledged when it was opened; nothing if that is not known.
    const std::optional<JournalHead>& head() const { return head_; }

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
    std::optional<JournalHead> head_;  ///< As it was before the segments were listed.
    bool compared_ = false;            ///< With the head, at the end.
    std::vector<std::uint32_t> segments_;
    std::size_t next_segment_ = 0;
    std::uint32_t last_live_ = 0;
    std::unique_ptr<File> file_;  ///< The segment that is being read.
    /// Its size when it was opened; bytes appended later are not read.
    std::uint64_t file_bytes_ = 0;
    std::uint64_t part_begin_ = 0;  ///< Where `bytes_` begins in the segment.
    std::uint64_t part_bytes_ = 0;  ///< How much to read at once.
    /// Behind a pointer because the walker's views into it must stay valid.
    std::unique_ptr<std::string> bytes_;
    std::optional<SegmentWalker> walker_;
    std::size_t damage_taken_ = 0;
    std::vector<Hole> holes_;
    Position position_;
    Report report_;
};

/// The position of the last keyframe that still has its payload; nothing if there is none. Usually
/// looks at the last segment only.
[[nodiscard]] Result<std::optional<Position>> find_last_keyframe(Disk& disk,
                                                                 const std::string& folder,
                                                                 std::uint16_t version_max = 1);

}  // namespace parley::store
