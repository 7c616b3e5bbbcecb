// Web: one run as it is served: its rounds from the loop of this process or from its record, its
// index, and the stream of what is new.

#pragma once

#include "base/file.h"
#include "web/run/kept_rounds.h"
#include "web/run/round_store.h"
#include "web/run/stream.h"
#include "web/views/round_view.h"
#include "web/views/run_index.h"
#include "web/views/views_run.h"
#include "web/views/views_things.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace parley::web {

/// What is known of a run beside its record.
struct RunAbout {
    std::vector<std::string> command;
    std::vector<SettingView> settings;
    std::string cluster_kind;
    std::vector<std::string> cannot;
    std::vector<StageView> stages;  ///< Empty: what the record tells.
};
BOOST_DESCRIBE_STRUCT(RunAbout, (), (command, settings, cluster_kind, cannot, stages))

/// What only the program around can do. Called from the server's threads; empty: it cannot.
struct RunHooks {
    std::function<AskView(const std::string& question, std::optional<std::uint64_t> round)> ask;
    std::function<LearningView()> learning;
    std::function<RunAbout()> about;
    /// Stops it from acting, for good; who it was, and after which round, is recorded.
    std::function<Result<void>(const std::string& who, std::uint64_t after_round)> stop;
    /// Nothing: it was not stopped.
    std::function<std::optional<StopWord>()> stopped;
};

/// Where a run is, and what is known of it before it was read.
struct RunPlace {
    std::string name;
    std::string folder;  ///< Empty: nothing is recorded.
};

/// May be used by several threads. Borrows the disk.
class ServedRun {
public:
    /// Of this process's own loop: rounds come by take().
    ServedRun(Disk& disk, RunPlace place, store::RunHeader header, RunHooks hooks);
    /// From its record: rounds come by read_more().
    ServedRun(Disk& disk, RunPlace place, RunHooks hooks);

    /// A message of its stream, with the number of its round; 0: it is no round. Called by whoever
    /// brings rounds.
    using Listener = std::function<void(std::uint64_t id, Shared message)>;
    void listen(Listener listener);
    /// What somebody who comes gets at once; `last` is the last round that it has.
    std::vector<Shared> greeting(std::optional<std::uint64_t> last) const;

    /// What its header is, where that was not settled before: it is tuned before its first round.
    void begin(store::RunHeader header);
    void take(SeenRoundPtr round);
    /// Of a live run that goes on with an earlier one: everything that was recorded before.
    [[nodiscard]] Result<void> take_record();
    void finish(RunState state, const std::string& reason);
    /// A sentence among its events.
    void note(explanation::EventKind kind, const std::string& message);

    /// Reads its record for about so long, the newest rounds first: from the last keyframe to the
    /// end, then from the beginning on. True: there is more to read at once.
    bool read_more(Duration budget);
    bool is_live() const { return live_; }
    /// Its newest rounds were read, or it is live.
    bool was_read() const { return read_; }
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

    /// Nothing: the newest. Fails with `gone` and a sentence that says what is whole, or with
    /// `unavailable` while its record is being read.
    [[nodiscard]] Result<SeenRoundPtr> round(std::optional<std::uint64_t> number) const;
    /// If it can be had without much reading.
    SeenRoundPtr round_if_near(std::uint64_t number) const;
    RoundView view(const SeenRound& round) const;
    /// Rounds before `last` and it, as many as are asked for, in order.
    [[nodiscard]] Result<void> each(std::uint64_t first, std::uint64_t last,
                                    const std::function<void(const SeenRoundPtr&)>& take) const;

    /// Asks the index.
    template <class F>
    auto ask_index(F&& f) const {
        const std::lock_guard lock(mutex_);
        using Out = decltype(f(*index_));
        return index_ ? std::optional<Out>(f(*index_)) : std::nullopt;
    }
    /// Only after the header is known: problem() is empty and was_read().
    store::RunHeader header() const;

private:
    RunState state_now() const;
    RunContext context() const;
    void open_record();
    bool read_newest(Duration budget);
    bool read_earlier(Duration budget);
    void all_is_read(SeenRoundPtr last);
    void know(const RecordWalk& walk, bool whole);
    void add_gaps(const std::vector<std::string>& gaps);
    std::uint64_t damaged_locked() const;
    std::string reading_locked() const;
    void tell(std::uint64_t id, Shared message);
    void announce(const SeenRound& round);
    RunCard card_locked() const;
    std::optional<StopWord> stop_word() const;
    Shared status_message() const;

    Disk& disk_;
    RunPlace place_;
    RunHooks hooks_;
    bool live_;
    std::atomic<bool> read_ = false;

    std::mutex reading_;              ///< Held by whoever reads the record.
    std::optional<RecordWalk> walk_;  ///< Follows its end.
    /// A walk from the beginning, and what it has found, until it meets the other.
    struct Earlier {
        RecordWalk walk;
        RunIndex index;
    };
    std::optional<Earlier> earlier_;
    TimePoint looked_;    ///< For what was written since.
    bool quiet_ = false;  ///< The last look found nothing new.

    mutable std::mutex mutex_;  ///< Of everything below.
    std::optional<store::RunHeader> header_;
    std::optional<RunIndex> index_;
    std::shared_ptr<RoundStore> store_;
    KeptRounds ring_{{}};
    std::optional<MapView> map_;
    Recent recent_{256};
    Shared newest_whole_;
    RunState state_ = RunState::running;
    std::string reason_;
    std::string problem_;
    std::vector<std::string> gaps_;
    struct Note {
        explanation::EventKind kind;
        std::string message;
    };
    std::vector<Note> notes_;                      ///< While earlier rounds are being read.
    std::optional<std::uint64_t> earlier_rounds_;  ///< So far; nothing: all is read.
    Listener listener_;
};

}  // namespace parley::web
