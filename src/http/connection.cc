#include "http/connection.h"

#include "base/clock_wait.h"
#include "http/tls_context.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>

#include <array>
#include <chrono>
#include <tuple>
#include <utility>

namespace parley::http {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);
constexpr std::uint32_t kHeadMax = 65'536;
constexpr std::size_t kPiece = 262'144;
constexpr std::size_t kRead =
    65'536;  // Beast asks for 512 bytes at a time of a buffer without room.

using Parser = beast::http::response_parser<beast::http::buffer_body>;

/// Another TLS can go through it: Asio wants to know what lies lowest, which Beast does not say.
struct TlsStream : beast::ssl_stream<beast::tcp_stream> {
    using beast::ssl_stream<beast::tcp_stream>::ssl_stream;
    using lowest_layer_type = tcp::socket;
    lowest_layer_type& lowest_layer() { return next_layer().socket(); }
};

std::chrono::microseconds chrono_of(Duration d) { return std::chrono::microseconds(d.us); }

std::string text_of(const error_code& failed) {
    if (failed == beast::error::timeout) return "no answer in time";
    if (failed == beast::http::error::end_of_stream || failed == asio::error::eof) {
        return "the other side closed the connection";
    }
    return failed.message();
}

bool untrusted(const error_code& failed) {
    return failed.category() == asio::error::get_ssl_category();
}

bool garbled(const error_code& failed) {
    return failed.category() ==
               beast::http::make_error_code(beast::http::error::bad_version).category() &&
           failed != beast::http::error::end_of_stream &&
           failed != beast::http::error::partial_message;
}

tl::unexpected<Error> failure(const std::string& what, const error_code& failed) {
    const ErrorCode code = untrusted(failed) ? ErrorCode::denied
                           : garbled(failed) ? ErrorCode::malformed
                                             : ErrorCode::unavailable;
    return fail(code, what + ": " + text_of(failed));
}

beast::http::request<beast::http::string_body> message_of(const Request& request, const Url& url,
                                                          const std::optional<Proxy>& told) {
    beast::http::request<beast::http::string_body> out;
    out.version(11);
    out.method_string(request.method);
    const std::string target = url.path + request.target;
    out.target(told ? (url.tls ? "https://" : "http://") + url.authority() + target : target);
    out.set(beast::http::field::host, url.authority());
    if (told && !told->user.empty()) {
        out.set(beast::http::field::proxy_authorization, proxy_authorization(*told));
    }
    for (const Header& each : request.headers) out.insert(each.name, each.value);
    if (!request.body.empty() || request.method != "GET") {
        out.body() = request.body;
        out.prepare_payload();
    }
    return out;
}

}  // namespace

struct Connection::Wire {
    explicit Wire(Endpoint to, const asio::any_io_executor& executor)
        : endpoint(std::move(to)), tcp(executor) {
        buffer.reserve(kRead);
    }

    Endpoint endpoint;
    beast::tcp_stream tcp;  ///< Moved into `tls` where there is TLS.
    std::optional<TlsStream> tls;
    std::optional<beast::ssl_stream<TlsStream>> inner;  ///< Through a proxy with TLS of its own.
    beast::flat_buffer buffer;
    std::optional<Parser> parser;
    std::array<char, kPiece> piece{};
    bool broken = false;

    beast::tcp_stream& socket() {
        return inner ? inner->next_layer().next_layer() : tls ? tls->next_layer() : tcp;
    }
    void expect_within(Duration limit) { socket().expires_after(chrono_of(limit)); }
    std::string name() const { return endpoint.url.authority(); }
    bool has_proxy(Proxy::Kind kind) const {
        return endpoint.proxy && endpoint.proxy->kind == kind;
    }
    /// Where the server has no TLS, the proxy is told the whole address with every request.
    std::optional<Proxy> told() const {
        const bool tunnels = endpoint.url.tls || has_proxy(Proxy::Kind::socks5);
        return tunnels ? std::nullopt : endpoint.proxy;
    }

