// Store: writes a run: rounds and events in, durable in the run folder before it returns.

#pragma once

#include "base/file.h"
#include "store/journal.h"
#include "store/run_format.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace parley::store {

/// Writes the record of a run while it is made. One thread at a time. Borrows the disk. Once an
/// append has failed, every later one fails with the same reason: what cannot be recorded may not
/// be done.
class RunWriter {
public:
    /// Begins a run in `folder`, which must not exist or be unborn (is_unborn); anything else is
    /// refused with `denied` and left alone.
    [[nodiscard]] static Result<std::unique_ptr<RunWriter>> create(Disk& disk,
                                                                   const std::string& folder,
                                                                   const RunHeader& header,
                                                                   const ProcessNote& process,
                                                                   JournalOptions options = {});

    /// Continues after the last round in `folder`; `last` is the state after it, as read by
    /// RunReader while `lock` was held. The caller checks that the header fits and that the record
    /// is whole.
    [[nodiscard]] static Result<std::unique_ptr<RunWriter>> resume(
        Disk& disk, const std::string& folder, std::unique_ptr<FileLock> lock, RecordLevel level,
        const ProcessNote& process, Keyframe last, JournalOptions options = {});

    /// Begins a new epoch after what was lost, and writes nothing else.
    [[nodiscard]] static Result<void> declare(Disk& disk, const std::string& folder,
                                              std::unique_ptr<FileLock> lock, const GapNote& note,
                                              const Keyframe& last);

    /// Identifies a run that was just created; see RunFacts.
    std::string chain_head() const { return journal_->chain_head(); }

    /// Records what the next round starts from, if that differs from what the last one left.
    [[nodiscard]] Result<void> keep_start(const model::Memory& memory);

    /// Records a round; `next` is the memory that it leaves. Durable on return.
    [[nodiscard]] Result<void> keep_round(const model::RoundInput& input,
                                          const model::Decision& decision,
                                          const model::Memory& next);

    /// Records what came back during a round. Durable on return.
    [[nodiscard]] Result<void> keep_event(const model::ActionEvent& event);

    /// Records how the run ended, if possible even on a full disk, and closes the journal.
    [[nodiscard]] Result<void> finish(const RunEnd& end);

    std::uint64_t bytes() const { return bytes_; }  ///< Of payloads, before compression.

private:
    RunWriter(std::unique_ptr<Journal> journal, HeadWriter head, RecordLevel level);

    [[nodiscard]] static Result<std::unique_ptr<RunWriter>> begin(Disk& disk,
                                                                  const std::string& folder,
                                                                  std::unique_ptr<FileLock> lock,
                                                                  RecordLevel level,
                                                                  JournalOptions options);
    /// Every append goes through here, to note how far the journal is acknowledged; `round` is the
    /// last one in it.
    Result<void> acknowledge(const Result<std::uint64_t>& appended, std::uint64_t round);

    /// The state that differences are based on, if the journal wants a keyframe; else empty.
    std::string keyframe_if_wanted() const;
    Result<void> append(std::span<const Entry> entries, std::uint64_t round);
    Result<void> close();

    std::unique_ptr<Journal> journal_;
    HeadWriter head_;
    RecordLevel level_;
    model::RoundInput input_;
    model::Decision decision_;
    model::Memory memory_;  ///< What the next round starts from.
    std::uint64_t bytes_ = 0;
};

/// Whether `folder` exists but nothing was ever recorded in it: nobody began a run, or the process
/// died before the header was durable. A run may begin there.
[[nodiscard]] Result<bool> is_unborn(Disk& disk, const std::string& folder);

/// Whether a process writes the run: it holds the journal's lock for as long as the run goes on.
bool is_written(Disk& disk, const std::string& run);

/// Where a run keeps its journal.
std::string journal_folder(const std::string& run);
/// Where it keeps a second copy of its header, without which the rest could not be read.
std::string header_copy(const std::string& run);

}  // namespace parley::store
