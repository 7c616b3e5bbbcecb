#include "layers/explanation/telling/outcome.h"

#include "base/number.h"
#include "layers/explanation/wording/lines.h"
#include "layers/explanation/wording/wording.h"

#include <algorithm>
#include <utility>

namespace parley::explanation {

using namespace model;

namespace {

std::string so_far(const OpenScore& open) {
    if (open.samples == 0) return "nothing of it was read yet";
    const std::string few = too_little_read(open.samples, open.gaps);
    if (!few.empty()) return "what it cost so far is not known: " + few;
    return "so far it cost " + pod_minutes(static_cast<double>(open.observed.total()) / kCostUnit) +
           " pod-minutes over " + counted(open.samples, "reading") + without_text(open.uncounted);
}

/// What is known so far, as a score; what closes it is the caller's to say.
ClosedScore known_of(const OpenScore& open) {
    return {.id = open.id,
            .round = open.round,
            .role = open.role,
            .action = open.action,
            .target = open.target,
            .state = ScoreState::open,
            .observed = open.observed,
            .noop = open.noop,
            .cut = open.cut,
            .opened = open.opened,
            .notes = open.notes,
            .samples = open.samples,
            .gaps = open.gaps,
            .uncounted = open.uncounted};
}

}  // namespace

std::string notes_text(const std::vector<WindowNote>& notes, const Target& target) {
    std::vector<std::pair<Target, std::string>> leaves;
    for (const WindowNote& note : notes) {
        auto leaf = std::ranges::find(leaves, note.leaf, &std::pair<Target, std::string>::first);
        std::string text = note.text + " in round " + std::to_string(note.round);
        if (leaf != leaves.end()) {
            leaf->second += ", " + text;
        } else {
            const auto place = note.leaf == target ? leaves.begin() : leaves.end();
            leaves.insert(place, {note.leaf, text_of(note.leaf) + " " + text});
        }
    }
    std::string out;
    for (const auto& [leaf, text] : leaves) out += (out.empty() ? "" : "; ") + text;
    return out;
}

std::string open_line(const OpenScore& open, bool simulated) {
    const std::string due = open.due == TimePoint{} ? "its effect is not confirmed yet"
                                                    : "due at " + when(open.due, simulated);
    return due + "; " + so_far(open);
}

std::string ending_text(std::uint64_t round, store::RunStatus status) {
    const std::string at = " in round " + std::to_string(round);
    if (status == store::RunStatus::running) return "the record ends" + at;
    return "the run ended" + at;
}

ClosedScore censored(const OpenScore& open, std::uint64_t round, TimePoint now,
                     store::RunStatus status) {
    ClosedScore score = known_of(open);
    score.closed = round;
    score.state = ScoreState::censored;
    score.because = ending_text(round, status);
    score.ended = now;
    if (open.due == TimePoint{}) {
        score.because += ", before its effect was confirmed";
    } else if (now != TimePoint{} && open.due > now) {
        score.because += ", " + span_text(open.due - now) + " before its score was due";
    } else {
        score.because += ", before its score was due";
    }
    score.because += "; " + so_far(open);
    return score;
}

ClosedScore unfinished(const OpenScore& open, const Ending& ending) {
    if (!ending.goes_on) return censored(open, ending.round, ending.now, ending.status);
    ClosedScore score = known_of(open);
    score.because = open_line(open, ending.simulated);
    return score;
}

}  // namespace parley::explanation
