#include "kube/watch/api.h"

#include "base/clock.h"
#include "kube/decode/proto_json.h"
#include "kube/watch/api_error.h"
#include "kube/watch/dry_run.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/experimental/channel.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace parley::kube {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

// A watch has no size limit of its own.
constexpr std::uint64_t kStreamMax = std::uint64_t{1} << 40;

Result<http::Endpoint> endpoint_of(const Access& access) {
    http::Endpoint to{.url = access.server, .server_name = access.tls_server_name};
    if (!access.proxy_url.empty()) {
        auto proxy = http::parse_proxy(access.proxy_url.reveal());
        if (!proxy) return within("proxy-url", proxy.error());
        to.proxy = *std::move(proxy);
    }
    return to;
}

Result<std::shared_ptr<const http::Tls>> tls_of(const Access& access, const std::string& ca_pem,
                                                const Credential& credential) {
    return http::Tls::make({.ca_pem = ca_pem,
                            .certificate_pem = credential.certificate_pem.reveal(),
                            .key_pem = credential.key_pem.reveal(),
                            .insecure = access.insecure});
}

/// As in kubectl, a proxy is verified by the cluster's CA, and our certificate is not presented to
/// it.
Result<std::shared_ptr<const http::Tls>> proxy_tls_of(const http::Endpoint& to,
                                                      const std::string& ca_pem) {
    if (!to.proxy || to.proxy->kind != http::Proxy::Kind::https) return nullptr;
    return http::Tls::make({.ca_pem = ca_pem});
}

/// No connection, or no answer. Even an untrusted server has not refused us: trying again may help.
/// Of a change that was not answered nobody knows what came of it.
tl::unexpected<Error> unreached(const std::string& what, Error error, bool writes = false) {
    if (error.code == ErrorCode::denied) error.code = ErrorCode::unavailable;
    if (writes) error.code = ErrorCode::unknown_outcome;
    return within(what, error);
}

}  // namespace

struct Api::Inside {
    Inside(const asio::any_io_executor& executor, Access to, ApiOptions how, http::Endpoint where)
        : access(std::move(to)),
          credentials(access, how.credentials),
          trust(access),
          endpoint(std::move(where)),
          client(executor, endpoint, std::move(how.user_agent)),
          dry_run(how.dry_run),
          turn(executor, 1) {}

    Access access;
    Credentials credentials;
    Trust trust;
    http::Endpoint endpoint;
    http::Client client;
    bool dry_run = false;
    asio::experimental::channel<void(error_code)> turn;  ///< One renewal at a time.
    asio::thread_pool pool{1};
    std::optional<Credential> shown;  ///< What the client's TLS was made with, like the next.
    std::string trusted;
    std::string program;  ///< Copies: the originals are in use by the pool meanwhile.
    std::string warning;

    asio::awaitable<Result<Credential>> credential();
    Result<void> present(const Credential& credential);
};

// A plugin may take a minute, so it runs on the pool; files are read here.
asio::awaitable<Result<Credential>> Api::Inside::credential() {
    const error_code fine;
    co_await turn.async_send(fine, asio::as_tuple(asio::use_awaitable));
    Result<Credential> found = Credential{};
    const TimePoint now = wall_now();
    if (credentials.runs_program(now)) {
        const auto run = [](Credentials* from,
                            TimePoint at) -> asio::awaitable<Result<Credential>> {
            co_return from->current(at);
        };
        auto elsewhere = run(&credentials, now);
        found = co_await asio::co_spawn(pool, std::move(elsewhere), asio::use_awaitable);
    } else {
        found = credentials.current(now);
    }
    program = credentials.program();
    warning = credentials.warning();
    if (found) {
        if (auto ok = present(*found); !ok) found = tl::unexpected(ok.error());
    }
    if (warning.empty()) warning = trust.warning();
    turn.try_receive([](const error_code&) {});
    co_return found;
}

Result<void> Api::Inside::present(const Credential& credential) {
    if (!access.server.tls) return {};
    const std::string& ca = trust.current(wall_now());
    const bool same = shown && shown->certificate_pem == credential.certificate_pem &&
                      shown->key_pem == credential.key_pem && trusted == ca;
    if (same) return {};
    auto tls = tls_of(access, ca, credential);
    if (!tls) return tl::unexpected(tls.error());
    auto for_proxy = proxy_tls_of(endpoint, ca);
    if (!for_proxy) return tl::unexpected(for_proxy.error());
    client.use(*std::move(tls), *std::move(for_proxy));
    shown = credential;
    trusted = ca;
    return {};
}

