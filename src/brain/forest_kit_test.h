// Brain, for tests: small forests, drawn or written by hand.

#pragma once

#include "base/random.h"
#include "brain/forest.h"

#include <limits>
#include <vector>

namespace parley::brain {

inline constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

/// Numbers in [0, 1), the same for the same seed.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : seed_(seed) {}
    double roll() {
        return static_cast<double>(draw(seed_, Stream::policy, 0, index_++) >> 11) * 0x1p-53;
    }
    std::size_t below(std::size_t bound) {
        return static_cast<std::size_t>(roll() * static_cast<double>(bound));
    }

private:
    std::uint64_t seed_;
    std::uint64_t index_ = 0;
};

/// Adds a tree that splits with `chance` at each node above `depth`, always at the root.
inline void add_tree(Trees& trees, Dice& dice, std::size_t depth, double chance) {
    const std::size_t first = trees.nodes();
    trees.roots.push_back(static_cast<std::uint32_t>(first));
    std::vector<std::pair<std::size_t, float>> waiting = {{0, 100.0F}};  // Depth and cover.
    for (std::size_t i = 0; i < waiting.size(); ++i) {
        const auto [at, cover] = waiting[i];
        const bool split = at < depth && (at == 0 || dice.roll() < chance);
        trees.left.push_back(split ? static_cast<std::uint32_t>(first + waiting.size()) : 0);
        trees.feature.push_back(split ? static_cast<std::uint32_t>(dice.below(trees.features)) : 0);
        trees.missing_left.push_back(split && dice.roll() < 0.5 ? 1 : 0);
        trees.threshold.push_back(static_cast<float>(dice.roll() * 2 - 1));
        trees.cover.push_back(cover);
        if (!split) continue;
        const auto left = static_cast<float>(dice.roll()) * cover;
        waiting.push_back({at + 1, left});
        waiting.push_back({at + 1, cover - left});
    }
}

struct Shape {
    std::size_t trees = 10;
    std::size_t depth = 4;
    double chance = 0.8;
    std::uint32_t features = 5;
};

inline Trees drawn_trees(std::uint64_t seed, const Shape& shape) {
    Trees trees{.base_margin = 0.25F, .features = shape.features};
    Dice dice(seed);
    for (std::size_t i = 0; i < shape.trees; ++i) add_tree(trees, dice, shape.depth, shape.chance);
    return trees;
}

/// Values around the thresholds, some missing, some infinite.
inline std::vector<float> drawn_rows(std::uint64_t seed, std::size_t count) {
    std::vector<float> rows(count);
    Dice dice(seed + 1'000'000);
    for (float& value : rows) {
        const double kind = dice.roll();
        value = static_cast<float>(dice.roll() * 2.4 - 1.2);
        if (kind < 0.15) value = kMissing;
        if (kind > 0.97)
            value = std::numeric_limits<float>::infinity() * (kind > 0.985 ? 1.0F : -1.0F);
    }
    return rows;
}

}  // namespace parley::brain
