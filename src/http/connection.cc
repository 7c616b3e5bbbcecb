#include "http/connection.h"

#include "http/byte_stream.h"
#include "http/failure.h"
#include "http/request_text.h"

#include <boost/asio/error.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>

#include <array>
#include <utility>

namespace parley::http {

namespace asio = boost::asio;
namespace beast = boost::beast;
using boost::system::error_code;

namespace {

constexpr std::uint32_t kHeadMax = 65'536;
constexpr std::size_t kPiece = 262'144;
constexpr std::size_t kRead = 65'536;

using Parser = beast::http::response_parser<beast::http::buffer_body>;
using HeadParser = beast::http::response_parser<beast::http::empty_body>;
using beast::http::error;

}  // namespace

struct Connection::Wire {
    explicit Wire(Endpoint to) : endpoint(std::move(to)) { buffer.reserve(kRead); }

    Endpoint endpoint;
    std::unique_ptr<ByteStream> stream;
    beast::flat_buffer buffer;
    std::optional<Parser> parser;
    std::array<char, kPiece> piece{};
    bool broken = false;

    std::string name() const { return endpoint.url.authority(); }
    std::string proxy_name() const { return "the proxy " + endpoint.proxy->authority(); }
    bool has_proxy(Proxy::Kind kind) const {
        return endpoint.proxy && endpoint.proxy->kind == kind;
    }
    /// Without TLS to the server, the proxy is told the whole address with every request.
    std::optional<Proxy> told() const {
        const bool tunnels = endpoint.url.tls || has_proxy(Proxy::Kind::socks5);
        return tunnels ? std::nullopt : endpoint.proxy;
    }

    asio::awaitable<Result<void>> connect(Duration limit);
    asio::awaitable<Result<void>> pass_proxy(Duration limit);
    asio::awaitable<Result<void>> socks(Duration limit);
    asio::awaitable<Result<std::string>> say(std::string words, std::size_t answer);
    asio::awaitable<Result<void>> tunnel(Duration limit);
    asio::awaitable<Result<void>> secure(std::shared_ptr<const Tls> tls, std::string expected,
                                         std::string whom, Duration limit);
    template <class HeadOf>
    asio::awaitable<error_code> read_head(HeadOf* answer);
    asio::awaitable<error_code> read_body();
    error_code take_body();
    error_code came(Moved moved);
};

/// Hands over what was read to the parser.
error_code Connection::Wire::came(Moved moved) {
    buffer.commit(moved.bytes);
    return moved.failed;
}

template <class HeadOf>
asio::awaitable<error_code> Connection::Wire::read_head(HeadOf* answer) {
    while (!answer->is_header_done()) {
        error_code failed = error::need_more;
        if (buffer.size() > 0) buffer.consume(answer->put(buffer.data(), failed));
        if (failed == error::need_more) {
            failed = came(co_await stream->read_some(buffer.prepare(kRead)));
            if (failed == asio::error::eof) {
                co_return answer->got_some() ? error::partial_message : error::end_of_stream;
            }
        }
        if (failed) co_return failed;
    }
    co_return error_code{};
}

asio::awaitable<Result<void>> Connection::Wire::connect(Duration limit) {
    const std::string host = endpoint.proxy ? endpoint.proxy->host : endpoint.url.host;
    const std::uint16_t port = endpoint.proxy ? endpoint.proxy->port : endpoint.url.port;
    auto connected =
        co_await connect_tcp(host, port, endpoint.proxy ? proxy_name() : name(), limit);
    if (!connected) co_return tl::unexpected(connected.error());
    stream = *std::move(connected);
    co_return Result<void>{};
}

asio::awaitable<Result<void>> Connection::Wire::tunnel(Duration limit) {
    const std::string to = endpoint.url.host_text() + ":" + std::to_string(endpoint.url.port);
    std::vector<Header> headers{{"Host", to}};
    if (!endpoint.proxy->user.empty()) {
        headers.push_back({"Proxy-Authorization", proxy_authorization(*endpoint.proxy)});
    }
    auto ask = request_text("CONNECT", to, headers, "");
    if (!ask) co_return tl::unexpected(ask.error());
    stream->expire_after(limit);
    const Moved sent = co_await stream->write(asio::buffer(*ask));
    if (sent.failed) co_return failure(proxy_name(), sent.failed);
    HeadParser answer;
    answer.skip(true);  // After the head of a 200 the tunnel begins.
    answer.header_limit(kHeadMax);
    const error_code unread = co_await read_head(&answer);
    if (unread) co_return failure(proxy_name(), unread);
    if (answer.get().result_int() != 200 || buffer.size() > 0) {
        co_return fail(ErrorCode::unavailable, proxy_name() + " refused to connect to " + to +
                                                   " (" +
                                                   std::to_string(answer.get().result_int()) + ")");
    }
    co_return Result<void>{};
}

/// Sends one message of SOCKS and reads `answer` bytes back.
asio::awaitable<Result<std::string>> Connection::Wire::say(std::string words, std::size_t answer) {
    if (!words.empty()) {
        const Moved sent = co_await stream->write(asio::buffer(words));
        if (sent.failed) co_return failure(proxy_name(), sent.failed);
    }
    std::string heard(answer, '\0');
    for (std::size_t at = 0; at < answer;) {
        const Moved read = co_await stream->read_some(asio::buffer(heard) + at);
        if (read.failed) co_return failure(proxy_name(), read.failed);
        at += read.bytes;
    }
    co_return heard;
}

asio::awaitable<Result<void>> Connection::Wire::socks(Duration limit) {
    const std::string what = "the proxy " + endpoint.proxy->authority();
    auto request = socks_request(endpoint.url);
    if (!request) co_return tl::unexpected(request.error());
    stream->expire_after(limit);
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
    // Version, result, a reserved byte, kind of address, and its first byte, which may be its
    // length.
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
        auto met = co_await secure(endpoint.proxy_tls, endpoint.proxy->host, proxy_name(), limit);
        if (!met) co_return met;
    }
    if (endpoint.url.tls) co_return co_await tunnel(limit);
    co_return Result<void>{};
}

