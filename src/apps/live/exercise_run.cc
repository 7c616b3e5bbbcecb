#include "apps/live/exercise_run.h"

#include "apps/live/live_watcher.h"
#include "base/clock_round.h"
#include "base/clock_wait.h"
#include "layers/observation/observer.h"
#include "version.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include <utility>

namespace parley::app {

namespace asio = boost::asio;

namespace {

constexpr Duration kGlance = milliseconds(50);
constexpr Duration kSeenEvery = seconds(1);

struct Run {
    ExerciseRunOptions options;
    std::function<bool()> leaving;
    std::shared_ptr<RoundClock> clock = std::make_shared<RoundClock>();
    asio::io_context loop{1};
    std::shared_ptr<kube::Api> api;
    std::unique_ptr<LiveWatcher> watcher;
    std::unique_ptr<LiveExercise> exercise;
    std::optional<observation::Observer> observer;
    Result<void> ended;

    ~Run();
    Result<void> open(exercise::Exerciser::Tell tell);
    asio::awaitable<void> go();
    asio::awaitable<void> phases();
};

// Everything releases the loop before it is destroyed.
Run::~Run() {
    if (api) api->quiet();
    if (exercise) exercise->quiet();
    observer.reset();
    watcher.reset();
    exercise.reset();
    api.reset();
}

Result<void> Run::open(exercise::Exerciser::Tell tell) {
    auto made = kube::Api::make(loop.get_executor(), options.cluster.access,
                                {.user_agent = std::string("parley/") + kVersion,
                                 .credentials = options.cluster.credentials});
    if (!made) return tl::unexpected(made.error());
    api = *std::move(made);
    options.exercise.every = 1;  // Here a phase has its own length.
    auto playing =
        LiveExercise::make(loop.get_executor(), options.cluster.access, options.cluster.credentials,
                           options.cluster.name, options.exercise, std::move(tell),
                           [time = clock] { return time->now(); });
    if (!playing) return tl::unexpected(playing.error());
    exercise = *std::move(playing);
    if (options.clean) return {};
    kube::WatcherOptions watching;
    watching.clock = clock;
    watching.metrics.on = false;  // Only requests are needed here.
    auto seen = LiveWatcher::make(loop.get_executor(), api, std::move(watching), {});
    if (!seen) return tl::unexpected(seen.error());
    watcher = *std::move(seen);
    observer.emplace(*watcher, observation::limits_of({}));
    return {};
}

asio::awaitable<void> Run::phases() {
    const Stopwatch begun;
    std::uint64_t round = 0;
    while (!leaving()) {
        const model::Snapshot seen = co_await observer->observe(++round, clock->now());
        const std::int64_t due = begun.passed().us / options.phase.us;
        if (options.phases && due >= *options.phases) break;
        exercise->round(static_cast<std::uint64_t>(due), seen);
        const Stopwatch waited;
        while (waited.passed() < kSeenEvery && !leaving()) co_await pause(kGlance);
    }
}

asio::awaitable<void> Run::go() {
    if (!options.clean) ended = co_await exercise->open(leaving);
    if (!ended && leaving()) {
        ended = {};  // Whoever ends the wait for a namespace gets what they asked for.
    } else if (ended) {
        if (!options.clean) co_await phases();
        ended = co_await exercise->close();
    }
    loop.stop();
}

}  // namespace

Result<void> run_exercise(ExerciseRunOptions options, exercise::Exerciser::Tell tell,
                          std::function<bool()> leaving) {
    Run run{.options = std::move(options), .leaving = std::move(leaving)};
    if (auto opened = run.open(std::move(tell)); !opened) return opened;
    asio::co_spawn(run.loop, run.go(), asio::detached);
    run.loop.run();
    return run.ended;
}

}  // namespace parley::app
