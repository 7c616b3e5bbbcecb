// Web: answers over all rounds of a run: strip, ribbon, scores, decisions, events. Takes the rounds
// in order, and keeps a few hundred bytes of each.

#pragma once

#include "layers/explanation/derived/events.h"
#include "layers/explanation/wording/alarm_count.h"
#include "store/run_format.h"
#include "web/views/seen_round.h"
#include "web/views/views_round.h"
#include "web/views/views_run.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace parley::web {

/// Which events are wanted. Zero and empty values do not restrict.
struct EventFilter {
    std::uint64_t before = 0;  ///< Only with a lower number.
    std::uint64_t after = 0;   ///< Only with a higher number.
    std::vector<explanation::EventKind> kinds;
    std::string find;  ///< A part of the message or the kind; case does not matter.
    std::uint64_t until_round = 0;
    std::size_t limit = 100;
};

/// What a round's view needs besides the round.
struct Around {
    std::uint64_t first = 0;
    std::uint64_t newest = 0;        ///< The newest recorded round, whether it can be read or not.
    std::uint64_t readable = 0;      ///< The newest round that can be read.
    std::uint64_t repeat_count = 0;  ///< Consecutive rounds with this decision up to this one.
    std::optional<ClosedView> last_closed;
    std::optional<ClosedView> later;
    std::vector<EventLine> events;  ///< Newest first.
    std::int32_t new_events = 0;    ///< How many of them are of this round.
    bool alarm_raised = false;      ///< In this round, not before.
};

/// How sure it is which round is the last.
enum class Sure : std::uint8_t { exactly, at_least, at_most };

/// One thread at a time.
class RunIndex {
public:
    explicit RunIndex(const store::RunHeader& header, explanation::LiftedWords lifted = {})
        : header_(header), teller_(explanation::EventSource::record) {
        teller_.lifted = std::move(lifted);
    }

    /// Call it once a round, in order; a round that is already there is ignored.
    void take(const SeenRound& round);
    /// Adds a sentence of this server: somebody stopped the run, damage was found.
    void note(TimePoint time, explanation::EventKind kind, const std::string& message);

    bool empty() const { return marks_.empty(); }
    std::uint64_t first() const { return marks_.empty() ? 0 : marks_.front().round; }
    std::uint64_t newest() const { return marks_.empty() ? 0 : marks_.back().round; }
    /// The last recorded round: rounds after newest() are damaged.
    std::uint64_t last() const { return std::max(newest(), last_); }
    /// What the record says about rounds that are no longer in it: how far it goes and, once it was
    /// read from the beginning, which ones retention removed. The others are damaged.
    void know_last(std::uint64_t round, Sure sure = Sure::exactly);
    void know_dropped(std::uint64_t last_dropped) { dropped_ = last_dropped; }
    /// Scores that are not due when a run ends are censored, until it is resumed.
    void know_end(RunState state);
    std::uint64_t rounds() const { return marks_.size(); }
    TimePoint newest_time() const { return marks_.empty() ? TimePoint{} : marks_.back().time; }
    TimePoint first_time() const { return marks_.empty() ? TimePoint{} : marks_.front().time; }
    std::uint64_t rows() const { return rows_; }
    /// If nothing could be sent in the newest rounds, the last round before those; nothing: in the
    /// newest it could.
    std::optional<std::uint64_t> acted_until() const;
    bool has(std::uint64_t round) const { return find(round) != nullptr; }
    /// Why a round is missing, and which neighbours can be read: "Round 97 is damaged and cannot be
    /// read; 96 and 98 are whole."
    std::string missing_text(std::uint64_t round) const;
    /// How many rounds are damaged: recorded, not removed by retention, and not readable.
    std::uint64_t damaged() const;
    /// Which rounds are damaged: "181 of 300 rounds are damaged and cannot be read: 120 to 300.";
    /// empty: none.
    std::string damage_text() const;

