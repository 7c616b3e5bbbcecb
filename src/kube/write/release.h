// Kube, what gives back what our marks say was there before: an object with a mark in, requests
// out. Needs neither ledger nor journal. Pure.

#pragma once

#include "kube/decode/kinds.h"
#include "kube/write/seen.h"
#include "model/request.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::kube {

/// What a provider says of a node now, in the numbers of marks. Nothing: no provider was asked, or
/// it did not say.
struct Provided {
    std::optional<std::int64_t> power = {};
    std::optional<std::int64_t> clock_ppm = {};
    std::string why_not = "is set by a provider, and none is named: --config FILE names one";
};

/// A node, workload or pod that carries a mark of ours, or what is left of one.
struct MarkedObject {
    Kind kind = Kind::node;
    std::string space;
    std::string name;
    Seen seen;
    Provided provided = {};  ///< Of a node.
};

struct ReleaseWish {
    bool expired_only = false;
    std::optional<model::DecisionId> decision = {};  ///< Only this one; nothing: all.
};

struct Release {
    model::DecisionId decision;         ///< None: its mark cannot be read.
    std::vector<model::Request> steps;  ///< In order; what takes the mark away is the last.
    std::vector<std::string> left;      ///< What is left as it is, and why; a sentence each.
};

/// Whether this object is meant: by its decision, and by when its mark expires.
bool is_meant(const MarkedObject& object, const ReleaseWish& wish, TimePoint now);

/// A value is given back only where ours still stands: what somebody else has set since is theirs,
/// and the mark goes all the same. A mark stays where something can be given back by another way
/// only, or where it cannot be read.
Release release_of(const MarkedObject& object);

}  // namespace parley::kube
