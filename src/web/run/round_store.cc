#include "web/run/round_store.h"

#include <algorithm>
#include <utility>

namespace parley::web {
namespace {

/// Beyond this distance a keyframe may be nearer.
constexpr std::uint64_t kStepsMax = 100;
/// The last rounds passed on the way are kept: people look at a round, then the one before, and
/// then step back.
constexpr std::uint64_t kKeptBefore = 8;
/// Writers write a keyframe at least this often.
constexpr std::uint64_t kKeyframesApart = 600;

/// For places where walks can continue. Each takes 1 MB for 5,000 nodes.
constexpr std::size_t kPlaceBytesMax = std::size_t{64} << 20;

}  // namespace

Result<void> RoundStore::look_for_keyframes() {
    auto found = store::find_keyframes(disk_, folder_, scanned_);
    if (!found) return tl::unexpected(found.error());
    keyframes_.insert(keyframes_.end(), found->begin(), found->end());
    return {};
}

Result<void> RoundStore::prepare() {
    const std::lock_guard lock(mutex_);
    return look_for_keyframes();
}

void RoundStore::mark(const RecordWalk& walk, std::uint64_t apart) {
    const std::uint64_t read = walk.reader().bytes();
    const std::lock_guard lock(mutex_);
    if (read < marked_) marked_ = 0;  // It is another walk.
    if (read - marked_ < apart) return;
    marked_ = read;
    auto place = walk.place();
    const bool later =
        place && (places_.empty() || places_.back().waypoint.round < place->waypoint.round);
    if (!later) return;
    place_bytes_ += place->waypoint.bytes();
    places_.push_back(*std::move(place));
    if (place_bytes_ <= kPlaceBytesMax) return;
    apart_ *= 2;
    std::size_t kept = 0;
    place_bytes_ = 0;
    for (std::size_t i = 0; i < places_.size(); i += 2) {
        place_bytes_ += places_[i].waypoint.bytes();
        if (i != kept) places_[kept] = std::move(places_[i]);
        ++kept;
    }
    places_.resize(kept);
}

/// A walk from the last keyframe or place at or before a round. Keyframes are looked for once, and
/// again if the nearest is so far away that a later one must have been written.
Result<RecordWalk> RoundStore::begin_near(std::uint64_t round) {
    const auto nearest = [&] {
        return std::ranges::upper_bound(keyframes_, round, {}, &store::KeyframePlace::round);
    };
    auto behind = nearest();
    const bool far = behind == keyframes_.end() &&
                     (keyframes_.empty() || round - keyframes_.back().round > kKeyframesApart);
    if (far) {
        if (auto found = look_for_keyframes(); !found) return tl::unexpected(found.error());
        behind = nearest();
    }
    const std::uint64_t keyframe = behind == keyframes_.begin() ? 0 : (behind - 1)->round;
    const auto place = std::ranges::upper_bound(
        places_, round, {}, [](const WalkPlace& each) { return each.waypoint.round; });
    const auto walk = [](store::RunReader reader) { return RecordWalk(std::move(reader)); };
    if (place != places_.begin() && (place - 1)->waypoint.round > keyframe) {
        return store::RunReader::open_at(disk_, folder_, header_, (place - 1)->waypoint)
            .map([&](store::RunReader reader) {
                return RecordWalk(std::move(reader), *(place - 1));
            });
    }
    if (keyframe == 0) return store::RunReader::open(disk_, folder_).map(walk);
    return store::RunReader::open_at(disk_, folder_, header_, (behind - 1)->position).map(walk);
}

Result<SeenRoundPtr> RoundStore::open(std::uint64_t round) {
    const std::lock_guard lock(mutex_);
    if (SeenRoundPtr found = kept_.find(round)) return found;
    const bool near = walk_ && walked_ < round && round - walked_ <= kStepsMax;
    if (!near) {
        // The one before is needed next.
        auto walk = begin_near(round > 1 ? round - 1 : round);
        if (!walk) return tl::unexpected(walk.error());
        walk_.emplace(*std::move(walk));
    } else if (walk_->reader().at_end()) {
        if (auto again = walk_->look_again(); !again) return tl::unexpected(again.error());
    }
    walk_->skip_to(round > kKeptBefore ? round - kKeptBefore : 0);
    while (true) {
        const auto next = walk_->next();
        if (!next || !*next) {
            walk_.reset();
            if (!next) return tl::unexpected(next.error());
            return fail(ErrorCode::gone,
                        "round " + std::to_string(round) + " is not in the record of " + folder_);
        }
        const SeenRoundPtr& seen = *next;
        walked_ = seen->decision->round;
        if (!kept_.find(walked_)) kept_.add(seen);
        if (walked_ == round) return seen;
        if (walked_ > round) {
            walk_.reset();
            return fail(ErrorCode::gone, "round " + std::to_string(round) +
                                             " cannot be read; round " + std::to_string(walked_) +
                                             " is whole");
        }
    }
}

Result<void> RoundStore::each(std::uint64_t first, std::uint64_t last,
                              const std::function<void(const SeenRoundPtr&)>& take) {
    auto walk = [&] {
        const std::lock_guard lock(mutex_);
        return begin_near(first);
    }();
    if (!walk) return tl::unexpected(walk.error());
    walk->skip_to(first);
    while (true) {
        const auto next = walk->next();
        if (!next) return tl::unexpected(next.error());
        const std::uint64_t round = *next ? (*next)->decision->round : last + 1;
        if (round > last) return {};
        if (round >= first) take(*next);
        if (round == last) return {};
    }
}

}  // namespace parley::web
