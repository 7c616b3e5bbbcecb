#include "brain/contributions.h"

#include "base/check.h"

#include <algorithm>

namespace parley::brain {
namespace {

/// A point of [0, 1/2] and its weight; 1 - t has the same.
struct Point {
    double t;
    double weight;
};

// The rules of Gauss and Legendre on [0, 1], computed with 60 digits: n points give the integral of
// a polynomial of degree 2 n - 1, so paths over 2 n different features.
constexpr Point kFour[] = {{0x1.1c6490c2719ecp-4, 0x1.64340f7e7b66bp-3},
                           {0x1.51ee013116102p-2, 0x1.4de5f840c24cap-2}};
constexpr Point kEight[] = {{0x1.454e34f533998p-6, 0x1.9ea1d04ca0374p-5},
                            {0x1.a06d536d82f88p-4, 0x1.c76fb531d2b96p-4},
                            {0x1.e5dad4f9af698p-3, 0x1.413c50a255615p-3},
                            {0x1.a214dac30e32fp-2, 0x1.736360b199343p-3}};
constexpr Point kSixteen[] = {
    {0x1.5b4f66ca1e083p-8, 0x1.bcddab4b7c211p-7}, {0x1.c60a99e906503p-6, 0x1.fdfb1a2c1265dp-6},
    {0x1.132ff2bac6df4p-4, 0x1.85c4ee79cc258p-5}, {0x1.f4ee8896e3653p-4, 0x1.fe7af2bad386ap-5},
    {0x1.874b732542e90p-3, 0x1.325f61bca3cbfp-4}, {0x1.157ed32de2c47p-2, 0x1.5a6ebbb5a75fcp-4},
    {0x1.6fd1a8cdee642p-2, 0x1.75f8c77e0c00fp-4}, {0x1.cf5a853312ac1p-2, 0x1.83feae80e4dfcp-4}};
constexpr Point kThirtyTwo[] = {
    {0x1.66a18fbf64a0fp-10, 0x1.cbf8bc743cc5cp-9}, {0x1.d77b63ad0c91bp-8, 0x1.0aa3c248696c9p-7},
    {0x1.20aae7fac455ap-6, 0x1.a0060a8531ffap-7},  {0x1.0a9fed30405eep-5, 0x1.18c5800a355d9p-6},
    {0x1.a8ab25d459a36p-5, 0x1.5ee963a335495p-6},  {0x1.347ec0a5e57b4p-4, 0x1.a1c6ae961fbfap-6},
    {0x1.a4e5adf8ed0ebp-4, 0x1.e0bd76c924981p-6},  {0x1.123ed9c52d88dp-3, 0x1.0d9b9a62cac10p-5},
    {0x1.590aec76f00edp-3, 0x1.2854103b35e0cp-5},  {0x1.a62dd72d3a6b8p-3, 0x1.40483e126fd14p-5},
    {0x1.f8ef3af329ac5p-3, 0x1.553ee25ebebc6p-5},  {0x1.2844a541c8387p-2, 0x1.6705e18e13ed1p-5},
    {0x1.5615518d42105p-2, 0x1.7572bdb3f6e51p-5},  {0x1.857c20798fdadp-2, 0x1.8062fc0f6fef9p-5},
    {0x1.b607c563a0372p-2, 0x1.87bc776f8c6d7p-5},  {0x1.e74437b7733b6p-2, 0x1.8b6d9eaec77adp-5}};
constexpr std::size_t kPointsMax = 32;
static_assert(kTreeDepthMax <= 2 * kPointsMax);

std::span<const Point> half_of(std::size_t points) {
    if (points == 4) return kFour;
    if (points == 8) return kEight;
    if (points == 16) return kSixteen;
    return kThirtyTwo;
}

using Pair = double __attribute__((vector_size(16)));

/// One number at each point of the integral, two in a register.
template <std::size_t N>
struct Lanes {
    Pair at[N / 2];
};

template <std::size_t N>
[[gnu::always_inline]] inline Lanes<N> same(double value) {
    Lanes<N> out;
    for (Pair& each : out.at) each = Pair{value, value};
    return out;
}

template <std::size_t N>
[[gnu::always_inline]] inline Lanes<N> operator*(const Lanes<N>& a, const Lanes<N>& b) {
    Lanes<N> out;
    for (std::size_t i = 0; i < N / 2; ++i) out.at[i] = a.at[i] * b.at[i];
    return out;
}

template <std::size_t N>
[[gnu::always_inline]] inline Lanes<N> operator+(const Lanes<N>& a, const Lanes<N>& b) {
    Lanes<N> out;
    for (std::size_t i = 0; i < N / 2; ++i) out.at[i] = a.at[i] + b.at[i];
    return out;
}

template <std::size_t N>
[[gnu::always_inline]] inline double sum_of(const Lanes<N>& lanes) {
    Pair sum = lanes.at[0];
    for (std::size_t i = 1; i < N / 2; ++i) sum += lanes.at[i];
    return sum[0] + sum[1];
}

template <std::size_t N>
struct Rule {
    Lanes<N> u;           ///< 1 - t at the points.
    Lanes<N> passing[2];  ///< Zero, and t: what an edge that is passed adds.
    Lanes<N> weight;
};

template <std::size_t N>
Rule<N> rule() {
    Rule<N> out;
    const std::span<const Point> half = half_of(N);
    out.passing[0] = same<N>(0.0);
    for (std::size_t i = 0; i < N / 2; ++i) {  // A point and its mirror image side by side.
        const double t = half[i].t;
        out.passing[1].at[i] = Pair{t, 1.0 - t};
        out.u.at[i] = Pair{1.0 - t, t};
        out.weight.at[i] = Pair{half[i].weight, half[i].weight};
    }
    return out;
}

/// State of one tree while it is explained, by node; reused for the next tree.
template <std::size_t N>
struct Scratch {
    explicit Scratch(std::size_t nodes) : down(nodes), factor(nodes), up(nodes), passed(nodes) {}

