#include "kube/decode/decode_work.h"

#include "kube/decode/decode_kit_test.h"

namespace parley::kube {
namespace {

const std::string kMeta =
    R"("metadata":{"name":"x","namespace":"shop","uid":"u","resourceVersion":"9"})";
const std::string kPod =
    R"("template":{"metadata":{"labels":{"app":"x"}},"spec":{"containers":[{"name":"a","resources":)"
    R"({"requests":{"cpu":"100m","memory":"64Mi"}}}]}})";

std::string object(const std::string& rest) { return "{" + kMeta + rest + "}"; }

Work work_of(Kind kind, const std::string& spec, const std::string& status = "") {
    return read_one<Work>(kind, object(R"(,"spec":{)" + spec + "}" +
                                       (status.empty() ? "" : R"(,"status":{)" + status + "}")));
}

TEST(DecodeWork, reads_a_deployment) {
    const Work work =
        work_of(Kind::deployment, R"("replicas":3,"strategy":{"type":"Recreate"},)" + kPod);
    EXPECT_EQ(work.kind, Kind::deployment);
    EXPECT_EQ(work.meta.name, "x");
    EXPECT_EQ(work.wanted, 3);
    EXPECT_TRUE(work.recreate);
    ASSERT_NE(work.pod, nullptr);
    EXPECT_EQ(work.pod->request, (Amounts{100, 64 << 20}));
    EXPECT_EQ(work.pod->labels, (Labels{{"app", "x"}}));
}

struct Wanted {
    const char* name;
    Kind kind;
    const char* spec;
    const char* status;
    std::int32_t wanted;
};

const Wanted kWanted[] = {
    {"one_by_default", Kind::deployment, "", "", 1},
    {"none", Kind::deployment, R"("replicas":0)", "", 0},
    {"never_below_zero", Kind::deployment, R"("replicas":-4)", "", 0},
    {"stateful_set", Kind::stateful_set, R"("replicas":5)", "", 5},
    {"daemon_set_by_its_status", Kind::daemon_set, R"("replicas":5)",
     R"("desiredNumberScheduled":7)", 7},
    {"daemon_set_without_status", Kind::daemon_set, "", "", 0},
    {"job_by_default", Kind::job, "", "", 1},
    {"job_in_parallel", Kind::job, R"("parallelism":4,"completions":10)", R"("succeeded":2)", 4},
    {"job_nearly_done", Kind::job, R"("parallelism":4,"completions":10)", R"("succeeded":9)", 1},
    {"job_beyond", Kind::job, R"("parallelism":4,"completions":10)", R"("succeeded":12)", 0},
    {"job_of_a_queue", Kind::job, R"("parallelism":4)", R"("succeeded":2)", 4},
    {"job_suspended", Kind::job, R"("parallelism":4,"suspend":true)", "", 0},
    {"job_complete", Kind::job, R"("parallelism":4)",
     R"("conditions":[{"type":"Complete","status":"True"}])", 0},
    {"job_failed", Kind::job, R"("parallelism":4)",
     R"("conditions":[{"type":"Failed","status":"True"}])", 0},
    {"job_not_complete", Kind::job, R"("parallelism":4)",
     R"("conditions":[{"type":"Complete","status":"False"},{"type":"Suspended","status":"True"}])",
     4},
    {"cron_job", Kind::cron_job, R"("suspend":false)", "", 0},
};

class WantedOf : public testing::TestWithParam<Wanted> {};

TEST_P(WantedOf, is_how_many_pods_it_wants_now) {
    const Wanted& c = GetParam();
    EXPECT_EQ(work_of(c.kind, c.spec, c.status).wanted, c.wanted);
}
INSTANTIATE_TEST_SUITE_P(, WantedOf, testing::ValuesIn(kWanted),
                         [](const auto& info) { return info.param.name; });

TEST(DecodeWork, keeps_no_template_where_nobody_needs_it) {
    EXPECT_EQ(work_of(Kind::cron_job, kPod).pod, nullptr);
    EXPECT_NE(work_of(Kind::replica_set, kPod).pod, nullptr);
    const std::string owned = replaced(
        kMeta, R"("uid":"u")",
        R"("uid":"u","ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"d","uid":"v","controller":true}])");
    const Work set = read_one<Work>(Kind::replica_set, "{" + owned + R"(,"spec":{)" + kPod + "}}");
    EXPECT_EQ(set.pod, nullptr);
    EXPECT_EQ(set.meta.owner.kind, OwnerKind::deployment);
    EXPECT_NE(work_of(Kind::deployment, "").pod, nullptr) << "an empty one, not none";
}

