#include "base/number.h"
#include "base/time_text.h"
#include "layers/proposal/agent.h"
#include "layers/proposal/prototype.h"
#include "layers/proposal/shortage.h"
#include "model/sources.h"

#include <algorithm>
#include <optional>

namespace parley::proposal {

using model::AdmissionWish;

namespace {

/// How strongly new batch work is held back, in order of severity.
enum class Level { none, queue, deprioritize, cap };

constexpr std::int64_t kWhole = 1'000'000;  // A cap at everything is no cap.

/// What is in force by an earlier decision of ours.
struct InForce {
    Level level = Level::none;
    bool rejects = false;  ///< A queue order that turns Jobs away instead of holding them.
    TimePoint until;
    std::vector<Name> spaces = {};  ///< Empty: all namespaces.

    bool covers(Name space) const {
        return spaces.empty() || std::ranges::count(spaces, space) > 0;
    }
};

Level level_of(AdmissionWish mode) {
    switch (mode) {
        case AdmissionWish::queue:
        case AdmissionWish::reject:
            return Level::queue;
        case AdmissionWish::deprioritize:
            return Level::deprioritize;
        case AdmissionWish::admit:
            break;
    }
    return Level::none;
}

/// The most severe of the standing orders and caps that have not expired. None in observe and
/// dry-run, where nothing is ever in force.
InForce in_force(const View& view) {
    InForce strongest;
    const auto consider = [&](InForce candidate) {
        if (candidate.until <= view.input.now || candidate.level < strongest.level) return;
        if (candidate.level > strongest.level || candidate.until > strongest.until) {
            strongest = candidate;
        }
    };
    for (const model::StandingOrder& order : view.memory.ledger.orders) {
        consider(
            {level_of(order.mode), order.mode == AdmissionWish::reject, order.until, order.spaces});
    }
    for (const model::OpenAction& open : view.memory.ledger.open) {
        const auto* cap = std::get_if<model::ResourceCap>(&open.action);
        const bool holds = !open.undoing && open.state == model::ActionState::confirmed;
        if (cap != nullptr && holds && cap->cpu_ppm < kWhole) {
            consider({Level::cap, false, open.expires, cap->spaces});
        }
    }
    return strongest;
}

std::int64_t from(Level level, const model::AdmissionRules& rules) {
    switch (level) {
        case Level::cap:
            return rules.cap_from;
        case Level::deprioritize:
            return rules.deprioritize_from;
        case Level::queue:
        case Level::none:
            break;
    }
    return rules.queue_from;
}

Level wanted(std::int64_t pods, const model::AdmissionRules& rules) {
    if (pods >= rules.cap_from) return Level::cap;
    if (pods >= rules.deprioritize_from) return Level::deprioritize;
    return pods >= rules.queue_from ? Level::queue : Level::none;
}

/// A Job that is rejected costs one rejection; one that is let in waits at least as long as the
/// oldest has, and each minute costs. The prices are those of the account that scores the action.
struct Rejecting {
    Duration waited;     ///< By the oldest of the pods that wait.
    double waiting = 0;  ///< What that cost.
    double price = 0;    ///< What waiting must cost more than.
    bool is_late = false;
    bool pays = false;

