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

/// The record of one run while it is being made. One thread at a time. Borrows the disk. Once an
/// append has failed, everything after fails with the first reason: cannot record, may not act.
class RunWriter {
public:
    /// Begins a run in `folder`, which must be missing or unborn; anything else is refused with
    /// `denied` and left alone.
    [[nodiscard]] static Result<std::unique_ptr<RunWriter>> create(Disk& disk,
                                                                   const std::string& folder,
                                                                   const RunHeader& header,
                                                                   const ProcessNote& process,
                                                                   JournalOptions options = {});

    /// Goes on after the last round in `folder`; `last` is the state after it, as read by
    /// RunReader while `lock` was held. Whether the header fits, and whether what was read is
    /// whole, is the caller's to check.
    [[nodiscard]] static Result<std::unique_ptr<RunWriter>> resume(
        Disk& disk, const std::string& folder, std::unique_ptr<FileLock> lock, RecordLevel level,
        const ProcessNote& process, Keyframe last, JournalOptions options = {});

    /// Begins a new epoch behind what was lost, and writes nothing else.
    [[nodiscard]] static Result<void> declare(Disk& disk, const std::string& folder,
                                              std::unique_ptr<FileLock> lock, const GapNote& note,
                                              const Keyframe& last);

    /// By which no other run is taken for this one; see RunFacts. Of a run just created.
    std::string chain_head() const { return journal_->chain_head(); }

    /// Keeps what the next round starts from, where that is not what the last one left.
    [[nodiscard]] Result<void> keep_start(const model::Memory& memory);

    /// Keeps a round; `next` is the memory that it leaves. Durable on return.
    [[nodiscard]] Result<void> keep_round(const model::RoundInput& input,
                                          const model::Decision& decision,
                                          const model::Memory& next);

    /// Keeps what came back within a round. Durable on return.
    [[nodiscard]] Result<void> keep_event(const model::ActionEvent& event);

    /// Says how the run ended, even on a full disk if that can be done, and closes the journal.
    [[nodiscard]] Result<void> finish(const RunEnd& end);

    std::uint64_t bytes() const { return bytes_; }  ///< Of payloads, before compression.

private:
    RunWriter(std::unique_ptr<Journal> journal, HeadWriter head, RecordLevel level);

    [[nodiscard]] static Result<std::unique_ptr<RunWriter>> begin(Disk& disk,
                                                                  const std::string& folder,
                                                                  std::unique_ptr<FileLock> lock,
                                                                  RecordLevel level,
                                                                  JournalOptions options);
    /// All appends go through here: keeps how far the journal is acknowledged.
    Result<void> acknowledge(const Result<std::uint64_t>& appended);

    /// The state that differences rest on, where the journal wants it; empty elsewhere.
    std::string keyframe_if_wanted() const;
    Result<void> append(std::span<const Entry> entries);
    Result<void> close();

    std::unique_ptr<Journal> journal_;
    HeadWriter head_;
    RecordLevel level_;
    model::RoundInput input_;
    model::Decision decision_;
    model::Memory memory_;  ///< That the next round starts from.
    std::uint64_t bytes_ = 0;
};

/// Whether nothing was ever recorded in `folder`, though it is there: whoever began died before the
/// header was durable, or nobody began. Then a run may begin.
[[nodiscard]] Result<bool> is_unborn(Disk& disk, const std::string& folder);

/// Where a run keeps its journal.
std::string journal_folder(const std::string& run);
/// Where it keeps a copy of its header, without which nothing behind it could be understood.
std::string header_copy(const std::string& run);

}  // namespace parley::store
