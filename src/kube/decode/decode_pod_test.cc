#include "kube/decode/decode_pod.h"

#include "kube/decode/decode_kit_test.h"

namespace parley::kube {
namespace {

using model::PodPhase;

Pod pod_of(const std::string& json) { return read_one<Pod>(Kind::pod, json); }

std::string unbound() { return replaced(full_pod(), R"("nodeName":"node-1",)", ""); }

TEST(DecodePod, reads_what_is_on_the_list) {
    const Pod pod = pod_of(full_pod());
    EXPECT_EQ(pod.uid.text(), "a0d1e5a7-4c3b-4f2a-9b1d-00000000002a");
    EXPECT_EQ(pod.version, 4711U);
    EXPECT_EQ(pod.space, Name::of("shop"));
    EXPECT_EQ(pod.node, Name::of("node-1"));
    EXPECT_EQ(pod.name.text(), "web-5d8f7c9b4-x2k4p");
    EXPECT_EQ(pod.name.stem, Name::of("web-5d8f7c9b4-"));
    EXPECT_EQ(pod.owner_kind, OwnerKind::replica_set);
    EXPECT_EQ(pod.owner.text(), "b0d1e5a7-4c3b-4f2a-9b1d-00000000002a");
    EXPECT_EQ(pod.phase, PodPhase::running);
    EXPECT_TRUE(pod.ready);
    EXPECT_FALSE(pod.terminating || pod.is_mirror || pod.local_storage || pod.image_trouble);
    EXPECT_EQ(pod.restarts, 3);
    EXPECT_EQ(pod.opt_outs.deletion_cost, -7);
    // setup (2 CPU) beside mesh (50m) is more than app (250m) beside mesh; then the overhead.
    EXPECT_EQ(pod.request, (Amounts{2060, (256 + 32 + 1) << 20}));
    ASSERT_NE(pod.pod, nullptr) << "it may not be everywhere";
    EXPECT_TRUE(is_picky(*pod.pod));
}

TEST(DecodePod, keeps_no_template_of_a_bound_pod_that_may_be_everywhere) {
    const auto bound = [](const std::string& spec) {
        return pod_of(R"({"metadata":{"name":"a-b","uid":"u","resourceVersion":"1",
"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"a","uid":"v","controller":true}]},
"spec":{"nodeName":"n","containers":[{"name":"c"}])" +
                      spec + R"(},"status":{"phase":"Running"}})");
    };
    EXPECT_EQ(bound("").pod, nullptr);
    EXPECT_EQ(bound(R"(,"tolerations":[{"operator":"Exists"}])").pod, nullptr);
    const Pod prefers = bound(R"(,"affinity":{"nodeAffinity":{
"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":1}]}})");
    ASSERT_NE(prefers.pod, nullptr);
    EXPECT_FALSE(is_picky(*prefers.pod)) << "what is preferred keeps it off nothing";
    for (const char* spec :
         {R"(,"nodeSelector":{"a":"b"})", R"(,"resourceClaims":[{"name":"gpu"}])",
          R"(,"schedulerName":"mine")",
          R"(,"volumes":[{"name":"v","ephemeral":{"volumeClaimTemplate":{}}}])",
          R"(,"initContainers":[{"name":"i","ports":[{"containerPort":80,"hostPort":80}]}])"}) {
        const Pod pod = bound(spec);
        ASSERT_NE(pod.pod, nullptr) << spec;
        EXPECT_TRUE(is_picky(*pod.pod)) << spec;
    }
}

TEST(DecodePod, keeps_the_template_of_a_pod_that_waits) {
    const Pod pod = pod_of(unbound());
    ASSERT_NE(pod.pod, nullptr);
    const PodTemplate& what = *pod.pod;
    EXPECT_EQ(what.labels, (Labels{{"app", "web"}, {"pod-template-hash", "5d8f7c9b4"}}));
    EXPECT_EQ(what.request, pod.request);
    EXPECT_EQ(what.limit, (Amounts{0, 0})) << "the sidecar has none";
    EXPECT_EQ(what.node_selector, (Labels{{"disk", "ssd"}}));
    ASSERT_TRUE(what.node_terms && what.node_terms->size() == 1);
    EXPECT_EQ(what.node_terms->front(), (NodeTerm{{{"arch", Operator::in, {"amd64", "arm64"}}},
                                                  {{"metadata.name", Operator::in, {"node-1"}}}}));
    ASSERT_EQ(what.near.size(), 1U);
    EXPECT_EQ(what.near[0].topology, "zone");
    ASSERT_EQ(what.apart.size(), 1U);
    EXPECT_EQ(what.apart[0].spaces, (std::vector<std::string>{"shop", "ops"}));
    ASSERT_EQ(what.spread.size(), 1U) << "only what must hold";
    EXPECT_EQ(what.spread[0].topology, "zone");
    EXPECT_EQ(what.tolerations,
              (std::vector<Toleration>{{"dedicated", false, "web", TaintEffect::no_schedule},
                                       {"", true, "", TaintEffect::no_execute}}));
    EXPECT_EQ(what.claims, (std::vector<std::string>{"web-data"}));
    EXPECT_EQ(what.gates, (std::vector<std::string>{"parley.dev/hold"}));
    EXPECT_EQ(what.scheduler, "");
    EXPECT_EQ(what.priority_class, "high");
    EXPECT_EQ(what.priority, 1000);
}

