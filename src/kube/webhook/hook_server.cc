#include "kube/webhook/hook_server.h"

#include "base/check.h"
#include "base/clock_wait.h"
#include "kube/webhook/admission_answer.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>

#include <chrono>
#include <optional>
#include <thread>
#include <tuple>
#include <utility>

namespace parley::kube {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace bhttp = beast::http;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);
/// A few API servers with some connections each; a body may take 3 MiB of each of them.
constexpr std::size_t kConnectionsMax = 64;
constexpr std::size_t kHeadBytesMax = 16'384;
/// The API server waits 2 s for an answer, so whoever takes longer is none.
constexpr std::chrono::seconds kHandshakeMax(5);
constexpr std::chrono::seconds kBodyMax(5);
constexpr std::chrono::seconds kWriteMax(5);
constexpr std::chrono::seconds kFirstMax(10);
/// Longer than the 90 s after which the API server itself closes: a connection that we closed just
/// as it asks again would be a failed request.
constexpr std::chrono::seconds kIdleMax(150);

using Context = std::shared_ptr<asio::ssl::context>;
using Stream = beast::ssl_stream<beast::tcp_stream>;
using Parser = bhttp::request_parser<bhttp::string_body>;

Result<Context> context_of(const Issued& certificate) {
    auto made = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_server);
    SSL_CTX_set_min_proto_version(made->native_handle(), TLS1_2_VERSION);
    SSL_CTX_set_options(made->native_handle(), SSL_OP_NO_RENEGOTIATION);
    error_code failed;
    std::ignore = made->use_certificate_chain(asio::buffer(certificate.certificate_pem), failed);
    if (!failed) {
        std::ignore = made->use_private_key(asio::buffer(certificate.key_pem),
                                            asio::ssl::context::pem, failed);
    }
    if (failed) {
        return fail(ErrorCode::denied,
                    "the webhook's certificate cannot be used: " + failed.message());
    }
    return made;
}

}  // namespace

struct HookServer::State {
    Answer answer;
    std::unique_ptr<asio::io_context> loop = std::make_unique<asio::io_context>(1);
    std::optional<tcp::acceptor> acceptor;
    Context tls;                  ///< Of connections to come. On the loop.
    std::size_t connections = 0;  ///< Open ones. On the loop.
    std::uint16_t port = 0;
    std::thread thread;
};

