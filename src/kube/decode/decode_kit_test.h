// Kube, for tests: objects as the API server writes them, and ways to take them apart.

#pragma once

#include "kube/decode/decode.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace parley::kube {

inline std::string replaced(std::string text, std::string_view what, std::string_view with) {
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    if (at != std::string::npos) text.replace(at, what.size(), with);
    return text;
}

/// A list of one kind with these items.
inline std::string list_of(Kind kind, const std::vector<std::string>& items) {
    std::string text = R"({"kind":")" + std::string(facts_of(kind).name) +
                       R"(List","apiVersion":"v1","metadata":{"resourceVersion":"900"},"items":[)";
    for (std::size_t i = 0; i < items.size(); ++i) text += (i > 0 ? "," : "") + items[i];
    return text + "]}";
}

/// The only object of a list, which must be readable.
template <class T>
T read_one(Kind kind, const std::string& json) {
    const auto page = decode_page(kind, list_of(kind, {json}));
    EXPECT_TRUE(page) << (page ? "" : page.error().message);
    if (!page) return {};
    EXPECT_EQ(page->unreadable_count, 0U)
        << (page->unreadable.empty() ? "" : page->unreadable[0].why);
    if (page->items.size() != 1) return {};
    return std::get<T>(page->items[0]);
}

/// Why the only object of a list cannot be understood; empty if it can.
inline std::string fault_of(Kind kind, const std::string& json) {
    const auto page = decode_page(kind, list_of(kind, {json}));
    EXPECT_TRUE(page) << (page ? "" : page.error().message);
    if (!page || page->unreadable.empty()) return "";
    return page->unreadable[0].name + ": " + page->unreadable[0].why;
}

/// Every field that we read, and some that we do not.
inline std::string full_pod() {
    return R"({"metadata":{"name":"web-5d8f7c9b4-x2k4p","generateName":"web-5d8f7c9b4-",
"namespace":"shop","uid":"a0d1e5a7-4c3b-4f2a-9b1d-00000000002a","resourceVersion":"4711",
"creationTimestamp":"2025-03-01T12:00:07Z","labels":{"app":"web","pod-template-hash":"5d8f7c9b4"},
"annotations":{"controller.kubernetes.io/pod-deletion-cost":"-7","secret.example.com/x":"hidden"},
"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-5d8f7c9b4",
"uid":"b0d1e5a7-4c3b-4f2a-9b1d-00000000002a","controller":true,"blockOwnerDeletion":true}],
"managedFields":[{"manager":"kubelet","fieldsV1":{"f:status":{"k:{\"type\":\"Ready\"}":{".":{}}}}}]},
"spec":{"volumes":[{"name":"data","persistentVolumeClaim":{"claimName":"web-data"}},
{"name":"tmp","emptyDir":{"medium":"Memory"}}],
"initContainers":[{"name":"mesh","restartPolicy":"Always","resources":{"requests":{"cpu":"50m",
"memory":"32Mi"}}},{"name":"setup","resources":{"requests":{"cpu":"2","memory":"64Mi"}}}],
"containers":[{"name":"app","image":"registry.example.com/web:1","env":[{"name":"KEY","value":"s3cret"}],
"args":["--token=s3cret"],"resources":{"limits":{"cpu":"1","memory":"512Mi"},
"requests":{"cpu":"250m","memory":"256Mi"}}}],"overhead":{"cpu":"10m","memory":"1Mi"},
"nodeSelector":{"disk":"ssd"},"schedulerName":"default-scheduler","priority":1000,
"priorityClassName":"high","nodeName":"node-1","restartPolicy":"Always",
"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[
{"matchExpressions":[{"key":"arch","operator":"In","values":["amd64","arm64"]}],
"matchFields":[{"key":"metadata.name","operator":"In","values":["node-1"]}]}]}},
"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"labelSelector":
{"matchLabels":{"app":"cache"}},"topologyKey":"zone"}]},
"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"labelSelector":
{"matchExpressions":[{"key":"app","operator":"Exists"}]},"namespaces":["shop","ops"],
"topologyKey":"kubernetes.io/hostname"}]}},
"topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule",
"labelSelector":{"matchLabels":{"app":"web"}}},{"maxSkew":1,"topologyKey":"rack",
"whenUnsatisfiable":"ScheduleAnyway"}],
"tolerations":[{"key":"dedicated","operator":"Equal","value":"web","effect":"NoSchedule"},
{"operator":"Exists","effect":"NoExecute"}],"schedulingGates":[{"name":"parley.dev/hold"}]},
"status":{"phase":"Running","startTime":"2025-03-01T12:00:09Z",
"conditions":[{"type":"Ready","status":"True","lastProbeTime":null,
"lastTransitionTime":"2025-03-01T12:01:00Z"},
{"type":"PodScheduled","status":"True"}],
"initContainerStatuses":[{"name":"mesh","restartCount":1,"state":{"running":{}},
"lastState":{"terminated":{"exitCode":1,"reason":"Error","finishedAt":"2025-03-01T12:00:30Z"}}},
{"name":"setup","restartCount":0,"state":{"terminated":{"exitCode":0,"reason":"Completed"}}}],
"containerStatuses":[{"name":"app","restartCount":2,"state":{"waiting":{"reason":"CrashLoopBackOff"}},
"lastState":{"terminated":{"exitCode":137,"reason":"OOMKilled","finishedAt":"2025-03-01T12:05:00Z"}},
"allocatedResources":{"cpu":"250m","memory":"256Mi"},"resources":{"requests":{"cpu":"250m",
"memory":"256Mi"},"limits":{"cpu":"1","memory":"512Mi"}}}]}})";
}

