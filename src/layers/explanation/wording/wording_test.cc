#include "layers/explanation/wording/wording.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace parley::explanation {
namespace {

TEST(Wording, scores_carry_their_sign_in_pod_minutes) {
    EXPECT_EQ(earned(3'000'000), "+3.0");
    EXPECT_EQ(earned(-1'240'000), "-1.2");
    EXPECT_EQ(earned(0), "0.0");
    EXPECT_EQ(earned(-5'000), "-0.005") << "as the tables of the page show it";
    EXPECT_EQ(earned(49'000), "+0.049");
    EXPECT_EQ(earned(50'000), "+0.1");
    EXPECT_EQ(earned(-400), "0.0") << "neither sign nor digits for nothing";
    EXPECT_EQ(earned_minutes(std::numeric_limits<double>::quiet_NaN()), "?");
}

TEST(Wording, a_node_is_asleep_and_not_sleep) {
    EXPECT_EQ(power_text(model::Power::sleep), "asleep");
    EXPECT_EQ(power_text(model::Power::booting), "booting");
}

TEST(Wording, whom_an_exerciser_means_is_called_as_everywhere) {
    EXPECT_EQ(intent_text("AgentC:admission:queue"), "C admission:queue");
    EXPECT_EQ(intent_text("AgentB:power_state:sleep"), "B power_state:sleep");
    for (const char* other : {"", "Agent", "AgentC", "Agents:x", "anything"}) {
        EXPECT_EQ(intent_text(other), other);
    }
}

TEST(Wording, a_figure_is_a_share_or_a_count_of_pods) {
    using model::Measure;
    EXPECT_EQ(measure_of({}), Measure::untold);
    EXPECT_EQ(measure_of({.what = "risk"}), Measure::risk);
    EXPECT_EQ(measure_of({.what = "demand"}), Measure::demand);
    EXPECT_EQ(measure_of({.what = "pending pods"}), Measure::count);
    EXPECT_EQ(measure_of({.what = "pods short of CPU"}), Measure::count);
    EXPECT_EQ(measure_of({.what = "disk", .measure = Measure::share}), Measure::share);
}

TEST(Wording, a_bound_above_one_is_never_reached_by_a_share) {
    EXPECT_TRUE(never_reached(0.2, 1.1));
    EXPECT_TRUE(never_reached(1.0, 1.1));
    EXPECT_FALSE(never_reached(0.2, 1.0));
    EXPECT_FALSE(never_reached(1.2, 1.1));
    EXPECT_FALSE(never_reached(std::numeric_limits<double>::quiet_NaN(), 1.1));
}

TEST(Wording, wishes_read_as_people_say_them) {
    const model::Target node = model::NodeId{Name::of("node-05")};
    const model::Target cluster = model::WholeCluster{};
    const model::Target web =
        model::WorkloadId{Name::of("shop"), model::WorkloadKind::deployment, Name::of("web")};
    using model::AdmissionWish;
    EXPECT_EQ(wish_text(model::Replicate{}, node), "replicate node-05");
    EXPECT_EQ(wish_text(model::PowerState{model::PowerWish::sleep}, node),
              "power_state:sleep node-05");
    EXPECT_EQ(wish_text(model::Admission{AdmissionWish::queue}, cluster), "queue new batch pods");
    EXPECT_EQ(wish_text(model::Admission{AdmissionWish::admit}, cluster), "admit all batch pods");
    EXPECT_EQ(wish_text(model::ResourceCap{}, cluster), "cap batch pods at 85%");
    EXPECT_EQ(wish_text(model::ResourceCap{}, node), "resource_cap node-05");
    EXPECT_EQ(wish_text(model::Scale{{6, 8}}, web), "shop/web 6 to 8");
    EXPECT_EQ(wish_text(model::Noop{}, node), "nothing");
}

TEST(Wording, commands_can_be_typed_again) {
    const model::Target node = model::NodeId{Name::of("node-05")};
    EXPECT_EQ(command_text(model::MemoryBalloon{}, node), "memory_balloon:node-05");
    EXPECT_EQ(command_text(model::PowerState{model::PowerWish::sleep}, node),
              "power_state:sleep:node-05");
    EXPECT_EQ(command_text(model::Admission{model::AdmissionWish::reject}, model::WholeCluster{}),
              "reject");
}

TEST(Wording, evidence_is_a_share_or_a_count) {
    EXPECT_EQ(evidence_text({"risk", 0.86, "above", 0.25}), "risk 0.86");
    EXPECT_EQ(bound_text({"risk", 0.86, "above", 0.25}), "above 0.25");
    EXPECT_EQ(evidence_text({"pods short of CPU", 9, "from", 8}), "9 pods short of CPU");
    EXPECT_EQ(bound_text({"pods short of CPU", 9, "from", 8}), "from 8");
    const model::Evidence disk{"disk", 0.93, "from", 0.90, model::Measure::share};
    EXPECT_EQ(evidence_text(disk), "disk 0.93");
    EXPECT_EQ(bound_text(disk), "from 0.90");
    EXPECT_EQ(evidence_text({"lost pods", 3, "from", 2, model::Measure::count}), "3 lost pods");
    EXPECT_EQ(evidence_text({}), "-");
    EXPECT_EQ(bound_text({}), "-");
    EXPECT_EQ(bound_text({"risk", 0.2, "above", 2}), "never");
}

TEST(Wording, lists_and_counts_read_as_sentences) {
    EXPECT_EQ(listed({}), "");
    EXPECT_EQ(listed({"C"}), "C");
    EXPECT_EQ(listed({"C", "B"}), "C and B");
    EXPECT_EQ(listed({"C", "D", "B"}), "C, D and B");
    EXPECT_EQ(counted(1, "pod"), "1 pod");
    EXPECT_EQ(counted(5000, "pod"), "5,000 pods");
    EXPECT_EQ(counted(2, "pod is", "pods are"), "2 pods are");
}

TEST(Wording, times_are_simulated_or_real) {
    EXPECT_EQ(when({seconds(426).us}, true), "T+07:06");
    EXPECT_EQ(when({0}, false), "1970-01-01T00:00:00Z");
    EXPECT_EQ(span_text(minutes(10)), "10 min");
    EXPECT_EQ(span_text(hours(1)), "1h");
    EXPECT_EQ(span_text(seconds(50)), "50s");
    EXPECT_EQ(span_text(hours(4) + seconds(52) + microseconds(974'141)), "4h52s");
    EXPECT_EQ(mode_text(model::Mode::act, true), "act (simulated)");
    EXPECT_EQ(mode_text(model::Mode::dry_run, false), "dry-run");
}

TEST(Wording, the_nearest_name_is_offered_only_if_it_is_near) {
    const std::vector<std::string> names = {"node-01", "node-07", "node-12"};
    EXPECT_EQ(nearest_name("node-O7", names), "node-07");
    EXPECT_EQ(nearest_name("nod-12", names), "node-12");
    EXPECT_EQ(nearest_name("database", names), "");
    EXPECT_EQ(nearest_name(std::string(1000, 'n'), names), "");
}

TEST(Wording, signals_of_one_kind_are_named_once) {
    model::SignalSet set;
    set.add(model::Signal::lease_slow);
    set.add(model::Signal::lease_lost);
    set.add(model::Signal::memory);
    EXPECT_EQ(signal_names(set), (std::vector<std::string>{"lease", "memory use"}));
}

TEST(Wording, a_forecast_is_found_by_its_slot_wherever_it_stands) {
    const std::vector<std::vector<Slot>> kOrders{{},     {0},          {0, 1, 2, 3}, {0, 2, 3, 7},
                                                 {5, 6}, {3, 2, 1, 0}, {7, 0, 5}};
    for (const auto& order : kOrders) {
        model::Forecast forecast;
        for (const Slot slot : order) forecast.nodes.push_back({.node = slot});
        for (Slot slot = 0; slot < 9; ++slot) {
            const model::NodeForecast* found = forecast_of(forecast, slot);
            const bool there = std::ranges::find(order, slot) != order.end();
            ASSERT_EQ(found != nullptr, there) << slot;
            if (there) {
                EXPECT_EQ(found->node, slot);
            }
        }
        EXPECT_EQ(forecast_of(forecast, kNoSlot), nullptr);
    }
}

}  // namespace
}  // namespace parley::explanation
