#include "layers/explanation/answers/why.h"

#include "base/number.h"
#include "base/words.h"
#include "layers/explanation/alarms/disagreements.h"
#include "layers/explanation/answers/score_text.h"
#include "layers/explanation/telling/outcome.h"
#include "layers/explanation/telling/past.h"
#include "layers/explanation/telling/surroundings.h"
#include "layers/explanation/wording/reasons.h"
#include "layers/explanation/wording/wording.h"
#include "model/hindrance.h"
#include "store/run_trim.h"
#include "store/run_writer.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace parley::explanation {

using namespace model;

namespace {

constexpr std::size_t kWaitingShown = 8;

/// How much a round is worth asking about, if none was named.
enum class Weight : std::uint8_t { quiet, acted, contested };

Weight weight_of(const Verdict& verdict) {
    if (verdict.accepted.empty()) return Weight::quiet;
    return verdict.contest == Contest::contested ? Weight::contested : Weight::acted;
}

/// What acting rests on: risk, loss, cost, limit.
std::vector<std::string> risk_figures(const Forecast& forecast, const NodeForecast& node,
                                      const Proposal& proposal, const Policy& policy) {
    if (!node.risk || node.loss <= 0) return {};
    const auto remedy = std::ranges::find(node.remedies, kind_of(proposal.action), &Remedy::kind);
    const std::string risk = beside(*node.risk, node.limit).first;
    std::vector<std::string> out;
    out.push_back("Risk that it fails within " + span_text(forecast.horizon) + ": " + risk +
                  ", by " + forecast.model + ".");
    std::ranges::move(reasons_of(forecast, node), std::back_inserter(out));
    if (forecast.usual > 0) {
        out.push_back("Moved pods would meet the usual risk of other nodes, " +
                      fixed(forecast.usual, 3) + ": its own limit begins there.");
    }
    // The prototype acts by the risk alone.
    if (remedy == node.remedies.end() || policy.profile == Profile::prototype) return out;
    const double waiting = *node.risk * node.loss;
    out.push_back("Waiting would cost " + pod_minutes(waiting) + " pod-minutes (" + risk + " x " +
                  pod_minutes(node.loss) + "), acting " + pod_minutes(remedy->cost) + ".");
    out.push_back("Acting averts " + pod_minutes(waiting * remedy->efficacy * remedy->timeliness) +
                  " of it (x " + fixed(remedy->efficacy, 2) + " effect x " +
                  fixed(remedy->timeliness, 2) + " in time) and pays from " +
                  fixed(policy.stakes.margin, 1) + " x its cost: above risk " +
                  beside(*node.risk, remedy->limit).second + ".");
    return out;
}

void add_node_figures(const Told& told, const Proposal& proposal, const Past& past,
                      WhyWinner& winner) {
    const auto* id = std::get_if<NodeId>(&proposal.target);
    if (id == nullptr) return;
    const Slot slot = slot_of(told.input.snapshot, *id);
    const NodeForecast* node = forecast_of(told.decision.forecast, slot);
    if (node == nullptr) return;
    if (proposal.role == Role::efficiency) {
        winner.figures = demand_reasons_of(told.decision.forecast, *node);
        return;
    }
    if (proposal.role != Role::safety) return;
    winner.figures = risk_figures(told.decision.forecast, *node, proposal, told.policy);
    if (told.policy.profile == Profile::prototype) winner.figures.push_back(winner.bound);
    winner.signals = past.words(told.input, told.decision.forecast, *node);
    winner.unknown = signal_names(node->missing);
}

/// The answer about one round, and what is followed until the record ends.
struct Story {
    WhyAnswer answer;
    struct Followed {
        std::size_t index = 0;  ///< Of the winner.
        Follower follower;
        bool ended = false;
        OpenScore open{};  ///< The last known one before its score was closed.
    };
    std::vector<Followed> followed;
    std::string unstored;  ///< Why the ledger could not be stored in its round; else empty.
    bool simulated = false;

