// Web, views: parts of several answers of the API. Numbers are raw, sentences are complete; null is
// unknown, never zero.

#pragma once

#include "base/describe.h"
#include "layers/explanation/derived/events.h"
#include "model/per_role.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::web {

enum class ReadingState : std::uint8_t { ok, late, missing, estimated, assumed, not_applicable };
BOOST_DESCRIBE_ENUM(ReadingState, ok, late, missing, estimated, assumed, not_applicable)

/// One figure and how far it can be relied on.
struct ReadingView {
    std::optional<double> value;
    std::optional<double> age_s;
    ReadingState state = ReadingState::missing;
    std::string source;  ///< "metrics", "api"; empty if no source has spoken.
    std::string why;     ///< Why it is late, missing, estimated or assumed.
};
BOOST_DESCRIBE_STRUCT(ReadingView, (), (value, age_s, state, source, why))

enum class StageState : std::uint8_t { off, idle, skipped, running, done, failed };
BOOST_DESCRIBE_ENUM(StageState, off, idle, skipped, running, done, failed)

/// A stage of a run, whether it takes place or not.
struct StageView {
    std::string name;
    StageState state = StageState::idle;
    std::string detail;    ///< The flag, what is missing, or what came of it.
    std::string progress;  ///< "12 of 20, best 41.2"; empty if there is none.
};
BOOST_DESCRIBE_STRUCT(StageView, (), (name, state, detail, progress))

/// An explanation::Event as the page shows it: with its number, without its data.
struct EventLine {
    std::string at;
    double t = 0;  ///< Seconds of the run's clock.
    std::uint64_t round = 0;
    explanation::EventKind kind = explanation::EventKind::stage;
    std::string message;
    std::uint64_t seq = 0;  ///< Counts the events of the run, from 1.
};
BOOST_DESCRIBE_STRUCT(EventLine, (), (at, t, round, kind, message, seq))

/// An agent, as the page names it.
struct AgentView {
    model::Role role = {};
    std::string letter;  ///< "A".
    std::string title;   ///< "A safety".
    bool here = false;   ///< This build has it; its costs are counted either way.
};
BOOST_DESCRIBE_STRUCT(AgentView, (), (role, letter, title, here))

/// A figure of each agent, in pod-minutes.
struct ByRole : model::PerRole<std::optional<double>> {
    using PerRole::PerRole;
};

/// Measured, would and not ours are never mixed.
enum class ClosedState : std::uint8_t { measured, estimated, would, unknown, not_ours, censored };
BOOST_DESCRIBE_ENUM(ClosedState, measured, estimated, would, unknown, not_ours, censored)

/// The outcome of an action after its window; censored if the run ended before that.
struct ClosedView {
    std::uint64_t round = 0;         ///< In which it was decided.
    std::uint64_t closed_round = 0;  ///< In which the outcome was known.
    std::string at;                  ///< When its window ended.
    std::string action;              ///< "replicate node-07".
    std::optional<model::Role> role;
    ByRole by;
    std::optional<double> total;
    std::optional<double> twin;  ///< What the twin that acted had predicted.
    ClosedState state = ClosedState::unknown;
    bool cut = false;  ///< A later action took over before its window was over.
    std::string text;
    std::string likely;    ///< How far an estimated total can be relied on; else empty.
    std::string left_out;  ///< The lines that are not in the figures, with the reason of each.
};
BOOST_DESCRIBE_STRUCT(ClosedView, (),
                      (round, closed_round, at, action, role, by, total, twin, state, cut, text,
                       likely, left_out))

struct ErrorBody {
    std::string sentence;
    std::string remedy;
};
BOOST_DESCRIBE_STRUCT(ErrorBody, (), (sentence, remedy))
struct ErrorAnswer {
    ErrorBody error;
};
BOOST_DESCRIBE_STRUCT(ErrorAnswer, (), (error))

}  // namespace parley::web