    Rejecting(TimePoint now, const Shortage& shortage, const model::Policy& policy)
        : waited(now - shortage.oldest),
          waiting(in_minutes(waited) * policy.cost.pending_minute),
          price(policy.stakes.margin * policy.cost.rejection),
          is_late(waited > policy.admission.order_lasts),
          pays(waiting > price) {}
    bool earns() const { return is_late && pays; }
};

std::string name_of(const InForce& now) {
    if (now.level == Level::cap) return "the cap";
    if (now.level == Level::deprioritize) return "the deprioritize order";
    return now.rejects ? "the reject order" : "the queue order";
}

std::string waiting_text(const Shortage& shortage) {
    return model::waiting_text(shortage.pods, short_of(shortage));
}

/// Which namespaces are held back, and what their pods wait for.
struct Held {
    std::vector<Name> spaces;  ///< Sorted by name.
    Shortage shortage;         ///< Over these namespaces.
};

/// "batch", "a and b", "a, b and 3 more namespaces".
std::string names_of(const std::vector<Name>& spaces) {
    constexpr std::size_t kNamed = 3;
    const std::size_t named = spaces.size() > kNamed ? kNamed - 1 : spaces.size();
    std::string text;
    for (std::size_t i = 0; i < named; ++i) {
        const bool last = i + 1 == spaces.size();
        text += (i == 0 ? "" : last ? " and " : ", ") + spaces[i].str();
    }
    const std::size_t more = spaces.size() - named;
    return more == 0 ? text : text + " and " + std::to_string(more) + " more namespaces";
}

model::Proposal blank(const Shortage& shortage, std::int64_t limit) {
    model::Proposal out{.role = model::Role::admission, .action = model::Noop{}};
    out.evidence = {.what = model::short_name(short_of(shortage)),
                    .value = static_cast<double>(shortage.pods),
                    .bound = "from",
                    .limit = static_cast<double>(limit),
                    .measure = model::Measure::count};
    return out;
}

model::Proposal hold_back(const View& view, Level level, bool reject, const Held& held) {
    constexpr std::size_t kPodsNamed = 5;
    const model::AdmissionRules& rules = view.policy.admission;
    const Shortage& shortage = held.shortage;
    model::Proposal out = blank(shortage, from(level, rules));
    const std::string there = " of " + names_of(held.spaces);
    const std::string reason = waiting_text(shortage) + " in " + names_of(held.spaces) +
                               model::from_aside(from(level, rules)) + ": ";
    const auto share = static_cast<std::int64_t>(rules.cap_share * 1e6 + 0.5);
    if (level == Level::cap) {
        out.action =
            model::ResourceCap{.cpu_ppm = share, .memory_ppm = share, .spaces = held.spaces};
        out.score = 1.0;
        out.because = reason + "batch work" + there + " is capped at " +
                      fixed(rules.cap_share * 100, 0) + "%.";
    } else if (level == Level::deprioritize) {
        out.action =
            model::Admission{.decision = AdmissionWish::deprioritize, .spaces = held.spaces};
        out.score = 0.95;
        out.because = reason + "new Jobs" + there + " get a lower priority.";
    } else if (reject) {
        out.action = model::Admission{.decision = AdmissionWish::reject, .spaces = held.spaces};
        out.score = 0.85;
        out.because = reason + "holding Jobs back did not help, and one more would wait over " +
                      fixed(in_minutes(view.input.now - shortage.oldest), 0) + " min at " +
                      fixed(view.policy.cost.pending_minute, 1) + " a minute; a rejection costs " +
                      fixed(view.policy.cost.rejection, 1) + ".";
    } else {
        out.action = model::Admission{.decision = AdmissionWish::queue, .spaces = held.spaces};
        out.score = 0.90;
        out.because = reason + "new Jobs" + there + " are held back until there is room.";
    }
    out.rests_on = short_pods(view.input.snapshot, held.spaces, kPodsNamed);
    return out;
}

/// Whether the order in force has more than half of its life left; it is renewed only after that.
bool lasts(const View& view, const InForce& now) {
    return (now.until - view.input.now) * 2 > view.policy.admission.order_lasts;
}

model::Proposal lift(const InForce& now, const Shortage& shortage,
                     const model::AdmissionRules& rules) {
    const std::int64_t bound = from(now.level, rules);
    model::Proposal out = blank(shortage, (bound + 1) / 2);
    out.evidence.bound = "below";
    if (now.level == Level::cap) {
        out.action = model::ResourceCap{.cpu_ppm = kWhole, .memory_ppm = kWhole};
    } else {
        out.action = model::Admission{.decision = AdmissionWish::admit};
    }
    out.score = 1.0;
    out.because = "The shortage eased" + model::eased_aside(waiting_text(shortage), bound) + ": " +
                  name_of(now) + " is lifted.";
    return out;
}

/// What each namespace needs, by its own shortage alone: no Jobs are held back for pods of another
/// namespace.
struct Wants {
    Level level = Level::none;  ///< The strongest that a namespace with Jobs needs ...
    Held held;                  ///< ... and the namespaces that need it.
    Held jobless;               ///< Namespaces with a shortage but no Jobs.
};

void join(Held& held, const SpaceShortage& there) {
    held.spaces.push_back(there.space);
    held.shortage = sum_of({{{}, held.shortage}, there});
}

Wants wants_of(const std::vector<SpaceShortage>& shortages, const InForce& now,
               const model::AdmissionRules& rules) {
    const auto level_of_space = [&](const SpaceShortage& there) {
        const std::int64_t pods = there.shortage.pods;
        const bool stays = now.level != Level::none && now.covers(there.space) &&
                           pods * 2 >= from(now.level, rules);
        return std::max(wanted(pods, rules), stays ? now.level : Level::none);
    };
    Wants wants;
    for (const SpaceShortage& there : shortages) {
        const Level level = level_of_space(there);
        if (level == Level::none) continue;
        if (!there.has_jobs) {
            join(wants.jobless, there);
            continue;
        }
        if (level > wants.level) wants.held = {};
        wants.level = std::max(wants.level, level);
        if (level == wants.level) join(wants.held, there);
    }
    return wants;
}

model::Proposal idle(const std::vector<SpaceShortage>& shortages, const Wants& wants,
                     const model::AdmissionRules& rules) {
    const Shortage all = sum_of(shortages);
    model::Proposal out = blank(all, rules.queue_from);
    if (!wants.jobless.spaces.empty()) {
        out.because = waiting_text(wants.jobless.shortage) + " in " +
                      names_of(wants.jobless.spaces) +
                      ", but there are no Jobs in it: holding Jobs back would help nobody.";
        return out;
    }
    const std::string limit = ", acts from " + std::to_string(rules.queue_from);
    const bool several = shortages.size() > 1;
    out.because = waiting_text(all) + limit + (several ? " in one namespace." : ".");
    return out;
}

model::Proposal decide_level(const View& view, const std::vector<SpaceShortage>& shortages) {
    const model::AdmissionRules& rules = view.policy.admission;
    const InForce now = in_force(view);
    const Wants wants = wants_of(shortages, now, rules);
    const Level level = wants.level;
    // A milder order replaces the one in force; a cap stands beside orders and must be lifted
    // first.
    const bool must_go = level == Level::none || now.level == Level::cap;
    if (now.level > level && must_go) return lift(now, sum_of(shortages), rules);
    if (level == Level::none) return idle(shortages, wants, rules);
    const Shortage& shortage = wants.held.shortage;
    const bool queued = now.level == Level::queue;
    const bool reject =
        level == Level::queue && queued && Rejecting(view.input.now, shortage, view.policy).earns();
    const bool same = now.spaces.empty() || now.spaces == wants.held.spaces;
    if (now.level == level && now.rejects == reject && same && lasts(view, now)) {
        model::Proposal out = blank(shortage, from(level, rules));
        out.because = waiting_text(shortage) + " in " + names_of(wants.held.spaces) + "; " +
                      name_of(now) + " is in force.";
        return out;
    }
    return hold_back(view, level, reject, wants.held);
}

model::Proposal wish_of(const View& view) {
    const model::Snapshot& snapshot = view.input.snapshot;
    const Duration age_max = view.policy.guard.api_age_max;
    if (!model::delivers(snapshot, model::Source::api, view.input.now, age_max)) {
        model::Proposal out{.role = model::Role::admission, .action = model::Noop{}};
        out.because = "Missing: which pods wait, and why; " +
                      model::why_silent(snapshot, model::Source::api, view.input.now, age_max) +
                      ".";
        return out;
    }
    return decide_level(view, shortages_of(snapshot, view.policy));
}

// --- Asked about one action. ---------------------------------------------------------------------

/// What would have to be in force.
Level level_of(const Question& asked) {
    if (std::holds_alternative<model::ResourceCap>(asked.action)) return Level::cap;
    const auto* order = std::get_if<model::Admission>(&asked.action);
    const bool lower = order != nullptr && order->decision == AdmissionWish::deprioritize;
    return lower ? Level::deprioritize : Level::queue;
}

bool rejects(const Question& asked) {
    const auto* order = std::get_if<model::Admission>(&asked.action);
    return order != nullptr && order->decision == AdmissionWish::reject;
}

const char* setting_of(Level level) {
    if (level == Level::cap) return "admission.cap_from";
    return level == Level::deprioritize ? "admission.deprioritize_from" : "admission.queue_from";
}

const model::AdmissionRules& rules_of(const model::Policy& policy) {
    return is_prototype(policy) ? kPrototypeAdmission : policy.admission;
}

/// What is counted, and the count. Nothing: not known.
struct Waiting {
    std::string what;
    std::int64_t pods = 0;
};
std::optional<Waiting> waiting_in(const Sight& sight) {
    const model::Snapshot& snapshot = sight.input.snapshot;
    if (!model::delivers(snapshot, model::Source::api, sight.input.now,
                         sight.policy.guard.api_age_max)) {
        return std::nullopt;
    }
    if (is_prototype(sight.policy)) {
        const std::int64_t* queue = snapshot.queue.value();
        if (queue == nullptr) return std::nullopt;
        return Waiting{"pending pods", *queue};
    }
    // Each namespace counts by itself: the one with the largest shortage is nearest to an order.
    Shortage shortage;
    std::string where;
    for (const SpaceShortage& there : shortages_of(snapshot, sight.policy)) {
        if (there.shortage.pods <= shortage.pods) continue;
        shortage = there.shortage;
        where = " in " + there.space.str();
    }
    return Waiting{model::short_name(short_of(shortage)) + where, shortage.pods};
}

/// Agent C. Counts pods that wait for a shortage which more room would end. From 8 it holds new
/// Jobs back, from 80 it lowers their priority, from 120 it caps batch work; each stays until fewer
/// than half of its bound wait, and then admitting lifts it. It rejects only while its own queue
/// order stands and pods have still waited longer than an order lasts, and only if waiting costs
/// more than a rejection by the prices of the cost account.
class Admission final : public Agent {
public:
    model::Role role() const override { return model::Role::admission; }
    std::vector<model::Proposal> propose(const View& view) const override {
        return {wish_of(view)};
    }

