// Store: the frames of one segment, in order. Pure: bytes in, frames and damage out; never trusts.

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

/// Bytes that are no frames, before it is known whether any is missing.
struct Hole {
    std::uint32_t segment = 0;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;  ///< Without the zeros at the end.
    std::string why;
};

/// The number of the first frame in later segments that is not below `from`; 0 if there is none. A
/// writer that goes on in a new segment leaves an unfinished tail behind damage as it is: numbers
/// from there on are its own.
using Later = std::function<std::uint64_t(std::uint64_t from)>;

/// Bytes of a segment, from one place on.
struct SegmentPart {
    std::string_view bytes;
    std::uint64_t begin = 0;  ///< Where in the segment the first of them is.
    bool to_end = true;       ///< There are no more behind them.
};

/// Gives the frames of a segment that hold: checksum, sequence and chain. Where one does not, looks
/// for the next that does. If a later frame says that what is missing was durable, it is damage and
/// the walk goes on behind it; if none does, it is the torn tail of what was never acknowledged,
/// and the walk ends before it. Borrows the bytes.
class SegmentWalker {
public:
    /// `from` is where to begin; `before` what the segments before it ended with; `continued` says
    /// that a later segment holds frames, which is begun only when this one is durable. Versions
    /// above `version_max` are refused. `later` is asked only where something is broken.
    SegmentWalker(std::string_view bytes, Position from, std::vector<Hole> before, bool continued,
                  std::uint16_t version_max, Later later = {});
    SegmentWalker(const SegmentPart& part, Position from, std::vector<Hole> before, bool continued,
                  std::uint16_t version_max, Later later = {});

    /// The next frame; nothing at the end, if it refuses to go on, or if it needs more.
    std::optional<FrameView> next();

    /// What it has goes on behind its end, and does not hold the next frame: only all that is left
    /// of a segment tells damage from a torn tail.
    bool needs_more() const { return needs_more_; }
    /// Goes on in a part that begins no later than its position.
    void go_on_in(const SegmentPart& part);

    /// Before the frame that next() would give; at the end, where the next one belongs.
    const Position& position() const { return at_; }
    /// Found so far, in order.
    const std::vector<Damage>& damage() const { return damage_; }
    /// At the end: what is not frames there, and in segments before if this one has no frame. Only
    /// the next frame tells whether something is missing; if there is none, it is torn.
    const std::vector<Hole>& holes() const { return holes_; }
    /// Bytes that an earlier writer left unfinished at the end of segments before this one.
    std::uint64_t torn_before() const { return torn_before_; }
    /// Why it does not go on: something that only a newer program understands.
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