namespace {

using StatePtr = std::shared_ptr<HookServer::State>;

/// Counts a connection while it lives.
class Seat {
public:
    explicit Seat(HookServer::State& state) : state_(state) { ++state_.connections; }
    ~Seat() { --state_.connections; }
    Seat(const Seat&) = delete;
    Seat& operator=(const Seat&) = delete;

private:
    HookServer::State& state_;
};

struct Reply {
    int status = 200;
    std::string body;
    std::string type = "text/plain; charset=utf-8";
};

const char* reason_of(int status) {
    switch (status) {
        case 200:
            return "OK";
        case 404:
            return "Not Found";
        case 405:
            return "Method Not Allowed";
        case 413:
            return "Content Too Large";
        default:
            return "Bad Request";
    }
}

/// What is wrong with a head; nothing: its body is worth reading.
std::optional<Reply> refused(const bhttp::request<bhttp::string_body>& head) {
    // The API server adds `?timeout=2s`.
    const std::string target(head.target());
    if (target.substr(0, target.find('?')) != kHookPath) {
        return Reply{404, "Only /admit is here.\n"};
    }
    if (head.method() != bhttp::verb::post) return Reply{405, "Only POST is answered.\n"};
    return std::nullopt;
}

Reply unreadable(const error_code& failed) {
    if (failed == bhttp::error::body_limit || failed == bhttp::error::buffer_overflow) {
        return {413, "The body is longer than 3 MiB.\n"};
    }
    if (failed == bhttp::error::header_limit) return {413, "The head is longer than 16 KiB.\n"};
    return {400, "The request is no HTTP.\n"};
}

bool worth_an_answer(const error_code& failed) {
    const auto& http = bhttp::make_error_code(bhttp::error::body_limit).category();
    return failed.category() == http && failed != bhttp::error::end_of_stream &&
           failed != bhttp::error::partial_message;
}

asio::awaitable<bool> write(Stream* stream, Reply reply, bool keep) {
    std::string text = "HTTP/1.1 " + std::to_string(reply.status) + " " + reason_of(reply.status) +
                       "\r\nContent-Type: " + reply.type +
                       "\r\nContent-Length: " + std::to_string(reply.body.size()) +
                       "\r\nConnection: " + (keep ? "keep-alive" : "close") + "\r\n\r\n" +
                       reply.body;
    beast::get_lowest_layer(*stream).expires_after(kWriteMax);
    const auto [failed, sent] = co_await asio::async_write(*stream, asio::buffer(text), kTuple);
    co_return !failed && keep;
}

Reply reply_of(const HookServer::State& state, const std::string& body) {
    auto answer = state.answer(body);
    if (!answer) return {400, answer.error().message + "\n"};
    return {200, *std::move(answer), "application/json"};
}

/// One request; false: the connection ends. After a refusal it always does: a body may follow that
/// nobody reads.
asio::awaitable<bool> one(StatePtr state, Stream* stream, beast::flat_buffer* buffer, bool first) {
    Parser parser;
    parser.header_limit(kHeadBytesMax);
    parser.body_limit(kReviewBytesMax);
    beast::get_lowest_layer(*stream).expires_after(first ? kFirstMax : kIdleMax);
    auto [failed, read] = co_await bhttp::async_read_header(*stream, *buffer, parser, kTuple);
    std::optional<Reply> reply;
    if (!failed) reply = refused(parser.get());
    if (!failed && !reply) {
        beast::get_lowest_layer(*stream).expires_after(kBodyMax);
        std::tie(failed, read) = co_await bhttp::async_read(*stream, *buffer, parser, kTuple);
    }
    if (failed && !worth_an_answer(failed)) co_return false;
    if (failed) reply = unreadable(failed);
    if (!reply) reply = reply_of(*state, parser.get().body());
    const bool keep = reply->status == 200 && parser.keep_alive();
    co_return co_await write(stream, *std::move(reply), keep);
}

asio::awaitable<void> serve(StatePtr state, tcp::socket socket) {
    const Seat seat(*state);
    const Context tls = state->tls;  // Another one may come while this connection lives.
    Stream stream(beast::tcp_stream(std::move(socket)), *tls);
    beast::get_lowest_layer(stream).expires_after(kHandshakeMax);
    const auto [failed] = co_await stream.async_handshake(asio::ssl::stream_base::server, kTuple);
    if (failed) co_return;
    beast::flat_buffer buffer(kHeadBytesMax + kReviewBytesMax);
    bool first = true;
    while (co_await one(state, &stream, &buffer, first)) first = false;
    error_code ignored;
    std::ignore =
        beast::get_lowest_layer(stream).socket().shutdown(tcp::socket::shutdown_send, ignored);
}

asio::awaitable<void> accept(StatePtr state) {
    while (state->acceptor->is_open()) {
        auto [failed, socket] = co_await state->acceptor->async_accept(kTuple);
        if (failed == asio::error::operation_aborted) co_return;
        if (failed) {  // For example out of descriptors: somebody will leave.
            co_await pause(milliseconds(100));
            continue;
        }
        // Closed at once: the API server goes on without us sooner than if it waited.
        if (state->connections >= kConnectionsMax) continue;
        error_code ignored;
        std::ignore = socket.set_option(tcp::no_delay(true), ignored);
        asio::co_spawn(*state->loop, serve(state, std::move(socket)), asio::detached);
    }
}

Result<void> bind(HookServer::State& state, const std::string& address, std::uint16_t port) {
    error_code failed;
    const auto ip = asio::ip::make_address(address == "localhost" ? "127.0.0.1" : address, failed);
    if (failed) {
        return fail(ErrorCode::denied, "\"" + address + "\" is no address to listen on");
    }
    const tcp::endpoint place(ip, port);
    tcp::acceptor& acceptor = state.acceptor.emplace(*state.loop);
    std::ignore = acceptor.open(place.protocol(), failed);
    if (!failed) std::ignore = acceptor.set_option(tcp::acceptor::reuse_address(true), failed);
    if (!failed) std::ignore = acceptor.bind(place, failed);
    if (!failed) std::ignore = acceptor.listen(static_cast<int>(kConnectionsMax), failed);
    if (failed) {
        return fail(ErrorCode::denied, "cannot listen on " + address + ":" + std::to_string(port) +
                                           ": " + failed.message());
    }
    state.port = acceptor.local_endpoint().port();
    return {};
}

}  // namespace

HookServer::HookServer(std::shared_ptr<State> state) : state_(std::move(state)) {}

Result<std::unique_ptr<HookServer>> HookServer::start(const std::string& address,
                                                      std::uint16_t port, const Issued& certificate,
                                                      Answer answer) {
    auto state = std::make_shared<State>();
    state->answer = std::move(answer);
    auto tls = context_of(certificate);
    if (!tls) return tl::unexpected(tls.error());
    state->tls = *std::move(tls);
    if (auto bound = bind(*state, address, port); !bound) return tl::unexpected(bound.error());
    asio::co_spawn(*state->loop, accept(state), asio::detached);
    state->thread = std::thread([raw = state.get()] { raw->loop->run(); });
    return std::unique_ptr<HookServer>(new HookServer(std::move(state)));
}

HookServer::~HookServer() {
    state_->loop->stop();
    state_->thread.join();
    // Coroutines that wait on the loop own the state and use what is on the loop: they end first.
    state_->acceptor.reset();
    state_->loop.reset();
}

void HookServer::use(const Issued& certificate) {
    auto tls = context_of(certificate);
    PARLEY_CHECK(tls);  // It was made by us.
    asio::post(*state_->loop, [raw = state_.get(), tls = *std::move(tls)]() mutable {
        raw->tls = std::move(tls);
    });
}

std::uint16_t HookServer::port() const { return state_->port; }

}  // namespace parley::kube
