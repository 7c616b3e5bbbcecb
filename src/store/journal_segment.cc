#include "store/journal_segment.h"

#include "base/check.h"

#include <algorithm>
#include <utility>

namespace parley::store {

SegmentWalker::SegmentWalker(std::string_view bytes, Position from, std::vector<Hole> before,
                             bool continued, std::uint16_t version_max, Later later)
    : SegmentWalker(SegmentPart{bytes}, from, std::move(before), continued, version_max,
                    std::move(later)) {}

SegmentWalker::SegmentWalker(const SegmentPart& part, Position from, std::vector<Hole> before,
                             bool continued, std::uint16_t version_max, Later later)
    : part_(part),
      at_(from),
      holes_(std::move(before)),
      continued_(continued),
      version_max_(version_max),
      later_(std::move(later)) {
    at_.offset = std::min<std::uint64_t>(at_.offset, part_.begin + part_.bytes.size());
}

void SegmentWalker::go_on_in(const SegmentPart& part) {
    PARLEY_CHECK(part.begin <= at_.offset && at_.offset <= part.begin + part.bytes.size());
    part_ = part;
    needs_more_ = false;
}

std::optional<FrameView> SegmentWalker::next() {
    while (!done_) {
        const std::uint64_t offset = at_.offset;
        const auto parsed = parse_frame(rest(offset));
        if (parsed && !refuses(*parsed, offset) && follows(*parsed)) {
            return accept({offset, *parsed});
        }
        needs_more_ = !part_.to_end;
        if (needs_more_) return std::nullopt;
        const std::string why = parsed ? "the chain does not hold" : text_of(parsed.error());
        const auto found = refusal_ ? std::nullopt : find_frame(offset);
        const bool goes_on = found && (continued_ || is_attested(*found));
        if (!goes_on || refusal_) {
            stop(why);
        } else if (auto frame = skip_to(*found, why)) {
            return frame;
        }
    }
    return std::nullopt;
}

bool SegmentWalker::follows(const FrameView& frame) const {
    if (at_.sequence != 0 && frame.header.sequence != at_.sequence) return false;
    return !at_.chain || chain_after(*at_.chain, frame.header) == frame.header.chain;
}

bool SegmentWalker::refuses(const FrameView& frame, std::uint64_t offset) {
    if (frame.header.version <= version_max_) return false;
    refusal_ = "the frame at byte " + std::to_string(offset) + " has version " +
               std::to_string(frame.header.version) + ", and this program reads versions up to " +
               std::to_string(version_max_) + ": use a newer parley";
    return true;
}

/// Whether a later segment continues at or before this number: then this frame was never
/// acknowledged.
bool SegmentWalker::is_superseded(const FrameHeader& header) const {
    if (!continued_ || !later_) return false;
    const std::uint64_t first = later_(at_.sequence);
    return first != 0 && header.sequence >= first;
}

/// The next frame that is intact and not an older one.
std::optional<SegmentWalker::Found> SegmentWalker::find_frame(std::uint64_t from) {
    const std::string_view bytes = part_.bytes;
    for (std::size_t place = find_magic(bytes, static_cast<std::size_t>(from - part_.begin));
         place != std::string_view::npos; place = find_magic(bytes, place + 1)) {
        const std::uint64_t offset = part_.begin + place;
        const auto parsed = parse_frame(bytes.substr(place));
        if (!parsed && parsed.error() == FrameFault::newer_format) {
            refusal_ = "the frame at byte " + std::to_string(offset) +
                       " has a newer format than this program reads: use a newer parley";
            return std::nullopt;
        }
        if (!parsed || parsed->header.sequence < at_.sequence) continue;
        if (refuses(*parsed, offset)) return std::nullopt;
        if (is_superseded(parsed->header)) continue;
        return Found{offset, *parsed};
    }
    return std::nullopt;
}

/// Whether this frame or a later one attests that the frame missing here was durable.
bool SegmentWalker::is_attested(const Found& first) {
    std::optional<Found> found = first;
    while (found && found->frame.header.first_not_durable() <= at_.sequence) {
        found = find_frame(found->offset + found->frame.size());
    }
    return found.has_value();
}

FrameView SegmentWalker::accept(const Found& found) {
    for (const Hole& hole : std::exchange(holes_, {})) torn_before_ += hole.length;
    const FrameHeader& header = found.frame.header;
    at_.offset = found.offset + found.frame.size();
    at_.sequence = header.sequence + 1;
    at_.chain = header.chain;
    return found.frame;
}

/// Reports what is between here and `found`, and returns the frame found unless it is known to be
/// wrong.
std::optional<FrameView> SegmentWalker::skip_to(const Found& found, const std::string& why) {
    const bool is_next = found.frame.header.sequence == at_.sequence;
    const bool is_wrong = is_next && !follows(found.frame);
    const std::uint64_t first_kept = found.frame.header.sequence + (is_wrong ? 1 : 0);
    close_holes(found.offset + (is_wrong ? found.frame.size() : 0), first_kept, why);
    const FrameView frame = accept(found);
    return is_wrong ? std::nullopt : std::optional(frame);
}

/// Reports as damage everything since the last good frame, up to `end`, that is not frames.
void SegmentWalker::close_holes(std::uint64_t end, std::uint64_t first_kept,
                                const std::string& why) {
    const std::uint64_t length = end - at_.offset;
    if (length > 0 || holes_.empty()) {
        holes_.push_back(
            {at_.segment, at_.offset, length, length > 0 ? why : "a frame is missing"});
    }
    for (Hole& hole : std::exchange(holes_, {})) {
        damage_.push_back({hole.segment, hole.offset, hole.length, at_.sequence, first_kept - 1,
                           std::move(hole.why)});
    }
}

void SegmentWalker::stop(const std::string& why) {
    done_ = true;
    const std::string_view left = rest(at_.offset);
    if (left.empty()) return;
    const std::size_t last = left.find_last_not_of('\0');
    const std::uint64_t length = last == std::string_view::npos ? 0 : last + 1;
    holes_.push_back({at_.segment, at_.offset, length, why});
}

}  // namespace parley::store
