#include "layers/explanation/telling/surroundings.h"

#include "base/number.h"
#include "base/time_text.h"
#include "layers/explanation/wording/wording.h"
#include "model/sources.h"
#include "model/utilisation.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace parley::explanation {

using namespace model;

namespace {

constexpr std::size_t kNamed = 3;  // In a sentence; the rest are counted.

/// A pod counts by the first of its causes in this list: those that more room would not end come
/// first.
constexpr std::array<std::pair<Cause, const char*>, 19> kCauses = {{
    {Cause::selector, "selector"},
    {Cause::impossible, "no node could ever hold them"},
    {Cause::our_hold, "our gate"},
    {Cause::other_gate, "another's gate"},
    {Cause::other_scheduler, "another scheduler"},
    {Cause::volume, "volume"},
    {Cause::claim, "device claim"},
    {Cause::config, "missing configuration"},
    {Cause::dead_node, "node that does not answer"},
    {Cause::cpu, "CPU"},
    {Cause::memory, "memory"},
    {Cause::pods, "places on nodes"},
    {Cause::resource, "another resource"},
    {Cause::port, "port of the host"},
    {Cause::taint, "taint"},
    {Cause::affinity, "affinity"},
    {Cause::image, "image"},
    {Cause::restart, "another start after a crash"},
    {Cause::unknown, "unknown"},
}};
constexpr std::size_t kStarting = kCauses.size();

std::size_t cause_of(const Snapshot& snapshot, const PendingGroup& group) {
    const WorkloadRow* row = snapshot.workloads.find(group.workload);
    if (row != nullptr && row->deliberate) return 0;
    for (std::size_t i = 0; i < kCauses.size(); ++i) {
        if (group.causes.has(kCauses[i].first)) return i;
    }
    return kStarting;
}

bool without_snapshot(const Told& told) {
    return told.input.snapshot.round == 0 && told.input.snapshot.nodes.empty();
}

std::string named(std::vector<std::string> names) {
    std::ranges::sort(names);
    const std::size_t more = names.size() > kNamed ? names.size() - kNamed : 0;
    if (more > 0) {
        names.resize(kNamed);
        names.push_back(std::to_string(more) + " more");
    }
    return listed(names);
}

/// Forecasts with a known risk, the highest first, then by name.
std::vector<const NodeForecast*> by_risk(const Told& told) {
    std::vector<const NodeForecast*> nodes;
    for (const NodeForecast& node : told.decision.forecast.nodes) {
        if (node.risk && told.input.snapshot.nodes.has(node.node)) nodes.push_back(&node);
    }
    const auto& rows = told.input.snapshot.nodes;
    std::ranges::sort(nodes, [&](const NodeForecast* a, const NodeForecast* b) {
        if (*a->risk != *b->risk) return *a->risk > *b->risk;
        return rows.at(a->node).id < rows.at(b->node).id;
    });
    return nodes;
}

std::string source_text(const RoundInput& input, const SourceState& state) {
    const std::string name(enum_name(state.source));
    if (state.condition == SourceCondition::failed) {
        return name + " FAILED" + (state.reason.empty() ? "" : ": " + state.reason);
    }
    const bool nothing = nothing_yet(state);
    std::string text =
        name + " " + (nothing ? "nothing yet" : print_age(input.now - state.last_success));
    if (!nothing && state.condition == SourceCondition::late) {
        text += " LATE (limit " + print_age(state.limit) + ")";
    }
    if (state.expected > 0 && state.covered < state.expected) {
        text += ", " + std::to_string(state.covered) + " of " + std::to_string(state.expected) +
                " nodes";
    }
    return text;
}

/// Why there is no usable sample of a node; empty: there is one.
std::string sample_gap(const NodeRow& node, TimePoint now, Duration age_max) {
    for (const Reading<std::int64_t>* reading : {&node.cpu_used_m, &node.memory_used}) {
        if (const Gap* gap = reading->gap()) return sample_gap_text(*gap);
        if (reading->fresh(now, age_max) == nullptr) return gap_text(Gap::too_old);
    }
    return {};
}

void add_samples(const Told& told, std::vector<std::string>& out) {
    std::map<std::string, std::vector<std::string>> nodes;
    std::size_t all = 0;
    told.input.snapshot.nodes.for_each([&](Slot, const NodeRow& node) {
        if (node.power != Power::on) return;
        ++all;
        std::string gap = sample_gap(node, told.input.now, told.policy.guard.metrics_age_max);
        if (!gap.empty()) nodes[std::move(gap)].push_back(node.id.text());
    });
    for (const auto& [gap, names] : nodes) {
        const std::string who =
            names.size() == all ? "all " + counted(std::ssize(names), "node") : named(names);
        out.push_back("CPU and memory use of " + who + " (" + gap + ")");
    }
}

void add_signals(const Told& told, std::vector<std::string>& out) {
    std::map<std::string, std::vector<std::string>> nodes;
    std::int64_t unknown = 0;
    for (const NodeForecast& node : told.decision.forecast.nodes) {
        if (!node.risk) ++unknown;
        for (std::string& name : signal_names(node.missing)) {
            if (name == signal_name(Signal::cpu) || name == signal_name(Signal::memory)) continue;
            nodes[std::move(name)].push_back(node_name(told.input.snapshot, node.node));
        }
    }
    const auto all = told.decision.forecast.nodes.size();
    if (unknown > 0) {
        out.push_back("the risk of " + std::to_string(unknown) + " of " +
                      counted(std::ssize(told.decision.forecast.nodes), "node"));
        return;  // That follows from the sources named before.
    }
    for (const auto& [signal, names] : nodes) {
        const std::string who =
            names.size() == all ? "all " + counted(std::ssize(names), "node") : named(names);
        out.push_back(signal + " of " + who);
    }
}

/// Nothing: not known.
std::optional<std::string> percent_of(const Reading<std::int64_t>& used, std::int64_t whole,
                                      const Told& told) {
    const std::int64_t* value = used.fresh(told.input.now, told.policy.guard.metrics_age_max);
    if (value == nullptr) return std::nullopt;
    const auto share = share_of(*value, whole);
    if (!share) return std::nullopt;
    return fixed(*share * 100, 0) + "%";
}

std::string ready_text(const NodeRow& node, TimePoint now) {
    const std::string age = print_age(now - node.ready_since);
    if (node.power != Power::on) return std::string(enum_name(node.power));
    if (node.ready == Readiness::yes) return age;
    return (node.ready == Readiness::no ? "NotReady " : "unknown ") + age;
}

NodeWord word_of(const Told& told, const NodeRow& node, const NodeForecast& believed) {
    const auto cpu = percent_of(node.cpu_used_m, node.cpu_allocatable_m, told);
    const auto memory = percent_of(node.memory_used, node.memory_allocatable, told);
    NodeWord word{.node = node.id.text(),
                  .ready = ready_text(node, told.input.now),
                  .cpu = cpu.value_or("?"),
                  .memory = memory.value_or("?"),
                  .pods = std::to_string(node.pods),
                  .measured = cpu && memory};
    const TimePoint* lease = node.lease.value();
    word.lease = lease != nullptr ? print_age(told.input.now - *lease) : "?";
    const auto least = std::ranges::min_element(believed.remedies, {}, &Remedy::limit);
    word.weighed = least->kind != ActionKind::noop;
    word.acting = word.weighed ? pod_minutes(least->cost) : "-";
    if (!believed.risk) {
        word.risk = "?";
        word.waiting = "?";
        word.limit = believed.limit > 1 ? "never" : share_text(believed.limit);
        return word;
    }
    std::tie(word.risk, word.limit) = beside(*believed.risk, believed.limit);
    word.waiting = pod_minutes(*believed.risk * believed.loss);
    word.over = *believed.risk > believed.limit;
    word.pays = word.over;
    word.risk_value = *believed.risk;
    return word;
}

}  // namespace