    bool may_want(const model::Action& action) const override {
        return std::holds_alternative<model::Admission>(action) ||
               std::holds_alternative<model::ResourceCap>(action);
    }

    std::optional<Distance> distance(const Question& asked, const Sight& sight) const override {
        const auto waiting = waiting_in(sight);
        if (!waiting) return std::nullopt;
        const std::int64_t bound = from(level_of(asked), rules_of(sight.policy));
        return Distance{.what = waiting->what,
                        .value = static_cast<double>(waiting->pods),
                        .bound = "from",
                        .limit = static_cast<double>(bound),
                        .gap = static_cast<double>(bound - waiting->pods),
                        .score = level_of(asked) == Level::cap ? 1.0 : 0.9,
                        .count = true,
                        .sentence = "There were " + std::to_string(waiting->pods) + " " +
                                    waiting->what + "; it acts from " + std::to_string(bound) +
                                    "."};
    }

    std::string rule(const Question& asked, const model::Policy& policy) const override {
        if (model::changes_nothing(asked.action)) {
            return name() + " lifts an order when less than half of its bound waits.";
        }
        const std::string pods = name() + " proposes " + text_of(asked.action) + " from " +
                                 std::to_string(from(level_of(asked), rules_of(policy))) +
                                 " pods that wait for room";
        if (!rejects(asked) || is_prototype(policy)) return pods + ".";
        return pods + ", while its own queue order is in force, if one has waited longer than " +
               print_duration(policy.admission.order_lasts) +
               " and that cost more than a rejection.";
    }

