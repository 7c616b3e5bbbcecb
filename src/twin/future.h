// Twin: one future of a few workloads and nodes of a real cluster, as a model. Pure.

#pragma once

#include "model/score.h"
#include "twin/shown.h"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace parley::twin {

/// What a plan's request means for the model.
struct Wish {
    model::Request request;
    Slot node = kNoSlot;     ///< The node that it names.
    std::size_t work = 0;    ///< The workload that it names; beyond the last one: none that is
                             ///< followed.
    Room asks;               ///< Of a pod that it resizes.
    std::size_t await = 0;   ///< The workload that is waited for after it, likewise ...
    std::int32_t ready = 0;  ///< ... until so many of its pods are ready.
};

/// Pods wait, are placed where there is room, start, and are ready. What the cluster shows of nodes
/// and of what workloads want happens here, too. How long pods run, how requests fare and what
/// power is drawn is not modelled.
class Future {
public:
    Future(const Shown& start, std::vector<Wish> plan, Duration toleration, TimePoint now);

    /// Goes on to `now`, with what the cluster shows then. As everywhere in live scores, what is so
    /// at the end is taken to have been so since the last time.
    void advance(const Shown& shown, TimePoint now);

    /// Carries out what can be done of the plan at this time; the rest is tried again the next
    /// time.
    void carry_on(const Shown& shown, TimePoint now);

    /// Counters since it began.
    model::WorkCounters work(std::size_t at) const;
    model::NodeCounters node(Slot slot) const;

private:
    struct Copy {
        std::size_t work = 0;
        Slot node = kNoSlot;
        bool waits = false;
        Room asks;
        TimePoint ready_at;
        model::Uid pod;
        bool ready = false;
    };
    struct Counted {
        model::WorkCounters counters;
        std::int32_t wanted = 0;
        bool own = false;   ///< The plan sets its replicas; what is shown is ours.
        bool held = false;  ///< By the order of the plan.
        std::int32_t ready = 0;
        std::int32_t ready_least = 0;  ///< As its budget allowed when following began.
    };

    void take_works(const Shown& shown, TimePoint now);
    void resize_to(std::size_t work, std::int32_t wanted, const Shown& shown);
    void lose_down(const Shown& shown, TimePoint now);
    void place_all(const Shown& shown, TimePoint now);
    Slot find_place(const Copy& copy, const Shown& shown) const;
    bool usable(Slot slot, const Shown& shown) const;
    void put(Copy& copy, Slot node);
    void count_ready(const Shown& shown, TimePoint now);
    void charge(const Shown& shown, Duration span);
    bool apply(const Wish& wish, const Shown& shown);
    bool evict(const model::EvictPod& request);

    std::vector<Wish> plan_;
    std::size_t at_ = 0;
    bool awaiting_ = false;
    Duration toleration_;
    TimePoint last_;
    std::vector<Copy> copies_;
    std::vector<Counted> works_;
    std::vector<Room> used_;  ///< By copies, at the slot of each node.
    std::map<Slot, TimePoint> down_;
    std::set<Slot> closed_;            ///< By the plan.
    std::set<Slot> off_;               ///< Likewise.
    std::vector<std::int64_t> on_ms_;  ///< At the slot of each node.
    std::optional<model::SetAdmission> order_;
};

}  // namespace parley::twin
