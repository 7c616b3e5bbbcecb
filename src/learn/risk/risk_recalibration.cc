#include "learn/risk/risk_recalibration.h"

#include "base/hash.h"
#include "base/json.h"
#include "base/number.h"
#include "brain/recalibrate.h"
#include "learn/report/data_facts.h"
#include "learn/risk/risk_quality.h"

#include <algorithm>

namespace parley::learn {
namespace {

Result<void> check_columns(const brain::Model& model, const Rows& rows) {
    const auto same = [](const brain::Feature& wanted, const Column& column) {
        return wanted.name == column.name && wanted.unit == column.unit;
    };
    if (std::ranges::equal(model.facts.inputs.features, rows.columns, same)) return {};
    return fail(ErrorCode::denied, "recalibration: the rows have other features than " +
                                       model.facts.id + " wants; record anew with this program");
}

/// Rows that weigh something, oldest first.
std::vector<std::uint32_t> by_time(const Rows& rows) {
    std::vector<std::uint32_t> order;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows.weight[i] > 0) order.push_back(static_cast<std::uint32_t>(i));
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
        return rows.time[a] != rows.time[b] ? rows.time[a] < rows.time[b] : a < b;
    });
    return order;
}

std::vector<double> risks_of(const brain::Model& model, const Rows& rows,
                             std::span<const std::uint32_t> numbers) {
    std::vector<double> risks;
    for (const std::uint32_t i : numbers)
        risks.push_back(brain::apply(model.calibration, brain::margin(model.forest, rows.row(i))));
    return risks;
}

std::vector<brain::Resolved> resolved(const Rows& rows, std::span<const std::uint32_t> numbers,
                                      std::span<const double> risk, double per_failure) {
    std::vector<brain::Resolved> all;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        const std::uint32_t i = numbers[k];
        const double weight = rows.weight[i] / std::max(1.0, per_failure);
        const double failed = weight * rows.label[i];
        all.push_back({rows.time[i], risk[k], failed, weight - failed});
    }
    return all;
}

RiskQuality quality_of(const Rows& rows, std::span<const std::uint32_t> numbers,
                       std::span<const double> risk, const RiskOptions& options) {
    return judge_risk({.rows = rows,
                       .numbers = numbers,
                       .probability = risk,
                       .step = options.step,
                       .horizon = options.horizon,
                       .seed = options.seed,
                       .resamples = options.resamples});
}

/// All rows are in one part: nothing is trained.
DataFacts data_facts(const Rows& rows, const RiskOptions& options) {
    const Split split{.part = std::vector<Part>(rows.size(), Part::calibrate),
                      .rule = "time, the newest fifth judges"};
    DataFacts facts = facts_of(rows, split);
    std::erase_if(facts.slices, [](const SliceFacts& each) { return each.rows == 0; });
    facts.name = options.name;
    facts.what = options.what;
    facts.entity = options.entity;
    return facts;
}

}  // namespace

Result<RecalibratedRisk> recalibrate_risk(const brain::Model& model, const Rows& rows,
                                          double per_failure, const RiskOptions& options) {
    if (auto good = check_columns(model, rows); !good) return tl::unexpected(good.error());
    RecalibratedRisk out{.calibration = model.calibration,
                         .report = {.data = data_facts(rows, options), .model = model.facts.id}};
    const std::vector<std::uint32_t> order = by_time(rows);
    const std::vector<double> risk = risks_of(model, rows, order);
    const auto came = resolved(rows, order, risk, per_failure);
    RecalibrationReport& report = out.report;
    for (const brain::Resolved& row : came) {
        report.failures += row.failed;
        report.expected += row.probability * (row.failed + row.survived);
    }
    const auto tried = brain::rehearse(came, {});
    if (!tried) {
        return fail(ErrorCode::denied,
                    "recalibration: " + fixed(report.failures, 1) + " failures were seen where " +
                        fixed(report.expected, 1) +
                        " were expected, and 10 of either are needed; record longer");
    }
    const auto newest = std::span(order).subspan(tried->older);
    std::vector<double> corrected(risk.begin() + static_cast<std::ptrdiff_t>(tried->older),
                                  risk.end());
    report.before = quality_of(rows, newest, corrected, options);
    for (double& p : corrected) p = brain::apply(tried->correction, p);
    report.after = quality_of(rows, newest, corrected, options);
    if (const auto taken = brain::recalibrate(came, {})) {
        report.changed = true;
        report.a = taken->a;
        report.b = taken->b;
        out.calibration = brain::joined(model.calibration, *taken);
        out.calibration.id = hex(sha256(to_json(out.calibration))).substr(0, 16);
    }
    return out;
}

}  // namespace parley::learn
