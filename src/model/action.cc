#include "model/action.h"

#include <algorithm>
#include <array>

namespace parley::model {
std::string_view title_of(Role role) {
    static const auto kTitles = [] {
        std::array<std::string, kRoles.size()> titles;
        for (const Role each : kRoles) {
            titles[static_cast<std::size_t>(each)] =
                std::string(1, letter_of(each)) + " " + std::string(enum_name(each));
        }
        return titles;
    }();
    return kTitles[static_cast<std::size_t>(role)];
}

char letter_of(Role role) { return static_cast<char>('A' + static_cast<int>(role)); }

std::string text_of(const Action& action) {
    std::string out(enum_name(kind_of(action)));
    if (const auto* power = std::get_if<PowerState>(&action)) {
        out += ":" + std::string(enum_name(power->state));
    } else if (const auto* admission = std::get_if<Admission>(&action)) {
        out += ":" + std::string(enum_name(admission->decision));
    }
    return out;
}

std::string label_of(Role role, const Action& action) {
    return "Agent" + std::string(1, letter_of(role)) + ":" + text_of(action);
}

bool changes_nothing(const Action& action) {
    if (std::holds_alternative<Noop>(action)) return true;
    const auto* admission = std::get_if<Admission>(&action);
    return admission != nullptr && admission->decision == AdmissionWish::admit;
}

bool disruptive(const Action& action) {
    if (const auto* power = std::get_if<PowerState>(&action)) return power->state != PowerWish::on;
    return std::holds_alternative<Replicate>(action) || std::holds_alternative<Migrate>(action);
}

bool saves(const Action& action) {
    if (const auto* scale = std::get_if<Scale>(&action)) return shrinks(*scale);
    if (std::holds_alternative<PowerState>(action)) return disruptive(action);
    return std::holds_alternative<Dvfs>(action) || std::holds_alternative<MemoryBalloon>(action);
}

namespace {

template <class Test>
bool any_extent(const Scale& scale, Test test) {
    if (test(scale.replicas)) return true;
    return std::ranges::any_of(scale.sizes, [&](const ContainerSize& size) {
        return (size.cpu_m && test(*size.cpu_m)) || (size.memory && test(*size.memory));
    });
}

}  // namespace

bool resizes(const Scale& scale) {
    const auto moves = [](const std::optional<Extent>& each) {
        return each && each->from != each->to;
    };
    return std::ranges::any_of(scale.sizes, [&](const ContainerSize& size) {
        return moves(size.cpu_m) || moves(size.memory);
    });
}

bool shrinks(const Scale& scale) {
    return any_extent(scale, [](const Extent& each) { return each.shrinks(); });
}

bool grows(const Scale& scale) {
    return !shrinks(scale) && any_extent(scale, [](const Extent& each) { return each.grows(); });
}

Pace pace_of(const Action& action) {
    if (std::holds_alternative<Scale>(action)) return Pace::scaling;
    return disruptive(action) ? Pace::disruptive : Pace::gentle;
}

}  // namespace parley::model