struct Change {
    const char* name;
    const char* what;
    const char* with;
    std::string (*shown)(const Pod&);
    const char* expected;
};

std::string yes(bool value) { return value ? "yes" : "no"; }

const Change kChanges[] = {
    {"other_scheduler", R"("default-scheduler")", R"("volcano")",
     [](const Pod& p) { return p.pod->scheduler; }, "volcano"},
    {"deleted", R"("resourceVersion")",
     R"("deletionTimestamp":"2025-03-01T12:00:00Z","resourceVersion")",
     [](const Pod& p) { return yes(p.terminating); }, "yes"},
    {"unknown_phase", R"("phase":"Running")", R"("phase":"Dreaming")",
     [](const Pod& p) { return std::string(enum_name(p.phase)); }, "unknown"},
    {"succeeded_counts_nothing", R"("phase":"Running")", R"("phase":"Succeeded")",
     [](const Pod& p) { return std::to_string(p.request.cpu_m); }, "0"},
    {"failed_counts_nothing", R"("phase":"Running")", R"("phase":"Failed")",
     [](const Pod& p) { return std::to_string(p.request.memory); }, "0"},
    {"not_ready", R"("type":"Ready","status":"True")", R"("type":"Ready","status":"False")",
     [](const Pod& p) { return yes(p.ready); }, "no"},
    {"image", R"("CrashLoopBackOff")", R"("ImagePullBackOff")",
     [](const Pod& p) { return yes(p.image_trouble); }, "yes"},
    {"empty_dir", R"("emptyDir":{"medium":"Memory"})", R"("emptyDir":{})",
     [](const Pod& p) { return yes(p.local_storage); }, "yes"},
    {"empty_dir_elsewhere", R"("emptyDir":{"medium":"Memory"})",
     R"("emptyDir":{"medium":"HugePages"})", [](const Pod& p) { return yes(p.local_storage); },
     "yes"},
    {"host_path", R"("emptyDir":{"medium":"Memory"})", R"("hostPath":{"path":"/"})",
     [](const Pod& p) { return yes(p.local_storage); }, "yes"},
    {"null_volumes", R"("emptyDir":{"medium":"Memory"})", R"("emptyDir":null,"hostPath":null)",
     [](const Pod& p) { return yes(p.local_storage); }, "no"},
    {"mirror", R"("secret.example.com/x")", R"("kubernetes.io/config.mirror")",
     [](const Pod& p) { return yes(p.is_mirror); }, "yes"},
    {"infeasible_resize", R"({"type":"PodScheduled","status":"True"})",
     R"({"type":"PodResizePending","status":"True","reason":"Infeasible"})",
     [](const Pod& p) { return std::to_string(p.request.cpu_m); }, "2060"},
    {"resized_up", R"("allocatedResources":{"cpu":"250m")", R"("allocatedResources":{"cpu":"3")",
     [](const Pod& p) { return std::to_string(p.request.cpu_m); }, "3060"},
    {"unschedulable", R"({"type":"PodScheduled","status":"True"})",
     R"({"type":"PodScheduled","status":"False","reason":"Unschedulable","message":
"0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims."})",
     [](const Pod& p) { return yes(p.evidence.unschedulable) + yes(p.evidence.volume); }, "yesyes"},
    {"far_volume_evidence", R"({"type":"PodScheduled","status":"True"})",
     R"({"type":"PodScheduled","status":"False","reason":"Unschedulable","message":
"0/5 nodes are available: 5 node(s) didn't match PersistentVolume's node affinity."})",
     [](const Pod& p) { return yes(p.evidence.affinity) + yes(p.evidence.volume); }, "noyes"},
    {"far_volume_evidence_of_older_servers", R"({"type":"PodScheduled","status":"True"})",
     R"({"type":"PodScheduled","status":"False","reason":"Unschedulable","message":
"0/5 nodes are available: 5 node(s) had volume node affinity conflict."})",
     [](const Pod& p) { return yes(p.evidence.affinity) + yes(p.evidence.volume); }, "noyes"},
    {"absent_claim_evidence", R"({"type":"PodScheduled","status":"True"})",
     R"({"type":"PodScheduled","status":"False","reason":"Unschedulable","message":
"0/5 nodes are available: persistentvolumeclaim \"x\" not found."})",
     [](const Pod& p) { return yes(p.evidence.affinity) + yes(p.evidence.volume); }, "noyes"},
    {"lost_volume_evidence", R"({"type":"PodScheduled","status":"True"})",
     R"({"type":"PodScheduled","status":"False","reason":"Unschedulable","message":
"5 node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)."})",
     [](const Pod& p) { return yes(p.evidence.affinity) + yes(p.evidence.volume); }, "noyes"},
    {"spread_evidence", R"({"type":"PodScheduled","status":"True"})",
     R"({"type":"PodScheduled","status":"False","reason":"Unschedulable","message":
"0/3 nodes are available: 3 node(s) didn't match pod topology spread constraints."})",
     [](const Pod& p) { return yes(p.evidence.affinity) + yes(p.evidence.volume); }, "yesno"},
    {"device_evidence", R"({"type":"PodScheduled","status":"True"})",
     R"({"type":"PodScheduled","status":"False","reason":"Unschedulable","message":
"0/3 nodes are available: 1 Insufficient cpu, 2 Insufficient example.com/gpu."})",
     [](const Pod& p) { return yes(p.evidence.resource) + yes(p.evidence.port); }, "yesno"},
    {"no_device_evidence", R"({"type":"PodScheduled","status":"True"})",
     R"({"type":"PodScheduled","status":"False","reason":"Unschedulable","message":
"0/3 nodes are available: 1 Insufficient cpu, 1 Insufficient memory, 1 didn't have free ports."})",
     [](const Pod& p) { return yes(p.evidence.resource) + yes(p.evidence.port); }, "noyes"},
    {"claim_evidence", R"({"type":"PodScheduled","status":"True"})",
     R"({"type":"PodScheduled","status":"False","reason":"Unschedulable","message":
"0/3 nodes are available: 3 cannot allocate all claims."})",
     [](const Pod& p) { return yes(p.evidence.claim) + yes(p.evidence.volume); }, "yesno"},
    {"a_message_of_a_pod_that_runs_is_old", R"({"type":"PodScheduled","status":"True"})",
     R"({"type":"PodScheduled","status":"False","reason":"Unschedulable","message":"no room"})",
     [](const Pod& p) { return yes(p.says != nullptr); }, "no"},
    {"ephemeral_volume", R"("emptyDir":{"medium":"Memory"})", R"("ephemeral":{})",
     [](const Pod& p) { return p.pod->claims.at(1); }, "web-5d8f7c9b4-x2k4p-tmp"},
    {"host_port", R"("args":["--token=s3cret"])",
     R"("ports":[{"hostPort":53,"protocol":"UDP","hostIP":"10.0.0.1"},{"containerPort":9}])",
     [](const Pod& p) { return p.pod->ports.size() == 1 ? p.pod->ports[0] : "not one"; },
     "UDP/10.0.0.1/53"},
    {"devices", R"("nodeSelector":{"disk":"ssd"})", R"("resourceClaims":[{"name":"gpu"}])",
     [](const Pod& p) { return yes(p.pod->devices); }, "yes"},
    {"config_error", R"("CrashLoopBackOff")", R"("CreateContainerConfigError")",
     [](const Pod& p) { return yes(p.config_trouble) + yes(p.image_trouble); }, "yesno"},
    {"crash_loop", R"("CrashLoopBackOff")",
     R"("CrashLoopBackOff","message":"back-off 10s restarting failed container=app")",
     [](const Pod& p) { return yes(p.crash_trouble) + (p.says ? *p.says : "nothing"); },
     "yesback-off 10s restarting failed container=app"},
    {"a_start_that_failed", R"("CrashLoopBackOff")",
     R"("RunContainerError","message":"no such file")",
     [](const Pod& p) { return yes(p.crash_trouble) + (p.says ? *p.says : "nothing"); },
     "yesno such file"},
    {"many_restarts", R"("restartCount":2)", R"("restartCount":2147483647)",
     [](const Pod& p) { return std::to_string(p.restarts); }, "2000000000"},
    {"no_restarts_below_zero", R"("restartCount":2)", R"("restartCount":-2)",
     [](const Pod& p) { return std::to_string(p.restarts); }, "1"},
};

