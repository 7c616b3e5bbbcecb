#include "layers/observation/shapes.h"

#include "base/check.h"

#include <functional>
#include <string_view>

namespace parley::observation {
namespace {

void mix(std::size_t& hash, std::uint64_t value) {
    hash = (hash ^ static_cast<std::size_t>(value)) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29;
}

std::size_t hash_of(const model::PodShape& shape) {
    std::size_t hash = shape.containers.size();
    for (const model::ContainerSpec& each : shape.containers) {
        mix(hash, std::hash<std::string_view>()(each.name.view()));
        for (const auto& amount :
             {each.cpu_request_m, each.cpu_limit_m, each.memory_request, each.memory_limit}) {
            mix(hash, static_cast<std::uint64_t>(amount.value_or(-1)));
        }
    }
    return hash;
}

}  // namespace

Shapes::Shapes(const Table<model::PodShape>& table) : pods_(table.end_slot()) {
    table.for_each(
        [&](Slot slot, const model::PodShape& shape) { by_hash_.emplace(hash_of(shape), slot); });
}

Slot Shapes::hold(Table<model::PodShape>& table, const model::PodShape* shape) {
    if (shape == nullptr) return kNoSlot;
    const std::size_t hash = hash_of(*shape);
    for (auto [it, end] = by_hash_.equal_range(hash); it != end; ++it) {
        if (table.at(it->second) != *shape) continue;
        ++pods_[it->second];
        return it->second;
    }
    const Slot slot = table.insert(*shape);
    by_hash_.emplace(hash, slot);
    if (slot >= pods_.size()) pods_.resize(slot + 1);
    pods_[slot] = 1;
    return slot;
}

void Shapes::hold_again(Slot slot) {
    if (slot < pods_.size()) ++pods_[slot];
}

void Shapes::release(Table<model::PodShape>& table, Slot slot) {
    if (slot == kNoSlot) return;
    PARLEY_CHECK(slot < pods_.size() && pods_[slot] > 0);
    if (--pods_[slot] > 0) return;
    const std::size_t hash = hash_of(table.at(slot));
    for (auto [it, end] = by_hash_.equal_range(hash); it != end; ++it) {
        if (it->second != slot) continue;
        by_hash_.erase(it);
        break;
    }
    table.erase(slot);
}

}  // namespace parley::observation
