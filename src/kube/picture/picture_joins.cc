#include "kube/picture/picture_joins.h"

#include "kube/picture/pending.h"
#include "kube/picture/picture_rows.h"

#include <algorithm>

namespace parley::kube {
namespace {

/// Its index in the array of autoscalers, or -1.
int scaler_place(Kind kind) {
    switch (kind) {
        case Kind::hpa:
            return 0;
        case Kind::vpa:
            return 1;
        case Kind::mpa:
            return 2;
        case Kind::scaled_object:
            return 3;
        default:
            return -1;
    }
}

/// The namespace whose workloads it is about.
Name space_of(const Space& space) { return Name::of(space.meta.name); }
template <class T>
Name space_of(const T& object) {
    return object.meta.space;
}

}  // namespace

bool Joins::keeps(Kind kind) {
    return kind == Kind::claim || kind == Kind::volume || kind == Kind::budget ||
           kind == Kind::priority_class || kind == Kind::space || scaler_place(kind) >= 0;
}

template <class F>
void Joins::with_store(Kind kind, F&& f) {
    const int place = scaler_place(kind);
    if (kind == Kind::claim || kind == Kind::volume) volumes_changed_ = true;
    if (kind == Kind::claim) f(claims_);
    if (kind == Kind::volume) f(volumes_);
    if (kind == Kind::budget) f(budgets_);
    if (kind == Kind::priority_class) f(classes_);
    if (kind == Kind::space) f(spaces_);
    if (place >= 0) f(scalers_[static_cast<std::size_t>(place)]);
}

void Joins::begin_list(Kind kind, Scope scope) {
    with_store(kind, [scope](auto& store) { store.begin_list(scope); });
}

void Joins::enter(Kind kind, Scope scope) {
    with_store(kind, [scope](auto& store) { store.enter(scope); });
}

std::size_t Joins::end_list(Kind kind) {
    std::size_t count = 0;
    with_store(kind, [&](auto& store) {
        const auto gone = store.end_list();
        count = gone.size();
        for (const auto& [uid, object] : gone) dirty_.insert(space_of(object));
    });
    if (kind == Kind::priority_class && count > 0) all_dirty_ = true;
    return count;
}

void Joins::remove(Kind kind, const model::Uid& uid) {
    with_store(kind, [&](auto& store) {
        for (const auto& [id, object] : store.remove(uid)) dirty_.insert(space_of(object));
    });
    if (kind == Kind::priority_class) all_dirty_ = true;
}

void Joins::put(const Object& object) {
    const auto keep = [this](auto& store, const auto& value) {
        bool added = false;
        auto* kept = store.offer(value.meta.uid, value.meta.version, added);
        if (kept == nullptr) return false;
        *kept = value;
        dirty_.insert(space_of(value));
        return true;
    };
    if (const auto* claim = std::get_if<Claim>(&object)) {
        if (keep(claims_, *claim)) volumes_changed_ = true;
    }
    if (const auto* volume = std::get_if<Volume>(&object)) {
        if (keep(volumes_, *volume)) volumes_changed_ = true;
    }
    if (const auto* budget = std::get_if<Budget>(&object)) keep(budgets_, *budget);
    if (const auto* space = std::get_if<Space>(&object)) keep(spaces_, *space);
    if (const auto* priority = std::get_if<PriorityClass>(&object)) {
        if (keep(classes_, *priority)) all_dirty_ = true;
    }
    if (const auto* scaler = std::get_if<Autoscaler>(&object)) {
        const int place = scaler_place(scaler->kind);
        if (place >= 0) keep(scalers_[static_cast<std::size_t>(place)], *scaler);
    }
}

std::set<Name> Joins::take_dirty() { return std::exchange(dirty_, {}); }

std::int32_t Joins::priority_of(const PodTemplate& pod) const {
    if (pod.priority) return *pod.priority;
    // Several may claim to be the default; the API server then takes the lowest.
    std::optional<std::int32_t> named;
    std::optional<std::int32_t> by_default;
    classes_.for_each([&](const model::Uid&, const PriorityClass& priority) {
        if (priority.meta.name == pod.priority_class) named = priority.value;
        if (priority.by_default) {
            by_default = std::min(by_default.value_or(priority.value), priority.value);
        }
    });
    if (!pod.priority_class.empty()) return named.value_or(0);
    return by_default.value_or(0);
}

BudgetFound Joins::budget_of(Name space, const Labels& labels) const {
    BudgetFound found;
    int count = 0;
    budgets_.for_each([&](const model::Uid&, const Budget& budget) {
        if (budget.meta.space != space || !budget.selector) return;
        if (!matches(*budget.selector, labels)) return;
        ++count;
        found = {true, count == 1 ? budget.allowed : 0};
    });
    return found;
}

ScaledBy Joins::scaled_by(Name space, OwnerKind kind, std::string_view name) const {
    using enum model::ScaleOwner;
    ScaledBy owners;
    bool left_to_us = false;
    for (const Store<Autoscaler>& store : scalers_) {
        store.for_each([&](const model::Uid&, const Autoscaler& scaler) {
            if (scaler.meta.space != space || scaler.target_kind != kind || scaler.target != name ||
                !scaler.acts) {
                return;
            }
            if (scaler.kind == Kind::mpa) {
                left_to_us = true;
            } else if (scaler.kind == Kind::vpa) {
                owners.sizes = vpa;
            } else {
                const bool driven = scaler.meta.owner.kind != OwnerKind::none;
                const bool alone = scaler.kind == Kind::hpa && !driven;
                owners.replicas = alone && owners.replicas != other ? hpa : other;
            }
        });
    }
    if (left_to_us && owners.replicas == nobody) owners.replicas = parley;
    if (left_to_us && owners.sizes == nobody) owners.sizes = parley;
    return owners;
}

std::set<Name> Joins::left_alone(TimePoint now) const {
    std::set<Name> names;
    spaces_.for_each([&](const model::Uid&, const Space& space) {
        if (asks_to_be_left(space.meta.opt_outs, now)) names.insert(space_of(space));
    });
    return names;
}

const Claim* Joins::claim_of(Name space, std::string_view name) const {
    const Claim* found = nullptr;
    claims_.for_each([&](const model::Uid& uid, const Claim& claim) {
        if (claim.meta.space != space || claim.meta.name != name) return;
        // If two have the same name, because one is being deleted, the one that stays.
        if (found == nullptr || found->meta.deleted || uid < found->meta.uid) found = &claim;
    });
    return found;
}

Joins::Volumes Joins::volumes() const {
    Volumes out;
    claims_.for_each([&](const model::Uid&, const Claim& claim) {
        const Claim*& kept = out.claims_[{claim.meta.space, claim.meta.name}];
        if (kept == nullptr || kept->meta.deleted) kept = &claim;
    });
    volumes_.for_each(
        [&](const model::Uid&, const Volume& volume) { out.volumes_[volume.meta.name] = &volume; });
    return out;
}

std::optional<std::vector<NodeTerm>> Joins::Volumes::of(Name space, const std::string& name) const {
    const auto claim = claims_.find({space, name});
    if (claim == claims_.end()) return std::nullopt;
    if (claim->second->volume.empty()) return std::vector<NodeTerm>();
    const auto volume = volumes_.find(claim->second->volume);
    if (volume == volumes_.end()) return std::nullopt;
    return volume->second->nodes;
}

bool Joins::one_node_volume(Name space, const std::vector<std::string>& claims) const {
    return std::ranges::any_of(claims, [&](const std::string& name) {
        const Claim* claim = claim_of(space, name);
        return claim != nullptr && claim->one_node;
    });
}

bool Joins::volume_trouble(Name space, const std::vector<std::string>& claims,
                           bool complained) const {
    return std::ranges::any_of(claims, [&](const std::string& name) {
        const Claim* claim = claim_of(space, name);
        if (claim == nullptr) return claims_readable_;
        return claim->phase == ClaimPhase::lost ||
               (claim->phase == ClaimPhase::pending && complained);
    });
}

}  // namespace parley::kube