    std::vector<Lanes<N>> down;    ///< Weight times the factors from the root to this node.
    std::vector<Lanes<N>> factor;  ///< Of the edge to this node.
    std::vector<Lanes<N>> up;      ///< Over the leaves below: value times the factors below.
    /// Whether the row passes this edge and those above with the same feature.
    std::vector<std::uint8_t> passed;
};

/// Explains one tree after the other.
template <std::size_t N>
class TreeExplainer {
public:
    TreeExplainer(const Trees& trees, const Paths& paths, Scratch<N>& scratch)
        : trees_(trees),
          inverses_(paths.inverses.data()),
          down_(scratch.down.data()),
          factor_(scratch.factor.data()),
          up_(scratch.up.data()),
          passed_(scratch.passed.data()),
          rule_(rule<N>()),
          paths_(paths) {}

    void explain(std::size_t tree, const float* row, double* out) {
        const std::size_t first = trees_.roots[tree];
        const std::size_t size = trees_.end_of(tree) - first;
        const std::uint32_t* left = trees_.left.data() + first;
        const std::uint32_t* feature = trees_.feature.data() + first;
        const float* threshold = trees_.threshold.data() + first;
        const std::uint8_t* missing_left = trees_.missing_left.data() + first;
        const PathSplit* splits = paths_.splits.data() + first;
        down_[0] = rule_.weight;
        for (std::size_t node = 0; node < size; ++node) {
            if (left[node] == 0) {
                up_[node] = same<N>(static_cast<double>(threshold[node]));
                continue;
            }
            const float value = row[feature[node]];
            const bool missing = value != value;
            const bool goes_left = missing ? missing_left[node] != 0 : value < threshold[node];
            descend(splits[node], node, left[node] - first, goes_left);
        }
        for (std::size_t node = size; node-- > 0;) {
            if (left[node] == 0) continue;
            out[feature[node]] += ascend(splits[node], node, left[node] - first);
        }
    }

private:
    Lanes<N> inverse(const PathSplit& split) const {
        Lanes<N> out;
        const double* from = inverses_ + split.inverse;
        for (std::size_t i = 0; i < N / 2; ++i) out.at[i] = Pair{from[2 * i], from[2 * i + 1]};
        return out;
    }

