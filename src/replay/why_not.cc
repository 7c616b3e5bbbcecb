#include "replay/why_not.h"

#include "base/number.h"
#include "guard/guard.h"
#include "layers/arbitration/referee.h"
#include "layers/decide.h"
#include "layers/explanation/answers/history.h"
#include "layers/explanation/derived/derived.h"
#include "layers/explanation/wording/configured.h"
#include "layers/explanation/wording/wording.h"
#include "layers/proposal/propose.h"
#include "replay/bench.h"
#include "store/run_trim.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace parley::replay {

using namespace model;

namespace {

/// A round in question, with the memory that it began with, if that is known.
struct Moment {
    RoundInput input;
    Decision decision;
    std::optional<Memory> memory;
};

/// How far its agent is from proposing it. To admit has no bound of its own: it lifts the order in
/// force.
std::optional<proposal::Distance> distance_of(const Wanted& wanted, const RoundInput& input,
                                              const Forecast& forecast, const Policy& policy) {
    if (changes_nothing(wanted.action)) return std::nullopt;
    return proposal::agent_of(wanted.role).distance(wanted, {input, forecast, policy});
}

std::vector<std::string> hindrances(const Wanted& wanted, const RoundInput& input,
                                    const Forecast& forecast, const Policy& policy) {
    return what_hinders(proposal::agent_of(wanted.role), wanted, {input, forecast, policy});
}

const Judged* find(const Verdict& verdict, const Wanted& wanted) {
    for (const Judged& judged : verdict.judged) {
        if (is_wanted(wanted, judged.proposal)) return &judged;
    }
    return nullptr;
}

/// It won, but the guard held it, so that it was not sent.
bool is_held(const Judged& judged) {
    return std::holds_alternative<Accepted>(judged.fate) && judged.guard.held.has_value();
}

/// It won, and the guard let it through; or it lifts an order, which nobody has to accept.
bool is_let_through(const Judged& judged, const Decision& decision) {
    if (std::holds_alternative<Accepted>(judged.fate)) return !judged.guard.held;
    return changes_nothing(judged.proposal.action) && lifts_order(decision);
}

/// What settings and its own agent hold against it; `predicted` are settings of layer 2.
void add_agents_own(const Moment& moment, const Wanted& wanted, const Policy& policy,
                    const std::vector<Obstacle>& predicted, WhyNotAnswer& answer) {
    const Forecast& forecast = moment.decision.forecast;
    const auto add = [&](const std::vector<Obstacle>& more) {
        for (const Obstacle& each : more) {  // An agent's own words for a setting go first.
            const bool said = std::ranges::count(answer.obstacles, each.rule, &Obstacle::rule) > 0;
            if (!said) answer.obstacles.push_back(each);
        }
    };
    add(filtered_out(wanted, moment.input, policy));
    add(by_configuration(wanted, moment.input, forecast, policy));
    add(predicted);
    const auto distance = distance_of(wanted, moment.input, forecast, policy);
    if (distance && distance->gap > 0) {
        answer.obstacles.push_back({"agent", "limit", distance->sentence});
    }
    for (std::string& each : hindrances(wanted, moment.input, forecast, policy)) {
        answer.obstacles.push_back({"agent", "its rules", std::move(each)});
    }
    const bool said = std::ranges::count(answer.obstacles, "agent", &Obstacle::who) > 0;
    if (!said) add(by_choice(wanted.role, moment.decision));
}

/// Asks guard and referee about it as if its agent had proposed it.
void ask_again(const Moment& moment, const Wanted& wanted, const store::RunHeader& header,
               const prediction::Brains& brains, WhyNotAnswer& answer) {
    const Policy& policy = header.policy;
    const Bench bench = bench_of(moment.input, *moment.memory, policy, brains);
    // As if it could be sent: the mode is a cause of its own and must not hide the others.
    RoundInput input = moment.input;
    input.controls.mode = Mode::act;
    input.controls.stop = false;
    const guard::Facts facts(input, bench.forecast, bench.memory, policy);
    const auto distance = distance_of(wanted, moment.input, bench.forecast, policy);
    const Proposal mine{.role = wanted.role,
                        .action = wanted.action,
                        .target = wanted.target,
                        .score = distance ? distance->score : 0,
                        .because = "asked about"};
    answer.asked_again = true;
    answer.other_rules = header.rules_version != kRulesVersion;
    std::vector<Refused> refused_by = replay::refusals(facts, mine);
    for (Refused& each : refused_by) {
        each.because = explanation::refusal_text(each, wanted.action, policy);
    }
    for (const Refused& each : refused_by) {
        if (!is_configured(each.rule)) continue;
        answer.obstacles.push_back({"configuration", each.rule, each.because});
    }
    std::ranges::copy(nothing_to_lift(wanted, bench.memory.ledger),
                      std::back_inserter(answer.obstacles));
    add_agents_own(moment, wanted, policy,
                   by_prediction(wanted, moment.input, bench, policy, brains), answer);
    for (const Refused& each : refused_by) {
        if (is_configured(each.rule)) continue;
        answer.obstacles.push_back({"guard", each.rule, each.because});
    }
    if (!refused_by.empty()) {
        const auto referee = outranked(mine, moment.decision.verdict, bench.forecast, policy);
        if (referee) answer.obstacles.push_back(*referee);
        return;
    }
    std::vector<Proposal> proposals = moment.decision.proposals;
    std::erase_if(proposals, [&](const Proposal& p) { return stands_for(p, mine); });
    proposals.push_back(mine);
    const Verdict verdict =
        arbitration::Referee(policy).judge(facts, bench.forecast, std::move(proposals));
    for (const Judged& judged : verdict.judged) {
        if (!(judged.proposal == mine)) continue;
        if (const auto* lost = std::get_if<Overridden>(&judged.fate)) {
            answer.obstacles.push_back({"referee", lost->rule, lost->because});
        } else if (const auto* refused = std::get_if<Refused>(&judged.fate)) {
            answer.obstacles.push_back({"referee", refused->rule, refused->because});
        }
    }
}

std::string verdict_of(const Judged* judged, const std::string& agent, bool lifts) {
    if (judged == nullptr) return "Nobody proposed it.";
    const std::string proposed = "Agent " + agent + " proposed it, and ";
    if (lifts && changes_nothing(judged->proposal.action)) {
        return proposed + "the order in force was lifted; nobody has to accept that.";
    }
    if (const auto* lost = std::get_if<Overridden>(&judged->fate)) {
        return proposed + "it lost by " + lost->rule + ": " + lost->because + ".";
    }
    if (const auto* refused = std::get_if<Refused>(&judged->fate)) {
        return proposed + "it was refused by " + refused->rule + ": " + refused->because + ".";
    }
    if (judged->guard.held) {
        return proposed + "it won, but the guard held it, by " + judged->guard.held->rule + ": " +
               judged->guard.held->because + ".";
    }
    if (std::holds_alternative<Idle>(judged->fate))
        return "It is what happens when nothing is done.";
    return proposed + "it was accepted.";
}

/// "mode observe: nothing is sent in this mode, whatever is decided".
std::string line_of(const Obstacle& obstacle) {
    return obstacle.who + ", " + obstacle.rule + ": " + explanation::without_stop(obstacle.because);
}

tl::unexpected<Error> no_such_node(const NodeId& node, const std::vector<std::string>& names) {
    const std::string nearest = explanation::nearest_name(node.text(), names);
    return fail(ErrorCode::denied, "this run has no node called " + in_quotes(node.text()) +
                                       (nearest.empty() ? "" : "; did you mean " + nearest + "?"));
}

/// The memory before each round, computed again from the record.
class Thread {
public:
    Thread(const store::RunHeader& header, const prediction::Brains& brains)
        : header_(header), brains_(brains) {}

