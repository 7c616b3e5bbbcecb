#include "apps/training/trained_manifest.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/time_text.h"

#include <algorithm>
#include <limits>

namespace parley::app {
namespace {

std::vector<learn::ModelMetric> metrics_of(const learn::RiskQuality& quality) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    return {{"base_rate", quality.base_rate, kNone, kNone},
            {"auc", quality.auc.value, quality.auc.low, quality.auc.high},
            {"average_precision", quality.average_precision, kNone, kNone},
            {"log_loss_skill", quality.skill.value, quality.skill.low, quality.skill.high},
            {"brier", quality.brier, kNone, kNone},
            {"calibration_error", quality.calibration_error, kNone, kNone},
            {"calibration_slope", quality.calibration_slope, kNone, kNone},
            {"observed_over_expected", quality.observed_over_expected.value,
             quality.observed_over_expected.low, quality.observed_over_expected.high}};
}

}  // namespace

learn::ModelManifest begun_manifest(const NodeTraining& training, brain::ModelKind kind,
                                    const learn::BoosterParameters& parameters) {
    learn::ModelManifest out{
        .kind = kind, .trained = print_time(wall_now()), .provenance = provenance_of(training)};
    if (training.simulated) {
        out.seeds = {{training.simulated->first_seed, training.simulated->last_seed}};
    }
    out.xgboost = learn::xgboost_version();
    for_each_member(parameters, [&](auto name, const auto& value) {
        out.parameters.push_back({std::string(name), to_json(value)});
    });
    out.threads = static_cast<std::uint32_t>(parameters.threads);
    out.seed = training.flags.seed;
    return out;
}

void set_quality(const learn::RiskQuality& quality, learn::ModelManifest& manifest) {
    manifest.metrics = metrics_of(quality);
    manifest.reliability.clear();
    for (const learn::Bin& bin : quality.bins) {
        manifest.reliability.push_back({bin.forecast, bin.observed, bin.share * quality.weight});
    }
}

Result<std::vector<learn::Probe>> probes_of(const learn::Rows& rows,
                                            const std::vector<std::uint32_t>& test_rows,
                                            const learn::Booster& booster) {
    std::vector<std::uint32_t> chosen;
    const std::size_t step = std::max<std::size_t>(1, test_rows.size() / learn::kProbeRows);
    for (std::size_t i = 0; i < test_rows.size() && chosen.size() < learn::kProbeRows; i += step) {
        chosen.push_back(test_rows[i]);
    }
    const auto matrix = learn::Matrix::of(rows, chosen, 1);
    if (!matrix) return tl::unexpected(matrix.error());
    const auto margins = booster.margins(*matrix);
    if (!margins) return tl::unexpected(margins.error());
    std::vector<learn::Probe> probes;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const auto row = rows.row(chosen[i]);
        probes.push_back({.row = {row.begin(), row.end()}, .margin = (*margins)[i]});
    }
    return probes;
}

}  // namespace parley::app
