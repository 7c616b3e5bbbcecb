#include "layers/execution/sender.h"

#include "base/run.h"
#include "fake/cluster.h"
#include "layers/execution/kit_test.h"
#include "layers/execution/plan.h"

#include <gtest/gtest.h>

namespace parley::execution {
namespace {

using namespace model;

struct SenderTest : testing::Test {
    Kit kit;
    Forecast forecast;
    fake::Writer writer;
    fake::Reader reader{writer};
    std::atomic<bool> stop = false;
    Sender sender{reader, writer, stop};
    OpenAction action;

    SenderTest() {
        kit.add_node("node-1");
        reader.uids["node-1"] = {1, 1};
        SourceState api{.source = Source::api, .condition = SourceCondition::ok};
        api.last_success = kNow;
        kit.input.snapshot.sources.push_back(api);
        action = plan(proposes(Role::efficiency, Dvfs{}, node_id("node-1")), kit.input, kit.policy,
                      {0, 1});
    }

    ActionEvent carry_out(Next next) {
        auto facts =
            std::make_shared<const guard::Facts>(kit.input, forecast, kit.memory, kit.policy);
        return run(sender.carry_out(Step{action, std::move(next)}, std::move(facts)));
    }
};

TEST_F(SenderTest, reads_the_target_of_the_step_with_the_guards_word) {
    const ActionEvent event = carry_out(Read{});
    EXPECT_EQ(event.action, action.id);
    EXPECT_EQ(event.at, kNow);
    EXPECT_EQ(std::get<Seen>(event.what),
              (Seen{{.exists = true, .uid = {1, 1}, .version = 1}, ""}));
    EXPECT_EQ(reader.asked, std::vector<Request>{action.plan[0].request});
    EXPECT_TRUE(writer.asked.empty());
    kit.memory.ledger.stopped = true;
    kit.input.controls.stop = true;
    EXPECT_NE(std::get<Seen>(carry_out(Read{}).what).refused, "");
}

TEST_F(SenderTest, asks_nobody_while_it_waits) {
    action.awaiting = true;
    action.plan[0].then = {workload_id("web"), 4};
    kit.input.controls.stop = true;
    kit.memory.ledger.stopped = true;
    const Seen seen = std::get<Seen>(carry_out(Read{}).what);
    EXPECT_EQ(seen.refused, "");
    EXPECT_EQ(reader.asked, std::vector<Request>{Request(SetReplicas{workload_id("web"), 4})});
}

TEST_F(SenderTest, sends_once_whatever_comes_back) {
    const Send send{action.plan[1].request, {{1, 1}, 41}};
    EXPECT_EQ(std::get<Answered>(carry_out(send).what), Answered{});
    for (const ErrorCode code :
         {ErrorCode::unavailable, ErrorCode::unknown_outcome, ErrorCode::conflict, ErrorCode::gone,
          ErrorCode::expired, ErrorCode::blocked, ErrorCode::denied, ErrorCode::malformed}) {
        writer.asked.clear();
        writer.script.push_back(tl::unexpected<Error>(Error{code, "no", seconds(9)}));
        const auto answer = std::get<Answered>(carry_out(send).what);
        EXPECT_EQ(answer, (Answered{false, code, "no", seconds(9)}));
        EXPECT_EQ(writer.asked, std::vector<Send>{send});
    }
}

TEST_F(SenderTest, reads_the_kill_switch_right_before) {
    stop = true;
    const auto answer = std::get<Answered>(carry_out(Send{action.plan[1].request, {}}).what);
    EXPECT_FALSE(answer.ok);
    EXPECT_EQ(answer.code, ErrorCode::unavailable);
    EXPECT_TRUE(writer.asked.empty());
}

TEST_F(SenderTest, a_failed_read_is_an_answer_but_gone_is_seen) {
    reader.script.push_back(fail(ErrorCode::unavailable, "no connection"));
    EXPECT_EQ(std::get<Answered>(carry_out(Read{}).what).code, ErrorCode::unavailable);
    reader.script.push_back(fail(ErrorCode::gone, "not found"));
    EXPECT_FALSE(std::get<Seen>(carry_out(Read{}).what).live.exists);
}

}  // namespace
}  // namespace parley::execution
