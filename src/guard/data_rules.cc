#include "guard/data_rules.h"

#include "base/number.h"
#include "base/time_text.h"
#include "model/differences.h"
#include "model/sources.h"

#include <algorithm>

namespace parley::guard {
namespace {

using model::Gap;
using model::Reading;

Ruling stop_rule(Question& q) { return by(stopped(q.facts)); }
Ruling leader_rule(Question& q) { return by(not_the_leader(q.facts)); }
Ruling clock_rule(Question& q) { return by(clock_jumped(q.facts)); }
Ruling warm_up_rule(Question& q) { return by(still_warming_up(q.facts)); }

Ruling target_rule(Question& q) {
    const bool for_node = acts_on_node(q);
    if (!for_node && !is<model::Scale>(q)) return pass();
    const bool right = for_node ? std::holds_alternative<model::NodeId>(q.target)
                                : std::holds_alternative<model::WorkloadId>(q.target);
    if (!right) {
        return refuse("a " + text_of(q.action) + " is for a " + (for_node ? "node" : "workload") +
                      ", not for " + text_of(q.target));
    }
    if (for_node ? q.node == nullptr : q.workload == nullptr) {
        return refuse(text_of(q.target) + " is not in the snapshot");
    }
    return pass();
}

/// The smallest and the largest share that an action leaves of what there is, in millionths.
std::pair<std::int64_t, std::int64_t> shares_left(const model::Action& action) {
    if (const auto* dvfs = std::get_if<model::Dvfs>(&action)) {
        return {dvfs->clock_ppm, dvfs->clock_ppm};
    }
    if (const auto* balloon = std::get_if<model::MemoryBalloon>(&action)) {
        return {balloon->scale_ppm, balloon->scale_ppm};
    }
    const auto& cap = std::get<model::ResourceCap>(action);
    return std::minmax(cap.cpu_ppm, cap.memory_ppm);
}

/// Amounts are bounded whatever an agent asks for: at most half of something is taken away.
Ruling amount_rule(Question& q) {
    const auto [least, most] = shares_left(q.action);
    if (least >= 500'000 && most <= 1'000'000) return pass();
    return refuse("shares of " + std::to_string(least / 10'000) + "% to " +
                  std::to_string(most / 10'000) + "% are asked for; 50% to 100% is allowed");
}

bool has_amount(const Question& q) {
    return is<model::Dvfs>(q) || is<model::MemoryBalloon>(q) || is<model::ResourceCap>(q);
}

Ruling api_rule(Question& q) {
    if (std::string why = api_too_old(q.facts); !why.empty()) return refuse(why);
    const Duration age = q.facts.now() - q.facts.source(model::Source::api)->last_success;
    const Duration limit = q.facts.rules().api_age_max;
    return pass(room_below(in_seconds(age), in_seconds(limit)),
                "age of API data: " + print_age(age) + " of " + print_duration(limit));
}

Ruling lease_rule(Question& q) {
    if (q.node->lease.value() != nullptr) return pass();
    return refuse("the lease of " + q.node->id.text() +
                  " cannot be read, so that nobody knows whether it is alive");
}

Ruling ready_rule(Question& q) {
    if (q.node->ready == model::Readiness::yes) return pass();
    return refuse(q.node->id.text() + " is not Ready; that is risk, not idleness");
}

template <class T>
Ruling fresh(const Question& q, const Reading<T>& reading, const std::string& what) {
    const Duration limit = q.facts.rules().metrics_age_max;
    const std::string of = what + " of " + text_of(q.target);
    if (const Gap* gap = reading.gap()) {
        std::string why(enum_name(*gap));
        std::ranges::replace(why, '_', ' ');
        return refuse(of + " is missing: " + why);
    }
    const Duration age = reading.age(q.facts.now());
    if (age > limit) {
        return refuse(of + " was measured " + print_age(age) + " ago; " + print_duration(limit) +
                      " is allowed");
    }
    return pass(room_below(in_seconds(age), in_seconds(limit)),
                "age of " + of + ": " + print_age(age) + " of " + print_duration(limit));
}

Ruling metrics_rule(Question& q) {
    Ruling cpu = q.node != nullptr ? fresh(q, q.node->cpu_used_m, "CPU use")
                                   : fresh(q, q.workload->cpu_used_m, "CPU use");
    if (cpu.refused) return cpu;
    Ruling memory = q.node != nullptr ? fresh(q, q.node->memory_used, "memory use")
                                      : fresh(q, q.workload->memory_used, "memory use");
    return memory.refused || memory.room < cpu.room ? memory : cpu;
}

/// Two sources that contradict each other: nobody knows which of them to believe.
std::string contradicted(const Question& q) {
    const auto* all = model::standing_contradiction(q.facts.derived(), q.facts.now());
    if (all != nullptr && model::beyond_factor(all->ratio)) {
        return "metrics and prometheus contradict each other: what one says is " +
               fixed(std::max(all->ratio, 1 / all->ratio), 1) + " times what the other does";
    }
    if (all != nullptr) {
        return "metrics and prometheus contradict each other about " + std::to_string(all->nodes) +
               " of " + std::to_string(all->of) + " nodes";
    }
    if (q.node == nullptr) return {};
    const auto since = model::contradicted_since(q.facts.derived(), q.node->id, q.facts.now());
    if (!since) return {};
    return "metrics and prometheus have contradicted each other about " + q.node->id.text() +
           " for " + print_age(q.facts.now() - *since);
}

/// Counts the nodes other than the target, for which there are rules of its own.
Ruling coverage_rule(Question& q) {
    if (std::string why = contradicted(q); !why.empty()) return refuse(why);
    const Census& census = q.facts.census();
    const bool in = q.node != nullptr && counts(*q.node, q.facts.ledger());
    const bool seen = in && has_samples(*q.node, q.facts.now(), q.facts.rules().metrics_age_max);
    const int counted = census.counted - (in ? 1 : 0);
    const int sampled = census.sampled - (seen ? 1 : 0);
    const double needed =
        disrupts(q) ? q.facts.rules().coverage_disrupt : q.facts.rules().coverage_act;
    const std::string text = "other nodes with samples: " + std::to_string(sampled) + " of " +
                             std::to_string(counted) + "; " + percent(needed) + " is needed";
    if (ppm(sampled) < ppm(needed) * counted) return refuse(text);
    return pass(static_cast<double>(sampled) / counted - needed, text);
}

bool needs_coverage(const Question& q) { return disrupts(q) || rests_on_metrics(q); }

Ruling capability_rule(Question& q) {
    const bool power = is<model::PowerState>(q);
    if (power ? q.node->can_power : q.node->can_clock) return pass();
    return refuse("nothing here can " + std::string(power ? "switch the power" : "set the clock") +
                  " of " + q.node->id.text());
}

bool needs_provider(const Question& q) { return is<model::PowerState>(q) || is<model::Dvfs>(q); }

constexpr Rule kRules[] = {
    {"stop", always, stop_rule},
    {"leader", always, leader_rule},
    {"target", always, target_rule},
    {"amount", has_amount, amount_rule},
    {"api-age", always, api_rule},
    {"clock", takes_away, clock_rule},
    {"warm-up", takes_away, warm_up_rule},
    {"lease", disrupts, lease_rule},
    {"ready", saves, ready_rule},
    {"metrics-age", rests_on_metrics, metrics_rule},
    {"coverage", needs_coverage, coverage_rule},
    {"capability", needs_provider, capability_rule},
};

}  // namespace

std::span<const Rule> data_rules() { return kRules; }

std::string stopped(const Facts& facts) {
    if (facts.controls().stop) return "the kill switch was pressed";
    if (facts.ledger().stopped) return "the kill switch is on, and only a person clears it";
    return {};
}

std::string not_the_leader(const Facts& facts) {
    const model::Ledger& ledger = facts.ledger();
    const model::Controls& now = facts.controls();
    if (now.epoch != ledger.epoch) {
        return "the ledger is of leader epoch " + std::to_string(ledger.epoch) + ", ours is " +
               std::to_string(now.epoch);
    }
    if (now.ledger_version != ledger.version) {
        return "the ledger is at version " + std::to_string(now.ledger_version) +
               ", this decision knows " + std::to_string(ledger.version);
    }
    return {};
}

std::string api_too_old(const Facts& facts) {
    const model::SourceState* api = facts.source(model::Source::api);
    if (api == nullptr) return "no source shows what the API server says";
    if (api->condition != model::SourceCondition::ok) {
        return "API data are " + std::string(enum_name(api->condition)) +
               (api->reason.empty() ? "" : ": " + api->reason);
    }
    const Duration age = facts.now() - api->last_success;
    if (age <= facts.rules().api_age_max) return {};
    return "API data are " + print_age(age) + " old; " + print_duration(facts.rules().api_age_max) +
           " is allowed";
}

std::string clock_jumped(const Facts& facts) {
    if (facts.derived().jumped) {
        return "the clock jumped by more than " + print_duration(facts.rules().clock_jump_max) +
               " in this round";
    }
    const TimePoint stepped = facts.derived().stepped;
    if (stepped == TimePoint{}) return {};
    const std::string unheard = model::unheard_since(facts.snapshot(), stepped);
    if (unheard.empty()) return {};
    return "our clock was set " + print_age(facts.now() - stepped) + " ago, and " + unheard +
           " spoke last before that";
}

std::string still_warming_up(const Facts& facts) {
    const auto rounds = static_cast<std::int64_t>(facts.derived().rounds);
    if (rounds > facts.rules().warmup_rounds) return {};
    return "this is round " + std::to_string(rounds) +
           " since the start; nothing disruptive in the first " +
           std::to_string(facts.rules().warmup_rounds);
}

}  // namespace parley::guard
