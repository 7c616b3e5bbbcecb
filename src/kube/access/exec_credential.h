// Kube, credential plugins: what they are told and what they answer, as text. Pure.

#pragma once

#include "base/result.h"
#include "kube/access/access.h"

#include <optional>
#include <string>
#include <string_view>

namespace parley::kube {

/// Whether the plugin gets our terminal as its input. Fails if it requires one (`Always`) and there
/// is none.
[[nodiscard]] Result<bool> is_interactive(const ExecPlugin& plugin, bool terminal);

/// The value of KUBERNETES_EXEC_INFO: an ExecCredential of the plugin's version, with the cluster
/// if the plugin wants it. Holds no credential.
std::string exec_info(const Access& access, const ExecPlugin& plugin, bool interactive);

struct ExecAnswer {
    Secret token;
    Secret certificate_pem;  ///< Set together with key_pem, or not at all.
    Secret key_pem;
    std::optional<TimePoint> expires;
};

/// Reads what a plugin wrote. Fails, with one sentence that repeats nothing of the text, if it is
/// not an ExecCredential of exactly version `api_version`, or contains no usable credential.
[[nodiscard]] Result<ExecAnswer> parse_exec_answer(std::string_view text,
                                                   std::string_view api_version);

}  // namespace parley::kube