    /// Whether nothing recorded later can change the answer.
    bool settled() const {
        return std::ranges::all_of(followed, [&](const Followed& each) {
            return each.ended && answer.winners[each.index].score;
        });
    }
    void meet(const Decision& later) {
        for (auto& [index, follower, over, open] : followed) {
            for (const Step& step : later.first_steps) follower.meet(step.action);
            for (const OpenAction& ended : later.ended) {
                follower.meet(ended);
                over = over || ended.id == follower.id();
            }
            for (const ClosedScore& score : later.closed) {
                if (score.id == follower.id()) answer.winners[index].score = score;
            }
        }
        watch(later);
    }
    /// Keeps what is known about actions with open windows.
    void watch(const Decision& decision) {
        for (Followed& each : followed) {
            for (const OpenScore& open : decision.open_scores) {
                if (open.id == each.follower.id()) each.open = open;
            }
        }
    }
    /// Some of what happened to them is not in the record.
    void lose_track() {
        for (auto& [index, follower, over, open] : followed) follower.lose_track();
    }
    void take(const std::vector<ActionEvent>& events) {
        for (auto& [index, follower, over, open] : followed) {
            for (const ActionEvent& event : events) follower.take(event);
        }
    }
    void close(const Ending& ending);
};

void Story::close(const Ending& ending) {
    for (auto& [index, follower, over, open] : followed) {
        WhyWinner& winner = answer.winners[index];
        winner.state = follower.state();
        winner.note = follower.note();
        const bool begun = follower.state() != ActionState::planned;
        if (winner.note.empty() && !begun) winner.note = unstored;
        winner.sent = follower.steps();
        if (!follower.contradiction().empty()) {
            answer.alarms.push_back(follower.contradiction() + "; suspect layer 5");
        }
        const bool held = winner.row.outcome == Outcome::held;
        if (!winner.score && !held) {
            if (open.id != follower.id()) {  // Records of rules before version 6 have none.
                const OpenAction& action = follower.action();
                open = {.id = action.id,
                        .round = action.round,
                        .role = action.role,
                        .action = action.action,
                        .target = action.target};
                winner.outcome = ending.goes_on
                                     ? "Still open: nothing is known yet."
                                     : "Censored: " + ending_text(ending.round, ending.status) +
                                           ", before its score was due.";
            }
            // Only the end of a run closes what is open.
            winner.score = unfinished(open, ending);
        }
        if (held) winner.outcome = "Nothing: it was held.";
        if (winner.outcome.empty()) winner.outcome = outcome_text(*winner.score, simulated);
        if (winner.score) winner.since = notes_text(winner.score->notes, winner.score->target);
    }
}

/// Whether the agent's own sentence already gives the bound, in the same figures.
bool says_bound(const Proposal& proposal, const Policy& policy) {
    if (policy.profile == Profile::prototype) return false;
    const Evidence& evidence = proposal.evidence;
    // The sentence that lifts an order gives half of the bound.
    if (proposal.role == Role::admission) return evidence.bound == "from";
    return measure_of(evidence) == Measure::demand &&
           bound_text(evidence) == evidence.bound + " " + fixed(evidence.limit, 2);
}

WhyWinner winner_of(const Told& told, const Judged& judged, const AgentRow& row, const Past& past) {
    WhyWinner winner{.row = row,
                     .because = judged.proposal.because,
                     .closest = judged.guard.closest,
                     .guard_passed = judged.guard.passed,
                     .guard_asked = judged.guard.asked};
    if (!judged.proposal.evidence.bound.empty() && !says_bound(judged.proposal, told.policy)) {
        winner.bound = "It acts " + row.acts + ": " + row.evidence + ".";
    }
    add_node_figures(told, judged.proposal, past, winner);
    return winner;
}

void add_commands(const WhyQuery& query, const Verdict& verdict, WhyAnswer& answer) {
    const std::string run = query.run.empty() ? "RUN" : shell_word(query.run);
    const Proposal* about = nullptr;
    const Proposal* against = nullptr;
    for (const Judged& judged : verdict.judged) {
        const Proposal& p = judged.proposal;
        const bool accepted = std::holds_alternative<Accepted>(judged.fate);
        const bool node = std::holds_alternative<NodeId>(p.target);
        if (node && (about == nullptr || accepted)) about = &p;
        if (!accepted && against == nullptr && !changes_nothing(p.action)) against = &p;
    }
    if (about != nullptr) {
        answer.closer.push_back("parley why " + run + " --node " + text_of(about->target));
    }
    if (against != nullptr) {
        answer.closer.push_back("parley why-not " + run + " " +
                                command_text(against->action, against->target) + " --round " +
                                std::to_string(answer.round));
    }
}

void add_agents(const Told& told, const Past& past, Story& story) {
    for (const auto& [row, judged] : judged_rows(told)) {
        const Proposal& proposal = judged->proposal;
        if (row.outcome == Outcome::idle) {
            story.answer.idle.push_back(row);
            const bool sees = measure_of(proposal.evidence) != Measure::untold;
            if (!sees && model::in_this_build(row.role)) story.answer.blind.push_back(row.agent);
        } else if (row.outcome == Outcome::lost || row.outcome == Outcome::refused) {
            story.answer.losers.push_back(row);
        } else {
            story.answer.winners.push_back(winner_of(told, *judged, row, past));
            for (const Step& step : told.decision.first_steps) {
                const OpenAction& action = step.action;
                if (action.round != told.decision.round || action.role != row.role ||
                    action.target != proposal.target) {
                    continue;
                }
                story.followed.push_back({story.answer.winners.size() - 1, Follower(action)});
            }
        }
    }
}

Story story_of(const WhyQuery& query, const store::RunHeader& header,
               const store::RoundRecord& record, const Past& past) {
    const Told told{record.input, record.decision, header.policy, record.events};
    const Decision& decision = record.decision;
    const bool kept = header.record == store::RecordLevel::full;
    Story story;
    story.simulated = header.simulated;
    WhyAnswer& answer = story.answer;
    answer.round = decision.round;
    answer.at = kept ? when(record.input.now, header.simulated) : "?";
    answer.profile = enum_name(header.policy.profile);
    answer.mode = mode_text(kept ? record.input.controls.mode : header.mode, header.simulated);
    answer.headline = headline(decision);
    answer.rule = decision.verdict.rule;
    answer.rationale = rationale_of(decision);
    answer.stopped = hindered(decision.verdict) != nullptr;
    add_agents(told, past, story);
    for (const SourceWord& word : source_words(record.input)) answer.knew.push_back(word.text);
    answer.missing = missing_readings(told);
    if (!kept) answer.missing.push_back("the readings: this record keeps decisions only");
    answer.assumed = assumed(told);
    answer.danger = decision.forecast.danger_because;
    if (!decision.forecast.instead.empty()) {
        answer.instead =
            decision.forecast.instead + "; " + decision.forecast.model + " judged in its place";
    }
    for (const Disagreement& each : decision.disagreements) {
        answer.disagreements.push_back(disagreement_text(each, decision));
    }
    for (const Alarm& alarm : decision.alarms) answer.alarms.push_back(alarm_text(alarm));
    answer.waiting = waiting_lines(told, kWaitingShown);
    add_commands(query, decision.verdict, answer);
    return story;
}

/// One pass over a run, for one question.
class Asked {
public:
    Asked(const WhyQuery& query, const store::RunHeader& header)
        : query_(query), header_(header), past_(header.policy.evidence) {
        if (query.node) history_.emplace(History::About::node, *query.node);
        if (query.workload) history_.emplace(History::About::workload, *query.workload);
    }

