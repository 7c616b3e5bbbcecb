// Learn: rows and their split in, what a report says of them out.

#pragma once

#include "learn/report/report.h"
#include "learn/rows/rows.h"
#include "learn/rows/split.h"

namespace parley::learn {

/// Counts per slice, the split's rule and the fingerprint; name, what and entity stay empty. Where
/// failures are not told apart, each positive row counts as one.
DataFacts facts_of(const Rows& rows, const Split& split);

}  // namespace parley::learn
