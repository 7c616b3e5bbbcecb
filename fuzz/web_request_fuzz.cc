// Requests to the dashboard: any bytes are refused with a sentence or are one of the routes;
// nothing is answered without a session; no text breaks out of an event of a stream.

#include "base/check.h"
#include "fuzz/input.h"
#include "web/run/stream.h"
#include "web/serve/api.h"
#include "web/serve/door.h"
#include "web/serve/login.h"
#include "web/serve/route.h"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include <string>
#include <variant>

namespace {

using namespace parley;
namespace http = boost::beast::http;

std::string header_of(const http::request<http::string_body>& in, const char* name) {
    const auto found = in.find(name);
    return found == in.end() ? std::string() : std::string(found->value());
}

void check_route(std::string_view method, std::string_view target, const web::RequestHead& head) {
    const auto parsed = web::parse_route(method, target);
    if (const auto* refused = std::get_if<web::Refusal>(&parsed)) {
        PARLEY_CHECK(refused->status >= 400 && refused->status < 500);
        PARLEY_CHECK(!refused->sentence.empty());
        PARLEY_CHECK(web::answer_with(*refused).body.starts_with("{\"error\":"));
        return;
    }
    const web::Route& route = std::get<web::Route>(parsed);
    const bool changes = route.wanted == web::Wanted::login || route.wanted == web::Wanted::stop;
    PARLEY_CHECK(!changes || method == "POST");
    PARLEY_CHECK(route.name.find('\0') == std::string::npos);
    const web::DoorPlan plan{.address = "127.0.0.1", .port = 8765};
    if (web::refuse(plan, route.wanted, head)) return;
    PARLEY_CHECK(web::is_probe(route.wanted) || web::knows_host(plan, head.host));
    if (route.wanted == web::Wanted::stream) PARLEY_CHECK(head.fetch_site == "same-origin");
    const web::Logins logins("key", [](std::size_t) { return std::string("x"); });
    const auto cookie = web::cookie_in(head.cookie, web::cookie_name(plan.port));
    PARLEY_CHECK(!cookie || !logins.who(*cookie));
}

void check_request(std::string_view bytes) {
    http::request_parser<http::string_body> parser;
    parser.header_limit(16'384);
    parser.body_limit(65'536);
    parser.eager(true);
    boost::system::error_code failed;
    parser.put(boost::asio::buffer(bytes.data(), bytes.size()), failed);
    if (!parser.is_header_done()) return;
    const auto& in = parser.get();
    check_route(std::string(in.method_string()), std::string(in.target()),
                {.host = header_of(in, "Host"),
                 .origin = header_of(in, "Origin"),
                 .fetch_site = header_of(in, "Sec-Fetch-Site"),
                 .cookie = header_of(in, "Cookie"),
                 .content_type = header_of(in, "Content-Type"),
                 .parley = header_of(in, "X-Parley"),
                 .several_hosts = in.count(http::field::host) > 1});
    (void)web::last_event_id(header_of(in, "Last-Event-ID"));
}

/// Every line of an event is a field of ours, and only the last line is empty.
void check_event(std::string_view data) {
    const std::string event = web::frame_event("round", 7, data);
    PARLEY_CHECK(event.ends_with("\n\n"));
    std::size_t begin = 0;
    while (begin + 1 < event.size()) {
        const auto end = event.find_first_of("\r\n", begin);
        const std::string_view line = std::string_view(event).substr(begin, end - begin);
        PARLEY_CHECK(line.starts_with("data: ") || line == "id: 7" || line == "event: round");
        begin = end + 1;
    }
}

void check_token(std::string_view text) {
    web::Logins logins("key", [](std::size_t) { return std::string("x"); });
    PARLEY_CHECK(logins.try_token(text, TimePoint{}).tried != web::Tried::welcome);
}

}  // namespace

void parley::fuzz::try_input(Input input) {
    check_request(input.rest());
    check_route("GET", input.rest(), {.host = "127.0.0.1:8765"});
    check_event(input.rest());
    check_token(input.rest());
}
