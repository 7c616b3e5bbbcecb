#include "base/entropy.h"

#include <gtest/gtest.h>

#include <set>

namespace parley {
namespace {

TEST(Entropy, gives_as_many_bytes_as_asked_for) {
    EXPECT_EQ(random_bytes(0), "");
    EXPECT_EQ(random_bytes(33).size(), 33U);
    EXPECT_NE(random_bytes(16), random_bytes(16));
}

TEST(Entropy, seeds_differ_and_can_be_read_as_json_numbers) {
    std::set<std::uint64_t> seeds;
    std::uint64_t bits = 0;
    for (int i = 0; i < 1000; ++i) {
        const std::uint64_t seed = random_seed();
        EXPECT_EQ(static_cast<std::uint64_t>(static_cast<double>(seed)), seed);
        seeds.insert(seed);
        bits |= seed;
    }
    EXPECT_EQ(seeds.size(), 1000U);
    EXPECT_EQ(bits, (std::uint64_t{1} << 53U) - 1) << "every bit is drawn";
}

}  // namespace
}  // namespace parley