std::vector<PendingWord> pending_words(const Snapshot& snapshot) {
    std::array<std::int64_t, kStarting + 1> counts{};
    std::int64_t without_cause = 0;  // Those that nothing keeps from starting are in no group.
    snapshot.workloads.for_each(
        [&](Slot, const WorkloadRow& row) { without_cause += row.pending; });
    for (const PendingGroup& group : snapshot.pending) {
        if (group.causes.has(Cause::restart)) continue;  // They have started once already.
        counts[cause_of(snapshot, group)] += group.count;
        without_cause -= group.count;
    }
    counts[kStarting] += std::max<std::int64_t>(0, without_cause);
    std::vector<std::pair<std::int64_t, std::size_t>> order;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] > 0) order.emplace_back(-counts[i], i);
    }
    std::ranges::sort(order);
    std::vector<PendingWord> words;
    for (const auto& [count, i] : order) {
        PendingWord word{.text = "starting", .count = -count};
        if (i != kStarting) {
            word.cause = kCauses[i].first;
            word.text = kCauses[i].second;
        }
        words.push_back(std::move(word));
    }
    return words;
}

Waiting waiting_of(const Snapshot& snapshot, const PendingGroup& group, TimePoint now) {
    const std::size_t cause = cause_of(snapshot, group);
    const WorkloadRow* row = snapshot.workloads.find(group.workload);
    std::string text = counted(group.count, "pod waits", "pods wait");
    if (cause == kStarting) {
        text += ", starting";
    } else if (kCauses[cause].first == Cause::selector) {
        text += row != nullptr && row->deliberate ? " by a selector that no node matches"
                                                  : " for a node that their selector asks for";
    } else {
        text += std::string(kCauses[cause].first == Cause::impossible ? ": " : " for ") +
                kCauses[cause].second;
    }
    if (group.oldest.us > 0) text += ", since " + print_age(now - group.oldest);
    if (!group.says.empty()) text += "; said of one: " + without_stop(group.says);
    return {row != nullptr ? row->id.text() : "pods of nobody", std::move(text)};
}

