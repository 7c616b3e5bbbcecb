#include "layers/explanation/telling/stages.h"

#include <algorithm>

namespace parley::explanation {

using store::StageNote;
using store::StageStatus;

namespace {

/// What the header of a run says about its brains, if nothing else was recorded.
StageNote brains_of(const model::Policy& policy) {
    const bool drives = policy.predictor == model::PredictorKind::xgboost;
    const bool shadow = std::ranges::count(policy.brains.shadow, model::PredictorKind::xgboost) > 0;
    if (!drives && !shadow) return without_brains(policy, false);
    const std::string which =
        policy.brains.risk.empty() ? std::string("the model that ships") : policy.brains.risk;
    return {kBrains, StageStatus::complete,
            which + (drives ? " drives decisions"
                            : " runs in shadow; " + std::string(enum_name(policy.predictor)) +
                                  " drives decisions")};
}

}  // namespace

StageNote without_brains(const model::Policy& policy, bool chosen) {
    const std::string predictor(enum_name(policy.predictor));
    if (policy.profile == model::Profile::prototype &&
        policy.predictor == model::PredictorKind::formula) {
        return {kBrains, StageStatus::disabled,
                "by profile prototype, whose predictor " + predictor + " drives decisions"};
    }
    if (chosen) {
        return {kBrains, StageStatus::disabled,
                "by policy.predictor " + predictor + ", which drives decisions"};
    }
    if (!policy.brains.risk.empty()) {
        return {kBrains, StageStatus::idle,
                "policy.brains.risk names " + policy.brains.risk +
                    ", which only policy.predictor xgboost serves; " + predictor +
                    " drives decisions"};
    }
    return {kBrains, StageStatus::idle,
            "nobody asked for a trained model; " + predictor + " drives decisions"};
}

StageNote ray_stage(bool no_policy) {
    if (no_policy) return {kRay, StageStatus::disabled, "by --no-policy"};
    return {kRay, StageStatus::skipped, "no learned policy is in this build; rules propose"};
}

std::vector<StageNote> stages_of(const store::RunHeader& header,
                                 const std::vector<StageNote>& said) {
    if (!said.empty()) return said;
    return {brains_of(header.policy),
            ray_stage(false),
            {kOptuna, StageStatus::idle, "the record does not say that it was tuned"}};
}

StageNote stage_called(const std::vector<StageNote>& stages, const std::string& name) {
    const auto found = std::ranges::find(stages, name, &StageNote::name);
    if (found != stages.end()) return *found;
    return {name, StageStatus::skipped, "the record does not say"};
}

const char* word_of(StageStatus status) {
    switch (status) {
        case StageStatus::disabled:
            return "off by choice";
        case StageStatus::idle:
            return "idle";
        case StageStatus::skipped:
            return "skipped";
        case StageStatus::running:
            return "running";
        case StageStatus::complete:
            return "done";
        case StageStatus::failed:
            break;
    }
    return "failed";
}

std::string stages_line(const std::vector<StageNote>& stages, bool whole) {
    std::string line;
    for (const StageNote& stage : stages) {
        if (!line.empty()) line += "   ";
        line += (stage.name == kRay ? "ray" : stage.name) + " " + word_of(stage.status);
        if (whole && !stage.detail.empty()) line += " (" + stage.detail + ")";
    }
    return line;
}

}  // namespace parley::explanation