    asio::awaitable<Result<void>> connect(std::string host, std::uint16_t port, Duration limit);
    asio::awaitable<Result<void>> pass_proxy(Duration limit);
    asio::awaitable<Result<void>> socks(Duration limit);
    asio::awaitable<Result<std::string>> say(std::string words, std::size_t answer);
    asio::awaitable<Result<void>> tunnel(Duration limit);
    asio::awaitable<Result<void>> secure_proxy(Duration limit);
    asio::awaitable<Result<void>> secure(Duration limit);
    void take_what_is_there();

    template <class Work>
    auto on_stream(Work&& work) {
        return inner ? work(*inner) : tls ? work(*tls) : work(tcp);
    }
};

namespace {

/// getaddrinfo cannot be interrupted; what waits for it can.
asio::awaitable<Result<tcp::resolver::results_type>> resolve(std::string host, std::uint16_t port,
                                                             Duration limit) {
    const auto executor = co_await asio::this_coro::executor;
    tcp::resolver resolver(executor);
    const Timeout timeout(executor, limit, [&resolver] { resolver.cancel(); });
    const std::string service = std::to_string(port);
    auto [failed, found] = co_await resolver.async_resolve(host, service, kTuple);
    if (failed == asio::error::operation_aborted) {
        co_return fail(ErrorCode::unavailable, "finding " + host + ": no answer in time");
    }
    if (failed) co_return failure("finding " + host, failed);
    co_return found;
}

}  // namespace

asio::awaitable<Result<void>> Connection::Wire::connect(std::string host, std::uint16_t port,
                                                        Duration limit) {
    auto found = co_await resolve(host, port, limit);
    if (!found) co_return tl::unexpected(found.error());
    tcp.expires_after(chrono_of(limit));
    const auto [failed, reached] = co_await tcp.async_connect(*found, kTuple);
    if (failed) {
        const std::string whom =
            endpoint.proxy ? "the proxy " + endpoint.proxy->authority() : name();
        co_return failure("connecting to " + whom, failed);
    }
    error_code ignored;
    std::ignore = tcp.socket().set_option(tcp::no_delay(true), ignored);
    std::ignore = tcp.socket().non_blocking(true, ignored);  // For reads that do not wait.
    co_return Result<void>{};
}

asio::awaitable<Result<void>> Connection::Wire::tunnel(Duration limit) {
    const std::string to = endpoint.url.host.find(':') == std::string::npos
                               ? endpoint.url.host
                               : "[" + endpoint.url.host + "]";
    beast::http::request<beast::http::empty_body> ask;
    ask.version(11);
    ask.method(beast::http::verb::connect);
    ask.target(to + ":" + std::to_string(endpoint.url.port));
    ask.set(beast::http::field::host, std::string(ask.target()));
    if (!endpoint.proxy->user.empty()) {
        ask.set(beast::http::field::proxy_authorization, proxy_authorization(*endpoint.proxy));
    }
    const std::string what = "the proxy " + endpoint.proxy->authority();
    expect_within(limit);
    auto asking =
        on_stream([&](auto& stream) { return beast::http::async_write(stream, ask, kTuple); });
    const auto [unsent, sent] = co_await std::move(asking);
    if (unsent) co_return failure(what, unsent);
    beast::http::response_parser<beast::http::empty_body> answer;
    answer.skip(true);  // Behind the head of a 200 the tunnel begins.
    answer.header_limit(kHeadMax);
    beast::flat_buffer head;
    auto reading = on_stream(
        [&](auto& stream) { return beast::http::async_read_header(stream, head, answer, kTuple); });
    const auto [unread, read] = co_await std::move(reading);
    if (unread) co_return failure(what, unread);
    if (answer.get().result_int() != 200 || head.size() > 0) {
        co_return fail(ErrorCode::unavailable, what + " refused to connect to " +
                                                   std::string(ask.target()) + " (" +
                                                   std::to_string(answer.get().result_int()) + ")");
    }
    co_return Result<void>{};
}

/// Sends a step of SOCKS and reads so many bytes of its answer.
asio::awaitable<Result<std::string>> Connection::Wire::say(std::string words, std::size_t answer) {
    const std::string what = "the proxy " + endpoint.proxy->authority();
    const auto [unsent, sent] = co_await asio::async_write(tcp, asio::buffer(words), kTuple);
    if (unsent) co_return failure(what, unsent);
    std::string heard(answer, '\0');
    const auto [unread, read] = co_await asio::async_read(tcp, asio::buffer(heard), kTuple);
    if (unread) co_return failure(what, unread);
    co_return heard;
}

