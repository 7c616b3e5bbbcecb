#include "layers/explanation/telling/past.h"

#include "base/number.h"
#include "base/time_text.h"
#include "layers/explanation/wording/wording.h"
#include "model/utilisation.h"

#include <algorithm>
#include <set>

namespace parley::explanation {

using namespace model;

namespace {

std::string ready_text(const NodeRow& node, TimePoint now) {
    const std::string age = print_age(now - node.ready_since);
    return (node.ready == model::Readiness::no ? "NotReady for " : "Ready unknown for ") + age;
}

std::string pressure_text(const NodeRow& node) {
    std::vector<std::string> kinds;
    if (node.memory_pressure) kinds.emplace_back("memory");
    if (node.disk_pressure) kinds.emplace_back("disk");
    if (node.pid_pressure) kinds.emplace_back("PID");
    return listed(kinds) + " pressure";
}

/// Measured use; or what pods requested, if that was used in its place.
std::string use_text(const char* what, const Reading<std::int64_t>& used, std::int64_t requested,
                     std::int64_t whole, bool seen) {
    const std::int64_t* value = seen ? used.value() : &requested;
    const auto share = value != nullptr ? share_of(*value, whole) : std::nullopt;
    return std::string(what) + (seen ? " use " : " asked for ") +
           (share ? fixed(*share * 100, 0) + "%" : "?");
}

/// What a signal adds by itself, for predictor `evidence`; below zero: it does not use this signal.
double weight_of(Signal signal, const EvidenceRules& rules) {
    switch (signal) {
        case Signal::lease_slow:
            return rules.lease_slow;
        case Signal::lease_lost:
            return rules.lease_lost;
        case Signal::not_ready:
            return rules.not_ready;
        case Signal::pressure:
            return rules.pressure;
        case Signal::restarts:
            return rules.restarts;
        case Signal::flaps:
            return rules.flaps;
        default:
            return -1;
    }
}

}  // namespace

void Past::meet(const Derived& derived) {
    if (begun_) return;
    derived.nodes.for_each([&](Slot, const NodeFold& fold) {
        Readiness& kept = ready_[fold.uid];
        kept.was_ready = fold.was_ready;
        for (const TimePoint flap : fold.flaps) {
            if (flap.us != 0) kept.flaps.push_back(flap);
        }
    });
    restarts_.meet(derived.nodes);
}

Past::Readiness& Past::readiness_of(Slot slot, const Uid& node) {
    if (slot >= places_.size()) places_.resize(slot + 1, nullptr);
    auto*& place = places_[slot];
    if (place == nullptr || place->first != node) place = &*ready_.try_emplace(node).first;
    return place->second;
}

void Past::take(const RoundInput& input) {
    begun_ = true;
    restarts_.take(input);
    if (ready_.size() > 2 * input.snapshot.nodes.size() + 16) {  // Many nodes are long gone.
        ready_.clear();
        places_.clear();
    }
    input.snapshot.nodes.for_each([&](Slot slot, const NodeRow& node) {
        Readiness& kept = readiness_of(slot, node.uid);
        const bool ready = node.ready == model::Readiness::yes;
        if (kept.was_ready && !ready && !set_aside(node)) kept.flaps.push_back(input.now);
        kept.was_ready = ready;
        while (!kept.flaps.empty() && input.now - kept.flaps.front() > rules_.flaps_window) {
            kept.flaps.pop_front();
        }
    });
}

/// Records before rules version 6 do not name the workload of a restart: all of them counted then.
std::string Past::restarts_text(const Uid& node, const RestartSign& sign, TimePoint now) const {
    if (sign.restarts > 0) {
        return counted(sign.restarts, "restart") + " in " + span_text(rules_.restarts_window) +
               " over " + counted(sign.pods, "pod") + " of " + counted(sign.workloads, "workload");
    }
    std::int64_t count = 0;
    std::set<Uid> pods;
    for (const auto& [on, at] : restarts_.seen()) {
        if (on != node || now - at.seen.at > rules_.restarts_window) continue;
        count += at.seen.count;
        pods.insert(at.seen.pod);
    }
    return counted(count, "restart") + " in " + span_text(rules_.restarts_window) + " over " +
           counted(std::ssize(pods), "pod");
}

RestartSign Past::restarts_on(const RoundInput& input, Slot slot) const {
    const NodeRow& node = input.snapshot.nodes.at(slot);
    const auto on_it = [&](const RestartWindow::One& one) { return one.node == node.uid; };
    if (std::ranges::none_of(restarts_.seen(), on_it)) return {};
    return Restarts(input.snapshot, restarts_.on_nodes_of(input.snapshot), rules_.restarts_window,
                    input.now)
        .on(slot);
}

std::string Past::flaps_text(const Uid& node, TimePoint now) const {
    std::int64_t count = 0;
    if (const auto kept = ready_.find(node); kept != ready_.end()) {
        count = std::ranges::count_if(
            kept->second.flaps, [&](TimePoint at) { return now - at <= rules_.flaps_window; });
    }
    return "stopped being Ready " + counted(count, "time") + " in " +
           span_text(rules_.flaps_window);
}

std::vector<std::string> Past::words(const RoundInput& input, const Forecast& forecast,
                                     const NodeForecast& believed) const {
    std::vector<std::string> out;
    const NodeRow* node = input.snapshot.nodes.find(believed.node);
    if (node == nullptr) return out;
    const RestartSign restarts = restarts_on(input, believed.node);
    const auto text_of_signal = [&](Signal signal) -> std::string {
        const TimePoint* lease = node->lease.value();
        switch (signal) {
            case Signal::lease_slow:
            case Signal::lease_lost:
                return "lease " + (lease != nullptr ? print_age(input.now - *lease) : "?") + " old";
            case Signal::not_ready:
                return ready_text(*node, input.now);
            case Signal::pressure:
                return pressure_text(*node);
            case Signal::restarts:
                return restarts_text(node->uid, restarts, input.now);
            case Signal::flaps:
                return flaps_text(node->uid, input.now);
            case Signal::pods_unhealthy:
                return counted(node->pods_unhealthy, "pod on it is", "pods on it are") +
                       " unhealthy";
            case Signal::pods_restarted:
                return counted(node->pods_restarted, "pod on it has", "pods on it have") +
                       " restarted";
            case Signal::cpu:
                return use_text("CPU", node->cpu_used_m, node->cpu_requested_m,
                                node->cpu_allocatable_m, !believed.missing.has(signal));
            case Signal::memory:
                return use_text("memory", node->memory_used, node->memory_requested,
                                node->memory_allocatable, !believed.missing.has(signal));
            case Signal::disk:
            case Signal::net:
                break;
        }
        return signal_name(signal);
    };
    for (std::uint8_t i = 0; i <= static_cast<std::uint8_t>(Signal::net); ++i) {
        const auto signal = static_cast<Signal>(i);
        if (!believed.spoke.has(signal)) continue;
        std::string text = text_of_signal(signal);
        const double weight = forecast.model == "evidence" ? weight_of(signal, rules_) : -1;
        if (weight >= 0) text += " (alone " + share_text(weight) + ")";
        out.push_back(std::move(text));
    }
    for (const OwnLoop& loop : restarts.own) {
        out.push_back(own_loop_text(loop) + " (no sign of the node)");
    }
    return out;
}

}  // namespace parley::explanation
