// Kube, our mark in the JSON of an object: its annotations out and in. Pure.

#pragma once

#include "base/json_value.h"
#include "model/request.h"

#include <optional>
#include <string>

namespace parley::kube {

/// `"parley.dev/decision":"...","parley.dev/expires":...`, to stand in the annotations of a body.
/// All four are named, since a patch leaves what it does not name: the changes of an earlier mark
/// would stay. Without a decision, all of them are taken away.
std::string mark_members(const model::Mark& mark);

/// The mark that the annotations of an object make up; null are those of one that has none.
std::optional<model::Mark> mark_in(const Json* annotations);

}  // namespace parley::kube
