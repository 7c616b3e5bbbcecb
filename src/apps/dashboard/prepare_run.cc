#include "apps/dashboard/prepare_run.h"

#include "apps/tuning/boot_flags.h"
#include "layers/explanation/telling/stages.h"

#include <cstdio>
#include <utility>

namespace parley::app {

std::vector<BootStage> prepare(Dashboard& board, const TuningStart& start, model::Policy& policy,
                               std::vector<BootStage> stages) {
    const auto with = [&](const BootStage& tuning) {
        std::vector<BootStage> all = stages;
        all.push_back(tuning);
        return all;
    };
    if (will_tune(start)) {
        board.show_stages(with({explanation::kOptuna, StageStatus::running,
                                "0 of " + std::to_string(*start.flags.trials) + " trials"}));
        std::fputs(board.greeting().c_str(), stderr);
    }
    const BootStage tuned = tune_in_sight(
        start, policy, [&](const BootStage& stage) { board.show_stages(with(stage)); });
    return with(tuned);
}

}  // namespace parley::app
