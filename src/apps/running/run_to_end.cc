#include "apps/running/run_to_end.h"

#include "apps/terminal/progress.h"
#include "apps/terminal/terminal.h"
#include "base/number.h"
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

std::string nothing_left(std::uint64_t has, std::uint64_t last) {
    if (has < last) return {};
    const auto count = [](std::uint64_t n) { return thousands(static_cast<std::int64_t>(n)); };
    return "note: no round was made: the run has " + count(has) +
           (has == 1 ? " round" : " rounds") + " already, and --rounds " + std::to_string(last) +
           " counts from its first. To go on: --rounds " + std::to_string(has + last) + "\n";
}

Result<void> run_to_end(Rounds& rounds, std::uint64_t last, Tally tally, const FinishRun& finish,
                        RunSummary& summary) {
    Result<void> done;
    {
        Progress progress(last, "rounds");
        while (rounds.rounds() < last && !stop_requested()) {
            const auto came = rounds.next();
            if (!came) {
                done = tl::unexpected(came.error());
                break;
            }
            if (!*came) continue;
            tally.add(rounds.last()->decision);
            progress.show(rounds.rounds());
        }
    }
    const bool complete = rounds.rounds() >= last;
    const auto status = !done      ? store::RunStatus::failed
                        : complete ? store::RunStatus::complete
                                   : store::RunStatus::stopped;
    const auto closed = finish(status, done ? "" : done.error().message);
    tally.fill(summary);
    summary.status = std::string(enum_name(status));
    summary.rounds = rounds.rounds();
    return done ? closed : done;
}

}  // namespace parley::app
