// App: where models and the machine's signing key are kept.

#pragma once

#include "base/file.h"
#include "learn/folder/model_key.h"

#include <functional>
#include <string>

namespace parley::app {

/// A variable of the environment; empty if it is not set.
using Environment = std::function<std::string(const char* name)>;
Environment real_environment();

/// From --models; else `models` in this folder if it exists; else parley/models below
/// XDG_DATA_HOME, which is ~/.local/share by default. Fails if there is no home folder.
[[nodiscard]] Result<std::string> models_folder(Disk& disk, const std::string& flag,
                                                const Environment& environment);

/// parley/signing.key below XDG_STATE_HOME, which is ~/.local/state by default.
[[nodiscard]] Result<std::string> signing_key_path(const Environment& environment);
/// The existing key, or a new one.
[[nodiscard]] Result<learn::SigningKey> signing_key(Disk& disk, const Environment& environment);

}  // namespace parley::app