/// What was seen of a container; nothing of it: as if it never ended.
inline model::ContainerState seen_of(const Pod& pod, std::string_view container) {
    if (!pod.shape || !pod.containers) return {};
    for (const model::ContainerRow& row : *pod.containers) {
        if (pod.shape->containers.at(row.at).name.view() == container) return row.state;
    }
    return {};
}

inline std::string full_node() {
    return R"({"metadata":{"name":"node-1","uid":"c0d1e5a7-4c3b-4f2a-9b1d-00000000002a",
"resourceVersion":"812","creationTimestamp":"2025-02-01T00:00:00Z",
"labels":{"topology.kubernetes.io/zone":"eu-1a","karpenter.sh/nodepool":"spot","disk":"ssd"},
"annotations":{"parley.dev/decision":"0123456789abcdef0123456789abcdef",
"parley.dev/expires":"2025-03-01T13:00:00Z","cluster-autoscaler.kubernetes.io/scale-down-disabled":"true",
"node.alpha.kubernetes.io/ttl":"0"}},
"spec":{"podCIDR":"10.244.1.0/24","unschedulable":true,"taints":[{"key":"parley.dev/quarantine",
"value":"d1","effect":"NoSchedule"},{"key":"gpu","effect":"NoExecute"}]},
"status":{"allocatable":{"cpu":"3920m","memory":"15842960Ki","pods":"110"},
"capacity":{"cpu":"4","memory":"16Gi","pods":"110"},
"conditions":[{"type":"MemoryPressure","status":"True","lastTransitionTime":"2025-02-20T10:00:00Z"},
{"type":"DiskPressure","status":"False"},{"type":"PIDPressure","status":"Unknown"},
{"type":"Ready","status":"False","lastHeartbeatTime":"2025-03-01T12:00:00Z",
"lastTransitionTime":"2025-03-01T11:58:30Z"}],
"addresses":[{"type":"InternalIP","address":"10.0.0.7"},{"type":"Hostname","address":"node-1"}],
"nodeInfo":{"kubeletVersion":"v1.35.0"}}})";
}

}  // namespace parley::kube
