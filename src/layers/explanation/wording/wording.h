// Layer 6, explanation: model values in, the words and figures that people read out. Pure.

#pragma once

#include "model/figures.h"
#include "model/round.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parley::explanation {

using model::beside;
using model::never_reached;
using model::pod_minutes;
using model::share_text;

/// "+3.0", "-0.005": what an action or a round earned, in pod-minutes.
std::string earned(std::int64_t cost_units);
std::string earned_minutes(double value);

/// "T+07:06" in a simulated run, else the time with zone.
std::string when(TimePoint time, bool simulated);
/// A span of time from the settings: "10 min", "1h30m", "50s".
std::string span_text(Duration span);

/// "1 pod", "12 pods", "5,000 pods".
std::string counted(std::int64_t count, std::string_view one, std::string_view many = {});
/// "C", "C and B", "C, D and B".
std::string listed(const std::vector<std::string>& words);

/// "C admission:queue" from "AgentC:admission:queue", the form in which an exerciser names the
/// action it wants to provoke.
std::string intent_text(std::string_view intent);

/// "act (simulated)", "dry-run".
std::string mode_text(model::Mode mode, bool simulated);

/// What an agent wants: "replicate node-07", "queue new batch pods", "shop/web 6 to 8".
std::string wish_text(const model::Proposal& proposal);
std::string wish_text(const model::Action& action, const model::Target& target);
/// In the form that `why-not` takes: "replicate:node-07", "queue", "power_state:sleep:node-05".
std::string command_text(const model::Action& action, const model::Target& target);

/// What kind of figure an agent acts on.
model::Measure measure_of(const model::Evidence& evidence);

/// "risk 0.86", "9 pods short of CPU"; "-" where there is no figure.
std::string evidence_text(const model::Evidence& evidence);
/// "above 0.25", "from 8"; "-" where there is no bound.
std::string bound_text(const model::Evidence& evidence);

/// "lease slow", "restarts": a signal by name, to say which are missing.
std::string signal_name(model::Signal signal);
/// The names of all signals of a set, in the order of the enumeration.
std::vector<std::string> signal_names(model::SignalSet signals);

/// The known name that differs in the fewest letters; empty if none is near.
std::string nearest_name(std::string_view word, std::span<const std::string> known);

/// The name of the node at a slot; "node ?" if the record has no snapshot.
std::string node_name(const model::Snapshot& snapshot, Slot slot);
/// "on", "asleep", "off", "booting".
std::string power_text(model::Power power);
/// kNoSlot: no such node.
Slot slot_of(const model::Snapshot& snapshot, model::NodeId id);
/// Null: the round has no forecast for that node.
const model::NodeForecast* forecast_of(const model::Forecast& forecast, Slot slot);

/// "not reported", "too old": why there is no value.
const char* gap_text(model::Gap gap);
/// Whether there was a value that was not believed.
bool rejected(model::Gap gap);
/// The same for a sample: "not reported", "rejected: sampled twice".
std::string sample_gap_text(model::Gap gap);

/// Why a node's newest sample of use was rejected: "rejected: sampled twice"; empty: none came, or
/// it was used.
std::string rejection_of(const model::NodeRow& node);

/// "layer 1, observation"; 0 is the stimulus, which is not a layer.
std::string layer_text(std::int32_t layer);
/// An alarm with the layer to suspect: "metrics reads ok, but ...; suspect layer 1, observation".
std::string alarm_text(const model::Alarm& alarm);

/// The sentence without its full stop, to be quoted in another.
std::string without_stop(std::string sentence);

}  // namespace parley::explanation
