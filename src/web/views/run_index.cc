#include "web/views/run_index.h"

#include "base/number.h"
#include "layers/explanation/telling/outcome.h"
#include "layers/explanation/wording/wording.h"
#include "web/views/verdict_view.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <ranges>
#include <utility>

namespace parley::web {

using namespace model;
using explanation::EventKind;

namespace {

constexpr std::size_t kEventsShown = 20;
constexpr std::size_t kStripMax = 2'000;
constexpr std::size_t kListMax = 1'000;
constexpr std::size_t kPixelsMax = 8'000;

float shown(std::int64_t cost) {
    return static_cast<float>(-static_cast<double>(cost) / kCostUnit);
}

std::string small(std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) {
        return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    });
    return text;
}

/// Whether a text holds what a person searches for, which is in small letters.
bool holds(const std::string& text, const std::string& wanted) {
    return small(text).find(wanted) != std::string::npos;  // prose: a person searches for words.
}

/// How bad a round looks on the ribbon: rounds in which somebody was overruled stay visible.
int weight_of(char letter) {
    if (letter == '#') return 3;
    if (letter >= 'A' && letter <= 'Z') return 2;
    return letter == '.' ? 0 : 1;
}

std::string named(std::uint64_t round) { return thousands(static_cast<std::int64_t>(round)); }

std::string letter_text(char letter) {
    return std::string(1, static_cast<char>(std::toupper(static_cast<unsigned char>(letter))));
}

}  // namespace

void RunIndex::take(const SeenRound& round) {
    const Decision& decision = *round.decision;
    const explanation::Told told{*round.input, decision, header_.policy, round.events};
    // After a resume: it is already there.
    if (!marks_.empty() && decision.round <= newest()) return;
    for (explanation::Event& event : teller_.tell(told)) {
        events_.push_back({event.time, event.round, event.kind, std::move(event.message)});
    }
    const std::string text = explanation::decision_line(decision);
    const auto [place, is_new] =
        line_places_.emplace(text, static_cast<std::uint32_t>(lines_.size()));
    if (is_new) {
        const auto rows = explanation::agent_rows(told);
        lines_.push_back({explanation::headline(decision), decision.verdict.rule,
                          explanation::overruled(decision.verdict),
                          rows.empty() ? "" : std::string(enum_name(rows.front().outcome))});
    }
    if (!round.decisions_only()) {  // Otherwise it is not known.
        if (!round.input->controls.stop) {
            stopped_since_.reset();
        } else if (!stopped_since_) {
            stopped_since_ = decision.round;
        }
    }
    Mark mark{.round = decision.round,
              .time = round.input->now,
              .line = place->second,
              .letter = explanation::strip_letter(decision.verdict),
              .alarm = alarms_.take(decision.alarms) > 0,
              .decisions_only = round.decisions_only(),
              .ours = decision.score.ours,
              .total = static_cast<float>(decision.score.score),
              .read = decision.score.leaves,
              .missing = decision.score.missing,
              .settled = decision.score.settled};
    for (const Role role : kRoles) {
        mark.by[role] = shown(decision.score.cost[role]);
        mark.counted[role] = any_counted(decision.score.uncounted, role);
    }
    model::add_gaps(uncounted_, decision.score.uncounted);
    mark.overruled = static_cast<std::uint8_t>(
        std::min<std::size_t>(255, explanation::overruled(decision.verdict).size()));
    marks_.push_back(mark);
    rows_ += round.input->snapshot.nodes.size();
    for (const Judged& judged : decision.verdict.judged) {
        using enum explanation::Outcome;
        const explanation::Outcome outcome = explanation::outcome_of(decision, judged);
        accepted_ += outcome == accepted || outcome == would ? 1 : 0;
        held_ += outcome == held ? 1 : 0;
    }
    open_ = decision.open_scores;
    censored_.clear();
    for (const ClosedScore& score : decision.closed) {
        closed_.push_back(closed_view(score, header_.simulated));
        if (score.twin_error) {
            twin_errors_.push_back(
                {decision.round,
                 std::fabs(static_cast<double>(score.twin_error->total()) / kCostUnit)});
        }
    }
}

