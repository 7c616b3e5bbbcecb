#include "brain/forest.h"

#include "base/check.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace parley::brain {
namespace {

using Split = Forest::Split;

constexpr std::size_t kFilledDepthMax = 8;
constexpr std::size_t kFilledBytesMax = std::size_t{64} << 20;
constexpr std::size_t kTogether = 8;  // Walks in parallel, since each alone waits for memory.
// Size of a block of prepared rows that fits the first cache.
constexpr std::size_t kBlockBytes = std::size_t{16} << 10;
constexpr std::size_t kStackValues = 512;  // Enough for most rows without allocating.
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Writes a row twice: first with missing values above every threshold, then below. A split reads
/// the half in which comparing with a missing value gives what the split says.
void prepare(const float* row, std::size_t features, float* out) {
    for (std::size_t i = 0; i < features; ++i) {
        const bool missing = row[i] != row[i];
        out[i] = missing ? kInfinity : row[i];
        out[features + i] = missing ? -kInfinity : row[i];
    }
}

std::uint32_t slot_of(const Trees& trees, std::size_t node) {
    return trees.feature[node] + (trees.missing_left[node] != 0 ? trees.features : 0);
}

/// Copies the subtree at `node` to `place`; below a leaf all splits go left and all leaves are
/// equal to it.
void fill(const Trees& trees, std::size_t node, std::size_t place, std::size_t size, Split* splits,
          float* leaves) {
    if (place >= size) {
        leaves[place - size] = trees.threshold[node];
        return;
    }
    const std::size_t left = trees.left[node];
    const bool leaf = left == 0;
    splits[place] = leaf ? Split{kInfinity, 0} : Split{trees.threshold[node], slot_of(trees, node)};
    fill(trees, leaf ? node : left, 2 * place, size, splits, leaves);
    fill(trees, leaf ? node : left + 1, 2 * place + 1, size, splits, leaves);
}

Forest::Filled filled_from(const Trees& trees) {
    std::size_t depth = 0;
    for (std::size_t tree = 0; tree < trees.roots.size(); ++tree) {
        depth = std::max(depth, depth_of(trees, tree));
    }
    const std::size_t size = std::size_t{1} << std::min<std::size_t>(depth, 63);
    const bool fits =
        depth <= kFilledDepthMax &&
        trees.roots.size() * size * (sizeof(Split) + sizeof(float)) <= kFilledBytesMax;
    Forest::Filled out;
    if (!fits) return out;
    out.depth = static_cast<std::uint32_t>(depth);
    out.splits.resize(trees.roots.size() * size, Split{kInfinity, 0});
    out.leaves.resize(trees.roots.size() * size);
    for (std::size_t tree = 0; tree < trees.roots.size(); ++tree) {
        fill(trees, trees.roots[tree], 1, size, &out.splits[tree * size], &out.leaves[tree * size]);
    }
    return out;
}

[[gnu::always_inline]] inline std::size_t step(const Split* splits, std::size_t place,
                                               const float* prepared) {
    const Split& split = splits[place];
    return 2 * place + static_cast<std::size_t>(!(prepared[split.slot] < split.threshold));
}

/// One row through kTogether trees that lie one after the other.
template <std::size_t Depth>
void walk_trees(const Split* splits, const float* prepared,
                std::array<std::size_t, kTogether>& places) {
    constexpr std::size_t kSize = std::size_t{1} << Depth;
    places.fill(1);
    for (std::size_t level = 0; level < Depth; ++level) {
        for (std::size_t k = 0; k < kTogether; ++k) {
            places[k] = step(splits + k * kSize, places[k], prepared);
        }
    }
}

/// kTogether rows through one tree.
template <std::size_t Depth>
void walk_rows(const Split* splits, const float* prepared, std::size_t width,
               std::array<std::size_t, kTogether>& places) {
    places.fill(1);
    for (std::size_t level = 0; level < Depth; ++level) {
        for (std::size_t k = 0; k < kTogether; ++k) {
            places[k] = step(splits, places[k], prepared + k * width);
        }
    }
}

template <std::size_t Depth>
float sum_filled(const Forest::Filled& filled, float sum, const float* prepared) {
    constexpr std::size_t kSize = std::size_t{1} << Depth;
    const Split* splits = filled.splits.data();
    const float* leaves = filled.leaves.data();
    std::size_t trees = filled.leaves.size() / kSize;
    std::array<std::size_t, kTogether> places{};
    for (; trees >= kTogether; trees -= kTogether) {
        walk_trees<Depth>(splits, prepared, places);
        for (std::size_t k = 0; k < kTogether; ++k) sum += leaves[k * kSize + places[k] - kSize];
        splits += kTogether * kSize;
        leaves += kTogether * kSize;
    }
    for (; trees > 0; --trees) {
        std::size_t place = 1;
        for (std::size_t level = 0; level < Depth; ++level) place = step(splits, place, prepared);
        sum += leaves[place - kSize];
        splits += kSize;
        leaves += kSize;
    }
    return sum;
}

/// Adds every tree to the `sums` of `rows` prepared rows, a multiple of kTogether.
template <std::size_t Depth>
void add_filled(const Forest::Filled& filled, const float* prepared, std::size_t width,
                std::size_t rows, float* sums) {
    constexpr std::size_t kSize = std::size_t{1} << Depth;
    std::array<std::size_t, kTogether> places{};
    for (std::size_t first = 0; first < filled.leaves.size(); first += kSize) {
        const Split* splits = filled.splits.data() + first;
        const float* leaves = filled.leaves.data() + first;
        for (std::size_t row = 0; row < rows; row += kTogether) {
            walk_rows<Depth>(splits, prepared + row * width, width, places);
            for (std::size_t k = 0; k < kTogether; ++k) sums[row + k] += leaves[places[k] - kSize];
        }
    }
}

float sum_linked(const Trees& trees, float sum, const float* row) {
    for (std::size_t node : trees.roots) {
        while (trees.left[node] != 0) {
            const float value = row[trees.feature[node]];
            const bool missing = value != value;
            const bool left =
                missing ? trees.missing_left[node] != 0 : value < trees.threshold[node];
            node = trees.left[node] + (left ? 0U : 1U);
        }
        sum += trees.threshold[node];
    }
    return sum;
}

/// Calls f with the depth as a constant of the type, so that loops over levels have a fixed length.
template <class F, std::size_t... Depths>
void with_depth(std::size_t depth, const F& f, std::index_sequence<Depths...>) {
    (void)((depth == Depths && (f(std::integral_constant<std::size_t, Depths>{}), true)) || ...);
}
using FilledDepths = std::make_index_sequence<kFilledDepthMax + 1>;

}  // namespace

