#include "kube/watch/usage_join.h"

#include "cluster/usage.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace parley::kube {
namespace {

struct Gathered {
    std::vector<std::int64_t> cpu_m;
    std::vector<std::int64_t> memory;
    std::int32_t missing = 0;
    TimePoint oldest;
};

void unmatched(JoinedUsage& out, const std::string& who) {
    if (out.unmatched++ == 0) out.first_unmatched = who;
}

void join_nodes(const UsagePage& nodes, const Picture& picture, JoinedUsage& out) {
    for (const UsageSample& each : nodes.samples) {
        const auto uid = picture.node_named(each.name);
        if (!uid) {
            unmatched(out, "node " + each.name);
            continue;
        }
        cluster::NodeSample sample{.node = *uid, .measured = each.measured};
        sample.cpu_m = static_cast<double>(each.used.cpu_m);
        sample.memory_bytes = static_cast<double>(each.used.memory);
        out.nodes.push_back(sample);
    }
}

cluster::PodSample sample_of(const model::Uid& pod, const UsageSample& used) {
    cluster::PodSample sample{.pod = pod, .measured = used.measured, .window = used.window};
    sample.containers.reserve(used.containers.size());
    for (const ContainerUsage& each : used.containers) {
        sample.containers.push_back({each.name, each.used.cpu_m, each.used.memory});
    }
    return sample;
}

}  // namespace

std::string JoinedUsage::remarks() const {
    std::string out;
    const auto add = [&](const std::string& remark) { out += (out.empty() ? "" : "; ") + remark; };
    if (nodes.size() < nodes_known) {
        add("use of " + std::to_string(nodes.size()) + " of " + std::to_string(nodes_known) +
            " nodes");
    }
    if (unreadable > 0) {
        add(std::to_string(unreadable) + " samples cannot be read, such as one because " +
            first_fault);
    }
    if (unmatched > 0) {
        add(std::to_string(unmatched) + " samples match nothing, such as " + first_unmatched);
    }
    return out;
}

JoinedUsage join_usage(const UsagePage& nodes, const UsagePage& pods, const Picture& picture) {
    JoinedUsage out;
    out.nodes_known = picture.nodes().size();
    out.unreadable = nodes.unreadable_count + pods.unreadable_count;
    out.first_fault = nodes.first_fault.empty() ? pods.first_fault : nodes.first_fault;
    join_nodes(nodes, picture, out);
    std::unordered_map<std::string, const UsageSample*> by_name;  // Lookup only.
    by_name.reserve(pods.samples.size());
    for (const UsageSample& each : pods.samples) by_name[each.space + "/" + each.name] = &each;
    std::map<model::Uid, Gathered> by_workload;
    for (const PodPlace& pod : picture.pods()) {
        if (!pod.bound || pod.ended) continue;
        Gathered& all = by_workload[pod.workload];
        const auto found = by_name.find(pod.space.str() + "/" + pod.name.text());
        if (found == by_name.end()) {
            ++all.missing;
            continue;
        }
        const UsageSample& sample = *found->second;
        if (all.cpu_m.empty() || sample.measured < all.oldest) all.oldest = sample.measured;
        all.cpu_m.push_back(sample.used.cpu_m);
        all.memory.push_back(sample.used.memory);
        if (!sample.containers.empty()) out.pods.push_back(sample_of(pod.pod, sample));
        by_name.erase(found);
    }
    for (const UsageSample& each : pods.samples) {
        const std::string name = each.space + "/" + each.name;
        if (by_name.contains(name)) unmatched(out, "pod " + name);
    }
    for (auto& [uid, all] : by_workload) {
        if (all.cpu_m.empty()) continue;
        cluster::WorkloadSample sample{.workload = uid, .measured = all.oldest};
        sample.cpu_m = cluster::usage_over(std::move(all.cpu_m), all.missing);
        sample.memory = cluster::usage_over(std::move(all.memory), all.missing);
        out.workloads.push_back(sample);
    }
    return out;
}

}  // namespace parley::kube
