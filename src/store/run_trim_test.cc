#include "store/run_trim.h"

#include "fake/disk.h"
#include "store/run_writer.h"

#include <gtest/gtest.h>

namespace parley::store {
namespace {

constexpr std::uint64_t kRounds = 50;

model::Decision decision(std::uint64_t round) {
    model::Decision out;
    out.round = round;
    out.verdict.rationale = "because of round " + std::to_string(round);
    return out;
}

/// A keyframe every ten rounds; in small segments also where one begins.
JournalOptions options(std::uint64_t segment_bytes) {
    return {.segment_bytes = segment_bytes,
            .fill_bytes = 1024,
            .reserve_bytes = 4096,
            .keyframe_bytes = 1 << 20,
            .keyframe_rounds = 10};
}
constexpr std::uint64_t kOneSegment = 1 << 20;
constexpr std::uint64_t kSmallSegments = 4096;

std::unique_ptr<RunWriter> begin(Disk& disk, RecordLevel level, std::uint64_t segment_bytes) {
    RunHeader header;
    header.record = level;
    auto writer = RunWriter::create(disk, "run", header, {}, options(segment_bytes));
    EXPECT_TRUE(writer) << writer.error().message;
    return *std::move(writer);
}

void keep(RunWriter& writer, std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t round = from; round <= to; ++round) {
        model::RoundInput input;
        input.round = round;
        model::Memory next;
        next.ledger.version = round;
        ASSERT_TRUE(writer.keep_round(input, decision(round), next));
        ASSERT_TRUE(writer.keep_event({.action = {1, round}, .at = {}, .what = model::Tick{}}));
    }
}

void record(Disk& disk, RecordLevel level = RecordLevel::full,
            std::uint64_t segment_bytes = kOneSegment) {
    const auto writer = begin(disk, level, segment_bytes);
    keep(*writer, 1, kRounds);
    ASSERT_TRUE(writer->finish({RunStatus::complete, "", kRounds}));
}

struct Read {
    std::vector<std::uint64_t> rounds;
    RunFacts facts;
    std::vector<std::string> gaps;
    bool first_has_memory = false;
};

Read read(Disk& disk) {
    Read out;
    auto reader = RunReader::open(disk, "run");
    EXPECT_TRUE(reader) << reader.error().message;
    while (const auto record = reader->next().value()) {
        if (out.rounds.empty()) out.first_has_memory = record->memory.has_value();
        EXPECT_EQ(record->decision.verdict.rationale,
                  decision(record->decision.round).verdict.rationale);
        EXPECT_EQ(record->events.size(), 1U);
        out.rounds.push_back(record->decision.round);
    }
    out.facts = reader->facts();
    out.gaps = reader->gaps();
    EXPECT_TRUE(reader->report().damage.empty());
    return out;
}

std::optional<KeyframePlace> cut_of(Disk& disk, std::uint64_t keep_from) {
    return cut_before(disk, "run", read(disk).rounds.front(), keep_from).value();
}

RetentionReport drop(Disk& disk, std::uint64_t keep_from) {
    const auto cut = cut_of(disk, keep_from);
    EXPECT_TRUE(cut);
    return drop_rounds(disk, "run", *cut).value();
}

TEST(RunTrim, a_run_is_cut_at_the_keyframe_before_what_is_kept) {
    const struct {
        std::uint64_t keep_from;
        std::uint64_t first;  ///< 0: nothing can be dropped.
    } cases[] = {{1, 0}, {10, 0}, {11, 11}, {12, 11}, {20, 11}, {21, 21}, {50, 41}};
    fake::Disk disk;
    record(disk);
    for (const auto& [keep_from, first] : cases) {
        const auto cut = cut_of(disk, keep_from);
        EXPECT_EQ(cut ? cut->round : 0, first) << keep_from;
    }
}

TEST(RunTrim, what_is_left_reads_as_before_and_the_rest_is_dropped_not_damaged) {
    for (const RecordLevel level : {RecordLevel::full, RecordLevel::decisions}) {
        for (const std::uint64_t segment_bytes : {kOneSegment, kSmallSegments}) {
            fake::Disk disk;
            record(disk, level, segment_bytes);
            const bool several = disk.list("run/journal").value().size() > 4;
            EXPECT_EQ(several, segment_bytes == kSmallSegments);
            const std::string born = read(disk).facts.born;
            const std::uint64_t first = cut_of(disk, 45)->round;
            const RetentionReport report = drop(disk, 45);
            EXPECT_GT(report.bytes_freed, 0U);
            EXPECT_TRUE(report.segments_skipped.empty());
            const Read after = read(disk);
            EXPECT_EQ(after.rounds.size(), kRounds + 1 - first);
            EXPECT_EQ(after.rounds.front(), first);
            EXPECT_EQ(after.rounds.back(), kRounds);
            EXPECT_TRUE(after.first_has_memory);
            EXPECT_TRUE(after.gaps.empty());
            EXPECT_EQ(after.facts.dropped, (std::vector<NumberRange>{{1, first - 1}}));
            EXPECT_EQ(after.facts.last_round, kRounds);
            EXPECT_EQ(after.facts.status, RunStatus::complete);
            EXPECT_EQ(after.facts.born, born);
            EXPECT_EQ(
                dropped_text(after.facts.dropped),
                "rounds 1 to " + std::to_string(first - 1) + " were dropped by `parley trim`");
            EXPECT_FALSE(cut_of(disk, 45)) << "nothing more can be dropped";
        }
    }
}

TEST(RunTrim, it_can_be_gone_on_with_and_trimmed_again) {
    fake::Disk disk;
    record(disk);
    (void)drop(disk, 25);
    Keyframe last{.decision = decision(kRounds)};
    auto lock = lock_journal(disk, journal_folder("run"));
    ASSERT_TRUE(lock);
    auto writer = RunWriter::resume(disk, "run", *std::move(lock), RecordLevel::full,
                                    {.resumed = true}, last);
    ASSERT_TRUE(writer) << writer.error().message;
    keep(**writer, kRounds + 1, kRounds + 5);
    ASSERT_TRUE((*writer)->finish({RunStatus::complete, "", kRounds + 5}));
    EXPECT_EQ(read(disk).rounds.size(), kRounds + 5 - 20);
    (void)drop(disk, kRounds + 1);
    const Read after = read(disk);
    EXPECT_EQ(after.rounds, (std::vector<std::uint64_t>{51, 52, 53, 54, 55}));
    EXPECT_EQ(after.facts.dropped, (std::vector<NumberRange>{{1, kRounds}}));
}

TEST(RunTrim, a_gap_that_a_repair_declared_is_not_said_to_be_more_than_it_was) {
    fake::Disk disk;
    // Killed; rounds 13 to 15 are lost with it.
    keep(*begin(disk, RecordLevel::full, kOneSegment), 1, 12);
    auto lock = lock_journal(disk, journal_folder("run"));
    ASSERT_TRUE(lock);
    ASSERT_TRUE(
        RunWriter::declare(disk, "run", *std::move(lock),
                           {.epoch = 2, .rounds = {{13, 15}}, .acknowledged = 15, .why = {"cut"}},
                           {.decision = decision(15)}));
    lock = lock_journal(disk, journal_folder("run"));
    ASSERT_TRUE(lock);
    auto writer =
        RunWriter::resume(disk, "run", *std::move(lock), RecordLevel::full, {.resumed = true},
                          {.decision = decision(15)}, options(kOneSegment));
    ASSERT_TRUE(writer) << writer.error().message;
    keep(**writer, 16, 40);
    ASSERT_TRUE((*writer)->finish({RunStatus::complete, "", 40}));
    const auto before = read(disk).gaps;
    (void)drop(disk, 38);
    const Read after = read(disk);
    EXPECT_EQ(after.rounds.front(), 36U);
    EXPECT_EQ(after.gaps, before) << "rounds 13 to 15, and no other";
    EXPECT_EQ(after.facts.last_dropped(), 35U);
    EXPECT_EQ(after.facts.last_round, 40U);
}

TEST(RunTrim, a_fault_in_the_middle_leaves_a_run_that_reads_and_can_be_trimmed_again) {
    fake::Disk whole;
    record(whole, RecordLevel::full, kSmallSegments);
    const auto copy = whole.power_cut(0);
    const auto cut = cut_of(*copy, 45);
    ASSERT_TRUE(cut);
    const std::uint64_t begun = copy->calls();
    ASSERT_TRUE(drop_rounds(*copy, "run", *cut));
    for (std::uint64_t call = begun + 1; call <= copy->calls(); ++call) {
        const auto disk = whole.power_cut(0);
        (void)cut_of(*disk, 45);
        disk->fail_at(call, fake::Disk::Fault::full);
        EXPECT_FALSE(drop_rounds(*disk, "run", *cut));
        disk->heal();
        const Read between = read(*disk);
        EXPECT_TRUE(between.gaps.empty());
        EXPECT_EQ(between.rounds.back(), kRounds);
        const auto rest = cut_of(*disk, 45);
        if (rest) ASSERT_TRUE(drop_rounds(*disk, "run", *rest));
        EXPECT_EQ(read(*disk).rounds.front(), cut->round);
    }
}

}  // namespace
}  // namespace parley::store