Api::Api(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
Api::~Api() = default;

Result<std::unique_ptr<Api>> Api::make(const asio::any_io_executor& executor, const Access& access,
                                       ApiOptions options) {
    auto to = endpoint_of(access);
    if (!to) return tl::unexpected(to.error());
    auto for_proxy = proxy_tls_of(*to, access.ca_pem);
    if (!for_proxy) return within("proxy-url", for_proxy.error());
    to->proxy_tls = *std::move(for_proxy);
    if (access.server.tls) {
        // Certificates to trust can be checked now; our own only when asked for.
        if (auto tls = tls_of(access, access.ca_pem, {}); !tls) return tl::unexpected(tls.error());
    }
    return std::unique_ptr<Api>(
        new Api(std::make_unique<Inside>(executor, access, std::move(options), *std::move(to))));
}

namespace {

http::Request dressed(http::Request request, const Credential& credential, bool proto = false) {
    const std::string json = "application/json";
    request.headers.push_back({"Accept", proto ? std::string(kProtoType) + ", " + json : json});
    const bool typed = std::ranges::any_of(
        request.headers, [](const http::Header& each) { return each.name == "Content-Type"; });
    if (!request.body.empty() && !typed) request.headers.push_back({"Content-Type", json});
    if (!credential.token.empty()) {
        request.headers.push_back({"Authorization", "Bearer " + credential.token.reveal()});
    }
    return request;
}

/// Turns protobuf into JSON; the rest of the code sees only JSON.
Result<void> to_json(http::Response& answer) {
    if (answer.media_type() != kProtoType) return {};
    auto json = proto_to_json(answer.body);
    if (!json) return tl::unexpected(json.error());
    answer.body = *std::move(json);
    answer.headers = {{"Content-Type", "application/json"}};
    return {};
}

}  // namespace

asio::awaitable<Result<http::Response>> Api::send(http::Request request, std::string what,
                                                  AnswerWish wish) {
    for (int tried = 0;; ++tried) {
        auto credential = co_await inside_->credential();
        if (!credential) co_return within(what, credential.error());
        auto message = dressed(request, *credential, wish.proto);
        auto answer = co_await inside_->client.ask(std::move(message), wish.limits, wish.glance);
        if (!answer) co_return unreached(what, answer.error(), wish.writes);
        if (wish.proto) {
            if (auto read = to_json(*answer); !read) co_return within(what, read.error());
        }
        if (answer->status == 401) {
            inside_->credentials.refused(credential->version);
            if (tried == 0) continue;
        }
        const auto ok = wish.writes ? write_answer(*answer, what) : read_answer(*answer, what);
        if (!ok) co_return tl::unexpected(ok.error());
        co_return answer;
    }
}

asio::awaitable<Result<http::Response>> Api::get(std::string path, std::string what,
                                                 http::Limits limits) {
    http::Request request{.target = std::move(path)};
    AnswerWish wish{.limits = limits};
    co_return co_await send(std::move(request), std::move(what), std::move(wish));
}

asio::awaitable<Result<http::Response>> Api::page(std::string path, std::string what,
                                                  AnswerWish wish) {
    http::Request request{.target = std::move(path)};
    co_return co_await send(std::move(request), std::move(what), std::move(wish));
}

asio::awaitable<Result<http::Response>> Api::ask(std::string path, std::string body,
                                                 std::string what) {
    http::Request request{.method = "POST", .target = std::move(path), .body = std::move(body)};
    AnswerWish wish;
    co_return co_await send(std::move(request), std::move(what), std::move(wish));
}

asio::awaitable<Result<http::Response>> Api::change(http::Request request, std::string what,
                                                    http::Limits limits) {
    AnswerWish wish{.limits = limits, .writes = !inside_->dry_run};
    if (inside_->dry_run) request = as_dry_run(std::move(request));
    co_return co_await send(std::move(request), std::move(what), std::move(wish));
}

bool Api::only_tries() const { return inside_->dry_run; }

asio::awaitable<Result<std::unique_ptr<http::Stream>>> Api::open(std::string path,
                                                                 std::string what) {
    const http::Limits limits{.head = seconds(30), .body_max = kStreamMax};
    for (int tried = 0;; ++tried) {
        auto credential = co_await inside_->credential();
        if (!credential) co_return within(what, credential.error());
        http::Request request{.target = path};
        auto message = dressed(std::move(request), *credential);
        auto stream = co_await inside_->client.stream(std::move(message), limits);
        if (!stream) co_return unreached(what, stream.error());
        http::Response head = (*stream)->head();
        if (head.status == 200) {
            if (auto ok = read_answer(head, what); !ok) co_return tl::unexpected(ok.error());
            co_return stream;
        }
        if (head.status == 401) {
            inside_->credentials.refused(credential->version);
            if (tried == 0) continue;
        }
        auto body = co_await (*stream)->more(seconds(5));
        if (body) head.body = *std::move(body);
        auto refused = read_answer(head, what);
        if (refused) {
            co_return fail(ErrorCode::malformed,
                           what + ": " + std::to_string(head.status) + " was not expected");
        }
        co_return tl::unexpected(refused.error());
    }
}

void Api::quiet() {
    inside_->pool.stop();
    inside_->pool.join();
}

std::uint64_t Api::requests() const { return inside_->client.requests(); }
std::string Api::program() const { return inside_->program; }
std::string Api::credential_warning() const { return inside_->warning; }
const http::Url& Api::url() const { return inside_->client.url(); }

}  // namespace parley::kube