void RunIndex::know_end(RunState state) {
    censored_.clear();
    if (state == RunState::running) return;
    // A killed run never recorded its end; only its record ends.
    const auto status =
        state == RunState::killed ? store::RunStatus::running : store::RunStatus::complete;
    for (const OpenScore& open : open_) {
        const auto score = explanation::censored(open, newest(), newest_time(), status);
        censored_.push_back(closed_view(score, header_.simulated));
    }
}

void RunIndex::know_last(std::uint64_t round, Sure sure) {
    if (round < last_) return;
    if (round > last_ || sure == Sure::exactly) sure_ = sure;
    last_ = round;
}

void RunIndex::note(TimePoint time, EventKind kind, const std::string& message) {
    events_.push_back({time, newest(), kind, message});
}

std::size_t RunIndex::place_of(std::uint64_t round) const {
    const auto at = std::ranges::lower_bound(marks_, round, {}, &Mark::round);
    return static_cast<std::size_t>(at - marks_.begin());
}

const RunIndex::Mark* RunIndex::find(std::uint64_t round) const {
    const std::size_t place = place_of(round);
    return place < marks_.size() && marks_[place].round == round ? &marks_[place] : nullptr;
}

std::optional<std::uint64_t> RunIndex::acted_until() const {
    return stopped_since_ ? std::optional(*stopped_since_ - 1) : std::nullopt;
}

Kept RunIndex::state_of(std::uint64_t round) const {
    if (const Mark* mark = find(round)) {
        return mark->decisions_only ? Kept::decisions : Kept::full;
    }
    return round <= dropped() ? Kept::gone : Kept::damaged;
}

std::uint64_t RunIndex::dropped() const {
    return dropped_.value_or(marks_.empty() ? 0 : first() - 1);
}

std::vector<RunIndex::Span> RunIndex::damaged_spans() const {
    std::vector<Span> spans;
    std::uint64_t expected = dropped() + 1;
    for (const Mark& mark : marks_) {
        if (mark.round > expected) spans.push_back({expected, mark.round - 1});
        expected = std::max(expected, mark.round + 1);
    }
    if (last() >= expected) spans.push_back({expected, last()});
    return spans;
}

std::uint64_t RunIndex::damaged() const {
    std::uint64_t rounds = 0;
    for (const Span& span : damaged_spans()) rounds += span.last - span.first + 1;
    return rounds;
}

std::string RunIndex::damage_text() const {
    constexpr std::size_t kNamed = 4;
    const auto spans = damaged_spans();
    if (spans.empty()) return {};
    const std::uint64_t rounds = damaged();
    const Sure sure = last_ > newest() ? sure_ : Sure::exactly;
    if (rounds == 1 && sure == Sure::exactly) {
        return "Round " + named(spans[0].first) + " is damaged and cannot be read.";
    }
    std::vector<std::string> words;
    for (std::size_t i = 0; i < std::min(kNamed, spans.size()); ++i) {
        const auto [first, last] = spans[i];
        words.push_back(named(first) + (last > first ? " to " + named(last) : ""));
    }
    if (spans.size() > kNamed) {
        words.push_back(std::to_string(spans.size() - kNamed) + " more places");
    }
    const char* about = sure == Sure::at_least ? "At least " : "At most ";
    return (sure == Sure::exactly ? "" : about) + named(rounds) + " of " + named(last()) +
           " rounds are damaged and cannot be read: " + explanation::listed(words) + ".";
}

std::string RunIndex::missing_text(std::uint64_t round) const {
    const std::size_t place = place_of(round);
    const std::string at = "Round " + named(round);
    if (state_of(round) == Kept::gone) {
        return at +
               " was compacted: what it held is no longer kept, only that it was. Rounds from " +
               named(first()) + " on are whole.";
    }
    std::vector<std::string> beside;
    if (place > 0) beside.push_back(named(marks_[place - 1].round));
    if (place < marks_.size()) beside.push_back(named(marks_[place].round));
    if (beside.empty()) return at + " is damaged and cannot be read, and so are all others.";
    return at + " is damaged and cannot be read; " + explanation::listed(beside) +
           (beside.size() == 1 ? " is whole." : " are whole.");
}

