// Store: the journal's writer. Entries are durable when append() returns; frames are chained by
// digests, so that changes are noticed.

#pragma once

#include "base/file.h"
#include "store/frame.h"
#include "store/journal_reader.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace parley::store {

struct JournalOptions {
    std::uint64_t segment_bytes = std::uint64_t{64}
                                  << 20;                ///< From here on a keyframe begins a file.
    std::uint64_t fill_bytes = std::uint64_t{1} << 20;  ///< Zeros written ahead at a time.
    std::uint64_t reserve_bytes = std::uint64_t{16} << 20;  ///< Kept free for append_last_words().
    std::uint64_t keyframe_bytes = std::uint64_t{8} << 20;  ///< Frames since the last keyframe,
    std::uint64_t keyframe_rounds = 600;                    ///< or rounds, before it wants another.
    std::uint64_t compress_above = 512;  ///< Smaller payloads are stored uncompressed.
    int zstd_level = 1;
    /// Of the payloads: the version that is written, and the newest that is read.
    std::uint16_t version = 1;
};

/// Borrowed for the call.
struct Entry {
    std::uint8_t kind = 0;  ///< Below kClosingKind.
    std::string_view payload;
    bool keyframe = false;  ///< Reading may begin here; only the first of a batch.
};

/// Keeps every other writer of the journal in `folder` away while it is held.
[[nodiscard]] Result<std::unique_ptr<FileLock>> lock_journal(Disk& disk, const std::string& folder);

/// Appends to journal/NNNNNN.log. One thread at a time; a lock allows one writer per folder. After
/// a failed write or sync, or if its file was moved away or cut, it is broken: every append fails
/// with the first reason until reopen(). Borrows the disk. Destroying it without close() leaves the
/// files as a crash does.
class Journal {
public:
    /// Creates the folder, or continues at its end: reads and verifies everything, cuts a torn
    /// tail, makes durable what is there. Damage is listed in report() and left as it is; writing
    /// continues in a new segment. Fails if the disk fails, if another process writes here
    /// (`conflict`), or if a newer program wrote it (`denied`).
    [[nodiscard]] static Result<std::unique_ptr<Journal>> open(Disk& disk, std::string folder,
                                                               JournalOptions options = {});
    /// The same for a caller that already holds lock_journal(), so that nothing changes between
    /// reading and writing.
    [[nodiscard]] static Result<std::unique_ptr<Journal>> open_locked(
        Disk& disk, std::string folder, std::unique_ptr<FileLock> lock, JournalOptions options);

    /// Continues after this head with its chain: the frames up to it were acknowledged and are
    /// lost, so their numbers are not reused. Does nothing if the journal is already that far.
    void skip_lost(const JournalHead& head);

    /// Writes the entries with one write and one sync, together with what was appended lazily;
    /// returns the sequence number of the last. After a failure they may or may not be there after
    /// reopen(), but in order and each complete. An entry above kPayloadBytesMax is refused
    /// (`malformed`) without breaking the journal. If wants_keyframe(), the first entry after
    /// open() should be a keyframe; the first of a segment must be.
    [[nodiscard]] Result<std::uint64_t> append(std::span<const Entry> entries);
    /// The same without sync: durable with the next append() or sync().
    [[nodiscard]] Result<std::uint64_t> append_lazily(std::span<const Entry> entries);
    [[nodiscard]] Result<void> sync();

    /// True at the start, when a segment is full, and when the last keyframe was long ago.
    bool wants_keyframe() const;
    /// Counts a round, for wants_keyframe().
    void count_round() { ++rounds_; }

    /// Appends into the space kept free, so that a stop is recorded even if the journal is broken
    /// because the disk is full. Verifies first, like reopen(); a broken journal stays broken.
    [[nodiscard]] Result<std::uint64_t> append_last_words(std::span<const Entry> entries);

    /// Opens all files again, reads and verifies everything, and continues. If that fails, the
    /// journal stays broken.
    [[nodiscard]] Result<void> reopen();

    /// Marks the end, so that readers know nothing is missing there, and frees unused space.
    [[nodiscard]] Result<void> close();

    /// Why it is broken; nothing if it is not.
    const std::optional<Error>& broken() const { return broken_; }
    /// What opening or reopening found.
    const Report& report() const { return report_; }
    std::uint64_t next_sequence() const { return sequence_; }
    /// The chain of the last frame, in hexadecimal.
    std::string chain_head() const { return hex(chain_); }

private:
    Journal(Disk& disk, std::string folder, JournalOptions options);

    Result<void> recover();
    Result<void> put_aside(std::span<const std::uint32_t> segments);
    Result<void> settle_end(std::uint64_t group_offset, bool quarantined);
    Result<void> begin_segment();
    Result<void> in_place() const;
    Result<void> make_room(std::uint64_t end);
    void give_back_previous();
    Result<std::uint64_t> write(std::span<const Entry> entries, bool may_use_reserve);
    tl::unexpected<Error> break_down(const Error& error);
    std::string path(std::uint32_t segment) const { return join(folder_, segment_name(segment)); }

    Disk& disk_;
    std::string folder_;
    JournalOptions options_;
    FrameEncoder encoder_;
    std::unique_ptr<FileLock> lock_;
    Report report_;
    std::optional<Error> broken_;

    std::unique_ptr<File> file_;      ///< None until the next keyframe begins a segment.
    std::unique_ptr<File> previous_;  ///< The segment before, until the new one is durable.
    std::uint64_t previous_end_ = 0;
    std::uint32_t segment_ = 0;
    std::uint64_t end_ = 0;        ///< Where the next frame goes.
    std::uint64_t zeroed_ = 0;     ///< Zeros were written up to here.
    std::uint64_t allocated_ = 0;  ///< Space is allocated up to here.
    std::uint64_t sequence_ = 1;
    Digest chain_{};
    std::uint32_t pending_ = 0;        ///< Frames written and not synced.
    std::uint64_t acknowledged_ = 0;   ///< The last frame that was durable.
    std::optional<JournalHead> lost_;  ///< Numbers up to this one are left out.
    std::uint64_t rounds_ = 0;
    std::uint64_t keyframe_end_ = 0;  ///< Where the last keyframe ends in this segment; 0 if none.
};

}  // namespace parley::store