class PodWith : public testing::TestWithParam<Change> {};

TEST_P(PodWith, one_change_shows_it) {
    const Change& change = GetParam();
    EXPECT_EQ(change.shown(pod_of(replaced(unbound(), change.what, change.with))), change.expected);
}
INSTANTIATE_TEST_SUITE_P(, PodWith, testing::ValuesIn(kChanges),
                         [](const auto& info) { return info.param.name; });

TEST(DecodePod, what_the_cluster_says_is_one_short_line_without_control_characters) {
    const auto says = [](const std::string& message) {
        const std::string json =
            replaced(replaced(unbound(), R"("phase":"Running")", R"("phase":"Pending")"),
                     R"({"type":"PodScheduled","status":"True"})",
                     R"({"type":"PodScheduled","status":"False","message":")" + message + "\"}");
        const Pod pod = pod_of(json);
        return pod.says ? *pod.says : "nothing";
    };
    EXPECT_EQ(says(""), "nothing");
    EXPECT_EQ(says("0/3 nodes are available."), "0/3 nodes are available.");
    const std::string rude = says(R"(red \u001b[31m\n twice\u202e)");
    EXPECT_EQ(rude.find('\x1b'), std::string::npos);
    EXPECT_EQ(rude.find('\n'), std::string::npos);
    EXPECT_LE(says(std::string(1000, 'x')).size(), kSaysBytesMax + 3);
}

