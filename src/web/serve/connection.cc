#include "web/serve/connection.h"

#include "base/clock.h"
#include "base/json_read.h"
#include "web/serve/page.h"
#include "web/serve/server_state.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>

#include <array>
#include <chrono>
#include <exception>
#include <utility>

namespace parley::web {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);
constexpr std::chrono::seconds kReadMax(60);
constexpr std::chrono::seconds kHandshakeMax(10);
constexpr std::chrono::seconds kWriteMax(30);
constexpr std::size_t kWaitingMax = 256;

using StatePtr = std::shared_ptr<Server::State>;
using Plain = beast::tcp_stream;
using Secure = beast::ssl_stream<beast::tcp_stream>;
using Incoming = http::request<http::string_body>;

std::string header_of(const Incoming& in, std::string_view name) {
    const auto found = in.find(boost::string_view(name.data(), name.size()));
    return found == in.end() ? std::string() : std::string(found->value());
}

RequestHead head_of(const Incoming& in) {
    return {.host = header_of(in, "Host"),
            .origin = header_of(in, "Origin"),
            .fetch_site = header_of(in, "Sec-Fetch-Site"),
            .cookie = header_of(in, "Cookie"),
            .content_type = header_of(in, "Content-Type"),
            .parley = header_of(in, "X-Parley"),
            .several_hosts = in.count(http::field::host) > 1};
}

Answer probe(const StatePtr& state, Wanted wanted) {
    Answer out{.type = "text/plain; charset=utf-8", .headers = {}};
    if (wanted == Wanted::metrics) {
        out.type = "text/plain; version=0.0.4; charset=utf-8";
        out.body = state->metrics.text();
    } else if (wanted == Wanted::ready && !state->ready()) {
        out.status = 503;
        out.body = "not ready: no round yet, or a record is still being read\n";
    } else {
        out.body = "ok\n";
    }
    return out;
}

Answer page(const StatePtr& state, const Route& route, const Incoming& in) {
    const PageAnswer found = page_at(route.name);
    if (found.file == nullptr) {
        return answer_with(Refusal{404, "The page has no such file.", "Load the page again.", {}});
    }
    Answer out{.type = found.type, .headers = {}};
    out.headers.emplace_back("Cache-Control",
                             found.lasts ? "public, max-age=31536000, immutable" : "no-cache");
    const auto packed = state->packed.find(found.file->path);
    const bool takes = header_of(in, "Accept-Encoding").find("gzip") != std::string::npos;
    if (takes && packed != state->packed.end()) {
        out.headers.emplace_back("Content-Encoding", "gzip");
        out.headers.emplace_back("Vary", "Accept-Encoding");
        out.body = packed->second;
    } else {
        out.body = std::string(found.file->bytes);
    }
    return out;
}

Answer login(const StatePtr& state, const std::string& body) {
    const auto token = token_in(body);
    const auto outcome = state->logins.try_token(token.value_or(""), wall_now());
    const bool welcome = outcome.tried == Tried::welcome;
    state->metrics.login(welcome);
    if (!welcome) return answer_with(refusal_of(outcome.tried));
    Answer out{.status = 204, .headers = {}};
    out.headers.emplace_back("Set-Cookie", cookie_text(state->plan, outcome.session));
    return out;
}

Answer stop(const Runs& runs, const Route& route, const std::string& who) {
    const auto run = run_named(runs, route.run);
    if (!run) return answer_with(no_such_run(runs, route.run));
    const RunCard card = run->card();
    if (!run->hooks().stop || card.status != RunState::running) {
        return answer_with(Refusal{
            409, "This run is over: there is nothing to stop.", "Nothing was changed.", {}});
    }
    const auto done = run->hooks().stop(who, card.newest_round);
    if (!done) return answer_with(done.error());
    const std::string sentence = "Stopped from acting by " + who + " after round " +
                                 std::to_string(card.newest_round) +
                                 ": nothing is sent any more. Only parley stop --clear lifts it.";
    run->note(explanation::EventKind::stage, sentence);
    return answer_with(StopView{card.newest_round, sentence});
}

