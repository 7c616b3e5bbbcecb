// App: the exerciser beside a run: its own connections, a phase when it is due, and what it told.

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

/// Where the same phases are put too.
struct Mirror {
    ChosenCluster cluster;
    std::string space;
};

struct ExerciseOptions {
    exercise::PlanOptions plan;
    std::int64_t every = 3;  ///< Rounds in a phase.
    std::string image;
    std::vector<Mirror> mirrors;
};

/// "The exerciser changes namespace parley-exercise of prod, and nothing else."
std::string touched_text(const std::string& name, const ExerciseOptions& options);

/// Refuses mirrors in a namespace that the first cluster or another mirror has.
[[nodiscard]] Result<void> check_places(const kube::Access& access, const ExerciseOptions& options);

/// On one executor. What it began ends with the executor's context.
class LiveExercise {
public:
    [[nodiscard]] static Result<std::unique_ptr<LiveExercise>> make(
        const boost::asio::any_io_executor& executor, const kube::Access& access,
        const kube::CredentialOptions& credentials, const std::string& name,
        ExerciseOptions options, exercise::Exerciser::Tell tell, std::function<TimePoint()> now);
    ~LiveExercise();

    /// `leaving` is asked while it waits.
    boost::asio::awaitable<Result<void>> open(std::function<bool()> leaving);
    /// Before round `index`, from 0: begins a phase if one is due, and returns at once. While the
    /// cluster was not seen, and while the phase before is under way, the next one waits.
    void round(std::uint64_t index, const model::Snapshot& before);
    boost::asio::awaitable<Result<void>> close();

    std::optional<model::Stimulus> stimulus() const;
    cluster::SourceReport report() const;
    /// Waits for plugins; to be called before the executor's context goes.
    void quiet();

    struct Inside;

private:
    explicit LiveExercise(std::shared_ptr<Inside> inside);
    std::shared_ptr<Inside> inside_;
};

}  // namespace parley::app
