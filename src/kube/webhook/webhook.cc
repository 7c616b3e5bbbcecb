#include "kube/webhook/webhook.h"

#include "base/clock.h"
#include "base/clock_wait.h"
#include "kube/webhook/admission_answer.h"
#include "kube/write/order_objects.h"

#include <algorithm>
#include <utility>

namespace parley::kube {

namespace asio = boost::asio;

using model::AdmissionWish;
using model::SetAdmission;

namespace {

constexpr http::Limits kLimits{.connect = seconds(3), .head = seconds(5), .whole = seconds(10)};
constexpr Duration kPace = seconds(2);
/// Somebody may have taken our registration away, or installed the policy.
constexpr Duration kLookAgain = seconds(30);
/// Every API server has heard of a new bundle after this long.
constexpr Duration kSettles = seconds(5);
/// Who ends does not wait longer for a request; a registration that is left stops nobody.
constexpr Duration kEndMax = seconds(3);

std::string bracketed(const std::string& address) {
    return address.find(':') != std::string::npos ? "[" + address + "]" : address;
}

/// The names that a certificate must carry.
Result<std::vector<std::string>> names_of(const WebhookOptions& options) {
    if (!options.url.empty()) {
        if (auto fine = check_url(options.url); !fine) return tl::unexpected(fine.error());
        return std::vector<std::string>{http::parse_url(options.url)->host};
    }
    if (options.service.empty()) return std::vector<std::string>{options.address};
    const std::string name = options.service + "." + options.home + ".svc";
    return std::vector<std::string>{name, name + ".cluster.local"};
}

std::string without_slash(std::string url) {
    while (url.ends_with('/')) url.pop_back();
    return url;
}

HookPlace place_of(const WebhookOptions& options, std::uint16_t port) {
    const std::string path(kHookPath);
    if (!options.url.empty()) return {.url = without_slash(options.url) + path};
    if (!options.service.empty()) return {.space = options.home, .service = options.service};
    return {.url = "https://" + bracketed(options.address) + ":" + std::to_string(port) + path};
}

}  // namespace

Result<void> check_url(const std::string& url) {
    const auto parsed = http::parse_url(url);
    if (!parsed) return tl::unexpected(parsed.error());
    if (!parsed->tls) {
        return fail(ErrorCode::denied, "the API server asks webhooks by https:// alone");
    }
    return {};
}

void StandingOrder::set(SetAdmission order) {
    const std::lock_guard lock(mutex_);
    order_ = std::move(order);
}

SetAdmission StandingOrder::get() const {
    const std::lock_guard lock(mutex_);
    return order_;
}

Webhook::Webhook(std::shared_ptr<Api> api, const WebhookOptions& options, Term term,
                 Rotation certificates)
    : api_(std::move(api)),
      options_(options),
      term_(std::move(term)),
      certificates_(std::move(certificates)) {}

Result<std::unique_ptr<Webhook>> Webhook::start(std::shared_ptr<Api> api,
                                                const WebhookOptions& options, Term term,
                                                std::function<bool()> stopped) {
    auto names = names_of(options);
    if (!names) return tl::unexpected(names.error());
    auto certificates = Rotation::begin(*std::move(names), options.lasts, wall_now());
    if (!certificates) return tl::unexpected(certificates.error());
    std::unique_ptr<Webhook> made(
        new Webhook(std::move(api), options, std::move(term), *std::move(certificates)));
    auto server = HookServer::start(
        options.address, options.port, made->certificates_.serving(),
        [order = made->order_, stopped = std::move(stopped)](std::string_view review) {
            return admission_answer(review, stopped() ? SetAdmission{} : order->get(), wall_now());
        });
    if (!server) return tl::unexpected(server.error());
    made->server_ = *std::move(server);
    made->place_ = place_of(options, made->port());
    made->registration_ = std::make_unique<Registration>(made->api_, options.home, made->place_,
                                                         made->term_, options.run);
    return made;
}

/// An order that cannot be read now stands as it was read last: it ends by its own time.
asio::awaitable<void> Webhook::read_order() {
    const std::string name(kAdmissionName);
    std::string path = "/api/v1/namespaces/" + options_.home + "/configmaps/" + name;
    auto answer = co_await api_->get(std::move(path), "reading the order " + name, kLimits);
    if (!answer) {
        if (answer.error().code == ErrorCode::gone) order_->set({});
        co_return;
    }
    auto seen = read_admission(answer->body);
    SetAdmission order = seen ? std::move(seen->order) : SetAdmission{};
    if (order.mode == AdmissionWish::deprioritize) {
        const bool known = co_await has_class();
        if (!known) order = {};
    }
    order_->set(std::move(order));
}

/// Of a Job whose class does not exist no pod would ever be created.
asio::awaitable<bool> Webhook::has_class() {
    std::string path = "/apis/scheduling.k8s.io/v1/priorityclasses/" + std::string(kBatchClass);
    auto answer = co_await api_->get(std::move(path), "asking for our priority class", kLimits);
    co_return answer.has_value();
}

asio::awaitable<void> Webhook::keep_registered(TimePoint now) {
    if (term_() <= Duration{}) {
        written_.clear();
        trouble_ = kNoTerm;
        co_return;
    }
    std::string bundle = certificates_.bundle();
    const Duration since = now - looked_;
    const bool recent = Duration{} <= since && since < kLookAgain;
    if (written_ == bundle && recent) co_return;
    auto kept = co_await registration_->keep(bundle);
    trouble_ = !kept                     ? kept.error().message
               : registration_->spared() ? "the policy parley-queue is installed, which does it"
                                         : "";
    const bool there = kept && registration_->known() == bundle;
    if (there && written_ != bundle) known_since_ = now;
    // Where the policy is installed there is nothing to write, and nothing to hurry for.
    const bool fine = there || (kept && registration_->spared());
    written_ = fine ? std::move(bundle) : std::string();
    looked_ = now;
}

/// The next certificate is shown when the API server knows its authority. While nobody asks us, it
/// is shown at once.
void Webhook::rotate(TimePoint now) {
    const std::string before = certificates_.serving().certificate_pem;
    const Duration settles = std::min(kSettles, options_.lasts / 8);
    const bool asked = term_() > Duration{} && !registration_->spared();
    const bool known = written_ == certificates_.bundle() && now >= known_since_ + settles;
    if (certificates_.has_next() && (!asked || known)) certificates_.promote();
    certificates_.tend(now);
    if (certificates_.serving().certificate_pem != before) server_->use(certificates_.serving());
}

void Webhook::follow_order(const SetAdmission& order) {
    if (order.mode != AdmissionWish::deprioritize) order_->set(order);
}

asio::awaitable<void> Webhook::look(TimePoint now) {
    looking_ = true;
    co_await read_order();
    if (!ended_) {
        rotate(now);
        co_await keep_registered(now);
    }
    looking_ = false;
}

asio::awaitable<void> Webhook::follow() {
    const Duration pace = std::min(kPace, options_.lasts / 16);
    while (!ended_) {
        co_await look(wall_now());
        co_await pause(pace);
    }
}

/// What is being written now would come after what is taken away.
asio::awaitable<void> Webhook::end() {
    ended_ = true;
    const Deadline deadline(kEndMax);
    while (looking_ && !deadline.over()) co_await pause(milliseconds(20));
    if (!looking_) co_await registration_->take_away();
}

Result<void> Webhook::serves() const {
    const std::string& authority = certificates_.serving().authority_pem;
    const bool trusted = registration_->known().find(authority) != std::string::npos;
    if (trusted && term_() > Duration{}) return {};
    return fail(ErrorCode::unavailable, "our webhook is not asked: " +
                                            (trouble_.empty() ? std::string(kNoTerm) : trouble_));
}

}  // namespace parley::kube
