#include "apps/shelf/model_places.h"

#include <cstdlib>

namespace parley::app {
namespace {

/// The XDG rules: a variable counts only if it is an absolute path.
Result<std::string> base_folder(const Environment& environment, const char* variable,
                                const char* below_home) {
    const std::string named = environment(variable);
    if (named.starts_with('/')) return named;
    const std::string home = environment("HOME");
    if (home.starts_with('/')) return join(home, below_home);
    return fail(ErrorCode::denied,
                std::string("neither ") + variable + " nor HOME names a folder; set one of them");
}

}  // namespace

Environment real_environment() {
    return [](const char* name) {
        const char* value = std::getenv(name);
        return std::string(value == nullptr ? "" : value);
    };
}

Result<std::string> models_folder(Disk& disk, const std::string& flag,
                                  const Environment& environment) {
    if (!flag.empty()) {
        const auto there = disk.exists(flag);
        if (there && *there && !disk.list(flag))
            return fail(ErrorCode::denied, "--models: " + flag + " is no folder; name one");
        return flag;
    }
    const auto here = disk.exists("models");
    if (here && *here) return "models";
    const auto base = base_folder(environment, "XDG_DATA_HOME", ".local/share");
    if (!base) return within("finding the models", base.error());
    return join(*base, "parley/models");
}

Result<std::string> signing_key_path(const Environment& environment) {
    const auto base = base_folder(environment, "XDG_STATE_HOME", ".local/state");
    if (!base) return within("finding the signing key", base.error());
    return join(*base, "parley/signing.key");
}

Result<learn::SigningKey> signing_key(Disk& disk, const Environment& environment) {
    const auto path = signing_key_path(environment);
    if (!path) return tl::unexpected(path.error());
    return learn::SigningKey::at(disk, *path);
}

}  // namespace parley::app
