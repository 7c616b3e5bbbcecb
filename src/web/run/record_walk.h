// Web: a recorded run in, its rounds as they are shown out, one after the other.

#pragma once

#include "store/run_reader.h"
#include "web/views/seen_round.h"

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

/// Where a walk may go on later.
struct WalkPlace {
    store::Waypoint waypoint;
    RestartWindow restarts;
    std::optional<TimePoint> last;
};

/// One thread at a time.
class RecordWalk {
public:
    explicit RecordWalk(store::RunReader reader) : reader_(std::move(reader)) {}
    /// Goes on from a place; the reader was opened there.
    RecordWalk(store::RunReader reader, const WalkPlace& place)
        : reader_(std::move(reader)), restarts_(place.restarts), last_(place.last) {}

    /// Where it stands; nothing where something is missing.
    std::optional<WalkPlace> place() const;

    /// The next round, or null at the end. As RunReader::next_whole.
    [[nodiscard]] Result<SeenRoundPtr> next(bool give_last = true);
    /// Rounds before this one are read and not given, which is much faster.
    void skip_to(std::uint64_t round) { from_ = round; }
    [[nodiscard]] Result<void> look_again() { return reader_.look_again(); }

    store::RunReader& reader() { return reader_; }
    const store::RunReader& reader() const { return reader_; }

private:
    void meet(const model::RoundInput& input, const model::Memory* memory);

    store::RunReader reader_;
    std::uint64_t from_ = 0;
    RestartWindow restarts_;
    std::optional<TimePoint> last_;
};

}  // namespace parley::web
