#include "kube/write/lease.h"

#include "base/json_read.h"
#include "kube/write/json_parts.h"

#include <algorithm>
#include <cmath>

namespace parley::kube {
namespace {

constexpr double kChangesMax = 2'147'483'647;  // The API's field has 32 bits.

}  // namespace

Result<LeaseSeen> read_lease(std::string_view body) {
    const auto json = parse_json(body);
    if (!json) return tl::unexpected(json.error());
    const Json* spec = json->find("spec");
    LeaseSeen lease{
        .holder = std::string(text_or_none(spec, "holderIdentity")),
        .renewed = std::string(text_or_none(spec, "renewTime")),
        .acquired = std::string(text_or_none(spec, "acquireTime")),
        .version = std::string(text_or_none(json->find("metadata"), "resourceVersion"))};
    if (lease.version.empty()) return fail(ErrorCode::malformed, "it has no resourceVersion");
    const Json* changes = spec != nullptr ? spec->find("leaseTransitions") : nullptr;
    if (changes == nullptr || changes->is_null()) return lease;
    const double* number = changes->number();
    if (number == nullptr || !(*number >= 0 && *number <= kChangesMax) ||
        *number != std::floor(*number)) {
        return fail(ErrorCode::malformed, "its leaseTransitions are no count");
    }
    lease.changes = static_cast<std::uint64_t>(*number);
    return lease;
}

std::string lease_body(const LeasePlace& place, const LeaseTimes& times, const LeaseWish& wish) {
    std::string out =
        R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":)" +
        quoted(place.name) + R"(,"namespace":)" + quoted(place.space);
    if (!wish.version.empty()) out += R"(,"resourceVersion":)" + quoted(wish.version);
    // A Lease without a holder may not say for how long it is held.
    const bool held = !wish.holder.empty();
    out += R"(,"labels":{"app.kubernetes.io/managed-by":"parley"}},"spec":{"leaseTransitions":)" +
           std::to_string(wish.epoch);
    if (held) {
        out += R"(,"holderIdentity":)" + quoted(wish.holder) + R"(,"leaseDurationSeconds":)" +
               std::to_string(times.lasts.us / 1'000'000) + R"(,"acquireTime":)" +
               quoted(wish.acquired);
    }
    return out + R"(,"renewTime":)" + quoted(wish.renewed) + "}}";
}

void LeaseWatch::saw(const LeaseSeen& lease, Duration at) {
    if (last_ && *last_ == lease) return;
    last_ = lease;
    since_ = at;
}

bool LeaseWatch::free(const std::string& who, Duration lasts, Duration at) const {
    if (!last_ || last_->holder.empty() || last_->holder == who) return true;
    return at - since_ > lasts;
}

Duration LeaseWatch::left(Duration lasts, Duration at) const {
    if (!last_ || last_->holder.empty()) return {};
    return std::max(since_ + lasts - at, Duration{});
}

}  // namespace parley::kube
