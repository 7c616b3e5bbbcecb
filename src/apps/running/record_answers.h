// App: answers for the keys w and n of the screen, from the record, like the commands.

#pragma once

#include "apps/running/screen_loop.h"
#include "layers/explanation/answers/why.h"

#include <string>

namespace parley::app {

/// For the run in `folder`; empty: nothing is recorded, and every answer says so.
Answers answers_from(const std::string& folder);

/// `parley why`. For a node it adds what raised its risk, if a trained model was served; for a
/// round, what else matters in the run. Without a selector, a round whose action is stuck is
/// preferred to one with another action.
[[nodiscard]] Result<explanation::WhyAnswer> answer_why(const std::string& folder,
                                                        const explanation::WhyQuery& query);

}  // namespace parley::app
