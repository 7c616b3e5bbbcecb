#include "learn/risk/families.h"

#include "learn/fit/metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace parley::learn {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

bool is_of(const Rows& rows, std::size_t row, std::span<const std::string> families,
           const std::string& family) {
    const std::int32_t event = rows.event[row];
    return event != kNoEvent && families[static_cast<std::size_t>(event)] == family;
}

std::uint64_t events_in(const Rows& rows, const Split& split, std::span<const std::string> families,
                        const std::string& family, Part part) {
    std::set<std::int32_t> events;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const bool counts = split.part[i] == part && rows.weight[i] > 0;
        if (counts && is_of(rows, i, families, family)) events.insert(rows.event[i]);
    }
    return events.size();
}

struct Sight {
    double auc = kNothing;
    double recall = kNothing;
};

/// How well a model tells a family's failures from healthy rows of the test.
Sight sight_of(const RiskModel& model, const Rows& rows, std::span<const std::string> families,
               const std::string& family) {
    std::vector<double> forecast;
    std::vector<float> label;
    std::vector<float> weight;
    std::vector<double> healthy;
    for (std::size_t k = 0; k < model.test_rows.size(); ++k) {
        const std::uint32_t i = model.test_rows[k];
        const bool failed = rows.label[i] > 0;
        if (failed && !is_of(rows, i, families, family)) continue;
        forecast.push_back(model.test_probability[k]);
        label.push_back(rows.label[i]);
        weight.push_back(rows.weight[i]);
        if (!failed) healthy.push_back(model.test_probability[k]);
    }
    Sight sight{.auc = auc({forecast, label, weight})};
    if (healthy.empty()) return sight;
    const auto place =
        static_cast<std::ptrdiff_t>((1 - kFamilyAlarms) * static_cast<double>(healthy.size() - 1));
    std::ranges::nth_element(healthy, healthy.begin() + place);
    const double limit = healthy[static_cast<std::size_t>(place)];
    std::set<std::int32_t> all;
    std::set<std::int32_t> seen;
    for (std::size_t k = 0; k < model.test_rows.size(); ++k) {
        const std::uint32_t i = model.test_rows[k];
        if (!is_of(rows, i, families, family)) continue;
        all.insert(rows.event[i]);
        if (model.test_probability[k] > limit) seen.insert(rows.event[i]);
    }
    if (!all.empty())
        sight.recall = static_cast<double>(seen.size()) / static_cast<double>(all.size());
    return sight;
}

}  // namespace

std::vector<std::string> names_of(std::span<const std::string> families) {
    const std::set<std::string> names(families.begin(), families.end());
    return {names.begin(), names.end()};
}

Result<std::vector<FamilyFacts>> leave_families_out(const Rows& rows, const Split& split,
                                                    std::span<const std::string> families,
                                                    const RiskModel& whole,
                                                    const RiskOptions& options,
                                                    const FamilyWatch& watch) {
    std::vector<FamilyFacts> all;
    std::size_t trained = 0;
    Rows masked = rows;  // Copied once: a year of nodes is half a gigabyte.
    for (const std::string& family : names_of(families)) {
        FamilyFacts facts{.family = family,
                          .train_events = events_in(rows, split, families, family, Part::train),
                          .test_events = events_in(rows, split, families, family, Part::test)};
        if (facts.test_events == 0) continue;
        masked.weight = rows.weight;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const bool hidden = split.part[i] != Part::test && is_of(rows, i, families, family);
            if (hidden) masked.weight[i] = 0;
        }
        RiskOptions again = options;
        again.resamples = 2;  // The intervals of its report are not used.
        if (watch) again.watch = [&, trained](int round) { return watch(trained, round); };
        const auto model = train_risk(masked, split, again);
        if (!model) return within("without the family " + family, model.error());
        const Sight known = sight_of(whole, rows, families, family);
        const Sight unknown = sight_of(*model, rows, families, family);
        facts.auc_known = known.auc;
        facts.auc_left_out = unknown.auc;
        facts.recall_known = known.recall;
        facts.recall_left_out = unknown.recall;
        all.push_back(facts);
        ++trained;
    }
    return all;
}

}  // namespace parley::learn
