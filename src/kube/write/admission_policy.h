// Kube, whether a policy of deploy/admission is installed on this cluster.

#pragma once

#include "kube/watch/api.h"

#include <boost/asio/awaitable.hpp>

#include <memory>
#include <string>

namespace parley::kube {

/// Queues and deprioritizes new Jobs.
inline constexpr const char* kQueuePolicy = "mutatingadmissionpolicies/parley-queue";
/// Rejects them.
inline constexpr const char* kRejectPolicy = "validatingadmissionpolicies/parley-reject";

/// Asks for a policy in each version that it may be served in. False, too, where no version of its
/// kind is served.
boost::asio::awaitable<Result<bool>> has_policy(std::shared_ptr<Api> api, std::string policy,
                                                http::Limits limits);

}  // namespace parley::kube
