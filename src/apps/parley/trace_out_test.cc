#include "apps/parley/trace_out.h"

#include "fake/disk.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

TEST(TraceOut, writes_a_line_per_snapshot_and_refuses_a_file_that_exists) {
    fake::Disk disk;
    auto trace = TraceOut::create(disk, "trace.jsonl");
    ASSERT_TRUE(trace) << trace.error().message;
    model::Snapshot snapshot;
    snapshot.round = 7;
    ASSERT_TRUE(trace->add(snapshot));
    snapshot.round = 8;
    ASSERT_TRUE(trace->add(snapshot));
    const std::string text = *read_file(disk, "trace.jsonl");
    EXPECT_EQ(std::ranges::count(text, '\n'), 2);
    EXPECT_NE(text.find("\"round\":7"), std::string::npos);
    EXPECT_FALSE(TraceOut::create(disk, "trace.jsonl"));
}

}  // namespace
}  // namespace parley::app
