#include "kube/write/renewal.h"

#include "base/time_text.h"
#include "kube/decode/mark_text.h"
#include "kube/write/json_parts.h"

namespace parley::kube {

using namespace model;

namespace {

/// The mark for an object that has none.
Request first_mark(const Request& request, const cluster::Stamp& stamp, TimePoint now) {
    const auto* put = std::get_if<PutMark>(&request);
    if (put != nullptr && !put->decision.none()) return *put;
    const auto* pod = std::get_if<MarkPod>(&request);
    if (pod != nullptr && !pod->mark.decision.none()) return *pod;
    return PutMark{.decision = stamp.decision, .expires = now + kRenewalLasts};
}

/// Only when it expires is written: what somebody may have made of the rest is theirs.
std::string later_body(const Seen& seen) {
    return R"({"metadata":{"uid":)" + quoted(seen.uid_text) + R"(,"resourceVersion":")" +
           std::to_string(seen.version) + R"(","annotations":{)" + quoted(kExpiresAnnotation) +
           ":" + quoted(print_time(seen.mark->expires + microseconds(1))) + "}}}";
}

}  // namespace

Result<http::Request> renewal_of(const Request& request, const ObjectPlace& place, const Seen& seen,
                                 const cluster::Stamp& stamp, TimePoint now) {
    if (!seen.mark && seen.has_annotations) {
        return fail(ErrorCode::denied, "the mark on " + place.said +
                                           " is not one that we would write: take the annotations "
                                           "parley.dev/* away");
    }
    http::Request out = change_of(first_mark(request, stamp, now), place, seen, stamp);
    if (seen.mark) out.body = later_body(seen);
    return out;
}

}  // namespace parley::kube
