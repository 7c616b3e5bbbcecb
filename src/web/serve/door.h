// Web: whether a request may come in, by its head. Pure; sessions are checked by Logins.

#pragma once

#include "web/serve/route.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::web {

/// The address and names of this server.
struct DoorPlan {
    std::string address = "127.0.0.1";  ///< As bound.
    std::uint16_t port = 0;
    bool tls = false;
    std::vector<std::string> hosts;  ///< Further names by which it may be reached.
};

/// The headers that are checked before anything else. Empty: the header was not sent.
struct RequestHead {
    std::string host;
    std::string origin;
    std::string fetch_site;  ///< Sec-Fetch-Site.
    std::string cookie;
    std::string content_type;
    std::string parley;  ///< X-Parley, which a form of another site cannot send.
    bool several_hosts = false;
};

/// Nothing: by its head it may come in.
std::optional<Refusal> refuse(const DoorPlan& plan, Wanted wanted, const RequestHead& head);

/// Whether a Host header names this server: any name of loopback, the bound address, or a given
/// name; with this port.
bool knows_host(const DoorPlan& plan, std::string_view host);

/// Whether an address is loopback; everything else needs TLS.
bool is_loopback(std::string_view address);

/// "parley_8765": cookies are shared by all ports of a host, so the name includes the port.
std::string cookie_name(std::uint16_t port);
/// The value of that cookie; nothing: it was not sent, or sent twice.
std::optional<std::string> cookie_in(std::string_view header, const std::string& name);
/// The Set-Cookie header.
std::string cookie_text(const DoorPlan& plan, const std::string& value);

struct FixedHeader {
    const char* name;
    const char* value;
};
/// Headers of every answer.
const std::vector<FixedHeader>& door_headers();

}  // namespace parley::web
