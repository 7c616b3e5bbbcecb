// Tuner: a study in an SQLite database with the tables of Optuna 5.

#pragma once

#include "base/result.h"
#include "tuner/storage.h"

#include <memory>
#include <string>

namespace parley::tuner {

/// In WAL mode. A trial costs two commits, one when it begins and one when it ends, besides what is
/// reported in between.
[[nodiscard]] Result<std::unique_ptr<Storage>> open_sqlite(const std::string& path,
                                                           const StorageConfig& config);

}  // namespace parley::tuner
