#include "brain/xgboost_tree.h"

#include "base/number.h"

#include <array>
#include <limits>
#include <optional>

namespace parley::brain {
namespace {

tl::unexpected<Error> refuse(std::string what) {
    return fail(ErrorCode::malformed, std::move(what));
}

/// The arrays of one tree, one entry per node; borrowed from the document.
struct Arrays {
    const JsonNumbers* left;
    const JsonNumbers* right;
    const JsonNumbers* feature;
    const JsonNumbers* threshold;
    const JsonNumbers* missing_left;
    const JsonNumbers* cover;
    const JsonNumbers* split_type;  ///< Null, or 1 where a split is categorical.
};

/// `default_left` in JSON of versions before 1.6 is true and false; converts it to the numbers that
/// later versions write. Nothing if the tree has no such list.
std::optional<JsonNumbers> sides_in_words(const Json& tree) {
    const Json* value = tree.find("default_left");
    const JsonItems* items = value == nullptr ? nullptr : value->items();
    if (items == nullptr || items->empty()) return std::nullopt;
    JsonNumbers sides;
    for (const Json& item : *items) {
        if (item.boolean() == nullptr) return std::nullopt;
        sides.push_back(*item.boolean() ? 1 : 0);
    }
    return sides;
}

Result<const JsonNumbers*> numbers_at(const Json& tree, const char* name, std::size_t size) {
    const Json* value = tree.find(name);
    const JsonNumbers* numbers = value == nullptr ? nullptr : value->numbers();
    if (numbers == nullptr) return refuse(std::string("it has no numbers ") + name);
    if (size != 0 && numbers->size() != size) {
        return refuse(std::string(name) + " has " + std::to_string(numbers->size()) +
                      " entries for " + std::to_string(size) + " nodes");
    }
    return numbers;
}

/// `words` are those of sides_in_words, if there are any.
Result<Arrays> arrays_of(const Json& tree, const std::optional<JsonNumbers>& words) {
    const auto left = numbers_at(tree, "left_children", 0);
    if (!left) return tl::unexpected(left.error());
    const std::size_t size = (*left)->size();
    if (size == 0) return refuse("it has no node");
    Arrays out{.left = *left};
    const std::array<std::pair<const char*, const JsonNumbers**>, 5> rest = {
        {{"right_children", &out.right},
         {"split_indices", &out.feature},
         {"split_conditions", &out.threshold},
         {"default_left", &out.missing_left},
         {"sum_hessian", &out.cover}}};
    for (const auto& [name, place] : rest) {
        if (place == &out.missing_left && words && words->size() == size) {
            *place = &*words;
            continue;
        }
        const auto numbers = numbers_at(tree, name, size);
        if (!numbers) return tl::unexpected(numbers.error());
        *place = *numbers;
    }
    if (tree.find("split_type") != nullptr) {
        const auto types = numbers_at(tree, "split_type", size);
        if (!types) return tl::unexpected(types.error());
        out.split_type = *types;
    }
    return out;
}

/// "0" before version 2, "1" since; trees with a vector per leaf have more.
Result<void> check_leaves(const Json& tree) {
    const Json* param = tree.find("tree_param");
    const Json* size = param == nullptr ? nullptr : param->find("size_leaf_vector");
    if (size == nullptr) return {};
    if (size->text() == nullptr || (*size->text() != "0" && *size->text() != "1")) {
        return refuse("its leaves hold several values; only models with one output are served");
    }
    return {};
}

/// Copies nodes in the order of Trees: nodes to visit are queued, children adjacent.
class Renumbering {
public:
    Renumbering(const Arrays& from, Trees& to)
        : from_(from), to_(to), size_(from.left->size()), seen_(size_, false) {}

    Result<void> run() {
        const std::size_t first = to_.nodes();
        to_.roots.push_back(static_cast<std::uint32_t>(first));
        order_.push_back(0);
        seen_[0] = true;
        for (std::size_t i = 0; i < order_.size(); ++i) {
            if (first + order_.size() > kNodesMax) {
                return refuse("the model has more than " + std::to_string(kNodesMax) + " nodes");
            }
            if (auto taken = take(order_[i], first); !taken) return taken;
        }
        return {};
    }

private:
    Result<void> take(std::size_t node, std::size_t first) {
        const double left = (*from_.left)[node];
        const double right = (*from_.right)[node];
        const bool leaf = left == -1 && right == -1;
        std::uint32_t place = 0;
        if (!leaf) {
            place = static_cast<std::uint32_t>(first + order_.size());
            if (auto found = visit(node, left); !found) return found;
            if (auto found = visit(node, right); !found) return found;
            if (from_.split_type != nullptr && (*from_.split_type)[node] != 0) {
                return refuse(
                    "it splits by a category, which is not served; encode categories as numbers");
            }
        }
        to_.left.push_back(place);
        to_.feature.push_back(leaf ? 0 : feature((*from_.feature)[node]));
        to_.missing_left.push_back(!leaf && (*from_.missing_left)[node] != 0 ? 1 : 0);
        to_.threshold.push_back(narrow((*from_.threshold)[node]));
        to_.cover.push_back(narrow((*from_.cover)[node]));
        return {};
    }

    Result<void> visit(std::size_t parent, double child) {
        if (!(child >= 1 && child < static_cast<double>(size_))) {
            return refuse("node " + std::to_string(parent) + " has a child that is not there");
        }
        const auto node = static_cast<std::size_t>(child);
        if (static_cast<double>(node) != child) return refuse("a child is no whole number");
        if (seen_[node]) {
            return refuse("node " + std::to_string(node) + " has two parents, or is its own");
        }
        seen_[node] = true;
        order_.push_back(node);
        return {};
    }

    /// An invalid feature becomes one that check() refuses.
    static std::uint32_t feature(double index) {
        constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
        if (!(index >= 0 && index < kFeaturesMax)) return kNone;
        const auto whole = static_cast<std::uint32_t>(index);
        return static_cast<double>(whole) == index ? whole : kNone;
    }

    /// A value too large for float becomes infinite, which check() refuses.
    static float narrow(double value) {
        constexpr double kMax = std::numeric_limits<float>::max();
        if (value > kMax) return std::numeric_limits<float>::infinity();
        if (value < -kMax) return -std::numeric_limits<float>::infinity();
        return static_cast<float>(value);
    }

    const Arrays& from_;
    Trees& to_;
    std::size_t size_;
    std::vector<bool> seen_;
    std::vector<std::size_t> order_;
};

}  // namespace

Result<void> add_xgboost_tree(const Json& tree, Trees& out) {
    if (auto fine = check_leaves(tree); !fine) return fine;
    const std::optional<JsonNumbers> words = sides_in_words(tree);
    const auto arrays = arrays_of(tree, words);
    if (!arrays) return tl::unexpected(arrays.error());
    return Renumbering(*arrays, out).run();
}

}  // namespace parley::brain
