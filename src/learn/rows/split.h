// Learn: which rows train, stop, calibrate and test: rows in, one part per row out.

#pragma once

#include "base/result.h"
#include "learn/rows/rows.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace parley::learn {

enum class Part : std::uint8_t {
    train,
    stop,       ///< Tells when more trees stop helping.
    calibrate,  ///< Turns margins into probabilities.
    test,       ///< Seen by nothing before the report.
    left_out,   ///< Between two slices, or censored: used by none.
};
BOOST_DESCRIBE_ENUM(Part, train, stop, calibrate, test, left_out)
inline constexpr std::size_t kParts = 4;

/// Shares of time, groups or entities; they sum to 1.
inline constexpr std::array<double, kParts> kPartShares = {0.6, 0.1, 0.1, 0.2};

/// Folds of the training rows: each is held out once, which gives margins of unseen rows.
inline constexpr std::size_t kFolds = 5;

struct Split {
    std::vector<Part> part;          ///< One per row.
    std::vector<std::uint8_t> fold;  ///< One per row, below kFolds, for rows that train; or empty.
    std::string rule;                ///< One line for a person.
    bool by_time = false;            ///< Parts and folds follow each other in time.
    Duration embargo;                ///< How far labels look ahead.
};

/// Slices of time with the shares of kPartShares over all rows in order of time. A row less than
/// `embargo` before the next slice is left out, since its label looks into that slice. Rows of one
/// time stay together. Folds are slices of the training time.
[[nodiscard]] Result<Split> split_by_time(const Rows& rows, Duration embargo);

/// By a hash of each row's key: a key is in one part and one fold, and stays there whatever else
/// the file holds.
[[nodiscard]] Result<Split> split_by_key(std::span<const std::uint64_t> keys,
                                         const std::string& what);

/// Whole runs if there are at least kGroupsMin; else slices of time if the rows span at least
/// twenty embargoes; else entities. Runs and entities are assigned by hash; fewer than a hundred
/// are sorted by it and cut, so that shares are met to the nearest one.
inline constexpr std::size_t kGroupsMin = 20;
[[nodiscard]] Result<Split> split_rows(const Rows& rows, Duration embargo);

/// Numbers of the rows of a part, in order, without those of weight zero.
std::vector<std::uint32_t> rows_of(const Rows& rows, const Split& split, Part part);

}  // namespace parley::learn