TEST(DecodeWork, counts_completions_of_a_job) {
    EXPECT_EQ(work_of(Kind::job, "", R"("succeeded":12)").completions, 12);
    EXPECT_EQ(work_of(Kind::job, "", "").completions, 0);
}

TEST(DecodeWork, sees_volumes_that_one_node_holds) {
    const auto set = [](const std::string& modes) {
        return work_of(Kind::stateful_set, R"("volumeClaimTemplates":[{"metadata":{"name":"d"},
"spec":{"accessModes":[)" + modes + "]}}]");
    };
    EXPECT_TRUE(set(R"("ReadWriteOnce")").claims_one_node);
    EXPECT_TRUE(set(R"("ReadWriteOncePod")").claims_one_node);
    EXPECT_FALSE(set(R"("ReadWriteMany")").claims_one_node);
    EXPECT_FALSE(set(R"("ReadWriteOnce","ReadOnlyMany")").claims_one_node);
    EXPECT_FALSE(set(R"("ReadWriteOnce","ReadWriteMany")").claims_one_node);
    EXPECT_FALSE(set("").claims_one_node);
    EXPECT_TRUE(set("").has_claims);
    EXPECT_FALSE(work_of(Kind::stateful_set, R"("volumeClaimTemplates":null)").has_claims);
}

TEST(DecodeWork, knows_a_job_that_kueue_admits) {
    const auto labelled = [](Kind kind, const std::string& labels) {
        const std::string meta =
            replaced(kMeta, R"("uid":"u")", R"("uid":"u","labels":{)" + labels + "}");
        return read_one<Work>(kind, "{" + meta + R"(,"spec":{)" + kPod + "}}");
    };
    const std::string queue = R"("kueue.x-k8s.io/queue-name":"team")";
    EXPECT_TRUE(labelled(Kind::job, queue).queued);
    EXPECT_TRUE(labelled(Kind::job, R"("app":"x",)" + queue).queued);
    EXPECT_FALSE(labelled(Kind::job, R"("app":"x")").queued);
    EXPECT_FALSE(work_of(Kind::job, kPod).queued);
    const Work after = labelled(Kind::job, queue);
    ASSERT_NE(after.pod, nullptr);
    EXPECT_EQ(after.pod->labels, (Labels{{"app", "x"}})) << "the rest is read as ever";
    EXPECT_TRUE(is_queued({{"kueue.x-k8s.io/managed", "true"}}));
    EXPECT_FALSE(is_queued({{"queue-name", "team"}}));
}

