#include "model/opt_in.h"

#include <algorithm>

namespace parley::model {
namespace {

bool matches(std::string_view pattern, std::string_view space) {
    if (!pattern.ends_with('*')) return pattern == space;
    return space.starts_with(pattern.substr(0, pattern.size() - 1));
}

bool names_kind(const OptIn& entry, ActionKind kind) {
    return std::ranges::find(entry.kinds, kind) != entry.kinds.end();
}

}  // namespace

bool opted_in(const Policy& policy, ActionKind kind, std::string_view space) {
    return std::ranges::any_of(policy.allow, [&](const OptIn& entry) {
        return matches(entry.space, space) && names_kind(entry, kind);
    });
}

bool opted_in_everywhere(const Policy& policy, ActionKind kind) {
    return std::ranges::any_of(policy.allow, [&](const OptIn& entry) {
        return entry.space == "*" && names_kind(entry, kind);
    });
}

bool opted_in_somewhere(const Policy& policy, ActionKind kind) {
    return std::ranges::any_of(policy.allow,
                               [&](const OptIn& entry) { return names_kind(entry, kind); });
}

}  // namespace parley::model
