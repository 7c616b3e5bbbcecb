#include "kube/decode/decode_pod_status.h"

#include "kube/access/kubeconfig_text.h"
#include "kube/decode/decode_pod.h"
#include "kube/decode/pod_containers.h"

#include <algorithm>

namespace parley::kube {
namespace {

using model::PodPhase;

bool is_image_trouble(std::string_view reason) {
    return reason == "ImagePullBackOff" || reason == "ErrImagePull" ||
           reason == "InvalidImageName" || reason == "ErrImageNeverPull" ||
           reason == "ErrImageInspect" || reason == "RegistryUnavailable";
}

bool is_config_trouble(std::string_view reason) {
    return reason == "CreateContainerConfigError" || reason == "CreateContainerError";
}

bool is_crash_trouble(std::string_view reason) {
    return reason == "CrashLoopBackOff" || reason == "RunContainerError";
}

/// What the cluster itself says, fit to be shown: the last that spoke.
void note_says(Pod& out, std::string_view message) {
    if (message.empty()) return;
    out.says = std::make_shared<const std::string>(one_line(message, kSaysBytesMax));
}

void decode_waiting(JsonWalk& walk, Pod& out) {
    std::string_view reason;
    std::string_view message;
    walk.fields([&](JsonKey name) {
        if (name == "reason") decode_into(walk, reason);
        if (name == "message") decode_into(walk, message);
    });
    const bool image = is_image_trouble(reason);
    const bool config = is_config_trouble(reason);
    out.image_trouble = out.image_trouble || image;
    const bool crash = is_crash_trouble(reason);
    out.config_trouble = out.config_trouble || config;
    out.crash_trouble = out.crash_trouble || crash;
    if (image || config || crash) note_says(out, message);
}

ContainerEnded decode_ended(JsonWalk& walk) {
    ContainerEnded ended;
    walk.fields([&](JsonKey key) {
        if (key == "exitCode") ended.exit_code = decode_count(walk).value_or(0);
        if (key == "reason") ended.how = ending_of(walk.text().value_or(""));
        if (key == "finishedAt") ended.at = decode_time(walk);
    });
    return ended;
}

/// `out` is null of a state that is past: it no longer waits for anything.
void decode_state(JsonWalk& walk, Pod* out, std::optional<ContainerEnded>& ended) {
    walk.fields([&](JsonKey state) {
        if (state == "waiting" && out != nullptr) return decode_waiting(walk, *out);
        if (state == "terminated" && walk.at_object()) ended = decode_ended(walk);
    });
}

void decode_container_statuses(JsonWalk& walk, Pod& out, PodSize& size) {
    walk.items([&] {
        ContainerActual& actual = size.actual.emplace_back();
        std::optional<ContainerEnded> now;
        walk.fields([&](JsonKey key) {
            if (key == "name") return decode_into(walk, actual.name);
            if (key == "restartCount") {
                actual.restarts = std::max(decode_count(walk).value_or(0), 0);
                out.restarts = static_cast<std::int32_t>(std::min<std::int64_t>(
                    std::int64_t{out.restarts} + actual.restarts, 2'000'000'000));
                return;
            }
            if (key == "allocatedResources") return decode_amounts(walk, actual.allocated);
            if (key == "resources") {
                Resources limit;
                actual.known = walk.at_object();
                return decode_resources(walk, actual.request, limit);
            }
            if (key == "state") return decode_state(walk, &out, now);
            if (key == "lastState") return decode_state(walk, nullptr, actual.ended);
        });
        if (now) actual.ended = now;
    });
}

/// "Insufficient example.com/gpu". CPU, memory and places are worked out from the nodes.
bool names_other_resource(std::string_view message) {
    constexpr std::string_view kWord = "Insufficient ";
    for (std::size_t at = message.find(kWord); at != std::string_view::npos;
         at = message.find(kWord, at + 1)) {
        const std::string_view rest = message.substr(at + kWord.size());
        const std::string_view name = rest.substr(0, rest.find_first_of(",. "));
        if (name != "cpu" && name != "memory" && name != "pods") return true;
    }
    return false;
}

void decode_condition(JsonWalk& walk, Pod& out, PodSize& size, RawTimes& times) {
    std::string_view type;
    std::string_view status;
    std::string_view reason;
    std::string_view message;
    std::optional<TimePoint> changed;
    walk.fields([&](JsonKey key) {
        if (key == "type") return decode_into(walk, type);
        if (key == "status") return decode_into(walk, status);
        if (key == "reason") return decode_into(walk, reason);
        if (key == "message") return decode_into(walk, message);
        if (key == "lastTransitionTime") changed = decode_time(walk);
    });
    if (type == "Ready") {
        out.ready = status == "True";
        times.ready_changed = changed;
    }
    if (type == "DisruptionTarget") out.disrupted = status == "True";
    if (type == "PodResizePending") size.resize_infeasible = reason == "Infeasible";
    if (type != "PodScheduled" || status != "False") return;
    const auto says = [&](std::string_view words) {
        return message.find(words) != std::string_view::npos;
    };
    out.evidence.unschedulable = reason == "Unschedulable";
    // The words change with every other release; that they are about volumes does not.
    out.evidence.volume = says("olume") || says("pvc(s)") || says("free storage");
    out.evidence.affinity = says("affinity rules") || says("topology spread");
    out.evidence.resource = names_other_resource(message);
    out.evidence.port = says("free ports");
    out.evidence.claim =
        says("resourceclaim") || says("resource claim") || says("allocate all claims");
    note_says(out, message);
}

PodPhase phase_of(std::string_view text) {
    return text == "Running"     ? PodPhase::running
           : text == "Pending"   ? PodPhase::pending
           : text == "Succeeded" ? PodPhase::succeeded
           : text == "Failed"    ? PodPhase::failed
                                 : PodPhase::unknown;
}

}  // namespace

void decode_amounts(JsonWalk& walk, Resources& out) {
    walk.fields([&](JsonKey key) {
        if (key == "cpu") out.cpu_m = decode_millicores(walk);
        if (key == "memory") out.memory = decode_bytes(walk);
    });
}

void decode_resources(JsonWalk& walk, Resources& request, Resources& limit) {
    walk.fields([&](JsonKey key) {
        if (key == "requests") decode_amounts(walk, request);
        if (key == "limits") decode_amounts(walk, limit);
    });
}

void decode_pod_status(JsonWalk& walk, Pod& out, PodSize& size, RawTimes& times) {
    walk.fields([&](JsonKey key) {
        if (key == "phase") {
            out.phase = phase_of(walk.text().value_or(""));
            return;
        }
        if (key == "conditions") {
            return walk.items([&] { decode_condition(walk, out, size, times); });
        }
        if (key == "containerStatuses" || key == "initContainerStatuses") {
            return decode_container_statuses(walk, out, size);
        }
        if (key == "startTime") times.started = decode_time(walk);
    });
}

}  // namespace parley::kube
