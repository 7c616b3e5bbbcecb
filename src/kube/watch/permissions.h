// Kube, permissions: the least role of a mode, how to ask for each right, and missing ones as YAML.
// Pure.

#pragma once

#include "base/result.h"
#include "kube/decode/kinds.h"
#include "model/action.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::kube {

/// One right that a mode needs.
struct Need {
    std::string group;     ///< Empty: the core group.
    std::string resource;  ///< With a subresource: "pods/eviction".
    std::string verb;
    std::string space;      ///< Empty: all namespaces, or the cluster.
    std::string name;       ///< Empty: any.
    bool optional = false;  ///< Without it something is not seen, which is reported.
    std::string why;        ///< What is not seen without it.
    friend bool operator==(const Need&, const Need&) = default;
};

/// All rights that mode observe needs; in these namespaces only, if any are named.
std::vector<Need> needs_of_observing(const std::vector<std::string>& spaces = {});

/// What acting needs beside observing, whatever is done: the ledger and the leader's lease.
std::vector<Need> needs_of_leading(const std::string& home);
/// What actions of this kind need beside that, in a namespace (a pattern stands for all). Nothing:
/// this build cannot carry them out on a real cluster.
std::optional<std::vector<Need>> needs_of_acting(model::ActionKind kind, const std::string& space,
                                                 const std::string& home);

/// What telling of actions by Events needs, in a namespace (a pattern stands for all). Events about
/// nodes are in `default`.
std::vector<Need> needs_of_telling(const std::string& space);
/// What queue and deprioritize orders need besides, where the API server serves no
/// MutatingAdmissionPolicy and asks our webhook instead.
std::vector<Need> needs_of_webhook();

/// "may not create pods/eviction in shop nor patch nodes".
std::string lacking_text(const std::vector<Need>& denied);

/// Body of a SelfSubjectAccessReview.
std::string review_of(const Need& need);
inline constexpr const char* kReviewPath = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

/// Whether the answer allows it. `malformed`: it is not a review.
[[nodiscard]] Result<bool> allowed_by(std::string_view body);

/// Rules of a Role as YAML, one per group and set of verbs, to be pasted below `rules:`.
std::string rules_yaml(const std::vector<Need>& needs);

}  // namespace parley::kube
