// Web: a recorded run in, its rounds as they are shown out, one after the other.

#pragma once

#include "store/run_reader.h"
#include "web/seen_round.h"

#include <deque>
#include <optional>

namespace parley::web {

/// Restarts of the last ten minutes by node. A record keeps the memory that counts them only now
/// and then; between, they are counted from what was seen.
class RestartWindow {
public:
    /// What a run remembers where reading begins.
    void meet(const model::Derived& derived, TimePoint now);
    void take(const model::RoundInput& input);
    std::map<Slot, std::int32_t> counts() const;

private:
    struct One {
        Slot node = kNoSlot;
        TimePoint at;
        std::int32_t count = 0;
    };
    void drop_old(TimePoint now);

    std::deque<One> seen_;
};

/// One thread at a time.
class RecordWalk {
public:
    explicit RecordWalk(store::RunReader reader) : reader_(std::move(reader)) {}

    /// The next round, or null at the end. As RunReader::next_whole.
    [[nodiscard]] Result<SeenRoundPtr> next(bool give_last = true);
    [[nodiscard]] Result<void> look_again() { return reader_.look_again(); }

    store::RunReader& reader() { return reader_; }

private:
    store::RunReader reader_;
    RestartWindow restarts_;
    std::optional<TimePoint> last_;
};

}  // namespace parley::web