    void take(store::RoundRecord record) {
        if (record.start) past_.meet(record.start->derived);
        if (record.memory) past_.meet(record.memory->derived);
        past_.take(record.input);
        if (first_ == 0) first_ = record.decision.round;
        const bool gap = last_ != 0 && record.decision.round != last_ + 1;
        if (story_ && (gap || record.start)) story_->lose_track();
        last_ = record.decision.round;
        if (history_) {
            history_->take(record, header_.policy, past_);
            open_ = record.decision.open_scores;
        }
        if (story_) story_->meet(record.decision);
        if (story_ && !gap && record.decision.round == story_->answer.round + 1) {
            story_->unstored = record.input.controls.ledger_unstored;
        }
        if (wanted(record.decision)) {
            weight_ = weight_of(record.decision.verdict);
            story_ = story_of(query_, header_, record, past_);
            story_->watch(record.decision);
        }
        now_ = record.input.now;
        if (story_) story_->take(record.events);
        if (history_ && !story_) newest_ = std::move(record);
    }

    bool settled() const { return story_ && query_.round && story_->settled(); }

    /// `written`: a process held the record when it began to be read.
    Result<WhyAnswer> answer(store::RunStatus status, bool written) {
        if (last_ == 0) return fail(ErrorCode::denied, "this run has no round yet");
        if (history_ && !history_->seen()) {
            const bool observed = header_.record == store::RecordLevel::full;
            return fail(ErrorCode::denied, history_->unknown(observed));
        }
        if (newest_ && !story_) {  // No action was taken on it.
            story_ = story_of(query_, header_, *newest_, past_);
            story_->watch(newest_->decision);
            story_->take(newest_->events);
        }
        if (!story_) {
            return fail(ErrorCode::denied, "round " + std::to_string(*query_.round) +
                                               " is not in this record, which holds rounds " +
                                               std::to_string(first_) + " to " +
                                               std::to_string(last_));
        }
        const bool goes_on = written && status == store::RunStatus::running;
        const Ending ending{last_, now_, status, goes_on, header_.simulated};
        story_->close(ending);
        WhyAnswer answer = std::move(story_->answer);
        if (history_) {
            history_->end(open_, ending);
            answer.about = query_.node ? *query_.node : *query_.workload;
            answer.headline = history_->summary();
            answer.history = history_->moments();
            answer.left_out = history_->left_out();
            answer.highest_round = history_->highest_round();
            const std::string run = query_.run.empty() ? "RUN" : shell_word(query_.run);
            answer.closer = {"parley why " + run + " --round " + std::to_string(answer.round)};
        }
        return answer;
    }

private:
    bool wanted(const Decision& decision) const {
        if (query_.round) return decision.round == *query_.round;
        if (history_) return history_->acted() == decision.round;
        return !story_ || weight_of(decision.verdict) >= weight_;
    }

