#include "kube/picture/pending_groups.h"

#include <algorithm>
#include <tuple>

namespace parley::kube {
namespace {

int bits_of(const Evidence& evidence) {
    return (evidence.unschedulable ? 1 : 0) + (evidence.volume ? 2 : 0) +
           (evidence.affinity ? 4 : 0) + (evidence.resource ? 8 : 0) + (evidence.port ? 16 : 0) +
           (evidence.claim ? 32 : 0);
}

}  // namespace

void PendingGroups::put(const model::Uid& pod, Name space,
                        const std::shared_ptr<const PodTemplate>& what, const Evidence& evidence) {
    const auto kept = templates_.shared(what);
    const Key key{kept.get(), space, bits_of(evidence)};
    const auto known = places_.find(pod);
    if (known != places_.end() && known->second == key) return;
    remove(pod);
    Group& group = groups_[key];
    group.what = kept;
    group.evidence = evidence;
    group.pods.insert(pod);
    group.version = 0;  // The new pod must be reported, too.
    places_[pod] = key;
}

void PendingGroups::remove(const model::Uid& pod) {
    const auto place = places_.find(pod);
    if (place == places_.end()) return;
    const auto group = groups_.find(place->second);
    group->second.pods.erase(pod);
    if (group->second.pods.empty()) groups_.erase(group);
    places_.erase(place);
}

std::vector<PendingGroups::Settled> PendingGroups::settle(std::span<const NodeRoom> nodes,
                                                          const Around& around,
                                                          std::uint64_t version,
                                                          std::size_t groups_max) {
    std::vector<std::pair<const Key*, Group*>> stale;
    for (auto& [key, group] : groups_) {
        if (group.version != version) stale.emplace_back(&key, &group);
    }
    const auto turn = [](const auto& each) {
        return std::pair(each.second->version, *each.second->pods.begin());
    };
    std::ranges::sort(stale, {}, turn);
    if (stale.size() > groups_max) stale.resize(groups_max);
    std::vector<Settled> out;
    for (const auto& [key, group] : stale) {
        const model::CauseSet causes =
            causes_of(*group->what, group->evidence,
                      around(key->space, *group->what, group->evidence), nodes);
        group->version = version;
        for (const model::Uid& pod : group->pods) out.push_back({pod, causes});
    }
    std::ranges::sort(out, {}, &Settled::pod);
    return out;
}

}  // namespace parley::kube
