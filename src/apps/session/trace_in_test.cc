#include "apps/session/trace_in.h"

#include "fake/disk.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

/// Two rounds with a value that no decimal text of a few digits holds.
std::string two_rounds(fake::Disk& disk) {
    auto trace = TraceOut::create(disk, "trace.jsonl");
    store::RunHeader header;
    header.scenario = "tour";
    header.policy.stakes.margin = 0.1 + 0.2;
    trace->begin(header);
    model::Memory memory;
    memory.derived.rounds = 41;
    trace->start(memory);
    Published round;
    round.input.round = round.input.snapshot.round = 42;
    round.input.now = {1'763'334'000'123'457};
    EXPECT_TRUE(trace->add(round));
    round.input.round = round.input.snapshot.round = 43;
    round.input.controls.stop = true;
    EXPECT_TRUE(trace->add(round));
    return *read_file(disk, "trace.jsonl");
}

TEST(TraceIn, gives_back_to_the_last_bit_what_was_written) {
    fake::Disk disk;
    two_rounds(disk);
    auto trace = TraceIn::open(disk, "trace.jsonl");
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->header().scenario, "tour");
    EXPECT_EQ(trace->header().policy.stakes.margin, 0.1 + 0.2);
    const auto first = trace->next();
    ASSERT_TRUE(first && *first);
    EXPECT_EQ((*first)->input.round, 42U);
    EXPECT_EQ((*first)->input.now.us, 1'763'334'000'123'457);
    ASSERT_TRUE((*first)->start);
    EXPECT_EQ((*first)->start->derived.rounds, 41U);
    const auto second = trace->next();
    ASSERT_TRUE(second && *second);
    EXPECT_TRUE((*second)->input.controls.stop);
    EXPECT_FALSE((*second)->start);
    const auto end = trace->next();
    ASSERT_TRUE(end);
    EXPECT_FALSE(*end);
}

TEST(TraceIn, what_was_changed_cut_or_is_no_trace_is_one_sentence) {
    fake::Disk disk;
    const std::string whole = two_rounds(disk);
    const std::size_t cut = whole.find('\n') + 1;
    const auto reads = [&](const std::string& text) -> std::string {
        (void)disk.remove("other.jsonl");
        EXPECT_TRUE(write_file_atomically(disk, "other.jsonl", text));
        auto trace = TraceIn::open(disk, "other.jsonl");
        if (!trace) return trace.error().message;
        while (true) {
            const auto next = trace->next();
            if (!next) return next.error().message;
            if (!*next) return "";
        }
    };
    EXPECT_EQ(reads(whole), "");
    EXPECT_EQ(reads(""), "other.jsonl holds no round");
    EXPECT_EQ(reads("{\"round\":1}\n"),
              "other.jsonl:1: this line holds no exact round; only what --trace-out wrote without "
              "--anonymise can be decided again");
    EXPECT_EQ(reads(whole.substr(cut)),
              "other.jsonl:1: this is not the first line of a trace; give all of it");
    EXPECT_EQ(reads(whole + whole.substr(cut)),
              "other.jsonl:3: this line does not follow the one before it");
    std::string edited = whole;
    edited.replace(edited.find("\"round\":42"), 10, "\"round\":99");
    EXPECT_EQ(reads(edited),
              "other.jsonl:1: what this line shows is not what it holds exactly: it was edited");
    EXPECT_EQ(reads(whole.substr(0, whole.size() - 9)),
              "other.jsonl:2: this line ends in its middle");
}

}  // namespace
}  // namespace parley::app
