#include "twin/future.h"

#include <algorithm>

namespace parley::twin {

using namespace model;

namespace {

/// Its counters are never compared with those of the cluster, only with themselves.
constexpr std::int64_t kHistory = -1;

bool fits(const Room& asks, const Room& left) {
    return asks.cpu_m <= left.cpu_m && asks.memory <= left.memory && asks.pods <= left.pods;
}

Room less(const Room& a, const Room& b) {
    return {a.cpu_m - b.cpu_m, a.memory - b.memory, a.pods - b.pods};
}

bool may_be(const Work& work, Slot node) {
    if (work.places.empty()) return true;
    return node / 64 < work.places.size() && ((work.places[node / 64] >> (node % 64)) & 1U) != 0;
}

}  // namespace

Future::Future(const Shown& start, std::vector<Wish> plan, Duration toleration, TimePoint now)
    : plan_(std::move(plan)), toleration_(toleration), last_(now), used_(start.places.size()) {
    for (const Pod& pod : start.pods) {
        Copy copy{.work = pod.work,
                  .node = kNoSlot,
                  .waits = pod.waits,
                  .asks = pod.asks,
                  .ready_at = pod.ready ? now : now + start.works[pod.work].startup,
                  .pod = pod.uid,
                  .ready = pod.ready};
        if (pod.node != kNoSlot) put(copy, pod.node);
        copies_.push_back(copy);
    }
    works_.resize(start.works.size());
    for (std::size_t i = 0; i < works_.size(); ++i) works_[i].wanted = start.works[i].wanted;
    count_ready(start, now);
    for (std::size_t i = 0; i < works_.size(); ++i) {
        const std::int32_t may_lose = start.works[i].may_lose;
        works_[i].ready_least = may_lose < 0 ? 0 : works_[i].ready - may_lose;
    }
}

void Future::put(Copy& copy, Slot node) {
    const auto room_at = [&](Slot slot) -> Room* {
        if (slot == kNoSlot) return nullptr;
        if (slot >= used_.size()) used_.resize(slot + 1);
        return &used_[slot];
    };
    if (Room* const from = room_at(copy.node)) *from = less(*from, copy.asks);
    copy.node = node;
    if (Room* const to = room_at(node)) {
        *to = {to->cpu_m + copy.asks.cpu_m, to->memory + copy.asks.memory, to->pods + 1};
    }
}

/// Gives a workload so many pods: new ones wait; those leave first that are where none should be.
void Future::resize_to(std::size_t work, std::int32_t wanted, const Shown& shown) {
    std::vector<std::size_t> mine;
    for (std::size_t i = 0; i < copies_.size(); ++i) {
        if (copies_[i].work == work) mine.push_back(i);
    }
    for (auto more = wanted - static_cast<std::int64_t>(mine.size()); more > 0; --more) {
        copies_.push_back({.work = work, .waits = true, .asks = shown.works[work].each});
    }
    if (static_cast<std::int64_t>(mine.size()) <= wanted) return;
    const auto keep = [&](std::size_t at) {
        const Copy& copy = copies_[at];
        const int rank = copy.node == kNoSlot        ? 0
                         : !usable(copy.node, shown) ? 1
                         : copy.ready                ? 3
                                                     : 2;
        return std::pair(rank, at);
    };
    std::ranges::sort(mine, {}, keep);
    mine.resize(mine.size() - static_cast<std::size_t>(std::max(wanted, 0)));
    std::ranges::sort(mine, std::ranges::greater());
    for (const std::size_t at : mine) {
        put(copies_[at], kNoSlot);
        copies_.erase(copies_.begin() + static_cast<std::ptrdiff_t>(at));
    }
}

void Future::take_works(const Shown& shown, TimePoint now) {
    const std::size_t known = works_.size();
    works_.resize(shown.works.size());
    if (used_.size() < shown.places.size()) used_.resize(shown.places.size());
    const bool orders = order_ && now < order_->until;
    for (std::size_t i = 0; i < works_.size(); ++i) {
        const Work& work = shown.works[i];
        Counted& mine = works_[i];
        mine.counters.disruptions += work.disrupted;
        if (work.follows_nodes) continue;
        if (i >= known) {  // A Job that came since.
            const bool meant = order_ && (order_->spaces.empty() ||
                                          std::ranges::count(order_->spaces, work.id.space) > 0);
            mine.held = orders && meant && order_->mode == AdmissionWish::queue;
            if (orders && meant && order_->mode == AdmissionWish::reject) mine.own = true;
        }
        if (mine.held && !orders) mine.held = false;
        if (mine.own) continue;
        mine.wanted = work.wanted;
        if (!mine.held) resize_to(i, mine.wanted, shown);
    }
}

bool Future::usable(Slot slot, const Shown& shown) const {
    if (slot >= shown.places.size()) return false;
    const Place& place = shown.places[slot];
    return place.there && place.up && place.on && place.open && !closed_.contains(slot) &&
           !off_.contains(slot);
}

/// Nodes that are down keep their pods for a while; then those are lost and made anew.
void Future::lose_down(const Shown& shown, TimePoint now) {
    for (Slot slot = 0; slot < shown.places.size(); ++slot) {
        const Place& place = shown.places[slot];
        const bool down = !place.there || !place.up || off_.contains(slot);
        if (down) {
            down_.try_emplace(slot, now);
        } else if (!down_.empty()) {
            down_.erase(slot);
        }
    }
    for (Copy& copy : copies_) {
        const auto since = copy.node == kNoSlot ? down_.end() : down_.find(copy.node);
        if (since == down_.end() || now - since->second < toleration_) continue;
        if (shown.works[copy.work].follows_nodes) continue;
        ++works_[copy.work].counters.disruptions;
        put(copy, kNoSlot);
        copy.waits = true;
        copy.pod = {};
    }
}

/// The node with the most CPU left among those where it fits.
Slot Future::find_place(const Copy& copy, const Shown& shown) const {
    Slot best = kNoSlot;
    std::int64_t most = -1;
    for (Slot slot = 0; slot < shown.places.size(); ++slot) {
        if (!usable(slot, shown) || !may_be(shown.works[copy.work], slot)) continue;
        const Room left = less(shown.places[slot].room, used_[slot]);
        if (!fits(copy.asks, left) || left.cpu_m <= most) continue;
        most = left.cpu_m;
        best = slot;
    }
    return best;
}

void Future::place_all(const Shown& shown, TimePoint now) {
    std::set<std::size_t> full;  // One that found no room: its siblings will not either.
    for (Copy& copy : copies_) {
        if (!copy.waits || copy.node != kNoSlot || full.contains(copy.work)) continue;
        const Slot place = find_place(copy, shown);
        if (place == kNoSlot) {
            full.insert(copy.work);
            continue;
        }
        put(copy, place);
        copy.waits = false;
        copy.ready_at = now + shown.works[copy.work].startup;
    }
}

void Future::count_ready(const Shown& shown, TimePoint now) {
    for (Counted& each : works_) each.ready = 0;
    for (Copy& copy : copies_) {
        const bool up = copy.node != kNoSlot && copy.node < shown.places.size() &&
                        shown.places[copy.node].up && !off_.contains(copy.node);
        copy.ready = up && copy.ready_at <= now;
        if (copy.ready) ++works_[copy.work].ready;
    }
}

void Future::charge(const Shown& shown, Duration span) {
    const std::int64_t ms = span.us / 1000;
    for (const Copy& copy : copies_) {
        WorkCounters& counters = works_[copy.work].counters;
        if (copy.waits) counters.pending_ms += ms;
        if (copy.ready) counters.service_ms += ms;
        if (copy.node == kNoSlot) continue;
        counters.reserved_core_ms += copy.asks.cpu_m * ms / 1000;
        counters.reserved_mib_ms += copy.asks.memory / 1024 * ms / 1024;
    }
    for (std::size_t i = 0; i < works_.size(); ++i) {
        const std::int64_t held = shown.works[i].held + (works_[i].held ? works_[i].wanted : 0);
        works_[i].counters.pending_ms += held * ms;
    }
    on_ms_.resize(std::max(on_ms_.size(), shown.places.size()));
    for (Slot slot = 0; slot < shown.places.size(); ++slot) {
        const Place& place = shown.places[slot];
        if (place.there && place.on && !off_.contains(slot)) on_ms_[slot] += ms;
    }
}

/// False: its disruption budget does not allow it yet.
bool Future::evict(const EvictPod& request) {
    const auto found = std::ranges::find(copies_, request.pod, &Copy::pod);
    if (found == copies_.end()) return true;
    Counted& work = works_[found->work];
    if (found->ready && work.ready - 1 < work.ready_least) return false;
    if (found->ready) --work.ready;
    ++work.counters.disruptions;
    put(*found, kNoSlot);
    found->pod = {};
    found->waits = true;
    found->ready = false;
    return true;
}

bool Future::apply(const Wish& wish, const Shown& shown) {
    if (const auto* taint = std::get_if<SetTaint>(&wish.request)) {
        if (taint->taint == Taint::no_schedule) closed_.insert(wish.node);
        if (taint->taint == Taint::none) closed_.erase(wish.node);
    } else if (const auto* power = std::get_if<SetPower>(&wish.request)) {
        power->state == PowerWish::on ? void(off_.erase(wish.node)) : void(off_.insert(wish.node));
    } else if (const auto* evicted = std::get_if<EvictPod>(&wish.request)) {
        return evict(*evicted);
    } else if (const auto* replicas = std::get_if<SetReplicas>(&wish.request)) {
        if (wish.work >= works_.size()) return true;
        works_[wish.work].own = true;
        works_[wish.work].wanted = replicas->replicas;
        resize_to(wish.work, replicas->replicas, shown);
    } else if (const auto* resize = std::get_if<ResizePod>(&wish.request)) {
        const auto found = std::ranges::find(copies_, resize->pod, &Copy::pod);
        if (found == copies_.end()) return true;
        const Slot node = found->node;
        put(*found, kNoSlot);
        found->asks = wish.asks;
        put(*found, node);
    } else if (const auto* order = std::get_if<SetAdmission>(&wish.request)) {
        order_ = *order;
    }
    return true;
}

void Future::carry_on(const Shown& shown, TimePoint now) {
    while (at_ < plan_.size()) {
        const Wish& wish = plan_[at_];
        if (!awaiting_) {
            if (!apply(wish, shown)) return;
            awaiting_ = true;
        }
        place_all(shown, now);
        count_ready(shown, now);
        if (wish.ready > 0 && wish.await < works_.size() && works_[wish.await].ready < wish.ready) {
            return;
        }
        awaiting_ = false;
        ++at_;
    }
}

void Future::advance(const Shown& shown, TimePoint now) {
    take_works(shown, now);
    lose_down(shown, now);
    place_all(shown, now);
    count_ready(shown, now);
    charge(shown, now - last_);
    last_ = now;
}

WorkCounters Future::work(std::size_t at) const {
    WorkCounters counters = at < works_.size() ? works_[at].counters : WorkCounters{};
    counters.history = kHistory;
    return counters;
}

NodeCounters Future::node(Slot slot) const {
    NodeCounters counters;
    if (slot < on_ms_.size()) counters.on_ms = on_ms_[slot];
    counters.history = kHistory;
    return counters;
}

}  // namespace parley::twin
