#include "store/journal_retention.h"

#include "store/journal_kit_test.h"

namespace parley::store {
namespace {

class Retained : public ::testing::Test {
protected:
    Retained() {
        const auto journal = kit::opened(disk_);
        kit::fill(*journal, 30);
        EXPECT_TRUE(journal->close());
        before_ = kit::read_all(disk_);
        EXPECT_GE(disk_.list(kit::kFolder).value().size(), 3u);
    }

    RetentionReport drop(std::uint64_t before, std::vector<std::uint8_t> kinds) {
        return drop_payloads(disk_, kit::kFolder, {before, std::move(kinds)}).value();
    }

    fake::Disk disk_;
    kit::Content before_;
};

TEST_F(Retained, frames_say_that_their_payload_was_dropped_and_the_chain_holds) {
    const RetentionReport report = drop(10, {1});
    EXPECT_GT(report.bytes_freed, 0u);
    const auto after = kit::read_all(disk_);
    EXPECT_TRUE(after.report.damage.empty());
    EXPECT_EQ(after.report.chain_head, before_.report.chain_head);
    EXPECT_EQ(after.report.dropped, report.frames_dropped);
    EXPECT_TRUE(after.report.closed);
    ASSERT_EQ(after.frames.size(), before_.frames.size());
    std::uint64_t dropped = 0;
    for (std::size_t i = 0; i < after.frames.size(); ++i) {
        const Frame& frame = before_.frames[i];
        const bool gone = frame.sequence < 10 && frame.kind == 1;
        dropped += gone;
        Frame expected = frame;
        expected.dropped = gone;
        if (gone) expected.payload.clear();
        EXPECT_EQ(after.frames[i], expected);
    }
    EXPECT_EQ(dropped, report.frames_dropped);
    EXPECT_GT(dropped, 3u);
}

TEST_F(Retained, again_it_finds_nothing_to_do) {
    (void)drop(10, {1});
    const auto calls = disk_.calls();
    EXPECT_EQ(drop(10, {1}).frames_dropped, 0u);
    EXPECT_EQ(drop(1, {0, 1}).frames_dropped, 0u);
    EXPECT_EQ(drop(1000, {}).frames_dropped, 0u);
    EXPECT_EQ(disk_.calls(), calls);
}

TEST_F(Retained, the_last_segment_stays_and_writing_goes_on) {
    (void)drop(1000, {0, 1});
    const auto after = kit::read_all(disk_);
    EXPECT_FALSE(after.frames.back().dropped);
    EXPECT_TRUE(after.frames.front().dropped);
    const auto journal = kit::opened(disk_);
    EXPECT_TRUE(journal->report().damage.empty());
    kit::fill(*journal, 1);
    EXPECT_EQ(kit::read_all(disk_).frames.size(), 31u);
    const auto keyframe = find_last_keyframe(disk_, kit::kFolder).value();
    ASSERT_TRUE(keyframe);
    EXPECT_EQ(keyframe->sequence, 32u);  // 31 is the end of the first run.
}

TEST_F(Retained, the_last_segment_goes_too_where_nobody_writes) {
    const auto report = drop_payloads(disk_, kit::kFolder,
                                      {.before_sequence = 29, .kinds = {0, 1}, .last_too = true});
    ASSERT_TRUE(report);
    const auto after = kit::read_all(disk_);
    EXPECT_TRUE(after.report.damage.empty());
    EXPECT_EQ(after.report.chain_head, before_.report.chain_head);
    EXPECT_TRUE(after.report.closed);
    ASSERT_EQ(after.frames.size(), 30U);
    for (const Frame& frame : after.frames) EXPECT_EQ(frame.dropped, frame.sequence < 29);
    const auto journal = kit::opened(disk_);
    EXPECT_TRUE(journal->report().damage.empty());
    kit::fill(*journal, 1);
    EXPECT_EQ(kit::read_all(disk_).frames.size(), 31U);
}

TEST_F(Retained, a_torn_tail_stays_for_the_next_writer) {
    const auto segments = disk_.list(kit::kFolder).value();
    const std::string last = segments[segments.size() - 2];  // Behind it there is the lock.
    ASSERT_TRUE(last.ends_with(".log")) << last;
    const std::string bytes = kit::bytes_of(disk_, last) + "torn";
    kit::overwrite(disk_, last, bytes);
    const auto report = drop_payloads(disk_, kit::kFolder,
                                      {.before_sequence = 1000, .kinds = {0, 1}, .last_too = true});
    ASSERT_TRUE(report);
    EXPECT_EQ(report->segments_skipped.size(), 1U);
    EXPECT_EQ(kit::bytes_of(disk_, last), bytes);
}

TEST_F(Retained, a_damaged_segment_is_left_as_it_is) {
    std::string bytes = kit::bytes_of(disk_, "000001.log");
    bytes[150] = static_cast<char>(bytes[150] ^ 1);
    kit::overwrite(disk_, "000001.log", bytes);
    const auto report = drop(1000, {1});
    EXPECT_EQ(report.segments_skipped, std::vector<std::uint32_t>{1});
    EXPECT_EQ(kit::bytes_of(disk_, "000001.log"), bytes);
    EXPECT_GT(report.frames_dropped, 0u);
}

TEST_F(Retained, at_any_fault_a_segment_is_the_old_or_the_new_one) {
    const auto copy = disk_.power_cut(0);
    (void)drop_payloads(*copy, kit::kFolder, {1000, {1}});
    for (std::uint64_t call = 1; call <= copy->calls(); ++call) {
        for (const auto fault : {fake::Disk::Fault::power, fake::Disk::Fault::full}) {
            const auto disk = disk_.power_cut(0);
            disk->fail_at(call, fault);
            EXPECT_FALSE(drop_payloads(*disk, kit::kFolder, {1000, {1}}));
            for (std::uint64_t luck = 0; luck < 4; ++luck) {
                const auto after = kit::read_all(*disk->power_cut(luck));
                EXPECT_TRUE(after.report.damage.empty());
                EXPECT_EQ(after.report.chain_head, before_.report.chain_head);
            }
        }
    }
}

}  // namespace
}  // namespace parley::store
