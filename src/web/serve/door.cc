#include "web/serve/door.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace parley::web {
namespace {

std::string small(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), [](char c) {
        return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    });
    return out;
}

/// The name of "name:port" or "[::1]:port", if the port is ours; a missing port is the default one.
std::optional<std::string> name_with_port(const DoorPlan& plan, std::string_view host) {
    const std::uint16_t usual = plan.tls ? 443 : 80;
    std::string_view name = host;
    std::string_view port;
    const auto bracket = host.rfind(']');
    const auto colon = host.rfind(':');
    const bool has_port =
        colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket);
    if (has_port) {
        name = host.substr(0, colon);
        port = host.substr(colon + 1);
    }
    const std::string wanted = std::to_string(plan.port);
    if (has_port ? port != wanted : plan.port != usual) return std::nullopt;
    return small(name);
}

std::string bracketed(const std::string& address) {
    return address.find(':') != std::string::npos ? "[" + address + "]" : address;
}

std::string scheme(const DoorPlan& plan) { return plan.tls ? "https://" : "http://"; }

Refusal forbidden(std::string sentence, std::string remedy) {
    return {403, std::move(sentence), std::move(remedy), {}};
}

bool changes(Wanted wanted) { return wanted == Wanted::login || wanted == Wanted::stop; }

bool is_json(std::string_view type) {
    const std::string text = small(type);
    return text == "application/json" || text.starts_with("application/json;");
}

}  // namespace

bool is_loopback(std::string_view address) {
    return address.starts_with("127.") || address == "::1" || address == "localhost";
}

bool knows_host(const DoorPlan& plan, std::string_view host) {
    const auto name = name_with_port(plan, host);
    if (!name || name->empty()) return false;
    if (*name == small(bracketed(plan.address))) return true;
    if (std::ranges::any_of(
            plan.hosts, [&](const std::string& each) { return small(bracketed(each)) == *name; })) {
        return true;
    }
    const bool reaches_loopback =
        is_loopback(plan.address) || plan.address == "0.0.0.0" || plan.address == "::";
    return reaches_loopback && (*name == "localhost" || *name == "127.0.0.1" || *name == "[::1]");
}

std::optional<Refusal> refuse(const DoorPlan& plan, Wanted wanted, const RequestHead& head) {
    if (is_probe(wanted)) return std::nullopt;  // Kubelets call by the pod's address.
    if (head.host.empty() || head.several_hosts) {
        return Refusal{400, "The request names no host, or several.", "Send one Host header.", {}};
    }
    if (!knows_host(plan, head.host)) {
        return forbidden("This server is not called by that name.",
                         "Open the link that it printed, or name the host: --allow-host.");
    }
    if (wanted == Wanted::page) return std::nullopt;
    if (!head.origin.empty() && small(head.origin) != scheme(plan) + small(head.host)) {
        return forbidden("The request comes from a page of another site.",
                         "Open the dashboard itself.");
    }
    const bool elsewhere = !head.fetch_site.empty() && head.fetch_site != "same-origin";
    // Browsers send Sec-Fetch-Site only to servers they trust: by TLS, or on loopback. Our own
    // header cannot be sent by another site without a preflight request.
    const bool ours = head.fetch_site == "same-origin" || head.parley == "1";
    if (wanted == Wanted::stream && (elsewhere || !ours)) {
        return forbidden("The stream is for the page of this server alone.",
                         "A program reads rounds by GET, or sends X-Parley: 1.");
    }
    if (!changes(wanted)) return std::nullopt;
    if (elsewhere) {
        return forbidden("Nothing is changed for a page of another site.",
                         "Open the dashboard itself.");
    }
    if (!is_json(head.content_type)) {
        return Refusal{400, "The body must be application/json.", "Send Content-Type.", {}};
    }
    if (wanted == Wanted::stop && head.parley != "1") {
        return forbidden("The request lacks the header X-Parley: 1.",
                         "Send it: a form of another site cannot.");
    }
    return std::nullopt;
}

std::string cookie_name(std::uint16_t port) { return "parley_" + std::to_string(port); }

std::optional<std::string> cookie_in(std::string_view header, const std::string& name) {
    std::optional<std::string> found;
    while (!header.empty()) {
        const auto end = header.find(';');
        std::string_view pair = header.substr(0, end);
        while (pair.starts_with(' ')) pair.remove_prefix(1);
        while (pair.ends_with(' ')) pair.remove_suffix(1);
        const auto equals = pair.find('=');
        if (equals != std::string_view::npos && pair.substr(0, equals) == name) {
            if (found) return std::nullopt;
            found = std::string(pair.substr(equals + 1));
        }
        if (end == std::string_view::npos) break;
        header.remove_prefix(end + 1);
    }
    return found;
}

std::string cookie_text(const DoorPlan& plan, const std::string& value) {
    return cookie_name(plan.port) + "=" + value + "; Path=/; HttpOnly; SameSite=Strict" +
           (plan.tls ? "; Secure" : "");
}

const std::vector<FixedHeader>& door_headers() {
    static const std::vector<FixedHeader> kHeaders = {
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
         "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
         "frame-ancestors 'none'"},
        {"X-Content-Type-Options", "nosniff"},
        {"X-Frame-Options", "DENY"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
    };
    return kHeaders;
}

}  // namespace parley::web
