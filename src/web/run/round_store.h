// Web: the number of a round in, the round out, from the record: reading begins at the keyframe or
// waypoint before it. What was read on the way is kept for a while, since people step to and fro.

#pragma once

#include "base/file.h"
#include "web/run/kept_rounds.h"
#include "web/run/record_walk.h"

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace parley::web {

/// May be used by several threads; one reads at a time. Borrows the disk.
class RoundStore {
public:
    RoundStore(Disk& disk, std::string folder, store::RunHeader header)
        : disk_(disk), folder_(std::move(folder)), header_(std::move(header)) {}

    /// Fails with `gone` if the round is not in the record, or as the record does.
    [[nodiscard]] Result<SeenRoundPtr> open(std::uint64_t round);

    /// Looks for keyframes, so that the first round that somebody opens is as quick as the rest.
    [[nodiscard]] Result<void> prepare();

    /// Keeps the place where a walk from the beginning stands, if the one before is so far away
    /// that opening a round between them would take long. Memory for it is bounded: where it is
    /// used up, every other place is forgotten.
    void mark(const RecordWalk& walk) { mark(walk, apart_); }
    /// The same with places so many bytes apart.
    void mark(const RecordWalk& walk, std::uint64_t apart);

    /// Every round that can be read from about `first` up to `last`, in order.
    [[nodiscard]] Result<void> each(std::uint64_t first, std::uint64_t last,
                                    const std::function<void(const SeenRoundPtr&)>& take);

private:
    Result<void> look_for_keyframes();
    Result<RecordWalk> begin_near(std::uint64_t round);

    Disk& disk_;
    std::string folder_;
    store::RunHeader header_;
    std::mutex mutex_;
    KeptRounds kept_{{}};
    std::optional<RecordWalk> walk_;  ///< Stands behind the last round that was opened.
    std::uint64_t walked_ = 0;
    std::vector<store::KeyframePlace> keyframes_;
    store::Position scanned_;        ///< How far keyframes were looked for.
    std::vector<WalkPlace> places_;  ///< By round.
    std::size_t place_bytes_ = 0;
    std::uint64_t apart_ = std::uint64_t{4} << 20;  ///< Bytes to read between two of them.
    std::uint64_t marked_ = 0;  ///< How much the walk had read at the last of them.
};

}  // namespace parley::web