/// Computes an answer on a lane.
asio::awaitable<Answer> compute(StatePtr state, Route route, std::string who) {
    Answer out;
    try {
        out = route.wanted == Wanted::stop ? stop(state->runs, route, who)
                                           : answer(state->runs, route);
    } catch (const std::exception& error) {  // Thrown by a library: nothing of ours throws.
        out = answer_with(Refusal{500,
                                  std::string("The answer failed: ") + error.what(),
                                  "This should not happen; the run goes on.",
                                  {}});
    }
    co_return out;
}

/// Everything except the stream.
asio::awaitable<Answer> answer_to(StatePtr state, Route route, std::string body, std::string who) {
    if (route.wanted == Wanted::login) co_return login(state, body);
    if (route.wanted == Wanted::session) {
        co_return answer_with(SessionView{who, state->plan.port});
    }
    if (!state->rate.take(wall_now()) || state->waiting >= kWaitingMax) {
        Answer out = answer_with(Refusal{429, "Too many requests at once.", "Ask less often.", {}});
        out.headers.emplace_back("Retry-After", "1");
        co_return out;
    }
    ++state->waiting;
    auto& lane = is_slow(route.wanted) ? state->slow : state->quick;
    auto work = compute(state, std::move(route), std::move(who));
    Answer out = co_await asio::co_spawn(lane.get_executor(), std::move(work), asio::use_awaitable);
    --state->waiting;
    co_return out;
}

/// The name of the visitor, or why it may not come in.
std::variant<std::string, Refusal> visitor(const StatePtr& state, Port port, const Route& route,
                                           const RequestHead& head) {
    const bool apart = port != Port::all || state->options.probe_port != 0;
    const bool here = port == Port::all ? !is_probe(route.wanted) || !apart
                      : port == Port::probes
                          ? is_probe(route.wanted) && route.wanted != Wanted::metrics
                          : route.wanted == Wanted::metrics;
    if (!here) {
        return Refusal{
            404, "This port does not answer that.", "Probes and metrics have their own.", {}};
    }
    if (auto refused = refuse(state->plan, route.wanted, head)) return *std::move(refused);
    if (!needs_login(route.wanted)) return std::string();
    const auto cookie = cookie_in(head.cookie, cookie_name(state->plan.port));
    auto who = cookie ? state->logins.who(*cookie) : std::nullopt;
    if (who) return *std::move(who);
    return Refusal{401,
                   "This needs a login.",
                   "Open the link that Parley printed; a new one: parley link.",
                   {}};
}

template <class S>
asio::awaitable<bool> write_answer(S* stream, Answer out, bool keep_alive, bool with_body) {
    const std::size_t length = out.body.size();
    const bool empty = out.status == 204;
    const std::string head =
        head_text(out.status, out.type, empty ? nullptr : &length, keep_alive, out.headers);
    beast::get_lowest_layer(*stream).expires_after(kWriteMax);
    const std::array<asio::const_buffer, 2> parts{
        asio::buffer(head), with_body ? asio::buffer(out.body) : asio::const_buffer()};
    const auto [failed, sent] = co_await asio::async_write(*stream, parts, kTuple);
    co_return !failed;
}

/// Notices that a client has left.
template <class S>
asio::awaitable<void> watch(std::shared_ptr<S> stream, std::shared_ptr<Viewer> viewer) {
    std::array<char, 512> bytes{};
    while (!viewer->cut) {
        const auto [failed, read] = co_await stream->async_read_some(asio::buffer(bytes), kTuple);
        if (failed || read == 0) break;
    }
    viewer->cut = true;
    viewer->bell.ring();
}

template <class S>
asio::awaitable<bool> send_waiting(S* stream, Viewer* viewer) {
    std::string bytes;
    while (!viewer->queue.empty()) {
        const std::string& next = *viewer->queue.at(0);
        bytes += next;
        viewer->queue.sent(next.size());
    }
    viewer->blocked = true;
    const auto [failed, sent] = co_await asio::async_write(*stream, asio::buffer(bytes), kTuple);
    viewer->blocked = false;
    viewer->since_progress = Stopwatch();
    co_return !failed;
}

