// Store: how far a journal was acknowledged, kept beside it. It shows whether a journal has lost
// its end or never had more.

#pragma once

#include "base/file.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace parley::store {

/// The last frame that was durable when this was written.
struct JournalHead {
    std::uint64_t sequence = 0;
    std::string chain;  ///< Of that frame, in hexadecimal.
    /// The last round up to that frame; nothing: heads did not say so at first.
    std::optional<std::uint64_t> round = std::nullopt;

    friend bool operator==(const JournalHead&, const JournalHead&) = default;
};

/// To one line with a checksum of its own, of fixed length with a round and without, and back;
/// nothing if the line is not one.
std::string text_of(const JournalHead& head);
std::optional<JournalHead> parse_head(std::string_view text);

/// The head of the journal in `folder`; nothing if it is missing or unreadable, in which case a
/// lost end goes unnoticed.
std::optional<JournalHead> read_head(Disk& disk, const std::string& folder);

/// Overwrites the head in place. It is written after the frames it speaks of and not synced: after
/// a crash it may be too old, but never claims too much.
class HeadWriter {
public:
    [[nodiscard]] static Result<HeadWriter> open(Disk& disk, const std::string& folder);
    [[nodiscard]] Result<void> write(const JournalHead& head);

private:
    explicit HeadWriter(std::unique_ptr<File> file) : file_(std::move(file)) {}
    std::unique_ptr<File> file_;
};

}  // namespace parley::store
