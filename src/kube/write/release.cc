#include "kube/write/release.h"

#include "base/describe.h"

#include <algorithm>
#include <utility>

namespace parley::kube {

using namespace model;

namespace {

constexpr std::int64_t kWhole = 1'000'000;  // A cap at everything is none.

std::string number(std::int64_t value) { return std::to_string(value); }

/// How the value of a change reads to a person.
std::string value_text(MarkedField field, std::int64_t value) {
    if (field == MarkedField::taint) {
        const auto taint = static_cast<model::Taint>(value);
        return taint == model::Taint::none ? "no quarantine" : std::string(enum_name(taint));
    }
    if (field == MarkedField::power) {
        return std::string(enum_name(static_cast<PowerWish>(value)));
    }
    return number(value);
}

struct Draft {
    const MarkedObject& object;
    Release out;
    bool keeps_mark = false;
    std::vector<ContainerResize> containers;  ///< What is given back, by container.

    std::string field_text(const MarkedChange& change) const {
        const std::string field(enum_name(change.field));
        return change.container.empty() ? field : field + " of " + change.container.str();
    }

    /// Whether ours still stands; else it is said.
    bool stands(const MarkedChange& change, std::int64_t now) {
        if (now == change.wanted) return change.old != change.wanted;
        if (now != change.old) {
            out.left.push_back(field_text(change) + " is " + value_text(change.field, now) +
                               ", which somebody else has set since: it stays");
        }
        return false;
    }

    /// Whether a provider says that ours still stands. Where it says nothing the mark stays, since
    /// nothing else knows what to give back.
    bool says(const MarkedChange& change, const std::optional<std::int64_t>& now) {
        if (now) return stands(change, *now);
        out.left.push_back(field_text(change) + " " + object.provided.why_not + "; the mark stays");
        keeps_mark = true;
        return false;
    }

    std::optional<std::int64_t> ContainerResize::* figure_of(MarkedField field) const {
        switch (field) {
            case MarkedField::cpu_m:
                return &ContainerResize::cpu_request_m;
            case MarkedField::memory:
                return &ContainerResize::memory_request;
            case MarkedField::cpu_limit_m:
                return &ContainerResize::cpu_limit_m;
            case MarkedField::memory_limit:
                return &ContainerResize::memory_limit;
            default:
                return nullptr;
        }
    }

    void give_back_size(const MarkedChange& change) {
        const auto figure = figure_of(change.field);
        const auto& now = object.seen.containers;
        const auto found = std::ranges::find(now, change.container, &ContainerResize::container);
        if (found == now.end() || !((*found).*figure)) {
            out.left.push_back(field_text(change) + " is not there any more");
            return;
        }
        if (!stands(change, *((*found).*figure))) return;
        auto back = std::ranges::find(containers, change.container, &ContainerResize::container);
        if (back == containers.end()) {
            back = containers.insert(containers.end(), {.container = change.container});
        }
        (*back).*figure = change.old;
    }

    void give_back(const MarkedChange& change) {
        const Seen& seen = object.seen;
        switch (change.field) {
            case MarkedField::taint:
                if (stands(change, static_cast<std::int64_t>(seen.taint))) {
                    out.steps.push_back(
                        SetTaint{{Name::of(object.name)}, static_cast<model::Taint>(change.old)});
                }
                return;
            case MarkedField::replicas:
                if (stands(change, seen.replicas)) {
                    out.steps.push_back(
                        SetReplicas{workload(), static_cast<std::int32_t>(change.old)});
                }
                return;
            case MarkedField::deletion_cost:
                if (stands(change, seen.deletion_cost.value_or(0))) {
                    out.steps.push_back(SetDeletionCost{seen.uid, object.name,
                                                        static_cast<std::int32_t>(change.old),
                                                        Name::of(object.space)});
                }
                return;
            case MarkedField::suspend:
                if (stands(change, seen.suspended ? 1 : 0))
                    out.steps.push_back(ResumeJob{workload()});
                return;
            case MarkedField::power:
                // What we woke stays awake: to switch off is nothing that a release does.
                if (static_cast<PowerWish>(change.old) != PowerWish::on) return;
                if (says(change, object.provided.power)) {
                    out.steps.push_back(SetPower{{Name::of(object.name)}, PowerWish::on});
                }
                return;
            case MarkedField::clock_ppm:
                if (says(change, object.provided.clock_ppm)) {
                    out.steps.push_back(SetClock{{Name::of(object.name)}, change.old});
                }
                return;
            case MarkedField::cpu_m:
            case MarkedField::memory:
            case MarkedField::cpu_limit_m:
            case MarkedField::memory_limit:
                give_back_size(change);
                return;
        }
    }

    WorkloadId workload() const {
        const WorkloadKind kind = object.kind == Kind::stateful_set ? WorkloadKind::stateful_set
                                  : object.kind == Kind::job        ? WorkloadKind::job
                                                                    : WorkloadKind::deployment;
        return {Name::of(object.space), kind, Name::of(object.name)};
    }

    Request unmark() const {
        if (object.kind == Kind::pod) {
            return MarkPod{object.seen.uid, Name::of(object.space), object.name, {}};
        }
        if (object.kind == Kind::node) return PutMark{.target = NodeId{Name::of(object.name)}};
        return PutMark{.target = workload()};
    }
};

}  // namespace

bool is_meant(const MarkedObject& object, const ReleaseWish& wish, TimePoint now) {
    const auto& mark = object.seen.mark;
    if (wish.decision) return mark && mark->decision == *wish.decision;
    if (!wish.expired_only) return true;
    return mark && mark->expires <= now;
}

Release release_of(const MarkedObject& object) {
    Draft draft{object, {}, false, {}};
    const auto& mark = object.seen.mark;
    if (!mark) {
        draft.out.left.push_back(
            "its mark is not one that we would write, so nothing is given back by it: take the "
            "annotations parley.dev/* away by hand once it is as you want it");
        return std::move(draft.out);
    }
    draft.out.decision = mark->decision;
    if (object.kind == Kind::quota) {  // It is ours as a whole.
        draft.out.steps.push_back(SetBatchCap{kWhole, kWhole, mark->decision, mark->expires, {}});
        return std::move(draft.out);
    }
    if (!object.seen.ended && !object.seen.terminating) {
        for (const MarkedChange& change : mark->changes) draft.give_back(change);
    }
    if (!draft.containers.empty()) {
        draft.out.steps.push_back(ResizePod{object.seen.uid, Name::of(object.space), object.name,
                                            std::move(draft.containers)});
    }
    if (!draft.keeps_mark) draft.out.steps.push_back(draft.unmark());
    return std::move(draft.out);
}

}  // namespace parley::kube
