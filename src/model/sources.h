// Model: whether a source can be relied on in this round, and what to say if it cannot.

#pragma once

#include "base/time_text.h"
#include "model/aside.h"
#include "model/snapshot.h"

#include <string>

namespace parley::model {

/// The state of a source; null: this run does not have that source.
inline const SourceState* state_of(const Snapshot& snapshot, Source source) {
    for (const SourceState& state : snapshot.sources) {
        if (state.source == source) return &state;
    }
    return nullptr;
}

/// It has delivered nothing since we started, so it has no age.
inline bool nothing_yet(const SourceState& state) {
    return state.last_success == TimePoint{} && state.covered == 0;
}

/// Whether what a source delivered is no older than `age_max`. False for one that failed or is off,
/// however recent its last success.
inline bool delivers(const Snapshot& snapshot, Source source, TimePoint now, Duration age_max) {
    const SourceState* state = state_of(snapshot, source);
    if (state == nullptr) return false;
    const bool heard =
        state->condition == SourceCondition::ok || state->condition == SourceCondition::late;
    return heard && now - state->last_success <= age_max;
}

/// Why a source delivers nothing: "api is 94s old (limit 15s)", "metrics failed: no route to host".
inline std::string why_silent(const Snapshot& snapshot, Source source, TimePoint now,
                              Duration age_max) {
    const std::string name(enum_name(source));
    const SourceState* state = state_of(snapshot, source);
    if (state == nullptr || state->condition == SourceCondition::off) return name + " is off";
    if (state->condition == SourceCondition::failed) {
        return name + " failed" + (state->reason.empty() ? "" : ": " + state->reason);
    }
    if (nothing_yet(*state)) return name + " has delivered nothing yet";
    return name + " is " + print_age(now - state->last_success) + " old" + limit_aside(age_max);
}

/// The sources that have not spoken since `at`: "api", "api and metrics"; empty: all have. Sources
/// that failed or are off are not waited for, since nothing of them is used.
inline std::string unheard_since(const Snapshot& snapshot, TimePoint at) {
    std::string names;
    for (const SourceState& state : snapshot.sources) {
        const bool speaks =
            state.condition == SourceCondition::ok || state.condition == SourceCondition::late;
        if (!speaks || state.source == Source::exerciser || state.last_success > at) continue;
        names += (names.empty() ? "" : " and ") + std::string(enum_name(state.source));
    }
    return names;
}

}  // namespace parley::model
