#include "web/run/round_lookup.h"

#include "fake/disk.h"
#include "web/views/web_kit_test.h"

#include <gtest/gtest.h>

namespace parley::web {
namespace {

struct Lookup {
    Lookup() { known.read = true; }
    void begin(bool recorded) {
        const store::RunHeader header = kit::header({});
        known.begin(header,
                    recorded ? std::make_shared<RoundStore>(disk, "runs/a", header) : nullptr);
    }
    void take(std::uint64_t first, std::uint64_t last) {
        for (std::uint64_t n = first; n <= last; ++n) known.take(kit::seen(kit::round_at(n)));
    }
    std::string refused(std::optional<std::uint64_t> number, ErrorCode code) {
        const auto found = find_round(known, number);
        if (found) return "it is there";
        EXPECT_EQ(found.error().code, code) << found.error().message;
        return found.error().message;
    }

    fake::Disk disk;
    RunPlace place{"a", "runs/a"};
    RunHooks hooks;
    RunKnown known{place, hooks};
};

TEST(RoundLookup, the_newest_lie_ready_and_older_ones_are_opened) {
    Lookup l;
    l.begin(true);
    l.take(1, 200);
    EXPECT_EQ(find_round(l.known, std::nullopt)->near->decision->round, 200U);
    EXPECT_EQ(find_round(l.known, 199)->near->decision->round, 199U);
    const auto old = find_round(l.known, 1);
    ASSERT_TRUE(old);
    EXPECT_FALSE(old->near);
    EXPECT_EQ(old->store, l.known.store);
    EXPECT_EQ(old->number, 1U);
}

TEST(RoundLookup, says_why_a_round_is_not_there) {
    Lookup l;
    l.begin(false);
    EXPECT_EQ(l.refused(std::nullopt, ErrorCode::gone), "No round yet.");
    l.take(1, 200);
    EXPECT_EQ(l.refused(201, ErrorCode::gone), "There is no round 201 yet; the newest is 200.");
    EXPECT_EQ(l.refused(1, ErrorCode::gone),
              "Round 1 is no longer kept: this run is not recorded.");
    l.take(203, 203);
    EXPECT_NE(l.refused(202, ErrorCode::gone).find("202"), std::string::npos);
    l.known.problem = "it is no run";
    EXPECT_EQ(l.refused(3, ErrorCode::denied), "it is no run");
}

TEST(RoundLookup, while_the_record_is_being_read_it_says_so) {
    Lookup l;
    l.known.read = false;
    EXPECT_EQ(l.refused(5, ErrorCode::unavailable), "The record is being read: 0 rounds so far.");
    l.begin(true);
    l.take(101, 103);
    l.known.read = true;
    l.known.earlier_rounds = 7;
    EXPECT_EQ(find_round(l.known, 50)->store, l.known.store) << "it may be there";
}

TEST(RoundLookup, rounds_that_all_lie_ready_need_no_store) {
    Lookup l;
    l.begin(true);
    l.take(1, 10);
    const auto near = near_rounds(l.known, 3, 5);
    ASSERT_TRUE(near);
    ASSERT_EQ(near->size(), 3U);
    EXPECT_EQ(near->front()->decision->round, 3U);
    l.take(11, 300);
    EXPECT_FALSE(near_rounds(l.known, 3, 5));
    l.known.store = nullptr;
    EXPECT_TRUE(near_rounds(l.known, 3, 5)->empty()) << "nothing is recorded";
}

}  // namespace
}  // namespace parley::web
