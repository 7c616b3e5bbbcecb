// Learn: rows and their split in, what a report says about them out.

#pragma once

#include "learn/report/report.h"
#include "learn/rows/rows.h"
#include "learn/rows/split.h"

namespace parley::learn {

/// Counts per slice, the split's rule and the fingerprint; name, what and entity stay empty. If
/// failures are not identified, each positive row counts as one.
DataFacts facts_of(const Rows& rows, const Split& split);

}  // namespace parley::learn
