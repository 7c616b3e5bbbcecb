// Tuner: a study in an SQLite database with the tables of Optuna 5.

#pragma once

#include "base/result.h"
#include "tuner/storage.h"

#include <memory>
#include <string>

namespace parley::tuner {

/// Uses WAL mode. A trial costs two commits, when it begins and when it ends, plus one for each
/// report in between.
[[nodiscard]] Result<std::unique_ptr<Storage>> open_sqlite(const std::string& path,
                                                           const StorageConfig& config);

}  // namespace parley::tuner
