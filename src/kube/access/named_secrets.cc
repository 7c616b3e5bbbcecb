#include "kube/access/named_secrets.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace parley::kube {
namespace {

bool is_gap(char c) { return c == ' ' || c == '\t'; }
bool is_space(char c) { return is_gap(c) || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_quote(char c) { return c == '"' || c == '\'' || c == '`'; }
bool in_name(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '.'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

/// As names are compared: `X-Api-Key`, `x_api_key` and `xApiKey` have the same end.
std::string folded(std::string_view name) {
    std::string out;
    for (const char c : name) {
        if (c != '-' && c != '_') out += lower(c);
    }
    if (out.ends_with('s') && !out.ends_with("pass")) out.pop_back();
    return out;
}

/// Whatever is assigned to such a name is a secret, even if it does not look like one.
bool names_secret(std::string_view name, bool in_query) {
    static constexpr std::array<std::string_view, 22> kEnds = {
        "token",       "password",   "passwd",    "pwd",        "passphrase",    "passcode",
        "secret",      "credential", "bearer",    "apikey",     "authorization", "accesskey",
        "secretkey",   "privatekey", "clientkey", "accountkey", "clientkeydata", "cookie",
        "securitykey", "signature",  "assertion", "sessionkey"};
    const std::string word = folded(name);
    const auto is_end = [&](std::string_view end) { return word.ends_with(end); };
    if (std::ranges::any_of(kEnds, is_end)) return true;
    if (word == "basic" || word == "auth" || word == "pass") return true;
    if (name.ends_with("_PASS") || name.ends_with("_pass")) return true;
    return in_query && (word == "code" || word == "sig" || word == "key");
}

bool is_scheme(std::string_view word) {
    const std::string name = folded(word);
    return name == "bearer" || name == "basic";
}

/// A line of a header: all that follows on it is the value.
bool is_header(std::string_view name) {
    const std::string word = folded(name);
    return word.ends_with("authorization") || word.ends_with("cookie");
}

/// Words that sentences about a token, a password and so on go on with, most of them in messages
/// of programs. All else is taken for the secret itself.
constexpr std::string_view kPlain =
    " a absent access after already an and any are argument as at auth authentication "
    "authorization bad be because been being but by can can't cannot certificate client "
    "code connect connection context corrupt could couldn't deadline decode denied dial "
    "did didn't disabled does doesn't due empty enabled endpoint eof err error exceeded "
    "exec exit expected expired failed failure false fetch file flag for forbidden found "
    "from get given has have http https i/o if illegal in incorrect internal invalid "
    "invalid_client invalid_grant invalid_request invalid_token is isn't it json lookup "
    "malformed may missing more must needed network nil no none not now null oauth2 of "
    "oidc on only open operation option or parse permission please post profile provided "
    "put read refresh refused rejected request required revoked rpc server set should so "
    "some stat status still stored that the there this timeout tls to token tokens too "
    "true unable unauthorized undefined unexpected unknown unset unsupported used valid "
    "was wasn't when will with without wrong x509 yaml you your ";

bool is_plain(std::string_view word) {
    while (!word.empty() && (word.front() == '(' || is_quote(word.front()))) word.remove_prefix(1);
    for (const std::string_view key : {"realm=", "error=", "charset="}) {
        if (word.starts_with(key)) return true;  // What a server says of itself: Bearer realm=...
    }
    while (!word.empty() && !is_letter(word.back()) && !is_digit(word.back())) {
        word.remove_suffix(1);
    }
    const bool number = std::ranges::all_of(word, is_digit);
    if (number) return word.size() == 3 && word[0] >= '3' && word[0] <= '5';  // 403 Forbidden.
    std::string small = " ";
    for (const char c : word) small += lower(c);
    return kPlain.find(small + ' ') != std::string_view::npos;
}

class Search {
public:
    explicit Search(std::string_view text) : text_(text) {}
    std::vector<Stretch> all();

private:
    /// What stands between a name and its value.
    struct Link {
        std::size_t end = 0;       ///< Where the value begins, or a gap or quote before it.
        bool assigned = false;     ///< `=`, `:`: a line break may follow.
        bool whole_tag = false;    ///< `<token>`: the value ends with the tag.
        bool quoted_only = false;  ///< `token "abc"`.
    };

    char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
    bool has(std::size_t i, std::string_view part) const {
        return text_.substr(std::min(i, text_.size())).starts_with(part);
    }
    std::size_t skip(std::size_t i, bool (*which)(char)) const {
        while (i < text_.size() && which(text_[i])) ++i;
        return i;
    }
    std::size_t line_of(std::size_t i) const { return text_.rfind('\n', i) + 1; }
    bool begins_line(std::size_t i) const;
    char open_quote(std::size_t i) const;
    std::optional<std::size_t> quote_at(std::size_t i) const;
    std::size_t word_end(std::size_t from, char quote) const;

    std::optional<Stretch> login(std::size_t i) const;
    std::optional<Link> link(std::size_t begin, std::size_t end) const;
    std::optional<Link> loose_link(std::size_t begin, std::size_t end) const;
    std::optional<std::size_t> over_break(std::size_t i) const;
    std::optional<Stretch> quoted(std::size_t from) const;
    std::optional<Stretch> block(std::size_t from) const;
    std::optional<Stretch> value(std::size_t begin, std::size_t end) const;

    std::string_view text_;
};

bool Search::begins_line(std::size_t i) const {
    const std::string_view before = text_.substr(line_of(i), i - line_of(i));
    return std::ranges::all_of(before, [](char c) { return is_gap(c) || c == '-'; });
}

/// The quote that is open before `i` on its line; 0: none. An apostrophe inside a word is none.
char Search::open_quote(std::size_t i) const {
    char open = 0;
    for (std::size_t k = line_of(i); k < i; ++k) {
        if (!is_quote(text_[k])) continue;
        if (open == text_[k]) {
            open = 0;
        } else if (open == 0 && (k == 0 || !is_letter(text_[k - 1]))) {
            open = text_[k];
        }
    }
    return open;
}

/// Where the text in quotes begins if there is a quote at `i`, which may itself be escaped.
std::optional<std::size_t> Search::quote_at(std::size_t i) const {
    while (at(i) == '\\') ++i;
    if (!is_quote(at(i))) return std::nullopt;
    return i + 1;
}

std::size_t Search::word_end(std::size_t from, char quote) const {
    while (from < text_.size() && !is_space(text_[from]) && (quote == 0 || text_[from] != quote)) {
        ++from;
    }
    return from;
}

/// `://user:password@`, whatever characters the password has.
std::optional<Stretch> Search::login(std::size_t i) const {
    if (!has(i, "://")) return std::nullopt;
    const std::size_t begin = i + 3;
    const std::string_view url = text_.substr(begin, word_end(begin, open_quote(i)) - begin);
    const std::size_t host_end = std::min(url.find_first_of("/?#"), url.size());
    const std::size_t colon = url.substr(0, host_end).find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    std::size_t mark = url.substr(0, host_end).rfind('@');
    if (mark == std::string_view::npos) {
        const std::string_view port = url.substr(colon + 1, host_end - colon - 1);
        if (url.starts_with('[') || std::ranges::all_of(port, is_digit)) return std::nullopt;
        mark = url.rfind('@');  // A slash in a password, which is wrong and seen.
    }
    if (mark == std::string_view::npos || mark <= colon + 1) return std::nullopt;
    return Stretch{begin + colon + 1, begin + mark};
}

/// From the end of a name to its value, if something that assigns stands between.
std::optional<Search::Link> Search::link(std::size_t begin, std::size_t end) const {
    std::size_t i = end;
    if (const auto closed = quote_at(i)) i = *closed;
    if (at(i) == ']') ++i;
    i = skip(i, is_gap);
    if (has(i, "://")) return std::nullopt;
    if (has(i, ":=") || has(i, "=>")) return Link{.end = i + 2, .assigned = true};
    if (at(i) == '=' || at(i) == ':') return Link{.end = i + 1, .assigned = true};
    if (has(end, "%3D") || has(end, "%3d")) return Link{.end = end + 3, .assigned = true};
    if (at(end) == '>' && !is_space(at(end + 1))) return Link{.end = end + 1, .whole_tag = true};
    return loose_link(begin, end);
}

/// `the password is VALUE`, `--password VALUE`, `Bearer VALUE`, `password "VALUE"`, and rows of
/// tables.
std::optional<Search::Link> Search::loose_link(std::size_t begin, std::size_t end) const {
    const std::size_t next = skip(end, is_space);
    if (next == end || next == text_.size()) return std::nullopt;
    for (const std::string_view verb : {"is", "was", "are", "IS"}) {
        if (!has(next, verb)) continue;
        const std::size_t after = next + verb.size();
        if (at(after) == ':' || is_space(at(after))) return Link{.end = after + 1};
    }
    const std::string_view name = text_.substr(begin, end - begin);
    const bool flag = name.starts_with('-') && at(next) != '-';
    if (flag || is_scheme(name)) return Link{.end = next};
    if (next != skip(end, is_gap)) return std::nullopt;  // Another line.
    const bool column = begins_line(begin) && (next - end > 1 || at(end) == '\t');
    return Link{.end = next, .quoted_only = !column};
}

/// Past the gap before a value. A value on the next line is indented; else that line is another.
std::optional<std::size_t> Search::over_break(std::size_t i) const {
    i = skip(i, is_gap);
    if (at(i) == '\r') ++i;
    if (at(i) != '\n') return i;
    const std::size_t next = skip(i + 1, is_gap);
    if (next == i + 1 || is_space(at(next))) return std::nullopt;
    return next;
}

/// To the quote that closes it, or to the end of the text if none does.
std::optional<Stretch> Search::quoted(std::size_t from) const {
    const auto opened = quote_at(from);
    if (!opened) return std::nullopt;
    const std::size_t begin = *opened;
    const char quote = text_[begin - 1];
    const std::size_t escapes = begin - 1 - from;
    std::size_t slashes = 0;
    for (std::size_t i = begin; i < text_.size(); ++i) {
        if (text_[i] == quote && slashes <= escapes) return Stretch{begin, i - slashes};
        slashes = text_[i] == '\\' ? slashes + 1 : 0;
    }
    return Stretch{begin, text_.size()};
}

/// `|` or `>` of YAML: all indented lines that follow.
std::optional<Stretch> Search::block(std::size_t from) const {
    if (at(from) != '|' && at(from) != '>') return std::nullopt;
    std::size_t i = from + 1;
    if (at(i) == '-' || at(i) == '+') ++i;
    const auto begin = over_break(i);
    if (!begin || *begin == i) return std::nullopt;
    i = *begin;
    for (;;) {
        const std::size_t end = std::min(text_.find('\n', i), text_.size());
        if (end == text_.size() || !is_gap(at(end + 1))) return Stretch{*begin, end};
        i = end + 1;
    }
}

std::optional<Stretch> Search::value(std::size_t begin, std::size_t end) const {
    const bool in_query = begin > 0 && (text_[begin - 1] == '?' || text_[begin - 1] == '&');
    const std::string_view name = text_.substr(begin, end - begin);
    if (!names_secret(name, in_query)) return std::nullopt;
    const auto found = link(begin, end);
    if (!found) return std::nullopt;
    const auto from = found->assigned ? over_break(found->end) : skip(found->end, is_space);
    if (!from || *from >= text_.size()) return std::nullopt;
    if (found->whole_tag) return Stretch{*from, std::min(text_.find('<', *from), text_.size())};
    if (const auto whole = quoted(*from)) return whole;
    if (found->quoted_only) return std::nullopt;
    if (const auto whole = block(*from)) return whole;
    const char quote = open_quote(begin);
    const std::size_t stop = word_end(*from, quote);
    const std::string_view word = text_.substr(*from, stop - *from);
    if (is_scheme(word)) return std::nullopt;  // Authorization: Bearer ...
    // What is inside such braces has names of its own.
    const std::size_t inside = skip(*from + 1, is_space);
    if (at(*from) == '{' && (quote_at(inside) || at(inside) == '}')) return std::nullopt;
    const bool close = found->assigned && *from == found->end;
    if (!close && is_plain(word)) return std::nullopt;
    if (is_header(name) && found->assigned) {
        const std::size_t line = std::min(text_.find('\n', *from), text_.size());
        const std::size_t closed = quote == 0 ? line : std::min(text_.find(quote, *from), line);
        return Stretch{*from, closed};
    }
    return Stretch{*from, stop};
}

std::vector<Stretch> Search::all() {
    std::vector<Stretch> out;
    for (std::size_t i = 0; i < text_.size();) {
        std::optional<Stretch> found = login(i);
        std::size_t next = i + 1;
        if (!found && in_name(text_[i])) {
            next = skip(i, in_name);
            std::size_t end = next;
            while (end > i && (text_[end - 1] == '.' || text_[end - 1] == '-')) --end;
            if (end > i) found = value(i, end);
        }
        if (found && found->begin < found->end) {
            out.push_back(*found);
            next = found->end;
        }
        i = next;
    }
    return out;
}

}  // namespace

std::vector<Stretch> named_secrets(std::string_view text) { return Search(text).all(); }

}  // namespace parley::kube
