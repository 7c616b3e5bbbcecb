#include "config/csv.h"

#include "base/number.h"

#include <cmath>
#include <optional>
#include <string_view>

namespace parley::config {
namespace {

constexpr double kSecondsMax = 1e9;  // Thirty years.
constexpr double kValueMax = 1e15;

struct Cell {
    std::string_view text;
    int column = 1;

    int width() const { return text.empty() ? 1 : static_cast<int>(text.size()); }
};

Cell trimmed(std::string_view text, int column) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) {
        text.remove_prefix(1);
        ++column;
    }
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return {text, column};
}

struct Row {
    Cell time;
    std::optional<Cell> value;
};

Row split(std::string_view line) {
    const std::size_t comma = line.find(',');
    if (comma == std::string_view::npos) return {trimmed(line, 1), std::nullopt};
    std::string_view rest = line.substr(comma + 1);
    rest = rest.substr(0, rest.find(','));
    return {trimmed(line.substr(0, comma), 1), trimmed(rest, static_cast<int>(comma) + 2)};
}

/// Words in both columns, and no digit at the front of either.
bool is_heading(const Row& row) {
    const auto is_word = [](std::string_view text) {
        const bool letter = !text.empty() && ((text[0] >= 'a' && text[0] <= 'z') ||
                                              (text[0] >= 'A' && text[0] <= 'Z'));
        return letter && text != "nan" && text != "NaN" && text != "inf" && text != "Infinity";
    };
    return row.value && is_word(row.time.text) && is_word(row.value->text);
}

class CsvReader {
public:
    explicit CsvReader(const Source& source) : source_(source) {}

    Result<std::vector<CsvPoint>> read() {
        std::string_view rest = source_.text;
        while (!rest.empty()) {
            ++line_;
            std::string_view line = rest.substr(0, rest.find('\n'));
            rest.remove_prefix(std::min(line.size() + 1, rest.size()));
            if (line.ends_with('\r')) line.remove_suffix(1);
            if (const auto done = take(line); !done) return tl::unexpected(done.error());
        }
        if (points_.empty()) {
            return tl::unexpected(
                error_at(source_, {}, "it has no point; write lines such as 0,12.5"));
        }
        return std::move(points_);
    }

private:
    Result<void> take(std::string_view line) {
        const Row row = split(line);
        if (row.time.text.starts_with('#')) return {};
        if (row.time.text.empty() && !row.value) return {};
        const bool first = !seen_;
        seen_ = true;
        if (first && is_heading(row)) return {};
        if (!row.value) {
            return refuse(row.time, "a line must be a time and a value", "write such as 60,12.5");
        }
        const auto at = parse_double(row.time.text, 0, kSecondsMax);
        if (!at) {
            return refuse(row.time,
                          "a time must be seconds from 0 to 1e9, not " + in_quotes(row.time.text));
        }
        const auto value = parse_double(row.value->text, -kValueMax, kValueMax);
        if (!value) {
            return refuse(*row.value,
                          "a value must be a finite number, not " + in_quotes(row.value->text));
        }
        const Duration time{static_cast<std::int64_t>(std::floor(*at * 1e6 + 0.5))};
        if (!points_.empty() && time <= points_.back().at) {
            return refuse(row.time, "times must rise from line to line",
                          "the one before is later or equal");
        }
        if (points_.size() == kCsvPointsMax) {
            return refuse(row.time,
                          "it has more than " +
                              thousands(static_cast<std::int64_t>(kCsvPointsMax)) + " points",
                          "use fewer");
        }
        points_.push_back({time, *value});
        return {};
    }

    Result<void> refuse(const Cell& cell, const std::string& sentence,
                        const std::string& hint = "") const {
        return tl::unexpected(
            error_at(source_, {line_, cell.column, cell.width()}, sentence, hint));
    }

    const Source& source_;
    std::vector<CsvPoint> points_;
    int line_ = 0;
    bool seen_ = false;
};

}  // namespace

Result<std::vector<CsvPoint>> parse_csv(const Source& source) { return CsvReader(source).read(); }

}  // namespace parley::config