asio::awaitable<Result<void>> Connection::Wire::socks(Duration limit) {
    const std::string what = "the proxy " + endpoint.proxy->authority();
    auto request = socks_request(endpoint.url);
    if (!request) co_return tl::unexpected(request.error());
    tcp.expires_after(chrono_of(limit));
    auto chosen = co_await say(socks_greeting(*endpoint.proxy), 2);
    if (!chosen) co_return tl::unexpected(chosen.error());
    if ((*chosen)[0] != '\x05') co_return fail(ErrorCode::malformed, what + " speaks no SOCKS5");
    if ((*chosen)[1] == '\x02') {
        auto let_in = co_await say(socks_login(*endpoint.proxy), 2);
        if (!let_in) co_return tl::unexpected(let_in.error());
        if ((*let_in)[1] != '\0') {
            co_return fail(ErrorCode::denied, what + " does not take this user and password");
        }
    } else if ((*chosen)[1] != '\0') {
        co_return fail(ErrorCode::denied, what + " wants to know who asks; give user and password");
    }
    // Version, answer, nothing, kind of address and its first byte, which may be its length.
    auto answer = co_await say(*std::move(request), 5);
    if (!answer) co_return tl::unexpected(answer.error());
    const std::string refused = socks_refusal(static_cast<std::uint8_t>((*answer)[1]));
    if (!refused.empty()) {
        co_return fail(ErrorCode::unavailable,
                       what + " did not connect to " + name() + ": " + refused);
    }
    const auto kind = (*answer)[3];
    const std::size_t rest = kind == '\x01'   ? 3 + 2
                             : kind == '\x04' ? 15 + 2
                                              : static_cast<std::uint8_t>((*answer)[4]) + 2;
    auto bound = co_await say("", rest);
    if (!bound) co_return tl::unexpected(bound.error());
    co_return Result<void>{};
}

asio::awaitable<Result<void>> Connection::Wire::pass_proxy(Duration limit) {
    if (!endpoint.proxy) co_return Result<void>{};
    if (has_proxy(Proxy::Kind::socks5)) co_return co_await socks(limit);
    if (has_proxy(Proxy::Kind::https)) {
        auto secured = co_await secure_proxy(limit);
        if (!secured) co_return secured;
    }
    if (endpoint.url.tls) co_return co_await tunnel(limit);
    co_return Result<void>{};
}

namespace {

/// Shakes hands over a stream whose other side must be `expected`; `name` is for people.
template <class Stream>
asio::awaitable<Result<void>> shake_hands(Stream* stream, bool insecure, std::string expected,
                                          std::string name) {
    error_code is_name;
    asio::ip::make_address(expected, is_name);
    if (is_name) SSL_set_tlsext_host_name(stream->native_handle(), expected.c_str());
    if (!insecure) {
        error_code ignored;
        stream->set_verify_callback(asio::ssl::host_name_verification(expected), ignored);
    }
    const auto [failed] = co_await stream->async_handshake(asio::ssl::stream_base::client, kTuple);
    if (!failed) co_return Result<void>{};
    std::string why = "TLS with " + name;
    const long verdict = SSL_get_verify_result(stream->native_handle());
    if (untrusted(failed) && verdict != X509_V_OK) {
        why += ": its certificate is not trusted as that of " + expected + " (" +
               X509_verify_cert_error_string(verdict) + ")";
        co_return fail(ErrorCode::denied, why);
    }
    co_return failure(why, failed);
}

}  // namespace

asio::awaitable<Result<void>> Connection::Wire::secure_proxy(Duration limit) {
    const Tls::Context& context = endpoint.proxy_tls->context();
    tls.emplace(std::move(tcp), context.ssl);
    expect_within(limit);
    co_return co_await shake_hands(&*tls, context.insecure, endpoint.proxy->host,
                                   "the proxy " + endpoint.proxy->authority());
}

