// Layer 6, explanation: rounds in, one after the other; out, what changed, as events.

#pragma once

#include "layers/explanation/telling/follow.h"
#include "layers/explanation/telling/narrator.h"
#include "layers/explanation/telling/people.h"
#include "store/run_format.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace parley::explanation {

enum class EventKind : std::uint8_t {
    stage,
    cluster,
    source,
    exercise,
    decision,
    execution,
    score,
    alarm,
    error,
    disagreement
};
BOOST_DESCRIBE_ENUM(EventKind, stage, cluster, source, exercise, decision, execution, score, alarm,
                    error, disagreement)

struct Event {
    TimePoint time;
    std::uint64_t round = 0;
    EventKind kind = EventKind::stage;
    std::string message;      ///< One line.
    std::string data = "{}";  ///< JSON.
    friend bool operator==(const Event&, const Event&) = default;
};

/// One line of events.jsonl without the line end: time in seconds, at, round, kind, stage, message,
/// data.
std::string json_line(const Event& event, bool simulated);

/// The event that the score of an action was closed.
Event score_event(const model::ClosedScore& score, TimePoint now, std::uint64_t round);

/// Where to find what came back for actions: for a run in progress in the next round's input, for a
/// record beside the round itself.
enum class EventSource : std::uint8_t { input, record };

/// Tells only what changed: a new decision, a source that goes late or recovers, an alarm or
/// disagreement that comes or goes, an action that goes on, is confirmed, held or ended, a score
/// closed, a phase of the exerciser, a node lost or back. Remembers only the last round and open
/// actions. One thread at a time.
class Teller {
public:
    explicit Teller(EventSource source) : source_(source) {}

    /// Asked when a stop was lifted. Empty: who did it is not told.
    LiftedWords lifted;

    /// Sets how far the stages of the run are; a change is told with the next round.
    void stages(const std::vector<store::StageNote>& stages);

    /// Call it once a round, in order. After a gap in a record, the first round tells what is new
    /// since.
    std::vector<Event> tell(const Told& told);

private:
    struct OpenOne {
        Follower follower;
        std::string said;   ///< What was last told about it, without figures.
        std::string steps;  ///< How its steps stood then.
    };

    void add(EventKind kind, std::string message, std::string data = "{}");
    void tell_prepared();
    void tell_stage(const Told& told);
    void tell_ledger(const model::Controls& controls);
    void tell_sources(const Told& told);
    void tell_cluster(const Told& told);
    void tell_exercise(const Told& told);
    void tell_decision(const Told& told);
    void tell_shelved(const Follower& follower, bool simulated);
    void tell_rehearsed(std::span<const model::ActionEvent> events);
    void tell_progress(const Told& told, std::span<const model::ActionEvent> events);
    void tell_ended(const Told& told);
    void tell_scores(const Told& told);
    void tell_alarms(const Told& told);
    void tell_disagreements(const Told& told);

    EventSource source_;
    std::vector<Event> out_;
    TimePoint now_;
    std::uint64_t round_ = 0;
    bool begun_ = false;
    std::vector<store::StageNote> stages_;
    std::vector<store::StageNote> told_stages_;
    std::string mode_;
    bool stopped_ = false;
    bool unread_ = false;  ///< The ledger could not be read.
    std::string decision_;
    std::string phase_;
    std::map<model::Source, model::SourceCondition> sources_;
    Table<model::NodeRow> nodes_;  ///< Of the last round; shares its chunks.
    std::vector<model::Alarm> alarms_;
    std::vector<model::Disagreement> disagreements_;
    std::vector<OpenOne> open_;
    std::vector<Follower> would_;  ///< What the last round would begin.
    std::string shelved_;          ///< What was last told about an action that cannot continue.
};

}  // namespace parley::explanation
