#include "kube/access/kubeconfig_text.h"

#include "config/source.h"
#include "kube/access/named_secrets.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace parley::kube {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

/// Characters of tokens and keys. A slash is not among them, so that paths stay readable.
bool in_token(char c) {
    return is_digit(c) || is_lower(c) || is_upper(c) ||
           std::string_view("-_.+=").find(c) != std::string_view::npos;
}

bool is_mixed(std::string_view word) {
    return std::ranges::any_of(word, is_digit) && std::ranges::any_of(word, is_lower) &&
           std::ranges::any_of(word, is_upper);
}

bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

/// 8-4-4-4-12: some services use such a token.
bool is_uuid(std::string_view word) {
    constexpr std::string_view kShape = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
    if (word.size() != kShape.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i) {
        if (kShape[i] == '-' ? word[i] != '-' : !is_hex(word[i])) return false;
    }
    return true;
}

/// The parts of a word between any of these characters.
std::vector<std::string_view> parts_of(std::string_view word, std::string_view marks) {
    std::vector<std::string_view> parts;
    while (!word.empty()) {
        const std::size_t end = std::min(word.find_first_of(marks), word.size());
        parts.push_back(word.substr(0, end));
        word.remove_prefix(std::min(end + 1, word.size()));
    }
    return parts;
}

/// Long, and a mixture of characters that no word, path or host name has.
bool looks_secret(std::string_view word) {
    const std::size_t sign = word.find('=');
    if (sign != std::string_view::npos && word.find_first_not_of('=', sign) != word.npos) {
        return looks_secret(word.substr(0, sign)) || looks_secret(word.substr(sign + 1));
    }
    const bool hex = std::ranges::all_of(word, is_hex);
    if (word.starts_with("eyJ") && word.size() >= 8) return true;  // A JWT, or JSON as base64.
    if ((is_mixed(word) && word.size() >= 20) || (hex && word.size() >= 32) || is_uuid(word)) {
        return true;
    }
    return std::ranges::any_of(parts_of(word, "-_.+="), [](std::string_view part) {
        return part.size() >= 16 && std::ranges::any_of(part, is_digit) &&
               !std::ranges::all_of(part, is_digit);
    });
}

/// The length of base64 with slashes, as in keys; else 0. Folders have plain names.
std::size_t base64_at(std::string_view text) {
    const auto end = std::ranges::find_if_not(text, [](char c) {
        return is_digit(c) || is_lower(c) || is_upper(c) || c == '+' || c == '/' || c == '=';
    });
    const std::string_view run = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    if (run.size() < 32 || !is_mixed(run)) return 0;
    if (run.find_first_of("+=") != std::string_view::npos) return run.size();
    const bool path = std::ranges::any_of(parts_of(run, "/"), [](std::string_view part) {
        return part.size() >= 3 && std::ranges::all_of(part, is_lower);
    });
    return path ? 0 : run.size();
}

/// Hides words that look like a secret, whatever they are called.
std::string without_unnamed(std::string_view text) {
    std::string out;
    char before = 0;
    while (!text.empty()) {
        if (const std::size_t length = base64_at(text); length > 0) {
            out += "(hidden)";
            text.remove_prefix(length);
            before = 0;
            continue;
        }
        const auto end = std::ranges::find_if_not(text, in_token);
        const auto length = static_cast<std::size_t>(end - text.begin());
        if (length == 0) {
            before = text.front();
            out += before;
            text.remove_prefix(1);
            continue;
        }
        const std::string_view word = text.substr(0, length);
        text.remove_prefix(length);
        const bool login = before == ':' && text.starts_with('@');  // user:password@host
        out += looks_secret(word) || login ? "(hidden)" : std::string(word);
        before = 0;
    }
    return out;
}

/// Removes control characters and terminal colours, which could split a secret into harmless parts.
std::string without_controls(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const char c = text.front();
        text.remove_prefix(1);
        if (c == '\x1b' && text.starts_with('[')) {
            text.remove_prefix(1);
            while (!text.empty() && (text.front() < '@' || text.front() > '~')) {
                text.remove_prefix(1);
            }
            if (!text.empty()) text.remove_prefix(1);
        } else if (is_space(c) || static_cast<unsigned char>(c) >= 0x80 || (c >= ' ' && c <= '~')) {
            out += c;
        }
    }
    return out;
}

/// Removes a private key, from its first line on.
std::string without_keys(std::string text) {
    for (;;) {
        const std::size_t mark = text.find("PRIVATE KEY-----");
        if (mark == std::string::npos) return text;
        const std::size_t begin = text.rfind("-----BEGIN", mark);
        const std::size_t end = text.find("-----END", mark);
        const std::size_t from = begin == std::string::npos ? 0 : begin;
        std::size_t to = end == std::string::npos ? text.size() : text.find('\n', end);
        // The last line of a key whose first line was cut off.
        if (begin == std::string::npos) to = mark + std::string_view("PRIVATE KEY-----").size();
        text.replace(from, std::min(to, text.size()) - from, "(hidden)");
    }
}

/// Whether a block of this kind begins and later ends.
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
    // Do not cut inside a character.
    while (!shown.empty() && (static_cast<unsigned char>(shown.back()) & 0xc0U) == 0x80U)
        shown.pop_back();
    if (!shown.empty() && static_cast<unsigned char>(shown.back()) >= 0xc0U) shown.pop_back();
    return shown + "...";
}

std::string in_marks(std::string_view text) { return '"' + one_line(text) + '"'; }

std::string without_secrets(std::string_view given) {
    const std::string cleaned = without_keys(without_controls(given));
    std::string out;
    std::size_t from = 0;
    for (const Stretch& secret : named_secrets(cleaned)) {
        out += without_unnamed(std::string_view(cleaned).substr(from, secret.begin - from));
        out += "(hidden)";
        from = secret.end;
    }
    return out + without_unnamed(std::string_view(cleaned).substr(from));
}

}  // namespace parley::kube
