#include "model/score.h"

namespace parley::model {

std::string too_little_read(std::int64_t read, std::int64_t missing) {
    const std::int64_t all = read + missing;
    if (all <= 0) return "there was nothing to read";
    if (read * 100 >= all * kCoveragePercent) return {};
    return "only " + std::to_string(read * 100 / all) + "% of its readings were there, " +
           std::to_string(kCoveragePercent) + "% are needed";
}

}  // namespace parley::model
