// Kills: what is wrong at the end of a story, by the cluster's log, its final state and the
// journals alone.

#pragma once

#include "tests/kills/kill_story.h"

#include <string>
#include <vector>

namespace parley::kills {

/// Sentences; the words before the first colon say of what sort it is. Gives back what marks are
/// left, to see whether they are enough.
std::vector<std::string> judge(Evidence& evidence);

/// Steps that changed something twice.
std::vector<std::string> twice(const std::vector<Entry>& log);
/// Requests after which something of ours bore no mark.
std::vector<std::string> without_mark(const std::vector<Entry>& log);
/// Second decisions about the same, while the first still stood or was given back.
std::vector<std::string> decided_again(const std::vector<Entry>& log, Kind kind);
/// What nobody gave back, with its mark or without.
std::vector<std::string> left(const World& world);
/// Requests that were sent before they stood in the journal of who sent them.
std::vector<std::string> unrecorded(const Evidence& evidence);

}  // namespace parley::kills
