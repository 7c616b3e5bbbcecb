#include "kube/webhook/registration.h"

#include "kube/write/admission_policy.h"

#include <utility>

namespace parley::kube {

namespace asio = boost::asio;

namespace {

constexpr http::Limits kLimits{.connect = seconds(3), .head = seconds(5), .whole = seconds(10)};
constexpr const char* kHooks =
    "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
constexpr const char* kSaid = "the webhook configuration parley-queue";

std::string path_of_ours() { return std::string(kHooks) + "/" + std::string(kHookName); }

}  // namespace

Registration::Registration(std::shared_ptr<Api> api, std::string home, HookPlace place, Term term,
                           std::string run)
    : api_(std::move(api)),
      home_(std::move(home)),
      place_(std::move(place)),
      term_(std::move(term)),
      run_(std::move(run)),
      pen_(api_, term_, kLimits) {}

asio::awaitable<Result<void>> Registration::look() {
    seen_.reset();
    const std::string what = std::string("reading ") + kSaid;
    auto answer = co_await api_->get(path_of_ours(), what, kLimits);
    if (!answer) {
        if (answer.error().code == ErrorCode::gone) co_return Result<void>{};
        co_return tl::unexpected(answer.error());
    }
    auto seen = read_hook(answer->body);
    if (!seen) co_return within(what, seen.error());
    seen_ = *std::move(seen);
    co_return Result<void>{};
}

asio::awaitable<Result<void>> Registration::send(http::Request request, std::string doing) {
    Sending how{.doing = std::move(doing),
                .about = kSaid,
                .kind = "webhook configuration",
                .audit = "parley-webhook-" + run_ + "-" + std::to_string(++sent_)};
    const auto answer = co_await pen_.write(std::move(request), std::move(how));
    if (!answer) co_return tl::unexpected(answer.error());
    co_return Result<void>{};
}

asio::awaitable<Result<void>> Registration::remove() {
    http::Request request{.method = "DELETE",
                          .target = path_of_ours(),
                          .headers = {},
                          .body = deletion_body(seen_->object)};
    co_return co_await send(std::move(request), "deleting");
}

asio::awaitable<Result<void>> Registration::keep(std::string bundle_pem) {
    const auto policy = co_await has_policy(api_, kQueuePolicy, kLimits);
    // What was known before may hold no more, and nothing better is known.
    if (!policy) co_return tl::unexpected(policy.error());
    spared_ = *policy;
    auto looked = co_await look();
    if (!looked) {
        known_.clear();
        co_return looked;
    }
    if (spared_) {
        known_.clear();
        if (seen_) co_return co_await remove();
        co_return Result<void>{};
    }
    const HookWish wish{place_, std::move(bundle_pem)};
    if (seen_ && seen_->harmless && seen_->says == wish) {
        known_ = wish.bundle_pem;
        co_return Result<void>{};
    }
    const HookSeen* before = seen_ ? &*seen_ : nullptr;
    http::Request request{.method = before != nullptr ? "PUT" : "POST",
                          .target = before != nullptr ? path_of_ours() : std::string(kHooks),
                          .headers = {},
                          .body = hook_body(home_, wish, before)};
    // Until it is written the one before stands, if it asks at our place.
    known_ = before != nullptr && before->says.place == place_ ? before->says.bundle_pem : "";
    auto written = co_await send(std::move(request), "writing");
    if (written) known_ = wish.bundle_pem;
    co_return written;
}

asio::awaitable<void> Registration::take_away() {
    if (known_.empty() || term_() <= Duration{}) co_return;
    known_.clear();
    auto looked = co_await look();
    if (looked && seen_ && seen_->says.place == place_) (void)co_await remove();
}

}  // namespace parley::kube
