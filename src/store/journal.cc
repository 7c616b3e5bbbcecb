#include "store/journal.h"

#include "base/check.h"

#include <algorithm>
#include <utility>

namespace parley::store {
namespace {

/// How many bytes an unfinished write left, not counting the zeros after them.
Result<std::uint64_t> left_behind(File& file, std::uint64_t end, std::uint64_t size) {
    const auto rest = file.read(end, size - std::min(size, end));
    if (!rest) return tl::unexpected(rest.error());
    const std::size_t last = rest->find_last_not_of('\0');
    return last == std::string::npos ? 0 : last + 1;
}

Result<void> write_again(File& file, std::uint64_t begin, std::uint64_t end) {
    const auto bytes = file.read(begin, end - begin);
    if (!bytes) return tl::unexpected(bytes.error());
    return file.write(begin, *bytes);
}

}  // namespace

Result<std::unique_ptr<FileLock>> lock_journal(Disk& disk, const std::string& folder) {
    return disk.lock(join(folder, "lock"));
}

Journal::Journal(Disk& disk, std::string folder, JournalOptions options)
    : disk_(disk),
      folder_(std::move(folder)),
      options_(options),
      encoder_(options.zstd_level, static_cast<std::size_t>(options.compress_above)) {}

Result<std::unique_ptr<Journal>> Journal::open(Disk& disk, std::string folder,
                                               JournalOptions options) {
    const auto made = make_directories(disk, folder);
    if (!made) return tl::unexpected(made.error());
    auto lock = lock_journal(disk, folder);
    if (!lock) return tl::unexpected(lock.error());
    return open_locked(disk, std::move(folder), *std::move(lock), options);
}

Result<std::unique_ptr<Journal>> Journal::open_locked(Disk& disk, std::string folder,
                                                      std::unique_ptr<FileLock> lock,
                                                      JournalOptions options) {
    std::unique_ptr<Journal> journal(new Journal(disk, std::move(folder), options));
    journal->lock_ = std::move(lock);
    const auto recovered = journal->recover();
    if (!recovered) return tl::unexpected(recovered.error());
    journal->acknowledged_ = journal->sequence_ - 1;
    return journal;
}

Result<void> Journal::recover() {
    file_.reset();
    previous_.reset();
    auto reader =
        JournalReader::open(disk_, folder_, {.version_max = options_.version, .from = {}});
    if (!reader) return tl::unexpected(reader.error());
    // Where the last frames begin that no later frame attests as durable.
    std::uint64_t group_offset = 0;
    std::uint32_t group_segment = 0;
    while (true) {
        const auto frame = reader->next_view();
        if (!frame) return tl::unexpected(frame.error());
        if (!*frame) break;
        const Position& behind = reader->position();
        if (std::exchange(group_segment, behind.segment) != behind.segment) group_offset = 0;
        if ((*frame)->header.pending == 0) group_offset = behind.offset - (*frame)->size();
    }
    report_ = reader->report();
    const Position& end = reader->position();
    end_ = end.offset;
    sequence_ = end.sequence;
    PARLEY_CHECK(end.chain.has_value());  // Read from the beginning.
    chain_ = *end.chain;
    pending_ = 0;
    rounds_ = 0;
    keyframe_end_ = 0;
    const auto& segments = reader->segments();
    segment_ = 0;
    if (report_.frames == 0 && report_.damage.empty()) return put_aside(segments);
    segment_ = segments.empty() ? 0 : segments.back();
    if (report_.frames == 0) return {};  // Nothing to continue from; damage is left as it is.
    segment_ = end.segment;
    const auto later = std::ranges::upper_bound(segments, segment_);
    // Frames after damage may be the only ones to attest which frames around it were durable.
    const bool keeps_later = !report_.damage.empty() && later != segments.end();
    if (!keeps_later) {
        if (auto aside = put_aside({later, segments.end()}); !aside) return aside;
    }
    const bool quarantined = keeps_later || std::ranges::any_of(report_.damage, [&](const auto& d) {
                                 return d.segment == segment_;
                             });
    const auto settled = settle_end(group_offset, quarantined);
    if (keeps_later) segment_ = segments.back();
    return settled;
}

/// Segments that were begun but hold no frame of the chain are not needed. Any that hold more than
/// zeros are kept under another name.
Result<void> Journal::put_aside(std::span<const std::uint32_t> segments) {
    for (const std::uint32_t segment : segments) {
        const auto bytes = read_own_file(disk_, path(segment), kSegmentBytesMax);
        if (!bytes) return tl::unexpected(bytes.error());
        const bool blank = bytes->find_first_not_of('\0') == std::string::npos;
        const auto done = blank ? disk_.remove(path(segment))
                                : disk_.rename(path(segment), path(segment) + ".torn");
        if (!done) return done;
    }
    return {};
}

/// Makes durable what is there. The last frames may be in memory only, or, after a failed sync, in
/// pages that the kernel takes for written; so they are written again. The segment's name is
/// durable already: no frame is written before it is.
Result<void> Journal::settle_end(std::uint64_t group_offset, bool quarantined) {
    auto file = disk_.open(path(segment_), OpenMode::write);
    if (!file) return tl::unexpected(file.error());
    const auto size = (*file)->size();
    if (!size) return tl::unexpected(size.error());
    const auto torn = left_behind(**file, end_, *size);
    if (!torn) return tl::unexpected(torn.error());
    quarantined = quarantined || (*torn > 0 && !report_.damage.empty());
    // Overwritten with zeros instead of cut off, since the space after it is kept for last words.
    const bool clears = *torn > 0 && !quarantined;
    const auto settled =
        write_again(**file, group_offset, end_)
            .and_then([&] { return clears ? (*file)->write_zeros(end_, *torn) : Result<void>{}; })
            .and_then([&] { return (*file)->sync(); })
            .and_then([&] { return disk_.sync_directory(folder_); });
    if (!settled) return settled;
    zeroed_ = end_;
    allocated_ = *size;
    if (!quarantined) file_ = std::move(*file);  // Else the next keyframe begins a new segment.
    return {};
}

bool Journal::wants_keyframe() const {
    return keyframe_end_ == 0 || end_ >= options_.segment_bytes ||
           rounds_ >= options_.keyframe_rounds || end_ - keyframe_end_ >= options_.keyframe_bytes;
}

Result<std::uint64_t> Journal::append(std::span<const Entry> entries) {
    const auto written = append_lazily(entries);
    if (!written) return written;
    const auto synced = sync();
    if (!synced) return tl::unexpected(synced.error());
    return written;
}

Result<std::uint64_t> Journal::append_lazily(std::span<const Entry> entries) {
    PARLEY_CHECK(!entries.empty());
    if (broken_) return tl::unexpected(*broken_);
    const bool full = file_ == nullptr || end_ >= options_.segment_bytes;
    if (full && entries.front().keyframe) {
        const auto begun = begin_segment();
        if (!begun) return break_down(begun.error());
    }
    return write(entries, false);
}

Result<void> Journal::sync() {
    if (broken_) return tl::unexpected(*broken_);
    if (pending_ == 0) return {};
    const auto synced = file_->sync().and_then([&] { return in_place(); });
    if (!synced) return break_down(synced.error());
    pending_ = 0;
    acknowledged_ = sequence_ - 1;
    give_back_previous();
    return {};
}

Result<std::uint64_t> Journal::append_last_words(std::span<const Entry> entries) {
    if (lock_ == nullptr) return tl::unexpected(*broken_);
    const auto reason = broken_;
    const auto result = [&]() -> Result<std::uint64_t> {
        if (reason) {
            const auto reopened = reopen();
            if (!reopened) return tl::unexpected(reopened.error());
        }
        const auto begun = file_ == nullptr ? begin_segment() : Result<void>{};
        if (!begun) return break_down(begun.error());
        const auto written = write(entries, true);
        if (!written) return written;
        const auto synced = sync();
        if (!synced) return tl::unexpected(synced.error());
        return written;
    }();
    if (reason) broken_ = reason;
    return result;
}

Result<void> Journal::reopen() {
    // Closed: the folder may belong to another writer now.
    if (lock_ == nullptr) return tl::unexpected(*broken_);
    // The file in its place now is not ours to write to.
    if (broken_ && broken_->code == ErrorCode::gone) return tl::unexpected(*broken_);
    auto recovered = recover();
    if (recovered && sequence_ - 1 < acknowledged_) {
        file_.reset();
        recovered = fail(ErrorCode::gone, folder_ + " ends with frame " +
                                              std::to_string(sequence_ - 1) + ", and " +
                                              std::to_string(acknowledged_) + " were acknowledged");
    }
    if (recovered && lost_) skip_lost(*lost_);
    if (!recovered) {
        (void)break_down(recovered.error());
        return recovered;
    }
    broken_.reset();
    return {};
}

void Journal::skip_lost(const JournalHead& head) {
    const auto chain = digest_from_hex(head.chain);
    if (head.sequence < sequence_ || !chain) return;
    lost_ = head;
    sequence_ = head.sequence + 1;
    chain_ = *chain;
}

Result<void> Journal::close() {
    if (broken_) return tl::unexpected(*broken_);
    if (file_ != nullptr) {
        const Entry closing[] = {{.kind = kClosingKind, .payload = {}}};
        const auto written = write(closing, true);
        if (!written) return tl::unexpected(written.error());
        const auto synced = sync();
        if (!synced) return synced;
        (void)file_->truncate(end_);  // If it fails, zeros after the end do no harm.
        file_.reset();
    }
    lock_.reset();
    broken_ = Error{ErrorCode::denied, "the journal in " + folder_ + " is closed", {}};
    return {};
}

/// The segment before, with its reserve, stays as it is until this one is durable.
Result<void> Journal::begin_segment() {
    const auto synced = sync();
    if (!synced) return synced;
    auto file = disk_.open(path(segment_ + 1), OpenMode::create);
    if (!file) return tl::unexpected(file.error());
    const auto named = disk_.sync_directory(folder_);
    if (!named) return named;
    previous_ = std::exchange(file_, std::move(*file));
    previous_end_ = end_;
    ++segment_;
    end_ = 0;
    zeroed_ = 0;
    allocated_ = 0;
    keyframe_end_ = 0;
    return {};
}

void Journal::give_back_previous() {
    if (previous_ == nullptr) return;
    (void)previous_->truncate(previous_end_);  // If it fails, zeros after the end do no harm.
    previous_.reset();
}

/// Writing to a folder that was removed or replaced succeeds, but nobody would find the file; to
/// one that was cut, too, but what was before is gone. Nothing of ours makes it shorter.
Result<void> Journal::in_place() const { return file_->in_place(std::max(allocated_, end_)); }

/// Space for frames up to `end`, and the reserve behind them.
Result<void> Journal::make_room(std::uint64_t end) {
    if (end <= zeroed_) return {};
    const std::uint64_t target =
        (end + options_.fill_bytes - 1) / options_.fill_bytes * options_.fill_bytes;
    const std::uint64_t wanted = target + options_.reserve_bytes;
    if (wanted > allocated_) {
        const auto allocated = file_->allocate(allocated_, wanted - allocated_);
        if (!allocated) return allocated;
        allocated_ = wanted;
    }
    // Up to `end` the frames themselves are about to be written.
    if (target > end) {
        const auto filled = file_->write_zeros(end, target - end);
        if (!filled) return filled;
    }
    zeroed_ = target;
    return {};
}

Result<std::uint64_t> Journal::write(std::span<const Entry> entries, bool may_use_reserve) {
    PARLEY_CHECK(!entries.empty());
    for (const Entry& entry : entries) {
        PARLEY_CHECK(!entry.keyframe || &entry == &entries.front());
        if (entry.payload.size() > kPayloadBytesMax) {
            return fail(ErrorCode::malformed, "an entry of " +
                                                  std::to_string(entry.payload.size()) +
                                                  " bytes is too large for the journal");
        }
    }
    if (sequence_ + entries.size() - 1 > kSequenceMax) {
        return fail(ErrorCode::malformed, "the journal's last frame has the number " +
                                              std::to_string(sequence_ - 1) +
                                              ", behind which none can follow; begin a new run");
    }
    PARLEY_CHECK(file_ != nullptr);
    PARLEY_CHECK(end_ > 0 || entries.front().keyframe || may_use_reserve);
    std::string bytes;
    Digest chain = chain_;
    std::uint64_t sequence = sequence_;
    std::uint32_t pending = pending_;
    std::uint64_t keyframe_end = keyframe_end_;
    for (const Entry& entry : entries) {
        FrameHeader header;
        header.sequence = sequence++;
        header.pending = pending++;
        header.version = options_.version;
        header.kind = entry.kind;
        header.keyframe = entry.keyframe;
        encoder_.encode(bytes, header, entry.payload, chain);
        if (entry.keyframe) keyframe_end = end_ + bytes.size();
    }
    const std::uint64_t end = end_ + bytes.size();
    if (end > kSegmentBytesMax) {
        return fail(ErrorCode::malformed, "the journal's segment is too large: append a keyframe");
    }
    // Making room would make up for what was cut off.
    if (const auto ours = in_place(); !ours) return break_down(ours.error());
    const bool fits = may_use_reserve && end <= allocated_;
    const auto room = fits ? Result<void>{} : make_room(end);
    if (!room) return break_down(room.error());
    const auto written = file_->write(end_, bytes);
    if (!written) return break_down(written.error());
    if (entries.front().keyframe) rounds_ = 0;
    end_ = end;
    chain_ = chain;
    sequence_ = sequence;
    pending_ = pending;
    keyframe_end_ = keyframe_end;
    return sequence - 1;
}

tl::unexpected<Error> Journal::break_down(const Error& error) {
    if (!broken_) {
        broken_ = Error{
            error.code,
            "the journal stopped before frame " + std::to_string(sequence_) + ": " + error.message,
            {}};
    }
    return tl::unexpected(*broken_);
}

}  // namespace parley::store
