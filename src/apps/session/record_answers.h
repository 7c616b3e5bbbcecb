// App: the keys w and n of the screen ask the record, as the commands do.

#pragma once

#include "apps/session/demo.h"
#include "layers/explanation/answers/why.h"

#include <string>

namespace parley::app {

/// Of the run in `folder`; empty: nothing is recorded, and every answer says so.
Answers answers_from(const std::string& folder);

/// `parley why`: with what pushed the risk of a node that is asked about, where a trained model was
/// served, and of a round what of others matters: without a selector a round whose action is stuck
/// goes before one with an action that is not.
[[nodiscard]] Result<explanation::WhyAnswer> answer_why(const std::string& folder,
                                                        const explanation::WhyQuery& query);

}  // namespace parley::app