    const std::optional<Memory>& enter(const store::RoundRecord& record) {
        const std::uint64_t round = record.decision.round;
        const bool follows = round == last_ + 1;
        if (record.start) {
            memory_ = record.start;
        } else if (record.memory && (!follows || !memory_)) {
            memory_ = record.memory;
        } else if (!follows && last_ != 0) {
            memory_.reset();
        }
        last_ = round;
        return memory_;
    }

    void leave(const store::RoundRecord& record) {
        if (header_.record != store::RecordLevel::full) memory_.reset();
        if (memory_) memory_ = decide(record.input, *memory_, header_.policy, brains_).next;
    }

private:
    const store::RunHeader& header_;
    const prediction::Brains& brains_;
    std::optional<Memory> memory_;
    std::uint64_t last_ = 0;
};

/// One pass over a run, for one question.
class Asked {
public:
    Asked(Wanted wanted, std::optional<std::uint64_t> round, const store::RunHeader& header,
          const prediction::Brains& brains)
        : wanted_(wanted),
          round_(round),
          header_(header),
          brains_(brains),
          changed_(!round && is_changed(wanted, header.policy)) {}

    /// Call it once a round, in order. True: so far, this is the round to answer about.
    bool look(const RoundInput& input, const Decision& decision) {
        const std::uint64_t round = decision.round;
        if (first_ == 0) first_ = round;
        last_ = round;
        note_names(input, decision);
        const Judged* judged = find(decision.verdict, wanted_);
        const bool accepted = judged != nullptr && is_let_through(*judged, decision);
        proposed_ += judged != nullptr ? 1 : 0;
        accepted_ += accepted ? 1 : 0;
        held_ += judged != nullptr && is_held(*judged) ? 1 : 0;
        const auto distance = distance_of(wanted_, input, decision.forecast, header_.policy);
        const bool nearer = distance && (!nearest_ || distance->gap <= nearest_->gap);
        if (nearer) {
            nearest_ = distance;
            nearest_round_ = round;
        }
        const bool still = judged == nullptr && distance && distance->gap > 0;
        const bool tempting = still && tempts(input, decision.forecast);
        const int rank = judged != nullptr && !accepted ? 4
                         : accepted                     ? 3
                         : tempting                     ? 2
                                                        : (nearer ? 1 : 0);
        const bool better = round_ ? round == *round_ : rank >= rank_;
        if (better) rank_ = rank;
        if (better) chosen_ = round;
        return better;
    }

