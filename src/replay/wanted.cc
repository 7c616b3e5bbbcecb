#include "replay/wanted.h"

#include "base/number.h"
#include "base/words.h"
#include "layers/explanation/wording/wording.h"
#include "layers/proposal/propose.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace parley::replay {

using namespace model;

namespace {

constexpr const char* kForms =
    "write replicate:NODE, migrate:NODE, throttle:NODE, power_state:sleep:NODE, "
    "power_state:on:NODE, dvfs:NODE, memory_balloon:NODE, queue, deprioritize, reject, admit, "
    "resource_cap or scale:WORKLOAD";

std::vector<std::string> known_words() {
    std::vector<std::string> words;
    for (std::uint8_t i = 1; i <= static_cast<std::uint8_t>(ActionKind::scale); ++i) {
        words.emplace_back(enum_name(static_cast<ActionKind>(i)));
    }
    for (const AdmissionWish wish : {AdmissionWish::admit, AdmissionWish::queue,
                                     AdmissionWish::reject, AdmissionWish::deprioritize}) {
        words.emplace_back(enum_name(wish));
    }
    return words;
}

tl::unexpected<Error> unknown(const std::string& word) {
    const std::string nearest = explanation::nearest_name(word, known_words());
    return fail(ErrorCode::malformed,
                "no action is called " + in_quotes(word) +
                    (nearest.empty() ? "" : ", did you mean " + nearest + "?") + "; " + kForms);
}

std::optional<WorkloadId> workload_from(const std::string& text) {
    const auto first = text.find('/');
    if (first == text.npos || first == 0) return std::nullopt;
    const auto second = text.find('/', first + 1);
    const std::string space = text.substr(0, first);
    if (second == text.npos) {
        const std::string name = text.substr(first + 1);
        if (name.empty()) return std::nullopt;
        return WorkloadId{Name::of(space), WorkloadKind::deployment, Name::of(name)};
    }
    const auto kind = enum_from_name<WorkloadKind>(text.substr(first + 1, second - first - 1));
    const std::string name = text.substr(second + 1);
    if (!kind || name.empty()) return std::nullopt;
    return WorkloadId{Name::of(space), *kind, Name::of(name)};
}

bool needs_node(ActionKind kind) {
    return kind != ActionKind::admission && kind != ActionKind::resource_cap &&
           kind != ActionKind::scale;
}

/// Takes a payload from the front of the remaining words, if there is one.
Action take_payload(ActionKind kind, std::vector<std::string>& rest) {
    const auto front = rest.empty() ? std::string() : rest.front();
    switch (kind) {
        case ActionKind::power_state: {
            const auto wish = enum_from_name<PowerWish>(front);
            if (wish) rest.erase(rest.begin());
            return PowerState{wish ? *wish : PowerWish::sleep};
        }
        case ActionKind::admission: {
            const auto wish = enum_from_name<AdmissionWish>(front);
            if (wish) rest.erase(rest.begin());
            return Admission{wish ? *wish : AdmissionWish::queue};
        }
        case ActionKind::replicate:
            return Replicate{};
        case ActionKind::migrate:
            return Migrate{};
        case ActionKind::throttle:
            return Throttle{};
        case ActionKind::dvfs:
            return Dvfs{};
        case ActionKind::memory_balloon:
            return MemoryBalloon{};
        case ActionKind::resource_cap:
            return ResourceCap{};
        case ActionKind::scale:
            return Scale{};
        case ActionKind::noop:
            break;
    }
    return Noop{};
}

}  // namespace

Result<Wanted> parse_wanted(const std::string& text) {
    std::vector<std::string> parts = parts_between(text, ':');
    // `queue` and `sleep:node-05` imply their kind.
    if (enum_from_name<AdmissionWish>(parts.front())) parts.insert(parts.begin(), "admission");
    if (enum_from_name<PowerWish>(parts.front())) parts.insert(parts.begin(), "power_state");
    const auto kind = enum_from_name<ActionKind>(parts.front());
    if (!kind || *kind == ActionKind::noop) return unknown(parts.front());
    parts.erase(parts.begin());
    Wanted wanted;
    wanted.action = take_payload(*kind, parts);
    const proposal::Agent* agent = proposal::agent_for(wanted.action);
    if (agent == nullptr) return unknown(std::string(enum_name(*kind)));
    wanted.role = agent->role();
    const std::string target = parts.empty() ? std::string() : parts.front();
    const std::string name(enum_name(*kind));
    if (needs_node(*kind)) {
        if (target.empty()) {
            return fail(ErrorCode::malformed, name + " is for a node: " + name + ":NODE");
        }
        wanted.target = NodeId{Name::of(target)};
    } else if (*kind == ActionKind::scale) {
        const auto workload = workload_from(target);
        if (!workload) {
            return fail(ErrorCode::malformed, "scale is for a workload: scale:NAMESPACE/NAME");
        }
        wanted.target = *workload;
    }
    const bool takes_target = needs_node(*kind) || *kind == ActionKind::scale;
    const std::size_t used = takes_target ? 1 : 0;
    // The prototype caps a node; the question is about the cap, whichever node it names.
    const bool cap = *kind == ActionKind::resource_cap && parts.size() == 1;
    if (parts.size() > used && !cap) {
        return fail(ErrorCode::malformed,
                    in_quotes(parts[used]) + " is too much in " + in_quotes(text) + "; " + kForms);
    }
    return wanted;
}

bool is_wanted(const Wanted& wanted, const Proposal& proposal) {
    if (kind_of(wanted.action) != kind_of(proposal.action)) return false;
    const auto* mine = std::get_if<PowerState>(&wanted.action);
    const auto* theirs = std::get_if<PowerState>(&proposal.action);
    if (mine != nullptr && mine->state != theirs->state) return false;
    // A question about an order applies to all namespaces.
    const auto* order = std::get_if<Admission>(&wanted.action);
    if (order != nullptr) return order->decision == std::get<Admission>(proposal.action).decision;
    const bool cap = std::holds_alternative<ResourceCap>(wanted.action);
    return cap || wanted.target == proposal.target;
}

}  // namespace parley::replay
