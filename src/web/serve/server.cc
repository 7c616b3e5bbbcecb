#include "web/serve/server.h"

#include "base/clock.h"
#include "base/clock_wait.h"
#include "web/serve/page.h"
#include "web/serve/server_state.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <future>
#include <sys/resource.h>
#include <utility>

namespace parley::web {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t kConnectionsMax = 2'200;
constexpr std::size_t kProbeConnectionsMax = 100;
constexpr std::size_t kPublishingMax = 64;
constexpr Duration kLeaveMax = seconds(1);
constexpr int kPortsTried = 100;
constexpr std::size_t kKeyBytes = 32;
constexpr std::size_t kNonceBytes = 16;

using StatePtr = std::shared_ptr<Server::State>;

asio::awaitable<void> accept(StatePtr state, tcp::acceptor* acceptor, Port port) {
    while (!state->leaving) {
        auto [failed, socket] = co_await acceptor->async_accept(kTuple);
        if (failed == asio::error::operation_aborted) co_return;
        if (failed) {  // For example out of descriptors: somebody will leave.
            co_await pause(milliseconds(100));
            continue;
        }
        error_code ignored;
        const auto from = socket.remote_endpoint(ignored).address();
        if (!state->has_room(port, from)) continue;  // Closed at once.
        std::ignore = socket.set_option(tcp::no_delay(true), ignored);
        asio::co_spawn(*state->loop, serve_connection(state, std::move(socket), port),
                       asio::detached);
    }
}

/// Descriptors are shared by the whole process: record and cluster need some, however many clients
/// come.
std::size_t connections_max() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return kConnectionsMax / 4;
    limit.rlim_cur = limit.rlim_max;
    if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) (void)::getrlimit(RLIMIT_NOFILE, &limit);
    return std::min<std::size_t>(kConnectionsMax, limit.rlim_cur / 2);
}

/// Messages sent before the end, such as how a run ended, still reach clients that take them soon.
asio::awaitable<void> take_leave(StatePtr state, std::promise<void> left) {
    error_code ignored;
    for (const auto& acceptor : state->acceptors) std::ignore = acceptor->close(ignored);
    const Stopwatch since;
    state->viewers.flush();
    while (state->viewers.waiting() && since.passed() < kLeaveMax) co_await pause(milliseconds(5));
    state->leaving = true;
    state->viewers.cut_all();
    left.set_value();
}

asio::awaitable<void> tick(StatePtr state) {
    while (!state->leaving) {
        co_await pause(seconds(3));
        state->viewers.tick();
    }
}

/// Reads records in slices, so that answers come in between; checks every second those that are
/// being written.
void read_records(const StatePtr& state, std::size_t run) {
    if (state->leaving) return;
    const bool more = state->runs[run]->read_more(milliseconds(100));
    if (!more) {
        state->reading[run] = false;
        return;
    }
    asio::post(state->slow, [state, run] { read_records(state, run); });
}

asio::awaitable<void> follow(StatePtr state) {
    while (!state->leaving) {
        for (std::size_t i = 0; i < state->runs.size(); ++i) {
            if (state->runs[i]->is_live() || state->reading[i].exchange(true)) continue;
            const auto read = [state, i] { read_records(state, i); };
            asio::post(state->slow, read);
        }
        co_await pause(seconds(1));
    }
}

SeenRoundPtr seen_of(const std::shared_ptr<const Published>& round, std::string pace,
                     std::optional<explanation::Leading> leading) {
    auto seen = std::make_shared<SeenRound>();
    seen->input = {round, &round->input};
    seen->decision = {round, &round->decision};
    seen->memory = {round, &round->memory};
    seen->events = round->events;
    seen->trouble = round->trouble;
    seen->pace = std::move(pace);
    seen->leading = std::move(leading);
    return seen;
}

std::string shown(const std::string& address) {
    if (address == "0.0.0.0" || address == "::") return "localhost";
    return address.find(':') != std::string::npos ? "[" + address + "]" : address;
}

Result<void> prepare_tls(Server::State& state) {
    if (!state.options.tls) return {};
    error_code failed;
    auto& context = state.tls.emplace(asio::ssl::context::tls_server);
    std::ignore =
        context.set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_sslv2 |
                                asio::ssl::context::no_sslv3 | asio::ssl::context::no_tlsv1 |
                                asio::ssl::context::no_tlsv1_1,
                            failed);
    std::ignore =
        context.use_certificate_chain(asio::buffer(state.options.tls->certificate_pem), failed);
    if (!failed) {
        std::ignore = context.use_private_key(asio::buffer(state.options.tls->key_pem),
                                              asio::ssl::context::pem, failed);
    }
    if (!failed) return {};
    return fail(ErrorCode::denied,
                "the certificate or its key cannot be used: " + failed.message() +
                    "; both must be PEM, and the key that of the certificate");
}

}  // namespace

Server::State::State(ServerOptions server_options, Runs served)
    : options(std::move(server_options)),
      runs(std::move(served)),
      logins(real_secret()(kKeyBytes), real_secret()),
      metrics(options.version),
      viewers(loop->get_executor(), metrics),
      connections_max(web::connections_max()),
      reading(runs.size()) {
    for (const PageFile& file : page_files()) {
        std::string small = gzipped(file.bytes);
        if (!small.empty()) packed.emplace(file.path, std::move(small));
    }
}

/// Probes have room of their own: filling the page's port must not get the process restarted. No
/// single address of another machine gets more than half.
bool Server::State::has_room(Port port, const asio::ip::address& from) const {
    if (port != Port::all) return probe_connections < kProbeConnectionsMax;
    if (connections >= connections_max) return false;
    const auto there = by_address.find(from);
    return there == by_address.end() || there->second < connections_max / 2;
}

