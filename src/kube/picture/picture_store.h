// Kube: the newest version of each object of a kind, by uid. Used only by the picture.

#pragma once

#include "model/ids.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace parley::kube {

struct UidHash {
    std::size_t operator()(const model::Uid& uid) const {
        return static_cast<std::size_t>((uid.high * 0x9e3779b97f4a7c15ULL) ^ uid.low);
    }
};
template <class T>
using ByUid = std::unordered_map<model::Uid, T, UidHash>;
using UidSet = std::unordered_set<model::Uid, UidHash>;

/// The index of a namespace among those that are listed separately; 0 if all are listed at once.
using Scope = std::uint16_t;

/// Knows which of two versions is newer, what a list left out, and what was removed recently.
/// Values are stored contiguously, so that walking over many is fast; freed places are reused.
template <class T>
class Store {
public:
    using Gone = std::vector<std::pair<model::Uid, T>>;

    /// Objects offered from now on belong to this scope.
    void enter(Scope scope) { scope_ = scope; }

    void begin_list(Scope scope = 0) {
        enter(scope);
        ++list_;
        listing_ = true;
    }

    /// Removes and returns those of the scope that were not offered since begin_list.
    Gone end_list() {
        Gone gone;
        for (std::uint32_t place = 0; place < used_; ++place) {
            const Kept& kept = at(place);
            const bool meant = kept.there && kept.scope == scope_;
            if (meant && kept.list != list_) take_out(place, gone);
        }
        listing_ = false;
        return gone;
    }

    /// Where to write the object; null if it is outdated. `added`: it was not known before.
    T* offer(const model::Uid& uid, std::uint64_t version, bool& added) {
        const auto found = places_.find(uid);
        added = found == places_.end();
        if (added) {
            if (!removed_.empty() && removed_.contains(uid)) {
                if (!listing_) return nullptr;
                removed_.erase(uid);
            }
            Kept& kept = at(new_place(uid));
            kept.uid = uid;
            kept.version = version;
            kept.list = list_;
            kept.scope = scope_;
            kept.there = true;
            return &kept.value;
        }
        Kept& kept = at(found->second);
        if (listing_) kept.list = list_;
        const bool same = version != 0 && version == kept.version;
        const bool older = version != 0 && version < kept.version;
        if (same || (older && !listing_)) return nullptr;
        kept.version = version;
        return &kept.value;
    }

    /// Removes it; later news about it is outdated.
    Gone remove(const model::Uid& uid) {
        Gone gone;
        remember_removed(uid);
        const auto found = places_.find(uid);
        if (found != places_.end()) take_out(found->second, gone);
        return gone;
    }

    T* find(const model::Uid& uid) {
        const auto found = places_.find(uid);
        return found == places_.end() ? nullptr : &at(found->second).value;
    }
    const T* find(const model::Uid& uid) const {
        const auto found = places_.find(uid);
        return found == places_.end() ? nullptr : &at(found->second).value;
    }

    /// The version of what is known of it; nothing: it is not known.
    std::optional<std::uint64_t> version_of(const model::Uid& uid) const {
        const auto found = places_.find(uid);
        if (found == places_.end()) return std::nullopt;
        return at(found->second).version;
    }

    std::size_t size() const { return places_.size(); }

    /// Calls f(uid, value) for each; the order is unspecified.
    template <class F>
    void for_each(F&& f) {
        for (std::uint32_t place = 0; place < used_; ++place) {
            if (Kept& kept = at(place); kept.there) f(std::as_const(kept.uid), kept.value);
        }
    }
    template <class F>
    void for_each(F&& f) const {
        for (std::uint32_t place = 0; place < used_; ++place) {
            if (const Kept& kept = at(place); kept.there) f(kept.uid, kept.value);
        }
    }

    template <class F>
    bool any_of(F&& f) const {
        for (std::uint32_t place = 0; place < used_; ++place) {
            if (const Kept& kept = at(place); kept.there && f(kept.value)) return true;
        }
        return false;
    }

private:
    struct Kept {
        model::Uid uid;
        T value;
        std::uint64_t version = 0;
        std::uint32_t list = 0;  ///< The last list that named it.
        Scope scope = 0;
        bool there = false;  ///< False: the place is free.
    };
    /// Enough, since events are seconds late, not hours.
    static constexpr std::size_t kRemovedMax = 4096;
    static constexpr std::uint32_t kBlock = 64;
    using Block = std::array<Kept, kBlock>;

    Kept& at(std::uint32_t place) { return (*blocks_[place / kBlock])[place % kBlock]; }
    const Kept& at(std::uint32_t place) const { return (*blocks_[place / kBlock])[place % kBlock]; }

    std::uint32_t new_place(const model::Uid& uid) {
        std::uint32_t place = used_;
        if (!free_.empty()) {
            place = free_.back();
            free_.pop_back();
        } else {
            if (used_ % kBlock == 0) blocks_.push_back(std::make_unique<Block>());
            ++used_;
        }
        places_.emplace(uid, place);
        return place;
    }

    void take_out(std::uint32_t place, Gone& gone) {
        Kept& kept = at(place);
        gone.emplace_back(kept.uid, std::move(kept.value));
        places_.erase(kept.uid);
        kept = Kept();
        free_.push_back(place);
        if (!places_.empty()) return;
        used_ = 0;
        free_.clear();
        blocks_.clear();
    }

    void remember_removed(const model::Uid& uid) {
        if (!removed_.insert(uid).second) return;
        order_.push_back(uid);
        if (order_.size() <= kRemovedMax) return;
        removed_.erase(order_.front());
        order_.pop_front();
    }

    std::vector<std::unique_ptr<Block>> blocks_;
    std::uint32_t used_ = 0;  ///< Places that are or were in use.
    std::vector<std::uint32_t> free_;
    boost::unordered_flat_map<model::Uid, std::uint32_t, UidHash> places_;
    UidSet removed_;
    std::deque<model::Uid> order_;  ///< The order in which they were removed.
    std::uint32_t list_ = 0;
    Scope scope_ = 0;
    bool listing_ = false;
};

}  // namespace parley::kube
