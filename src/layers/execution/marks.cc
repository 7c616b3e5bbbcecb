#include "layers/execution/marks.h"

#include "layers/execution/place.h"

#include <algorithm>
#include <array>
#include <utility>

namespace parley::execution {

using namespace model;

namespace {

/// A figure of a container with the field that names it in a mark.
struct Figure {
    MarkedField field;
    std::optional<std::int64_t> ContainerResize::* value;
};
constexpr std::array<Figure, 4> kFigures = {
    {{MarkedField::cpu_m, &ContainerResize::cpu_request_m},
     {MarkedField::cpu_limit_m, &ContainerResize::cpu_limit_m},
     {MarkedField::memory, &ContainerResize::memory_request},
     {MarkedField::memory_limit, &ContainerResize::memory_limit}}};

/// The newest mark that an open action has put on this pod, or may have; null: there is none.
const MarkPod* standing(const Ledger& ledger, const Request& place) {
    const MarkPod* found = nullptr;
    for (const OpenAction& open : ledger.open) {
        if (open.undoing) continue;
        for (std::size_t i = 0; i < open.plan.size(); ++i) {
            const PlannedStep& step = open.plan[i];
            if (!step.ours && i != open.at) continue;
            const auto* mark = std::get_if<MarkPod>(&step.request);
            if (mark != nullptr && same_place(step.request, place)) found = mark;
        }
    }
    return found;
}

}  // namespace

const DecisionId* marks(const Request& request) {
    if (const auto* mark = std::get_if<PutMark>(&request)) return &mark->decision;
    if (const auto* mark = std::get_if<MarkPod>(&request)) return &mark->mark.decision;
    return nullptr;
}

std::vector<MarkedChange> carried(std::vector<MarkedChange> fresh,
                                  const std::vector<MarkedChange>* before) {
    if (before == nullptr) return fresh;
    for (const MarkedChange& each : *before) {
        const auto same = std::ranges::find_if(fresh, [&](const MarkedChange& now) {
            return now.field == each.field && now.container == each.container;
        });
        if (same != fresh.end()) {
            same->old = each.old;
        } else {
            fresh.push_back(each);
        }
    }
    return fresh;
}

std::vector<MarkedChange> changes_of(const ResizePod& there, const ResizePod& back) {
    std::vector<MarkedChange> changes;
    for (std::size_t i = 0; i < there.containers.size() && i < back.containers.size(); ++i) {
        for (const Figure& each : kFigures) {
            const auto& wanted = there.containers[i].*each.value;
            const auto& had = back.containers[i].*each.value;
            if (!wanted || !had) continue;
            changes.push_back({each.field, there.containers[i].container, *had, *wanted});
        }
    }
    return changes;
}

void carry_marks(OpenAction& action, const Ledger& ledger) {
    for (PlannedStep& step : action.plan) {
        auto* mark = std::get_if<MarkPod>(&step.request);
        if (mark == nullptr || mark->mark.decision != action.id) continue;
        const MarkPod* before = standing(ledger, step.request);
        if (before == nullptr) continue;
        mark->mark.changes = carried(std::move(mark->mark.changes), &before->mark.changes);
        for (Request& undo : action.undo) {
            if (same_place(undo, step.request)) undo = *before;
        }
    }
}

}  // namespace parley::execution