    std::vector<std::string> hindrances(const Question& asked, const Sight& sight) const override {
        if (!rejects(asked) || is_prototype(sight.policy)) return {};
        const model::AdmissionRules& rules = sight.policy.admission;
        const Shortage shortage =
            wants_of(shortages_of(sight.input.snapshot, sight.policy), {}, rules).held.shortage;
        if (shortage.pods == 0) return {};
        const Rejecting rejecting(sight.input.now, shortage, sight.policy);
        std::vector<std::string> out;
        if (!rejecting.is_late) {
            out.push_back("No pod had waited longer than " + print_age(rejecting.waited) +
                          "; it rejects only after " + print_duration(rules.order_lasts) + ".");
        }
        if (!rejecting.pays) {
            out.push_back("To reject would not have paid: the longest wait cost " +
                          fixed(rejecting.waiting, 1) + ", and must cost more than " +
                          fixed(rejecting.price, 1) +
                          ", the price of a rejection with its margin.");
        }
        return out;
    }

    std::vector<SetAgainst> settings(const Question& asked, const Sight& sight) const override {
        const auto is = distance(asked, sight);
        const auto usual = static_cast<double>(from(level_of(asked), model::AdmissionRules{}));
        if (!is || is_prototype(sight.policy)) return {};
        // Its default bound would be passed, the one in force is not.
        if (is->gap <= 0 || is->value < usual) return {};
        return {{setting_of(level_of(asked)), print_double(is->limit), print_double(usual),
                 "at the default " + is->what + " " + print_double(is->value) +
                     " would have been enough"}};
    }
};

}  // namespace

const Agent& admission_agent() {
    static const Admission agent;
    return agent;
}

}  // namespace parley::proposal
