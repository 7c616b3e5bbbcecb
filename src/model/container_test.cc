#include "model/container.h"

#include "model/pod.h"

#include <gtest/gtest.h>

#include <limits>

namespace parley::model {
namespace {

constexpr TimePoint kCreated{1'000'500'000};

TEST(After, is_whole_seconds_after_the_creation_and_never_before_it) {
    struct Case {
        Duration past;
        Duration told;
    };
    for (const Case& c : {Case{seconds(0), seconds(0)}, Case{milliseconds(999), seconds(0)},
                          Case{seconds(1), seconds(1)}, Case{seconds(86'400), seconds(86'400)},
                          Case{seconds(-5), seconds(0)}}) {
        const After after = After::of(kCreated, kCreated + c.past);
        EXPECT_TRUE(after.known());
        EXPECT_EQ(after.from(kCreated), kCreated + c.told) << c.past.us;
    }
}

TEST(After, unknown_is_not_the_creation) {
    EXPECT_FALSE(After{}.known());
    EXPECT_EQ(After{}.from(kCreated), std::nullopt);
    EXPECT_NE(After{}, After::of(kCreated, kCreated));
}

TEST(After, stays_within_its_bytes) {
    const After far = After::of(TimePoint{}, TimePoint{std::numeric_limits<std::int64_t>::max()});
    EXPECT_EQ(far.seconds, std::numeric_limits<std::uint32_t>::max());
}

TEST(ContainerState, gives_back_the_use_it_was_given) {
    ContainerState state;
    EXPECT_EQ(state.use(kCreated), std::nullopt) << "never measured is not idle";
    const ContainerUse idle{0, 0, kCreated + seconds(7), seconds(15)};
    state.put_use(kCreated, idle);
    EXPECT_EQ(state.use(kCreated), idle);
    const ContainerUse busy{250, 3 * 1024, kCreated + seconds(22), Duration{}};
    state.put_use(kCreated, busy);
    EXPECT_EQ(state.use(kCreated), busy);
}

TEST(ContainerState, rounds_memory_up_and_cuts_what_does_not_fit) {
    ContainerState state;
    state.put_use(kCreated, {-1, 1025, kCreated, milliseconds(14'600)});
    EXPECT_EQ(state.use(kCreated), (ContainerUse{0, 2048, kCreated, seconds(15)}));
    state.put_use(kCreated, {std::int64_t{1} << 40, std::int64_t{1} << 60, kCreated, hours(48)});
    EXPECT_EQ(state.cpu_used_m, std::numeric_limits<std::uint32_t>::max());
    EXPECT_EQ(state.memory_used_kib, std::numeric_limits<std::uint32_t>::max());
    EXPECT_EQ(state.window_s, std::numeric_limits<std::uint16_t>::max());
}

TEST(ContainerState, use_is_taken_over_without_the_ending) {
    ContainerState measured;
    measured.put_use(kCreated, {5, 1024, kCreated + seconds(1), seconds(15)});
    ContainerState ended{.ended = After::of(kCreated, kCreated), .ending = Ending::error};
    ended.take_use(measured);
    EXPECT_EQ(ended.use(kCreated), measured.use(kCreated));
    EXPECT_EQ(ended.ending, Ending::error);
}

}  // namespace
}  // namespace parley::model
