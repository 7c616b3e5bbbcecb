// Traces: a text of comma-separated lines under a heading, read line by line.

#pragma once

#include "base/result.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parley::traces {

inline constexpr std::size_t kLinesMax = 20'000'000;
inline constexpr std::size_t kFieldsMax = 256;

/// Reads one line at a time; fields are borrowed from the text, which must outlive it. Fields may
/// be quoted but not span lines; surrounding blanks are ignored.
class Table {
public:
    /// Finds the wanted columns in the heading, in the order asked for; others are skipped. The
    /// separator is a comma, or a semicolon or tab if the heading has no comma. `name` is that of
    /// the file, for messages.
    [[nodiscard]] static Result<Table> open(std::string name, std::string_view text,
                                            std::span<const std::string_view> wanted);

    /// The names of all columns, as the heading has them.
    [[nodiscard]] static Result<std::vector<std::string>> heading(const std::string& name,
                                                                  std::string_view text);

    /// Reads the wanted fields of the next line; false at the end. Empty lines are skipped.
    [[nodiscard]] Result<bool> next();

    std::string_view text(std::size_t column) const { return fields_[column]; }
    /// Empty, or one of the words that programs write for a missing value: NA, NaN, null.
    bool missing(std::size_t column) const;
    [[nodiscard]] Result<double> number(std::size_t column) const;
    [[nodiscard]] Result<std::int64_t> whole(std::size_t column, std::int64_t lo,
                                             std::int64_t hi) const;
    /// A number, or NaN where it is missing.
    [[nodiscard]] Result<float> number_or_missing(std::size_t column) const;
    /// The same; refuses negative values, which no count, size or use can have.
    [[nodiscard]] Result<double> amount_or_missing(std::size_t column) const;

    std::size_t line() const { return line_; }
    /// `name:line: sentence`.
    tl::unexpected<Error> refuse(const std::string& sentence) const;

private:
    std::string name_;
    std::string_view rest_;
    std::vector<std::size_t> place_;  ///< Of each wanted column in a line.
    std::vector<std::string> wanted_;
    std::size_t width_ = 0;
    std::size_t line_ = 0;
    char separator_ = ',';
    std::vector<std::string_view> fields_;  ///< The wanted fields of the line.
    std::vector<std::string_view> all_;  ///< All fields of the line; kept to save its allocation.
    /// Fields of the line whose text differs from what is written.
    std::deque<std::string> unquoted_;

    /// Fills all_; false if a quotation mark has no partner.
    bool split(std::string_view line);
};

}  // namespace parley::traces
