// Config: a text from outside with its name, and errors that point into it.

#pragma once

#include "base/file.h"
#include "base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace parley::config {

/// Line and column from 1, in characters; how many characters are meant. Line 0: all of it.
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

/// The file as text. Refuses, each in one sentence with a remedy: what is missing, unreadable, a
/// folder, no regular file, larger than `bytes_max`, empty, or not UTF-8 text.
[[nodiscard]] Result<Source> load_source(Disk& disk, const std::string& path,
                                         std::uint64_t bytes_max);

/// The same checks on a text that is already here.
[[nodiscard]] Result<Source> text_source(std::string name, std::string text);

/// `name:line:column: sentence`, the source line, and carets with the hint below it.
Error error_at(const Source& source, Place place, const std::string& sentence,
               const std::string& hint = "");

/// What may be shown on a terminal: control characters and what is no UTF-8 become `?`.
std::string printable(std::string_view text);

}  // namespace parley::config
