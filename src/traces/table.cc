#include "traces/table.h"

#include "base/number.h"

#include <algorithm>
#include <limits>

namespace parley::traces {
namespace {

std::string_view take_line(std::string_view& rest) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

void split_fields(std::string_view line, std::vector<std::string_view>& into) {
    into.clear();
    while (true) {
        const std::size_t comma = line.find(',');
        into.push_back(line.substr(0, comma));
        if (comma == std::string_view::npos || into.size() > kFieldsMax) return;
        line.remove_prefix(comma + 1);
    }
}

}  // namespace

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
    split_fields(take_line(table.rest_), table.all_);
    if (table.all_.size() > kFieldsMax) return table.refuse("its heading has too many columns");
    table.width_ = table.all_.size();
    for (const std::string_view column : wanted) {
        const auto found = std::ranges::find(table.all_, column);
        if (found == table.all_.end()) {
            return table.refuse("its heading has no column " + in_quotes(column) +
                                "; is it the right file?");
        }
        table.place_.push_back(static_cast<std::size_t>(found - table.all_.begin()));
        table.wanted_.emplace_back(column);
    }
    table.fields_.resize(wanted.size());
    return table;
}

Result<bool> Table::next() {
    std::string_view line;
    do {
        if (rest_.empty()) return false;
        ++line_;
        line = take_line(rest_);
    } while (line.empty());
    if (line_ > kLinesMax) return refuse("it has more lines than can be read; split the file");
    if (line.find('"') != std::string_view::npos)
        return refuse("fields in quotation marks are not understood");
    split_fields(line, all_);
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

Result<float> Table::number_or_missing(std::size_t column) const {
    if (fields_[column].empty()) return std::numeric_limits<float>::quiet_NaN();
    const auto value = number(column);
    if (!value) return tl::unexpected(value.error());
    constexpr double kMost = std::numeric_limits<float>::max();
    if (*value > kMost || *value < -kMost)
        return refuse(wanted_[column] + " is too large: " + in_quotes(fields_[column]));
    return static_cast<float>(*value);
}

}  // namespace parley::traces
