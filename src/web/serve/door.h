// Web: the head of a request in, whether it may come in out. Pure; sessions are judged by Logins.

#pragma once

#include "web/serve/route.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::web {

/// Where this server stands.
struct DoorPlan {
    std::string address = "127.0.0.1";  ///< As it was bound.
    std::uint16_t port = 0;
    bool tls = false;
    std::vector<std::string> hosts;  ///< Further names under which it may be called.
};

/// What is looked at before anything is done. Empty: the header was not sent.
struct RequestHead {
    std::string host;
    std::string origin;
    std::string fetch_site;  ///< Sec-Fetch-Site.
    std::string cookie;
    std::string content_type;
    std::string parley;  ///< X-Parley: what a form of another site cannot send.
    bool several_hosts = false;
};

/// Nothing: it may come in, as far as its head tells.
std::optional<Refusal> refuse(const DoorPlan& plan, Wanted wanted, const RequestHead& head);

/// Whether a Host header names this server: loopback by any of its names, the address it was bound
/// to, or a name it was given; with this port.
bool knows_host(const DoorPlan& plan, std::string_view host);

/// Loopback by address; everything else needs TLS.
bool is_loopback(std::string_view address);

/// "parley_8765": cookies are shared by all ports of a host, so that the name must tell them apart.
std::string cookie_name(std::uint16_t port);
/// The value of that cookie; nothing: it was not sent, or twice.
std::optional<std::string> cookie_in(std::string_view header, const std::string& name);
/// Set-Cookie.
std::string cookie_text(const DoorPlan& plan, const std::string& value);

struct FixedHeader {
    const char* name;
    const char* value;
};
/// On every answer.
const std::vector<FixedHeader>& door_headers();

}  // namespace parley::web
