#include "apps/live/live_exercise.h"

#include "kube/exercise/exercise_stage.h"
#include "model/sources.h"
#include "version.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <set>
#include <utility>

namespace parley::app {

namespace asio = boost::asio;

struct LiveExercise::Inside {
    asio::any_io_executor executor;
    ExerciseOptions options;
    std::vector<std::shared_ptr<kube::Api>> apis;
    std::optional<exercise::Exerciser> exerciser;
    exercise::Schedule schedule;
    bool under_way = false;
    std::optional<std::pair<std::int64_t, model::Snapshot>> next;

    Result<exercise::Place> place(const kube::Access& access,
                                  const kube::CredentialOptions& credentials,
                                  const std::string& name, const std::string& space);
};

Result<exercise::Place> LiveExercise::Inside::place(const kube::Access& access,
                                                    const kube::CredentialOptions& credentials,
                                                    const std::string& name,
                                                    const std::string& space) {
    if (auto usable = kube::usable_space(space); !usable) return tl::unexpected(usable.error());
    // A user agent of its own, so that the audit log tells its changes from Parley's decisions.
    auto made = kube::Api::make(
        executor, access,
        {.user_agent = std::string("parley-exerciser/") + kVersion, .credentials = credentials});
    if (!made) return within(name, made.error());
    apis.push_back(*std::move(made));
    const kube::StageOptions stage{.space = space, .image = options.image};
    return exercise::Place{name, space, std::make_shared<kube::ExerciseStage>(apis.back(), stage)};
}

namespace {

/// Runs the phases, as long as one is waiting.
asio::awaitable<void> drive(std::shared_ptr<LiveExercise::Inside> inside) {
    while (inside->next) {
        auto [number, snapshot] = *std::exchange(inside->next, std::nullopt);
        co_await inside->exerciser->go_to(number, std::move(snapshot));
    }
    inside->under_way = false;
}

}  // namespace

Result<void> check_places(const kube::Access& access, const ExerciseOptions& options) {
    std::set<std::pair<std::string, std::string>> taken = {
        {access.server.text(), options.plan.space}};
    for (const Mirror& mirror : options.mirrors) {
        if (taken.emplace(mirror.cluster.access.server.text(), mirror.space).second) continue;
        return fail(ErrorCode::denied,
                    "--mirror-exercise-kubeconfig: namespace " + mirror.space + " of " +
                        mirror.cluster.name +
                        " is used already, and phases would delete each other; name another "
                        "cluster, or with --mirror-exercise-namespace another namespace");
    }
    return {};
}

std::string touched_text(const std::string& name, const ExerciseOptions& options) {
    std::string text = "The exerciser changes namespace " + options.plan.space + " of " + name;
    for (const Mirror& mirror : options.mirrors) {
        text += ", namespace " + mirror.space + " of " + mirror.cluster.name;
    }
    return text + ", and nothing else.";
}

LiveExercise::LiveExercise(std::shared_ptr<Inside> inside) : inside_(std::move(inside)) {}
LiveExercise::~LiveExercise() = default;

Result<std::unique_ptr<LiveExercise>> LiveExercise::make(
    const asio::any_io_executor& executor, const kube::Access& access,
    const kube::CredentialOptions& credentials, const std::string& name, ExerciseOptions options,
    exercise::Exerciser::Tell tell, std::function<TimePoint()> now) {
    const std::int64_t every = options.every;
    auto inside = std::make_shared<Inside>(
        Inside{executor, std::move(options), {}, {}, exercise::Schedule(every), false, {}});
    std::vector<exercise::Place> places;
    auto first = inside->place(access, credentials, name, inside->options.plan.space);
    if (!first) return tl::unexpected(first.error());
    places.push_back(*std::move(first));
    if (auto apart = check_places(access, inside->options); !apart) {
        return tl::unexpected(apart.error());
    }
    for (const Mirror& mirror : inside->options.mirrors) {
        auto other = inside->place(mirror.cluster.access, mirror.cluster.credentials,
                                   mirror.cluster.name, mirror.space);
        if (!other) return tl::unexpected(other.error());
        places.push_back(*std::move(other));
    }
    inside->exerciser.emplace(executor, inside->options.plan, std::move(places), std::move(tell),
                              std::move(now));
    return std::unique_ptr<LiveExercise>(new LiveExercise(std::move(inside)));
}

asio::awaitable<Result<void>> LiveExercise::open(std::function<bool()> leaving) {
    return inside_->exerciser->open(std::move(leaving));
}

void LiveExercise::round(std::uint64_t index, const model::Snapshot& before) {
    const model::SourceState* api = model::state_of(before, model::Source::api);
    if (api == nullptr || api->condition != model::SourceCondition::ok) return;
    const auto due = inside_->schedule.due(static_cast<std::int64_t>(index));
    if (!due) return;
    inside_->next = {*due, before};
    if (std::exchange(inside_->under_way, true)) return;
    asio::co_spawn(inside_->executor, drive(inside_), asio::detached);
}

asio::awaitable<Result<void>> LiveExercise::close() {
    inside_->next.reset();
    return inside_->exerciser->close();
}

std::optional<model::Stimulus> LiveExercise::stimulus() const {
    return inside_->exerciser->stimulus();
}
cluster::SourceReport LiveExercise::report() const { return inside_->exerciser->report(); }

void LiveExercise::quiet() {
    for (const std::shared_ptr<kube::Api>& api : inside_->apis) api->quiet();
}

}  // namespace parley::app
