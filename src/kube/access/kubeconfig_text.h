// Kube, kubeconfig: what stands in it as text: certificates, keys, tokens.

#pragma once

#include "base/result.h"

#include <optional>
#include <string>
#include <string_view>

namespace parley::kube {

/// Whether it looks like PEM with at least one certificate; the TLS library says the rest. The
/// errors are a whole sentence but for its subject ("holds no certificate; ..."), and never repeat
/// the text.
[[nodiscard]] Result<void> check_certificates(std::string_view pem);
/// Likewise for one private key. A key under a passphrase is refused: nobody is there to type it.
[[nodiscard]] Result<void> check_key(std::string_view pem);
/// Without the space around it. Refuses what could not stand in a header.
[[nodiscard]] Result<std::string> clean_token(std::string_view text);

/// What a person may see of a name or a message: one line, printable, at most `most` bytes.
std::string one_line(std::string_view text, std::size_t most = 300);
/// one_line() in quotes.
std::string in_marks(std::string_view text);

/// Words that look like a key or token, or are said to be one, become "(hidden)", and control
/// characters go: what a program wrote when it failed.
std::string without_secrets(std::string_view text);

}  // namespace parley::kube
