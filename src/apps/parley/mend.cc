#include "apps/parley/mend.h"

#include "layers/explanation/derived.h"

namespace parley::app {

std::string mend_derived(Disk& disk, const std::string& run) {
    // Whoever holds this writes the run, and makes its files at the end.
    const auto lock = disk.lock(run + "/journal/lock");
    if (!lock) return {};
    const auto facts = explanation::ensure(disk, run);
    if (!facts)
        return "note: files derived from the record stay as they are: " + facts.error().message +
               "\n";
    if (!facts->rebuilt) return {};
    return "note: events.jsonl, state.json and run.db were made anew: " + facts->because + "\n";
}

}  // namespace parley::app
