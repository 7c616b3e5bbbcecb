#include "layers/explanation/answers/score_text.h"

#include "layers/explanation/telling/narrator.h"
#include "layers/explanation/wording/lines.h"
#include "layers/explanation/wording/wording.h"

#include <cmath>

namespace parley::explanation {

using namespace model;

namespace {

std::string score_words(const ClosedScore& score) {
    const Cost& a = score.advantage;
    const std::vector<LineGap> out = left_out(score);
    std::string text =
        earned(a.total()) + " (" + cost_words(a, ", ", out) + ")" + without_text(out);
    if (score.twin_error) {
        text += "; the twin had said " + earned(a.total() + score.twin_error->total());
    }
    if (score.regret && !score.loser.empty()) {
        const double regret = static_cast<double>(score.regret->total()) / kCostUnit;
        text += "; by the twins " + score.loser + " instead would have been " +
                pod_minutes(std::fabs(regret)) + (regret > 0 ? " better" : " worse");
    }
    return text + ".";
}

}  // namespace

std::string outcome_text(const ClosedScore& score, bool simulated) {
    if (score.state == ScoreState::missing) return "Not known: " + score.because + ".";
    if (score.state == ScoreState::open) return "Still open: " + score.because + ".";
    if (score.state == ScoreState::censored) return "Censored: " + score.because + ".";
    std::string text = "From " + when(score.opened, simulated) + " to " +
                       when(score.ended, simulated) + ": score ";
    if (score.state == ScoreState::would) text += "would have been ";
    text += score_words(score);
    if (score.state == ScoreState::estimated) {
        text += " Estimated: the twin is a model, " + likely_text(score) + ".";
    }
    for (const std::string& reason : reasons_left_out(score))
        text += " Left out are " + reason + ".";
    if (score.cut) text += " A later action took over some of what it is scored on.";
    return text;
}

}  // namespace parley::explanation
