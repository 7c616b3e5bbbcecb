// Models from elsewhere: XGBoost's files in JSON and UBJSON, and manifests. What is accepted keeps
// its limits and gives the same answers alone and in a batch; truncated it is refused.

#include "base/check.h"
#include "brain/contributions.h"
#include "brain/xgboost_file.h"
#include "fuzz/input.h"
#include "learn/folder/model_manifest.h"

#include <bit>
#include <cmath>
#include <limits>

namespace {

using namespace parley;

constexpr std::size_t kRows = 9;  // One more than a batch walks at once.
constexpr std::size_t kNodesExplained = 10'000;

std::vector<float> rows_for(const brain::Trees& trees) {
    std::vector<float> rows(kRows * trees.features);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::size_t node = (i * 7) % trees.nodes();
        rows[i] = i % 5 == 0 ? std::numeric_limits<float>::quiet_NaN()
                             : trees.threshold[node] + static_cast<float>(i % 3) - 1.0F;
    }
    return rows;
}

void check_contributions(const brain::Forest& forest, std::span<const float> row) {
    const brain::Paths paths = brain::paths_of(forest);
    std::vector<double> parts(row.size() + 1);
    brain::contributions(forest, paths, row, parts);
    PARLEY_CHECK(parts.back() == paths.bias || std::isnan(paths.bias));
}

void check_model(const brain::Forest& forest) {
    const brain::Trees& trees = forest.trees();
    PARLEY_CHECK(brain::check(trees));
    const auto rows = rows_for(trees);
    std::vector<float> batch(kRows);
    brain::margins(forest, rows, trees.features, batch);
    for (std::size_t i = 0; i < kRows; ++i) {
        const auto row = std::span(rows).subspan(i * trees.features, trees.features);
        const float alone = brain::margin(forest, row);
        PARLEY_CHECK(std::bit_cast<std::uint32_t>(alone) ==
                         std::bit_cast<std::uint32_t>(batch[i]) ||
                     (std::isnan(alone) && std::isnan(batch[i])));
        if (i == 0 && trees.nodes() <= kNodesExplained) check_contributions(forest, row);
    }
}

void try_model(std::string_view bytes) {
    const auto model = brain::read_xgboost(bytes);
    if (!model) {
        PARLEY_CHECK(fuzz::readable(model.error().message));
        return;
    }
    check_model(model->forest);
    const std::size_t end = bytes.find_last_of('}');
    PARLEY_CHECK(!brain::read_xgboost(bytes.substr(0, std::min(end, bytes.size() - 1))));
}

void try_manifest(std::string_view bytes) {
    const auto manifest = learn::parse_manifest(bytes);
    if (!manifest) {
        PARLEY_CHECK(fuzz::readable(manifest.error().message));
        return;
    }
    const std::string text = learn::print_manifest(*manifest);
    const auto again = learn::parse_manifest(text);
    PARLEY_CHECK(again && learn::print_manifest(*again) == text);
}

}  // namespace

void parley::fuzz::try_input(Input input) {
    const bool manifest = input.byte() % 2 == 1;
    if (manifest) {
        try_manifest(input.rest());
    } else {
        try_model(input.rest());
    }
}
