#include "http/imposter.h"

#include "base/clock_wait.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>

#include <optional>
#include <tuple>
#include <utility>

namespace parley::http {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::ip::tcp;
using boost::system::error_code;

struct Imposter::State {
    State(const asio::any_io_executor& executor, Script answers)
        : acceptor(executor, {asio::ip::address_v4::loopback(), 0}), script(std::move(answers)) {}

    tcp::acceptor acceptor;
    Script script;
    std::optional<asio::ssl::context> tls;
    std::vector<Request> requests;
    int connections = 0;
};

namespace {

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);

std::string head_of(const Reply& reply, const std::string& framing) {
    std::string head = "HTTP/1.1 " + std::to_string(reply.status) + " Scripted\r\n" + framing;
    for (const Header& each : reply.headers) head += each.name + ": " + each.value + "\r\n";
    return head + "\r\n";
}

std::string chunk_of(const std::string& piece) {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string size;
    for (std::size_t rest = piece.size(); rest > 0; rest /= 16)
        size.insert(0, 1, kDigits[rest % 16]);
    return size + "\r\n" + piece + "\r\n";
}

template <class S>
asio::awaitable<bool> send(S* stream, std::string bytes) {
    const auto [failed, sent] = co_await asio::async_write(*stream, asio::buffer(bytes), kTuple);
    co_return !failed;
}

/// Returns whether the connection stays open.
template <class S>
asio::awaitable<bool> answer(S* stream, Reply reply) {
    const std::string sized = "Content-Length: " + std::to_string(reply.body.size()) + "\r\n";
    const std::string chunked = "Transfer-Encoding: chunked\r\n";
    switch (reply.manner) {
        case Reply::Manner::proper:
            co_return co_await send(stream, head_of(reply, sized) + reply.body) && !reply.close;
        case Reply::Manner::chunked:
        case Reply::Manner::hang_after: {
            if (!co_await send(stream, head_of(reply, chunked))) co_return false;
            for (const std::string& piece : reply.pieces) {
                if (!co_await send(stream, chunk_of(piece))) co_return false;
            }
            if (reply.manner == Reply::Manner::hang_after) co_await pause(hours(1));
            co_return co_await send(stream, "0\r\n\r\n") && !reply.close;
        }
        case Reply::Manner::cut:
            co_await send(stream,
                          head_of(reply, sized) + reply.body.substr(0, reply.body.size() / 2));
            co_return false;
        case Reply::Manner::drip:
            if (!co_await send(stream, head_of(reply, sized))) co_return false;
            for (const char byte : reply.body) {
                if (!co_await send(stream, std::string(1, byte))) co_return false;
                co_await pause(milliseconds(20));
            }
            co_return !reply.close;
        case Reply::Manner::silent:
            co_await pause(hours(1));
            co_return false;
        case Reply::Manner::reset:
            co_return false;
        case Reply::Manner::raw:
            co_await send(stream, reply.body);
            co_return false;
    }
    co_return false;
}

template <class S>
asio::awaitable<void> serve(S* stream, std::shared_ptr<Imposter::State> state) {
    beast::flat_buffer buffer;
    for (;;) {
        beast::http::request<beast::http::string_body> in;
        const auto [failed, read] = co_await beast::http::async_read(*stream, buffer, in, kTuple);
        if (failed) co_return;
        Request request{std::string(in.method_string()), std::string(in.target()), {}, in.body()};
        for (const auto& field : in) {
            request.headers.push_back(
                {std::string(field.name_string()), std::string(field.value())});
        }
        state->requests.push_back(request);
        Reply reply = state->script(request);
        const bool goes_on = co_await answer(stream, std::move(reply));
        if (!goes_on) co_return;
    }
}

asio::awaitable<void> welcome(tcp::socket socket, std::shared_ptr<Imposter::State> state) {
    beast::tcp_stream plain(std::move(socket));
    if (!state->tls) {
        co_await serve(&plain, state);
        co_return;
    }
    beast::ssl_stream<beast::tcp_stream> stream(std::move(plain), *state->tls);
    const auto [failed] = co_await stream.async_handshake(asio::ssl::stream_base::server, kTuple);
    if (!failed) co_await serve(&stream, state);
}

asio::awaitable<void> accept(std::shared_ptr<Imposter::State> state) {
    for (;;) {
        auto [failed, socket] = co_await state->acceptor.async_accept(kTuple);
        if (failed) co_return;
        ++state->connections;
        asio::co_spawn(state->acceptor.get_executor(), welcome(std::move(socket), state),
                       asio::detached);
    }
}

}  // namespace

Imposter::Imposter(const asio::any_io_executor& executor, Script script)
    : state_(std::make_shared<State>(executor, std::move(script))) {
    asio::co_spawn(executor, accept(state_), asio::detached);
}

Imposter::Imposter(const asio::any_io_executor& executor, Script script, const ImposterTls& tls)
    : state_(std::make_shared<State>(executor, std::move(script))) {
    asio::ssl::context& context = state_->tls.emplace(asio::ssl::context::tls_server);
    context.use_certificate_chain(asio::buffer(tls.certificate_pem));
    context.use_private_key(asio::buffer(tls.key_pem), asio::ssl::context::pem);
    if (!tls.client_ca_pem.empty()) {
        context.add_certificate_authority(asio::buffer(tls.client_ca_pem));
        context.set_verify_mode(asio::ssl::verify_peer | asio::ssl::verify_fail_if_no_peer_cert);
    }
    asio::co_spawn(executor, accept(state_), asio::detached);
}

Imposter::~Imposter() {
    error_code ignored;
    std::ignore = state_->acceptor.close(ignored);
}

std::uint16_t Imposter::port() const { return state_->acceptor.local_endpoint().port(); }
const std::vector<Request>& Imposter::requests() const { return state_->requests; }
int Imposter::connections() const { return state_->connections; }

}  // namespace parley::http