Forest::Forest(Trees trees) : trees_(std::move(trees)), filled_(filled_from(trees_)) {}

Result<Forest> Forest::from(Trees trees) {
    if (auto fine = check(trees); !fine) return tl::unexpected(fine.error());
    return Forest(std::move(trees));
}

float margin(const Forest& forest, std::span<const float> row) {
    PARLEY_CHECK(row.size() == forest.features());
    const Trees& trees = forest.trees();
    const Forest::Filled& filled = forest.filled();
    if (filled.leaves.empty()) return sum_linked(trees, trees.base_margin, row.data());
    std::array<float, kStackValues> near;  // NOLINT: filled below as far as it is read.
    std::vector<float> far;
    if (2 * row.size() > near.size()) far.resize(2 * row.size());
    float* prepared = far.empty() ? near.data() : far.data();
    prepare(row.data(), row.size(), prepared);
    float sum = trees.base_margin;
    with_depth(
        filled.depth,
        [&](auto depth) { sum = sum_filled<depth()>(filled, trees.base_margin, prepared); },
        FilledDepths{});
    return sum;
}

void margins(const Forest& forest, std::span<const float> rows, std::size_t columns,
             std::span<float> out) {
    PARLEY_CHECK(columns == forest.features() && rows.size() == columns * out.size());
    const Trees& trees = forest.trees();
    const Forest::Filled& filled = forest.filled();
    const std::size_t width = 2 * columns;
    const std::size_t fitting = kBlockBytes / (width * sizeof(float)) / kTogether * kTogether;
    const std::size_t block = std::max(kTogether, fitting);
    std::vector<float> prepared(filled.leaves.empty() ? 0 : block * width);
    for (std::size_t first = 0; first < out.size(); first += block) {
        const std::size_t count = std::min(block, out.size() - first);
        if (filled.leaves.empty() || count < kTogether) {
            for (std::size_t i = first; i < first + count; ++i) {
                out[i] = margin(forest, rows.subspan(i * columns, columns));
            }
            continue;
        }
        for (std::size_t i = 0; i < count; ++i) {
            prepare(&rows[(first + i) * columns], columns, &prepared[i * width]);
        }
        std::ranges::fill(out.subspan(first, count), trees.base_margin);
        const std::size_t together = count / kTogether * kTogether;
        with_depth(
            filled.depth,
            [&](auto depth) {
                add_filled<depth()>(filled, prepared.data(), width, together, &out[first]);
            },
            FilledDepths{});
        for (std::size_t i = first + together; i < first + count; ++i) {
            out[i] = margin(forest, rows.subspan(i * columns, columns));
        }
    }
}

}  // namespace parley::brain
