#include "apps/live/live_text.h"

#include "apps/live/live_exercise.h"
#include "base/number.h"
#include "layers/explanation/wording/wording.h"

#include <algorithm>

namespace parley::app {

std::string live_greeting(const LiveOptions& live) {
    std::string text = "Following " + live.name + " at " + live.access.server.text() + " (" +
                       live.access.from + "), mode " + explanation::mode_text(live.mode, false) +
                       "; Ctrl-C ends it.\n";
    if (live.webhook) {
        text += "While it leads, it answers the API server about new Jobs, on " +
                live.webhook->address + " port " + std::to_string(live.webhook->port) + ".\n";
    }
    if (!live.exercise) return text;
    text += touched_text(live.name, *live.exercise) + "\n";
    if (!live.exercise->plan.watched) {
        text += "Its pods are not counted: --namespace-prefixes leaves out " +
                live.exercise->plan.space + ".\n";
    }
    return text;
}

std::string load_text(const LiveState& state, Duration passed) {
    const std::uint64_t requests = state.cluster.requests;
    const double per_s = static_cast<double>(requests) * 1e6 /
                         static_cast<double>(std::max<std::int64_t>(1, passed.us));
    std::string text = "Asked the API server " + std::to_string(requests) + " times, " +
                       fixed(per_s, 1) + " a second.\n";
    if (!state.cluster.program.empty()) text += "Logged in by " + state.cluster.program + ".\n";
    const kube::Leadership& lead = state.leadership;
    if (lead.leads) {
        text += "Led in epoch " + std::to_string(lead.epoch) + ".\n";
    } else if (!lead.trouble.empty()) {
        text += "Did not lead at the end: " + lead.trouble + ".\n";
    } else if (!lead.holder.empty()) {
        text += "Did not lead at the end: " + lead.holder + " did.\n";
    }
    if (state.skipped > 0) {
        text += std::to_string(state.skipped) + " rounds were left out, as others took too long.\n";
    }
    return text;
}

std::string exercise_text(const std::vector<exercise::Happened>& all) {
    std::string text;
    for (const exercise::Happened& each : all) {
        const bool frame = &each == &all.front() || &each == &all.back();
        const bool wrong = !each.fine && each.last;
        if (frame || wrong) text += "Exerciser, " + each.place + ": " + each.text + ".\n";
    }
    return text;
}

}  // namespace parley::app