    const WhyQuery& query_;
    const store::RunHeader& header_;
    Past past_;
    std::optional<History> history_;
    std::optional<Story> story_;
    std::optional<store::RoundRecord> newest_;  ///< Until an action is taken on it.
    Weight weight_ = Weight::quiet;
    std::uint64_t first_ = 0;
    std::uint64_t last_ = 0;
    TimePoint now_;                ///< Of the last round.
    std::vector<OpenScore> open_;  ///< Of the last round.
};

/// To what is not in a record that was read to its end: it may have been trimmed.
void add_dropped(const store::RunReader& run, Error& error) {
    const std::string dropped = store::dropped_text(run.facts().dropped);
    if (!dropped.empty()) error.message += "; " + dropped;
}

/// Reads until nothing more can come of the round that is asked about.
Result<WhyAnswer> why_near(store::RunReader& run, const WhyQuery& query, bool written,
                           const std::vector<std::string>& gaps) {
    Asked asked(query, run.header());
    while (!asked.settled()) {
        auto record = run.next();
        if (!record) return tl::unexpected(record.error());
        if (!*record) break;
        asked.take(**std::move(record));
    }
    auto answer = asked.answer(run.facts().status, written);
    if (answer) answer->gaps = gaps;
    if (!answer) add_dropped(run, answer.error());
    return answer;
}

using Places = std::vector<store::KeyframePlace>;

/// Visits the rounds between two keyframes.
template <class Visit>
Result<void> read_part(Disk& disk, const std::string& folder, const store::RunHeader& header,
                       const store::KeyframePlace* from, std::uint64_t before, Visit visit) {
    auto run = from == nullptr ? store::RunReader::open(disk, folder)
                               : store::RunReader::open_at(disk, folder, header, from->position);
    if (!run) return tl::unexpected(run.error());
    while (true) {
        const auto record = run->next();
        if (!record) return tl::unexpected(record.error());
        if (!*record || (*record)->decision.round >= before) return {};
        visit(**record);
    }
}

/// The last contested round, else the last with an action, else the last. Searches backwards, since
/// it is mostly near the end.
Result<std::uint64_t> worth_asking(Disk& disk, const std::string& folder,
                                   const store::RunHeader& header, const Places& places) {
    std::uint64_t chosen = 0;
    Weight weight = Weight::quiet;
    std::uint64_t before = UINT64_MAX;
    for (std::size_t i = places.size() + 1; i-- > 0 && weight != Weight::contested;) {
        std::uint64_t here = 0;
        Weight most = Weight::quiet;
        const auto read = read_part(disk, folder, header, i == 0 ? nullptr : &places[i - 1], before,
                                    [&](const store::RoundRecord& record) {
                                        const Weight each = weight_of(record.decision.verdict);
                                        if (here != 0 && each < most) return;
                                        most = each;
                                        here = record.decision.round;
                                    });
        if (!read) return tl::unexpected(read.error());
        if (here != 0 && (chosen == 0 || most > weight)) {
            chosen = here;
            weight = most;
        }
        before = i == 0 ? 0 : places[i - 1].round;
    }
    return chosen;
}

}  // namespace

