// Web: a method and a target in, what is asked for out. Pure; the target is not trusted.

#pragma once

#include "base/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace parley::web {

/// Longer targets are refused.
inline constexpr std::size_t kTargetBytesMax = 4'096;

enum class Method : std::uint8_t { get, head, post, other };
Method method_of(std::string_view name);

enum class Wanted : std::uint8_t {
    page,  ///< The shell or one of its files; `name` is the path.
    health,
    ready,
    metrics,
    openapi,
    session,
    login,
    runs,
    run,
    round,
    difference,
    map,
    nodes,
    node,
    workloads,
    workload,
    strip,
    ribbon,
    scores,
    decisions,
    events,
    learning,
    ask,
    names,
    export_file,
    stream,
    stop,
};

struct Route {
    Wanted wanted = Wanted::page;
    std::string run;
    std::optional<std::uint64_t> round;  ///< Nothing: the newest.
    std::string name;                    ///< Of a node, a workload, or a path of the page.
    std::map<std::string, std::string> query;

    /// A value of the query; nothing: not given.
    std::optional<std::string> text(const std::string& key) const;
};

/// Why a request is refused.
struct Refusal {
    int status = 400;
    std::string sentence;
    std::string remedy;
    std::string allow;  ///< Methods, for 405.
};

/// Whether it needs a login: everything below /api except logging in.
bool needs_login(Wanted wanted);
/// Whether it is one of the probes, which may have a port of their own.
bool is_probe(Wanted wanted);

std::variant<Route, Refusal> parse_route(std::string_view method, std::string_view target);

/// A whole number from the query; `otherwise` if it is not given; or why it is invalid.
[[nodiscard]] Result<std::uint64_t> number_in(const Route& route, const std::string& key,
                                              std::uint64_t otherwise, std::uint64_t most);

/// Decodes "%2F" and "+"; nothing if it is malformed or contains a zero byte.
std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_space);

}  // namespace parley::web
