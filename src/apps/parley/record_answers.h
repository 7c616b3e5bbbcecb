// App: the keys w and n of the screen ask the record, as the commands do.

#pragma once

#include "apps/parley/demo.h"

#include <string>

namespace parley::app {

/// Of the run in `folder`; empty: nothing is recorded, and every answer says so.
Answers answers_from(const std::string& folder);

}  // namespace parley::app
