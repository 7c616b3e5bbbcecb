#include "brain/trees.h"

#include <algorithm>
#include <cmath>

namespace parley::brain {
namespace {

tl::unexpected<Error> refuse(std::string what) {
    return fail(ErrorCode::malformed, std::move(what));
}

std::string place(std::size_t tree, std::size_t node) {
    return "tree " + std::to_string(tree) + ", node " + std::to_string(node);
}

Result<void> check_sizes(const Trees& trees) {
    const std::size_t nodes = trees.nodes();
    if (trees.roots.empty()) return refuse("it has no tree; train it for at least one round");
    if (trees.roots.size() > kTreesMax) {
        return refuse("it has " + std::to_string(trees.roots.size()) + " trees of at most " +
                      std::to_string(kTreesMax));
    }
    if (nodes > kNodesMax) {
        return refuse("it has more than " + std::to_string(kNodesMax) + " nodes");
    }
    if (trees.features == 0 || trees.features > kFeaturesMax) {
        return refuse("it has " + std::to_string(trees.features) + " features, not 1 to " +
                      std::to_string(kFeaturesMax));
    }
    if (!trees.feature_names.empty() && trees.feature_names.size() != trees.features) {
        return refuse("it names " + std::to_string(trees.feature_names.size()) +
                      " features but has " + std::to_string(trees.features));
    }
    const bool even = trees.feature.size() == nodes && trees.missing_left.size() == nodes &&
                      trees.threshold.size() == nodes && trees.cover.size() == nodes;
    if (!even) return refuse("its arrays of nodes differ in length");
    if (!std::isfinite(trees.base_margin)) return refuse("its base score is not finite");
    return {};
}

Result<void> check_node(const Trees& trees, std::size_t tree, std::size_t node) {
    const bool leaf = trees.left[node] == 0;
    if (!std::isfinite(trees.threshold[node])) {
        return refuse(place(tree, node - trees.roots[tree]) +
                      (leaf ? ": its value is not finite" : ": its threshold is not finite"));
    }
    if (!std::isfinite(trees.cover[node]) || trees.cover[node] < 0) {
        return refuse(place(tree, node - trees.roots[tree]) + ": its cover is no weight");
    }
    if (trees.missing_left[node] > 1 || trees.feature[node] >= trees.features) {
        return refuse(place(tree, node - trees.roots[tree]) + ": it splits by feature " +
                      std::to_string(trees.feature[node]) + " of " +
                      std::to_string(trees.features));
    }
    return {};
}

/// Children come in the order of their parents, without gaps; so each node has one parent, which
/// comes before it.
Result<void> check_tree(const Trees& trees, std::size_t tree) {
    const std::size_t begin = trees.roots[tree];
    const std::size_t end = trees.end_of(tree);
    if (begin >= end || end > trees.nodes()) {
        return refuse("tree " + std::to_string(tree) + " has no node");
    }
    if (end - begin > kTreeNodesMax) {
        return refuse("tree " + std::to_string(tree) + " has more than " +
                      std::to_string(kTreeNodesMax) + " nodes");
    }
    std::size_t next = begin + 1;
    std::vector<std::uint8_t> depth(end - begin, 0);
    for (std::size_t node = begin; node < end; ++node) {
        if (auto fine = check_node(trees, tree, node); !fine) return fine;
        if (trees.left[node] == 0) continue;
        if (trees.left[node] != next || next + 2 > end) {
            return refuse(place(tree, node - begin) + ": its children are not where they belong");
        }
        if (depth[node - begin] >= kTreeDepthMax) {
            return refuse("tree " + std::to_string(tree) + " is deeper than " +
                          std::to_string(kTreeDepthMax));
        }
        depth[next - begin] = depth[next + 1 - begin] =
            static_cast<std::uint8_t>(depth[node - begin] + 1);
        next += 2;
    }
    if (next != end) return refuse("tree " + std::to_string(tree) + " has nodes without a parent");
    return {};
}

}  // namespace

Result<void> check(const Trees& trees) {
    if (auto fine = check_sizes(trees); !fine) return fine;
    if (trees.roots.front() != 0) return refuse("its first tree does not begin at node 0");
    for (std::size_t tree = 0; tree < trees.roots.size(); ++tree) {
        if (auto fine = check_tree(trees, tree); !fine) return fine;
    }
    return {};
}

std::size_t depth_of(const Trees& trees, std::size_t tree) {
    const std::size_t begin = trees.roots[tree];
    std::size_t deepest = 0;
    std::vector<std::size_t> depth(trees.end_of(tree) - begin, 0);
    for (std::size_t i = 0; i < depth.size(); ++i) {
        deepest = std::max(deepest, depth[i]);
        const std::size_t left = trees.left[begin + i];
        if (left != 0) depth[left - begin] = depth[left + 1 - begin] = depth[i] + 1;
    }
    return deepest;
}

}  // namespace parley::brain
