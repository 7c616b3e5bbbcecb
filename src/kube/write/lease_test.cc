#include "kube/write/lease.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

TEST(Lease, what_we_write_is_what_we_read) {
    const LeaseWish wish{.holder = "a_1",
                         .epoch = 4,
                         .acquired = "2026-01-01T00:00:00.000000Z",
                         .renewed = "2026-01-01T00:00:09.500000Z",
                         .version = "77"};
    const auto lease = read_lease(lease_body({}, {}, wish));
    ASSERT_TRUE(lease) << lease.error().message;
    EXPECT_EQ(*lease, (LeaseSeen{.holder = "a_1",
                                 .renewed = wish.renewed,
                                 .acquired = wish.acquired,
                                 .changes = 4,
                                 .version = "77"}));
    LeaseWish back = wish;
    back.holder = "";
    EXPECT_EQ(lease_body({}, {}, back).find("leaseDurationSeconds"), std::string::npos);
    EXPECT_EQ(read_lease(lease_body({}, {}, back))->holder, "");
}

TEST(Lease, what_is_none_is_refused) {
    for (const char* body :
         {"", "{}", R"({"metadata":{"resourceVersion":""}})",
          R"({"metadata":{"resourceVersion":"1"},"spec":{"leaseTransitions":-1}})",
          R"({"metadata":{"resourceVersion":"1"},"spec":{"leaseTransitions":1.5}})",
          R"({"metadata":{"resourceVersion":"1"},"spec":{"leaseTransitions":1e300}})",
          R"({"metadata":{"resourceVersion":"1"},"spec":{"leaseTransitions":"3"}})"}) {
        EXPECT_FALSE(read_lease(body)) << body;
    }
    // As Kubernetes itself makes one for a node: nobody counted.
    EXPECT_EQ(read_lease(R"({"metadata":{"resourceVersion":"1"},"spec":{}})")->changes, 0U);
}

TEST(LeaseWatch, a_holder_is_silent_by_our_clock_alone) {
    LeaseWatch watch;
    EXPECT_TRUE(watch.free("me", seconds(15), seconds(0))) << "there is none";
    LeaseSeen lease{.holder = "other", .renewed = "1999-01-01T00:00:00.000000Z", .version = "1"};
    watch.saw(lease, seconds(100));
    EXPECT_FALSE(watch.free("me", seconds(15), seconds(100))) << "however old it says to be";
    EXPECT_TRUE(watch.free("other", seconds(15), seconds(100)));
    watch.saw(lease, seconds(110));  // Nothing new.
    EXPECT_FALSE(watch.free("me", seconds(15), seconds(115)));
    EXPECT_TRUE(watch.free("me", seconds(15), seconds(116)));
    lease.version = "2";
    watch.saw(lease, seconds(116));
    EXPECT_FALSE(watch.free("me", seconds(15), seconds(131)));
    lease.holder = "";
    EXPECT_EQ(watch.left(seconds(15), seconds(120)), seconds(11));
    EXPECT_EQ(watch.left(seconds(15), seconds(140)), Duration{});
    watch.saw(lease, seconds(117));
    EXPECT_TRUE(watch.free("me", seconds(15), seconds(117))) << "given back";
    EXPECT_EQ(watch.left(seconds(15), seconds(117)), Duration{});
}

}  // namespace
}  // namespace parley::kube
