// Traces: what every importer of failures makes.

#pragma once

#include "learn/rows/rows.h"
#include "learn/rows/split.h"

#include <string>
#include <vector>

namespace parley::traces {

/// Rows of one public trace with the split that belongs to it.
struct RiskTrace {
    std::string name;
    std::string what;    ///< What a 1 means, as a sentence.
    std::string entity;  ///< What an entity is: `node`, `drive`.
    learn::Rows rows;
    learn::Split split;
    Duration step;     ///< Between two rows of an entity; zero: rows are not spaced in time.
    Duration horizon;  ///< How far a row looks; zero: as far as the next one.
    std::vector<std::string> left_out;  ///< Columns that are not numbers.
};

}  // namespace parley::traces
