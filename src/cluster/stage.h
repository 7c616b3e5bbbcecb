// Cluster seam, for the exerciser alone: one namespace of one cluster, into which it may put pods.

#pragma once

#include "base/result.h"

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace parley::cluster {

/// Pods of a phase that are all alike: one Deployment.
struct Filler {
    std::string name;  ///< The name of the Deployment.
    std::string phase;
    std::int32_t pods = 0;
    std::int64_t cpu_m = 0;   ///< Request and limit of each pod.
    std::int64_t memory = 0;  ///< Request and limit of each pod.
    std::string node;         ///< The only node they may run on; empty: any.
    bool nowhere = false;     ///< They select a node that does not exist.
    bool burns_cpu = false;   ///< True: they use their CPU instead of only reserving it.
    bool holds_memory = false;
};

struct StageOpened {
    bool made = false;           ///< The namespace did not exist before.
    std::int32_t leftovers = 0;  ///< Deployments of an earlier exerciser that were deleted.
    bool going = false;          ///< The namespace is being deleted, so nothing was done yet.
};

/// Why pods were not created or do not run, in the cluster's own words: one line each, printable.
struct Trouble {
    std::string reason;   ///< A word, such as "ErrImagePull"; may be empty.
    std::string message;  ///< In the cluster's own words; may be empty.

    bool known() const { return !reason.empty() || !message.empty(); }
    friend bool operator==(const Trouble&, const Trouble&) = default;
};

/// How the pods on the stage fare.
struct Cast {
    std::int32_t pods = 0;     ///< Existing pods, not counting those being deleted.
    std::int32_t leaving = 0;  ///< Pods that are being deleted.
    std::int32_t bound = 0;
    std::int32_t ready = 0;
    Trouble trouble;  ///< Of the first pod that was not created or does not run, if known.
};

/// Touches nothing outside its namespace, and in it nothing that is not an exerciser's.
class Stage {
public:
    virtual ~Stage() = default;

    /// Afterwards the namespace exists, and leftovers of an exerciser that was killed are gone.
    /// Does not wait for a namespace that is being deleted.
    virtual boost::asio::awaitable<Result<StageOpened>> open() = 0;
    virtual boost::asio::awaitable<Result<void>> put(std::vector<Filler> fillers) = 0;
    virtual boost::asio::awaitable<Result<Cast>> look() = 0;
    /// Asks for everything to be deleted; pods may take a moment to go.
    virtual boost::asio::awaitable<Result<void>> clear() = 0;
    /// Clears, and deletes the namespace if an exerciser made it and nobody else uses it. Gives
    /// what stays behind and why, for people; empty: nothing.
    virtual boost::asio::awaitable<Result<std::string>> close() = 0;
};

}  // namespace parley::cluster
