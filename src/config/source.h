// Config: a text from outside with its name, and errors that point into it.

#pragma once

#include "base/file.h"
#include "base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace parley::config {

/// Line and column, both counted from 1 and in characters, and how many characters are meant. Line
/// 0 means the whole text.
struct Place {
    int line = 0;
    int column = 1;
    int width = 1;

    friend bool operator==(const Place&, const Place&) = default;
};

struct Source {
    std::string name;  ///< As the person wrote it: a path, or the flag that holds the text.
    std::string text;  ///< UTF-8 without a byte order mark.
};

/// Loads a file as text. Refuses, with one sentence and a remedy, a file that is missing,
/// unreadable, a folder, not a regular file, larger than `bytes_max`, empty, or not UTF-8.
[[nodiscard]] Result<Source> load_source(Disk& disk, const std::string& path,
                                         std::uint64_t bytes_max);

/// The same checks for text that is already in memory.
[[nodiscard]] Result<Source> text_source(std::string name, std::string text);

/// `name:line:column: sentence`, the source line, and carets with the hint below it.
Error error_at(const Source& source, Place place, const std::string& sentence,
               const std::string& hint = "");

/// The text with control characters and invalid UTF-8 replaced by `?`, safe to show on a terminal.
std::string printable(std::string_view text);

}  // namespace parley::config
