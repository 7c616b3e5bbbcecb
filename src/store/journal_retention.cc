#include "store/journal_retention.h"

#include "store/journal_reader.h"

#include <algorithm>
#include <optional>

namespace parley::store {
namespace {

struct Rewritten {
    std::string bytes;
    std::uint64_t frames_dropped = 0;
};

bool is_dropped(const FrameHeader& header, const Retention& retention) {
    return header.sequence < retention.before_sequence && header.encoding != Encoding::dropped &&
           header.payload_length > 0 && std::ranges::count(retention.kinds, header.kind) > 0;
}

/// Nothing if the segment holds anything but frames and zeros: that is left for people to look at.
std::optional<Rewritten> rewrite(std::string_view bytes, std::uint32_t segment,
                                 const Retention& retention) {
    const Position from{.segment = segment, .offset = 0, .sequence = 0, .chain = std::nullopt};
    SegmentWalker walker(bytes, from, {}, true, retention.version_max);
    Rewritten rewritten;
    while (const auto frame = walker.next()) {
        if (is_dropped(frame->header, retention)) {
            rewritten.bytes += drop_payload(*frame);
            ++rewritten.frames_dropped;
        } else {
            const auto end = static_cast<std::size_t>(walker.position().offset);
            rewritten.bytes += bytes.substr(end - frame->size(), frame->size());
        }
    }
    const bool torn =
        std::ranges::any_of(walker.holes(), [](const Hole& h) { return h.length > 0; });
    if (walker.refusal() || torn || !walker.damage().empty()) return std::nullopt;
    return rewritten;
}

}  // namespace

Result<RetentionReport> drop_payloads(Disk& disk, const std::string& folder,
                                      const Retention& retention) {
    const auto reader =
        JournalReader::open(disk, folder, {.version_max = retention.version_max, .from = {}});
    if (!reader) return tl::unexpected(reader.error());
    RetentionReport report;
    for (const std::uint32_t segment : reader->segments()) {
        const std::uint32_t last = reader->last_live_segment();
        if (segment > last || (segment == last && !retention.last_too)) break;
        const std::string path = join(folder, segment_name(segment));
        const auto bytes = read_own_file(disk, path, kSegmentBytesMax);
        if (!bytes) return tl::unexpected(bytes.error());
        const auto rewritten = rewrite(*bytes, segment, retention);
        if (!rewritten) {
            report.segments_skipped.push_back(segment);
        } else if (rewritten->frames_dropped > 0) {
            const auto written = write_file_atomically(disk, path, rewritten->bytes);
            if (!written) return tl::unexpected(written.error());
            report.frames_dropped += rewritten->frames_dropped;
            report.bytes_freed += bytes->size() - rewritten->bytes.size();
        }
    }
    return report;
}

}  // namespace parley::store
