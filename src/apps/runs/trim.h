// App: drops the oldest rounds of a recorded run, so that a long one does not fill the disk.

#pragma once

#include "base/describe.h"
#include "base/file.h"
#include "base/result.h"
#include "base/time.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace parley::app {

/// How much of a run is kept; one of them is set.
struct Keep {
    std::optional<std::uint64_t> rounds;  ///< At least so many of the last, from 1.
    std::optional<Duration> span;         ///< At least those of so long before the last.
};

struct Trimmed {
    std::string run;
    std::uint64_t rounds_dropped = 0;  ///< 0: nothing was changed.
    std::uint64_t bytes_freed = 0;     ///< Of the journal.
    std::uint64_t wanted_from = 0;     ///< The first round that was to be kept.
    std::uint64_t first_round = 0;     ///< That is left.
    std::uint64_t last_round = 0;
    std::vector<std::uint32_t> segments_left;  ///< Damaged ones that a repair declared.
};
BOOST_DESCRIBE_STRUCT(Trimmed, (),
                      (run, rounds_dropped, bytes_freed, wanted_from, first_round, last_round,
                       segments_left))

/// Drops the rounds before the keyframe before those that are kept, and makes the derived files
/// anew from what is left: they would tell of more than the journal holds. Refuses a run that
/// another process writes, or whose record is damaged; then nothing is changed. If it fails later,
/// it can be called again.
[[nodiscard]] Result<Trimmed> trim(Disk& disk, const std::string& run, const Keep& keep,
                                   const std::function<void(std::uint64_t rounds)>& progress = {});

std::string text_of(const Trimmed& trimmed);

}  // namespace parley::app