std::vector<std::string> waiting_lines(const Told& told, std::size_t count) {
    const Snapshot& snapshot = told.input.snapshot;
    std::vector<const PendingGroup*> groups;
    for (const PendingGroup& group : snapshot.pending) {
        if (group.count > 0) groups.push_back(&group);
    }
    // First those that more room would not help: they wait for a person.
    std::ranges::sort(groups, {}, [&](const PendingGroup* group) {
        return std::tuple(cause_of(snapshot, *group), -group->count, group->workload,
                          group->causes.bits);
    });
    std::vector<std::string> out;
    for (const PendingGroup* group : groups) {
        if (out.size() == count) {
            out.push_back("and " + counted(std::ssize(groups) - std::ssize(out), "more group") +
                          " of pods");
            break;
        }
        const Waiting each = waiting_of(snapshot, *group, told.input.now);
        out.push_back(each.who + ": " + each.what);
    }
    return out;
}

std::string pending_line(const Snapshot& snapshot) {
    const auto words = pending_words(snapshot);
    std::int64_t all = 0;
    for (const PendingWord& word : words) all += word.count;
    std::string text = thousands(all) + " pending";
    const char* before = ": ";
    for (const PendingWord& word : words) {
        text += before + thousands(word.count) + " " + word.text;
        before = ", ";
    }
    return text;
}

std::string cluster_line(const Told& told) {
    if (without_snapshot(told)) return "? (this record keeps decisions only)";
    const Snapshot& snapshot = told.input.snapshot;
    const SourceState* api = state_of(snapshot, Source::api);
    if (snapshot.nodes.empty() && api != nullptr && nothing_yet(*api)) {
        return "not known: " + source_text(told.input, *api);
    }
    std::int64_t ready = 0;
    std::int64_t asleep = 0;
    snapshot.nodes.for_each([&](Slot, const NodeRow& node) {
        if (node.power != Power::on) {
            ++asleep;
        } else if (node.ready == Readiness::yes) {
            ++ready;
        }
    });
    const std::int64_t on = static_cast<std::int64_t>(snapshot.nodes.size()) - asleep;
    std::string text = ready == on ? counted(on, "node") + " Ready"
                                   : thousands(ready) + " of " + counted(on, "node") + " Ready";
    if (asleep > 0) text += ", " + thousands(asleep) + " powered down";
    const auto pods = static_cast<std::int64_t>(snapshot.pods.size());
    return text + ", " + counted(pods, "pod") + ", " + pending_line(snapshot);
}

std::string risk_line(const Told& told, std::size_t count) {
    if (without_snapshot(told)) return "? (this record keeps decisions only)";
    const auto nodes = by_risk(told);
    std::string text;
    for (std::size_t i = 0; i < nodes.size() && i < count; ++i) {
        const auto [risk, limit] = beside(*nodes[i]->risk, nodes[i]->limit);
        text += (i > 0 ? "   " : "") + node_name(told.input.snapshot, nodes[i]->node) + " " + risk;
        if (i > 0 && !(*nodes[i]->risk > nodes[i]->limit)) continue;
        const bool never = never_reached(*nodes[i]->risk, nodes[i]->limit);
        text += never ? " (never acts)" : " (acts above " + limit + ")";
    }
    const std::size_t unknown = told.decision.forecast.nodes.size() - nodes.size();
    if (unknown > 0) {
        text += (text.empty() ? "" : "   ") + std::string("unknown for ") +
                counted(static_cast<std::int64_t>(unknown), "node");
    }
    return text.empty() ? "no nodes" : text;
}