    /// The round to answer about; 0: there is none.
    std::uint64_t chosen() const { return chosen_; }
    void settle(Moment moment) { moment_ = std::move(moment); }

    Result<WhyNotAnswer> answer() const;

private:
    void note_names(const RoundInput& input, const Decision& decision) {
        const auto* wanted = std::get_if<NodeId>(&wanted_.target);
        if (wanted == nullptr || known_) return;
        input.snapshot.nodes.for_each(
            [&](Slot, const NodeRow& node) { names_.insert(node.id.text()); });
        known_ = names_.contains(wanted->text());
        for (const Proposal& p : decision.proposals) {
            if (const auto* node = std::get_if<NodeId>(&p.target)) names_.insert(node->text());
        }
    }

    /// By default settings its agent would have wanted it, as much as in any round before.
    bool tempts(const RoundInput& input, const Forecast& forecast) {
        if (!changed_) return false;
        const auto gap = gap_by_default(wanted_, input, forecast, header_.policy);
        if (!gap || *gap > by_default_) return false;
        by_default_ = *gap;
        return true;
    }

    void add_own(WhyNotAnswer& answer) const;

    Wanted wanted_;
    std::optional<std::uint64_t> round_;
    const store::RunHeader& header_;
    const prediction::Brains& brains_;
    std::optional<Moment> moment_;
    std::optional<proposal::Distance> nearest_;
    std::uint64_t nearest_round_ = 0;
    std::uint64_t first_ = 0;
    std::uint64_t last_ = 0;
    std::uint64_t proposed_ = 0;
    std::uint64_t accepted_ = 0;
    std::uint64_t held_ = 0;
    /// Of the chosen round: proposed in vain, done, wanted by default settings, nearest, last.
    int rank_ = -1;
    bool changed_ = false;   ///< Settings may be what kept the agent still; a round is looked for.
    double by_default_ = 0;  ///< The least gap by default settings so far.
    std::uint64_t chosen_ = 0;
    std::set<std::string> names_;
    bool known_ = false;  ///< The target asked about exists in some round.
};

void Asked::add_own(WhyNotAnswer& answer) const {
    const Moment& moment = *moment_;
    const Policy& policy = header_.policy;
    answer.own.push_back(proposal::agent_of(wanted_.role).rule(wanted_, policy));
    const auto distance = distance_of(wanted_, moment.input, moment.decision.forecast, policy);
    if (distance) {
        std::string text = distance->sentence;
        if (nearest_ && nearest_->gap < distance->gap) {
            answer.nearest_round = nearest_round_;
            text +=
                " Nearest in this run: " +
                (nearest_->count ? fixed(nearest_->value, 0)
                                 : explanation::beside(nearest_->value, nearest_->limit).first) +
                ", round " + std::to_string(nearest_round_) + ".";
        }
        answer.own.push_back(std::move(text));
    }
    answer.instead = choice_text(wanted_.role, moment.decision);
    // A record of decisions shows no nodes; it must not look as if there had been none.
    if (header_.record != store::RecordLevel::full) return;
    for (std::string& each : hindrances(wanted_, moment.input, moment.decision.forecast, policy)) {
        answer.own.push_back(std::move(each));
    }
}

Result<WhyNotAnswer> Asked::answer() const {
    if (last_ == 0) return fail(ErrorCode::denied, "this run has no round yet");
    if (const auto* node = std::get_if<NodeId>(&wanted_.target);
        node != nullptr && !names_.contains(node->text())) {
        if (header_.record != store::RecordLevel::full) {
            return fail(ErrorCode::denied, explanation::not_observed("node", node->text()));
        }
        return no_such_node(*node, {names_.begin(), names_.end()});
    }
    if (!moment_) {
        return fail(ErrorCode::denied, "round " + std::to_string(*round_) +
                                           " is not in this record, which holds rounds " +
                                           std::to_string(first_) + " to " + std::to_string(last_));
    }
    const bool full = header_.record == store::RecordLevel::full;
    WhyNotAnswer answer{.action = explanation::wish_text(wanted_.action, wanted_.target),
                        .agent = std::string(title_of(wanted_.role)),
                        .round = moment_->decision.round,
                        .proposed_rounds = proposed_,
                        .accepted_rounds = accepted_,
                        .held_rounds = held_};
    answer.at = full ? explanation::when(moment_->input.now, header_.simulated) : "?";
    const Judged* judged = find(moment_->decision.verdict, wanted_);
    answer.proposed = judged != nullptr;
    if (judged != nullptr) answer.agent = std::string(title_of(judged->proposal.role));
    answer.accepted = judged != nullptr && is_let_through(*judged, moment_->decision);
    answer.verdict = verdict_of(judged, answer.agent, lifts_order(moment_->decision));
    Controls controls = moment_->input.controls;
    if (!full) controls = {.mode = header_.mode, .simulated = header_.simulated};
    const bool absent = judged == nullptr && !in_this_build(wanted_.role);
    if (absent) answer.obstacles.push_back(not_in_this_build(wanted_.role));
    std::ranges::copy(sends_nothing(controls), std::back_inserter(answer.obstacles));
    if (judged != nullptr) {
        answer.own.push_back(judged->proposal.because);
        auto fate = obstacle_of(*judged, header_.policy);
        if (fate && !answer.accepted) answer.obstacles.push_back(*std::move(fate));
    } else {
        add_own(answer);
        // Guard and referee judge proposals, and an absent agent makes none.
        if (full && !absent && moment_->memory) {
            ask_again(*moment_, wanted_, header_, brains_, answer);
        } else if (full && !absent) {
            add_agents_own(*moment_, wanted_, header_.policy, {}, answer);
        } else if (!absent) {
            std::ranges::copy(by_choice(wanted_.role, moment_->decision),
                              std::back_inserter(answer.obstacles));
        }
    }
    if (!answer.obstacles.empty()) answer.first_cause = line_of(answer.obstacles.front());
    return answer;
}

/// A round of the record, with the memory that it began with if the answer needs it, computed from
/// the keyframe before it. No memory if the record lacks something it depends on.
Result<Moment> moment_at(Disk& disk, const std::string& folder, const store::RunHeader& header,
                         const prediction::Brains& brains, const Wanted& wanted,
                         std::uint64_t round) {
    store::Position from;
    const auto places = store::find_keyframes(disk, folder, from);
    if (!places) return tl::unexpected(places.error());
    const auto behind = std::ranges::upper_bound(*places, round, {}, &store::KeyframePlace::round);
    auto run = behind == places->begin()
                   ? store::RunReader::open(disk, folder)
                   : store::RunReader::open_at(disk, folder, header, (behind - 1)->position);
    if (!run) return tl::unexpected(run.error());
    Thread thread(header, brains);
    while (true) {
        auto record = run->next();
        if (!record) return tl::unexpected(record.error());
        if (!*record || (*record)->decision.round > round) {
            return fail(ErrorCode::malformed,
                        "round " + std::to_string(round) + " cannot be read a second time");
        }
        std::optional<Memory> memory = thread.enter(**record);
        if ((*record)->decision.round < round) {
            thread.leave(**record);
            continue;
        }
        const bool asks = header.record == store::RecordLevel::full &&
                          find((*record)->decision.verdict, wanted) == nullptr;
        return Moment{std::move((*record)->input), std::move((*record)->decision),
                      asks ? std::move(memory) : std::nullopt};
    }
}

/// Adds what the record, read to its end, does not hold.
Result<WhyNotAnswer> with_missing(Result<WhyNotAnswer> answer, const store::RunReader& run) {
    if (answer) {
        answer->gaps = run.gaps();
        answer->dropped = run.facts().dropped;
    } else if (const std::string dropped = store::dropped_text(run.facts().dropped);
               !dropped.empty()) {
        answer.error().message += "; " + dropped;
    }
    return answer;
}

}  // namespace

