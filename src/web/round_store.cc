#include "web/round_store.h"

#include <algorithm>
#include <utility>

namespace parley::web {
namespace {

/// Rounds share what did not change between them, but a large cluster changes much.
constexpr std::size_t kRoundsKept = 128;
constexpr std::size_t kNodeRowsKept = 60'000;
/// Further ahead than this a keyframe may be nearer.
constexpr std::uint64_t kStepsMax = 100;
/// Writers set them at least so often.
constexpr std::uint64_t kKeyframesApart = 600;

std::size_t rows_of(const SeenRound& round) {
    return round.input->snapshot.nodes.size() + round.input->snapshot.pods.size() / 8;
}

}  // namespace

void RoundStore::keep(const SeenRoundPtr& round) {
    const std::uint64_t number = round->decision->round;
    if (!kept_.emplace(number, round).second) return;
    order_.push_back(number);
    kept_rows_ += rows_of(*round);
    while (order_.size() > 2 && (order_.size() > kRoundsKept || kept_rows_ > kNodeRowsKept)) {
        const auto oldest = kept_.find(order_.front());
        order_.pop_front();
        kept_rows_ -= rows_of(*oldest->second);
        kept_.erase(oldest);
    }
}

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

/// Behind the last keyframe at or before a round. Keyframes are looked for once, and again where
/// the nearest is so far away that a later one must have been written.
Result<store::RunReader> RoundStore::begin_near(std::uint64_t round) {
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
    if (behind == keyframes_.begin()) return store::RunReader::open(disk_, folder_);
    return store::RunReader::open_at(disk_, folder_, header_, (behind - 1)->position);
}

Result<SeenRoundPtr> RoundStore::open(std::uint64_t round) {
    const std::lock_guard lock(mutex_);
    if (const auto found = kept_.find(round); found != kept_.end()) return found->second;
    const bool near = walk_ && walked_ < round && round - walked_ <= kStepsMax;
    if (!near) {
        auto reader = begin_near(round);
        if (!reader) return tl::unexpected(reader.error());
        walk_.emplace(*std::move(reader));
    } else if (walk_->reader().at_end()) {
        if (auto again = walk_->look_again(); !again) return tl::unexpected(again.error());
    }
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
        keep(seen);
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
    auto reader = [&] {
        const std::lock_guard lock(mutex_);
        return begin_near(first);
    }();
    if (!reader) return tl::unexpected(reader.error());
    RecordWalk walk(*std::move(reader));
    while (true) {
        const auto next = walk.next();
        if (!next) return tl::unexpected(next.error());
        const std::uint64_t round = *next ? (*next)->decision->round : last + 1;
        if (round > last) return {};
        if (round >= first) take(*next);
        if (round == last) return {};
    }
}

}  // namespace parley::web
