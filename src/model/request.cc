#include "model/request.h"

#include <algorithm>

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
    std::string operator()(const ResumeJob& r) const { return "resume " + r.job.text(); }
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

bool is_held(const std::optional<Mark>& mark) {
    return mark && mark->kind == ActionKind::admission &&
           std::ranges::count(mark->changes, MarkedField::suspend, &MarkedChange::field) > 0;
}

std::string text_of(const Request& request) { return std::visit(RequestText{}, request); }

}  // namespace parley::model
