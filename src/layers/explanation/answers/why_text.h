// Layer 6, explanation: an answer to `why` in, what a person reads out.

#pragma once

#include "layers/explanation/answers/why.h"

#include <string>

namespace parley::explanation {

/// Plain text in lines of at most 100 columns where words allow it; the last line ends, too.
std::string text_of(const WhyAnswer& answer);

/// Breaks text between words; lines after the first begin with `indent` spaces.
std::string wrapped(const std::string& text, std::size_t indent);

}  // namespace parley::explanation