asio::awaitable<Result<void>> Connection::Wire::secure(std::shared_ptr<const Tls> tls,
                                                       std::string expected, std::string whom,
                                                       Duration limit) {
    auto secured =
        co_await stream->secure(std::move(tls), std::move(expected), std::move(whom), limit);
    if (!secured) co_return tl::unexpected(secured.error());
    stream = *std::move(secured);
    co_return Result<void>{};
}

Connection::Connection(std::unique_ptr<Wire> wire) : wire_(std::move(wire)) {}
Connection::~Connection() = default;

asio::awaitable<Result<std::unique_ptr<Connection>>> Connection::open(Endpoint endpoint,
                                                                      Duration limit) {
    auto wire = std::make_unique<Wire>(std::move(endpoint));
    const Endpoint& to = wire->endpoint;
    auto connected = co_await wire->connect(limit);
    if (connected) connected = co_await wire->pass_proxy(limit);
    if (connected && to.url.tls) {
        const std::string expected = to.server_name.empty() ? to.url.host : to.server_name;
        connected = co_await wire->secure(to.tls, expected, wire->name(), limit);
    }
    if (!connected) co_return tl::unexpected(connected.error());
    co_return std::unique_ptr<Connection>(new Connection(std::move(wire)));
}

asio::awaitable<Result<Response>> Connection::begin(Request request, Duration limit) {
    Wire& w = *wire_;
    w.broken = true;  // Until everything has succeeded.
    const auto words = request_text(request, w.endpoint.url, w.told());
    if (!words) co_return tl::unexpected(words.error());
    w.parser.emplace();
    w.parser->header_limit(kHeadMax);
    w.parser->body_limit(boost::none);  // Whoever reads the pieces limits their size.
    w.stream->expire_after(limit);
    const std::string what = request.method + " " + w.name();
    const Moved sent = co_await w.stream->write(asio::buffer(*words));
    if (sent.failed) co_return failure(what, sent.failed);
    const error_code unread = co_await w.read_head(&*w.parser);
    if (unread) co_return failure(what, unread);
    Response answer;
    answer.status = static_cast<int>(w.parser->get().result_int());
    for (const auto& field : w.parser->get()) {
        answer.headers.push_back({std::string(field.name_string()), std::string(field.value())});
    }
    w.broken = false;
    co_return answer;
}

/// Parses what has arrived, until all of it is in the piece, the piece is full, or the body ends.
error_code Connection::Wire::take_body() {
    error_code failed;
    while (!failed && buffer.size() > 0 && !parser->is_done()) {
        buffer.consume(parser->put(buffer.data(), failed));
    }
    return failed == error::need_more ? error_code{} : failed;
}

/// Fills the piece, waiting only for its first bytes: what has come already is taken without
/// another turn of the loop, since a large answer comes in tens of thousands of TLS records.
asio::awaitable<error_code> Connection::Wire::read_body() {
    auto& body = parser->get().body();
    body.data = piece.data();
    body.size = piece.size();
    for (;;) {
        error_code failed = take_body();
        if (failed == error::need_buffer || (!failed && parser->is_done())) break;
        if (failed) co_return failed;
        if (body.size == 0) break;
        const bool waits = body.size == piece.size();
        failed = came(waits ? co_await stream->read_some(buffer.prepare(kRead))
                            : stream->read_now(buffer.prepare(kRead)));
        if (failed == asio::error::eof) {
            failed = {};
            parser->put_eof(failed);
        }
        // An error after the first bytes will show again at the next read that waits.
        if (failed && !waits) break;
        if (failed) co_return failed;
    }
    co_return error_code{};
}

asio::awaitable<Result<std::string>> Connection::more(Duration limit) {
    Wire& w = *wire_;
    if (!w.parser || w.broken) co_return fail(ErrorCode::unavailable, w.name() + ": not connected");
    w.broken = true;
    std::size_t count = 0;
    if (!w.parser->is_done()) {
        w.stream->expire_after(limit);
        const error_code failed = co_await w.read_body();
        if (failed) co_return failure("reading from " + w.name(), failed);
        count = w.piece.size() - w.parser->get().body().size;
    }
    w.broken = false;
    co_return std::string(w.piece.data(), count);
}

bool Connection::reusable() const {
    return !wire_->broken && wire_->parser && wire_->parser->is_done() &&
           wire_->parser->keep_alive() && wire_->buffer.size() == 0;
}

void Connection::close() { wire_->stream->close(); }

}  // namespace parley::http
