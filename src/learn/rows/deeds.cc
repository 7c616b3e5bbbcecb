#include "learn/rows/deeds.h"

namespace parley::learn {

AboveLimit judge_deeds(std::span<const Deed> deeds) {
    AboveLimit out;
    double load_failed = 0;  // Withheld where load was the cause: they stand for the hidden ones.
    double load_known = 0;
    for (const Deed& deed : deeds) {
        const bool withheld = deed.treatment == Treatment::withheld;
        const bool failed = deed.ending == Ending::failed;
        if (!withheld && deed.by_load) {
            ++out.hidden;
        } else if (deed.ending == Ending::censored) {
            ++out.open;
        } else if (withheld) {
            ++(failed ? out.withheld_failed : out.withheld_survived);
            load_known += deed.by_load ? 1 : 0;
            load_failed += deed.by_load && failed ? 1 : 0;
        } else {
            ++(failed ? out.hits : out.needless);
        }
    }
    const auto seen_failed = static_cast<double>(out.hits + out.withheld_failed);
    const double seen = seen_failed + static_cast<double>(out.needless + out.withheld_survived);
    const auto hidden = static_cast<double>(out.hidden);
    if (!(seen + hidden > 0)) return out;
    double fewest = 0;
    double most = hidden;
    if (load_known > 0) fewest = most = hidden * load_failed / load_known;
    out.identified = out.hidden == 0 || load_known > 0;
    out.precision_low = (seen_failed + fewest) / (seen + hidden);
    out.precision_high = (seen_failed + most) / (seen + hidden);
    return out;
}

}  // namespace parley::learn
