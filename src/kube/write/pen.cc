#include "kube/write/pen.h"

#include "kube/watch/dry_run.h"
#include "kube/write/change.h"

#include <utility>

namespace parley::kube {

namespace asio = boost::asio;

Pen::Pen(std::shared_ptr<Api> api, Term term, http::Limits limits)
    : api_(std::move(api)), term_(std::move(term)), limits_(limits) {}

/// The only place that sends; whether we may is asked immediately before.
asio::awaitable<Result<http::Response>> Pen::send(http::Request request, std::string what) {
    const auto limits = within_term(limits_, term_());
    if (!limits) co_return fail(ErrorCode::unavailable, what + ": " + kNoTerm);
    co_return co_await api_->change(std::move(request), std::move(what), *limits);
}

asio::awaitable<Result<void>> Pen::try_out(http::Request request, Sending how) {
    const std::string verb = request.method + " " + how.kind;
    const bool passed = how.trial == Trial::first_time && tried_.contains(verb);
    const bool needless = how.trial == Trial::never || api_->only_tries();
    if (passed || needless) co_return Result<void>{};
    auto answer = co_await send(as_dry_run(std::move(request)), "trying on " + how.about);
    if (!answer) {
        Error error = answer.error();
        if (is_open(error)) error.code = ErrorCode::unavailable;  // Nothing can have changed.
        co_return tl::unexpected(std::move(error));
    }
    tried_.insert(verb);
    co_return Result<void>{};
}

asio::awaitable<Result<http::Response>> Pen::write(http::Request request, Sending how) {
    const std::string what = how.doing + " " + how.about;
    request.target += "?fieldManager=" + std::string(kFieldManager);
    const auto tried = co_await try_out(request, how);
    if (!tried) co_return tl::unexpected(tried.error());
    if (how.fresh.over()) {
        Error late{ErrorCode::unavailable,
                   what + ": what it was decided on got too old before it could be sent",
                   Duration{}};
        co_return tl::unexpected(std::move(late));
    }
    request.headers.push_back({"Audit-ID", std::move(how.audit)});
    co_return co_await send(std::move(request), what);
}

bool is_open(const Error& error) {
    return error.code == ErrorCode::unknown_outcome || error.code == ErrorCode::malformed;
}

Result<void> after_conflict(Error conflict, const Result<bool>& ours) {
    if (ours && *ours) return {};
    if (!ours && ours.error().code == ErrorCode::unavailable) {
        conflict.code = ErrorCode::unknown_outcome;
        conflict.message += "; " + ours.error().message;
    }
    return tl::unexpected(std::move(conflict));
}

}  // namespace parley::kube
