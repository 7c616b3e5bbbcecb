#include "traces/table.h"

#include "base/number.h"

#include <algorithm>
#include <array>
#include <limits>

namespace parley::traces {
namespace {

/// How pandas, R, Java, Python and SQL write a missing value.
constexpr std::array<std::string_view, 10> kMissing = {"NA",   "N/A",  "NaN",  "nan",  "NAN",
                                                       "null", "NULL", "Null", "None", "#N/A"};
constexpr const char* kUnclosed =
    "a field in quotation marks does not end with one on the same line; write it on one line";

std::string_view take_line(std::string_view& rest) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

std::string_view trimmed(std::string_view field) {
    while (!field.empty() && (field.front() == ' ' || field.front() == '\t')) {
        field.remove_prefix(1);
    }
    while (!field.empty() && (field.back() == ' ' || field.back() == '\t')) field.remove_suffix(1);
    return field;
}

char separator_of(std::string_view heading) {
    if (heading.find(',') != std::string_view::npos) return ',';
    for (const char other : {';', '\t'}) {
        if (heading.find(other) != std::string_view::npos) return other;
    }
    return ',';
}

/// The index after the closing quote of the field that `text` begins with; npos if there is none. A
/// doubled quote stands for one.
std::size_t end_of_quoted(std::string_view text) {
    for (std::size_t at = 1; at < text.size(); ++at) {
        if (text[at] != '"') continue;
        if (at + 1 >= text.size() || text[at + 1] != '"') return at + 1;
        ++at;
    }
    return std::string_view::npos;
}

std::string unquote(std::string_view inside) {
    std::string text;
    for (std::size_t at = 0; at < inside.size(); ++at) {
        text += inside[at];
        if (inside[at] == '"') ++at;  // The second of a doubled quote.
    }
    return text;
}

}  // namespace

bool Table::split(std::string_view line) {
    all_.clear();
    unquoted_.clear();
    while (true) {
        std::size_t end = line.find(separator_);
        std::string_view field = trimmed(line.substr(0, end));
        if (field.starts_with('"')) {
            const std::size_t first = line.find('"');
            const std::size_t behind = end_of_quoted(line.substr(first));
            if (behind == std::string_view::npos) return false;
            const std::string_view inside = line.substr(first + 1, behind - 2);
            end = line.find(separator_, first + behind);
            const std::string_view rest = line.substr(first + behind);
            if (!trimmed(rest.substr(0, rest.find(separator_))).empty()) return false;
            const bool marks = inside.find('"') != std::string_view::npos;
            field =
                marks ? std::string_view(unquoted_.emplace_back(unquote(inside))) : trimmed(inside);
        }
        all_.push_back(field);
        if (end == std::string_view::npos || all_.size() > kFieldsMax) return true;
        line.remove_prefix(end + 1);
    }
}

tl::unexpected<Error> Table::refuse(const std::string& sentence) const {
    return fail(ErrorCode::malformed, name_ + ":" + std::to_string(line_) + ": " + sentence);
}

Result<Table> Table::open(std::string name, std::string_view text,
                          std::span<const std::string_view> wanted) {
    Table table;
    table.name_ = std::move(name);
    table.rest_ = text;
    if (table.rest_.starts_with("\xef\xbb\xbf")) table.rest_.remove_prefix(3);
    table.line_ = 1;
    if (table.rest_.empty()) return table.refuse("it is empty");
    const std::string_view heading = take_line(table.rest_);
    table.separator_ = separator_of(heading);
    if (!table.split(heading)) return table.refuse(kUnclosed);
    if (table.all_.size() > kFieldsMax) return table.refuse("its heading has too many columns");
    table.width_ = table.all_.size();
    for (const std::string_view column : wanted) {
        const auto found = std::ranges::find(table.all_, column);
        if (found == table.all_.end()) {
            return table.refuse("its heading has no column " + in_quotes(column) +
                                "; is it the right file?");
        }
        if (std::find(found + 1, table.all_.end(), column) != table.all_.end()) {
            return table.refuse("its heading has the column " + in_quotes(column) +
                                " twice; leave one of them out");
        }
        table.place_.push_back(static_cast<std::size_t>(found - table.all_.begin()));
        table.wanted_.emplace_back(column);
    }
    table.fields_.resize(wanted.size());
    return table;
}

Result<std::vector<std::string>> Table::heading(const std::string& name, std::string_view text) {
    auto table = open(name, text, {});
    if (!table) return tl::unexpected(table.error());
    return std::vector<std::string>(table->all_.begin(), table->all_.end());
}

Result<bool> Table::next() {
    std::string_view line;
    do {
        if (rest_.empty()) return false;
        ++line_;
        line = take_line(rest_);
    } while (line.empty());
    if (line_ > kLinesMax) return refuse("it has more lines than can be read; split the file");
    if (!split(line)) return refuse(kUnclosed);
    if (all_.size() != width_) {
        return refuse("it has " + std::to_string(all_.size()) + " fields, its heading " +
                      std::to_string(width_));
    }
    for (std::size_t i = 0; i < place_.size(); ++i) fields_[i] = all_[place_[i]];
    return true;
}

Result<double> Table::number(std::size_t column) const {
    auto value = parse_double(fields_[column], -1e300, 1e300);
    if (!value) {
        return refuse(wanted_[column] + " must be a number, not " + in_quotes(fields_[column]));
    }
    return value;
}

Result<std::int64_t> Table::whole(std::size_t column, std::int64_t lo, std::int64_t hi) const {
    auto value = parse_int64(fields_[column], lo, hi);
    if (!value) {
        return refuse(wanted_[column] + " must be a whole number from " + std::to_string(lo) +
                      " to " + std::to_string(hi) + ", not " + in_quotes(fields_[column]));
    }
    return value;
}

bool Table::missing(std::size_t column) const {
    const std::string_view field = fields_[column];
    return field.empty() || std::ranges::find(kMissing, field) != kMissing.end();
}

Result<double> Table::amount_or_missing(std::size_t column) const {
    if (missing(column)) return std::numeric_limits<double>::quiet_NaN();
    auto value = number(column);
    if (value && *value < 0) {
        return refuse(wanted_[column] + " must not be below 0, and is " +
                      in_quotes(fields_[column]));
    }
    return value;
}

Result<float> Table::number_or_missing(std::size_t column) const {
    if (missing(column)) return std::numeric_limits<float>::quiet_NaN();
    const auto value = number(column);
    if (!value) return tl::unexpected(value.error());
    constexpr double kMost = std::numeric_limits<float>::max();
    if (*value > kMost || *value < -kMost)
        return refuse(wanted_[column] + " is too large: " + in_quotes(fields_[column]));
    return static_cast<float>(*value);
}

}  // namespace parley::traces
