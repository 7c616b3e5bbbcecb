// App: repairs a run whose record is damaged: the damage is kept aside and declared, so that the
// run can be resumed.

#pragma once

#include "base/describe.h"
#include "base/file.h"

#include <cstdint>
#include <string>
#include <vector>

namespace parley::app {

struct Repaired {
    std::string run;
    bool damaged = false;
    std::uint64_t rounds_readable = 0;  ///< The last round that can be read.
    std::uint64_t epoch = 1;
    std::uint64_t next_round = 0;   ///< The first round after --resume.
    std::string aside;              ///< Where the damaged files are.
    std::vector<std::string> gone;  ///< What is missing, in sentences.
};
BOOST_DESCRIBE_STRUCT(Repaired, (), (run, damaged, rounds_readable, epoch, next_round, aside, gone))

/// Copies damaged segments into a new folder below journal/, moves the derived files there, since
/// they may be the only evidence of what is lost, and declares the gap in the journal. A record
/// without damage is left as it is. If it fails, nothing is declared; copies made until then stay,
/// and it can be tried again.
[[nodiscard]] Result<Repaired> repair(Disk& disk, const std::string& run);

std::string text_of(const Repaired& repaired);

}  // namespace parley::app
