#include "apps/parley/boot_view.h"

namespace parley::app {
namespace {

web::StageState state_of(StageStatus status) {
    switch (status) {
        case StageStatus::disabled:
            return web::StageState::off;
        case StageStatus::idle:
            return web::StageState::idle;
        case StageStatus::skipped:
            return web::StageState::skipped;
        case StageStatus::running:
            return web::StageState::running;
        case StageStatus::complete:
            return web::StageState::done;
        case StageStatus::failed:
            break;
    }
    return web::StageState::failed;
}

}  // namespace

std::vector<web::StageView> stage_views(const std::vector<BootStage>& stages) {
    std::vector<web::StageView> views;
    for (const BootStage& stage : stages) {
        views.push_back({stage.name, state_of(stage.status), stage.detail, ""});
    }
    return views;
}

}  // namespace parley::app
