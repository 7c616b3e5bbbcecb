// Web: the rounds of a recorded run, as they are shown, one after the other.

#pragma once

#include "model/restart_window.h"
#include "store/run_reader.h"
#include "web/views/seen_round.h"

#include <optional>

namespace parley::web {

/// The page shows restarts of this period. The record has the memory that counts them only at
/// keyframes; in between they are counted from the inputs.
inline constexpr Duration kRestartsShown = minutes(10);

/// A place from which a walk can continue later.
struct WalkPlace {
    store::Waypoint waypoint;
    model::RestartWindow restarts{kRestartsShown};
    std::optional<TimePoint> last;
};

/// One thread at a time.
class RecordWalk {
public:
    explicit RecordWalk(store::RunReader reader) : reader_(std::move(reader)) {}
    /// Continues from a place; the reader must have been opened there.
    RecordWalk(store::RunReader reader, const WalkPlace& place)
        : reader_(std::move(reader)), restarts_(place.restarts), last_(place.last) {}

    /// Where it is now; nothing in a gap.
    std::optional<WalkPlace> place() const;

    /// The next round, or null at the end; like RunReader::next_whole.
    [[nodiscard]] Result<SeenRoundPtr> next(bool give_last = true);
    /// Rounds before this one are read but not returned, which is much faster.
    void skip_to(std::uint64_t round) { from_ = round; }
    [[nodiscard]] Result<void> look_again() { return reader_.look_again(); }

    store::RunReader& reader() { return reader_; }
    const store::RunReader& reader() const { return reader_; }

private:
    void meet(const model::RoundInput& input, const model::Memory* memory);

    store::RunReader reader_;
    std::uint64_t from_ = 0;
    model::RestartWindow restarts_{kRestartsShown};
    std::optional<TimePoint> last_;
};

}  // namespace parley::web
