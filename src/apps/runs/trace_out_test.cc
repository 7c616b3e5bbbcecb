#include "apps/runs/trace_out.h"

#include "base/json.h"
#include "fake/disk.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

TEST(TraceOut, writes_a_line_per_snapshot_and_refuses_a_file_that_exists) {
    fake::Disk disk;
    auto trace = TraceOut::create(disk, "trace.jsonl");
    ASSERT_TRUE(trace) << trace.error().message;
    Published round;
    round.input.snapshot.round = 7;
    ASSERT_TRUE(trace->add(round));
    round.input.snapshot.round = 8;
    ASSERT_TRUE(trace->add(round));
    const std::string text = *read_file(disk, "trace.jsonl");
    EXPECT_EQ(std::ranges::count(text, '\n'), 2);
    EXPECT_NE(text.find("\"round\":7"), std::string::npos);
    EXPECT_FALSE(TraceOut::create(disk, "trace.jsonl"));
}

TEST(TraceOut, made_up_names_say_nothing_and_stay_the_same) {
    TraceRound round;
    round.nodes.resize(2);
    round.nodes[0].id.name = Name::of("secret-a");
    round.nodes[0].uid = {7, 7};
    round.nodes[0].zone = Name::of("secret-zone");
    round.nodes[1].id.name = Name::of("secret-b");
    round.workloads.resize(1);
    round.workloads[0].id = {Name::of("secret-space"), model::WorkloadKind::deployment,
                             Name::of("secret-web")};
    round.pods.push_back({.space = "secret-space",
                          .name = "secret-web-1",
                          .workload = "secret-space/secret-web",
                          .node = "secret-b"});
    round.sources.push_back({.reason = "secret-host: refused"});
    Pseudonyms pseudonyms;
    TraceRound first = round;
    pseudonyms.apply(first);
    EXPECT_EQ(to_json(first).find("secret"), std::string::npos) << to_json(first);
    EXPECT_EQ(first.nodes[1].id.text(), "node-2");
    EXPECT_EQ(first.pods[0].node, "node-2");
    EXPECT_EQ(first.pods[0].workload, "space-1/deployment-1");
    TraceRound second = round;
    std::swap(second.nodes[0], second.nodes[1]);
    pseudonyms.apply(second);
    EXPECT_EQ(second.nodes[0].id.text(), "node-2");
    EXPECT_EQ(second.nodes[1].uid, first.nodes[0].uid);
}

}  // namespace
}  // namespace parley::app
