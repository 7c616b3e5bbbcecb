#include "apps/runs/mend.h"

#include "apps/terminal/cli.h"
#include "layers/explanation/derived/derived.h"
#include "store/journal.h"
#include "store/run_writer.h"

#include <cstdio>

namespace parley::app {

Mended mend_derived(Disk& disk, const std::string& run) {
    // Whoever holds this lock writes the run, and makes its files at the end.
    const auto lock = store::lock_journal(disk, store::journal_folder(run));
    if (!lock) return {};
    const auto facts = explanation::ensure(disk, run);
    if (!facts) {
        return {"note: files derived from the record stay as they are: " + facts.error().message +
                "\n"};
    }
    if (!facts->beyond.empty()) {
        return {"warning: " + facts->beyond +
                    ": what the journal lost is kept nowhere else, so that nothing was "
                    "overwritten; `parley repair " +
                    run + "` keeps it aside\n",
                false, facts->beyond};
    }
    if (!facts->rebuilt) return {};
    return {"note: events.jsonl, state.json and run.db were made anew: " + facts->because + "\n"};
}

int report_mended(const Mended& mended, int status) {
    std::fputs(for_terminal(mended.text).c_str(), stderr);
    return mended.whole || status != kDone ? status : kFailed;
}

}  // namespace parley::app
