#include "model/action.h"

#include <algorithm>
#include <array>

namespace parley::model {
namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

/// "850m CPU limit, 300Mi memory request".
std::string amounts_of(const ContainerResize& resize) {
    std::string text;
    const auto add = [&](const std::optional<std::int64_t>& value, std::int64_t unit,
                         const char* what) {
        if (value) text += (text.empty() ? "" : ", ") + number(*value / unit) + what;
    };
    add(resize.cpu_request_m, 1, "m CPU request");
    add(resize.cpu_limit_m, 1, "m CPU limit");
    add(resize.memory_request, 1'048'576, "Mi memory request");
    add(resize.memory_limit, 1'048'576, "Mi memory limit");
    return text;
}

/// " for a, b"; nothing where it is for all.
std::string for_spaces(const std::vector<Name>& spaces) {
    std::string text;
    for (const Name& space : spaces) text += (text.empty() ? " for " : ", ") + space.str();
    return text;
}

struct RequestText {
    std::string operator()(const PutMark& r) const {
        return (r.decision.none() ? "unmark " : "mark ") + text_of(r.target);
    }
    std::string operator()(const SetTaint& r) const {
        switch (r.taint) {
            case Taint::none:
                return "lift quarantine of " + r.node.text();
            case Taint::prefer_no_schedule:
                return "avoid " + r.node.text();
            case Taint::no_schedule:
                break;
        }
        return "quarantine " + r.node.text();
    }
    std::string operator()(const SetReplicas& r) const {
        return r.workload.text() + " to " + number(r.replicas);
    }
    std::string operator()(const EvictPod& r) const { return "evict " + r.name; }
    std::string operator()(const SetDeletionCost& r) const {
        return "deletion cost " + number(r.cost) + " on " + r.name;
    }
    std::string operator()(const SetCpuLimit& r) const {
        return r.workload.text() + " on " + r.node.text() + " to " + number(r.cpu_limit_m) +
               "m CPU";
    }
    std::string operator()(const SetMemoryRequest& r) const {
        return r.workload.text() + " on " + r.node.text() + " to " +
               number(r.memory_request / 1'048'576) + "Mi memory";
    }
    std::string operator()(const SetPower& r) const {
        return "power " + std::string(enum_name(r.state)) + " " + r.node.text();
    }
    std::string operator()(const SetClock& r) const {
        return "clock of " + r.node.text() + " to " + number(r.clock_ppm / 10'000) + "%";
    }
    std::string operator()(const SetAdmission& r) const {
        return "admission " + std::string(enum_name(r.mode)) + for_spaces(r.spaces);
    }
    std::string operator()(const SetBatchCap& r) const {
        return "cap batch at " + number(r.cpu_ppm / 10'000) + "% CPU" + for_spaces(r.spaces);
    }
    std::string operator()(const MarkPod& r) const {
        return (r.mark.decision.none() ? "unmark " : "mark ") + r.name;
    }
    std::string operator()(const ResizePod& r) const {
        std::string text = "resize " + r.name;
        const bool several = r.containers.size() > 1;
        for (const ContainerResize& each : r.containers) {
            text += &each == &r.containers.front() ? " to " : "; ";
            text += (several ? each.container.str() + " " : "") + amounts_of(each);
        }
        return text;
    }
};

}  // namespace

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

std::string text_of(const Request& request) { return std::visit(RequestText{}, request); }

bool is_final(ActionState state) {
    switch (state) {
        case ActionState::confirmed:
        case ActionState::moot:
        case ActionState::expired:
        case ActionState::failed:
        case ActionState::would_send:
            return true;
        case ActionState::planned:
        case ActionState::marked:
        case ActionState::sent:
        case ActionState::blocked:
        case ActionState::unknown:
        case ActionState::held:
            break;
    }
    return false;
}

}  // namespace parley::model