Result<WhyAnswer> why(store::RunReader& run, const WhyQuery& query, bool written) {
    Asked asked(query, run.header());
    while (true) {
        auto record = run.next();
        if (!record) return tl::unexpected(record.error());
        if (!*record) break;
        asked.take(**std::move(record));
    }
    auto answer = asked.answer(run.facts().status, written);
    const auto gaps = run.gaps();
    if (answer) {
        answer->gaps = gaps;
        if (!answer->about.empty()) answer->dropped = run.facts().dropped;
        return answer;
    }
    add_dropped(run, answer.error());
    if (!gaps.empty()) {
        answer.error().message += "; parts of the record cannot be read: " + gaps.front();
    }
    return answer;
}

Result<WhyAnswer> why(Disk& disk, const std::string& folder, const WhyQuery& query) {
    // Asked before it is read: a run that ends meanwhile was still going at what is told.
    const bool written = store::is_written(disk, folder);
    auto whole = store::RunReader::open(disk, folder);
    if (!whole) return tl::unexpected(whole.error());
    if (query.node || query.workload) return why(*whole, query, written);
    store::Position from;
    std::vector<std::string> gaps;
    const auto places = store::find_keyframes(disk, folder, from, &gaps);
    if (!places || places->empty()) return why(*whole, query, written);
    const store::RunHeader header = whole->header();
    WhyQuery about = query;
    if (!about.round) {
        const auto chosen = worth_asking(disk, folder, header, *places);
        if (!chosen || *chosen == 0) return why(*whole, query, written);
        about.round = *chosen;
    }
    const auto behind =
        std::ranges::upper_bound(*places, *about.round, {}, &store::KeyframePlace::round);
    if (behind == places->begin()) return why_near(*whole, about, written, gaps);
    auto near = store::RunReader::open_at(disk, folder, header, (behind - 1)->position);
    if (!near) return tl::unexpected(near.error());
    auto answer = why_near(*near, about, written, gaps);
    return answer ? answer
                  : why(*whole, query, written);  // The whole run says which rounds there are.
}

}  // namespace parley::explanation