bool Server::State::ready() const {
    for (const auto& run : runs) {
        if (!run->was_read() || (run->is_live() && run->newest() == 0)) return false;
    }
    return true;
}

Result<void> Server::State::bind(Port port, const std::string& address, std::uint16_t number,
                                 bool next_free) {
    error_code failed;
    const auto ip = asio::ip::make_address(address == "localhost" ? "127.0.0.1" : address, failed);
    if (failed) {
        return fail(ErrorCode::denied, "\"" + address +
                                           "\" is no address to listen on; write one such as "
                                           "127.0.0.1:8765");
    }
    for (int i = 0; i < (next_free ? kPortsTried : 1); ++i) {
        auto acceptor = std::make_unique<tcp::acceptor>(*loop);
        const auto tried = static_cast<std::uint16_t>(number + i);
        const tcp::endpoint place(ip, tried);
        std::ignore = acceptor->open(place.protocol(), failed);
        if (!failed) std::ignore = acceptor->set_option(tcp::acceptor::reuse_address(true), failed);
        if (!failed) std::ignore = acceptor->bind(place, failed);
        if (!failed) std::ignore = acceptor->listen(1'024, failed);
        if (failed == asio::error::address_in_use) continue;
        if (failed) break;
        if (port == Port::all) plan.port = acceptor->local_endpoint().port();
        asio::co_spawn(*loop, accept(shared_from_this(), acceptor.get(), port), asio::detached);
        acceptors.push_back(std::move(acceptor));
        return {};
    }
    return fail(ErrorCode::denied, "cannot listen on " + address + ":" + std::to_string(number) +
                                       ": " + failed.message() +
                                       "; name another by --listen ADDR:PORT");
}

Server::Server(std::shared_ptr<State> state) : state_(std::move(state)) {}

Result<std::unique_ptr<Server>> Server::start(ServerOptions options, Runs runs) {
    if (!is_loopback(options.address) && !options.tls) {
        return fail(ErrorCode::denied,
                    "the dashboard is served beyond this machine only with TLS: add --tls auto, or "
                    "--tls-cert and --tls-key");
    }
    auto state = std::make_shared<State>(std::move(options), std::move(runs));
    const ServerOptions& o = state->options;
    state->plan = {.address = o.address, .tls = o.tls.has_value(), .hosts = o.hosts};
    if (auto done = prepare_tls(*state); !done) return tl::unexpected(done.error());
    if (auto done = state->bind(Port::all, o.address, o.port, o.next_free); !done) {
        return tl::unexpected(done.error());
    }
    const std::pair<Port, std::uint16_t> more[] = {{Port::probes, o.probe_port},
                                                   {Port::metrics, o.metrics_port}};
    for (const auto& [port, number] : more) {
        if (number == 0) continue;
        if (auto done = state->bind(port, "0.0.0.0", number, false); !done) {
            return tl::unexpected(done.error());
        }
    }
    for (const auto& run : state->runs) {
        run->listen([raw = state.get(), name = run->name()](std::uint64_t, Shared message) {
            asio::dispatch(*raw->loop, [raw, name, message = std::move(message)] {
                raw->viewers.send(name, message);
            });
        });
    }
    asio::co_spawn(*state->loop, tick(state), asio::detached);
    asio::co_spawn(*state->loop, follow(state), asio::detached);
    state->thread = std::thread([state] { state->loop->run(); });
    return std::unique_ptr<Server>(new Server(std::move(state)));
}

Server::~Server() {
    std::promise<void> left;
    const auto has_left = left.get_future();
    asio::co_spawn(*state_->loop, take_leave(state_, std::move(left)), asio::detached);
    has_left.wait();
    for (const auto& run : state_->runs) run->listen({});
    state_->slow.join();
    state_->quick.join();
    state_->loop->stop();
    state_->thread.join();
    // Coroutines that wait on the loop own the state, so they must end first.
    state_->acceptors.clear();
    state_->viewers.clear();
    state_->loop.reset();
}

void Server::publish(const std::string& run, std::shared_ptr<const Published> round,
                     std::string pace, std::optional<explanation::Leading> leading) {
    if (state_->publishing.fetch_add(1) >= kPublishingMax) {
        --state_->publishing;
        state_->metrics.left_out();
        return;
    }
    asio::post(*state_->loop, [state = state_, run, round = std::move(round),
                               pace = std::move(pace), leading = std::move(leading)]() mutable {
        --state->publishing;
        state->metrics.round(round->input, round->decision, !round->trouble.empty(), wall_now());
        if (const auto served = run_named(state->runs, run)) {
            served->take(seen_of(round, std::move(pace), std::move(leading)));
        }
    });
}

void Server::finish(const std::string& run, RunState how, const std::string& reason) {
    asio::post(*state_->loop, [state = state_, run, how, reason] {
        if (const auto served = run_named(state->runs, run)) served->finish(how, reason);
    });
}

std::size_t Server::viewers() const { return state_->viewers.counted(); }
std::size_t Server::waiting_messages() const {
    return state_->viewers.longest_queue() + state_->publishing;
}
std::uint16_t Server::port() const { return state_->plan.port; }

std::string Server::url() const {
    return std::string(state_->plan.tls ? "https://" : "http://") + shown(state_->plan.address) +
           ":" + std::to_string(state_->plan.port);
}

std::string Server::link() const {
    const std::string nonce = real_secret()(kNonceBytes);
    return url() +
           "/#token=" + make_token(state_->logins.key(), wall_now() + kFirstLinkLasts, nonce);
}

const std::string& Server::link_key() const { return state_->logins.key(); }

}  // namespace parley::web
