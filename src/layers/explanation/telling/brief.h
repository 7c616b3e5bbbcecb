// Layer 6, explanation: shortens a recorded sentence for narrow screens, given the judgement it
// belongs to.

#pragma once

#include "layers/explanation/telling/narrator.h"

#include <string>

namespace parley::explanation {

/// The sentence without its asides: "Risk 0.86 of failing in 10 min: waiting costs 41.3
/// pod-minutes, acting 12.0." The asides are made again from the recorded fields, so that only
/// these are removed. Other brackets stay: they are part of a name, or somebody else's words.
std::string brief(std::string sentence, const Told& told, const model::Judged& judged);

}  // namespace parley::explanation
