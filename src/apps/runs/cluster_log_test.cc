#include "apps/runs/cluster_log.h"

#include "fake/disk.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

const ClusterBond kBond{.seed = 7, .scenario = "s", .policy = "p", .born = "b"};

sim::Remembered ledger_at(int second, std::uint64_t version) {
    model::Ledger ledger;
    ledger.version = version;
    return {TimePoint{} + seconds(second), ledger};
}

/// By a record whose last round began with this ledger.
ClusterOwed until_ledger(std::uint64_t version) {
    store::Keyframe round;
    round.input.controls.ledger_version = version;
    ClusterOwed owed;
    owed.take(round, {});
    return owed;
}

/// A log with three entries; its bytes.
std::string three(fake::Disk& disk) {
    auto log = ClusterLog::read(disk, ".", kBond);
    EXPECT_TRUE(log->begin(disk, kBond));
    for (int i = 1; i <= 3; ++i) {
        EXPECT_TRUE(log->append(ledger_at(i, static_cast<std::uint64_t>(i))));
    }
    return *read_file(disk, "cluster.log");
}

void put(fake::Disk& disk, const std::string& bytes) {
    ASSERT_TRUE(write_file_atomically(disk, "cluster.log", bytes));
}

TEST(ClusterLog, is_read_back_by_its_own_run_alone) {
    fake::Disk disk;
    const std::string bytes = three(disk);
    EXPECT_EQ(ClusterLog::read(disk, ".", kBond)->remembered().size(), 3U);
    ClusterBond unknown = kBond;
    unknown.born = "";  // The record has lost it.
    EXPECT_TRUE(ClusterLog::read(disk, ".", unknown));
    const std::pair<ClusterBond, const char*> others[] = {
        {{8, "s", "p", "b"}, "another seed"},
        {{7, "t", "p", "b"}, "another scenario"},
        {{7, "s", "q", "b"}, "another configuration"},
        {{7, "s", "p", "c"}, "begun by another run"},
    };
    for (const auto& [bond, why] : others) {
        const auto log = ClusterLog::read(disk, ".", bond);
        ASSERT_FALSE(log) << why;
        EXPECT_NE(log.error().message.find(why), std::string::npos) << log.error().message;
    }
    EXPECT_EQ(*read_file(disk, "cluster.log"), bytes);
}

TEST(ClusterLog, one_that_does_not_say_whose_it_is_is_refused) {
    fake::Disk disk;
    const std::string bytes = three(disk);
    put(disk, bytes.substr(static_cast<std::size_t>(bytes[0]) + 6));
    EXPECT_FALSE(ClusterLog::read(disk, ".", kBond));
}

TEST(ClusterLog, every_flipped_bit_is_damage_or_in_an_end_that_was_never_finished) {
    fake::Disk disk;
    const std::string bytes = three(disk);
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
        std::string flipped = bytes;
        flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
        put(disk, flipped);
        const auto log = ClusterLog::read(disk, ".", kBond);
        // Only the last entry may look unfinished; `reaches` notices that.
        if (log) {
            EXPECT_EQ(log->remembered().size(), 2U) << bit;
            EXPECT_FALSE(log->reaches(until_ledger(3))) << bit;
        }
        EXPECT_EQ(*read_file(disk, "cluster.log"), flipped) << "changed on the way";
    }
}

TEST(ClusterLog, one_that_ends_before_the_record_is_refused) {
    fake::Disk disk;
    const std::string bytes = three(disk);
    const auto reaches = [&](const std::string& left, std::uint64_t version) {
        put(disk, left);
        return ClusterLog::read(disk, ".", kBond)->reaches(until_ledger(version)).has_value();
    };
    EXPECT_TRUE(reaches(bytes, 3));
    EXPECT_TRUE(reaches(bytes, 2));  // The record may not know of the last one.
    EXPECT_FALSE(reaches(bytes, 4));
    EXPECT_FALSE(reaches("", 0));  // Its first entry is older than any round.
    EXPECT_TRUE(ClusterLog::read(disk, ".", kBond)->reaches(ClusterOwed()));
    EXPECT_FALSE(reaches(bytes.substr(0, 3), 0));
}

TEST(ClusterLog, a_ledger_missing_in_the_middle_is_damage) {
    fake::Disk disk;
    put(disk, "");
    auto other = ClusterLog::read(disk, ".", kBond);
    ASSERT_TRUE(other->begin(disk, kBond));
    for (const int version : {1, 3}) {
        ASSERT_TRUE(other->append(ledger_at(version, static_cast<std::uint64_t>(version))));
    }
    EXPECT_FALSE(ClusterLog::read(disk, ".", kBond));
}

TEST(ClusterLog, knows_that_it_was_taken_away_or_cut) {
    fake::Disk disk;
    auto log = ClusterLog::read(disk, ".", kBond);
    ASSERT_TRUE(log->begin(disk, kBond));
    ASSERT_TRUE(log->append(ledger_at(1, 1)));
    EXPECT_TRUE(log->in_place());
    {
        const auto file = disk.open("cluster.log", OpenMode::write);
        const std::uint64_t bytes = *(*file)->size();
        ASSERT_TRUE((*file)->truncate(bytes - 1));
        EXPECT_EQ(log->in_place().error().code, ErrorCode::gone);
        EXPECT_EQ(log->append(ledger_at(2, 2)).error().code, ErrorCode::gone);
        EXPECT_EQ(*(*file)->size(), bytes - 1);
        ASSERT_TRUE((*file)->truncate(bytes));
        EXPECT_TRUE(log->in_place());
    }
    ASSERT_TRUE(disk.remove("cluster.log"));
    EXPECT_EQ(log->in_place().error().code, ErrorCode::gone);
}

TEST(ClusterLog, an_unfinished_end_is_cut_when_it_is_gone_on_with) {
    fake::Disk disk;
    const std::string bytes = three(disk);
    put(disk, bytes.substr(0, bytes.size() - 1));
    auto log = ClusterLog::read(disk, ".", kBond);
    ASSERT_TRUE(log);
    ASSERT_TRUE(log->begin(disk, kBond));
    ASSERT_TRUE(log->append(ledger_at(3, 3)));
    EXPECT_EQ(*read_file(disk, "cluster.log"), bytes);
    EXPECT_EQ(last_round_asked(disk, ".", seconds(3)), 1U);
}

}  // namespace
}  // namespace parley::app
