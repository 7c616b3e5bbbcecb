// App, screen model: what the screen shows of each round, as known in that round. Takes the rounds
// in order.

#pragma once

#include "apps/terminal/screen.h"
#include "layers/explanation/wording/leading.h"
#include "model/round.h"
#include "store/run_format.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace parley::app {

/// One published round. Borrowed for the call.
struct RoundFacts {
    const model::RoundInput& input;
    const model::Decision& decision;
    const model::Memory& memory;                       ///< As decided.
    std::string trouble = {};                          ///< Why nothing was sent; else empty.
    Wording pace = {};                                 ///< `on time`, or how late.
    std::optional<explanation::Leading> leading = {};  ///< Nothing: nobody else could lead.
    std::string remark = {};  ///< What went wrong beside the round; shown when it is new.
};

/// Facts that do not change from round to round.
struct RunFacts {
    std::string name;  ///< `tour, seed 7`.
    model::Policy policy;
    std::string folder;  ///< Empty: nothing is recorded.
    Duration interval = seconds(3);
    std::string address = {};                   ///< Of the dashboard; empty: there is none.
    std::vector<store::StageNote> stages = {};  ///< What was prepared before the first round.
};

/// Keeps the last `kKept` rounds for going back in time, and a letter of every round.
class ScreenHistory {
public:
    static constexpr std::size_t kKept = 3'600;

    explicit ScreenHistory(RunFacts run);

    /// Takes the next round; returns its events, newest first.
    std::vector<EventLine> add(const RoundFacts& facts);

    bool empty() const { return models_.empty(); }
    std::uint64_t first() const { return models_.front().round; }
    std::uint64_t newest() const { return models_.back().round; }
    /// The kept round nearest to `round`; says so if it is not the newest.
    ScreenModel at(std::uint64_t round) const;
    /// The next round before or after `round` in which an alarm was raised or someone was
    /// overruled; `round` itself if there is none.
    std::uint64_t landmark(std::uint64_t round, bool forward) const;

private:
    void execution(const RoundFacts& facts, ScreenModel& model);
    void compare(ScreenModel& model) const;
    std::vector<EventLine> events(const RoundFacts& facts);

    RunFacts run_;
    std::deque<ScreenModel> models_;
    std::string strip_;
    std::deque<EventLine> events_;  ///< Newest first.
    std::vector<std::uint64_t> landmarks_;

    bool stopped_ = false;
    std::string last_decision_;
    std::string last_score_;
    std::vector<model::SourceState> last_sources_;
    std::vector<model::Alarm> last_alarms_;
    std::string last_exercise_;
    std::optional<explanation::Leading> last_leading_;
    std::string last_remark_;
};

}  // namespace parley::app
