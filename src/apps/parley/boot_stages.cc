#include "apps/parley/boot_stages.h"

#include "base/describe.h"

namespace parley::app {
namespace {

constexpr const char* kNotHere = "not in this build";

BootStage tuning(const BootFlags& flags) {
    const std::string asked =
        flags.trials ? "--trials " + std::to_string(*flags.trials) + " is void" : "";
    if (flags.no_tune) {
        return {"optuna", StageStatus::disabled,
                "by --no-tune" + (asked.empty() ? "" : "; " + asked)};
    }
    return {"optuna", StageStatus::skipped, kNotHere + (asked.empty() ? "" : "; " + asked)};
}

}  // namespace

std::vector<BootStage> boot_stages(const BootFlags& flags, model::PredictorKind predictor) {
    BootStage policy{"ray_ppo", StageStatus::skipped, kNotHere};
    if (flags.no_policy) policy = {"ray_ppo", StageStatus::disabled, "by --no-policy"};
    return {
        {"brains", StageStatus::skipped,
         std::string(kNotHere) + "; " + std::string(enum_name(predictor)) + " drives decisions"},
        policy,
        tuning(flags)};
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