TEST(DecodePod, reads_a_spec_behind_its_status) {
    const std::string json = full_pod();
    const std::size_t spec = json.find("\"spec\"");
    const std::size_t status = json.find("\"status\":{");
    const std::string turned = json.substr(0, spec) +
                               json.substr(status, json.size() - status - 1) + "," +
                               json.substr(spec, status - spec - 2) + "}";
    EXPECT_EQ(pod_of(turned).request, pod_of(json).request);
    EXPECT_EQ(pod_of(turned).restarts, 3);
}

TEST(DecodePod, keeps_the_template_of_a_bare_pod) {
    const std::string foreign = replaced(replaced(full_pod(), R"("apps/v1")", R"("sparkop.io/v1")"),
                                         R"("kind":"ReplicaSet")", R"("kind":"SparkApplication")");
    const Pod pod = pod_of(foreign);
    EXPECT_EQ(pod.owner_kind, OwnerKind::other);
    EXPECT_EQ(pod.owner_name, Name::of("web-5d8f7c9b4"));
    EXPECT_NE(pod.pod, nullptr);
}

TEST(PodNameOf, splits_off_what_comes_and_goes) {
    const auto shown = [](const char* name, const char* generate) {
        const model::PodName split = pod_name_of(name, generate);
        EXPECT_EQ(split.text(), name);
        return split.stem.str();
    };
    EXPECT_EQ(shown("web-5d8f-x2k4p", "web-5d8f-"), "web-5d8f-");
    EXPECT_EQ(shown("db-0", "db-"), "db-");
    EXPECT_EQ(shown("db-0", ""), "db-");
    EXPECT_EQ(shown("run-123456789012", ""), "run-");
    EXPECT_EQ(shown("run-1234567890123", ""), "run-1234567890123");
    EXPECT_EQ(shown("single", ""), "single");
    EXPECT_EQ(shown("other-name", "web-"), "other-");
    EXPECT_EQ(shown("kube-apiserver-node-1", ""), "kube-apiserver-node-");
}

TEST(DecodeTemplate, reads_a_workloads_template) {
    const std::string json =
        R"({"metadata":{"labels":{"app":"db"},"creationTimestamp":null},"spec":{
"containers":[{"name":"a","resources":{"limits":{"cpu":"1","memory":"1Gi"}}}],
"volumes":[{"persistentVolumeClaim":{"claimName":"c"}}],"priorityClassName":"low"}})";
    JsonWalk walk(*mark_json(json, 1 << 20));
    const PodTemplate what = decode_template(walk);
    EXPECT_FALSE(walk.at_fault() || walk.broken());
    EXPECT_EQ(what.labels, (Labels{{"app", "db"}}));
    EXPECT_EQ(what.request, (Amounts{1000, 1 << 30}));
    EXPECT_EQ(what.limit, (Amounts{1000, 1 << 30}));
    EXPECT_EQ(what.claims, (std::vector<std::string>{"c"}));
    EXPECT_EQ(what.priority_class, "low");
    EXPECT_FALSE(what.priority || what.node_terms);
}

}  // namespace
}  // namespace parley::kube
