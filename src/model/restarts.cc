#include "model/restarts.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace parley::model {
namespace {

// A restart may seem slightly older than its roll-out: the times come from different clocks.
constexpr Duration kSlack = minutes(1);

bool there(const PodRow::Glance& pod) {
    return pod.node != kNoSlot && !pod.terminating &&
           (pod.phase == PodPhase::running || pod.phase == PodPhase::pending);
}

bool explained_by_roll_out(const RestartAt& restart, const WorkloadRow& row) {
    if (row.rolled_out == TimePoint{}) return false;
    const Duration after = restart.seen.at - row.rolled_out;
    return after >= Duration{} - kSlack && after <= kRollOutExplains;
}

}  // namespace

bool is_sign(const RestartSign& sign, const EvidenceRules& rules) {
    const bool few = sign.running < rules.restarts_few_below;
    const std::int32_t least = few ? rules.restarts_workloads_few : rules.restarts_workloads_min;
    return sign.restarts >= rules.restarts_min && sign.pods >= rules.restarts_pods_min &&
           sign.workloads >= least;
}

std::string own_loop_text(const OwnLoop& loop) {
    std::string text = loop.workload.text() + " restarted " +
                       (loop.restarts == 1 ? "once" : std::to_string(loop.restarts) + " times") +
                       ": its own crash loop, ";
    switch (loop.cause) {
        case RestartCause::rolled_out:
            return text + "rolled out shortly before";
        case RestartCause::elsewhere:
            return text + "its pods elsewhere restart too";
        default:
            return text + "as far as can be told without a like pod elsewhere";
    }
}

std::vector<RestartAt> restarts_in(const Table<NodeFold>& folds) {
    std::vector<RestartAt> out;
    folds.for_each([&](Slot slot, const NodeFold& fold) {
        for (const RestartSeen& seen : fold.restarts) {
            if (seen.count > 0) out.push_back({slot, seen});
        }
    });
    return out;
}

RestartAt restart_at(const Snapshot& snapshot, const Restart& restart) {
    const WorkloadRow* owner = snapshot.workloads.find(restart.workload);
    return {restart.node,
            {.at = restart.at,
             .pod = restart.pod,
             .count = restart.count,
             .workload = owner != nullptr ? owner->uid : Uid{}}};
}

void Restarts::Where::add(Slot node) {
    if (first == kNoSlot) first = node;
    others = others || first != node;
}

Restarts::Restarts(const Snapshot& snapshot, std::vector<RestartAt> seen, Duration window,
                   TimePoint now)
    : snapshot_(&snapshot), seen_(std::move(seen)) {
    std::erase_if(seen_, [&](const RestartAt& each) { return now - each.seen.at > window; });
    if (seen_.empty()) return;
    std::ranges::sort(seen_, {}, [](const RestartAt& each) {
        return std::tuple(each.node, each.seen.at.us, each.seen.pod);
    });
    find_workloads();
    look_at_pods();
}

void Restarts::find_workloads() {
    for (const RestartAt& each : seen_) {
        if (!each.seen.workload.none()) workloads_.push_back({.uid = each.seen.workload});
    }
    std::ranges::sort(workloads_, {}, &Restarted::uid);
    const auto same = std::ranges::unique(workloads_, {}, &Restarted::uid);
    workloads_.erase(same.begin(), same.end());
    const auto place_of = [this](const Uid& uid) {
        return std::ranges::lower_bound(workloads_, uid, {}, &Restarted::uid);
    };
    snapshot_->workloads.for_each([&](Slot slot, const WorkloadRow& row) {
        const auto found = place_of(row.uid);
        if (found != workloads_.end() && found->uid == row.uid) found->slot = slot;
    });
    for (const RestartAt& each : seen_) {
        if (!each.seen.workload.none()) place_of(each.seen.workload)->restarts.add(each.node);
    }
}

