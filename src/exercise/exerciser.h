// Exercise, the exerciser: puts each phase on every stage when it is due, and tells what came of
// it. It changes clusters only through its stages.

#pragma once

#include "cluster/changes.h"
#include "cluster/stage.h"
#include "exercise/plan.h"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace parley::exercise {

struct Timing {
    Duration space = seconds(60);       ///< Time for a namespace that is being deleted to vanish.
    Duration leave = seconds(8);        ///< Time for the pods of the last phase to vanish.
    Duration run = seconds(8);          ///< Time for pods to become ready.
    Duration wait = seconds(2);         ///< Time for pods that are intended to find no place.
    Duration each = milliseconds(100);  ///< Added for every pod, since they come one by one.
    Duration look = milliseconds(250);
    /// How soon a phase without effect is looked at again; doubles each time, up to the second
    /// value. Zero: never.
    Duration follow = seconds(1);
    Duration follow_max = seconds(5);
};

struct Place {
    std::string name;   ///< Of the cluster, for people.
    std::string space;  ///< The namespace, for people.
    std::shared_ptr<cluster::Stage> stage;
};

/// What happened somewhere, for people: one sentence.
struct Happened {
    std::string place;
    std::string text;
    bool fine = true;
    /// The last word on this phase; otherwise trouble that remains is repeated at its end.
    bool last = true;
};

/// Used on one executor. Sizes come from the first place, and the stimulus is about it; the others
/// are mirrors, which get the same phase in the same sizes and never delay the first.
class Exerciser {
public:
    using Tell = std::function<void(Happened)>;
    using Clock = std::function<TimePoint()>;
    Exerciser(const boost::asio::any_io_executor& executor, PlanOptions options,
              std::vector<Place> places, Tell tell, Clock clock, Timing timing = {});
    ~Exerciser();

    /// Opens all places. Waits for the first, which must succeed; a mirror that fails is reported
    /// and left out. `leaving` ends the wait for a namespace that is being deleted.
    boost::asio::awaitable<Result<void>> open(std::function<bool()> leaving = {});

    /// Begins a phase; returns when its effect was seen at the first place, or did not come in
    /// time. Puts nothing if the snapshot says that it cannot have an effect. A phase without
    /// effect is watched until the next one: each reason that becomes known is reported once, and
    /// again at the end of the phase.
    boost::asio::awaitable<void> go_to(std::int64_t number, model::Snapshot snapshot);

    /// Ends what is under way and deletes everything that it put anywhere. Returns the first error;
    /// all are reported.
    boost::asio::awaitable<Result<void>> close();

    std::optional<model::Stimulus> stimulus() const;
    cluster::SourceReport report() const;

    struct Inside;

private:
    std::shared_ptr<Inside> inside_;
};

/// Says which phase is due; phases for which there was no time are skipped. Pure.
class Schedule {
public:
    explicit Schedule(std::int64_t rounds_per_phase) : rounds_(rounds_per_phase) {}

    /// The phase of round `index` (from 0), unless it was returned before.
    std::optional<std::int64_t> due(std::int64_t index) {
        const std::int64_t number = index / rounds_;
        if (given_ && number <= *given_) return std::nullopt;
        given_ = number;
        return number;
    }

private:
    std::int64_t rounds_;
    std::optional<std::int64_t> given_;
};

}  // namespace parley::exercise