template <class S>
asio::awaitable<void> stream_to(StatePtr state, std::shared_ptr<S> stream,
                                std::shared_ptr<ServedRun> run, std::optional<std::uint64_t> last) {
    auto& socket = beast::get_lowest_layer(*stream).socket();
    beast::get_lowest_layer(*stream).expires_never();
    auto viewer = std::make_shared<Viewer>(state->loop->get_executor(), run->name());
    constexpr bool kPlain = std::is_same_v<S, Plain>;
    if (kPlain) viewer->socket = socket.native_handle();
    viewer->close = [weak = std::weak_ptr<S>(stream)] {
        const auto held = weak.lock();
        error_code ignored;
        if (held) {
            std::ignore = beast::get_lowest_layer(*held).socket().shutdown(
                tcp::socket::shutdown_both, ignored);
        }
    };
    const std::string head =
        head_text(200, "text/event-stream", nullptr, true, {{"X-Accel-Buffering", "no"}});
    viewer->queue.push(std::make_shared<const std::string>(head));
    state->viewers.add(viewer);
    for (const Shared& message : run->greeting(last)) viewer->queue.push(message);
    asio::co_spawn(*state->loop, watch(stream, viewer), asio::detached);
    bool fine = true;
    while (fine && !viewer->cut && !state->leaving) {
        if constexpr (kPlain) {
            if (!viewer->queue.empty() && state->viewers.send_now(*viewer)) {
                const auto [failed] = co_await socket.async_wait(tcp::socket::wait_write, kTuple);
                viewer->blocked = false;
                fine = !failed;
                continue;
            }
        } else if (!viewer->queue.empty()) {
            fine = co_await send_waiting(stream.get(), viewer.get());
            continue;
        }
        if (!viewer->cut) co_await viewer->bell.wait();
    }
    state->viewers.remove(viewer);
    viewer->close();
    viewer->close = nullptr;
}

/// One request; false: the connection ends.
template <class S>
asio::awaitable<bool> one(StatePtr state, std::shared_ptr<S> stream, Port port, Incoming in) {
    const std::string method(in.method_string());
    const bool keep_alive = in.keep_alive() && !state->leaving;
    const auto parsed = parse_route(method, std::string(in.target()));
    Answer out;
    bool shell = false;
    if (const auto* refused = std::get_if<Refusal>(&parsed)) {
        out = answer_with(*refused);
    } else {
        const Route& route = std::get<Route>(parsed);
        shell = route.wanted == Wanted::page;
        const auto who = visitor(state, port, route, head_of(in));
        if (const auto* shut = std::get_if<Refusal>(&who)) {
            out = answer_with(*shut);
        } else if (is_probe(route.wanted)) {
            out = probe(state, route.wanted);
        } else if (shell) {
            out = page(state, route, in);
        } else if (route.wanted == Wanted::stream) {
            const auto run = run_named(state->runs, route.run);
            if (run && !state->viewers.full()) {
                state->metrics.answered(200);
                const auto last = last_event_id(header_of(in, "Last-Event-ID"));
                co_await stream_to(state, stream, run, last);
                co_return false;
            }
            out = run ? answer_with(Error{ErrorCode::unavailable, "Too many viewers.", {}})
                      : answer_with(no_such_run(state->runs, route.run));
        } else {
            out = co_await answer_to(state, route, in.body(), std::get<std::string>(who));
        }
    }
    if (!shell) out.headers.emplace_back("Cache-Control", "no-store");
    state->metrics.answered(out.status);
    const bool with_body = method_of(method) != Method::head;
    const bool written = co_await write_answer(stream.get(), std::move(out), keep_alive, with_body);
    co_return written&& keep_alive;
}

/// The answer to a request that cannot be parsed, if any.
Answer unreadable(const error_code& failed) {
    if (failed == http::error::body_limit) {
        return answer_with(Refusal{413, "The body is longer than 64 KiB.", "Send less.", {}});
    }
    if (failed == http::error::header_limit || failed == http::error::buffer_overflow) {
        return answer_with(Refusal{413, "The head is longer than 16 KiB.", "Send less.", {}});
    }
    return answer_with(
        Refusal{400, "The request is no HTTP: " + failed.message() + ".", "Send HTTP/1.1.", {}});
}

bool worth_an_answer(const error_code& failed) {
    const auto& ours = http::make_error_code(http::error::body_limit).category();
    return failed.category() == ours && failed != http::error::end_of_stream &&
           failed != http::error::partial_message;
}

