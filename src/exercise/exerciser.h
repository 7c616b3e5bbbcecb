// Exercise, the exerciser: a phase when it is due, put on every stage, and what came of it. It
// changes clusters by way of its stages alone.

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
    Duration space = seconds(60);       ///< For a namespace that is being deleted to go.
    Duration leave = seconds(8);        ///< For the pods of the phase before to go.
    Duration run = seconds(8);          ///< For pods to be ready.
    Duration wait = seconds(2);         ///< For pods that are meant to find no place.
    Duration each = milliseconds(100);  ///< More for every pod, as they come one by one.
    Duration look = milliseconds(250);
    /// Until a phase without effect is looked at again, then twice as long each time up to the
    /// second. Zero: it is not.
    Duration follow = seconds(1);
    Duration follow_max = seconds(5);
};

struct Place {
    std::string name;   ///< Of the cluster, for people.
    std::string space;  ///< The namespace, likewise.
    std::shared_ptr<cluster::Stage> stage;
};

/// What happened somewhere, for people: one sentence.
struct Happened {
    std::string place;
    std::string text;
    bool fine = true;
    bool last = true;  ///< Of the phase; otherwise what stays wrong is said again at its end.
};

/// On one executor. The first place is where sizes come from and what the stimulus speaks of; the
/// others are mirrors: the same phase in the same sizes, and none of them holds up the first.
class Exerciser {
public:
    using Tell = std::function<void(Happened)>;
    using Clock = std::function<TimePoint()>;
    Exerciser(const boost::asio::any_io_executor& executor, PlanOptions options,
              std::vector<Place> places, Tell tell, Clock clock, Timing timing = {});
    ~Exerciser();

    /// Must succeed at the first place, which alone is waited for; a mirror that fails is told and
    /// left out. `leaving` ends the wait for a namespace that is being deleted.
    boost::asio::awaitable<Result<void>> open(std::function<bool()> leaving = {});

    /// Goes on to a phase; returns when its effect was seen at the first place, or did not come in
    /// time. Nothing is put if the snapshot says that it cannot have an effect. A phase without
    /// effect is followed until the next one: a reason that is known only then is told, each once,
    /// and the end of the phase says it again.
    boost::asio::awaitable<void> go_to(std::int64_t number, model::Snapshot snapshot);

    /// Ends what is under way and deletes everything that it put anywhere. Only the first error is
    /// given; all are told.
    boost::asio::awaitable<Result<void>> close();

    std::optional<model::Stimulus> stimulus() const;
    cluster::SourceReport report() const;

    struct Inside;

private:
    std::shared_ptr<Inside> inside_;
};

/// Asks for the phase of a number whenever it is due, and leaves out those that there was no time
/// for. Pure.
class Schedule {
public:
    explicit Schedule(std::int64_t rounds_per_phase) : rounds_(rounds_per_phase) {}

    /// The phase that round `index` (from 0) is in, if it was not given before.
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
