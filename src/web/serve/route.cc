#include "web/serve/route.h"

#include "base/number.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace parley::web {
namespace {

constexpr std::size_t kQueryMax = 32;  // Keys.
constexpr std::size_t kSegmentsMax = 16;

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

Refusal bad(std::string sentence) { return {400, std::move(sentence), "Check the address.", {}}; }

Refusal unknown(std::string_view path) {
    return {404,
            "There is nothing at " + in_quotes(path) + ".",
            "The API is described at /api/openapi.json.",
            {}};
}

Refusal not_allowed(const char* allow) {
    return {405, std::string("This address takes ") + allow + ".",
            "Nothing is changed by reading, and nothing is read by changing.", allow};
}

std::optional<std::vector<std::string>> segments_of(std::string_view path) {
    std::vector<std::string> parts;
    path.remove_prefix(1);
    while (true) {
        const auto slash = path.find('/');
        auto decoded = percent_decoded(path.substr(0, slash), false);
        if (!decoded || parts.size() >= kSegmentsMax) return std::nullopt;
        parts.push_back(*std::move(decoded));
        if (slash == std::string_view::npos) return parts;
        path.remove_prefix(slash + 1);
    }
}

bool add_query(std::string_view query, Route& route) {
    while (!query.empty()) {
        const auto end = query.find('&');
        const std::string_view pair = query.substr(0, end);
        const auto equals = pair.find('=');
        auto key = percent_decoded(pair.substr(0, equals), true);
        auto value = equals == std::string_view::npos
                         ? std::optional<std::string>("")
                         : percent_decoded(pair.substr(equals + 1), true);
        if (!key || !value) return false;
        if (!key->empty()) {
            const bool is_new = route.query.emplace(*std::move(key), *std::move(value)).second;
            if (!is_new || route.query.size() > kQueryMax) return false;
        }
        if (end == std::string_view::npos) break;
        query.remove_prefix(end + 1);
    }
    return true;
}

/// The part after /api/runs/RUN/rounds/N.
std::optional<Wanted> below_round(const std::vector<std::string>& parts, Route& route) {
    if (parts.size() == 5) return Wanted::round;
    const std::string& what = parts[5];
    if (parts.size() == 6) {
        if (what == "difference") return Wanted::difference;
        if (what == "map") return Wanted::map;
        if (what == "nodes") return Wanted::nodes;
        if (what == "workloads") return Wanted::workloads;
        return std::nullopt;
    }
    if (what == "nodes" && parts.size() == 7) {
        route.name = parts[6];
        return Wanted::node;
    }
    if (what != "workloads") return std::nullopt;
    for (std::size_t i = 6; i < parts.size(); ++i) route.name += (i > 6 ? "/" : "") + parts[i];
    return Wanted::workload;
}

std::optional<Wanted> below_run(const std::string& what) {
    constexpr std::pair<std::string_view, Wanted> kWords[] = {
        {"strip", Wanted::strip},
        {"ribbon", Wanted::ribbon},
        {"scores", Wanted::scores},
        {"decisions", Wanted::decisions},
        {"events", Wanted::events},
        {"learning", Wanted::learning},
        {"ask", Wanted::ask},
        {"names", Wanted::names},
        {"export", Wanted::export_file},
        {"stream", Wanted::stream},
        {"stop", Wanted::stop},
    };
    const auto found = std::ranges::find(kWords, what, &std::pair<std::string_view, Wanted>::first);
    return found == std::end(kWords) ? std::nullopt : std::optional(found->second);
}

std::optional<Wanted> below_api(const std::vector<std::string>& parts, Method method,
                                Route& route) {
    const std::string& what = parts.size() > 1 ? parts[1] : parts[0];
    if (parts.size() == 2) {
        if (what == "openapi.json") return Wanted::openapi;
        if (what == "session") return method == Method::post ? Wanted::login : Wanted::session;
        return what == "runs" ? std::optional(Wanted::runs) : std::nullopt;
    }
    if (what != "runs" || parts.size() < 3 || parts[2].empty()) return std::nullopt;
    route.run = parts[2];
    if (parts.size() == 3) return Wanted::run;
    if (parts.size() == 4) return below_run(parts[3]);
    if (parts[3] != "rounds") return std::nullopt;
    if (parts[4] != "live") {
        const auto number = parse_uint64(parts[4], 1, std::uint64_t{1} << 53U);
        if (!number) return std::nullopt;
        route.round = *number;
    }
    return below_round(parts, route);
}

}  // namespace

Method method_of(std::string_view name) {
    if (name == "GET") return Method::get;
    if (name == "HEAD") return Method::head;
    return name == "POST" ? Method::post : Method::other;
}

std::optional<std::string> Route::text(const std::string& key) const {
    const auto found = query.find(key);
    return found != query.end() ? std::optional(found->second) : std::nullopt;
}

bool needs_login(Wanted wanted) {
    return wanted != Wanted::page && wanted != Wanted::login && !is_probe(wanted);
}

bool is_probe(Wanted wanted) {
    return wanted == Wanted::health || wanted == Wanted::ready || wanted == Wanted::metrics;
}

std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_space) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (c == '%') {
            if (i + 2 >= text.size()) return std::nullopt;
            const int high = hex_digit(text[i + 1]);
            const int low = hex_digit(text[i + 2]);
            if (high < 0 || low < 0) return std::nullopt;
            c = static_cast<char>(high * 16 + low);
            i += 2;
        } else if (c == '+' && plus_is_space) {
            c = ' ';
        }
        if (c == '\0') return std::nullopt;
        out += c;
    }
    return out;
}

Result<std::uint64_t> number_in(const Route& route, const std::string& key, std::uint64_t otherwise,
                                std::uint64_t most) {
    const auto text = route.text(key);
    if (!text || text->empty()) return otherwise;
    auto number = parse_uint64(*text, 0, most);
    if (!number) return within(key, number.error());
    return number;
}

std::variant<Route, Refusal> parse_route(std::string_view method_name, std::string_view target) {
    if (target.size() > kTargetBytesMax) {
        return Refusal{400, "The address is longer than 4 KiB.", "Ask for less at once.", {}};
    }
    if (!target.starts_with('/')) return bad("The address must begin with a slash.");
    const Method method = method_of(method_name);
    Route route;
    const auto question = target.find('?');
    const std::string_view path = target.substr(0, question);
    if (question != std::string_view::npos && !add_query(target.substr(question + 1), route)) {
        return bad("What follows the question mark cannot be understood.");
    }
    const auto parts = segments_of(path);
    if (!parts) return bad("The address cannot be understood.");
    const bool reads = method == Method::get || method == Method::head;
    const std::string& first = parts->front();
    if (first != "api") {
        if (!reads) return not_allowed("GET");
        route.name = std::string(path);
        if (path == "/healthz" || path == "/livez") route.wanted = Wanted::health;
        if (path == "/readyz") route.wanted = Wanted::ready;
        if (path == "/metrics") route.wanted = Wanted::metrics;
        return route;
    }
    const auto wanted = below_api(*parts, method, route);
    if (!wanted) return unknown(path);
    route.wanted = *wanted;
    const bool changes = *wanted == Wanted::stop || *wanted == Wanted::login;
    if (changes && method != Method::post) return not_allowed("POST");
    if (!changes && !reads) {
        return not_allowed(*wanted == Wanted::session ? "GET, POST" : "GET");
    }
    return route;
}

}  // namespace parley::web