    void descend(const PathSplit& split, std::size_t node, std::size_t left, bool goes_left) {
        Lanes<N> left_factor;
        Lanes<N> right_factor;
        if (split.above != 0 && passed_[split.above] == 0) {
            // Both this factor and the one it replaces are multiples of 1 - t.
            passed_[left] = passed_[left + 1] = 0;
            left_factor = same<N>(split.left_ratio);
            right_factor = same<N>(split.right_ratio);
        } else {
            passed_[left] = goes_left ? 1 : 0;
            passed_[left + 1] = goes_left ? 0 : 1;
            left_factor = same<N>(split.left_share) * rule_.u + rule_.passing[passed_[left]];
            right_factor = same<N>(split.right_share) * rule_.u + rule_.passing[passed_[left + 1]];
            if (split.above != 0) {  // Replaces a factor above, which was passed.
                const Lanes<N> instead = inverse(split);
                left_factor = left_factor * instead;
                right_factor = right_factor * instead;
            }
        }
        const Lanes<N> down = down_[node];
        factor_[left] = left_factor;
        factor_[left + 1] = right_factor;
        down_[left] = down * left_factor;
        down_[left + 1] = down * right_factor;
    }

    /// Sums up the leaves below, and returns their contribution to the feature of this split.
    double ascend(const PathSplit& split, std::size_t node, std::size_t left) {
        const Lanes<N> left_up = up_[left];
        const Lanes<N> right_up = up_[left + 1];
        const Lanes<N> sum = factor_[left] * left_up + factor_[left + 1] * right_up;
        up_[node] = sum;
        // If an edge above with the feature was not passed, that edge already accounts for it.
        if (split.above != 0 && passed_[split.above] == 0) return 0.0;
        const double left_change = (passed_[left] != 0 ? 1.0 : 0.0) - split.left_share;
        const double right_change = (passed_[left + 1] != 0 ? 1.0 : 0.0) - split.right_share;
        const Lanes<N> change = same<N>(left_change) * left_up + same<N>(right_change) * right_up;
        if (split.above == 0) return sum_of(down_[node] * change);
        // The edge above counted these leaves as its own: subtract that, add the true value.
        const Lanes<N> said = same<N>(split.above_share - 1.0) * sum;
        return sum_of(down_[node] * inverse(split) * (change + said));
    }

