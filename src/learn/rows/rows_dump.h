// Learn: rows as bytes, so that other programs can train on exactly the same ones.

#pragma once

#include "learn/rows/rows.h"
#include "learn/rows/split.h"

#include <string>

namespace parley::learn {

/// A line of JSON, {"rows":n,"columns":[...]}, then without gaps, little-endian: values (float32,
/// row by row), labels (float32), weights (float32), entities (int32), parts (uint8, in the order
/// of Part), times (int64, microseconds), events (int32, -1: none).
std::string dump_rows(const Rows& rows, const Split& split);

}  // namespace parley::learn
