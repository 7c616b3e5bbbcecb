#include "kube/kubeconfig_text.h"

#include "config/source.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace parley::kube {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

/// Letters that tokens and keys consist of. A slash is not among them: paths must stay readable.
bool in_token(char c) {
    return is_digit(c) || is_lower(c) || is_upper(c) ||
           std::string_view("-_.+=").find(c) != std::string_view::npos;
}

/// Long, and of a mixture that no word, path or host name has.
bool looks_secret(std::string_view word) {
    const bool mixed = std::ranges::any_of(word, is_digit) && std::ranges::any_of(word, is_lower) &&
                       std::ranges::any_of(word, is_upper);
    const bool hex = std::ranges::all_of(word, [](char c) {
        return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    });
    return (mixed && word.size() >= 20) || (hex && word.size() >= 32);
}

/// Whether a block of this kind begins, and ends after that.
bool has_block(std::string_view pem, std::string_view kind) {
    const std::string begin = "-----BEGIN " + std::string(kind) + "-----";
    const std::string end = "-----END " + std::string(kind) + "-----";
    const std::size_t at = pem.find(begin);
    return at != std::string_view::npos &&
           pem.find(end, at + begin.size()) != std::string_view::npos;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

}  // namespace

Result<void> check_certificates(std::string_view pem) {
    if (has_block(pem, "CERTIFICATE")) return {};
    if (pem.find("PRIVATE KEY-----") != std::string_view::npos) {
        return fail(ErrorCode::malformed, "holds a key and no certificate; are the two swapped?");
    }
    return fail(ErrorCode::malformed,
                "holds no certificate; it must be PEM, with a line "
                "-----BEGIN CERTIFICATE-----");
}

Result<void> check_key(std::string_view pem) {
    const bool locked =
        pem.find("-----BEGIN ENCRYPTED PRIVATE KEY-----") != std::string_view::npos ||
        pem.find("Proc-Type: 4,ENCRYPTED") != std::string_view::npos;
    if (locked) {
        return fail(ErrorCode::denied,
                    "is a key under a passphrase, which nobody is there to type; "
                    "write it without one: openssl pkey -in KEY -out PLAIN");
    }
    for (const auto* kind : {"PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY"}) {
        if (has_block(pem, kind)) return {};
    }
    if (has_block(pem, "CERTIFICATE")) {
        return fail(ErrorCode::malformed, "holds a certificate and no key; are the two swapped?");
    }
    return fail(ErrorCode::malformed,
                "holds no private key; it must be PEM, with a line -----BEGIN PRIVATE KEY-----");
}

Result<std::string> clean_token(std::string_view text) {
    text = trimmed(text);
    if (text.empty()) return fail(ErrorCode::malformed, "is empty; write a token into it");
    const bool plain = std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; });
    if (!plain) {
        return fail(
            ErrorCode::malformed,
            "is no token: it holds spaces or what cannot be printed; write the token alone");
    }
    return std::string(text);
}

std::string one_line(std::string_view text, std::size_t most) {
    std::string spaced;
    for (const char c : trimmed(text)) {
        if (!is_space(c)) {
            spaced += c;
        } else if (!spaced.ends_with(' ')) {
            spaced += ' ';
        }
    }
    std::string shown = config::printable(spaced);
    if (shown.size() <= most) return shown;
    shown.resize(most);
    // Not in the middle of a character.
    while (!shown.empty() && (static_cast<unsigned char>(shown.back()) & 0xc0U) == 0x80U)
        shown.pop_back();
    if (!shown.empty() && static_cast<unsigned char>(shown.back()) >= 0xc0U) shown.pop_back();
    return shown + "...";
}

std::string in_marks(std::string_view text) { return '"' + one_line(text) + '"'; }

std::string without_secrets(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const auto end = std::ranges::find_if_not(text, in_token);
        const auto length = static_cast<std::size_t>(end - text.begin());
        if (length == 0) {
            out += text.front();
            text.remove_prefix(1);
            continue;
        }
        const std::string_view word = text.substr(0, length);
        out += looks_secret(word) ? "(hidden)" : std::string(word);
        text.remove_prefix(length);
    }
    return out;
}

}  // namespace parley::kube
