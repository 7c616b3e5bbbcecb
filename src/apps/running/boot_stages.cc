#include "apps/running/boot_stages.h"

#include "base/describe.h"
#include "layers/explanation/telling/stages.h"

namespace parley::app {
namespace {

BootStage brains(const model::Policy& policy, const ServedBrains& served, bool named) {
    if (!wants_brains(policy)) return explanation::without_brains(policy, named);
    const std::string predictor(enum_name(policy.predictor));
    const bool drives = policy.predictor == model::PredictorKind::xgboost;
    std::string what =
        served.said +
        (drives ? " drives decisions" : " runs in shadow; " + predictor + " drives decisions");
    if (!served.demand.id.empty()) what += "; " + served.demand.said + " forecasts demand";
    std::string refused = served.refused;
    if (!served.demand.refused.empty()) {
        refused += (refused.empty() ? "" : "; ") + served.demand.refused;
    }
    if (refused.empty()) return {explanation::kBrains, StageStatus::complete, what};
    return {explanation::kBrains, StageStatus::failed, refused + "; instead, " + what};
}

}  // namespace

std::vector<BootStage> boot_stages(const BootFlags& flags, const model::Policy& policy,
                                   const ServedBrains& served, bool named) {
    return {brains(policy, served, named), explanation::ray_stage(flags.no_policy)};
}

std::string print(const std::vector<BootStage>& stages) {
    std::string out;
    for (const BootStage& stage : stages) {
        std::string name = stage.name;
        name.resize(10, ' ');
        out += name + std::string(enum_name(stage.status)) + ": " + stage.detail + "\n";
    }
    return out;
}

}  // namespace parley::app