TEST(DecodeWork, knows_who_declares_its_replicas) {
    const auto managed = [](Kind kind, const std::string& entries) {
        const std::string meta =
            replaced(kMeta, R"("uid":"u")", R"("uid":"u","managedFields":[)" + entries + "]");
        const Work work =
            read_one<Work>(kind, "{" + meta + R"(,"spec":{"replicas":3,)" + kPod + "}}");
        EXPECT_EQ(work.wanted, kind == Kind::job ? 1 : 3);
        EXPECT_EQ(work.pod->labels, (Labels{{"app", "x"}})) << "the rest is read as ever";
        return work.replicas_applied;
    };
    const auto entry = [](const std::string& manager, const std::string& operation,
                          const std::string& fields) {
        return R"({"manager":")" + manager + R"(","operation":")" + operation +
               R"(","apiVersion":"apps/v1","fieldsType":"FieldsV1","fieldsV1":{)" + fields + "}}";
    };
    const std::string replicas = R"("f:metadata":{"f:labels":{}},"f:spec":{"f:replicas":{}})";
    const std::string others = R"("f:spec":{"f:template":{"f:replicas":{}}})";
    EXPECT_TRUE(managed(Kind::deployment, entry("argocd-controller", "Apply", replicas)));
    EXPECT_TRUE(managed(Kind::stateful_set, entry("kustomize-controller", "Apply", replicas)));
    EXPECT_TRUE(managed(Kind::deployment, entry("kubectl", "Apply", others) + "," +
                                              entry("helm", "Apply", replicas) + "," +
                                              entry("parley", "Apply", replicas)));
    EXPECT_FALSE(managed(Kind::deployment, entry("parley", "Apply", replicas)));
    EXPECT_FALSE(managed(Kind::deployment, entry("kubectl-client-side-apply", "Update", replicas)));
    EXPECT_FALSE(managed(Kind::deployment, entry("argocd-controller", "Apply", others)));
    EXPECT_FALSE(managed(Kind::deployment, ""));
    EXPECT_FALSE(managed(Kind::job, entry("argocd-controller", "Apply", replicas)));
}

TEST(DecodeClaim, reads_phase_and_modes) {
    const auto claim = [](const std::string& phase) {
        return read_one<Claim>(
            Kind::claim, object(R"(,"spec":{"accessModes":["ReadWriteOnce"]},"status":{"phase":")" +
                                phase + "\"}"));
    };
    EXPECT_TRUE(claim("Bound").one_node);
    EXPECT_EQ(claim("Bound").phase, ClaimPhase::bound);
    EXPECT_EQ(claim("Pending").phase, ClaimPhase::pending);
    EXPECT_EQ(claim("Lost").phase, ClaimPhase::lost);
    EXPECT_EQ(claim("Elsewhere").phase, ClaimPhase::unknown);
}

TEST(DecodeBudget, reads_whom_and_how_many) {
    const Budget budget = read_one<Budget>(
        Kind::budget,
        object(R"(,"spec":{"minAvailable":"50%","selector":{"matchLabels":{"app":"x"}}},
"status":{"disruptionsAllowed":2})"));
    EXPECT_EQ(budget.allowed, 2);
    EXPECT_EQ(budget.selector, (Selector{{"app", Operator::in, {"x"}}}));
    EXPECT_FALSE(read_one<Budget>(Kind::budget, object("")).selector);
    EXPECT_EQ(
        read_one<Budget>(Kind::budget, object(R"(,"status":{"disruptionsAllowed":-1})")).allowed,
        0);
    EXPECT_EQ(read_one<Budget>(Kind::budget, object(R"(,"spec":{"selector":{}})")).selector,
              Selector());
}

TEST(DecodeAutoscaler, reads_its_target) {
    const auto target = [](Kind kind, const std::string& spec) {
        const Autoscaler scaler = read_one<Autoscaler>(kind, object(R"(,"spec":{)" + spec + "}"));
        return std::string(enum_name(scaler.target_kind)) + "/" + scaler.target +
               (scaler.acts ? "" : " off");
    };
    EXPECT_EQ(
        target(Kind::hpa,
               R"("scaleTargetRef":{"apiVersion":"apps/v1","kind":"StatefulSet","name":"db"})"),
        "stateful_set/db");
    EXPECT_EQ(target(Kind::scaled_object, R"("scaleTargetRef":{"name":"web"})"), "deployment/web");
    EXPECT_EQ(
        target(Kind::vpa, R"("targetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"},
"updatePolicy":{"updateMode":"Off"})"),
        "deployment/web off");
    EXPECT_EQ(target(Kind::vpa, R"("targetRef":{"kind":"Deployment","name":"web"})"),
              "deployment/web");
    EXPECT_EQ(
        target(Kind::mpa,
               R"("scaleTargetRef":{"apiVersion":"argoproj.io/v1","kind":"Rollout","name":"r"})"),
        "other/r");
}

TEST(DecodeAutoscaler, reads_whether_it_acts_or_only_recommends) {
    struct Case {
        Kind kind;
        const char* policy;  ///< Of its spec.
        bool acts;
    };
    const Case cases[] = {
        {Kind::vpa, R"("updatePolicy":{"updateMode":"Off"})", false},
        {Kind::vpa, R"("updatePolicy":{"updateMode":"Initial"})", true},
        {Kind::vpa, R"("updatePolicy":{"updateMode":"Recreate"})", true},
        {Kind::vpa, R"("updatePolicy":{"updateMode":"Auto"})", true},
        {Kind::vpa, R"("updatePolicy":{"updateMode":"InPlaceOrRecreate"})", true},
        {Kind::vpa, R"("updatePolicy":{"updateMode":"InPlace"})", true},
        {Kind::vpa, R"("updatePolicy":{"minReplicas":2})", true},
        {Kind::vpa, R"("updatePolicy":null)", true},
        {Kind::mpa, R"("policy":{"updateMode":"Off"})", false},
        {Kind::mpa, R"("policy":{"updateMode":"Auto"})", true},
        {Kind::mpa, R"("updatePolicy":{"updateMode":"Off"})", false},
        {Kind::mpa, R"("constraints":{"global":{"maxReplicas":3}})", true},
        {Kind::scaled_object, R"("policy":{"updateMode":"Off"})", true},
    };
    for (const Case& c : cases) {
        SCOPED_TRACE(c.policy);
        const std::string spec = R"(,"spec":{)" + std::string(c.policy) + "}";
        EXPECT_EQ(read_one<Autoscaler>(c.kind, object(spec)).acts, c.acts);
    }
}

TEST(DecodeLimitRange, reads_defaults_of_containers) {
    const LimitRange range = read_one<LimitRange>(
        Kind::limit_range, object(R"(,"spec":{"limits":[{"type":"Pod","default":{"cpu":"9"}},
{"type":"Container","default":{"cpu":"1","memory":"1Gi"},"defaultRequest":{"cpu":"100m"}}]})"));
    EXPECT_EQ(range.request, (Amounts{100, 0}));
    EXPECT_EQ(range.limit, (Amounts{1000, 1 << 30}));
}

