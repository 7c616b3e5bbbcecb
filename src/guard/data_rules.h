// Guard: rules about who may act at all and about the data that an action rests on.

#pragma once

#include "guard/rule.h"

#include <span>

namespace parley::guard {

/// In the order in which they are asked.
std::span<const Rule> data_rules();

/// Asks the rules that are asked again before each step. Empty: it may continue; else the reason.
std::string stopped(const Facts& facts);
std::string not_the_leader(const Facts& facts);
std::string api_too_old(const Facts& facts);
std::string clock_jumped(const Facts& facts);
std::string still_warming_up(const Facts& facts);

}  // namespace parley::guard
