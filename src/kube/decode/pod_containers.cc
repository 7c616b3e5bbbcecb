#include "kube/decode/pod_containers.h"

#include "kube/decode/decode_meta.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace parley::kube {
namespace {

using model::ContainerKind;
using model::ContainerRow;
using model::ContainerSpec;
using model::PodShape;

std::optional<std::int64_t> at_most(std::optional<std::int64_t> amount, std::int64_t most) {
    if (amount) amount = std::clamp<std::int64_t>(*amount, 0, most);
    return amount;
}

ContainerSpec spec_of(const ContainerSize& size, ContainerKind kind) {
    constexpr std::int64_t kCpuMax = std::numeric_limits<std::int32_t>::max();
    return {.name = name_of(size.name),
            .kind = kind,
            .cpu_request_m = at_most(size.request.cpu_m, kCpuMax),
            .cpu_limit_m = at_most(size.limit.cpu_m, kCpuMax),
            .memory_request = at_most(size.request.memory, kAmountMax),
            .memory_limit = at_most(size.limit.memory, kAmountMax)};
}

/// Where among the shapes kept at hand one of these amounts would be.
std::size_t place_of(const PodShape& shape, std::size_t places) {
    std::size_t hash = shape.containers.size();
    for (const ContainerSpec& each : shape.containers) {
        for (const auto& amount : {each.cpu_request_m, each.memory_request, each.memory_limit}) {
            hash = hash * 31 + static_cast<std::size_t>(amount.value_or(-1));
        }
    }
    return (hash ^ (hash >> 17)) % places;
}

std::uint8_t exit_code_of(std::int32_t code) {
    return static_cast<std::uint8_t>(code < 0 || code > 255 ? 255 : code);
}

void put_ending(const ContainerEnded& ended, TimePoint created, model::ContainerState& out) {
    if (ended.at) out.ended = model::After::of(created, *ended.at);
    out.exit_code = exit_code_of(ended.exit_code);
    out.ending = ended.how;
}

}  // namespace

model::Ending ending_of(std::string_view reason) {
    using enum model::Ending;
    if (reason == "Completed") return completed;
    if (reason == "Error") return error;
    if (reason == "OOMKilled") return oom_killed;
    if (reason == "ContainerCannotRun" || reason == "StartError") return cannot_start;
    if (reason == "ContainerStatusUnknown") return lost;
    return other;
}

std::shared_ptr<const PodShape> shape_of(const PodSize& size) {
    // Pods of a workload come one after the other in a list, and ask alike.
    thread_local PodShape shape;
    thread_local std::array<std::shared_ptr<const PodShape>, 256> lately;
    shape.containers.clear();
    for (const ContainerSize& each : size.containers) {
        shape.containers.push_back(spec_of(each, ContainerKind::main));
    }
    for (const ContainerSize& each : size.init) {
        const auto kind = each.is_sidecar ? ContainerKind::sidecar : ContainerKind::init;
        shape.containers.push_back(spec_of(each, kind));
    }
    auto& kept = lately[place_of(shape, lately.size())];
    if (!kept || *kept != shape) kept = std::make_shared<const PodShape>(shape);
    return kept;
}

void put_containers(const PodSize& size, Pod& pod) {
    pod.shape = shape_of(size);
    const auto& specs = pod.shape->containers;
    std::vector<ContainerRow> rows;
    for (const ContainerActual& actual : size.actual) {
        const auto spec = std::ranges::find_if(
            specs, [&](const ContainerSpec& each) { return each.name.view() == actual.name; });
        if (spec == specs.end()) continue;
        const bool done = spec->kind == ContainerKind::init && actual.ended &&
                          actual.ended->how == model::Ending::completed;
        if (actual.restarts == 0 && (!actual.ended || done)) continue;
        ContainerRow& row = rows.emplace_back();
        row.at = static_cast<std::uint16_t>(spec - specs.begin());
        row.restarts = actual.restarts;
        if (actual.ended) put_ending(*actual.ended, pod.created, row.state);
    }
    if (rows.empty()) return;
    pod.containers = std::make_shared<const std::vector<ContainerRow>>(std::move(rows));
}

}  // namespace parley::kube
