// Web: one run as it is served: its rounds, from the loop of this process or from its record, its
// index, and the stream of news.

#pragma once

#include "base/file.h"
#include "web/run/guarded.h"
#include "web/run/record_follower.h"
#include "web/run/run_hooks.h"
#include "web/run/run_known.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace parley::web {

/// Thread-safe. Borrows the disk.
class ServedRun {
public:
    /// For this process's own loop: rounds come by take().
    ServedRun(Disk& disk, RunPlace place, store::RunHeader header, RunHooks hooks);
    /// For a record: rounds come by read_more().
    ServedRun(Disk& disk, RunPlace place, RunHooks hooks);

    /// Sets who receives the messages of its stream.
    void listen(RunStream::Listener listener);
    /// What a new client gets at once; `last` is the last round that it has.
    std::vector<Shared> greeting(std::optional<std::uint64_t> last) const;

    /// Sets its header, if that was not known before: a run may be tuned before its first round.
    void begin(store::RunHeader header);
    void take(SeenRoundPtr round);
    /// For a live run that was resumed: reads everything recorded before.
    [[nodiscard]] Result<void> take_record();
    void finish(RunState state, const std::string& reason);
    /// Adds a sentence to its events.
    void note(explanation::EventKind kind, const std::string& message);

    /// Reads its record for about this long, newest rounds first: from the last keyframe to the
    /// end, then from the beginning. True: there is more to read now.
    bool read_more(Duration budget);
    bool is_live() const { return !follower_; }
    /// Its newest rounds are read, or it is live.
    bool was_read() const;
    /// Fails with `unavailable` while earlier rounds are being read.
    [[nodiscard]] Result<void> all_read() const;

    const std::string& name() const { return place_.name; }
    const std::string& folder() const { return place_.folder; }
    const RunHooks& hooks() const { return hooks_; }
    /// Why it cannot be opened; or empty.
    std::string problem() const;
    RunCard card() const;
    RunDetail detail() const;
    std::uint64_t newest() const;

    /// Nothing: the newest. Fails with `gone` and a sentence that says which rounds can be read, or
    /// with `unavailable` while its record is being read.
    [[nodiscard]] Result<SeenRoundPtr> round(std::optional<std::uint64_t> number) const;
    /// The round if it is available without much reading; else null.
    SeenRoundPtr round_if_near(std::uint64_t number) const;
    RoundView view(const SeenRound& round) const;
    /// The rounds from `first` to `last`, in order.
    [[nodiscard]] Result<void> each(std::uint64_t first, std::uint64_t last,
                                    const std::function<void(const SeenRoundPtr&)>& take) const;

    /// Asks the index.
    template <class F>
    auto ask_index(F&& f) const {
        return known_.with([&](const RunKnown& known) {
            using Out = decltype(f(*known.index));
            return known.index ? std::optional<Out>(f(*known.index)) : std::nullopt;
        });
    }
    /// Only if the header is known: problem() is empty and was_read().
    store::RunHeader header() const;

private:
    Disk& disk_;
    RunPlace place_;
    RunHooks hooks_;
    Guarded<RunKnown> known_{place_, hooks_};
    std::optional<RecordFollower> follower_;  ///< Nothing: it is live.
};

}  // namespace parley::web
