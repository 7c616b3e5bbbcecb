#include "learn/fit/cross_fit.h"

#include "learn/rows/training_rows.h"

#include <algorithm>

namespace parley::learn {
namespace {

struct Fold {
    std::vector<std::uint32_t> held;
    std::vector<std::uint32_t> others;
};

Fold fold_of(const Rows& rows, const Split& split, std::span<const std::uint32_t> train,
             std::size_t fold) {
    Fold result;
    for (const std::uint32_t i : train) {
        if (split.fold[i] == fold) result.held.push_back(i);
    }
    if (result.held.empty()) return result;
    const auto time_of = [&](std::uint32_t i) { return rows.time[i]; };
    const auto [first, last] = std::ranges::minmax(result.held, {}, time_of);
    const TimePoint from = rows.time[first] - split.embargo;
    const TimePoint to = rows.time[last] + split.embargo;
    for (const std::uint32_t i : train) {
        const bool beside = split.by_time && rows.time[i] > from && rows.time[i] < to;
        if (split.fold[i] != fold && !beside) result.others.push_back(i);
    }
    return result;
}

bool has_both_labels(const Rows& rows, std::span<const std::uint32_t> numbers) {
    const auto is = [&](float label) {
        return [&rows, label](std::uint32_t i) { return rows.label[i] == label; };
    };
    return std::ranges::any_of(numbers, is(0)) && std::ranges::any_of(numbers, is(1));
}

Result<std::vector<float>> margins_of(const Rows& rows, const Fold& fold, const CrossFit& options) {
    const TrainingRows training =
        training_rows(rows, fold.others, options.training_rows_max, options.seed);
    BoosterParameters trees = options.trees;
    trees.base_score = training.base_score;
    const auto matrix = Matrix::of(rows, training.numbers, trees.threads, training.margin);
    if (!matrix) return tl::unexpected(matrix.error());
    const auto booster = Booster::grow(*matrix, trees, options.watch);
    if (!booster) return tl::unexpected(booster.error());
    const auto held = Matrix::of(rows, fold.held, trees.threads);
    if (!held) return tl::unexpected(held.error());
    return booster->margins(*held);
}

}  // namespace

Result<HeldOut> cross_fit(const Rows& rows, const Split& split, const CrossFit& options) {
    HeldOut result;
    if (split.fold.empty()) return result;
    const std::vector<std::uint32_t> train = rows_of(rows, split, Part::train);
    for (std::size_t k = 0; k < kFolds; ++k) {
        const Fold fold = fold_of(rows, split, train, k);
        if (fold.held.empty() || !has_both_labels(rows, fold.others)) continue;
        const auto margins = margins_of(rows, fold, options);
        if (!margins) return tl::unexpected(margins.error());
        result.numbers.insert(result.numbers.end(), fold.held.begin(), fold.held.end());
        result.margin.insert(result.margin.end(), margins->begin(), margins->end());
        result.fold.insert(result.fold.end(), fold.held.size(), static_cast<std::uint8_t>(k));
    }
    return result;
}

}  // namespace parley::learn
