// Kube: the newest version of each object of a kind, by uid. Used by the picture alone.

#pragma once

#include "model/ids.h"

#include <cstdint>
#include <deque>
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

/// Knows which of two versions is newer, what a list left out, and what was removed lately.
template <class T>
class Store {
public:
    void begin_list() {
        ++list_;
        listing_ = true;
    }

    /// What was not offered since begin_list is taken out and handed back.
    std::vector<std::pair<model::Uid, T>> end_list() {
        std::vector<std::pair<model::Uid, T>> gone;
        for (auto it = kept_.begin(); it != kept_.end();) {
            if (it->second.list == list_) {
                ++it;
                continue;
            }
            gone.emplace_back(it->first, std::move(it->second.value));
            it = kept_.erase(it);
        }
        listing_ = false;
        return gone;
    }

    /// Where to write the object, or null if it is old news. `added`: it was not known.
    T* offer(const model::Uid& uid, std::uint64_t version, bool& added) {
        const auto found = kept_.find(uid);
        added = found == kept_.end();
        if (added) {
            if (removed_.contains(uid)) {
                if (!listing_) return nullptr;
                removed_.erase(uid);
            }
            return &kept_.emplace(uid, Kept{T(), version, list_}).first->second.value;
        }
        Kept& kept = found->second;
        if (listing_) kept.list = list_;
        const bool same = version != 0 && version == kept.version;
        const bool older = version != 0 && version < kept.version;
        if (same || (older && !listing_)) return nullptr;
        kept.version = version;
        return &kept.value;
    }

    /// Takes it out; what comes of it later is old news.
    std::vector<std::pair<model::Uid, T>> remove(const model::Uid& uid) {
        std::vector<std::pair<model::Uid, T>> gone;
        remember_removed(uid);
        const auto found = kept_.find(uid);
        if (found == kept_.end()) return gone;
        gone.emplace_back(uid, std::move(found->second.value));
        kept_.erase(found);
        return gone;
    }

    T* find(const model::Uid& uid) {
        const auto found = kept_.find(uid);
        return found == kept_.end() ? nullptr : &found->second.value;
    }
    const T* find(const model::Uid& uid) const {
        const auto found = kept_.find(uid);
        return found == kept_.end() ? nullptr : &found->second.value;
    }

    std::size_t size() const { return kept_.size(); }

    /// Calls f(uid, value) for each, in no order to rely on.
    template <class F>
    void for_each(F&& f) {
        for (auto& [uid, kept] : kept_) f(uid, kept.value);
    }
    template <class F>
    void for_each(F&& f) const {
        for (const auto& [uid, kept] : kept_) f(uid, kept.value);
    }

    template <class F>
    bool any_of(F&& f) const {
        for (const auto& [uid, kept] : kept_) {
            if (f(kept.value)) return true;
        }
        return false;
    }

private:
    struct Kept {
        T value;
        std::uint64_t version = 0;
        std::uint32_t list = 0;  ///< The last list that named it.
    };
    static constexpr std::size_t kRemovedMax = 4096;  ///< Events are seconds late, not hours.

    void remember_removed(const model::Uid& uid) {
        if (!removed_.insert(uid).second) return;
        order_.push_back(uid);
        if (order_.size() <= kRemovedMax) return;
        removed_.erase(order_.front());
        order_.pop_front();
    }

    ByUid<Kept> kept_;
    UidSet removed_;
    std::deque<model::Uid> order_;  ///< Of what was removed.
    std::uint32_t list_ = 0;
    bool listing_ = false;
};

}  // namespace parley::kube
