#include "kube/decode/decode_metrics.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

std::string nodes(const std::string& items) {
    return R"({"kind":"NodeMetricsList","apiVersion":"metrics.k8s.io/v1beta1","metadata":{},"items":[)" +
           items + "]}";
}
std::string pods(const std::string& items) {
    return R"({"kind":"PodMetricsList","apiVersion":"metrics.k8s.io/v1beta1","metadata":{},"items":[)" +
           items + "]}";
}

const std::string kNode =
    R"({"metadata":{"name":"node-1"},"timestamp":"2025-03-01T12:00:00Z","window":"20.05s",)"
    R"("usage":{"cpu":"245123456n","memory":"1024Ki"}})";

TEST(DecodeNodeMetrics, reads_usage_and_its_time) {
    const auto page = decode_node_metrics(nodes(kNode));
    ASSERT_TRUE(page && page->samples.size() == 1);
    const UsageSample& sample = page->samples[0];
    EXPECT_EQ(sample.name, "node-1");
    EXPECT_EQ(sample.space, "");
    EXPECT_EQ(sample.measured.us, 1'740'830'400'000'000);
    EXPECT_EQ(sample.window, milliseconds(20'050));
    EXPECT_EQ(sample.used, (Amounts{246, 1 << 20}));
    EXPECT_EQ(page->unreadable_count, 0U);
}

TEST(DecodePodMetrics, adds_up_the_containers) {
    const auto page = decode_pod_metrics(pods(
        R"({"metadata":{"name":"p","namespace":"shop"},"timestamp":"2025-03-01T12:00:00Z","window":"15s",)"
        R"("containers":[{"name":"a","usage":{"cpu":"100m","memory":"1Mi"}},)"
        R"({"name":"b","usage":{"cpu":"1","memory":"2Mi"}}]})"));
    ASSERT_TRUE(page && page->samples.size() == 1);
    EXPECT_EQ(page->samples[0].space, "shop");
    EXPECT_EQ(page->samples[0].used, (Amounts{1100, 3 << 20}));
    ASSERT_EQ(page->samples[0].containers.size(), 2U);
    EXPECT_EQ(page->samples[0].containers[1].name, Name::of("b"));
    EXPECT_EQ(page->samples[0].containers[1].used, (Amounts{1000, 2 << 20}));
}

TEST(DecodeMetrics, half_a_sample_is_none) {
    const char* faulty[] = {
        R"({"metadata":{"name":"n"},"timestamp":"2025-03-01T12:00:00Z","usage":{"cpu":"1"}})",
        R"({"metadata":{"name":"n"},"timestamp":"2025-03-01T12:00:00Z"})",
        R"({"metadata":{"name":"n"},"usage":{"cpu":"1","memory":"1"}})",
        R"({"timestamp":"2025-03-01T12:00:00Z","usage":{"cpu":"1","memory":"1"}})",
        R"({"metadata":{"name":"n"},"timestamp":"later","usage":{"cpu":"1","memory":"1"}})",
        R"({"metadata":{"name":"n"},"timestamp":"2025-03-01T12:00:00Z","usage":{"cpu":"NaN","memory":"1"}})",
        R"({"metadata":{"name":"n"},"timestamp":"2025-03-01T12:00:00Z","usage":{"cpu":"-1","memory":"1"}})",
        R"({"metadata":{"name":"n"},"timestamp":"2025-03-01T12:00:00Z","containers":[
{"usage":{"cpu":"1","memory":"8E"}},{"usage":{"cpu":"1","memory":"8E"}}]})",
        "7",
    };
    for (const char* item : faulty) {
        const auto page = decode_node_metrics(nodes(kNode + "," + item));
        ASSERT_TRUE(page) << item;
        EXPECT_EQ(page->samples.size(), 1U) << item;
        EXPECT_EQ(page->unreadable_count, 1U) << item;
        EXPECT_NE(page->first_fault, "") << item;
    }
}

TEST(DecodeMetrics, a_window_it_cannot_read_is_not_told) {
    const auto page = decode_node_metrics(
        nodes(R"({"metadata":{"name":"n"},"timestamp":"2025-03-01T12:00:00Z","window":"a while",)"
              R"("usage":{"cpu":"1","memory":"1"}})"));
    ASSERT_TRUE(page && page->samples.size() == 1);
    EXPECT_EQ(page->samples[0].window, Duration());
}

TEST(DecodeMetrics, refuses_what_is_no_such_list) {
    for (const std::string& body : {std::string("<html>"), std::string("{}"), pods(""),
                                    nodes("") + "]", std::string(R"({"kind":"NodeMetricsList"})"),
                                    std::string(R"({"kind":"NodeMetricsList","items":7})")}) {
        EXPECT_FALSE(decode_node_metrics(body)) << body;
    }
    EXPECT_TRUE(decode_node_metrics(nodes("")));
}

TEST(DecodeMetrics, cut_anywhere_is_malformed) {
    const std::string whole = nodes(kNode);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        EXPECT_FALSE(decode_node_metrics(std::string_view(whole).substr(0, size))) << size;
    }
}

}  // namespace
}  // namespace parley::kube