void Restarts::look_at_pods() {
    std::vector<bool> nodes(snapshot_->nodes.end_slot());
    std::vector<Restarted*> workloads(snapshot_->workloads.end_slot());
    for (const RestartAt& each : seen_) {
        if (each.node < nodes.size()) nodes[each.node] = true;
    }
    for (Restarted& each : workloads_) {
        if (each.slot != kNoSlot) workloads[each.slot] = &each;
    }
    snapshot_->pods.for_each_glance([&](Slot slot, const PodRow::Glance& seen) {
        if (!there(seen) || seen.node >= nodes.size() || seen.workload >= workloads.size()) return;
        if (nodes[seen.node]) lives_.emplace_back(seen.node, seen.workload);
        Restarted* workload = workloads[seen.workload];
        if (workload == nullptr) return;
        const PodRow& pod = snapshot_->pods.at(slot);
        peers_.push_back({pod.workload, pod.node, pod.uid, pod.created, pod.ready});
        // In a crash loop a pod waits for minutes between two restarts.
        const NodeRow* node = snapshot_->nodes.find(pod.node);
        const bool reached = node != nullptr && node->ready == Readiness::yes;
        if (reached && !pod.ready && pod.restarts > 0) workload->fails.add(pod.node);
    });
    std::ranges::sort(peers_, {}, [](const Peer& p) { return std::pair(p.workload, p.pod); });
    std::ranges::sort(lives_);
    const auto same = std::ranges::unique(lives_);
    lives_.erase(same.begin(), same.end());
}

const Restarts::Restarted* Restarts::find(const Uid& workload) const {
    const auto found = std::ranges::lower_bound(workloads_, workload, {}, &Restarted::uid);
    return found != workloads_.end() && found->uid == workload ? &*found : nullptr;
}

/// Compares with pods made from the same template: both before the last roll-out or both after it.
bool Restarts::runs_elsewhere(const RestartAt& restart, const WorkloadRow& row,
                              Slot workload) const {
    const auto peers = std::ranges::equal_range(peers_, workload, {}, &Peer::workload);
    const auto self = std::ranges::find(peers, restart.seen.pod, &Peer::pod);
    const bool told_apart = row.rolled_out != TimePoint{} && self != peers.end();
    const auto is_new = [&](const Peer& peer) { return peer.created + kSlack >= row.rolled_out; };
    return std::ranges::any_of(peers, [&](const Peer& peer) {
        const bool like = !told_apart || is_new(peer) == is_new(*self);
        return peer.node != restart.node && peer.ready && like;
    });
}

RestartCause Restarts::cause_of(const RestartAt& restart) const {
    const Restarted* workload = find(restart.seen.workload);
    const WorkloadRow* row =
        workload != nullptr ? snapshot_->workloads.find(workload->slot) : nullptr;
    if (row == nullptr) return RestartCause::unowned;
    if (explained_by_roll_out(restart, *row)) return RestartCause::rolled_out;
    const bool elsewhere =
        workload->restarts.besides(restart.node) || workload->fails.besides(restart.node);
    if (elsewhere) return RestartCause::elsewhere;
    const bool compared = runs_elsewhere(restart, *row, workload->slot);
    return compared ? RestartCause::node : RestartCause::alone;
}

RestartSign Restarts::on(Slot node) const {
    RestartSign sign;
    std::vector<Uid> pods;
    std::vector<Uid> workloads;
    std::map<WorkloadId, OwnLoop> own;
    for (const RestartAt& each : std::ranges::equal_range(seen_, node, {}, &RestartAt::node)) {
        const RestartCause cause = cause_of(each);
        if (cause == RestartCause::node) {
            sign.restarts += each.seen.count;
            pods.push_back(each.seen.pod);
            workloads.push_back(each.seen.workload);
        } else if (cause != RestartCause::unowned) {
            const WorkloadId id = snapshot_->workloads.at(find(each.seen.workload)->slot).id;
            OwnLoop& loop = own.try_emplace(id, OwnLoop{.workload = id}).first->second;
            loop.cause = cause;
            loop.restarts += each.seen.count;
        }
    }
    const auto distinct = [](std::vector<Uid>& uids) {
        std::ranges::sort(uids);
        return static_cast<std::int32_t>(std::unique(uids.begin(), uids.end()) - uids.begin());
    };
    sign.pods = distinct(pods);
    sign.workloads = distinct(workloads);
    const auto here = std::ranges::equal_range(lives_, node, {}, &std::pair<Slot, Slot>::first);
    sign.running = static_cast<std::int32_t>(std::ranges::ssize(here));
    for (auto& [id, loop] : own) sign.own.push_back(loop);
    return sign;
}

}  // namespace parley::model
