#include "layers/prediction/features.h"

#include "model/differences.h"
#include "model/restarts.h"
#include "model/sources.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace parley::prediction {
namespace {

using model::NodeFold;
using model::NodeRow;
using model::RestartSeen;

constexpr std::size_t kViolationsKept = 4;

/// A round that comes much later than usual, or earlier than the last, is a jump. The first step is
/// not, as nothing is usual yet; a new pace counts as usual from its second step on.
void fold_time(TimePoint now, Duration jump_max, model::Derived& derived) {
    const bool first = derived.rounds == 0;
    const bool had_jumped = derived.jumped;
    const Duration step = first ? Duration{} : now - derived.last_now;
    const bool late = derived.step.us != 0 && step > derived.step + jump_max;
    derived.jumped = !first && (step.us < 0 || late);
    if (!first && step.us > 0 && (!derived.jumped || had_jumped)) derived.step = step;
    derived.last_now = now;
    ++derived.rounds;
}

/// A trend needs consecutive rounds: a round without the figure ends it.
void fold_violations(const model::RoundInput& input, Duration age_max, model::Derived& derived) {
    const std::int64_t* count = input.snapshot.violations.fresh(input.now, age_max);
    auto& kept = derived.violations;
    if (count == nullptr) {
        kept.clear();
        return;
    }
    if (kept.size() >= kViolationsKept) kept.erase(kept.begin());
    kept.push_back(*count);
}

NodeFold begin(const NodeRow& node, TimePoint now) {
    NodeFold fold;
    fold.uid = node.uid;
    fold.first_seen = now;
    fold.was_ready = node.ready == model::Readiness::yes;
    return fold;
}

struct Look {
    TimePoint now;
    Duration sample_age_max;
    bool metrics_ok;  ///< The source of samples reads ok.
};

std::int32_t silence(const NodeFold& fold, const NodeRow& node, const Look& look) {
    // A node that is off or lost cannot report anything; it is counted again once it could.
    if (node.power != model::Power::on || node.ready != model::Readiness::yes) return 0;
    const bool sampled = node.cpu_used_m.fresh(look.now, look.sample_age_max) != nullptr &&
                         node.memory_used.fresh(look.now, look.sample_age_max) != nullptr;
    if (sampled) return 0;
    return look.metrics_ok ? fold.silent + 1 : fold.silent;
}

void fold_node(Slot slot, const NodeRow& node, const Look& look, Table<NodeFold>& folds) {
    const NodeFold* known = folds.find(slot);
    if (known == nullptr || known->uid != node.uid) {
        folds.put(slot, begin(node, look.now));
        known = folds.find(slot);
    }
    const bool ready = node.ready == model::Readiness::yes;
    const std::int32_t silent = silence(*known, node, look);
    // Not written, so that its chunk stays shared.
    if (ready == known->was_ready && silent == known->silent) return;
    NodeFold& fold = folds.edit(slot);
    const bool flapped = fold.was_ready && !ready && !model::set_aside(node);
    if (flapped) {
        fold.flaps[fold.flap_next] = look.now;
        fold.flap_next = static_cast<std::uint8_t>((fold.flap_next + 1) % fold.flaps.size());
    }
    fold.was_ready = ready;
    fold.silent = silent;
}

void forget_gone(const Table<NodeRow>& nodes, Table<NodeFold>& folds) {
    std::vector<Slot> gone;
    folds.for_each([&](Slot slot, const NodeFold&) {
        if (!nodes.has(slot)) gone.push_back(slot);
    });
    for (const Slot slot : gone) folds.erase(slot);
}

/// Where to write the next restart: a free place, else one that is no longer needed, else one of
/// the workload that has most, whose counts are added up. So one crash loop, however fast, does not
/// push out the restarts of others.
std::size_t make_place(TimePoint now, Duration window, NodeFold& fold) {
    auto& ring = fold.restarts;
    const auto oldest = [&](auto&& among) {
        std::size_t found = ring.size();
        for (std::size_t i = 0; i < ring.size(); ++i) {
            if (among(ring[i]) && (found == ring.size() || ring[i].at < ring[found].at)) found = i;
        }
        return found;
    };
    for (std::size_t i = 0; i < ring.size(); ++i) {
        if (ring[i].count == 0 || now - ring[i].at > window) return i;
    }
    const auto places = [&](const RestartSeen& of) {
        return std::ranges::count(ring, of.workload, &RestartSeen::workload);
    };
    const auto most = std::ranges::max(ring | std::views::transform(places));
    const std::size_t place = oldest([&](const RestartSeen& seen) { return places(seen) == most; });
    if (most == 1) return place;
    RestartSeen& gone = ring[place];
    const std::int32_t count = std::exchange(gone.count, 0);
    const std::size_t heir = oldest(
        [&](const RestartSeen& seen) { return seen.count != 0 && seen.workload == gone.workload; });
    ring[heir].count += count;
    return place;
}

void fold_restarts(const model::Snapshot& snapshot, TimePoint now, Duration window,
                   Table<NodeFold>& folds) {
    for (const model::Restart& restart : snapshot.restarts) {
        if (!folds.has(restart.node) || restart.count <= 0) continue;
        NodeFold& fold = folds.edit(restart.node);
        const std::size_t place = make_place(now, window, fold);
        fold.restarts[place] = model::restart_at(snapshot, restart).seen;
    }
}

/// Two sources that differ over all nodes. A difference that has lasted ends only when they have
/// agreed for a while: one that is compared now and then would come and go otherwise.
void fold_contradictions(const model::RoundInput& input, model::Derived& derived) {
    const model::Differences found = model::compare_all(input.snapshot);
    auto& kept = derived.contradictions;
    const bool can_tell = found.cpu || found.memory;
    if (!can_tell) {
        std::erase_if(kept, [&](const model::Contradiction& each) {
            return input.now - each.told >= model::kSilentLasts;
        });
        return;
    }
    if (!found.contradict()) {
        if (kept.empty()) return;
        model::Contradiction& before = kept.front();
        const bool lasted = input.now - before.since >= model::kContradictLasts &&
                            model::standing_contradiction(derived, input.now) != nullptr;
        before.told = input.now;
        if (before.agreed == TimePoint{}) before.agreed = input.now;
        if (!lasted || input.now - before.agreed >= model::kContradictLasts) kept.clear();
        return;
    }
    if (kept.empty()) kept.push_back({.since = input.now, .loose = found.loose});
    model::Contradiction& now = kept.front();
    ++now.rounds;
    now.loose = now.loose && found.loose;
    now.told = input.now;
    now.agreed = {};
    const bool by_cpu = found.cpu && (model::beyond_factor(*found.cpu) || !found.memory);
    now.ratio = by_cpu ? *found.cpu : *found.memory;
    now.nodes = found.nodes;
    now.of = found.of;
}

}  // namespace

