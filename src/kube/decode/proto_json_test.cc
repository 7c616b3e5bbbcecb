#include "kube/decode/proto_json.h"

#include "kube/decode/decode_kit_test.h"
#include "kube/decode/proto_kit_test.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

std::string amounts(std::uint32_t number, std::string_view cpu, std::string_view memory) {
    return map_entry(number, "cpu", bytes_field(1, cpu)) +
           map_entry(number, "memory", bytes_field(1, memory));
}

/// A pod with something in every field that is read, and in some that are not.
std::string pod_bytes() {
    const std::string owner = bytes_field(1, "ReplicaSet") + bytes_field(3, "web") +
                              bytes_field(4, "b0d1e5a7-4c3b-4f2a-9b1d-00000000002a") +
                              bytes_field(5, "apps/v1") + number_field(6, 1) + number_field(7, 1);
    const std::string meta =
        bytes_field(1, "web-x2k4p") + bytes_field(2, "web-") + bytes_field(3, "shop") +
        bytes_field(4, "") + bytes_field(5, "a0d1e5a7-4c3b-4f2a-9b1d-00000000002a") +
        bytes_field(6, "4711") + number_field(7, 0) + time_field(8, 1'740'830'407) +
        map_entry(11, "app", "we\"b") + map_entry(11, "tier", "") + map_entry(12, "note", "a\nb") +
        bytes_field(13, owner) + bytes_field(14, "a-finalizer") + bytes_field(17, "managed");
    const std::string container =
        bytes_field(1, "main") + bytes_field(2, "image") +
        bytes_field(8, amounts(1, "500m", "1Gi") + amounts(2, "250m", "512Mi")) +
        bytes_field(24, "Always");
    const std::string volumes =
        bytes_field(1, bytes_field(1, "h") + bytes_field(2, bytes_field(1, bytes_field(1, "/x")))) +
        bytes_field(1, bytes_field(1, "e") + bytes_field(2, bytes_field(2, ""))) +
        bytes_field(
            1, bytes_field(1, "m") + bytes_field(2, bytes_field(2, bytes_field(1, "Memory")))) +
        bytes_field(1,
                    bytes_field(1, "c") + bytes_field(2, bytes_field(10, bytes_field(1, "data"))));
    const std::string spec = volumes + bytes_field(2, container) + bytes_field(2, container) +
                             bytes_field(3, "Always") + number_field(4, 30) +
                             map_entry(7, "zone", "a") + bytes_field(10, "") +
                             bytes_field(19, "default-scheduler") + number_field(25, -5);
    const std::string status =
        bytes_field(1, "Pending") +
        bytes_field(2, bytes_field(1, "PodScheduled") + bytes_field(2, "False") +
                           bytes_field(3, "") + time_field(4, 1'740'830'407) +
                           bytes_field(5, "Unschedulable") + bytes_field(6, "0/3 nodes")) +
        bytes_field(8, bytes_field(1, "main") +
                           bytes_field(2, bytes_field(1, bytes_field(1, "ErrImagePull"))) +
                           number_field(4, 0) + number_field(5, 3));
    return bytes_field(1, meta) + bytes_field(2, spec) + bytes_field(3, status);
}

TEST(ProtoJson, a_list_of_pods_becomes_the_json_that_is_read) {
    const auto json = proto_to_json(
        proto_answer("PodList", list_head("900", "next") + bytes_field(2, pod_bytes())));
    ASSERT_TRUE(json) << json.error().message;
    const std::string container =
        R"({"name":"main","resources":{"limits":{"cpu":"500m","memory":"1Gi"},)"
        R"("requests":{"cpu":"250m","memory":"512Mi"}},"restartPolicy":"Always"})";
    EXPECT_EQ(
        *json,
        R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"900",)"
        R"("continue":"next","remainingItemCount":7},"items":[{"metadata":{"name":"web-x2k4p",)"
        R"("generateName":"web-","namespace":"shop","uid":"a0d1e5a7-4c3b-4f2a-9b1d-00000000002a",)"
        R"("resourceVersion":"4711","creationTimestamp":"2025-03-01T12:00:07Z",)"
        R"("labels":{"app":"we\"b","tier":""},"annotations":{"note":"a\nb"},)"
        R"("ownerReferences":[{"kind":"ReplicaSet","name":"web",)"
        R"("uid":"b0d1e5a7-4c3b-4f2a-9b1d-00000000002a","apiVersion":"apps/v1","controller":true}]},)"
        R"("spec":{"volumes":[{"name":"h","hostPath":{}},{"name":"e","emptyDir":{}},)"
        R"({"name":"m","emptyDir":{"medium":"Memory"}},)"
        R"({"name":"c","persistentVolumeClaim":{"claimName":"data"}}],"containers":[)" +
            container + "," + container +
            R"(],"nodeSelector":{"zone":"a"},"schedulerName":"default-scheduler","priority":-5},)"
            R"("status":{"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False",)"
            R"("lastTransitionTime":"2025-03-01T12:00:07Z","reason":"Unschedulable","message":"0/3 nodes"}],"containerStatuses":[{"name":"main",)"
            R"("state":{"waiting":{"reason":"ErrImagePull"}},"restartCount":3}]}}]})");
}

