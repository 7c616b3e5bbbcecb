#include "kube/watch/page_reader.h"

#include "kube/decode/proto_json.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/channel.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <optional>
#include <utility>

namespace parley::kube {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

constexpr std::size_t kHeadBytes = 8192;  // Kinds, versions and a token take less than one.

}  // namespace

std::string next_in_head(std::string_view begun) {
    constexpr std::string_view kName = R"("continue":")";
    begun = begun.substr(0, kHeadBytes);
    if (std::string token = next_in_proto(begun); !token.empty()) return token;
    begun = begun.substr(0, begun.find(R"("items")"));
    const std::size_t name = begun.find(kName);
    if (name == std::string_view::npos) return {};
    const std::string_view token = begun.substr(name + kName.size());
    const std::size_t end = token.find('"');
    if (end == std::string_view::npos) return {};
    const std::string_view found = token.substr(0, end);
    return found.find('\\') == std::string_view::npos ? std::string(found) : std::string();
}

/// A requested page that has not arrived.
struct PageReader::Flight {
    Flight(const asio::any_io_executor& executor, std::string of)
        : token(std::move(of)), landed(executor, 1) {}

    std::string token;
    std::string next;      ///< Token of the page after it, once known.
    bool looked = false;   ///< Its head has arrived.
    bool current = false;  ///< It is the one being read, so the next one may be requested.
    std::optional<Result<http::Response>> answer;
    asio::experimental::channel<void(error_code)> landed;
};

struct PageReader::Inside : std::enable_shared_from_this<Inside> {
    Inside(Api& to, std::string reading, http::Limits most, bool may_be_proto, PathOf where)
        : api(to),
          what(std::move(reading)),
          limits(most),
          proto(may_be_proto),
          path_of(std::move(where)) {}

    Api& api;
    std::string what;
    http::Limits limits;
    bool proto;
    PathOf path_of;
    std::shared_ptr<Flight> ahead;

    std::shared_ptr<Flight> set_out(const asio::any_io_executor& executor, std::string token);
    void glance(const std::shared_ptr<Flight>& flight, const asio::any_io_executor& executor,
                std::string_view begun);
    void set_out_behind(const Flight& flight, const asio::any_io_executor& executor);
};

std::shared_ptr<PageReader::Flight> PageReader::Inside::set_out(
    const asio::any_io_executor& executor, std::string token) {
    auto flight = std::make_shared<Flight>(executor, std::move(token));
    const auto fly = [](std::shared_ptr<Inside> self, std::shared_ptr<Flight> it,
                        asio::any_io_executor on) -> asio::awaitable<void> {
        const auto seen = [&](std::string_view begun) { self->glance(it, on, begun); };
        AnswerWish wish{.limits = self->limits, .glance = seen, .proto = self->proto};
        std::string path = self->path_of(it->token, wish.proto);
        it->answer = co_await self->api.page(std::move(path), self->what, std::move(wish));
        const bool odd = !*it->answer && it->answer->error().code == ErrorCode::malformed;
        if (odd) self->proto = false;
        it->landed.try_send(error_code{});
    };
    asio::co_spawn(executor, fly(shared_from_this(), flight, executor), asio::detached);
    return flight;
}

void PageReader::Inside::glance(const std::shared_ptr<Flight>& flight,
                                const asio::any_io_executor& executor, std::string_view begun) {
    if (flight->looked) return;
    flight->next = next_in_head(begun);
    flight->looked = !flight->next.empty() || begun.size() >= kHeadBytes;
    if (flight->current) set_out_behind(*flight, executor);
}

void PageReader::Inside::set_out_behind(const Flight& flight,
                                        const asio::any_io_executor& executor) {
    if (flight.next.empty()) return;
    const bool under_way =
        ahead && ahead->token == flight.next && (!ahead->answer || ahead->answer->has_value());
    if (!under_way) ahead = set_out(executor, flight.next);
}

PageReader::PageReader(Api& api, std::string what, http::Limits limits, bool proto, PathOf path_of)
    : inside_(std::make_shared<Inside>(api, std::move(what), limits, proto, std::move(path_of))) {}
PageReader::~PageReader() = default;

void PageReader::ask_for_json() {
    inside_->proto = false;
    inside_->ahead.reset();
}

asio::awaitable<Result<http::Response>> PageReader::read(std::string token) {
    const auto executor = co_await asio::this_coro::executor;
    const auto inside = inside_;
    std::shared_ptr<Flight> flight;
    if (inside->ahead && inside->ahead->token == token) flight = std::move(inside->ahead);
    if (token.empty() || flight) inside->ahead.reset();
    if (!flight) flight = inside->set_out(executor, std::move(token));
    flight->current = true;
    inside->set_out_behind(*flight, executor);
    if (!flight->answer) {
        co_await flight->landed.async_receive(asio::as_tuple(asio::use_awaitable));
    }
    co_return *std::move(flight->answer);
}

}  // namespace parley::kube