void fold(const model::RoundInput& input, const model::Policy& policy, model::Derived& derived) {
    const model::Snapshot& snapshot = input.snapshot;
    const model::GuardRules& rules = policy.guard;
    fold_time(input.now, rules.clock_jump_max, derived);
    if (input.stepped != Duration{}) derived.stepped = input.now;
    fold_violations(input, rules.api_age_max, derived);
    fold_contradictions(input, derived);
    const model::SourceState* metrics = model::state_of(snapshot, model::Source::metrics);
    const Look look{
        .now = input.now,
        .sample_age_max = rules.metrics_age_max,
        .metrics_ok = metrics != nullptr && metrics->condition == model::SourceCondition::ok};
    snapshot.nodes.for_each(
        [&](Slot slot, const NodeRow& node) { fold_node(slot, node, look, derived.nodes); });
    if (derived.nodes.size() != snapshot.nodes.size()) forget_gone(snapshot.nodes, derived.nodes);
    fold_restarts(snapshot, input.now, policy.evidence.restarts_window, derived.nodes);
}

std::int32_t flaps_within(const NodeFold& fold, TimePoint now, Duration window) {
    std::int32_t found = 0;
    for (const TimePoint at : fold.flaps) {
        if (at.us != 0 && now - at <= window) ++found;
    }
    return found;
}

}  // namespace parley::prediction
