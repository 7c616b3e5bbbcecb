#include "web/serve/metrics.h"

#include "web/views/web_kit_test.h"

#include <gtest/gtest.h>

namespace parley::web {
namespace {

TEST(Metrics, are_named_as_prometheus_wants_them) {
    Metrics metrics("1.2.3");
    metrics.answered(200);
    metrics.answered(200);
    metrics.answered(404);
    metrics.sent(3, 300);
    kit::Round round;
    round.decision.forecast = round.forecast;
    metrics.round(round.input, round.decision, false, TimePoint{seconds(7).us});
    const std::string text = metrics.text();
    for (const char* line :
         {"parley_build_info{version=\"1.2.3\"} 1", "parley_http_requests_total{code=\"200\"} 2",
          "parley_http_requests_total{code=\"404\"} 1", "parley_stream_messages_total 3",
          "parley_stream_sent_bytes_total 300", "parley_rounds_total 1",
          "parley_proposals_total{agent=\"safety\",fate=\"accepted\"} 1",
          "parley_last_round_timestamp_seconds 7", "parley_node_risk_max_ratio 0.86",
          "parley_nodes 12", "parley_source_age_seconds{source=\"api\"} 3"}) {
        EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
    }
}

TEST(Metrics, what_is_not_known_is_left_out_and_no_zero) {
    Metrics metrics("1.2.3");
    for (const char* name : {"parley_last_round_timestamp_seconds", "parley_node_risk_max_ratio",
                             "parley_nodes", "parley_pods", "parley_alarms", "parley_stopped"}) {
        EXPECT_EQ(metrics.text().find(name), std::string::npos) << name << " before any round";
    }
    kit::Round round;
    round.decision.forecast = round.forecast;
    metrics.round(round.input, round.decision, false, TimePoint{seconds(7).us});
    EXPECT_NE(metrics.text().find("parley_node_risk_max_ratio 0.86"), std::string::npos);
    for (model::NodeForecast& node : round.decision.forecast.nodes) node.risk.reset();
    metrics.round(round.input, round.decision, false, TimePoint{seconds(10).us});
    EXPECT_EQ(metrics.text().find("parley_node_risk_max_ratio"), std::string::npos)
        << "it was known, and no longer is";
}

}  // namespace
}  // namespace parley::web