std::vector<SourceWord> source_words(const RoundInput& input) {
    std::vector<SourceWord> words;
    for (const SourceState& state : input.snapshot.sources) {
        if (state.condition == SourceCondition::off) continue;
        words.push_back({.source = state.source,
                         .late = state.condition != SourceCondition::ok,
                         .text = source_text(input, state)});
    }
    return words;
}

std::string sources_line(const RoundInput& input) {
    std::string text;
    for (const SourceWord& word : source_words(input))
        text += (text.empty() ? "" : "  ") + word.text;
    return text.empty() ? "?" : text;
}

std::vector<std::string> missing_readings(const Told& told) {
    std::vector<std::string> out;
    if (without_snapshot(told)) return out;
    const Controls& controls = told.input.controls;
    if (!controls.ledger_unread.empty()) {
        out.push_back("the ledger (" + controls.ledger_unread + ")");
    } else if (!controls.ledger_unstored.empty()) {
        out.push_back("the ledger in the round before (" + controls.ledger_unstored + ")");
    }
    for (const SourceState& state : told.input.snapshot.sources) {
        const bool poor =
            state.condition == SourceCondition::late || state.condition == SourceCondition::failed;
        if (!poor) continue;
        out.push_back(why_silent(told.input.snapshot, state.source, told.input.now, state.limit));
    }
    add_samples(told, out);
    add_signals(told, out);
    const Duration age_max = told.policy.guard.api_age_max;
    if (told.input.snapshot.queue.fresh(told.input.now, age_max) == nullptr) {
        out.push_back("how many pods wait");
    }
    return out;
}

std::vector<std::string> assumed(const Told& told) {
    std::vector<std::string> out;
    const Snapshot& snapshot = told.input.snapshot;
    const std::int64_t* price = snapshot.energy_price_ppm.value();
    if (price != nullptr && snapshot.energy_price_ppm.from().origin == Origin::assumed) {
        out.push_back("energy price =" + fixed(static_cast<double>(*price) / 1e6, 2) +
                      " (configuration)");
    }
    std::int64_t estimated_mw = 0;
    snapshot.nodes.for_each([&](Slot, const NodeRow& node) {
        const std::int64_t* power = node.power_mw.value();
        if (power != nullptr && node.power_mw.from().origin == Origin::estimated) {
            estimated_mw += *power;
        }
    });
    if (estimated_mw > 0) {
        out.push_back("power ~" + thousands(estimated_mw / 1000) + " W (" +
                      told.policy.power.source + ")");
    }
    std::int64_t startups = 0;
    snapshot.workloads.for_each([&](Slot, const WorkloadRow& row) {
        if (!row.batch && row.startup_p95.value() == nullptr) ++startups;
    });
    if (startups > 0) {
        out.push_back("start-up =" + print_duration(told.policy.stakes.startup_assumed) + " of " +
                      counted(startups, "workload") + " (stakes.startup_assumed)");
    }
    return out;
}

std::vector<NodeWord> nodes_worth_a_look(const Told& told, std::size_t count) {
    std::vector<NodeWord> words;
    for (const NodeForecast& believed : told.decision.forecast.nodes) {
        const NodeRow* node = told.input.snapshot.nodes.find(believed.node);
        if (node != nullptr) words.push_back(word_of(told, *node, believed));
    }
    for (const Disagreement& each : told.decision.disagreements) {
        const auto* node = std::get_if<NodeId>(&each.about);
        if (node == nullptr) continue;
        const auto word = std::ranges::find(words, node->text(), &NodeWord::node);
        if (word != words.end()) word->differs = true;
    }
    std::ranges::sort(words, {}, [](const NodeWord& w) {
        return std::tuple(!w.over, !w.differs, -w.risk_value, w.node);
    });
    if (words.size() > count) words.resize(count);
    return words;
}

}  // namespace parley::explanation
