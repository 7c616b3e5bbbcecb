#include "guard/scale_rules.h"

#include "base/time_text.h"

#include <algorithm>

namespace parley::guard {
namespace {

using model::Extent;
using model::Scale;

std::string out_of_bounds(const std::string& what, const Extent& extent, std::int64_t least) {
    const auto text = [](std::int64_t value) { return std::to_string(value); };
    if (extent.to < least) {
        return what + " would be " + text(extent.to) + "; at least " + text(least) + " must stay";
    }
    if (extent.to > extent.most) {
        return what + " would be " + text(extent.to) + "; at most " + text(extent.most) +
               " are allowed";
    }
    return {};
}

/// One replica is a single point of failure: who has two keeps two, unless somebody set a floor.
std::int64_t least_replicas(const Scale& scale, const model::WorkloadRow& workload) {
    if (scale.replicas.least > 0) return scale.replicas.least;
    return workload.wanted >= 2 ? 2 : 1;
}

Ruling amount_rule(Question& q) {
    const auto& scale = std::get<Scale>(q.action);
    const model::WorkloadRow& row = *q.workload;
    const std::string name = row.id.text();
    if (scale.replicas.from != row.wanted) {
        return refuse(name + " has " + std::to_string(row.wanted) + " replicas, not " +
                      std::to_string(scale.replicas.from) + " as the proposal says");
    }
    std::string why =
        out_of_bounds("replicas of " + name, scale.replicas, least_replicas(scale, row));
    for (const model::ContainerSize& size : scale.sizes) {
        const std::string of = " of " + name + "/" + size.container.str();
        const auto ask = [&](const std::optional<Extent>& extent, const char* unit) {
            if (!why.empty() || !extent) return;
            why = out_of_bounds(unit + of, *extent, std::max<std::int64_t>(extent->least, 1));
        };
        ask(size.cpu_m, "millicores");
        ask(size.memory, "bytes of memory");
    }
    return by(std::move(why));
}

Ruling open_rule(Question& q) {
    if (!q.facts.is_scaling(q.workload->id)) return pass();
    return refuse("an earlier scaling of " + q.workload->id.text() + " is still on its way");
}

Ruling cool_down_rule(Question& q) {
    const model::WorkFold* fold = q.facts.fold_of(*q.workload);
    if (fold == nullptr || fold->scaled == TimePoint{}) return pass();
    const Duration ago = q.facts.now() - fold->scaled;
    const Duration pause = q.facts.rules().cool_down_scale;
    if (ago >= pause) return pass();
    return refuse(q.workload->id.text() + " was scaled " + print_age(ago) + " ago; " +
                  print_duration(pause) + " must lie between two");
}

/// Whatever a policy or a metric says: a cluster is not scaled away in one go.
Ruling scale_down_rule(Question& q) {
    return by(scale_down_forbidden(q.facts, 0, replicas_taken(q.action)));
}

bool takes_replicas(const Question& q) { return replicas_taken(q.action) > 0; }

constexpr Rule kRules[] = {
    {"scale-amount", is<Scale>, amount_rule},
    {"scale-open", is<Scale>, open_rule},
    {"scale-cool-down", is<Scale>, cool_down_rule},
    {"scale-down", takes_replicas, scale_down_rule},
};

}  // namespace

std::span<const Rule> scale_rules() { return kRules; }

std::int64_t replicas_taken(const model::Action& action) {
    const auto* scale = std::get_if<Scale>(&action);
    if (scale == nullptr) return 0;
    return std::max<std::int64_t>(scale->replicas.from - scale->replicas.to, 0);
}

std::string scale_down_forbidden(const Facts& facts, std::int64_t taken_now, std::int64_t more) {
    const model::GuardRules& rules = facts.rules();
    std::int64_t taken = taken_now;
    for (const model::ScaledDown& each : facts.ledger().scaled_down) {
        if (each.at > facts.now() - rules.scale_down_window) taken += each.replicas;
    }
    // What was taken already belongs to the whole that the share is of.
    const auto all = static_cast<double>(facts.replicas() + taken - taken_now);
    const auto allowed =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(all * rules.scale_down_share));
    if (taken + more <= allowed) return {};
    return "replicas scaled down within " + print_duration(rules.scale_down_window) + " would be " +
           std::to_string(taken + more) + " of " + std::to_string(static_cast<std::int64_t>(all)) +
           "; " + std::to_string(allowed) + " are allowed";
}

}  // namespace parley::guard
