#include "web/run/kept_rounds.h"

#include <gtest/gtest.h>

#include <optional>

namespace parley::web {
namespace {

constexpr std::size_t kPods = 2'560;
constexpr std::size_t kChunkBytes = Table<model::PodRow>::chunk_bytes();

/// Rounds one after the other, each with the pods of the one before.
struct Rounds {
    model::Snapshot snapshot;
    std::uint64_t number = 0;

    Rounds() {
        for (std::size_t i = 0; i < kPods; ++i) snapshot.pods.insert({});
    }

    /// Another pod in each of the first `chunks` chunks.
    SeenRoundPtr next(std::size_t chunks) {
        ++number;
        for (std::size_t i = 0; i < chunks; ++i) {
            snapshot.pods.edit(static_cast<Slot>(i * Table<model::PodRow>::kChunkRows)).restarts =
                static_cast<std::int32_t>(number);
        }
        model::RoundInput input{.round = number, .snapshot = snapshot};
        model::Decision decision;
        decision.round = number;
        return std::make_shared<const SeenRound>(
            SeenRound{.input = std::make_shared<const model::RoundInput>(std::move(input)),
                      .decision = std::make_shared<const model::Decision>(std::move(decision))});
    }
};

TEST(KeptRounds, what_two_rounds_share_is_nobodys_alone) {
    Rounds rounds;
    const auto first = rounds.next(1);
    const auto same = rounds.next(0);
    const auto other = rounds.next(3);
    EXPECT_EQ(bytes_alone(*first, *same), 0U);
    EXPECT_EQ(bytes_alone(*same, *other), 3 * kChunkBytes);
    EXPECT_EQ(bytes_alone(*other, *other), 0U);
    EXPECT_EQ(bytes_alone(*other, *Rounds().next(0)), kPods / 256 * kChunkBytes);
}

TEST(KeptRounds, calm_rounds_are_bounded_by_their_number) {
    Rounds rounds;
    KeptRounds kept({.rounds = 5, .bytes = kChunkBytes});
    EXPECT_TRUE(kept.empty());
    EXPECT_EQ(kept.find(1), nullptr);
    for (int i = 0; i < 9; ++i) kept.add(rounds.next(0));
    EXPECT_EQ(kept.size(), 5U);
    EXPECT_EQ(kept.oldest()->decision->round, 5U);
    EXPECT_EQ(kept.newest()->decision->round, 9U);
    EXPECT_EQ(kept.find(4), nullptr);
    EXPECT_EQ(kept.find(7)->decision->round, 7U);
    std::uint64_t sum = 0;
    kept.for_each([&](const SeenRoundPtr& each) { sum += each->decision->round; });
    EXPECT_EQ(sum, 5U + 6 + 7 + 8 + 9);
}

// With 10,000 pods coming and going, 120 rounds took 150 MB, because only nodes were counted.
TEST(KeptRounds, rounds_in_which_pods_come_and_go_are_bounded_by_their_memory) {
    Rounds rounds;
    KeptRounds kept({.rounds = 100, .bytes = 10 * kChunkBytes});
    for (int i = 0; i < 50; ++i) kept.add(rounds.next(4));
    EXPECT_EQ(kept.size(), 3U) << "two of four chunks each, and the newest";
    for (int i = 0; i < 50; ++i) kept.add(rounds.next(0));
    EXPECT_EQ(kept.size(), 51U + 2) << "calm again";
    for (int i = 0; i < 5; ++i) kept.add(rounds.next(10));
    EXPECT_EQ(kept.size(), 2U) << "the last two stay";
}

TEST(KeptRounds, what_was_believed_and_remembered_counts) {
    Rounds rounds;
    const auto plain = rounds.next(0);
    SeenRound one = *plain;
    model::Decision decision = *one.decision;
    decision.forecast.nodes.resize(7);
    one.decision = std::make_shared<const model::Decision>(decision);
    EXPECT_EQ(bytes_alone(one, *plain), 7 * sizeof(model::NodeForecast));
    model::Memory memory;
    memory.derived.trails.insert({});
    one.memory = std::make_shared<const model::Memory>(memory);
    EXPECT_EQ(bytes_alone(one, *plain),
              7 * sizeof(model::NodeForecast) + Table<model::NodeTrail>::chunk_bytes());
    EXPECT_EQ(bytes_alone(one, one), 7 * sizeof(model::NodeForecast));
}

}  // namespace
}  // namespace parley::web
