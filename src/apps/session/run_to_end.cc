#include "apps/session/run_to_end.h"

#include "apps/terminal/progress.h"
#include "apps/terminal/terminal.h"
#include "store/run_reader.h"

namespace parley::app {

Result<Tally> tally_of_record(Disk& disk, const std::string& folder) {
    auto reader = store::RunReader::open(disk, folder);
    if (!reader) return tl::unexpected(reader.error());
    Tally tally;
    for (;;) {
        const auto round = reader->next();
        if (!round) return tl::unexpected(round.error());
        if (!*round) return tally;
        tally.add((*round)->decision);
    }
}

Result<void> run_to_end(Session& session, std::uint64_t last, Tally tally, RunSummary& summary) {
    Result<void> done;
    {
        Progress progress(last, "rounds");
        while (done && session.rounds() < last && !stop_requested()) {
            done = session.round();
            if (!done) break;
            tally.add(session.last()->decision);
            progress.show(session.rounds());
        }
    }
    const bool complete = session.rounds() >= last;
    const auto status = !done      ? store::RunStatus::failed
                        : complete ? store::RunStatus::complete
                                   : store::RunStatus::stopped;
    const auto closed = session.finish(status, done ? "" : done.error().message);
    tally.fill(summary);
    summary.status = std::string(enum_name(status));
    summary.rounds = session.rounds();
    return done ? closed : done;
}

}  // namespace parley::app
