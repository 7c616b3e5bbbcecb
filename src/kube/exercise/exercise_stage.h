// Kube, the exerciser's stage: one namespace, in which it touches only Deployments with its own
// label.

#pragma once

#include "base/clock_wait.h"
#include "cluster/stage.h"
#include "kube/watch/api.h"

#include <memory>
#include <string>

namespace parley::kube {

struct StageOptions {
    std::string space;
    std::string image;             ///< Of the pods.
    Duration events = seconds(2);  ///< How often at most to ask for the events of a silent pod.
};

/// Refuses namespaces that must not be used, such as `kube-system`.
[[nodiscard]] Result<void> usable_space(const std::string& space);

/// Used on the api's executor.
class ExerciseStage final : public cluster::Stage {
public:
    ExerciseStage(std::shared_ptr<Api> api, StageOptions options);

    boost::asio::awaitable<Result<cluster::StageOpened>> open() override;
    boost::asio::awaitable<Result<void>> put(std::vector<cluster::Filler> fillers) override;
    boost::asio::awaitable<Result<cluster::Cast>> look() override;
    boost::asio::awaitable<Result<void>> clear() override;
    boost::asio::awaitable<Result<std::string>> close() override;

private:
    boost::asio::awaitable<Result<cluster::StageOpened>> make_space();
    boost::asio::awaitable<Result<std::string>> foreign();
    boost::asio::awaitable<void> ask_events(std::string uid);
    std::string inside(const std::string& group, const std::string& resource) const;

    std::shared_ptr<Api> api_;
    StageOptions options_;
    std::int32_t wanted_ = 0;  ///< How many pods the last phase wants.
    /// Since its events were last asked for, or since it was put; and what they said.
    Stopwatch heard_;
    cluster::Trouble events_;
};

}  // namespace parley::kube
