#include "config/source.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

namespace parley::config {
namespace {

constexpr std::size_t kShownMax = 90;  // Characters of a source line; a terminal has 80 or more.

/// Bytes of the UTF-8 character at the front; 0 if there is none.
std::size_t character_at(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80) return 1;
    std::size_t length = 0;
    if (first >= 0xc2 && first < 0xe0) length = 2;
    if (first >= 0xe0 && first < 0xf0) length = 3;
    if (first >= 0xf0 && first < 0xf5) length = 4;
    if (length == 0 || text.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return 0;
    }
    const unsigned char second = byte(1);
    const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
    const bool surrogate = first == 0xed && second >= 0xa0;
    const bool beyond = first == 0xf4 && second >= 0x90;
    return overlong || surrogate || beyond ? 0 : length;
}

/// C0 without tab and line ends, DEL, and C1: nothing that people write.
bool is_control(std::string_view character) {
    const auto first = static_cast<unsigned char>(character[0]);
    if (character.size() == 2 && first == 0xc2) {
        return static_cast<unsigned char>(character[1]) < 0xa0;
    }
    return first == 0x7f || (first < 0x20 && first != '\t' && first != '\n' && first != '\r');
}

/// Where the text stops being text, if anywhere.
std::optional<Place> first_binary(std::string_view text) {
    Place place{.line = 1};
    while (!text.empty()) {
        const std::size_t length = character_at(text);
        if (length == 0 || is_control(text.substr(0, length))) return place;
        if (text[0] == '\n') {
            place = {.line = place.line + 1};
        } else {
            ++place.column;
        }
        text.remove_prefix(length);
    }
    return std::nullopt;
}

std::string_view line_of(std::string_view text, int line) {
    for (int i = 1; i < line; ++i) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) return {};
        text.remove_prefix(end + 1);
    }
    text = text.substr(0, text.find('\n'));
    if (text.ends_with('\r')) text.remove_suffix(1);
    return text;
}

/// Cuts `count` characters off the front.
void drop(std::string_view& text, std::size_t count) {
    for (; count > 0 && !text.empty(); --count) {
        text.remove_prefix(std::max<std::size_t>(1, character_at(text)));
    }
}

std::size_t characters_in(std::string_view text) {
    std::size_t count = 0;
    for (; !text.empty(); ++count) drop(text, 1);
    return count;
}

std::string gutter(const std::string& number) {
    const std::string space(number.size() < 5 ? 5 - number.size() : 0, ' ');
    return space + number + " | ";
}

Error malformed(std::string message) {
    return {ErrorCode::malformed, std::move(message), std::nullopt};
}

/// Why it cannot be a file to read, or nothing. Asked before opening: opening a pipe would wait.
std::optional<Error> unreadable(const std::string& path) {
    namespace fs = std::filesystem;
    std::error_code failed;
    const fs::file_status status = fs::status(path, failed);
    const std::string name = printable(path);
    if (status.type() == fs::file_type::not_found) {
        return malformed(name + ": there is no such file; check the path");
    }
    if (failed) {
        return malformed(name + ": cannot be looked at: " + failed.message() +
                         "; check its permissions");
    }
    if (fs::is_directory(status)) {
        return malformed(name + ": this is a folder; name a file in it");
    }
    if (!fs::is_regular_file(status)) {
        return malformed(name + ": this is not a regular file; write the text to one");
    }
    return std::nullopt;
}

}  // namespace

std::string printable(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t length = character_at(text);
        const std::string_view character = text.substr(0, std::max<std::size_t>(1, length));
        const bool strange = length == 0 || is_control(character) || character == "\n" ||
                             character == "\r" || character == "\t";
        out += strange ? "?" : std::string(character);
        text.remove_prefix(character.size());
    }
    return out;
}

Error error_at(const Source& source, Place place, const std::string& sentence,
               const std::string& hint) {
    std::string message = printable(source.name);
    if (place.line == 0) {
        return malformed(message + ": " + sentence + (hint.empty() ? "" : "; " + hint));
    }
    message += ":" + std::to_string(place.line) + ":" + std::to_string(place.column) + ": ";
    message += sentence;

    std::string_view line = line_of(source.text, place.line);
    std::size_t before = static_cast<std::size_t>(std::max(1, place.column)) - 1;
    std::string cut;
    if (before > kShownMax / 2 && characters_in(line) > kShownMax) {
        const std::size_t skipped = before - kShownMax / 3;
        drop(line, skipped);
        cut = "...";
        before -= skipped;
    }
    std::string_view rest = line;
    drop(rest, kShownMax);
    const std::string shown =
        cut + std::string(line.substr(0, line.size() - rest.size())) + (rest.empty() ? "" : "...");
    std::string plain = shown;
    std::ranges::replace(plain, '\t', ' ');
    before = std::min(before + cut.size(), characters_in(plain));
    const std::size_t room = characters_in(plain) - before;
    const std::size_t width = std::clamp<std::size_t>(
        static_cast<std::size_t>(std::max(1, place.width)), 1, std::max<std::size_t>(1, room));
    message += "\n" + gutter(std::to_string(place.line)) + printable(plain);
    message += "\n" + gutter("") + std::string(before, ' ') + std::string(width, '^');
    if (!hint.empty()) message += " " + hint;
    return malformed(std::move(message));
}

Result<Source> text_source(std::string name, std::string text) {
    if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
        return fail(ErrorCode::malformed,
                    printable(name) + ": it is empty; write something into it");
    }
    if (const auto place = first_binary(text)) {
        return fail(ErrorCode::malformed, printable(name) + ":" + std::to_string(place->line) +
                                              ":" + std::to_string(place->column) +
                                              ": this is not UTF-8 text; is it the right file?");
    }
    return Source{std::move(name), std::move(text)};
}

Result<Source> load_source(Disk& disk, const std::string& path, std::uint64_t bytes_max) {
    if (auto error = unreadable(path)) return tl::unexpected(std::move(*error));
    const std::string name = printable(path);
    const auto size = disk.size(path);
    if (size && *size > bytes_max) {
        return fail(ErrorCode::malformed, name + ": it has " + std::to_string(*size) +
                                              " bytes, and " + std::to_string(bytes_max) +
                                              " are allowed; is it the right file?");
    }
    auto text = read_file(disk, path, bytes_max);
    if (!text) {
        return fail(ErrorCode::malformed,
                    name + ": " + text.error().message + "; check its permissions");
    }
    return text_source(path, std::move(*text));
}

}  // namespace parley::config
