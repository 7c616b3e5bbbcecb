#include "kube/decode/decode_meta.h"

#include "kube/decode/decode_kit_test.h"

#include <cctype>
#include <limits>

namespace parley::kube {
namespace {

RawMeta raw_meta(JsonWalk& walk) {
    RawMeta raw;
    decode_meta(walk, raw);
    return raw;
}

Meta meta_of(const std::string& json, std::string* fault = nullptr) {
    JsonWalk walk(*mark_json(json, 1 << 20));
    const RawMeta raw = raw_meta(walk);
    Meta meta = finish_meta(walk, raw);
    if (fault != nullptr) *fault = walk.fault();
    return meta;
}

std::string with(const std::string& fields) {
    return R"({"name":"n","uid":"a0d1e5a7-4c3b-4f2a-9b1d-00000000002a")" + fields + "}";
}
std::string annotated(const std::string& key, const std::string& value) {
    return with(R"(,"annotations":{")" + key + R"(":")" + value + R"("})");
}

TEST(UidOf, reads_a_uuid_and_hashes_everything_else) {
    EXPECT_EQ(uid_of("a0d1e5a7-4c3b-4f2a-9b1d-00000000002a").text(),
              "a0d1e5a7-4c3b-4f2a-9b1d-00000000002a");
    EXPECT_EQ(uid_of("A0D1E5A7-4C3B-4F2A-9B1D-00000000002A").text(),
              "a0d1e5a7-4c3b-4f2a-9b1d-00000000002a");
    EXPECT_TRUE(uid_of("").none());
    for (const char* text : {"x", "a0d1e5a7-4c3b-4f2a-9b1d-00000000002g",
                             "a0d1e5a7+4c3b-4f2a-9b1d-00000000002a", "my-static-uid"}) {
        EXPECT_FALSE(uid_of(text).none());
        EXPECT_EQ(uid_of(text), uid_of(text));
    }
    EXPECT_NE(uid_of("x"), uid_of("y"));
}

TEST(UidOf, takes_no_digit_for_another_and_nothing_else_for_one) {
    const std::string good = "01234567-89ab-cdef-fedc-ba9876543210";
    EXPECT_EQ(uid_of(good), (model::Uid{0x0123456789abcdefULL, 0xfedcba9876543210ULL}));
    for (std::size_t at = 0; at < good.size(); ++at) {
        for (int byte = 0; byte < 256; ++byte) {
            std::string text = good;
            text[at] = static_cast<char>(byte);
            const bool digit = std::isxdigit(byte) != 0 && good[at] != '-';
            const bool is_uuid = digit || text == good;
            std::string lower = text;
            if (digit) lower[at] = static_cast<char>(std::tolower(byte));
            ASSERT_EQ(uid_of(text).text() == lower, is_uuid) << at << " " << byte;
        }
    }
}

TEST(VersionOf, is_zero_for_what_is_no_number) {
    EXPECT_EQ(version_of("4711"), 4711U);
    EXPECT_EQ(version_of("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
    for (const char* text : {"", "a", "1a", "-1", "18446744073709551616", "1.0"}) {
        EXPECT_EQ(version_of(text), 0U) << text;
    }
}

TEST(NameOf, agrees_with_the_table_of_names) {
    for (int i = 0; i < 10'000; ++i) {
        const std::string text = "name-" + std::to_string(i % 5'000);
        ASSERT_EQ(name_of(text), Name::of(text));
    }
    EXPECT_TRUE(name_of("").empty());
}

TEST(OwnerKindOf, knows_built_in_kinds_by_their_group) {
    EXPECT_EQ(owner_kind_of("ReplicaSet", "apps/v1"), OwnerKind::replica_set);
    EXPECT_EQ(owner_kind_of("Job", "batch/v1"), OwnerKind::job);
    EXPECT_EQ(owner_kind_of("Job", "batch.volcano.sh/v1alpha1"), OwnerKind::other);
    EXPECT_EQ(owner_kind_of("StatefulSet", "apps.kruise.io/v1beta1"), OwnerKind::other);
    EXPECT_EQ(owner_kind_of("Node", "v1"), OwnerKind::node);
    EXPECT_EQ(owner_kind_of("ScaledObject", "keda.sh/v1alpha1"), OwnerKind::scaled_object);
    EXPECT_EQ(owner_kind_of("", ""), OwnerKind::other);
}

TEST(DecodeMeta, reads_what_is_on_the_list) {
    const Meta meta = meta_of(with(R"(,"namespace":"shop","resourceVersion":"7",
"creationTimestamp":"2025-03-01T12:00:07Z","deletionTimestamp":"2025-03-01T12:05:00Z",
"ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"c","uid":"u"},
{"apiVersion":"apps/v1","kind":"Deployment","name":"web","uid":"b0d1e5a7-4c3b-4f2a-9b1d-00000000002a",
"controller":true}],"annotations":{"parley.dev/opt-out":"migrate","foreign.io/x":"secret"})"));
    EXPECT_EQ(meta.space, Name::of("shop"));
    EXPECT_EQ(meta.name, "n");
    EXPECT_EQ(meta.version, 7U);
    EXPECT_EQ(meta.created.us, 1'740'830'407'000'000);
    ASSERT_TRUE(meta.deleted);
    EXPECT_EQ(meta.deleted->us - meta.created.us, 293'000'000);
    EXPECT_EQ(meta.owner.kind, OwnerKind::deployment);
    EXPECT_EQ(meta.owner.name, "web");
    EXPECT_EQ(meta.owner.uid.text(), "b0d1e5a7-4c3b-4f2a-9b1d-00000000002a");
    EXPECT_EQ(meta.ours, (Labels{{"opt-out", "migrate"}}));
    EXPECT_FALSE(meta.mark);
}

TEST(DecodeMeta, takes_an_owner_only_if_it_controls) {
    const Meta meta = meta_of(with(
        R"(,"ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"w","uid":"u"}])"));
    EXPECT_EQ(meta.owner.kind, OwnerKind::none);
    EXPECT_TRUE(meta.owner.uid.none());
}

TEST(DecodeMeta, reads_our_mark_only_if_it_is_whole) {
    const std::string decision = R"("parley.dev/decision":"0123456789abcdef0123456789abcdef")";
    const std::string expires = R"("parley.dev/expires":"2025-03-01T13:00:00Z")";
    const auto marked = [&](const std::string& both) {
        return meta_of(with(R"(,"annotations":{)" + both + "}")).mark;
    };
    const auto mark = marked(decision + "," + expires);
    ASSERT_TRUE(mark);
    EXPECT_EQ(mark->decision.text(), "0123456789abcdef0123456789abcdef");
    EXPECT_EQ(mark->expires.us, 1'740'834'000'000'000);
    EXPECT_TRUE(mark->changes.empty());
    const auto whole = marked(decision + "," + expires +
                              R"(,"parley.dev/kind":"replicate","parley.dev/changes":)"
                              R"("replicas: 4 > 5")");
    ASSERT_TRUE(whole);
    EXPECT_EQ(whole->kind, model::ActionKind::replicate);
    EXPECT_EQ(whole->changes,
              (std::vector<model::MarkedChange>{{model::MarkedField::replicas, {}, 4, 5}}));
    const auto edited = marked(decision + "," + expires + R"(,"parley.dev/changes":"all of it")");
    ASSERT_TRUE(edited);
    EXPECT_TRUE(edited->changes.empty()) << "nothing is given back by what we did not write";
    EXPECT_FALSE(marked(decision));
    EXPECT_FALSE(marked(expires));
    EXPECT_FALSE(
        marked(R"("parley.dev/decision":"0123","parley.dev/expires":"2025-03-01T13:00:00Z")"));
    EXPECT_FALSE(marked(R"("parley.dev/decision":"g123456789abcdef0123456789abcdef",)" + expires));
    EXPECT_FALSE(marked(decision + R"(,"parley.dev/expires":"soon")"));
}

struct OptOut {
    const char* key;
    const char* value;
    OptOuts expected;
};

TEST(DecodeMeta, reads_the_opt_outs_of_others) {
    const std::string autoscaler = "cluster-autoscaler.kubernetes.io/";
    const OptOut cases[] = {
        {"cluster-autoscaler.kubernetes.io/safe-to-evict", "true", {.safe_to_evict = true}},
        {"cluster-autoscaler.kubernetes.io/safe-to-evict", "false", {.unsafe_to_evict = true}},
        {"cluster-autoscaler.kubernetes.io/scale-down-disabled",
         "true",
         {.scale_down_disabled = true}},
        {"cluster-autoscaler.kubernetes.io/scale-down-disabled", "false", {}},
        {"karpenter.sh/do-not-disrupt", "true", {.do_not_disrupt = true}},
        {"karpenter.sh/do-not-disrupt", "false", {}},
        {"descheduler.alpha.kubernetes.io/prefer-no-eviction", "", {.prefer_no_eviction = true}},
        {"controller.kubernetes.io/pod-deletion-cost", "-100", {.deletion_cost = -100}},
        {"controller.kubernetes.io/pod-deletion-cost", "2147483648", {}},
        {"controller.kubernetes.io/pod-deletion-cost", "much", {}},
        {"autoscaling.keda.sh/paused", "true", {.scaling_paused = true}},
        {"autoscaling.keda.sh/paused", "false", {}},
        {"autoscaling.keda.sh/paused-replicas", "0", {.scaling_paused = true}},
        {"someone.else/safe-to-evict", "false", {}},
        {"someone.else/opt-out", "true", {}},
    };
    for (const OptOut& each : cases) {
        EXPECT_EQ(meta_of(annotated(each.key, each.value)).opt_outs, each.expected)
            << each.key << "=" << each.value;
    }
}

TEST(DecodeMeta, reads_what_is_asked_of_us) {
    constexpr TimePoint kNever{std::numeric_limits<std::int64_t>::max()};
    const OptOut cases[] = {
        {"parley.dev/opt-out", "true", {.opted_out = true}},
        {"parley.dev/opt-out", "false", {}},
        {"parley.dev/opt-out", "yes", {.opted_out = true}},
        {"parley.dev/opt-out", "", {.opted_out = true}},
        {"parley.dev/pause-until",
         "2025-03-01T13:00:00Z",
         {.paused_until = TimePoint{1'740'834'000'000'000}}},
        {"parley.dev/pause-until",
         "2025-03-01T15:00:00+02:00",
         {.paused_until = TimePoint{1'740'834'000'000'000}}},
        {"parley.dev/pause-until", "tomorrow", {.paused_until = kNever}},
    };
    for (const OptOut& each : cases) {
        EXPECT_EQ(meta_of(annotated(each.key, each.value)).opt_outs, each.expected)
            << each.key << "=" << each.value;
    }
}

TEST(DecodeMeta, blames_what_has_no_identity) {
    std::string fault;
    meta_of(R"({"name":"n"})", &fault);
    EXPECT_EQ(fault, "it has no uid");
    meta_of(R"({"uid":"u"})", &fault);
    EXPECT_EQ(fault, "it has no name");
    meta_of(R"({"name":"n","uid":"u"})", &fault);
    EXPECT_EQ(fault, "");
    meta_of(R"({"name":"n","uid":"u","creationTimestamp":"yesterday"})", &fault);
    EXPECT_FALSE(fault.empty());
    meta_of(R"({"name":"n","uid":"u","ownerReferences":[{"controller":true,"kind":"Job"}]})",
            &fault);
    EXPECT_EQ(fault, "its controller has no name or uid");
}

TEST(DecodeMeta, keeps_few_of_our_annotations) {
    std::string many = R"(,"annotations":{)";
    for (int i = 0; i < 40; ++i) many += R"("parley.dev/k)" + std::to_string(i) + R"(":"v",)";
    many += R"("parley.dev/long":")" + std::string(2000, 'x') + R"("})";
    EXPECT_EQ(meta_of(with(many)).ours.size(), 32U);
    EXPECT_TRUE(meta_of(annotated("parley.dev/long", std::string(1025, 'x'))).ours.empty());
    EXPECT_FALSE(meta_of(annotated("parley.dev/long", std::string(1024, 'x'))).ours.empty());
}

template <class Read>
std::string read_value(const std::string& json, Read read) {
    JsonWalk walk(*mark_json(json, 1 << 20));
    const auto value = read(walk);
    if (walk.at_fault()) return "fault";
    return value ? std::to_string(*value) : "none";
}

TEST(DecodeAmounts, agree_with_the_strict_reader) {
    const auto cpu = [](const std::string& text) {
        return read_value("\"" + text + "\"", decode_millicores);
    };
    const auto bytes = [](const std::string& text) {
        return read_value("\"" + text + "\"", decode_bytes);
    };
    EXPECT_EQ(cpu("250m"), "250");
    EXPECT_EQ(cpu("2"), "2000");
    EXPECT_EQ(cpu("1.5"), "1500");
    EXPECT_EQ(cpu("245123456n"), "246");
    EXPECT_EQ(cpu("999999999"), "999999999000");
    EXPECT_EQ(cpu("1Ki"), "1024000");
    EXPECT_EQ(cpu("-1"), "fault");
    EXPECT_EQ(cpu("9223372036854775807"), "fault");
    EXPECT_EQ(cpu(""), "fault");
    EXPECT_EQ(cpu("m"), "fault");
    EXPECT_EQ(bytes("128Mi"), "134217728");
    EXPECT_EQ(bytes("999999999Gi"), "1073741822926258176");
    EXPECT_EQ(bytes("15842960Ki"), "16223191040");
    EXPECT_EQ(bytes("1G"), "1000000000");
    EXPECT_EQ(bytes("100m"), "1");
    EXPECT_EQ(bytes("9999999999Gi"), "fault");
    EXPECT_EQ(read_value("5", decode_bytes), "fault");
    EXPECT_EQ(read_value("null", decode_bytes), "none");
}

TEST(DecodeTime, agrees_with_the_strict_reader) {
    const auto time = [](const std::string& text) {
        const std::string json = "\"" + text + "\"";
        JsonWalk walk(*mark_json(json, 1 << 20));
        const auto value = decode_time(walk);
        return walk.at_fault() ? -1 : value->us / 1'000'000;
    };
    EXPECT_EQ(time("1970-01-01T00:00:00Z"), 0);
    EXPECT_EQ(time("2000-02-28T23:59:59Z"), 951'782'399);
    EXPECT_EQ(time("2000-02-29T00:00:00Z"), 951'782'400);
    EXPECT_EQ(time("2000-03-01T00:00:00Z"), 951'868'800);
    EXPECT_EQ(time("2025-12-31T23:59:59Z"), 1'767'225'599);
    EXPECT_EQ(time("2100-03-01T00:00:00Z"), 4'107'542'400);
    EXPECT_EQ(time("2025-03-01T12:00:00.123456Z"), 1'740'830'400);
    EXPECT_EQ(time("2025-03-01T14:00:00+02:00"), 1'740'830'400);
    for (const char* text : {"2025-02-29T00:00:00Z", "2025-13-01T00:00:00Z", "2025-03-01T24:00:00Z",
                             "2025-03-01 00:00:00Z", "2025-00-10T00:00:00Z", "now", ""}) {
        EXPECT_EQ(time(text), -1) << text;
    }
}

TEST(DecodeCount, stays_in_range) {
    EXPECT_EQ(read_value("2147483647", decode_count), "2147483647");
    EXPECT_EQ(read_value("2147483648", decode_count), "fault");
    EXPECT_EQ(read_value("-2147483649", decode_count), "fault");
    EXPECT_EQ(read_value("1.5", decode_count), "fault");
}

TEST(DecodeSelector, reads_labels_and_expressions) {
    const std::string json = R"({"matchLabels":{"b":"2","a":"1"},"matchExpressions":[
{"key":"c","operator":"NotIn","values":["x","y"]},{"key":"d","operator":"DoesNotExist"},
{"key":"e","operator":"Gt","values":["5"]},{"key":"f","operator":"Like"}]})";
    JsonWalk walk(*mark_json(json, 1 << 20));
    const auto selector = decode_optional_selector(walk);
    ASSERT_TRUE(selector && !walk.at_fault());
    EXPECT_EQ(*selector, (Selector{{"a", Operator::in, {"1"}},
                                   {"b", Operator::in, {"2"}},
                                   {"c", Operator::not_in, {"x", "y"}},
                                   {"d", Operator::absent, {}},
                                   {"e", Operator::greater, {"5"}},
                                   {"f", Operator::unknown, {}}}));
    const std::string nothing = "null";
    JsonWalk at_null(*mark_json(nothing, 1 << 20));
    EXPECT_FALSE(decode_optional_selector(at_null));
}

}  // namespace
}  // namespace parley::kube
