// Traces: what every importer of failures makes.

#pragma once

#include "learn/rows.h"
#include "learn/split.h"

#include <string>

namespace parley::traces {

/// Rows of one public trace with the split that belongs to it.
struct RiskTrace {
    std::string name;
    std::string what;    ///< What a 1 means, as a sentence.
    std::string entity;  ///< What an entity is: `node`, `drive`.
    learn::Rows rows;
    learn::Split split;
    Duration step;  ///< Between two rows of an entity; zero: rows are not spaced in time.
};

}  // namespace parley::traces
