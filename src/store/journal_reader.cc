#include "store/journal_reader.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <utility>

namespace parley::store {
namespace {

Result<std::string> read_segment(Disk& disk, const std::string& folder, std::uint32_t segment) {
    return read_own_file(disk, join(folder, segment_name(segment)), kSegmentBytesMax);
}

struct OpenSegment {
    std::unique_ptr<File> file;
    std::uint64_t bytes = 0;
};

Result<OpenSegment> open_segment(Disk& disk, const std::string& folder, std::uint32_t segment) {
    const std::string path = join(folder, segment_name(segment));
    auto file = disk.open(path, OpenMode::read_own);
    if (!file) return tl::unexpected(file.error());
    const auto bytes = (*file)->size();
    if (!bytes) return tl::unexpected(bytes.error());
    if (*bytes > kSegmentBytesMax) {
        return fail(ErrorCode::malformed,
                    "cannot read " + path + ": its " + std::to_string(*bytes) +
                        " bytes exceed the limit of " + std::to_string(kSegmentBytesMax));
    }
    return OpenSegment{*std::move(file), *bytes};
}

Result<std::vector<std::uint32_t>> list_segments(Disk& disk, const std::string& folder) {
    const auto names = disk.list(folder);
    if (!names) {
        if (disk_fault(names.error()) == DiskFault::missing) return std::vector<std::uint32_t>{};
        return tl::unexpected(names.error());
    }
    std::vector<std::uint32_t> segments;
    for (const std::string& name : *names) {
        if (const auto segment = segment_number(name)) segments.push_back(*segment);
    }
    std::ranges::sort(segments);
    return segments;
}

/// A position at which nothing is known about the frames before.
Position somewhere(std::uint32_t segment) {
    return {.segment = segment, .offset = 0, .sequence = 0, .chain = std::nullopt};
}

/// Enough to find the frames at the beginning of a segment without reading all of it: the keyframe
/// of a cluster of 5,000 nodes, which comes first, takes 1.3 MB.
constexpr std::uint64_t kBeginningBytes = std::uint64_t{4} << 20;
constexpr std::uint64_t kGlanceBytes = std::uint64_t{64} << 10;  // Enough for most frames.

/// The first frame of a segment; nothing if it is not intact.
std::optional<FrameHeader> first_frame(Disk& disk, const std::string& path) {
    const auto file = disk.open(path, OpenMode::read_own);
    if (!file) return std::nullopt;
    for (const std::uint64_t most : {kGlanceBytes, kBeginningBytes}) {
        const auto beginning = (*file)->read(0, most);
        if (!beginning) return std::nullopt;
        const auto frame = parse_frame(*beginning);
        if (frame) return frame->header;
        if (frame.error() != FrameFault::cut_short) return std::nullopt;
    }
    return std::nullopt;
}

/// The number of the first frame in a segment that is not below `from`; 0 if there is none or it
/// cannot be read. The latter is reported when the segment is entered.
std::uint64_t first_number(Disk& disk, const std::string& path, std::uint64_t from,
                           std::uint16_t version_max) {
    const auto first = first_frame(disk, path);
    if (first && first->sequence >= from) return first->sequence;
    const auto bytes = read_own_file(disk, path, kSegmentBytesMax);
    if (!bytes) return 0;
    const Position unknown{.segment = 0, .offset = 0, .sequence = from, .chain = std::nullopt};
    const auto found = SegmentWalker(*bytes, unknown, {}, true, version_max).next();
    return found ? found->header.sequence : 0;
}

/// Whether the first frame of a segment is intact, so that the segment surely holds one.
bool begins_whole(Disk& disk, const std::string& path, std::uint16_t version_max) {
    const auto first = first_frame(disk, path);
    return first && first->version <= version_max;
}

tl::unexpected<Error> refused(const std::string& folder, std::uint32_t segment,
                              const std::string& why) {
    return fail(ErrorCode::denied,
                "cannot read " + join(folder, segment_name(segment)) + ": " + why);
}

}  // namespace

JournalReader::JournalReader(Disk& disk, std::string folder, ReaderOptions options)
    : disk_(&disk), folder_(std::move(folder)), options_(options), position_(options_.from) {}

Result<JournalReader> JournalReader::open(Disk& disk, std::string folder, ReaderOptions options) {
    JournalReader reader(disk, std::move(folder), options);
    reader.head_ = read_head(disk, reader.folder_);
    auto segments = list_segments(disk, reader.folder_);
    if (!segments) return tl::unexpected(segments.error());
    reader.segments_ = std::move(*segments);
    const auto found = reader.find_last_live();
    if (!found) return tl::unexpected(found.error());
    const auto first = std::ranges::lower_bound(reader.segments_, reader.options_.from.segment);
    reader.next_segment_ = static_cast<std::size_t>(first - reader.segments_.begin());
    return reader;
}

/// A segment is begun only when the one before it is durable; so what is missing before a segment
/// with frames is damage.
Result<void> JournalReader::find_last_live() {
    for (const std::uint32_t segment : segments_ | std::views::reverse) {
        if (begins_whole(*disk_, join(folder_, segment_name(segment)), options_.version_max)) {
            last_live_ = segment;
            break;
        }
        const auto bytes = read_segment(*disk_, folder_, segment);
        if (!bytes) return tl::unexpected(bytes.error());
        SegmentWalker walker(*bytes, somewhere(segment), {}, false, options_.version_max);
        const bool live = walker.next().has_value();
        if (walker.refusal()) return refused(folder_, segment, *walker.refusal());
        if (live) {
            last_live_ = segment;
            break;
        }
    }
    return {};
}

/// Looks at the segments from this index on. Answers are kept, since each costs reading a file.
Later JournalReader::later_than(std::size_t segment) const {
    std::vector<std::string> paths;
    for (std::size_t i = segment + 1; i < segments_.size(); ++i) {
        paths.push_back(join(folder_, segment_name(segments_[i])));
    }
    std::map<std::uint64_t, std::uint64_t> known;
    return [disk = disk_, version_max = options_.version_max, paths = std::move(paths),
            known = std::move(known)](std::uint64_t from) mutable {
        const auto [answer, is_new] = known.emplace(from, 0);
        for (std::size_t i = 0; is_new && answer->second == 0 && i < paths.size(); ++i) {
            answer->second = first_number(*disk, paths[i], from, version_max);
        }
        return answer->second;
    };
}

Result<bool> JournalReader::enter_next_segment() {
    if (next_segment_ == segments_.size()) return false;
    const std::uint32_t segment = segments_[next_segment_];
    auto file = open_segment(*disk_, folder_, segment);
    if (!file) return tl::unexpected(file.error());
    Position from = position_;
    if (from.segment != segment) {
        from.segment = segment;
        from.offset = 0;
    }
    file_ = std::move(file->file);
    file_bytes_ = file->bytes;
    part_bytes_ = options_.part_bytes;
    const auto part = read_part(std::min(from.offset, file_bytes_));
    if (!part) return tl::unexpected(part.error());
    Later later = later_than(next_segment_++);
    walker_.emplace(*part, from, std::move(holes_), segment < last_live_, options_.version_max,
                    std::move(later));
    holes_.clear();
    damage_taken_ = 0;
    return true;
}

Result<SegmentPart> JournalReader::read_part(std::uint64_t from) {
    const std::uint64_t wanted = std::min(part_bytes_, file_bytes_ - from);
    auto bytes = file_->read(from, wanted);
    if (!bytes) return tl::unexpected(bytes.error());
    const bool to_end = bytes->size() < wanted || from + wanted == file_bytes_;  // Or it shrank.
    bytes_ = std::make_unique<std::string>(std::move(*bytes));
    part_begin_ = from;
    return SegmentPart{*bytes_, from, to_end};
}

/// The walker's bytes do not hold the next frame: reads on from there, and a larger part if the
/// same size does not help.
Result<void> JournalReader::read_on() {
    const std::uint64_t from = walker_->position().offset;
    if (from == part_begin_) part_bytes_ *= 2;
    const auto part = read_part(from);
    if (!part) return tl::unexpected(part.error());
    walker_->go_on_in(*part);
    return {};
}

Result<std::optional<FrameView>> JournalReader::next_in_segment() {
    while (true) {
        const auto frame = walker_->next();
        if (frame || !walker_->needs_more()) return frame;
        if (auto read = read_on(); !read) return tl::unexpected(read.error());
    }
}

Result<void> JournalReader::leave_segment() {
    if (walker_->refusal()) {
        return refused(folder_, walker_->position().segment, *walker_->refusal());
    }
    // A frame that is intact but wrong was not returned, and yet its number is used up.
    if (walker_->position().sequence > position_.sequence) position_ = walker_->position();
    holes_ = walker_->holes();
    report_.torn_bytes += walker_->torn_before();
    // After the last frame nothing can follow that would attest a missing one.
    if (walker_->position().segment >= last_live_) {
        for (const Hole& hole : std::exchange(holes_, {})) report_.torn_bytes += hole.length;
    }
    walker_.reset();
    file_.reset();
    bytes_.reset();
    return {};
}

void JournalReader::take_damage() {
    const auto& damage = walker_->damage();
    for (; damage_taken_ < damage.size(); ++damage_taken_) {
        report_.damage.push_back(damage[damage_taken_]);
    }
}

void JournalReader::count(const FrameHeader& header) {
    ++report_.frames;
    if (header.encoding == Encoding::dropped) ++report_.dropped;
    report_.last_sequence = header.sequence;
    report_.chain_head = hex(header.chain);
    report_.closed = header.kind == kClosingKind;
    const bool acknowledged = head_ && head_->sequence == header.sequence;
    if (acknowledged && head_->chain != report_.chain_head) {
        report_.damage.push_back({position_.segment, position_.offset, 0, header.sequence,
                                  header.sequence, "another frame was acknowledged there"});
    }
}

/// At the end: checks that everything acknowledged is there.
void JournalReader::compare_with_head() {
    const bool again = std::exchange(compared_, true);
    const std::uint64_t next = position_.sequence;
    if (again || !head_ || next == 0 || head_->sequence < next) return;
    report_.damage.push_back({position_.segment, position_.offset, 0, next, head_->sequence,
                              "the journal ends there, and these were acknowledged"});
}

Result<std::optional<FrameView>> JournalReader::next_view() {
    while (true) {
        if (!walker_) {
            const auto entered = enter_next_segment();
            if (!entered) return tl::unexpected(entered.error());
            if (!*entered) {
                compare_with_head();
                return std::nullopt;
            }
        }
        const auto frame = next_in_segment();
        if (!frame) return tl::unexpected(frame.error());
        take_damage();
        if (*frame) {
            position_ = walker_->position();
            count((*frame)->header);
            return *frame;
        }
        const auto left = leave_segment();
        if (!left) return tl::unexpected(left.error());
    }
}

Result<std::optional<Frame>> JournalReader::next() {
    while (true) {
        const auto view = next_view();
        if (!view) return tl::unexpected(view.error());
        if (!*view) return std::nullopt;
        const FrameHeader& header = (*view)->header;
        if (header.kind == kClosingKind) continue;
        Frame frame{header.kind,
                    header.version,
                    header.sequence,
                    header.keyframe,
                    header.encoding == Encoding::dropped,
                    {},
                    header.payload_digest};
        if (frame.dropped) return frame;
        auto payload = decode_payload(**view);
        if (payload) {
            frame.payload = std::move(*payload);
            return frame;
        }
        --report_.frames;
        report_.damage.push_back({position_.segment, position_.offset - (*view)->size(),
                                  (*view)->size(), header.sequence, header.sequence,
                                  payload.error().message});
    }
}

Result<std::optional<Position>> find_last_keyframe(Disk& disk, const std::string& folder,
                                                   std::uint16_t version_max) {
    const auto segments = list_segments(disk, folder);
    if (!segments) return tl::unexpected(segments.error());
    std::uint64_t next = 0;  // The number of the first frame in the next segment; 0: there is none.
    for (const std::uint32_t segment : *segments | std::views::reverse) {
        const auto bytes = read_segment(disk, folder, segment);
        if (!bytes) return tl::unexpected(bytes.error());
        const Later later = [next](std::uint64_t from) { return next >= from ? next : 0; };
        SegmentWalker walker(*bytes, somewhere(segment), {}, next != 0, version_max, later);
        bool first = true;
        std::optional<Position> last;
        Position before = walker.position();
        while (const auto frame = walker.next()) {
            const FrameHeader& header = frame->header;
            if (std::exchange(first, false)) next = header.sequence;
            if (header.keyframe && header.encoding != Encoding::dropped) {
                before.offset =
                    walker.position().offset - frame->size();  // Damage may lie between.
                if (before.sequence != header.sequence) before.chain.reset();
                before.sequence = header.sequence;
                last = before;
            }
            before = walker.position();
        }
        if (walker.refusal()) return refused(folder, segment, *walker.refusal());
        if (last) return last;
    }
    return std::nullopt;
}

}  // namespace parley::store
