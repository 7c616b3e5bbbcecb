// Web: opens a round of a record by its number; reading begins at the keyframe or waypoint before
// it. Rounds read on the way are kept for a while, since people step back and forth.

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

/// Thread-safe; one thread reads at a time. Borrows the disk.
class RoundStore {
public:
    RoundStore(Disk& disk, std::string folder, store::RunHeader header)
        : disk_(disk), folder_(std::move(folder)), header_(std::move(header)) {}

    /// Fails with `gone` if the round is not in the record, or as the record does.
    [[nodiscard]] Result<SeenRoundPtr> open(std::uint64_t round);

    /// Looks for keyframes, so that the first round that is opened is as quick as later ones.
    [[nodiscard]] Result<void> prepare();

    /// Keeps the place of a walk from the beginning, if the last kept place is so far away that
    /// opening a round between them would take long. Memory is bounded: when it is used up, every
    /// other place is dropped.
    void mark(const RecordWalk& walk) { mark(walk, apart_); }
    /// The same with places this many bytes apart.
    void mark(const RecordWalk& walk, std::uint64_t apart);

    /// Calls it for every readable round from about `first` up to `last`, in order.
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
    std::optional<RecordWalk> walk_;  ///< After the last round that was opened.
    std::uint64_t walked_ = 0;
    std::vector<store::KeyframePlace> keyframes_;
    store::Position scanned_;        ///< How far keyframes were looked for.
    std::vector<WalkPlace> places_;  ///< By round.
    std::size_t place_bytes_ = 0;
    std::uint64_t apart_ = std::uint64_t{4} << 20;  ///< Bytes to read between two of them.
    std::uint64_t marked_ = 0;  ///< How much the walk had read at the last place.
};

}  // namespace parley::web
