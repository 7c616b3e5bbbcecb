#include "kube/write/rehearser.h"

#include "base/check.h"

#include <utility>

namespace parley::kube {

namespace asio = boost::asio;

using namespace model;
using cluster::Rehearsed;

namespace {

bool by_provider(const Request& request) {
    return std::holds_alternative<SetPower>(request) || std::holds_alternative<SetClock>(request);
}

/// The API server's words where a right is missing; admission refuses in others.
tl::unexpected<Error> with_advice(Error error) {
    const bool lacks = error.code == ErrorCode::denied &&
                       error.message.find("is forbidden: User") != std::string::npos;
    if (lacks) error.message += "; deploy/rbac/act.yaml grants it";
    return tl::unexpected(std::move(error));
}

}  // namespace

Rehearser::Rehearser(std::shared_ptr<Api> api, const std::string& home,
                     std::function<TimePoint()> clock)
    : hand_(api), orders_(api, home, hand_, hand_, always(), std::move(clock)) {
    PARLEY_CHECK(api->only_tries());
}

asio::awaitable<Result<Rehearsed>> Rehearser::rehearse(Request request, cluster::Stamp stamp) {
    if (by_provider(request)) {
        co_return fail(ErrorCode::unavailable,
                       "not tried: a provider's command cannot be run as a dry run");
    }
    const auto live = co_await orders_.read(request);
    if (!live) co_return with_advice(live.error());
    if (live->applied) co_return Rehearsed::found_done;
    const Precondition same{live->uid, live->version};
    const auto tried = co_await orders_.apply(request, same, stamp);
    if (!tried) co_return with_advice(tried.error());
    co_return Rehearsed::accepted;
}

}  // namespace parley::kube
