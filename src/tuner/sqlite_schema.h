// Tuner: the tables of Optuna 5: created if missing, otherwise checked.

#pragma once

#include "base/result.h"
#include "sqlite/database.h"

namespace parley::tuner {

/// The revision of Optuna's migrations that these tables have.
inline constexpr const char* kSchemaRevision = "v3.2.0.a";

/// Creates what is missing, in one transaction. Refuses a database of another revision: Optuna
/// itself can upgrade an older one.
[[nodiscard]] Result<void> prepare_schema(sqlite::Database& db, bool create);

}  // namespace parley::tuner