TEST(DecodeQuota, sees_when_something_is_used_up) {
    const auto exhausted = [](const std::string& used) {
        return read_one<Quota>(
                   Kind::quota,
                   object(R"(,"status":{"hard":{"pods":"10","requests.cpu":"4"},"used":)" + used +
                          "}"))
            .exhausted;
    };
    EXPECT_TRUE(exhausted(R"({"pods":"10","requests.cpu":"1"})"));
    EXPECT_TRUE(exhausted(R"({"requests.cpu":"4000m"})"));
    EXPECT_FALSE(exhausted(R"({"pods":"9","requests.cpu":"3999m"})"));
    EXPECT_FALSE(exhausted(R"({"configmaps":"99"})"));
}

TEST(DecodePriorityClass, reads_value_and_default) {
    const PriorityClass priority = read_one<PriorityClass>(
        Kind::priority_class,
        R"({"metadata":{"name":"high","uid":"u"},"value":-10,"globalDefault":true})");
    EXPECT_EQ(priority.value, -10);
    EXPECT_TRUE(priority.by_default);
}

TEST(DecodeWarning, keeps_no_name_and_no_message) {
    const Event event = read_one<Event>(Kind::event, object(R"(,"reason":"FailedCreate",
"message":"exceeded quota","count":7,"lastTimestamp":"2025-03-01T12:00:00Z","eventTime":null,
"involvedObject":{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"x","uid":"v"})"));
    EXPECT_EQ(event.meta.name, "");
    EXPECT_EQ(event.reason, "FailedCreate");
    EXPECT_EQ(event.count, 7);
    EXPECT_EQ(event.about_kind, OwnerKind::replica_set);
    EXPECT_FALSE(event.about.none());
    EXPECT_EQ(event.last.us, 1'740'830'400'000'000);
}

TEST(DecodeSpace, reads_its_name) {
    EXPECT_EQ(read_one<Space>(Kind::space, R"({"metadata":{"name":"shop","uid":"u"}})").meta.name,
              "shop");
}

}  // namespace
}  // namespace parley::kube
