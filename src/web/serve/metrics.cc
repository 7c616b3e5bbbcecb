#include "web/serve/metrics.h"

#include "base/describe.h"
#include "layers/explanation/telling/surroundings.h"
#include "model/sources.h"

#include <algorithm>
#include <map>
#include <optional>
#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>
#include <variant>

namespace parley::web {

using prometheus::BuildCounter;
using prometheus::BuildGauge;

struct Metrics::Inside {
    prometheus::Registry registry;
    prometheus::Family<prometheus::Counter>& requests =
        BuildCounter()
            .Name("parley_http_requests_total")
            .Help("Requests that were answered, by status.")
            .Register(registry);
    prometheus::Gauge& viewers = BuildGauge()
                                     .Name("parley_stream_viewers")
                                     .Help("Clients that follow a stream now.")
                                     .Register(registry)
                                     .Add({});
    prometheus::Counter& messages = BuildCounter()
                                        .Name("parley_stream_messages_total")
                                        .Help("Events sent to viewers.")
                                        .Register(registry)
                                        .Add({});
    prometheus::Counter& bytes = BuildCounter()
                                     .Name("parley_stream_sent_bytes_total")
                                     .Help("Bytes sent to viewers.")
                                     .Register(registry)
                                     .Add({});
    prometheus::Counter& cuts = BuildCounter()
                                    .Name("parley_stream_cut_total")
                                    .Help("Viewers that fell behind and were cut.")
                                    .Register(registry)
                                    .Add({});
    prometheus::Family<prometheus::Counter>& logins = BuildCounter()
                                                          .Name("parley_logins_total")
                                                          .Help("Tokens that were tried.")
                                                          .Register(registry);
    prometheus::Counter& left_out =
        BuildCounter()
            .Name("parley_rounds_left_out_total")
            .Help("Rounds that were left to the record as the server was too far behind.")
            .Register(registry)
            .Add({});
    prometheus::Counter& rounds = BuildCounter()
                                      .Name("parley_rounds_total")
                                      .Help("Rounds of the loop in this process.")
                                      .Register(registry)
                                      .Add({});
    prometheus::Counter& troubled = BuildCounter()
                                        .Name("parley_rounds_failed_total")
                                        .Help("Rounds that could not be recorded or sent.")
                                        .Register(registry)
                                        .Add({});
    prometheus::Family<prometheus::Counter>& proposals =
        BuildCounter()
            .Name("parley_proposals_total")
            .Help("Proposals by agent and what became of them.")
            .Register(registry);
    prometheus::Family<prometheus::Gauge>& last_round =
        BuildGauge()
            .Name("parley_last_round_timestamp_seconds")
            .Help("When the newest round was published, by this machine's clock.")
            .Register(registry);
    prometheus::Family<prometheus::Gauge>& risk =
        BuildGauge()
            .Name("parley_node_risk_max_ratio")
            .Help("The highest risk of a node; absent: none is known.")
            .Register(registry);
    prometheus::Family<prometheus::Gauge>& nodes =
        BuildGauge().Name("parley_nodes").Help("Nodes in the newest round.").Register(registry);
    prometheus::Family<prometheus::Gauge>& pods =
        BuildGauge().Name("parley_pods").Help("Pods in the newest round.").Register(registry);
    prometheus::Family<prometheus::Gauge>& alarms =
        BuildGauge().Name("parley_alarms").Help("Alarms in the newest round.").Register(registry);
    prometheus::Family<prometheus::Gauge>& stopped = BuildGauge()
                                                         .Name("parley_stopped")
                                                         .Help("1: the kill switch was pressed.")
                                                         .Register(registry);
    prometheus::Family<prometheus::Gauge>& sources =
        BuildGauge()
            .Name("parley_source_age_seconds")
            .Help("How old what a source delivered is.")
            .Register(registry);
};

Metrics::Metrics(const std::string& version) : inside_(std::make_unique<Inside>()) {
    BuildGauge()
        .Name("parley_build_info")
        .Help("The program; its value is always 1.")
        .Register(inside_->registry)
        .Add({{"version", version}})
        .Set(1);
}
Metrics::~Metrics() = default;

void Metrics::answered(int status) {
    inside_->requests.Add({{"code", std::to_string(status)}}).Increment();
}
void Metrics::viewers(std::size_t now) { inside_->viewers.Set(static_cast<double>(now)); }
void Metrics::sent(std::size_t messages, std::size_t bytes) {
    inside_->messages.Increment(static_cast<double>(messages));
    inside_->bytes.Increment(static_cast<double>(bytes));
}
void Metrics::cut() { inside_->cuts.Increment(); }
void Metrics::login(bool welcome) {
    inside_->logins.Add({{"outcome", welcome ? "welcome" : "refused"}}).Increment();
}
void Metrics::left_out() { inside_->left_out.Increment(); }

void Metrics::round(const model::RoundInput& input, const model::Decision& decision, bool trouble,
                    TimePoint wall) {
    inside_->rounds.Increment();
    if (trouble) inside_->troubled.Increment();
    for (const model::Judged& each : decision.verdict.judged) {
        inside_->proposals
            .Add({{"agent", std::string(enum_name(each.proposal.role))},
                  {"fate", std::string(fate_name(each.fate))}})
            .Increment();
    }
    // A family without a member is not shown: before the first round its value is not known.
    const auto set = [](prometheus::Family<prometheus::Gauge>& family, double value) {
        family.Add({}).Set(value);
    };
    set(inside_->last_round, static_cast<double>(wall.us) / 1e6);
    std::optional<double> most;
    for (const model::NodeForecast& node : decision.forecast.nodes) {
        if (node.risk) most = std::max(most.value_or(0), *node.risk);
    }
    if (most) {
        set(inside_->risk, *most);
    } else {
        inside_->risk.Remove(&inside_->risk.Add({}));
    }
    set(inside_->nodes, static_cast<double>(input.snapshot.nodes.size()));
    set(inside_->pods, static_cast<double>(input.snapshot.pods.size()));
    set(inside_->alarms, static_cast<double>(decision.alarms.size()));
    set(inside_->stopped, input.controls.stop ? 1 : 0);
    for (const model::SourceState& source : input.snapshot.sources) {
        const bool heard = source.condition == model::SourceCondition::ok ||
                           source.condition == model::SourceCondition::late;
        if (!heard || model::nothing_yet(source)) continue;
        inside_->sources.Add({{"source", std::string(enum_name(source.source))}})
            .Set(in_seconds(input.now - source.last_success));
    }
}

std::string Metrics::text() const {
    return prometheus::TextSerializer().Serialize(inside_->registry.Collect());
}

}  // namespace parley::web
