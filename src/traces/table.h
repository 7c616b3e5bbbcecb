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
/// stand in quotation marks, but not run over the end of a line; blanks around them do not count.
class Table {
public:
    /// Finds the wanted columns in the heading, in the order asked for; others are skipped. Fields
    /// are separated by commas; by semicolons or tabs where the heading has no comma. `name` is
    /// that of the file, for whoever must look into it.
    [[nodiscard]] static Result<Table> open(std::string name, std::string_view text,
                                            std::span<const std::string_view> wanted);

    /// The names of all columns, as the heading has them.
    [[nodiscard]] static Result<std::vector<std::string>> heading(const std::string& name,
                                                                  std::string_view text);

    /// The next line's wanted fields, false at the end. Empty lines are skipped.
    [[nodiscard]] Result<bool> next();

    std::string_view text(std::size_t column) const { return fields_[column]; }
    /// Nothing stands there, or one of the words by which programs say so: NA, NaN, null.
    bool missing(std::size_t column) const;
    [[nodiscard]] Result<double> number(std::size_t column) const;
    [[nodiscard]] Result<std::int64_t> whole(std::size_t column, std::int64_t lo,
                                             std::int64_t hi) const;
    /// A number, or NaN where it is missing.
    [[nodiscard]] Result<float> number_or_missing(std::size_t column) const;
    /// Likewise; refuses what is below 0, as no count, size or use can be.
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
    std::vector<std::string_view> fields_;  ///< Wanted ones.
    std::vector<std::string_view> all_;     ///< Of the line, kept to save its allocation.
    std::deque<std::string> unquoted_;      ///< Fields of the line that differ from its text.

    /// Fills all_; false if a quotation mark has no partner.
    bool split(std::string_view line);
};

}  // namespace parley::traces
