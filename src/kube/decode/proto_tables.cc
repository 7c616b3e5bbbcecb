#include "kube/decode/proto_tables.h"

namespace parley::kube {
namespace {

using enum ProtoShape;

constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";

constexpr ProtoField kOwnerFields[] = {
    {1, "kind"}, {3, "name"}, {4, "uid"}, {5, "apiVersion"}, {6, "controller", truth},
};
constexpr ProtoMessage kOwner{kOwnerFields};

constexpr ProtoField kMetaFields[] = {
    {1, "name"},
    {2, "generateName"},
    {3, "namespace"},
    {5, "uid"},
    {6, "resourceVersion"},
    {8, "creationTimestamp", time},
    {9, "deletionTimestamp", time},
    {11, "labels", text_map},
    {12, "annotations", text_map},
    {13, "ownerReferences", messages, &kOwner},
};
constexpr ProtoMessage kMeta{kMetaFields};

constexpr ProtoField kListMetaFields[] = {
    {2, "resourceVersion"},
    {3, "continue"},
    {4, "remainingItemCount", whole},
};
constexpr ProtoMessage kListMeta{kListMetaFields};

// A requirement of a selector of nodes and one of a selector of labels have the same numbers.
constexpr ProtoField kRequirementFields[] = {{1, "key"}, {2, "operator"}, {3, "values", texts}};
constexpr ProtoMessage kRequirement{kRequirementFields};

constexpr ProtoField kSelectorFields[] = {
    {1, "matchLabels", text_map},
    {2, "matchExpressions", messages, &kRequirement},
};
constexpr ProtoMessage kSelector{kSelectorFields};

constexpr ProtoField kNodeTermFields[] = {
    {1, "matchExpressions", messages, &kRequirement},
    {2, "matchFields", messages, &kRequirement},
};
constexpr ProtoMessage kNodeTerm{kNodeTermFields};
constexpr ProtoField kNodeSelectorFields[] = {{1, "nodeSelectorTerms", messages, &kNodeTerm}};
constexpr ProtoMessage kNodeSelector{kNodeSelectorFields};
constexpr ProtoField kNodeAffinityFields[] = {{1, kRequired, message, &kNodeSelector}};
constexpr ProtoMessage kNodeAffinity{kNodeAffinityFields};

constexpr ProtoField kPodTermFields[] = {
    {1, "labelSelector", message, &kSelector},
    {2, "namespaces", texts},
    {3, "topologyKey"},
    {4, "namespaceSelector", message, &kSelector},
};
constexpr ProtoMessage kPodTerm{kPodTermFields};
constexpr ProtoField kPodAffinityFields[] = {{1, kRequired, messages, &kPodTerm}};
constexpr ProtoMessage kPodAffinity{kPodAffinityFields};

constexpr ProtoField kAffinityFields[] = {
    {1, "nodeAffinity", message, &kNodeAffinity},
    {2, "podAffinity", message, &kPodAffinity},
    {3, "podAntiAffinity", message, &kPodAffinity},
};
constexpr ProtoMessage kAffinity{kAffinityFields};

constexpr ProtoField kSpreadFields[] = {
    {1, "maxSkew", whole},
    {2, "topologyKey"},
    {3, "whenUnsatisfiable"},
    {4, "labelSelector", message, &kSelector},
};
constexpr ProtoMessage kSpread{kSpreadFields};

constexpr ProtoField kTolerationFields[] = {
    {1, "key"},
    {2, "operator"},
    {3, "value"},
    {4, "effect"},
};
constexpr ProtoMessage kToleration{kTolerationFields};

constexpr ProtoField kGateFields[] = {{1, "name"}};
constexpr ProtoMessage kGate{kGateFields};

constexpr ProtoField kResourcesFields[] = {{1, "limits", amounts}, {2, "requests", amounts}};
constexpr ProtoMessage kResources{kResourcesFields};

constexpr ProtoField kPortFields[] = {
    {2, "hostPort", whole},
    {4, "protocol"},
    {5, "hostIP"},
};
constexpr ProtoMessage kPort{kPortFields};

constexpr ProtoField kContainerFields[] = {
    {1, "name"},
    {6, "ports", messages, &kPort},
    {8, "resources", message, &kResources},
    {24, "restartPolicy"},
};
constexpr ProtoMessage kContainer{kContainerFields};

constexpr ProtoMessage kPresence{};  // Only its presence is read.
constexpr ProtoField kEmptyDirFields[] = {{1, "medium"}};
constexpr ProtoMessage kEmptyDir{kEmptyDirFields};
constexpr ProtoField kClaimFields[] = {{1, "claimName"}};
constexpr ProtoMessage kClaim{kClaimFields};
constexpr ProtoField kVolumeSourceFields[] = {
    {1, "hostPath", message, &kPresence},
    {2, "emptyDir", message, &kEmptyDir},
    {10, "persistentVolumeClaim", message, &kClaim},
    {29, "ephemeral", message, &kPresence},
};
constexpr ProtoMessage kVolumeSource{kVolumeSourceFields};
constexpr ProtoField kVolumeFields[] = {{1, "name"}, {2, "volumeSource", inlined, &kVolumeSource}};
constexpr ProtoMessage kVolume{kVolumeFields};

constexpr ProtoField kSpecFields[] = {
    {1, "volumes", messages, &kVolume},
    {2, "containers", messages, &kContainer},
    {7, "nodeSelector", text_map},
    {10, "nodeName"},
    {18, "affinity", message, &kAffinity},
    {19, "schedulerName"},
    {20, "initContainers", messages, &kContainer},
    {22, "tolerations", messages, &kToleration},
    {24, "priorityClassName"},
    {25, "priority", whole},
    {32, "overhead", amounts},
    {33, "topologySpreadConstraints", messages, &kSpread},
    {38, "schedulingGates", messages, &kGate},
    {39, "resourceClaims", messages, &kPresence},
    {40, "resources", message, &kResources},
};
constexpr ProtoMessage kSpec{kSpecFields};

constexpr ProtoField kConditionFields[] = {
    {1, "type"}, {2, "status"}, {4, "lastTransitionTime", time}, {5, "reason"}, {6, "message"},
};
constexpr ProtoMessage kCondition{kConditionFields};

constexpr ProtoField kWaitingFields[] = {{1, "reason"}, {2, "message"}};
constexpr ProtoMessage kWaiting{kWaitingFields};
constexpr ProtoField kTerminatedFields[] = {
    {1, "exitCode", whole},
    {3, "reason"},
    {6, "finishedAt", time},
};
constexpr ProtoMessage kTerminated{kTerminatedFields};
constexpr ProtoField kStateFields[] = {
    {1, "waiting", message, &kWaiting},
    {3, "terminated", message, &kTerminated},
};
constexpr ProtoMessage kState{kStateFields};
constexpr ProtoField kContainerStatusFields[] = {
    {1, "name"},
    {2, "state", message, &kState},
    {3, "lastState", message, &kState},
    {5, "restartCount", whole},
    {10, "allocatedResources", amounts},
    {11, "resources", message, &kResources},
};
constexpr ProtoMessage kContainerStatus{kContainerStatusFields};

constexpr ProtoField kPodStatusFields[] = {
    {1, "phase"},
    {2, "conditions", messages, &kCondition},
    {7, "startTime", time},
    {8, "containerStatuses", messages, &kContainerStatus},
    {10, "initContainerStatuses", messages, &kContainerStatus},
};
constexpr ProtoMessage kPodStatus{kPodStatusFields};

constexpr ProtoField kPodFields[] = {
    {1, "metadata", message, &kMeta},
    {2, "spec", message, &kSpec},
    {3, "status", message, &kPodStatus},
};
constexpr ProtoMessage kPod{kPodFields};

constexpr ProtoField kPodListFields[] = {
    {1, "metadata", message, &kListMeta},
    {2, "items", messages, &kPod, true},
};
constexpr ProtoMessage kPodList{kPodListFields};

constexpr ProtoField kCauseFields[] = {{1, "reason"}, {2, "message"}, {3, "field"}};
constexpr ProtoMessage kCause{kCauseFields};
constexpr ProtoField kDetailsFields[] = {
    {4, "causes", messages, &kCause},
    {5, "retryAfterSeconds", whole},
};
constexpr ProtoMessage kDetails{kDetailsFields};
constexpr ProtoField kStatusFields[] = {
    {2, "status"},      {3, "message"}, {4, "reason"}, {5, "details", message, &kDetails},
    {6, "code", whole},
};
constexpr ProtoMessage kStatus{kStatusFields};

}  // namespace

const ProtoMessage* proto_message(std::string_view kind) {
    if (kind == "PodList") return &kPodList;
    if (kind == "Status") return &kStatus;
    return nullptr;
}

}  // namespace parley::kube
