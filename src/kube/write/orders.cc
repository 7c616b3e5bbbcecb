#include "kube/write/orders.h"

#include "base/number.h"
#include "kube/decode/decode_meta.h"
#include "kube/write/admission_policy.h"
#include "kube/write/change.h"

#include <algorithm>
#include <utility>

namespace parley::kube {

namespace asio = boost::asio;

using namespace model;

namespace {

constexpr http::Limits kLimits{.connect = seconds(3), .head = seconds(10), .whole = seconds(15)};
constexpr const char* kQuotas =
    "/api/v1/resourcequotas?labelSelector=app.kubernetes.io%2Fmanaged-by%3Dparley";

std::string config_maps(const std::string& home) {
    return "/api/v1/namespaces/" + home + "/configmaps";
}

std::string quotas_of(const std::string& space) {
    return "/api/v1/namespaces/" + space + "/resourcequotas";
}

/// The same object with a version that a Precondition can name.
Live live_of(const OwnObject* object, bool applied) {
    Live live{.exists = true, .applied = applied};
    if (object == nullptr) return live;
    live.uid = uid_of(object->uid);
    live.version = parse_uint64(object->version, 1).value_or(0);
    return live;
}

Result<void> without_answer(const Result<http::Response>& answer) {
    if (!answer) return tl::unexpected(answer.error());
    return {};
}

bool met_conflict(const Result<http::Response>& answer) {
    return !answer && answer.error().code == ErrorCode::conflict;
}

}  // namespace

Orders::Orders(std::shared_ptr<Api> api, std::string home, cluster::Reader& reader,
               cluster::Writer& writer, Term term, std::function<TimePoint()> clock)
    : api_(std::move(api)),
      home_(std::move(home)),
      reader_(reader),
      writer_(writer),
      pen_(api_, std::move(term), kLimits),
      clock_(std::move(clock)) {}

void Orders::carried_by(std::function<Result<void>()> serves,
                        std::function<void(const SetAdmission&)> told) {
    serves_ = std::move(serves);
    told_ = std::move(told);
}

asio::awaitable<Result<void>> Orders::look_at_admission() {
    admission_.reset();
    const std::string name = std::string(kAdmissionName);
    const std::string what = "reading config map " + home_ + "/" + name;
    auto answer = co_await api_->get(config_maps(home_) + "/" + name, what, kLimits);
    if (!answer) {
        if (answer.error().code == ErrorCode::gone) co_return Result<void>{};
        co_return tl::unexpected(answer.error());
    }
    auto seen = read_admission(answer->body);
    if (!seen) co_return within(what, seen.error());
    admission_ = *std::move(seen);
    co_return Result<void>{};
}

asio::awaitable<Result<void>> Orders::look_at_quotas() {
    auto answer = co_await api_->get(kQuotas, "listing quotas of ours", kLimits);
    if (!answer) co_return tl::unexpected(answer.error());
    auto seen = read_quotas(answer->body);
    if (!seen) co_return within("listing quotas of ours", seen.error());
    quotas_ = *std::move(seen);
    co_return Result<void>{};
}

const QuotaSeen* Orders::quota_in(const std::string& space) const {
    const auto found = std::ranges::find(quotas_, space, &QuotaSeen::space);
    return found != quotas_.end() ? &*found : nullptr;
}

bool Orders::is_capped(const SetBatchCap& cap) const {
    if (lifts(cap)) return quotas_.empty();
    return std::ranges::all_of(cap.spaces, [&](const Name& space) {
        const QuotaSeen* quota = quota_in(space.str());
        return quota != nullptr && quota->decision == cap.decision;
    });
}

asio::awaitable<Result<Live>> Orders::read(Request about) {
    looked_ = false;
    if (const auto* order = std::get_if<SetAdmission>(&about)) {
        const SetAdmission wanted = *order;
        auto seen = co_await look_at_admission();
        if (!seen) co_return tl::unexpected(seen.error());
        looked_ = true;
        Live live = live_of(admission_ ? &admission_->object : nullptr,
                            in_force(wanted, admission_ ? &admission_->order : nullptr, clock_()));
        if (admission_) live.mark = admission_->order.decision;
        co_return live;
    }
    const auto* found = std::get_if<SetBatchCap>(&about);
    if (found == nullptr) co_return co_await reader_.read(std::move(about));
    const SetBatchCap wanted = *found;
    auto seen = co_await look_at_quotas();
    if (!seen) co_return tl::unexpected(seen.error());
    looked_ = true;
    co_return live_of(nullptr, is_capped(wanted));
}

/// Asked before every order: an order that nobody carries out would be believed to stand.
asio::awaitable<Result<void>> Orders::installed(AdmissionWish mode) {
    const bool rejects = mode == AdmissionWish::reject;
    const char* file = rejects ? "deploy/admission/reject.yaml" : "deploy/admission/queue.yaml";
    const auto there = co_await has_policy(api_, rejects ? kRejectPolicy : kQueuePolicy, kLimits);
    if (!there) co_return tl::unexpected(there.error());
    if (*there) co_return Result<void>{};
    std::string why;
    if (!rejects && serves_) {
        const auto asked = serves_();
        if (asked) co_return Result<void>{};
        why = "; " + asked.error().message;
    }
    co_return fail(ErrorCode::denied, "nothing on this cluster carries out a " +
                                          std::string(enum_name(mode)) + " order: apply " + file +
                                          why);
}

asio::awaitable<Result<bool>> Orders::stands(SetAdmission order) {
    auto seen = co_await look_at_admission();
    if (!seen) co_return tl::unexpected(seen.error());
    co_return admission_.has_value() && admission_->order == order;
}

asio::awaitable<Result<bool>> Orders::is_capped_in(std::string space, DecisionId decision) {
    auto seen = co_await look_at_quotas();
    if (!seen) co_return tl::unexpected(seen.error());
    const QuotaSeen* quota = quota_in(space);
    co_return quota != nullptr && quota->decision == decision;
}

asio::awaitable<Result<void>> Orders::admit(SetAdmission order, Sending how) {
    if (order.mode != AdmissionWish::admit) {
        if (order.spaces.empty()) {
            co_return fail(ErrorCode::denied, "an order must name its namespaces");
        }
        auto fine = co_await installed(order.mode);
        if (!fine) co_return fine;
    }
    const bool there = admission_.has_value();
    const std::string path =
        config_maps(home_) + (there ? "/" + std::string(kAdmissionName) : std::string());
    http::Request request{.method = there ? "PUT" : "POST",
                          .target = path,
                          .headers = {},
                          .body = admission_body(home_, order, there ? &*admission_ : nullptr)};
    how.doing = "writing";
    how.about = "our order";
    how.kind = "order";
    const auto answer = co_await pen_.write(std::move(request), std::move(how));
    Result<void> written = without_answer(answer);
    if (met_conflict(answer)) {
        const auto ours = co_await stands(order);
        written = after_conflict(answer.error(), ours);
    }
    if (written && told_) told_(order);
    co_return written;
}

asio::awaitable<Result<void>> Orders::cap_one(std::string space, SetBatchCap cap, Sending how) {
    const QuotaSeen* found = quota_in(space);
    const std::optional<QuotaSeen> seen = found != nullptr ? std::optional(*found) : std::nullopt;
    if (seen && seen->decision == cap.decision) co_return Result<void>{};
    const std::string what = "counting Jobs of " + space;
    auto page =
        co_await api_->get("/apis/batch/v1/namespaces/" + space + "/jobs?limit=1", what, kLimits);
    if (!page) co_return tl::unexpected(page.error());
    const auto jobs = count_of(page->body);
    if (!jobs) co_return within(what, jobs.error());
    const std::string path = quotas_of(space) + (seen ? "/" + std::string(kQuotaName) : "");
    http::Request request{.method = seen ? "PUT" : "POST",
                          .target = path,
                          .headers = {},
                          .body = quota_body(space, cap, *jobs, seen ? &*seen : nullptr)};
    how.doing = "writing";
    how.about = "a quota";
    how.kind = "quota";
    how.audit += "-" + space;
    const auto answer = co_await pen_.write(std::move(request), std::move(how));
    if (!met_conflict(answer)) co_return without_answer(answer);
    const auto ours = co_await is_capped_in(space, cap.decision);
    co_return after_conflict(answer.error(), ours);
}

/// A cap is one for the whole cluster, whoever decided it.
asio::awaitable<Result<void>> Orders::uncap(Sending how) {
    how.doing = "deleting";
    how.about = "a quota";
    how.kind = "quota";
    const std::vector<QuotaSeen> all = quotas_;
    for (const QuotaSeen& each : all) {
        http::Request request{.method = "DELETE",
                              .target = quotas_of(each.space) + "/" + std::string(kQuotaName),
                              .headers = {},
                              .body = deletion_body(each.object)};
        Sending one = how;
        one.audit += "-" + each.space;
        const auto answer = co_await pen_.write(std::move(request), std::move(one));
        if (!answer && answer.error().code != ErrorCode::gone) co_return without_answer(answer);
    }
    co_return Result<void>{};
}

asio::awaitable<Result<void>> Orders::cap(SetBatchCap cap, Sending how) {
    if (lifts(cap)) co_return co_await uncap(std::move(how));
    if (cap.spaces.empty()) co_return fail(ErrorCode::denied, "a cap must name its namespaces");
    for (const Name& space : cap.spaces) {
        auto done = co_await cap_one(space.str(), cap, how);
        if (!done) co_return done;
    }
    co_return Result<void>{};
}

asio::awaitable<Result<void>> Orders::apply(Request request, Precondition only_if,
                                            cluster::Stamp stamp) {
    const bool of_cap = std::holds_alternative<SetBatchCap>(request);
    if (!of_cap && !std::holds_alternative<SetAdmission>(request)) {
        co_return co_await writer_.apply(std::move(request), only_if, stamp);
    }
    const bool same_uid = !admission_ || uid_of(admission_->object.uid) == only_if.uid;
    if (!std::exchange(looked_, false) || (!of_cap && !same_uid)) {
        co_return fail(ErrorCode::conflict, "our order was not read before; it is read again");
    }
    // What is looked up and counted before it is sent takes its time, too.
    Sending how{.audit = audit_id(stamp), .fresh = Deadline(stamp.fresh)};
    if (of_cap) {
        co_return co_await cap(std::get<SetBatchCap>(std::move(request)), std::move(how));
    }
    co_return co_await admit(std::get<SetAdmission>(std::move(request)), std::move(how));
}

}  // namespace parley::kube
