// Tuner: a study in the file of Optuna's JournalFileBackend.

#pragma once

#include "base/result.h"
#include "tuner/storage.h"

#include <memory>
#include <string>

namespace parley::tuner {

inline constexpr std::uint64_t kJournalBytesMax = std::uint64_t{4} << 30;
inline constexpr std::size_t kJournalLineMax = std::size_t{64} << 20;

/// An incomplete last line is ignored when reading, and cut off under the lock before writing: its
/// writer died, and another line after it would make the journal unreadable for Optuna.
[[nodiscard]] Result<std::unique_ptr<Storage>> open_journal(const std::string& path,
                                                            const StorageConfig& config);

}  // namespace parley::tuner
