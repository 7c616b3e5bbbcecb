// App: the exerciser beside a run: its own connections, phases when they are due, and what it
// reported.

#pragma once

#include "apps/live/access_flags.h"
#include "exercise/exerciser.h"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace parley::app {

/// Another cluster that gets the same phases.
struct Mirror {
    ChosenCluster cluster;
    std::string space;
};

struct ExerciseOptions {
    exercise::PlanOptions plan;
    std::int64_t every = 3;  ///< Rounds per phase.
    std::string image;
    std::vector<Mirror> mirrors;
};

/// "The exerciser changes namespace parley-exercise of prod, and nothing else."
std::string touched_text(const std::string& name, const ExerciseOptions& options);

/// Refuses a mirror in a namespace that the first cluster or another mirror uses.
[[nodiscard]] Result<void> check_places(const kube::Access& access, const ExerciseOptions& options);

/// Used on one executor. What it started ends with the executor's context.
class LiveExercise {
public:
    [[nodiscard]] static Result<std::unique_ptr<LiveExercise>> make(
        const boost::asio::any_io_executor& executor, const kube::Access& access,
        const kube::CredentialOptions& credentials, const std::string& name,
        ExerciseOptions options, exercise::Exerciser::Tell tell, std::function<TimePoint()> now);
    ~LiveExercise();

    /// `leaving` is called while it waits.
    boost::asio::awaitable<Result<void>> open(std::function<bool()> leaving);
    /// Call it before round `index` (from 0): begins a phase if one is due, and returns at once.
    /// The next phase waits while the cluster was not seen yet and while the last one is in
    /// progress.
    void round(std::uint64_t index, const model::Snapshot& before);
    boost::asio::awaitable<Result<void>> close();

    std::optional<model::Stimulus> stimulus() const;
    cluster::SourceReport report() const;
    /// Waits for plugins; call it before the executor's context is destroyed.
    void quiet();

    struct Inside;

private:
    explicit LiveExercise(std::shared_ptr<Inside> inside);
    std::shared_ptr<Inside> inside_;
};

}  // namespace parley::app
