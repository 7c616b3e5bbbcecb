#include "learn/rows/training_rows.h"

#include "base/math.h"
#include "base/random.h"

#include <algorithm>
#include <span>

namespace parley::learn {
namespace {

double prevalence(const Rows& rows, std::span<const std::uint32_t> numbers) {
    double positive = 0;
    double all = 0;
    for (const std::uint32_t i : numbers) {
        positive += static_cast<double>(rows.weight[i]) * rows.label[i];
        all += rows.weight[i];
    }
    return positive / all;
}

}  // namespace

TrainingRows training_rows(const Rows& rows, std::vector<std::uint32_t> numbers,
                           std::size_t rows_max, std::uint64_t seed) {
    TrainingRows result{.base_score = std::clamp(prevalence(rows, numbers), 1e-6, 1 - 1e-6)};
    if (numbers.size() <= rows_max) {
        result.numbers = std::move(numbers);
        return result;
    }
    const auto positives = static_cast<std::size_t>(
        std::ranges::count_if(numbers, [&](std::uint32_t i) { return rows.label[i] == 1; }));
    const std::size_t room = std::max(rows_max, 2 * positives) - positives;
    result.kept =
        std::min(1.0, static_cast<double>(room) / static_cast<double>(numbers.size() - positives));
    for (const std::uint32_t i : numbers) {
        const auto bits = draw(seed, Stream::policy, i, 1);
        if (rows.label[i] == 1 || random::bernoulli(bits, result.kept)) result.numbers.push_back(i);
    }
    const double natural = math::log(result.base_score) - math::log1p(-result.base_score);
    result.margin.assign(result.numbers.size(),
                         static_cast<float>(natural - math::log(result.kept)));
    return result;
}

}  // namespace parley::learn
