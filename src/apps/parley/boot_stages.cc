#include "apps/parley/boot_stages.h"

#include "base/describe.h"

namespace parley::app {
namespace {

constexpr const char* kNotHere = "not in this build";

BootStage brains(const model::Policy& policy, const ServedBrains& served) {
    const std::string predictor(enum_name(policy.predictor));
    if (!wants_brains(policy)) {
        return {"brains", StageStatus::disabled,
                "by policy.predictor " + predictor + ", which drives decisions"};
    }
    const bool drives = policy.predictor == model::PredictorKind::xgboost;
    const std::string what =
        served.said +
        (drives ? " drives decisions" : " runs in shadow; " + predictor + " drives decisions");
    if (served.refused.empty()) return {"brains", StageStatus::complete, what};
    return {"brains", StageStatus::failed, served.refused + "; instead, " + what};
}

}  // namespace

std::vector<BootStage> boot_stages(const BootFlags& flags, const model::Policy& policy,
                                   const ServedBrains& served) {
    BootStage ray{"ray_ppo", StageStatus::skipped, kNotHere};
    if (flags.no_policy) ray = {"ray_ppo", StageStatus::disabled, "by --no-policy"};
    return {brains(policy, served), ray};
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
