// Store: how far a journal was acknowledged, kept beside it: a journal that lost its end is then
// told from one that never had more.

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

    friend bool operator==(const JournalHead&, const JournalHead&) = default;
};

/// One line of fixed length, with a checksum of its own; and the reverse, nothing if it is not one.
std::string text_of(const JournalHead& head);
std::optional<JournalHead> parse_head(std::string_view text);

/// Of the journal in `folder`; nothing if there is none that can be read. It is a witness, no
/// authority: without it, less is noticed.
std::optional<JournalHead> read_head(Disk& disk, const std::string& folder);

/// Writes it again and again in place. It is written behind what it speaks of and is not synced: a
/// machine that stops may leave an older one, never one that says too much.
class HeadWriter {
public:
    [[nodiscard]] static Result<HeadWriter> open(Disk& disk, const std::string& folder);
    [[nodiscard]] Result<void> write(const JournalHead& head);

private:
    explicit HeadWriter(std::unique_ptr<File> file) : file_(std::move(file)) {}
    std::unique_ptr<File> file_;
};

}  // namespace parley::store
