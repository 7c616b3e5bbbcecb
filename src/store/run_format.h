// Store: what a run's journal holds. One frame per input, decision and event; keyframes from which
// reading may begin.

#pragma once

#include "base/describe.h"
#include "model/round.h"

#include <cstdint>
#include <string>
#include <vector>

namespace parley::store {

/// Raised with every change of the frames that older programs cannot read.
inline constexpr std::uint16_t kFormatVersion = 1;

/// What a run's folder may already hold before the run begins: the study of tuning at its start.
inline constexpr const char* kTuningFolder = "tuning";

enum class RunFrame : std::uint8_t {
    header = 1,    ///< RunHeader: once, at the start.
    keyframe = 2,  ///< Keyframe: the state before the round that follows.
    input = 3,     ///< RoundInput, as the difference to the input of the round before.
    /// Decision, as the difference to the decision before. Only now does the input count.
    decision = 4,
    event = 5,    ///< ActionEvent: what came back within the round.
    process = 6,  ///< ProcessNote. Not part of the digest.
    end = 7,      ///< RunEnd.
    /// Memory: what the next round starts from, if that differs from what the last round left.
    start = 8,
    gap = 9,  ///< GapNote: what was lost before it, declared by a person.
};

enum class RecordLevel : std::uint8_t { full, decisions, none };
BOOST_DESCRIBE_ENUM(RecordLevel, full, decisions, none)

/// What a run is: enough to start it again.
struct RunHeader {
    std::uint32_t rules_version = 0;
    std::string program;         ///< Such as "parley 0.1.0".
    std::string scenario;        ///< Its name.
    std::string scenario_bytes;  ///< The scenario itself, encoded; empty for a real cluster.
    std::uint64_t seed = 0;
    Duration interval;
    model::Mode mode = model::Mode::observe;
    bool simulated = false;
    RecordLevel record = RecordLevel::full;
    std::string policy_digest;
    model::Policy policy;
};
BOOST_DESCRIBE_STRUCT(RunHeader, (),
                      (rules_version, program, scenario, scenario_bytes, seed, interval, mode,
                       simulated, record, policy_digest, policy))

/// The state that the following inputs and decisions are written as differences to.
struct Keyframe {
    model::RoundInput input;
    model::Decision decision;
    model::Memory memory;
};
BOOST_DESCRIBE_STRUCT(Keyframe, (), (input, decision, memory))

/// How far a stage is: something that a run prepares beside its rounds.
enum class StageStatus : std::uint8_t {
    disabled,  ///< Switched off.
    idle,      ///< Not asked for.
    skipped,   ///< Impossible: something is missing.
    running,
    complete,
    failed,
};
BOOST_DESCRIBE_ENUM(StageStatus, disabled, idle, skipped, running, complete, failed)

struct StageNote {
    std::string name;  ///< brains, ray_ppo or optuna.
    StageStatus status = StageStatus::skipped;
    std::string detail;  ///< The flag, what is missing, how far it is, or what came of it.
    friend bool operator==(const StageNote&, const StageNote&) = default;
};
BOOST_DESCRIBE_STRUCT(StageNote, (), (name, status, detail))

/// Says that a process began to write here. Not part of the digest.
struct ProcessNote {
    std::string program;
    std::string build;
    bool resumed = false;
    std::int64_t wall_us = 0;
    std::vector<StageNote> stages;  ///< As they were when the process began.
};
BOOST_DESCRIBE_STRUCT(ProcessNote, (), (program, build, resumed, wall_us, stages))

/// From the first to the last, inclusive.
struct NumberRange {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    friend bool operator==(const NumberRange&, const NumberRange&) = default;
};
BOOST_DESCRIBE_STRUCT(NumberRange, (), (first, last))

/// Begins a new epoch of a record that was damaged (`parley repair`): says what is missing and why,
/// so that those rounds are not decided again.
struct GapNote {
    std::uint64_t epoch = 0;          ///< From 2: the first epoch has no note.
    std::vector<NumberRange> frames;  ///< Frames that cannot be read.
    std::vector<NumberRange> rounds;  ///< Rounds that were lost with them.
    /// The last round that may have been made; the next one gets a higher number.
    std::uint64_t acknowledged = 0;
    std::vector<std::string> why;  ///< Sentences.
    std::string aside;             ///< Where the damaged files are kept, inside the run folder.
    std::string program;
    std::int64_t wall_us = 0;
    bool exact = true;  ///< False: some of the last rounds may never have been made.
};
BOOST_DESCRIBE_STRUCT(GapNote, (),
                      (epoch, frames, rounds, acknowledged, why, aside, program, wall_us, exact))

enum class RunStatus : std::uint8_t { running, complete, stopped, failed };
BOOST_DESCRIBE_ENUM(RunStatus, running, complete, stopped, failed)

struct RunEnd {
    RunStatus status = RunStatus::complete;
    std::string reason;
    std::uint64_t rounds = 0;
};
BOOST_DESCRIBE_STRUCT(RunEnd, (), (status, reason, rounds))

}  // namespace parley::store
