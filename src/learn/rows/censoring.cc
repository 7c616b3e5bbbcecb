#include "learn/rows/censoring.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace parley::learn {
namespace {

using Order = std::vector<std::uint32_t>;

/// Rows sorted by shown risk, in parts of equal size; rows of equal risk stay together.
std::vector<Order> deciles_of(std::span<const Watched> rows) {
    Order order(rows.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
        return rows[a].shown_risk != rows[b].shown_risk ? rows[a].shown_risk < rows[b].shown_risk
                                                        : a < b;
    });
    std::vector<Order> deciles;
    for (std::size_t from = 0; from < order.size();) {
        std::size_t to = std::max(from + 1, (deciles.size() + 1) * order.size() / kRiskDeciles);
        to = std::min(to, order.size());
        while (to < order.size() && rows[order[to]].shown_risk == rows[order[to - 1]].shown_risk)
            ++to;
        deciles.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(from),
                             order.begin() + static_cast<std::ptrdiff_t>(to));
        from = to;
    }
    return deciles;
}

/// Weights of one decile, in one pass over its rows in order of time.
void weigh(std::span<const Watched> rows, Order decile, std::vector<float>& weight) {
    std::ranges::sort(decile, [&](std::uint32_t a, std::uint32_t b) {
        return rows[a].after != rows[b].after ? rows[a].after < rows[b].after : a < b;
    });
    double watched = 1;  // P(not censored before this time).
    for (std::size_t from = 0; from < decile.size();) {
        const Duration now = rows[decile[from]].after;
        const double before = std::max(watched, 1 / kCensoringWeightMax);
        const std::size_t at_risk = decile.size() - from;
        std::size_t censored = 0;
        std::size_t ended = 0;
        std::size_t to = from;
        for (; to < decile.size() && rows[decile[to]].after == now; ++to) {
            const Watched& row = rows[decile[to]];
            const Ending ending = row.ending;
            const double most = kCensoringWeightMax;
            const double weighs = std::min(most, 1 / (before * row.probability));
            weight[decile[to]] = ending == Ending::censored ? 0.0F : static_cast<float>(weighs);
            if (ending == Ending::censored && row.probability == 1) ++censored;
            if (ending != Ending::censored) ++ended;
        }
        // Rows whose end was seen at this moment come first: they can no longer be censored.
        const std::size_t left = at_risk - ended;
        if (censored > 0 && left > 0)
            watched *= 1 - static_cast<double>(censored) / static_cast<double>(left);
        from = to;
    }
}

}  // namespace

Result<std::vector<float>> censoring_weights(std::span<const Watched> rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!std::isfinite(rows[i].shown_risk) || rows[i].after.us < 0) {
            return fail(ErrorCode::malformed, "censoring: row " + std::to_string(i) +
                                                  " has no shown risk or ends before it begins");
        }
        if (!(rows[i].probability > 0 && rows[i].probability <= 1)) {
            return fail(ErrorCode::malformed,
                        "censoring: row " + std::to_string(i) +
                            " was left to its fate with a probability that none can have");
        }
    }
    std::vector<float> weight(rows.size());
    for (Order& decile : deciles_of(rows)) weigh(rows, std::move(decile), weight);
    return weight;
}

}  // namespace parley::learn
