// Tuner: the tables of Optuna 5 in a database: made where they are missing, checked where not.

#pragma once

#include "base/result.h"
#include "sqlite/database.h"

namespace parley::tuner {

/// The state of Optuna's migrations that these tables are in.
inline constexpr const char* kSchemaRevision = "v3.2.0.a";

/// Makes what is missing in one transaction. Refuses a database whose tables are of another
/// revision: Optuna itself can bring an older one up to date.
[[nodiscard]] Result<void> prepare_schema(sqlite::Database& db, bool create);

}  // namespace parley::tuner