template <class S>
asio::awaitable<void> converse(StatePtr state, std::shared_ptr<S> stream, Port port) {
    beast::flat_buffer buffer(kHeadBytesMax + kBodyBytesMax);
    bool goes_on = true;
    while (goes_on && !state->leaving) {
        http::request_parser<http::string_body> parser;
        parser.header_limit(kHeadBytesMax);
        parser.body_limit(kBodyBytesMax);
        beast::get_lowest_layer(*stream).expires_after(kReadMax);
        const auto [failed, read] = co_await http::async_read(*stream, buffer, parser, kTuple);
        if (failed && worth_an_answer(failed)) {
            Answer out = unreadable(failed);
            state->metrics.answered(out.status);
            co_await write_answer(stream.get(), std::move(out), false, true);
        }
        if (failed) break;
        Incoming in = parser.release();
        goes_on = co_await one(state, stream, port, std::move(in));
    }
    error_code ignored;
    std::ignore =
        beast::get_lowest_layer(*stream).socket().shutdown(tcp::socket::shutdown_send, ignored);
}

/// Counts a connection while it lives. On the loop.
class Seat {
public:
    Seat(Server::State& state, Port port, const tcp::socket& socket) : state_(state), port_(port) {
        error_code ignored;
        from_ = socket.remote_endpoint(ignored).address();
        ++(port_ == Port::all ? state_.connections : state_.probe_connections);
        if (counted()) ++state_.by_address[from_];
    }
    ~Seat() {
        --(port_ == Port::all ? state_.connections : state_.probe_connections);
        const auto there = state_.by_address.find(from_);
        if (counted() && there != state_.by_address.end() && --there->second == 0) {
            state_.by_address.erase(there);
        }
    }
    Seat(const Seat&) = delete;
    Seat& operator=(const Seat&) = delete;

private:
    bool counted() const { return port_ == Port::all && !from_.is_loopback(); }

    Server::State& state_;
    Port port_;
    asio::ip::address from_;
};

}  // namespace

asio::awaitable<void> serve_connection(StatePtr state, tcp::socket socket, Port port) {
    const Seat seat(*state, port, socket);
    Plain plain(std::move(socket));
    if (!state->tls || port != Port::all) {
        auto stream = std::make_shared<Plain>(std::move(plain));
        co_await converse(state, std::move(stream), port);
    } else {
        auto stream = std::make_shared<Secure>(std::move(plain), *state->tls);
        beast::get_lowest_layer(*stream).expires_after(kHandshakeMax);
        const auto [failed] =
            co_await stream->async_handshake(asio::ssl::stream_base::server, kTuple);
        if (!failed) co_await converse(state, std::move(stream), port);
    }
}

std::string head_text(int status, std::string_view type, const std::size_t* length, bool keep_alive,
                      const std::vector<std::pair<std::string, std::string>>& more) {
    const auto known = static_cast<http::status>(status);
    std::string out = "HTTP/1.1 " + std::to_string(status) + " " +
                      std::string(http::obsolete_reason(known)) + "\r\n";
    const auto add = [&](std::string_view name, std::string_view value) {
        out += name;
        out += ": ";
        out += value;
        out += "\r\n";
    };
    if (status != 204) add("Content-Type", type);
    if (length != nullptr) add("Content-Length", std::to_string(*length));
    add("Connection", keep_alive && (length != nullptr || status == 204) ? "keep-alive" : "close");
    for (const FixedHeader& each : door_headers()) add(each.name, each.value);
    for (const auto& [name, value] : more) add(name, value);
    if (type == "text/event-stream") add("Cache-Control", "no-store");
    return out + "\r\n";
}

std::optional<std::string> token_in(std::string_view body) {
    const auto document = parse_json(body);
    const Json* token = document ? document->find("token") : nullptr;
    if (token == nullptr || token->text() == nullptr) return std::nullopt;
    return *token->text();
}

Refusal refusal_of(Tried tried) {
    switch (tried) {
        case Tried::used:
        case Tried::expired:
            return {401, "This link was used or has expired.", "A new one: parley link.", {}};
        case Tried::too_often:
            return {429,
                    "Too many wrong tokens in a minute, and this one is wrong, too.",
                    "A new link opens at once: parley link.",
                    {}};
        default:
            break;
    }
    return {401, "This token opens nothing here.", "A new link: parley link.", {}};
}

}  // namespace parley::web
