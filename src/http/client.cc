#include "http/client.h"

#include "base/clock_wait.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/channel.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <deque>
#include <utility>

namespace parley::http {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

bool packed(const Response& head) {
    const std::string* coding = head.header("Content-Encoding");
    return coding != nullptr && (*coding == "gzip" || *coding == "x-gzip");
}

Result<void> understood(const Response& head) {
    const std::string* coding = head.header("Content-Encoding");
    if (coding == nullptr || *coding == "identity" || coding->empty() || packed(head)) return {};
    return fail(ErrorCode::malformed, "the answer is packed in a way that was not asked for");
}

asio::awaitable<Result<std::string>> read_body(Connection* connection, const Response* head,
                                               Limits limits, const Glance* glance,
                                               Deadline deadline) {
    std::string body;
    std::optional<Inflater> inflater;
    if (packed(*head)) inflater.emplace(limits.body_max);
    for (;;) {
        auto piece = co_await connection->more(deadline.left());
        if (!piece) co_return tl::unexpected(piece.error());
        if (piece->empty()) break;
        if (inflater) {
            piece = inflater->take(*piece);
            if (!piece) co_return tl::unexpected(piece.error());
        }
        if (body.size() + piece->size() > limits.body_max) {
            co_return fail(ErrorCode::malformed,
                           "the answer is over " + std::to_string(limits.body_max) + " bytes");
        }
        if (body.empty()) {
            body = *std::move(piece);
        } else {
            body += *piece;
        }
        if (*glance) (*glance)(body);
    }
    if (inflater && !inflater->ended()) {
        co_return fail(ErrorCode::malformed, "the compressed answer is cut off");
    }
    co_return body;
}

}  // namespace

Stream::Stream(std::unique_ptr<Connection> connection, Response head, std::uint64_t body_max)
    : connection_(std::move(connection)), head_(std::move(head)) {
    if (packed(head_)) inflater_.emplace(body_max);
}

asio::awaitable<Result<std::string>> Stream::more(Duration limit) {
    const Deadline deadline(limit);
    for (;;) {
        auto piece = co_await connection_->more(deadline.left());
        if (!piece || piece->empty() || !inflater_) co_return piece;
        piece = inflater_->take(*piece);
        if (!piece || !piece->empty()) co_return piece;
    }
}

struct Client::Pool {
    Pool(const asio::any_io_executor& executor, Endpoint to, std::string agent, std::size_t max)
        : endpoint(std::move(to)), user_agent(std::move(agent)), turns(executor, max) {}

    Endpoint endpoint;
    std::string user_agent;
    /// Limits how many ask at a time: when it is full, wait.
    asio::experimental::channel<void(error_code)> turns;
    std::deque<std::unique_ptr<Connection>> idle;
    std::uint64_t requests = 0;

    void dress(Request& request) const {
        request.headers.push_back({"User-Agent", user_agent});
        request.headers.push_back({"Accept-Encoding", "identity"});
    }
    void release() {
        turns.try_receive([](const error_code&) {});
    }
};

Client::Client(const asio::any_io_executor& executor, Endpoint endpoint, std::string user_agent,
               std::size_t connections_max)
    : pool_(std::make_unique<Pool>(executor, std::move(endpoint), std::move(user_agent),
                                   connections_max)) {}
Client::~Client() = default;

asio::awaitable<Result<Response>> Client::ask_once(Request request, Limits limits,
                                                   const Glance* glance, bool fresh,
                                                   bool* was_idle) {
    std::unique_ptr<Connection> connection;
    *was_idle = !fresh && !pool_->idle.empty();
    if (*was_idle) {
        connection = std::move(pool_->idle.back());
        pool_->idle.pop_back();
    } else {
        auto opened = co_await Connection::open(pool_->endpoint, limits.connect);
        if (!opened) co_return tl::unexpected(opened.error());
        connection = *std::move(opened);
    }
    const Deadline deadline(limits.whole);
    ++pool_->requests;
    auto answer = co_await connection->begin(std::move(request), limits.head);
    if (!answer) co_return answer;
    // It was still open, so later failures have nothing to do with its having been idle.
    *was_idle = false;
    if (auto ok = understood(*answer); !ok) co_return tl::unexpected(ok.error());
    auto body = co_await read_body(connection.get(), &*answer, limits, glance, deadline);
    if (!body) co_return tl::unexpected(body.error());
    answer->body = *std::move(body);
    if (connection->reusable()) pool_->idle.push_back(std::move(connection));
    co_return answer;
}

asio::awaitable<Result<Response>> Client::ask(Request request, Limits limits, Glance glance) {
    pool_->dress(request);
    const error_code fine;
    const auto [closed] =
        co_await pool_->turns.async_send(fine, asio::as_tuple(asio::use_awaitable));
    if (closed) co_return fail(ErrorCode::unavailable, "the client is closed");
    bool was_idle = false;
    Request again = request;
    auto answer = co_await ask_once(std::move(request), limits, &glance, false, &was_idle);
    if (!answer && was_idle && again.method == "GET" &&
        answer.error().code == ErrorCode::unavailable) {
        answer = co_await ask_once(std::move(again), limits, &glance, true, &was_idle);
    }
    pool_->release();
    co_return answer;
}

asio::awaitable<Result<std::unique_ptr<Stream>>> Client::stream(Request request, Limits limits) {
    pool_->dress(request);
    auto opened = co_await Connection::open(pool_->endpoint, limits.connect);
    if (!opened) co_return tl::unexpected(opened.error());
    ++pool_->requests;
    auto head = co_await (*opened)->begin(std::move(request), limits.head);
    if (!head) co_return tl::unexpected(head.error());
    if (auto ok = understood(*head); !ok) co_return tl::unexpected(ok.error());
    co_return std::make_unique<Stream>(*std::move(opened), *std::move(head), limits.body_max);
}

void Client::use(std::shared_ptr<const Tls> tls, std::shared_ptr<const Tls> proxy) {
    pool_->endpoint.tls = std::move(tls);
    pool_->endpoint.proxy_tls = std::move(proxy);
    pool_->idle.clear();
}

const Url& Client::url() const { return pool_->endpoint.url; }
std::uint64_t Client::requests() const { return pool_->requests; }

}  // namespace parley::http
