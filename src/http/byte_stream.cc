#include "http/byte_stream.h"

#include "base/clock_wait.h"
#include "http/failure.h"
#include "http/tls_context.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/stream_traits.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>

#include <chrono>
#include <tuple>
#include <type_traits>
#include <utility>

namespace parley::http {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);

using TcpStream = beast::tcp_stream;

/// Allows another TLS on top: Asio asks for the lowest layer, which Beast's stream does not name.
struct TlsStream : beast::ssl_stream<TcpStream> {
    using beast::ssl_stream<TcpStream>::ssl_stream;
    using lowest_layer_type = tcp::socket;  // NOLINT(readability-identifier-naming): Asio's name.
    lowest_layer_type& lowest_layer() { return next_layer().socket(); }
};

using InnerTlsStream = beast::ssl_stream<TlsStream>;

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

template <class Stream>
class Over final : public ByteStream {
public:
    template <class... From>
    explicit Over(From&&... from) : stream_(std::forward<From>(from)...) {}

    Stream& stream() { return stream_; }

    void expire_after(Duration limit) override {
        beast::get_lowest_layer(stream_).expires_after(std::chrono::microseconds(limit.us));
    }
    void close() override {
        error_code ignored;
        std::ignore = beast::get_lowest_layer(stream_).socket().close(ignored);
    }
    asio::awaitable<Moved> read_some(asio::mutable_buffer room) override {
        const auto [failed, bytes] = co_await stream_.async_read_some(room, kTuple);
        co_return Moved{failed, bytes};
    }
    asio::awaitable<Moved> write(asio::const_buffer all) override {
        const auto [failed, bytes] = co_await asio::async_write(stream_, all, kTuple);
        co_return Moved{failed, bytes};
    }
    Moved read_now(asio::mutable_buffer room) override {
        Moved out;
        out.bytes = stream_.read_some(room, out.failed);
        return out;
    }
    asio::awaitable<Result<std::unique_ptr<ByteStream>>> secure(std::shared_ptr<const Tls> tls,
                                                                std::string expected,
                                                                std::string name,
                                                                Duration limit) override {
        if constexpr (std::is_same_v<Stream, InnerTlsStream>) {
            co_return fail(ErrorCode::unavailable, name + ": TLS goes through one proxy at most");
        } else {
            using Above =
                std::conditional_t<std::is_same_v<Stream, TcpStream>, TlsStream, InnerTlsStream>;
            const Tls::Context& context = tls->context();
            auto above = std::make_unique<Over<Above>>(std::move(stream_), context.ssl);
            above->expire_after(limit);
            auto met = co_await shake_hands(&above->stream(), context.insecure, expected, name);
            if (!met) co_return tl::unexpected(met.error());
            co_return above;
        }
    }

private:
    Stream stream_;
};

/// getaddrinfo itself cannot be interrupted, but waiting for it can.
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

asio::awaitable<Result<std::unique_ptr<ByteStream>>> connect_tcp(std::string host,
                                                                 std::uint16_t port,
                                                                 std::string whom, Duration limit) {
    auto found = co_await resolve(host, port, limit);
    if (!found) co_return tl::unexpected(found.error());
    auto made = std::make_unique<Over<TcpStream>>(co_await asio::this_coro::executor);
    TcpStream& stream = made->stream();
    made->expire_after(limit);
    const auto [failed, reached] = co_await stream.async_connect(*found, kTuple);
    if (failed) co_return failure("connecting to " + whom, failed);
    error_code ignored;
    std::ignore = stream.socket().set_option(tcp::no_delay(true), ignored);
    std::ignore = stream.socket().non_blocking(true, ignored);  // For reads that do not wait.
    co_return made;
}

}  // namespace parley::http
