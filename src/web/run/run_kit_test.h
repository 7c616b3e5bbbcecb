// Web, tests: records to be served.

#pragma once

#include "web/views/web_kit_test.h"

#include <cstdint>

namespace parley::web::kit {

/// Records rounds 1 to `rounds` in runs/tour-7; unfinished: as after a kill.
inline void record(Disk& disk, std::uint64_t rounds, bool finished = true) {
    Recording recording(disk, "runs/tour-7", {});
    for (std::uint64_t n = 1; n <= rounds; ++n) {
        Round round = round_at(n);
        recording.keep(round);
    }
    if (finished) recording.finish(rounds);
}

}  // namespace parley::web::kit