TEST(ProtoJson, what_was_converted_is_decoded_as_any_page) {
    const std::string two = bytes_field(2, pod_bytes()) + bytes_field(2, "");
    const auto json = proto_to_json(proto_answer("PodList", list_head("900", "") + two));
    ASSERT_TRUE(json);
    const auto page = decode_page(Kind::pod, *json);
    ASSERT_TRUE(page) << page.error().message;
    EXPECT_EQ(page->version, "900");
    EXPECT_EQ(page->continue_token, "");
    ASSERT_EQ(page->items.size(), 1U);
    EXPECT_EQ(page->unreadable_count, 1U) << "an object without a name";
    const Pod& pod = std::get<Pod>(page->items[0]);
    EXPECT_EQ(pod.restarts, 3);
    EXPECT_TRUE(pod.image_trouble);
    EXPECT_TRUE(pod.local_storage);
    EXPECT_TRUE(pod.evidence.unschedulable);
    ASSERT_NE(pod.pod, nullptr);
    EXPECT_EQ(pod.pod->priority, -5);
    EXPECT_EQ(pod.pod->claims, std::vector<std::string>{"data"});
}

TEST(ProtoJson, a_refusal_says_what_it_says_in_json) {
    const std::string details = bytes_field(4, bytes_field(1, "FieldValueInvalid") +
                                                   bytes_field(2, "no") + bytes_field(3, "x")) +
                                number_field(5, 9);
    const auto json = proto_to_json(
        proto_answer("Status", bytes_field(1, "") + bytes_field(2, "Failure") +
                                   bytes_field(3, "slow down") + bytes_field(4, "TooManyRequests") +
                                   bytes_field(5, details) + number_field(6, 429)));
    ASSERT_TRUE(json);
    const auto status = decode_status(*json);
    ASSERT_TRUE(status);
    EXPECT_EQ(status->code, 429);
    EXPECT_EQ(status->message, "slow down");
    EXPECT_EQ(status->retry_after, seconds(9));
}

TEST(ProtoJson, a_list_of_nothing_is_a_list) {
    const auto json = proto_to_json(proto_answer("PodList", list_head("9", "")));
    ASSERT_TRUE(json);
    EXPECT_EQ(*json, R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"9",)"
                     R"("remainingItemCount":7},"items":[]})");
    const auto page = decode_page(Kind::pod, *json);
    ASSERT_TRUE(page) << page.error().message;
    EXPECT_EQ(page->items.size(), 0U);
}

struct Odd {
    const char* name;
    std::string body;
    std::string why;
};