EventLine RunIndex::line_of(std::size_t event) const {
    const KeptEvent& kept = events_[event];
    return {.at = explanation::when(kept.time, header_.simulated),
            .t = static_cast<double>(kept.time.us) / 1e6,
            .round = kept.round,
            .kind = kept.kind,
            .message = kept.message,
            .seq = event + 1};
}

std::optional<ClosedView> RunIndex::closed_of(std::uint64_t round, std::uint64_t until) const {
    for (const ClosedView& each : closed_ | std::views::reverse) {
        if (each.round == round && (until == 0 || each.closed_round <= until)) return each;
    }
    for (const ClosedView& each : censored_) {
        if (each.round == round && (until == 0 || each.closed_round <= until)) return each;
    }
    return std::nullopt;
}

Around RunIndex::around(std::uint64_t round) const {
    Around out{.first = first(), .newest = last(), .readable = newest()};
    std::size_t place = place_of(round);
    if (place < marks_.size() && marks_[place].round == round) {
        const std::uint32_t line = marks_[place].line;
        out.alarm_raised = marks_[place].alarm;
        out.repeat_count = 1;
        while (place > 0 && marks_[place - 1].line == line) {
            ++out.repeat_count;
            --place;
        }
    }
    for (const ClosedView& each : closed_ | std::views::reverse) {
        if (each.closed_round > round) continue;
        out.last_closed = each;
        break;
    }
    out.later = closed_of(round);
    if (out.later && out.later->closed_round <= round) out.later.reset();
    const auto end = std::ranges::upper_bound(events_, round, {}, &KeptEvent::round);
    for (auto each = end; each != events_.begin() && out.events.size() < kEventsShown;) {
        --each;
        out.events.push_back(line_of(static_cast<std::size_t>(each - events_.begin())));
    }
    for (auto each = end; each != events_.begin() && (each - 1)->round == round; --each) {
        ++out.new_events;
    }
    return out;
}

StripView RunIndex::strip(std::uint64_t from, std::uint64_t to) const {
    StripView view{.first = first(), .newest = last()};
    if (marks_.empty()) return view;
    const std::uint64_t end = std::min(to == 0 ? last() : to, last());
    std::uint64_t begin = std::max<std::uint64_t>(from, 1);
    if (end >= begin + kStripMax) begin = end - kStripMax + 1;
    std::size_t place = place_of(begin);
    for (std::uint64_t round = begin; round <= end; ++round) {
        if (place < marks_.size() && marks_[place].round == round) {
            const Mark& mark = marks_[place];
            view.cells.push_back({.round = round,
                                  .letter = letter_text(mark.letter),
                                  .overruled = mark.overruled,
                                  .alarm = mark.alarm,
                                  .same = place > 0 && marks_[place - 1].line == mark.line,
                                  .state = mark.decisions_only ? Kept::decisions : Kept::full});
            ++place;
        } else {
            view.cells.push_back({.round = round, .state = state_of(round)});
        }
    }
    return view;
}

RibbonView RunIndex::ribbon(std::size_t pixels) const {
    RibbonView view{.first = first(), .newest = last()};
    if (marks_.empty() || pixels == 0) return view;
    const std::uint64_t rounds = last();
    const std::size_t width =
        static_cast<std::size_t>(std::min<std::uint64_t>(std::min(pixels, kPixelsMax), rounds));
    view.cells.assign(width, '.');
    view.alarms.assign(width, ' ');
    std::vector<std::uint64_t> seen(width, 0);
    const auto pixel_of = [&](std::uint64_t round) {
        return static_cast<std::size_t>((round - 1) * width / rounds);
    };
    for (const Mark& mark : marks_) {
        const std::size_t pixel = pixel_of(mark.round);
        ++seen[pixel];
        if (weight_of(mark.letter) > weight_of(view.cells[pixel])) view.cells[pixel] = mark.letter;
        if (mark.alarm) view.alarms[pixel] = '!';
    }
    std::vector<std::uint64_t> due(width, 0);
    for (std::uint64_t round = 1; round <= rounds; ++round) ++due[pixel_of(round)];
    for (std::size_t i = 0; i < width; ++i) {
        if (seen[i] < due[i]) view.cells[i] = '#';
    }
    return view;
}

