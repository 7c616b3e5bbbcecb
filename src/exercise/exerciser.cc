#include "exercise/exerciser.h"

#include "base/clock_wait.h"
#include "base/time_text.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <utility>

namespace parley::exercise {

namespace asio = boost::asio;

namespace {

/// One place with what is under way there.
struct Player {
    Place place;
    bool usable = true;
    bool busy = false;
};

constexpr Duration kGlance = milliseconds(20);

bool nobody(const cluster::Cast& cast) { return cast.pods + cast.leaving == 0; }

}  // namespace

struct Exerciser::Inside {
    asio::any_io_executor executor;
    PlanOptions options;
    std::vector<std::shared_ptr<Player>> players;
    Tell tell;
    Clock clock;
    Timing timing;
    std::optional<model::Stimulus> stimulus;
    std::string trouble;   ///< Of the last phase; empty: it had its effect.
    bool closing = false;  ///< Nothing more is put.

    void say(const Player& player, std::string text, bool fine = true) const {
        tell({player.place.name, std::move(text), fine});
    }
    asio::awaitable<Result<cluster::Cast>> look_until(
        std::shared_ptr<cluster::Stage> stage, std::function<bool(const cluster::Cast&)> enough,
        Duration limit) const;
    asio::awaitable<Result<Effect>> play(std::shared_ptr<Player> player, Plan plan);
    asio::awaitable<void> mirror(std::shared_ptr<Inside> self, std::shared_ptr<Player> player,
                                 Plan plan);
    asio::awaitable<void> lead(Plan plan);
    asio::awaitable<Result<void>> close(std::shared_ptr<Player> player);
};

asio::awaitable<Result<cluster::Cast>> Exerciser::Inside::look_until(
    std::shared_ptr<cluster::Stage> stage, std::function<bool(const cluster::Cast&)> enough,
    Duration limit) const {
    const Deadline deadline(limit);
    for (;;) {
        auto cast = co_await stage->look();
        if (!cast || enough(*cast) || deadline.over() || closing) co_return cast;
        co_await pause(timing.look);
    }
}

/// Clears, puts and looks. The stimulus of the first place begins when its pods were taken.
asio::awaitable<Result<Effect>> Exerciser::Inside::play(std::shared_ptr<Player> player, Plan plan) {
    const bool leads = player == players.front();
    const auto stage = player->place.stage;
    if (auto cleared = co_await stage->clear(); !cleared) co_return tl::unexpected(cleared.error());
    auto left = co_await look_until(stage, nobody, timing.leave);
    if (!left) co_return tl::unexpected(left.error());
    if (!plan.fillers.empty() && closing)
        co_return fail(ErrorCode::gone, "nothing was put, as it ended");
    if (!plan.fillers.empty()) {
        if (auto put = co_await stage->put(plan.fillers); !put) {
            co_return tl::unexpected(put.error());
        }
    }
    if (leads) {
        stimulus = plan.stimulus;
        stimulus->since = clock();
    }
    if (plan.fillers.empty()) co_return effect_of(plan, *left);
    const auto enough = [plan](const cluster::Cast& cast) { return effect_of(plan, cast).reached; };
    const Duration limit =
        (plan.phase.waits ? timing.wait : timing.run) + timing.each * pods_of(plan.fillers);
    auto cast = co_await look_until(stage, enough, limit);
    if (!cast) co_return tl::unexpected(cast.error());
    co_return effect_of(plan, *cast);
}

asio::awaitable<void> Exerciser::Inside::lead(Plan plan) {
    const std::shared_ptr<Player> first = players.front();
    const Stopwatch begun;
    first->busy = true;
    auto effect = co_await play(first, plan);
    first->busy = false;
    const std::string name(plan.phase.name);
    if (closing) {  // Cut short, so that what is missing is no trouble of the phase.
        const std::string put = effect ? plan.stimulus.text + "; " : "";
        say(*first, name + ": " + put + "cut off by the end after " + print_age(begun.passed()) +
                        ": " + (effect ? effect->text : effect.error().message));
        co_return;
    }
    if (!effect) {
        trouble = name + ": " + effect.error().message;
        say(*first, trouble, false);
        co_return;
    }
    const std::string took = " after " + print_age(begun.passed());
    if (stimulus) stimulus->text = plan.stimulus.text + ": " + effect->text;
    trouble = effect->reached ? "" : name + " had no effect: " + effect->text + took;
    std::string said =
        name + ": " + plan.stimulus.text + "; meant " + std::string(plan.phase.intent);
    said += "; " + effect->text + took + (effect->reached ? "" : ", which is not what was meant");
    say(*first, std::move(said), effect->reached);
}

asio::awaitable<void> Exerciser::Inside::mirror(std::shared_ptr<Inside> self,
                                                std::shared_ptr<Player> player, Plan plan) {
    // Nodes of another cluster have other names: there the pods go where there is room.
    for (cluster::Filler& filler : plan.fillers) filler.node.clear();
    auto effect = co_await play(player, plan);
    player->busy = false;
    const std::string name(plan.phase.name);
    if (!effect) {
        say(*player, name + ": " + effect.error().message, false);
    } else {
        say(*player, name + ": " + effect->text, effect->reached);
    }
    self.reset();
}

asio::awaitable<Result<void>> Exerciser::Inside::close(std::shared_ptr<Player> player) {
    if (!player->usable) co_return Result<void>{};
    auto kept = co_await player->place.stage->close();
    if (!kept) {
        say(*player, "could not clean up: " + kept.error().message, false);
        co_return tl::unexpected(kept.error());
    }
    say(*player, kept->empty() ? "cleaned up namespace " + player->place.space : *kept,
        kept->empty());
    co_return Result<void>{};
}

Exerciser::Exerciser(const asio::any_io_executor& executor, PlanOptions options,
                     std::vector<Place> places, Tell tell, Clock clock, Timing timing)
    : inside_(std::make_shared<Inside>(Inside{executor,
                                              std::move(options),
                                              {},
                                              std::move(tell),
                                              std::move(clock),
                                              timing,
                                              {},
                                              {},
                                              false})) {
    for (Place& place : places) {
        inside_->players.push_back(std::make_shared<Player>(Player{std::move(place)}));
    }
}

Exerciser::~Exerciser() = default;

asio::awaitable<Result<void>> Exerciser::open() {
    for (const std::shared_ptr<Player>& player : inside_->players) {
        auto opened = co_await player->place.stage->open();
        if (!opened) {
            player->usable = false;
            if (player == inside_->players.front()) co_return tl::unexpected(opened.error());
            inside_->say(*player, "left out: " + opened.error().message, false);
            continue;
        }
        std::string text = (opened->made ? "made namespace " : "uses namespace ") +
                           player->place.space + " and touches nothing else";
        if (opened->leftovers > 0) {
            text += "; deleted " + std::to_string(opened->leftovers) +
                    (opened->leftovers == 1 ? " Deployment" : " Deployments") +
                    " that an exerciser before had left";
        }
        inside_->say(*player, std::move(text));
    }
    co_return Result<void>{};
}

asio::awaitable<void> Exerciser::go_to(std::int64_t number, model::Snapshot snapshot) {
    auto plan = plan_phase(inside_->options, number, snapshot);
    if (!plan) {
        inside_->trouble = plan.error().message;
        inside_->say(*inside_->players.front(), plan.error().message, false);
        co_return;
    }
    for (std::size_t i = 1; i < inside_->players.size(); ++i) {
        const std::shared_ptr<Player>& player = inside_->players[i];
        if (!player->usable) continue;
        if (std::exchange(player->busy, true)) {
            inside_->say(*player, std::string(plan->phase.name) + " left out: still busy", false);
            continue;
        }
        asio::co_spawn(inside_->executor, inside_->mirror(inside_, player, *plan), asio::detached);
    }
    co_await inside_->lead(*plan);
}

asio::awaitable<Result<void>> Exerciser::close() {
    inside_->closing = true;
    Result<void> first;
    for (const std::shared_ptr<Player>& player : inside_->players) {
        while (player->busy) co_await pause(kGlance);
        auto closed = co_await inside_->close(player);
        if (!closed && first) first = closed;
    }
    inside_->stimulus.reset();
    co_return first;
}

std::optional<model::Stimulus> Exerciser::stimulus() const { return inside_->stimulus; }

cluster::SourceReport Exerciser::report() const {
    return {.source = model::Source::exerciser,
            .failed = !inside_->trouble.empty(),
            .reason = inside_->trouble};
}

}  // namespace parley::exercise