TEST(ProtoJson, refuses_what_it_cannot_understand) {
    const std::string pod = bytes_field(2, bytes_field(1, bytes_field(1, "a")));
    const std::string odd = "protobuf that cannot be understood";
    const std::string no = "no protobuf, or cut off";
    const Odd cases[] = {
        {"nothing", "", no},
        {"json", R"({"kind":"PodList"})", no},
        {"only_the_mark_and_a_half", std::string("k8s\0\x0a", 5), no},
        {"another_kind", proto_answer("NodeList", ""),
         R"(protobuf of a kind that was not asked for, "NodeList")"},
        {"no_message", std::string("k8s\0", 4), no},
        {"no_kind", proto_answer("", ""), R"(protobuf of a kind that was not asked for, "")"},
        {"a_text_for_a_message", proto_answer("PodList", number_field(2, 1)), odd},
        {"a_number_for_a_text",
         proto_answer("PodList", bytes_field(2, bytes_field(1, number_field(1, 7)))), ""},
        {"a_list_cut_within", proto_answer("PodList", "\x12\x05\x0a"), odd},
        {"the_head_twice", proto_answer("PodList", list_head("1", "") + list_head("2", "")), odd},
        {"the_head_behind_the_items", proto_answer("PodList", pod + list_head("1", "")), odd},
        {"an_old_form_of_group", proto_answer("PodList", "\x0b\x0c"), odd},
        {"field_zero", proto_answer("PodList", std::string("\0\0", 2)), odd},
        {"a_number_without_end", proto_answer("PodList", std::string(11, '\xff')), odd},
        {"a_time_out_of_this_world",
         proto_answer("PodList", bytes_field(2, bytes_field(1, time_field(8, 1LL << 60)))), odd},
    };
    for (const Odd& c : cases) {
        const auto json = proto_to_json(c.body);
        EXPECT_EQ(json ? "" : json.error().message, c.why) << c.name;
    }
}

TEST(ProtoJson, cut_anywhere_it_is_nothing) {
    const std::string whole =
        proto_answer("PodList", list_head("900", "next") + bytes_field(2, pod_bytes()));
    const std::size_t tail = 2 * bytes_field(3, "").size();  // Empty fields behind the list.
    for (std::size_t size = 0; size + tail < whole.size(); ++size) {
        EXPECT_FALSE(proto_to_json(whole.substr(0, size))) << size;
    }
}

TEST(ProtoJson, bytes_that_are_no_text_do_not_spoil_the_page) {
    const std::string meta = bytes_field(1, "a\xff") + bytes_field(5, "u") + bytes_field(6, "1");
    const auto json = proto_to_json(proto_answer(
        "PodList", list_head("9", "") + bytes_field(2, bytes_field(1, meta) + bytes_field(2, "") +
                                                           bytes_field(3, ""))));
    ASSERT_TRUE(json);
    const auto page = decode_page(Kind::pod, *json);
    ASSERT_TRUE(page) << page.error().message;
    EXPECT_EQ(page->items.size(), 1U);
}

TEST(ProtoJson, the_next_page_is_known_from_the_first_bytes) {
    const std::string whole =
        proto_answer("PodList", list_head("900", "next") + bytes_field(2, pod_bytes()));
    EXPECT_EQ(next_in_proto(whole), "next");
    const std::size_t head = whole.find("next") + 4 + number_field(4, 7).size();
    EXPECT_EQ(next_in_proto(whole.substr(0, head)), "next");
    for (std::size_t size = 0; size < head; ++size) {
        EXPECT_EQ(next_in_proto(whole.substr(0, size)), "") << size;
    }
    EXPECT_EQ(next_in_proto(proto_answer("PodList", list_head("900", ""))), "");
    EXPECT_EQ(next_in_proto(proto_answer("PodList", "")), "");
    EXPECT_EQ(next_in_proto(R"({"metadata":{"continue":"x"}})"), "");
}

}  // namespace
}  // namespace parley::kube
