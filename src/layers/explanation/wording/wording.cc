#include "layers/explanation/wording/wording.h"

#include "base/number.h"
#include "base/time_text.h"
#include "model/hindrance.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace parley::explanation {
namespace {

using model::Measure;
using model::Signal;

std::string admission_wish(model::AdmissionWish wish) {
    if (wish == model::AdmissionWish::admit) return "admit all batch pods";
    return std::string(enum_name(wish)) + " new batch pods";
}

std::string percent(std::int64_t ppm) { return std::to_string(ppm / 10'000) + "%"; }

/// How many letters must be changed, dropped or added to turn one word into the other.
std::size_t letters_apart(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t corner = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t changed = corner + (a[i - 1] == b[j - 1] ? 0 : 1);
            corner = row[j];
            row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row[b.size()];
}

}  // namespace

std::string earned(std::int64_t cost_units) {
    return earned_minutes(static_cast<double>(cost_units) / model::kCostUnit);
}

std::string earned_minutes(double value) {
    const std::string text = pod_minutes(value);
    return value > 0 && text != "0.0" ? "+" + text : text;
}

std::string when(TimePoint time, bool simulated) {
    return simulated ? print_simulated(time) : print_time(time);
}

std::string intent_text(std::string_view intent) {
    constexpr std::string_view kAgent = "Agent";
    if (!intent.starts_with(kAgent)) return std::string(intent);
    const std::string_view rest = intent.substr(kAgent.size());
    const bool named = rest.size() > 1 && rest[0] >= 'A' && rest[0] <= 'Z' && rest[1] == ':';
    if (!named) return std::string(intent);
    return std::string(1, rest[0]) + " " + std::string(rest.substr(2));
}

std::string span_text(Duration span) {
    const bool whole =
        span.us >= minutes(1).us && span.us < hours(1).us && span.us % minutes(1).us == 0;
    if (whole) return std::to_string(span.us / minutes(1).us) + " min";
    if (span.us < minutes(1).us) return print_duration(span);
    return print_duration({span.us - span.us % seconds(1).us});  // Nobody reads microseconds there.
}

std::string counted(std::int64_t count, std::string_view one, std::string_view many) {
    const std::string plural = many.empty() ? std::string(one) + "s" : std::string(many);
    return thousands(count) + " " + (count == 1 ? std::string(one) : plural);
}

std::string listed(const std::vector<std::string>& words) {
    std::string out;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) out += i + 1 < words.size() ? ", " : " and ";
        out += words[i];
    }
    return out;
}

std::string mode_text(model::Mode mode, bool simulated) {
    std::string text = mode == model::Mode::dry_run ? "dry-run" : std::string(enum_name(mode));
    return simulated ? text + " (simulated)" : text;
}

namespace {

/// "shop/web 6 to 8", "shop/web 6 to 8, app 250m to 500m CPU, 128Mi to 256Mi memory".
std::string scale_wish(const model::Scale& scale, const std::string& name) {
    const auto moves = [](const model::Extent& each) { return each.from != each.to; };
    const auto mebibytes = [](std::int64_t bytes) {
        return std::to_string(bytes / 1'048'576) + "Mi";
    };
    std::vector<std::string> parts;
    if (moves(scale.replicas) || scale.sizes.empty()) {
        parts.push_back(std::to_string(scale.replicas.from) + " to " +
                        std::to_string(scale.replicas.to));
    }
    for (const model::ContainerSize& size : scale.sizes) {
        const std::string whose = size.container.str() + " ";
        if (size.cpu_m && moves(*size.cpu_m)) {
            parts.push_back(whose + std::to_string(size.cpu_m->from) + "m to " +
                            std::to_string(size.cpu_m->to) + "m CPU");
        }
        if (size.memory && moves(*size.memory)) {
            parts.push_back(whose + mebibytes(size.memory->from) + " to " +
                            mebibytes(size.memory->to) + " memory");
        }
    }
    std::string text = name;
    for (std::size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? " " : ", ") + parts[i];
    return text;
}

}  // namespace

std::string wish_text(const model::Action& action, const model::Target& target) {
    if (const auto* admission = std::get_if<model::Admission>(&action)) {
        return admission_wish(admission->decision);
    }
    if (const auto* scale = std::get_if<model::Scale>(&action)) {
        return scale_wish(*scale, text_of(target));
    }
    const bool cluster = std::holds_alternative<model::WholeCluster>(target);
    if (const auto* cap = std::get_if<model::ResourceCap>(&action); cap != nullptr && cluster) {
        return "cap batch pods at " + percent(cap->cpu_ppm);
    }
    if (std::holds_alternative<model::Noop>(action)) return "nothing";
    return wish_of(action, target);
}

std::string wish_text(const model::Proposal& proposal) {
    return wish_text(proposal.action, proposal.target);
}

std::string command_text(const model::Action& action, const model::Target& target) {
    if (const auto* admission = std::get_if<model::Admission>(&action)) {
        return std::string(enum_name(admission->decision));
    }
    const bool cluster = std::holds_alternative<model::WholeCluster>(target);
    return text_of(action) + (cluster ? "" : ":" + text_of(target));
}

Measure measure_of(const model::Evidence& evidence) {
    if (evidence.what.empty()) return Measure::untold;
    if (evidence.measure != Measure::untold) return evidence.measure;
    // Rules before version 8 did not say it, and had these three.
    if (evidence.what == "risk") return Measure::risk;
    return evidence.what == "demand" ? Measure::demand : Measure::count;
}

