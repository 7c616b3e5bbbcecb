// Guard: all rules, family by family, in the order in which they are asked.

#pragma once

#include "guard/allowance_rules.h"
#include "guard/data_rules.h"
#include "guard/owner_rules.h"
#include "guard/pace_rules.h"
#include "guard/pod_rules.h"
#include "guard/scale_rules.h"

#include <span>

namespace parley::guard {

/// Is what it rests on true; whose is it; is it too soon; is it too much at once; is it right for
/// this workload; what becomes of the pods. Cheap rules first: the last read the table of pods.
std::span<const Rule> all_rules();

}  // namespace parley::guard
