// Kube, kubeconfig: certificates, keys and tokens as text.

#pragma once

#include "base/result.h"

#include <optional>
#include <string>
#include <string_view>

namespace parley::kube {

/// Whether it looks like PEM with at least one certificate; the TLS library checks the rest. Error
/// messages lack only the subject ("holds no certificate; ..."), and never repeat the text.
[[nodiscard]] Result<void> check_certificates(std::string_view pem);
/// The same for one private key. A key with a passphrase is refused, since nobody is there to type
/// it.
[[nodiscard]] Result<void> check_key(std::string_view pem);
/// The text without surrounding space. Refuses what is not allowed in a header.
[[nodiscard]] Result<std::string> clean_token(std::string_view text);

/// A name or message as it may be shown: one line, printable, at most `most` bytes.
std::string one_line(std::string_view text, std::size_t most = 300);
/// one_line() in quotes.
std::string in_marks(std::string_view text);

/// For the output of a program that failed: words that look like a key or token, or are called one,
/// become "(hidden)", and control characters are removed.
std::string without_secrets(std::string_view text);

}  // namespace parley::kube