Result<WhyNotAnswer> why_not(store::RunReader& run, const prediction::Brains& brains,
                             const std::string& action, std::optional<std::uint64_t> round) {
    auto wanted = parse_wanted(action);
    if (!wanted) return tl::unexpected(wanted.error());
    Asked asked(*wanted, round, run.header(), brains);
    Thread thread(run.header(), brains);
    while (true) {
        auto record = run.next();
        if (!record) return tl::unexpected(record.error());
        if (!*record) break;
        const std::optional<Memory>& memory = thread.enter(**record);
        if (asked.look((*record)->input, (*record)->decision)) {
            asked.settle({(*record)->input, (*record)->decision, memory});
        }
        thread.leave(**record);
    }
    return with_missing(asked.answer(), run);
}

Result<WhyNotAnswer> why_not(Disk& disk, const std::string& folder,
                             const prediction::Brains& brains, const std::string& action,
                             std::optional<std::uint64_t> round) {
    auto wanted = parse_wanted(action);
    if (!wanted) return tl::unexpected(wanted.error());
    auto run = store::RunReader::open(disk, folder);
    if (!run) return tl::unexpected(run.error());
    if (const auto* node = std::get_if<NodeId>(&wanted->target)) {
        const auto known = explanation::nodes_known(disk, folder);
        if (known && std::ranges::count(*known, node->text()) == 0) {
            return no_such_node(*node, *known);
        }
    }
    Asked asked(*wanted, round, run->header(), brains);
    run->show_all([&](const RoundInput& input, const Decision& decision) {
        (void)asked.look(input, decision);
    });
    if (const auto read = run->next(); !read) return tl::unexpected(read.error());
    if (asked.chosen() != 0) {
        auto moment = moment_at(disk, folder, run->header(), brains, *wanted, asked.chosen());
        if (!moment) return tl::unexpected(moment.error());
        asked.settle(*std::move(moment));
    }
    return with_missing(asked.answer(), *run);
}

Result<WhyNotAnswer> why_not_in_round(Disk& disk, const std::string& folder,
                                      const prediction::Brains& brains, const std::string& action,
                                      std::uint64_t round) {
    auto wanted = parse_wanted(action);
    if (!wanted) return tl::unexpected(wanted.error());
    const auto run = store::RunReader::open(disk, folder);
    if (!run) return tl::unexpected(run.error());
    auto moment = moment_at(disk, folder, run->header(), brains, *wanted, round);
    if (!moment) return tl::unexpected(moment.error());
    Asked asked(*wanted, round, run->header(), brains);
    (void)asked.look(moment->input, moment->decision);
    asked.settle(*std::move(moment));
    return asked.answer();
}

}  // namespace parley::replay