std::string evidence_text(const model::Evidence& evidence) {
    const Measure measure = measure_of(evidence);
    if (measure == Measure::untold) return "-";
    if (measure == Measure::count) return fixed(evidence.value, 0) + " " + evidence.what;
    if (evidence.bound.empty()) return evidence.what + " " + share_text(evidence.value);
    return evidence.what + " " + beside(evidence.value, evidence.limit).first;
}

std::string bound_text(const model::Evidence& evidence) {
    if (evidence.bound.empty()) return "-";
    if (measure_of(evidence) == Measure::count) {
        return evidence.bound + " " + fixed(evidence.limit, 0);
    }
    const std::string limit = beside(evidence.value, evidence.limit).second;
    return never_reached(evidence.value, evidence.limit) ? limit : evidence.bound + " " + limit;
}

std::string signal_name(Signal signal) {
    switch (signal) {
        case Signal::lease_slow:
        case Signal::lease_lost:
            return "lease";
        case Signal::not_ready:
            return "Ready condition";
        case Signal::pressure:
            return "pressure conditions";
        case Signal::restarts:
            return "restarts";
        case Signal::flaps:
            return "Ready flaps";
        case Signal::pods_unhealthy:
            return "unhealthy pods";
        case Signal::pods_restarted:
            return "restarted pods";
        case Signal::cpu:
            return "CPU use";
        case Signal::memory:
            return "memory use";
        case Signal::disk:
            return "disk use";
        case Signal::net:
            break;
    }
    return "network use";
}

std::vector<std::string> signal_names(model::SignalSet signals) {
    std::vector<std::string> names;
    for (std::uint8_t i = 0; i <= static_cast<std::uint8_t>(Signal::net); ++i) {
        const auto signal = static_cast<Signal>(i);
        if (!signals.has(signal)) continue;
        std::string name = signal_name(signal);
        if (names.empty() || names.back() != name) names.push_back(std::move(name));
    }
    return names;
}

std::string nearest_name(std::string_view word, std::span<const std::string> known) {
    constexpr std::size_t kLongest = 64;  // Longer words are never a misspelt name.
    if (word.size() > kLongest) return {};
    std::string best;
    std::size_t least = std::max<std::size_t>(2, word.size() / 2);
    for (const std::string& name : known) {
        if (name.size() > kLongest) continue;
        const std::size_t apart = letters_apart(word, name);
        if (apart >= least) continue;
        least = apart;
        best = name;
    }
    return best;
}

std::string node_name(const model::Snapshot& snapshot, Slot slot) {
    const model::NodeRow* node = snapshot.nodes.find(slot);
    return node != nullptr ? node->id.text() : "node ?";
}

std::string power_text(model::Power power) {
    return power == model::Power::sleep ? "asleep" : std::string(enum_name(power));
}

Slot slot_of(const model::Snapshot& snapshot, model::NodeId id) {
    Slot found = kNoSlot;
    snapshot.nodes.for_each([&](Slot slot, const model::NodeRow& node) {
        if (node.id == id) found = slot;
    });
    return found;
}

const model::NodeForecast* forecast_of(const model::Forecast& forecast, Slot slot) {
    // Nodes are sorted by slot, so a node is at the index of its slot or, for each free slot before
    // it, one earlier. Searching backwards from there saves a search from the start for each node.
    const auto& nodes = forecast.nodes;
    const auto place = static_cast<std::ptrdiff_t>(std::min<std::size_t>(slot, nodes.size()));
    const auto is_it = [&](const model::NodeForecast& each) { return each.node == slot; };
    if (place < std::ssize(nodes) && is_it(nodes[static_cast<std::size_t>(place)])) {
        return &nodes[static_cast<std::size_t>(place)];
    }
    const auto before = std::find_if(nodes.rend() - place, nodes.rend(), is_it);
    if (before != nodes.rend()) return &*before;
    const auto behind = std::find_if(nodes.begin() + place, nodes.end(), is_it);
    return behind == nodes.end() ? nullptr : &*behind;
}

const char* gap_text(model::Gap gap) {
    switch (gap) {
        case model::Gap::not_reported:
            return "not reported";
        case model::Gap::source_failed:
            return "its source failed";
        case model::Gap::too_old:
            return "too old";
        case model::Gap::from_future:
            return "measured later than now";
        case model::Gap::sampled_twice:
            return "sampled twice";
        case model::Gap::empty_sample:
            return "neither CPU nor memory at once";
        case model::Gap::implausible:
            break;
    }
    return "implausible";
}

bool rejected(model::Gap gap) {
    switch (gap) {
        case model::Gap::not_reported:
        case model::Gap::source_failed:
        case model::Gap::too_old:
            return false;
        default:
            return true;
    }
}

std::string sample_gap_text(model::Gap gap) {
    return (rejected(gap) ? "rejected: " : "") + std::string(gap_text(gap));
}

std::string rejection_of(const model::NodeRow& node) {
    for (const model::Reading<std::int64_t>* reading : {&node.cpu_used_m, &node.memory_used}) {
        const model::Gap* gap = reading->gap();
        if (gap != nullptr && rejected(*gap)) return sample_gap_text(*gap);
    }
    return {};
}

std::string layer_text(std::int32_t layer) {
    constexpr const char* kLayers[] = {"observation", "prediction", "proposal",
                                       "arbitration", "execution",  "explanation"};
    if (layer < 1 || layer > 6) return "the stimulus";
    return "layer " + std::to_string(layer) + ", " + kLayers[layer - 1];
}

std::string alarm_text(const model::Alarm& alarm) {
    return without_stop(alarm.sentence) + "; suspect " + layer_text(alarm.layer);
}

std::string without_stop(std::string sentence) {
    if (sentence.ends_with('.')) sentence.pop_back();
    return sentence;
}

}  // namespace parley::explanation
