// Model: what layer 6 points at: disagreements (information) and alarms (Parley may be wrong).

#pragma once

#include "base/describe.h"
#include "base/time.h"
#include "model/ids.h"

#include <cstdint>
#include <string>

namespace parley::model {

/// Ways in which what is shown and what is believed differ.
enum class DisagreementKind : std::uint8_t {
    ready_but_risky,
    not_ready_but_safe,
    ok_but_no_sample,
    short_but_admitting,
    replicas_not_ours,
    mark_foreign,
    sources_differ,  ///< Two sources measure the same and say different things.
};
BOOST_DESCRIBE_ENUM(DisagreementKind, ready_but_risky, not_ready_but_safe, ok_but_no_sample,
                    short_but_admitting, replicas_not_ours, mark_foreign, sources_differ)

struct Disagreement {
    DisagreementKind kind = DisagreementKind::ready_but_risky;
    Target about = WholeCluster{};
    std::string sentence;
    friend bool operator==(const Disagreement&, const Disagreement&) = default;
};
BOOST_DESCRIBE_STRUCT(Disagreement, (), (kind, about, sentence))

enum class AlarmKind : std::uint8_t {
    no_samples,         ///< A stage or source reads ok, yet samples are missing from the record.
    score_unexplained,  ///< Decision and inputs unchanged, yet the score moved: suspect the
                        ///< backend.
    stimulus_without_effect,  ///< What the exerciser meant to move did not: suspect the stimulus.
    done_but_unhealthy,       ///< Actions are complete, the cluster is still unhealthy.
    risk_off,                 ///< Nodes fail much more or much less often than a served model says.
    risk_drift,               ///< The model was right before, and no longer is.
    sources_contradict,       ///< Two sources have differed for several rounds: one of them lies.
    sources_failed,           ///< No metric source has delivered for minutes.
    record_contradicts,       ///< Two views of our own record of an action disagree.
    clock_stepped,            ///< Our own clock was set.
};
BOOST_DESCRIBE_ENUM(AlarmKind, no_samples, score_unexplained, stimulus_without_effect,
                    done_but_unhealthy, risk_off, risk_drift, sources_contradict, sources_failed,
                    record_contradicts, clock_stepped)

struct Alarm {
    AlarmKind kind = AlarmKind::no_samples;
    Target about = WholeCluster{};
    TimePoint since;
    std::uint64_t rounds = 0;  ///< For how many rounds it has held.
    std::int32_t layer = 1;    ///< Which layer to suspect.
    std::string sentence;
    friend bool operator==(const Alarm&, const Alarm&) = default;
};
BOOST_DESCRIBE_STRUCT(Alarm, (), (kind, about, since, rounds, layer, sentence))

}  // namespace parley::model