    const Trees& trees_;
    const double* inverses_;
    Lanes<N>* down_;
    Lanes<N>* factor_;
    Lanes<N>* up_;
    std::uint8_t* passed_;
    const Rule<N> rule_;
    const Paths& paths_;
};

template <std::size_t N>
void explain_all(const Forest& forest, const Paths& paths, const float* row, double* out) {
    Scratch<N> scratch(paths.tree_nodes_max);
    TreeExplainer<N> explainer(forest.trees(), paths, scratch);
    for (std::size_t tree = 0; tree < forest.trees().roots.size(); ++tree) {
        explainer.explain(tree, row, out);
    }
}

/// What is known about the node below an edge while paths are built.
struct Edge {
    std::uint32_t parent = 0;
    double share = 1;
    std::uint8_t different = 0;  ///< Features from the root on.
};

/// Fills the entries of one tree's splits; returns the largest number of different features on a
/// path.
std::size_t add_splits(const Trees& trees, std::size_t tree, Paths& paths) {
    const std::size_t first = trees.roots[tree];
    const std::uint32_t* feature = trees.feature.data() + first;
    std::vector<Edge> edges(trees.end_of(tree) - first);
    std::size_t most = 0;
    for (std::size_t node = 0; node < edges.size(); ++node) {
        most = std::max<std::size_t>(most, edges[node].different);
        if (trees.left[first + node] == 0) continue;
        const std::size_t left = trees.left[first + node] - first;
        std::size_t above = node;  // The edge to a node is by the feature of its parent.
        while (above != 0 && feature[edges[above].parent] != feature[node]) {
            above = edges[above].parent;
        }
        const double cover = trees.cover[first + node];
        PathSplit& split = paths.splits[first + node];
        split.left_ratio = cover > 0 ? trees.cover[first + left] / cover : 0.5;
        split.right_ratio = cover > 0 ? trees.cover[first + left + 1] / cover : 0.5;
        split.above = static_cast<std::uint32_t>(above);
        split.above_share = edges[above].share;  // The root has 1.
        split.left_share = split.left_ratio * split.above_share;
        split.right_share = split.right_ratio * split.above_share;
        const auto different =
            static_cast<std::uint8_t>(edges[node].different + (above == 0 ? 1 : 0));
        const auto parent = static_cast<std::uint32_t>(node);
        edges[left] = {.parent = parent, .share = split.left_share, .different = different};
        edges[left + 1] = {.parent = parent, .share = split.right_share, .different = different};
    }
    return most;
}

/// The mean of a tree's leaves, weighted by training rows.
double mean_of(const Trees& trees, std::size_t tree, const Paths& paths) {
    const std::size_t first = trees.roots[tree];
    std::vector<double> mean(trees.end_of(tree) - first);
    for (std::size_t node = mean.size(); node-- > 0;) {
        const std::size_t left = trees.left[first + node];
        const PathSplit& split = paths.splits[first + node];
        mean[node] = left == 0 ? static_cast<double>(trees.threshold[first + node])
                               : mean[left - first] * split.left_ratio +
                                     mean[left - first + 1] * split.right_ratio;
    }
    return mean[0];
}

/// Splits below the same edge share its numbers.
void add_inverses(const Trees& trees, std::size_t tree, Paths& paths) {
    const std::size_t first = trees.roots[tree];
    std::vector<std::uint32_t> known(trees.end_of(tree) - first, 0);
    for (std::size_t node = first; node < trees.end_of(tree); ++node) {
        PathSplit& split = paths.splits[node];
        if (split.above == 0) continue;
        if (known[split.above] == 0) {
            known[split.above] = static_cast<std::uint32_t>(paths.inverses.size());
            for (const Point& point : half_of(paths.points)) {
                const double t = point.t;
                const double u = 1.0 - t;
                paths.inverses.push_back(1.0 / (t + split.above_share * u));
                paths.inverses.push_back(1.0 / (u + split.above_share * t));
            }
        }
        split.inverse = known[split.above];
    }
}

}  // namespace

Paths paths_of(const Forest& forest) {
    const Trees& trees = forest.trees();
    Paths paths;
    paths.splits.resize(trees.nodes());
    paths.inverses.resize(kPointsMax);  // So that index 0 means none.
    paths.bias = static_cast<double>(trees.base_margin);
    std::size_t most = 0;
    for (std::size_t tree = 0; tree < trees.roots.size(); ++tree) {
        most = std::max(most, add_splits(trees, tree, paths));
        paths.bias += mean_of(trees, tree, paths);
        paths.tree_nodes_max =
            std::max(paths.tree_nodes_max, trees.end_of(tree) - trees.roots[tree]);
    }
    while (2 * paths.points < most) paths.points *= 2;
    for (std::size_t tree = 0; tree < trees.roots.size(); ++tree) add_inverses(trees, tree, paths);
    return paths;
}

void contributions(const Forest& forest, const Paths& paths, std::span<const float> row,
                   std::span<double> out) {
    PARLEY_CHECK(row.size() == forest.features() && out.size() == row.size() + 1);
    PARLEY_CHECK(paths.splits.size() == forest.trees().nodes());
    std::ranges::fill(out, 0.0);
    out.back() = paths.bias;
    if (paths.points == 4) explain_all<4>(forest, paths, row.data(), out.data());
    if (paths.points == 8) explain_all<8>(forest, paths, row.data(), out.data());
    if (paths.points == 16) explain_all<16>(forest, paths, row.data(), out.data());
    if (paths.points == 32) explain_all<32>(forest, paths, row.data(), out.data());
}

}  // namespace parley::brain
