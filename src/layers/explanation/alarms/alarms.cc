#include "layers/explanation/alarms/alarms.h"

#include "base/number.h"
#include "base/time_text.h"
#include "layers/explanation/alarms/disagreements.h"
#include "layers/explanation/alarms/risk_alarms.h"
#include "layers/explanation/alarms/stimulus_effect.h"
#include "layers/explanation/wording/alarm_count.h"
#include "layers/explanation/wording/wording.h"
#include "model/differences.h"
#include "model/sources.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

namespace parley::explanation {

using namespace model;

namespace {

constexpr std::uint64_t kNotYet = ~std::uint64_t{0};  // Never raised, however many rounds it holds.

/// A condition that holds in this round and may become an alarm.
struct Suspicion {
    AlarmKind kind = AlarmKind::no_samples;
    Target about = WholeCluster{};
    std::int32_t layer = 1;
    std::uint64_t raised_after = 1;  ///< Rounds in a row.
    std::string sentence;
    std::uint64_t rounds = 0;        ///< 0: counted here.
    bool anew = false;               ///< What was counted before was about something else.
    std::optional<TimePoint> since;  ///< Nothing: since the counting began.
};

/// What is being counted for a kind and target; null: nothing.
const Alarm* counting(const Derived& derived, AlarmKind kind, const Target& about) {
    for (const Alarm& alarm : derived.alarms) {
        if (alarm.kind == kind && alarm.about == about) return &alarm;
    }
    return nullptr;
}

// (a) A source reads ok, yet samples are missing.

struct Silence {
    std::vector<NodeId> nodes;
    std::int32_t longest = 0;
    std::vector<std::string> rejections;  ///< Reasons for samples that came and were rejected.
};

/// "has had no sample for 10 rounds", or why the samples that came were rejected.
std::string silence_text(const Silence& silence) {
    const bool one = silence.nodes.size() == 1;
    const std::string span = (one ? "" : "up to ") + std::to_string(silence.longest) + " rounds";
    if (silence.rejections.empty()) {
        return (one ? " has had no sample for " : " nodes have had no sample for ") + span;
    }
    if (silence.rejections.size() < silence.nodes.size()) {
        return " nodes have had no sample that could be used for " + span + ", " +
               std::to_string(silence.rejections.size()) + " of them " + silence.rejections.front();
    }
    return (one ? " has had every sample for " : " nodes have had every sample for ") + span + " " +
           silence.rejections.front();
}

Silence silence_of(const RoundInput& input, const Derived& derived) {
    Silence found;
    input.snapshot.nodes.for_each([&](Slot slot, const NodeRow& node) {
        const NodeFold* fold = derived.nodes.find(slot);
        if (fold == nullptr || fold->uid != node.uid || fold->silent < kSilentRounds) return;
        if (node.ready != Readiness::yes) return;  // A lost node cannot report anything.
        found.nodes.push_back(node.id);
        found.longest = std::max(found.longest, fold->silent);
        if (std::string why = rejection_of(node); !why.empty()) {
            found.rejections.push_back(std::move(why));
        }
    });
    std::ranges::sort(found.nodes);
    return found;
}

void suspect_observation(const RoundInput& input, const Derived& derived,
                         std::vector<Suspicion>& out) {
    constexpr std::size_t kNamed = 3;
    const SourceState* metrics = state_of(input.snapshot, Source::metrics);
    if (metrics == nullptr || metrics->condition != SourceCondition::ok) return;
    const Silence silence = silence_of(input, derived);
    if (silence.nodes.empty()) return;
    Suspicion found{.kind = AlarmKind::no_samples, .layer = 1};
    if (silence.nodes.size() == 1) {
        found.about = silence.nodes.front();
        found.sentence =
            "metrics reads ok, but " + silence.nodes.front().text() + silence_text(silence);
    } else {
        std::vector<std::string> names;
        for (const NodeId& node : silence.nodes) {
            if (names.size() < kNamed) names.push_back(node.text());
        }
        if (silence.nodes.size() > kNamed) {
            names.push_back(std::to_string(silence.nodes.size() - kNamed) + " more");
        }
        found.sentence = "metrics reads ok, but " + std::to_string(silence.nodes.size()) +
                         silence_text(silence) + ": " + listed(names);
    }
    found.rounds = static_cast<std::uint64_t>(silence.longest);
    found.since = input.now - derived.step * (silence.longest - 1);
    out.push_back(std::move(found));
}

/// Our clock was set. Ages of what we saw before are right, by the time since boot, but time stamps
/// of others may be misread until they speak again.
void suspect_clock(const RoundInput& input, const Derived& derived, std::vector<Suspicion>& out) {
    const Alarm* before = counting(derived, AlarmKind::clock_stepped, WholeCluster{});
    const bool now = input.stepped != Duration{};
    if (!now && before == nullptr) return;
    const std::string unheard = unheard_since(input.snapshot, derived.stepped);
    if (!now && unheard.empty()) return;
    Suspicion found{.kind = AlarmKind::clock_stepped, .layer = 1, .anew = now};
    if (now) {
        const bool back = input.stepped.us < 0;
        found.sentence = "our clock was set " + std::string(back ? "back" : "forward") + " by " +
                         print_age(back ? Duration{} - input.stepped : input.stepped) +
                         "; ages go on as if it had not been, and nothing disruptive is done until "
                         "every source has spoken again";
    } else {
        found.sentence = before->sentence;
    }
    out.push_back(std::move(found));
}

/// Two sources disagree about the same figure: over all nodes, or for one.
void suspect_sources(const RoundInput& input, const Derived& derived, std::vector<Suspicion>& out) {
    constexpr AlarmKind kKind = AlarmKind::sources_contradict;
    if (!derived.contradictions.empty()) {
        const Contradiction& all = derived.contradictions.front();
        const Alarm* before = counting(derived, kKind, WholeCluster{});
        std::string text = differences_text(input.snapshot);
        if (text.empty() && before != nullptr) text = before->sentence;
        const Duration lasts = kContradictLasts + (all.loose ? kLooseLasts : Duration{});
        out.push_back({.kind = kKind,
                       .raised_after = input.now - all.since < lasts ? kNotYet : 2,
                       .sentence = std::move(text),
                       .since = all.since});
        return;
    }
    input.snapshot.nodes.for_each([&](Slot, const NodeRow& node) {
        const NodeDifference each = compare(node);
        if (!each.differs && each.comparable()) return;
        const Alarm* before = counting(derived, kKind, node.id);
        // While they cannot be compared it expires, like the difference over all nodes.
        if (!each.differs && (before == nullptr || before->rounds <= 1)) return;
        const TimePoint since = before != nullptr ? before->since : input.now;
        out.push_back({.kind = kKind,
                       .about = node.id,
                       .raised_after = input.now - since < kDifferLasts * 2 ? kNotYet : 2,
                       .sentence = "metrics and prometheus say different things of " +
                                   node.id.text() + ", and have for " +
                                   print_age(input.now - since),
                       .rounds = each.differs ? 0 : before->rounds - 1});
    });
}

/// No source delivers measurements although some were configured.
void suspect_silence(const RoundInput& input, const Policy& policy, const Derived& derived,
                     std::vector<Suspicion>& out) {
    std::string why;
    for (const Source each : {Source::metrics, Source::prometheus}) {
        const SourceState* state = state_of(input.snapshot, each);
        if (state == nullptr || state->condition == SourceCondition::off) continue;
        const Duration limit = policy.guard.metrics_age_max;
        if (delivers(input.snapshot, each, input.now, limit)) return;
        why += (why.empty() ? "" : "; ") + why_silent(input.snapshot, each, input.now, limit);
    }
    if (why.empty()) return;
    const Alarm* before = counting(derived, AlarmKind::sources_failed, WholeCluster{});
    const Duration lasts = before != nullptr ? input.now - before->since : Duration{};
    out.push_back({.kind = AlarmKind::sources_failed,
                   .raised_after = lasts < kSourcesFailedFor ? kNotYet : 2,
                   .sentence = "nothing measured has come for " + print_age(lasts) + ": " + why});
}

// (b) Decision and inputs unchanged, yet the cost moved.

/// A hash of values in a fixed order (FNV-1a, 64 bits).
class Fingerprint {
public:
    void add(std::uint64_t value) {
        for (int byte = 0; byte < 8; ++byte) {
            hash_ = (hash_ ^ ((value >> (8 * byte)) & 0xFFU)) * 0x0000'0100'0000'01b3ULL;
        }
    }
    void add_signed(std::int64_t value) { add(static_cast<std::uint64_t>(value)); }
    /// Adds only the order of magnitude and the next two bits: measured values always vary.
    void add_roughly(const std::int64_t* value) {
        add(value != nullptr ? 1 : 0);
        if (value == nullptr) return;
        const auto size = static_cast<std::uint64_t>(std::max<std::int64_t>(*value, 0));
        const int drop = std::max(0, static_cast<int>(std::bit_width(size)) - 3);
        add((size >> drop) << drop);
    }
    std::uint64_t value() const { return hash_; }

private:
    std::uint64_t hash_ = 0xcbf2'9ce4'8422'2325ULL;
};

/// What a decision rests on, by slot: conditions exactly, measured use and load roughly. A slot
/// belongs to one object for as long as that lives.
std::uint64_t inputs_of(const RoundInput& input, const Forecast& forecast,
                        const std::vector<LineGap>& uncounted) {
    Fingerprint print;
    const Snapshot& snapshot = input.snapshot;
    snapshot.nodes.for_each([&](Slot slot, const NodeRow& node) {
        print.add(slot);
        print.add(node.uid.low);
        print.add(static_cast<std::uint64_t>(node.ready) << 8 |
                  static_cast<std::uint64_t>(node.power) << 4 | (set_aside(node) ? 1U : 0U) |
                  (node.quarantined ? 2U : 0U) | (node.avoided ? 4U : 0U));
        print.add_signed(node.pods);
        print.add_signed(node.cpu_requested_m);
        print.add_signed(node.memory_requested);
        print.add_signed(node.clock_ppm);
        print.add_roughly(node.cpu_used_m.value());
    });
    snapshot.workloads.for_each([&](Slot slot, const WorkloadRow& row) {
        print.add(slot);
        print.add_signed(row.wanted);
        print.add_signed(row.ready);
        print.add_signed(row.pending);
        print.add_roughly(row.requests_milli.value());
        if (row.held > 0) print.add_signed(row.held);
        if (row.failing_milli.value() != nullptr) print.add_roughly(row.failing_milli.value());
    });
    for (const SourceState& source : snapshot.sources) {
        print.add(static_cast<std::uint64_t>(source.condition));
    }
    print.add_signed(static_cast<std::int64_t>(snapshot.restarts.size()));
    if (!snapshot.disruptions.empty()) print.add(snapshot.disruptions.size());
    // A cost of other lines is another cost.
    for (const LineGap& gap : uncounted) {
        print.add(static_cast<std::uint64_t>(gap.line));
        print.add_signed(gap.without);
    }
    print.add_signed(snapshot.stimulus ? snapshot.stimulus->since.us : 0);
    print.add(forecast.danger ? 1 : 0);
    print.add(static_cast<std::uint64_t>(input.controls.mode));
    return print.value();
}

std::string label_of(const Verdict& verdict) {
    const Proposal* winner = chosen(verdict);
    if (winner == nullptr) return "idle";
    return model::label_of(winner->role, winner->action) + " " + text_of(winner->target);
}

std::int64_t median(std::vector<std::int64_t> values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

/// By how much the cost usually moves: the twin's usual error if there is one, but at least the
/// usual change from round to round (in the simulator the twin makes no error).
std::int64_t usual_move(const Derived& derived) {
    return std::max(median(derived.twin_errors), median(derived.cost_moves));
}

void keep_move(std::int64_t move, Derived& derived) {
    derived.cost_moves.push_back(move);
    if (derived.cost_moves.size() > kCostMovesKept) {
        derived.cost_moves.erase(derived.cost_moves.begin());
    }
}

/// While nothing else changes, the round before the move is what later ones are compared with. A
/// node that has failed costs something at once and shows it only when its lease is old, so the
/// alarm waits as long as that takes.
void suspect_backend(const RoundInput& input, const Forecast& forecast, const Verdict& verdict,
                     const RoundScore& score, const Policy& policy, Derived& derived,
                     std::vector<Suspicion>& out) {
    LastRound now{.label = label_of(verdict),
                  .inputs = inputs_of(input, forecast, score.uncounted),
                  .cost = score.cost.total()};
    if (const std::int64_t* queue = input.snapshot.queue.value()) now.queue = *queue;
    const LastRound last = derived.last;
    const std::int64_t move = now.cost > last.cost ? now.cost - last.cost : last.cost - now.cost;
    // The cost of a round that settles earlier ones includes theirs.
    const bool whole = !derived.jumped && score.missing == 0 && score.settled == 0;
    const bool comparable = whole && !last.label.empty();
    const bool unchanged = now.label == last.label && now.inputs == last.inputs;
    const std::int64_t usual = usual_move(derived);
    const std::int64_t level = std::max(now.cost, last.cost);
    const bool moved = move >= kCostMoveLeast && move > level / kCostMoveOneIn &&
                       move > kUsualTimes * usual && derived.cost_moves.size() >= kCostMovesLeast;
    if (comparable && unchanged && moved) {
        const auto shown = [](std::int64_t cost) {
            return fixed(static_cast<double>(cost) / kCostUnit, 2);
        };
        const Alarm* before = counting(derived, AlarmKind::score_unexplained, WholeCluster{});
        const Duration lasts = before != nullptr ? input.now - before->since : Duration{};
        out.push_back({.kind = AlarmKind::score_unexplained,
                       .layer = 5,
                       .raised_after = lasts < policy.stakes.detection ? kNotYet : kCostRounds,
                       .sentence = "decision and inputs are unchanged, yet a round costs " +
                                   shown(now.cost) + " pod-minutes, not " + shown(last.cost) +
                                   "; it usually moves by " + shown(usual)});
        return;
    }
    if (comparable) keep_move(move, derived);
    if (!whole) now.label.clear();  // A partial cost cannot be compared.
    derived.last = std::move(now);
}

// (c) What the exerciser meant to move did not.

/// Layer 1 counts the queue, by a filter of ours.
constexpr std::int32_t kFilterLayer = 1;

/// Counted from the start of a phase, so that an effect that came and went counts. A phase whose
/// effect our filter hides had one: then the filter is to blame while it hides something, and
/// nobody after that.
void suspect_stimulus(const RoundInput& input, const Policy& policy, const Derived& derived,
                      std::vector<Suspicion>& out) {
    const auto& stimulus = input.snapshot.stimulus;
    if (!stimulus || stimulus->moves == Quantity::none) return;
    const Duration since = input.now - stimulus->since;
    const Alarm* before = counting(derived, AlarmKind::stimulus_without_effect, WholeCluster{});
    const bool goes_on = before != nullptr && before->since >= stimulus->since;
    if (!goes_on && since > std::max(kStimulusTakes, derived.step)) return;
    const auto amount = amount_of(stimulus->moves, input, policy);
    if (!amount || *amount != stimulus->before) return;
    const Hidden hidden = hidden_by_filter(*stimulus, input, policy);
    const bool hides = hidden.pods > 0;
    const bool hid = goes_on && before->layer == kFilterLayer;
    const bool not_yet = since < kStimulusTakes || (hid && !hides);
    out.push_back({.kind = AlarmKind::stimulus_without_effect,
                   .layer = hides || hid ? kFilterLayer : 0,
                   .raised_after = not_yet ? kNotYet : kStimulusRounds,
                   .sentence = moved_nothing_text(*stimulus, hidden, since),
                   .anew = !goes_on});
}

// (d) An action is complete, yet its node is no better.

/// Whether a pod that could have been moved stands on the node and is not well.
bool holds_unhealthy(const Snapshot& snapshot, Slot node) {
    bool found = false;
    snapshot.pods.for_each_glance([&](Slot, const PodRow::Glance& pod) {
        if (pod.node != node || pod.ready || pod.leaves() || !pod.evictable) return;
        const WorkloadRow* row = snapshot.workloads.find(pod.workload);
        found = found ||
                (row != nullptr && !row->protect && !row->quorum &&
                 row->id.kind != WorkloadKind::daemon_set && row->id.kind != WorkloadKind::bare);
    });
    return found;
}

/// What a remedy should have ended. Emptying a node does not make it well: there only pods count
/// that should have left it, and on a lost node not even these.
const char* trouble_of(const OpenAction& action, const Snapshot& snapshot,
                       const NodeForecast& believed) {
    if (!std::holds_alternative<Migrate>(action.action)) {
        const bool over = believed.risk && *believed.risk > believed.limit;
        return over ? "its risk is over its own limit" : nullptr;
    }
    const NodeRow& node = snapshot.nodes.at(believed.node);
    const bool holds = node.ready == Readiness::yes && node.pods_unhealthy > 0 &&
                       holds_unhealthy(snapshot, believed.node);
    return holds ? "pods that it was to move are unhealthy on it" : nullptr;
}

/// Counted while the action may still help, so that new trouble is not blamed on it.
void suspect_execution(const RoundInput& input, const Forecast& forecast, const Memory& memory,
                       std::vector<Suspicion>& out) {
    for (const OpenAction& action : memory.ledger.open) {
        const auto* id = std::get_if<NodeId>(&action.target);
        const bool complete = action.state == ActionState::confirmed && !action.undoing;
        if (id == nullptr || !complete || action.role != Role::safety) continue;
        const Duration since = input.now - action.confirmed;
        const Alarm* before =
            counting(memory.derived, AlarmKind::done_but_unhealthy, action.target);
        const bool goes_on = before != nullptr && before->since >= action.confirmed;
        if (action.confirmed == TimePoint{} || (!goes_on && since > kHealingTakes)) continue;
        const Slot slot = slot_of(input.snapshot, *id);
        const NodeRow* node = input.snapshot.nodes.find(slot);
        const NodeForecast* believed = forecast_of(forecast, slot);
        if (node == nullptr || believed == nullptr || set_aside(*node)) continue;
        const char* trouble = trouble_of(action, input.snapshot, *believed);
        if (trouble == nullptr) continue;
        out.push_back({.kind = AlarmKind::done_but_unhealthy,
                       .about = action.target,
                       .layer = 5,
                       .raised_after = since < kHealingTakes ? kNotYet : kHealingRounds,
                       .sentence = text_of(action.action) + " of " + id->text() + " took effect " +
                                   print_age(since) + " ago, yet " + trouble,
                       .anew = !goes_on});
    }
}

// (e) What came true is not what a model of risk says.

void suspect_prediction(const RoundInput& input, const Derived& derived,
                        std::vector<Suspicion>& out) {
    for (RiskSuspicion& each : suspect_risk(derived.hindsight, input.now)) {
        out.push_back({.kind = each.kind, .layer = 2, .sentence = std::move(each.sentence)});
    }
}

/// Continues the count of conditions that still hold; the others are dropped.
std::vector<Alarm> counted_on(const std::vector<Suspicion>& found, const Derived& derived,
                              TimePoint now) {
    std::vector<Alarm> counted;
    for (const Suspicion& each : found) {
        Alarm alarm{.kind = each.kind,
                    .about = each.about,
                    .since = each.since ? *each.since : now,
                    .rounds = 1,
                    .layer = each.layer,
                    .sentence = each.sentence};
        for (const Alarm& before : derived.alarms) {
            if (each.anew || !same_alarm(before, alarm)) continue;
            alarm.since = before.since;
            alarm.rounds = before.rounds + 1;
        }
        if (each.rounds != 0) alarm.rounds = each.rounds;
        counted.push_back(std::move(alarm));
    }
    return counted;
}

}  // namespace

void note(const RoundInput& input, const Forecast& forecast, const Verdict& verdict,
          const RoundScore& score, const Policy& policy, const std::vector<Alarm>& met,
          Memory& next, Decision& decision) {
    decision.disagreements = disagreements(input, forecast, verdict, policy, next, decision.ended);

    std::vector<Suspicion> found;
    suspect_observation(input, next.derived, found);
    suspect_clock(input, next.derived, found);
    suspect_sources(input, next.derived, found);
    suspect_silence(input, policy, next.derived, found);
    suspect_backend(input, forecast, verdict, score, policy, next.derived, found);
    suspect_stimulus(input, policy, next.derived, found);
    suspect_execution(input, forecast, next, found);
    suspect_prediction(input, next.derived, found);
    for (const Alarm& alarm : met) {
        found.push_back({.kind = alarm.kind,
                         .about = alarm.about,
                         .layer = alarm.layer,
                         .sentence = alarm.sentence});
    }
    next.derived.alarms = counted_on(found, next.derived, input.now);
    decision.alarms.clear();
    for (std::size_t i = 0; i < found.size(); ++i) {
        const Alarm& alarm = next.derived.alarms[i];
        if (alarm.rounds >= found[i].raised_after) decision.alarms.push_back(alarm);
    }
}

}  // namespace parley::explanation
