// Store: the frames of one segment, in order. Pure: bytes in, frames and damage out. The bytes are
// not trusted.

#pragma once

#include "store/frame.h"
#include "store/journal_report.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::store {

/// Bytes that are not frames, before it is known whether frames are missing there.
struct Hole {
    std::uint32_t segment = 0;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;  ///< Without the zeros at the end.
    std::string why;
};

/// The number of the first frame in later segments that is not below `from`; 0 if there is none. A
/// writer that continues in a new segment leaves an unfinished tail after damage as it is: from
/// that number on, frames belong to the new segment.
using Later = std::function<std::uint64_t(std::uint64_t from)>;

/// A part of a segment's bytes.
struct SegmentPart {
    std::string_view bytes;
    std::uint64_t begin = 0;  ///< Where in the segment they begin.
    bool to_end = true;       ///< They reach to the end of the segment.
};

/// Returns the frames of a segment whose checksum, sequence and chain are right. At one that is
/// not, it looks for the next that is. If a later frame says that the missing bytes were durable,
/// they are damage and the walk continues after them; if none does, they are the torn tail of
/// something never acknowledged, and the walk ends before them. Borrows the bytes.
class SegmentWalker {
public:
    /// Begins at `from`; `before` are the holes at the end of earlier segments; `continued` says
    /// that a later segment holds frames, which implies that this one was durable. Refuses versions
    /// above `version_max`. `later` is called only if something is broken.
    SegmentWalker(std::string_view bytes, Position from, std::vector<Hole> before, bool continued,
                  std::uint16_t version_max, Later later = {});
    SegmentWalker(const SegmentPart& part, Position from, std::vector<Hole> before, bool continued,
                  std::uint16_t version_max, Later later = {});

    /// The next frame; nothing at the end, if refusal() or if needs_more().
    std::optional<FrameView> next();

    /// The segment continues after the bytes it has, and they do not hold the next frame: only the
    /// rest of the segment tells damage from a torn tail.
    bool needs_more() const { return needs_more_; }
    /// Continues in a part that begins no later than its position.
    void go_on_in(const SegmentPart& part);

    /// The place before the frame that next() would return; at the end, the place for the next
    /// frame.
    const Position& position() const { return at_; }
    /// Damage found so far, in order.
    const std::vector<Damage>& damage() const { return damage_; }
    /// At the end: bytes there that are not frames, and those of earlier segments if this one has
    /// no frame. Only a following frame tells whether something is missing; if none follows, they
    /// are a torn tail.
    const std::vector<Hole>& holes() const { return holes_; }
    /// Bytes that an earlier writer left unfinished at the end of earlier segments.
    std::uint64_t torn_before() const { return torn_before_; }
    /// Why it stopped: at something that only a newer program understands.
    const std::optional<std::string>& refusal() const { return refusal_; }

private:
    struct Found {
        std::uint64_t offset;
        FrameView frame;
    };

    bool follows(const FrameView& frame) const;
    bool refuses(const FrameView& frame, std::uint64_t offset);
    bool is_superseded(const FrameHeader& header) const;
    std::optional<Found> find_frame(std::uint64_t from);
    bool is_attested(const Found& first);
    void close_holes(std::uint64_t end, std::uint64_t first_kept, const std::string& why);
    FrameView accept(const Found& found);
    std::optional<FrameView> skip_to(const Found& found, const std::string& why);
    void stop(const std::string& why);

    std::string_view rest(std::uint64_t offset) const {
        return part_.bytes.substr(static_cast<std::size_t>(offset - part_.begin));
    }

    SegmentPart part_;
    Position at_;
    std::vector<Hole> holes_;
    bool continued_;
    std::uint16_t version_max_;
    Later later_;
    std::vector<Damage> damage_;
    std::uint64_t torn_before_ = 0;
    std::optional<std::string> refusal_;
    bool done_ = false;
    bool needs_more_ = false;
};

}  // namespace parley::store
