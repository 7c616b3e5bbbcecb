// Layer 6, explanation: a recorded sentence and the judgement that it belongs to in; the same in
// fewer words out, for narrow screens.

#pragma once

#include "layers/explanation/telling/narrator.h"

#include <string>

namespace parley::explanation {

/// The sentence without the asides that its maker put in: "Risk 0.86 of failing in 10 min: waiting
/// costs 41.3 pod-minutes, acting 12.0." Which these are is known from what is recorded beside it.
/// Other brackets stay: they belong to a name, or are somebody else's words.
std::string brief(std::string sentence, const Told& told, const model::Judged& judged);

}  // namespace parley::explanation
