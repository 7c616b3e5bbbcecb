// Learn: a data set in memory; importers make it and trainers take it.

#pragma once

#include "base/describe.h"
#include "base/time.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace parley::learn {

struct Column {
    std::string name;
    std::string unit;  ///< `share`, `s`, `count`, `yes/no` and so on; never empty.
    friend bool operator==(const Column&, const Column&) = default;
};
BOOST_DESCRIBE_STRUCT(Column, (), (name, unit))

constexpr std::int32_t kNoEvent = -1;

/// All vectors except `values` have one entry per row. A missing value is NaN, never zero.
struct Rows {
    std::vector<Column> columns;
    std::vector<float> values;         ///< Row by row.
    std::vector<float> label;          ///< 0 or 1, or the value to forecast.
    std::vector<float> weight;         ///< 0: censored, so neither good nor bad.
    std::vector<TimePoint> time;       ///< When it was known.
    std::vector<std::int32_t> entity;  ///< Node, drive, collection: what resampling keeps together.
    std::vector<std::int32_t> group;   ///< Run and seed; 0 where there is one.
    std::vector<std::int32_t> event;   ///< Which failure a positive row belongs to, or kNoEvent.

    std::size_t size() const { return label.size(); }
    std::span<const float> row(std::size_t i) const {
        return std::span(values).subspan(i * columns.size(), columns.size());
    }
};

}  // namespace parley::learn
