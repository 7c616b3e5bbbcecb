// Store: the journal's writer. Entries in, durable before it returns; chained, so that nothing can
// be changed unseen.

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
    std::uint64_t reserve_bytes = std::uint64_t{16} << 20;  ///< Kept back for append_last_words().
    std::uint64_t keyframe_bytes = std::uint64_t{8} << 20;  ///< Frames since the last keyframe,
    std::uint64_t keyframe_rounds = 600;                    ///< or rounds, before it wants another.
    std::uint64_t compress_above = 512;                     ///< Smaller payloads stay as they are.
    int zstd_level = 1;
    std::uint16_t version = 1;  ///< Of the payloads; written, and the newest that is read.
};

/// Borrowed for the call.
struct Entry {
    std::uint8_t kind = 0;  ///< Below kClosingKind.
    std::string_view payload;
    bool keyframe = false;  ///< Reading may begin here; only the first of a batch.
};

/// Keeps every other writer of the journal in `folder` away while it is held.
[[nodiscard]] Result<std::unique_ptr<FileLock>> lock_journal(Disk& disk, const std::string& folder);

/// Appends to journal/NNNNNN.log. One thread at a time; one writer per folder, by a lock. Once a
/// write or sync has failed, or its file is not under its name any more, it is broken: every append
/// fails with the first reason until reopen(). Borrows the disk. Destroyed without close(), it
/// leaves the files as a crash does.
class Journal {
public:
    /// Creates the folder or goes on where it ends: reads and verifies all of it, cuts a torn
    /// tail, makes durable what is there. Damage is in report() and stays as it is; writing goes on
    /// in a new segment. Fails if the disk does, if another process writes here (`conflict`), or if
    /// a newer program wrote it (`denied`).
    [[nodiscard]] static Result<std::unique_ptr<Journal>> open(Disk& disk, std::string folder,
                                                               JournalOptions options = {});
    /// The same by who holds lock_journal() already, so that what was read before still is so.
    [[nodiscard]] static Result<std::unique_ptr<Journal>> open_locked(
        Disk& disk, std::string folder, std::unique_ptr<FileLock> lock, JournalOptions options);

    /// Leaves out the numbers up to this head, and goes on with its chain: those frames were
    /// acknowledged and are lost. Nothing happens if the journal is that far.
    void skip_lost(const JournalHead& head);

    /// Writes the entries with one write and one sync, together with what was appended lazily; the
    /// sequence number of the last. After a failure they may be there after reopen(), in order and
    /// each whole, or not. An entry above kPayloadBytesMax is refused (`malformed`), and breaks
    /// nothing. The first entry after open(), if wants_keyframe(), should be a keyframe; the
    /// first of a segment must be.
    [[nodiscard]] Result<std::uint64_t> append(std::span<const Entry> entries);
    /// The same without sync: durable with the next append() or sync().
    [[nodiscard]] Result<std::uint64_t> append_lazily(std::span<const Entry> entries);
    [[nodiscard]] Result<void> sync();

    /// True at the start, when a segment is full, and when the last keyframe is long ago.
    bool wants_keyframe() const;
    /// Tells that a round has passed, for wants_keyframe().
    void count_round() { ++rounds_; }

    /// Appends even if the journal is broken because the disk is full, into the space kept back, so
    /// that a stop is recorded. Verifies first, as reopen(); a broken journal stays broken.
    [[nodiscard]] Result<std::uint64_t> append_last_words(std::span<const Entry> entries);

    /// Reads and verifies everything anew, through files opened anew, and goes on. If it fails the
    /// journal stays broken.
    [[nodiscard]] Result<void> reopen();

    /// Ends it so that readers see that nothing is missing at the end, and gives back space.
    [[nodiscard]] Result<void> close();

    /// Why it is broken; nothing if it is not.
    const std::optional<Error>& broken() const { return broken_; }
    /// What opening or reopening found.
    const Report& report() const { return report_; }
    std::uint64_t next_sequence() const { return sequence_; }
    /// Of the last frame, in hexadecimal.
    std::string chain_head() const { return hex(chain_); }

private:
    Journal(Disk& disk, std::string folder, JournalOptions options);

    Result<void> recover();
    Result<void> put_aside(std::span<const std::uint32_t> segments);
    Result<void> settle_end(std::uint64_t group_offset, bool quarantined);
    Result<void> begin_segment();
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
    std::uint64_t zeroed_ = 0;     ///< Up to here zeros were written.
    std::uint64_t allocated_ = 0;  ///< Up to here space is ours.
    std::uint64_t sequence_ = 1;
    Digest chain_{};
    std::uint32_t pending_ = 0;        ///< Frames written and not synced.
    std::uint64_t acknowledged_ = 0;   ///< The last frame that was durable.
    std::optional<JournalHead> lost_;  ///< Up to here numbers are left out.
    std::uint64_t rounds_ = 0;
    std::uint64_t keyframe_end_ = 0;  ///< Where the last keyframe ends in this segment; 0 if none.
};

}  // namespace parley::store
