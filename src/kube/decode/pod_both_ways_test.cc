// One pod with something in every field that is read, decoded from JSON and from protobuf. Numbers
// and names are written here once more, by hand: what the tables lack or have wrong shows.

#include "kube/decode/decode_kit_test.h"
#include "kube/decode/proto_json.h"
#include "kube/decode/proto_kit_test.h"
#include "kube/decode/proto_tables.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

namespace parley::kube {
namespace {

/// A field, or several, in both forms.
struct Field {
    std::string json;  ///< `"name":value`.
    std::string proto;
};
using Fields = std::vector<Field>;

Field together(const Fields& fields) {
    Field all;
    for (const Field& each : fields) {
        all.json += (all.json.empty() ? "" : ",") + each.json;
        all.proto += each.proto;
    }
    return all;
}

std::string named(const std::string& name, const std::string& value) {
    return "\"" + name + "\":" + value;
}
std::string quoted(const std::string& text) { return "\"" + text + "\""; }

Field text(std::uint32_t number, const std::string& name, const std::string& value) {
    return {named(name, quoted(value)), bytes_field(number, value)};
}
Field whole(std::uint32_t number, const std::string& name, std::int64_t value) {
    return {named(name, std::to_string(value)), number_field(number, value)};
}
Field truth(std::uint32_t number, const std::string& name) {
    return {named(name, "true"), number_field(number, 1)};
}
/// Seconds after 2025-03-01T12:00:00Z, less than a minute.
Field time(std::uint32_t number, const std::string& name, int second) {
    const std::string two = (second < 10 ? "0" : "") + std::to_string(second);
    return {named(name, quoted("2025-03-01T12:00:" + two + "Z")),
            time_field(number, 1'740'830'400 + second)};
}
Field message(std::uint32_t number, const std::string& name, const Fields& fields) {
    const Field all = together(fields);
    return {named(name, "{" + all.json + "}"), bytes_field(number, all.proto)};
}
Field messages(std::uint32_t number, const std::string& name, const std::vector<Fields>& items) {
    Field out;
    for (const Fields& item : items) {
        const Field all = together(item);
        out.json += (out.json.empty() ? "{" : ",{") + all.json + "}";
        out.proto += bytes_field(number, all.proto);
    }
    return {named(name, "[" + out.json + "]"), out.proto};
}
Field texts(std::uint32_t number, const std::string& name, const std::vector<std::string>& items) {
    Field out;
    for (const std::string& item : items) {
        out.json += (out.json.empty() ? "" : ",") + quoted(item);
        out.proto += bytes_field(number, item);
    }
    return {named(name, "[" + out.json + "]"), out.proto};
}
Field map(std::uint32_t number, const std::string& name,
          const std::vector<std::pair<std::string, std::string>>& items) {
    Field out;
    for (const auto& [key, value] : items) {
        out.json += (out.json.empty() ? "" : ",") + named(key, quoted(value));
        out.proto += map_entry(number, key, value);
    }
    return {named(name, "{" + out.json + "}"), out.proto};
}
Field amounts(std::uint32_t number, const std::string& name, const std::string& cpu,
              const std::string& memory) {
    return {
        named(name, "{" + named("cpu", quoted(cpu)) + "," + named("memory", quoted(memory)) + "}"),
        map_entry(number, "cpu", bytes_field(1, cpu)) +
            map_entry(number, "memory", bytes_field(1, memory))};
}
Field inlined(std::uint32_t number, const Fields& fields) {
    const Field all = together(fields);
    return {all.json, bytes_field(number, all.proto)};
}

const std::string kRequired = "requiredDuringSchedulingIgnoredDuringExecution";

Fields requirement(const std::string& key) {
    return {text(1, "key", key), text(2, "operator", "In"), texts(3, "values", {"a", "b"})};
}
Field selector(std::uint32_t number, const std::string& name) {
    return message(number, name,
                   {map(1, "matchLabels", {{"app", "cache"}}),
                    messages(2, "matchExpressions", {requirement("tier")})});
}
Field resources(std::uint32_t number, const std::string& unit) {
    return message(
        number, "resources",
        {amounts(1, "limits", "9" + unit, "900Mi"), amounts(2, "requests", "7" + unit, "700Mi")});
}

Field meta() {
    return message(
        1, "metadata",
        {text(1, "name", "web-x2k4p"), text(2, "generateName", "web-"),
         text(3, "namespace", "shop"), text(5, "uid", "a0d1e5a7-4c3b-4f2a-9b1d-00000000002a"),
         text(6, "resourceVersion", "4711"), time(8, "creationTimestamp", 1),
         time(9, "deletionTimestamp", 50), map(11, "labels", {{"app", "web"}}),
         map(12, "annotations",
             {{"controller.kubernetes.io/pod-deletion-cost", "-7"},
              {"karpenter.sh/do-not-disrupt", "true"},
              {"cluster-autoscaler.kubernetes.io/safe-to-evict", "false"},
              {"descheduler.alpha.kubernetes.io/prefer-no-eviction", ""},
              {"parley.dev/opt-out", "true"},
              {"parley.dev/pause-until", "2025-03-01T13:00:00Z"}}),
         messages(13, "ownerReferences",
                  {{text(1, "kind", "ReplicaSet"), text(3, "name", "web"),
                    text(4, "uid", "b0d1e5a7-4c3b-4f2a-9b1d-00000000002a"),
                    text(5, "apiVersion", "apps/v1"), truth(6, "controller")}})});
}

Field affinity() {
    const Fields near = {selector(1, "labelSelector"), texts(2, "namespaces", {"ops"}),
                         text(3, "topologyKey", "zone"), selector(4, "namespaceSelector")};
    return message(
        18, "affinity",
        {message(
             1, "nodeAffinity",
             {message(1, kRequired,
                      {messages(1, "nodeSelectorTerms",
                                {{messages(1, "matchExpressions", {requirement("arch")}),
                                  messages(2, "matchFields", {requirement("metadata.name")})}})})}),
         message(2, "podAffinity", {messages(1, kRequired, {near})}),
         message(3, "podAntiAffinity", {messages(1, kRequired, {near, near})})});
}

Field volumes() {
    return messages(
        1, "volumes",
        {{text(1, "name", "h"), inlined(2, {message(1, "hostPath", {})})},
         {text(1, "name", "m"),
          inlined(2, {message(2, "emptyDir", {text(1, "medium", "Memory")})})},
         {text(1, "name", "c"),
          inlined(2, {message(10, "persistentVolumeClaim", {text(1, "claimName", "data")})})},
         {text(1, "name", "e"), inlined(2, {message(29, "ephemeral", {})})}});
}

/// Not bound and waiting, so that everything is kept of it.
Field spec() {
    const Field port = messages(
        6, "ports",
        {{whole(2, "hostPort", 8080), text(4, "protocol", "UDP"), text(5, "hostIP", "10.0.0.1")}});
    return message(
        2, "spec",
        {volumes(),
         messages(2, "containers",
                  {{text(1, "name", "app"), port, resources(8, "00m")},
                   {text(1, "name", "log"), resources(8, "0m")}}),
         map(7, "nodeSelector", {{"disk", "ssd"}}), text(10, "nodeName", ""), affinity(),
         text(19, "schedulerName", "mine"),
         messages(
             20, "initContainers",
             {{text(1, "name", "mesh"), resources(8, "m"), text(24, "restartPolicy", "Always")},
              {text(1, "name", "setup"), resources(8, "")}}),
         messages(22, "tolerations",
                  {{text(1, "key", "gpu"), text(2, "operator", "Equal"), text(3, "value", "x"),
                    text(4, "effect", "NoSchedule")}}),
         text(24, "priorityClassName", "high"), whole(25, "priority", 1000),
         amounts(32, "overhead", "10m", "1Mi"),
         messages(33, "topologySpreadConstraints",
                  {{whole(1, "maxSkew", 2), text(2, "topologyKey", "zone"),
                    text(3, "whenUnsatisfiable", "DoNotSchedule"), selector(4, "labelSelector")}}),
         messages(38, "schedulingGates", {{text(1, "name", "parley.dev/hold")}}),
         messages(39, "resourceClaims", {{}}), resources(40, "")});
}

Field terminated(const std::string& reason, int code, int second) {
    return message(
        3, "terminated",
        {whole(1, "exitCode", code), text(3, "reason", reason), time(6, "finishedAt", second)});
}

Field status() {
    const Field waiting = message(
        1, "waiting", {text(1, "reason", "CrashLoopBackOff"), text(2, "message", "back-off 5m")});
    return message(
        3, "status",
        {text(1, "phase", "Pending"),
         messages(2, "conditions",
                  {{text(1, "type", "Ready"), text(2, "status", "True"),
                    time(4, "lastTransitionTime", 40)},
                   {text(1, "type", "PodScheduled"), text(2, "status", "False"),
                    time(4, "lastTransitionTime", 3), text(5, "reason", "Unschedulable"),
                    text(6, "message", "0/3 nodes: free ports")}}),
         time(7, "startTime", 9),
         messages(8, "containerStatuses",
                  {{text(1, "name", "app"), message(2, "state", {waiting}),
                    message(3, "lastState", {terminated("OOMKilled", 137, 31)}),
                    whole(5, "restartCount", 4), amounts(10, "allocatedResources", "800m", "800Mi"),
                    resources(11, "00m")},
                   {text(1, "name", "log"), message(2, "state", {terminated("Error", 3, 35)}),
                    whole(5, "restartCount", 1)}}),
         messages(
             10, "initContainerStatuses",
             {{text(1, "name", "mesh"), message(3, "lastState", {terminated("Completed", 0, 20)}),
               whole(5, "restartCount", 2)}})});
}

Field the_pod() { return together({meta(), spec(), status()}); }

Pod from_proto() {
    const auto json = proto_to_json(
        proto_answer("PodList", list_head("900", "") + bytes_field(2, the_pod().proto)));
    EXPECT_TRUE(json) << (json ? "" : json.error().message);
    const auto page = decode_page(Kind::pod, json ? *json : "");
    EXPECT_TRUE(page && page->items.size() == 1);
    return page && page->items.size() == 1 ? std::get<Pod>(page->items[0]) : Pod();
}

/// All of its members: one that is added does not compile until it is compared here.
auto parts(const Pod& pod) {
    const auto& [uid, version, space, node, name, owner_kind, owner_name, owner, created, phase,
                 ready, terminating, disrupted, is_mirror, local_storage, image, config, crash,
                 evidence, opt_outs, restarts, request, started, ready_changed, shape, containers,
                 templ, says] = pod;
    return std::tuple(uid, version, space, node, name, owner_kind, owner_name, owner, created,
                      phase, ready, terminating, disrupted, is_mirror, local_storage, image, config,
                      crash, evidence, opt_outs, restarts, request, started, ready_changed, *shape,
                      *containers, *templ, *says);
}

template <std::size_t... I>
void expect_same(const Pod& a, const Pod& b, std::index_sequence<I...>) {
    const auto one = parts(a);
    const auto other = parts(b);
    const auto expect = [](bool same, std::size_t member) {
        EXPECT_TRUE(same) << "member " << member;
    };
    (expect(std::get<I>(one) == std::get<I>(other), I), ...);
}

TEST(PodBothWays, json_and_protobuf_say_the_same) {
    const Pod json = read_one<Pod>(Kind::pod, "{" + the_pod().json + "}");
    const Pod proto = from_proto();
    for (const Pod* pod : {&json, &proto}) {
        ASSERT_TRUE(pod->shape && pod->containers && pod->pod && pod->says);
    }
    expect_same(json, proto, std::make_index_sequence<std::tuple_size_v<decltype(parts(json))>>());
}

TEST(PodBothWays, opt_outs_are_read_either_way) {
    const OptOuts expected{.unsafe_to_evict = true,
                           .do_not_disrupt = true,
                           .prefer_no_eviction = true,
                           .deletion_cost = -7,
                           .opted_out = true,
                           .paused_until = TimePoint{1'740'834'000'000'000}};
    EXPECT_EQ(from_proto().opt_outs, expected);
    EXPECT_EQ(read_one<Pod>(Kind::pod, "{" + the_pod().json + "}").opt_outs, expected);
}

TEST(PodBothWays, containers_are_read_with_their_endings) {
    const Pod pod = from_proto();
    const auto at = [](int second) {
        return TimePoint{(1'740'830'400 + second) * std::int64_t{1'000'000}};
    };
    EXPECT_EQ(pod.started.from(pod.created), at(9));
    EXPECT_EQ(pod.ready_changed.from(pod.created), at(40));
    ASSERT_EQ(pod.shape->containers.size(), 4U);
    const model::ContainerSpec& app = pod.shape->containers[0];
    EXPECT_EQ(app.name, Name::of("app"));
    EXPECT_EQ(app.cpu_request_m, 700);
    EXPECT_EQ(app.cpu_limit_m, 900);
    EXPECT_EQ(app.memory_request, std::int64_t{700} << 20);
    EXPECT_EQ(app.memory_limit, std::int64_t{900} << 20);
    EXPECT_EQ(pod.shape->containers[2].kind, model::ContainerKind::sidecar);
    EXPECT_EQ(pod.shape->containers[3].kind, model::ContainerKind::init);
    EXPECT_EQ(seen_of(pod, "app").ending, model::Ending::oom_killed);
    EXPECT_EQ(seen_of(pod, "app").exit_code, 137);
    EXPECT_EQ(seen_of(pod, "app").ended.from(pod.created), at(31));
    EXPECT_EQ(pod.restarts, 7);
    ASSERT_EQ(pod.containers->size(), 3U);
    EXPECT_EQ(seen_of(pod, "log").ending, model::Ending::error);
    EXPECT_EQ(seen_of(pod, "log").exit_code, 3);
    EXPECT_EQ(seen_of(pod, "mesh").ending, model::Ending::completed);
    EXPECT_EQ(pod.containers->at(2).restarts, 2);
}

/// Names of fields, each behind that of its message.
void collect(const ProtoMessage& message, const std::string& where, std::set<std::string>& out) {
    for (const ProtoField& field : message.fields) {
        const std::string path = where + "/" + std::string(field.name);
        out.insert(path);
        if (field.of != nullptr) collect(*field.of, path, out);
    }
}

TEST(PodBothWays, every_field_of_the_tables_is_in_the_pod) {
    std::set<std::string> fields;
    collect(*proto_message("PodList"), "", fields);
    const std::string json = the_pod().json;
    for (const std::string& path : fields) {
        if (!path.starts_with("/items/") || path.ends_with("/volumeSource")) continue;
        const std::string name = path.substr(path.rfind('/') + 1);
        EXPECT_NE(json.find("\"" + name + "\":"), std::string::npos) << path;
    }
}

}  // namespace
}  // namespace parley::kube