asio::awaitable<Result<void>> Connection::Wire::secure(Duration limit) {
    const Tls::Context& context = endpoint.tls->context();
    const std::string expected =
        endpoint.server_name.empty() ? endpoint.url.host : endpoint.server_name;
    if (tls) {  // The proxy's.
        inner.emplace(*std::move(tls), context.ssl);
        expect_within(limit);
        co_return co_await shake_hands(&*inner, context.insecure, expected, name());
    }
    tls.emplace(std::move(tcp), context.ssl);
    expect_within(limit);
    co_return co_await shake_hands(&*tls, context.insecure, expected, name());
}

Connection::Connection(std::unique_ptr<Wire> wire) : wire_(std::move(wire)) {}
Connection::~Connection() = default;

asio::awaitable<Result<std::unique_ptr<Connection>>> Connection::open(Endpoint endpoint,
                                                                      Duration limit) {
    auto wire = std::make_unique<Wire>(std::move(endpoint), co_await asio::this_coro::executor);
    const Endpoint& to = wire->endpoint;
    const std::string host = to.proxy ? to.proxy->host : to.url.host;
    const std::uint16_t port = to.proxy ? to.proxy->port : to.url.port;
    auto connected = co_await wire->connect(host, port, limit);
    if (connected) connected = co_await wire->pass_proxy(limit);
    if (connected && to.url.tls) connected = co_await wire->secure(limit);
    if (!connected) co_return tl::unexpected(connected.error());
    co_return std::unique_ptr<Connection>(new Connection(std::move(wire)));
}

asio::awaitable<Result<Response>> Connection::begin(Request request, Duration limit) {
    Wire& w = *wire_;
    w.broken = true;  // Until all went well.
    const auto message = message_of(request, w.endpoint.url, w.told());
    w.parser.emplace();
    w.parser->header_limit(kHeadMax);
    w.parser->body_limit(boost::none);  // Whoever reads the pieces counts them.
    w.expect_within(limit);
    const std::string what = request.method + " " + w.name();
    auto sending = w.on_stream(
        [&](auto& stream) { return beast::http::async_write(stream, message, kTuple); });
    const auto [unsent, sent] = co_await std::move(sending);
    if (unsent) co_return failure(what, unsent);
    auto reading = w.on_stream([&](auto& stream) {
        return beast::http::async_read_header(stream, w.buffer, *w.parser, kTuple);
    });
    const auto [unread, read] = co_await std::move(reading);
    if (unread) co_return failure(what, unread);
    Response answer;
    answer.status = static_cast<int>(w.parser->get().result_int());
    for (const auto& field : w.parser->get()) {
        answer.headers.push_back({std::string(field.name_string()), std::string(field.value())});
    }
    w.broken = false;
    co_return answer;
}

/// Whatever has come already, without another turn of the loop for each TLS record: a large answer
/// comes in tens of thousands of them. What goes wrong shows again at the next read that waits.
void Connection::Wire::take_what_is_there() {
    error_code failed;
    while (!failed && !parser->is_done() && parser->get().body().size > 0) {
        on_stream(
            [&](auto& stream) { return beast::http::read_some(stream, buffer, *parser, failed); });
    }
}

asio::awaitable<Result<std::string>> Connection::more(Duration limit) {
    Wire& w = *wire_;
    if (!w.parser || w.broken) co_return fail(ErrorCode::unavailable, w.name() + ": not connected");
    w.broken = true;
    while (!w.parser->is_done()) {
        auto& body = w.parser->get().body();
        body.data = w.piece.data();
        body.size = w.piece.size();
        w.expect_within(limit);
        auto reading = w.on_stream([&](auto& stream) {
            return beast::http::async_read_some(stream, w.buffer, *w.parser, kTuple);
        });
        auto [failed, read] = co_await std::move(reading);
        if (failed == beast::http::error::need_buffer) failed = {};
        if (failed) co_return failure("reading from " + w.name(), failed);
        w.take_what_is_there();
        const std::size_t count = w.piece.size() - body.size;
        if (count > 0) {
            w.broken = false;
            co_return std::string(w.piece.data(), count);
        }
    }
    w.broken = false;
    co_return std::string();
}

bool Connection::reusable() const {
    return !wire_->broken && wire_->parser && wire_->parser->is_done() &&
           wire_->parser->keep_alive() && wire_->buffer.size() == 0;
}

void Connection::close() {
    error_code ignored;
    std::ignore = wire_->socket().socket().close(ignored);
}

}  // namespace parley::http