DecisionsView RunIndex::decisions(std::uint64_t to, std::size_t offset, std::size_t limit,
                                  const std::string& find) const {
    DecisionsView view;
    const std::string wanted = small(find);
    for (std::size_t end = to == 0 ? marks_.size() : place_of(to + 1); end > 0;) {
        std::size_t begin = end - 1;
        while (begin > 0 && marks_[begin - 1].line == marks_[begin].line) --begin;
        const Mark& mark = marks_[begin];
        const Line& line = lines_[mark.line];
        const std::uint64_t last = marks_[end - 1].round;
        end = begin;
        const bool fits =
            wanted.empty() || holds(line.headline, wanted) || holds(line.rule, wanted);
        if (!fits) continue;
        const std::size_t place = view.total++;
        if (place < offset || view.rows.size() >= std::min(limit, kListMax)) continue;
        DecisionLine row{.round = mark.round,
                         .last_round = last,
                         .at = explanation::when(mark.time, header_.simulated),
                         .headline = line.headline,
                         .rule = line.rule,
                         .letter = letter_text(mark.letter),
                         .overruled = line.overruled,
                         .outcome = line.outcome};
        if (const auto closed = closed_of(mark.round, to)) {
            row.score = closed->total;
            row.score_text = closed->text;
        }
        view.rows.push_back(std::move(row));
    }
    return view;
}

EventsView RunIndex::events(const EventFilter& filter) const {
    EventsView view{.newest_seq = events_.size()};
    const std::string wanted = small(filter.find);
    for (std::size_t i = events_.size(); i-- > 0;) {
        const KeptEvent& event = events_[i];
        if (filter.until_round != 0 && event.round > filter.until_round) continue;
        ++view.counts[std::string(enum_name(event.kind))];
        const std::uint64_t seq = i + 1;
        const bool kind = filter.kinds.empty() || std::ranges::count(filter.kinds, event.kind) > 0;
        const bool said = holds(event.message, wanted) ||
                          enum_name(event.kind).find(wanted) != std::string_view::npos;
        if (!kind || !said) continue;
        ++view.total;
        const bool inside = (filter.before == 0 || seq < filter.before) && seq > filter.after;
        if (inside && view.events.size() < std::min(filter.limit, kListMax)) {
            view.events.push_back(line_of(i));
        }
    }
    return view;
}

std::vector<std::string> RunIndex::summary() const {
    const auto count = [](std::size_t n, const char* one) {
        return explanation::counted(static_cast<std::int64_t>(n), one);
    };
    std::size_t contested = 0;
    for (const Mark& mark : marks_) contested += mark.overruled > 0 ? 1 : 0;
    std::vector<std::string> lines{
        count(marks_.size(), "round") + (damaged() > 0 ? " that can be read, " : ", ") +
            count(lines_.size(), "different decision") + ", " + count(contested, "round") +
            " in which somebody was overruled",
        count(accepted_, "action") + " accepted, " + named(held_) + " held, " +
            count(closed_.size(), "score") + " closed",
        explanation::alarms_text(alarms_.raised(), alarms_.rounds())};
    if (marks_.empty()) return lines;
    ScoresView scores;
    add_total(0, 0, scores);
    const std::string of = dropped() > 0
                               ? "score of rounds " + named(first()) + " to " + named(last())
                               : "score of all rounds";
    if (!scores.total) {
        lines.push_back(of + " not known: " + scores.total_missing);
        return lines;
    }
    lines.push_back(
        of + " " + explanation::earned_minutes(*scores.total) + " pod-minutes, " +
        explanation::earned_minutes(*scores.total / static_cast<double>(marks_.size())) +
        " a round, from " + std::to_string(static_cast<int>(*scores.total_covered * 100)) +
        "% of its readings");
    return lines;
}

}  // namespace parley::web