    Around around(std::uint64_t round) const;
    StripView strip(std::uint64_t from, std::uint64_t to) const;
    RibbonView ribbon(std::size_t pixels) const;
    ScoresView scores(std::uint64_t from, std::uint64_t to, std::size_t points) const;
    /// `to`: the last round; 0: the newest.
    DecisionsView decisions(std::uint64_t to, std::size_t offset, std::size_t limit,
                            const std::string& find) const;
    EventsView events(const EventFilter& filter) const;
    /// One line each: how many rounds, decisions, actions, alarms, what they earned.
    std::vector<std::string> summary() const;

private:
    struct Mark {
        std::uint64_t round = 0;
        TimePoint time;
        std::uint32_t line = 0;  ///< Index of its decision in lines_.
        char letter = '.';       ///< As by explanation::strip_letter.
        std::uint8_t overruled = 0;
        bool alarm = false;
        bool decisions_only = false;
        bool ours = true;
        float total = 0;  ///< Of the round, in pod-minutes; only for drawing.
        model::PerRole<float> by;
        model::PerRole<bool> counted;  ///< False: nobody counted any line of this agent.
        std::int64_t read = 0;         ///< (leaf, round) pairs that its account could read ...
        std::int64_t missing = 0;      ///< ... and that it could not.
        /// Pairs of earlier rounds that were missing then and are included in this round.
        std::int64_t settled = 0;
    };
    struct Span {
        std::uint64_t first = 0;
        std::uint64_t last = 0;
    };
    struct Line {
        std::string headline;
        std::string rule;
        std::vector<std::string> overruled;
        std::string outcome;
    };
    /// An explanation::Event without its data, since a long run has many.
    struct KeptEvent {
        TimePoint time;
        std::uint64_t round = 0;
        explanation::EventKind kind = explanation::EventKind::stage;
        std::string message;
    };

    const Mark* find(std::uint64_t round) const;
    std::size_t place_of(std::uint64_t round) const;
    EventLine line_of(std::size_t event) const;
    Kept state_of(std::uint64_t round) const;
    /// The last round that retention removed; if that is not known, all before the first.
    std::uint64_t dropped() const;
    std::vector<Span> damaged_spans() const;
    ScorePoint point_of(const Mark& mark) const;
    void add_gaps(std::uint64_t from, std::uint64_t to, ScoresView& view) const;
    /// What damaged rounds would have been read from, as many as the round before them; 0: to the
    /// last one.
    std::int64_t lost_readings(std::uint64_t from, std::uint64_t to) const;
    void add_total(std::uint64_t from, std::uint64_t to, ScoresView& view) const;
    void add_twin_error(std::uint64_t to, ScoresView& view) const;
    /// The score known by round `until`; 0: known at any time.
    std::optional<ClosedView> closed_of(std::uint64_t round, std::uint64_t until = 0) const;

    store::RunHeader header_;
    explanation::Teller teller_;
    std::vector<Mark> marks_;  ///< In order of rounds.
    std::vector<Line> lines_;
    std::map<std::string, std::uint32_t> line_places_;
    std::vector<KeptEvent> events_;
    std::vector<ClosedView> closed_;      ///< In the order in which they closed.
    std::vector<model::OpenScore> open_;  ///< In the last round.
    std::vector<ClosedView> censored_;    ///< Their scores after the end of the run.
    struct TwinError {
        std::uint64_t round = 0;  ///< In which it became known.
        double size = 0;
    };
    std::vector<TwinError> twin_errors_;
    std::vector<model::LineGap> uncounted_;  ///< Over all rounds.
    explanation::AlarmCount alarms_;
    /// The first of the newest rounds that were stopped, if they were.
    std::optional<std::uint64_t> stopped_since_;
    std::uint64_t rows_ = 0;
    std::uint64_t accepted_ = 0;            ///< Actions that were let through, or would be.
    std::uint64_t held_ = 0;                ///< Actions that were accepted and held.
    std::uint64_t last_ = 0;                ///< Of the record; 0: not told.
    Sure sure_ = Sure::exactly;             ///< Of `last_`.
    std::optional<std::uint64_t> dropped_;  ///< The last one; nothing: not known.
};

}  // namespace parley::web
