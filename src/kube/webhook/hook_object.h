// Kube, webhook: the MutatingWebhookConfiguration by which the API server knows where to ask, and
// whom to trust there. Pure.

#pragma once

#include "base/result.h"
#include "kube/write/order_objects.h"

#include <string>
#include <string_view>

namespace parley::kube {

/// Of our MutatingWebhookConfiguration; the policy of deploy/admission/queue.yaml, which does the
/// same, has this name too.
inline constexpr std::string_view kHookName = "parley-queue";

/// Where the API server asks: at an address, or at a Service, port 443.
struct HookPlace {
    std::string url;      ///< "https://10.0.0.5:9443/admit"; empty: the Service.
    std::string space;    ///< Of the Service.
    std::string service;  ///< Its name.
    friend bool operator==(const HookPlace&, const HookPlace&) = default;
};

/// What decides whether a configuration must be written again.
struct HookWish {
    HookPlace place;
    std::string bundle_pem;  ///< Whom to trust.
    friend bool operator==(const HookWish&, const HookWish&) = default;
};

struct HookSeen {
    OwnObject object;
    HookWish says;
    bool harmless = false;  ///< It stops nobody if we do not answer, and waits no longer than ours.
};

/// `denied`: it is somebody else's. One of ours that was edited reads as one that says something
/// else.
[[nodiscard]] Result<HookSeen> read_hook(std::string_view body);

/// `home` is left out beside kube-system; `seen` is null for one that is not there yet.
std::string hook_body(std::string_view home, const HookWish& wish, const HookSeen* seen);

}  // namespace parley::kube
