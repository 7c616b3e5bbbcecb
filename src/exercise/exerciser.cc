#include "exercise/exerciser.h"

#include "base/clock_wait.h"
#include "base/time_text.h"
#include "exercise/hindrance.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <algorithm>
#include <utility>

namespace parley::exercise {

namespace asio = boost::asio;

namespace {

/// A phase that did not have its effect in time, until the next one begins.
struct Unmet {
    Plan plan;
    Effect effect;  ///< As last seen, with the last reason that was given.
    Stopwatch begun;
    std::vector<Hindrance> told = {};

    std::string name() const { return std::string(plan.phase.name); }
};

/// One place with what is under way there.
struct Player {
    Place place;
    bool usable = true;
    bool busy = false;
    std::int32_t followed = 0;  ///< Watches that have not ended yet.
    std::shared_ptr<Unmet> unmet = {};
};

constexpr Duration kGlance = milliseconds(20);

bool nobody(const cluster::Cast& cast) { return cast.pods + cast.leaving == 0; }

/// "0 of 3 run: ErrImagePull, no such host; name an image ...".
std::string with_reason(const Effect& effect, const Place& place) {
    if (!effect.trouble) return effect.text;
    return effect.text + ": " + why_text(*effect.trouble, place.space);
}

/// What a refused request says, and what to do about it if that is clear.
std::string refusal_text(const std::string& message, const Place& place) {
    const Hindrance hindrance = hindrance_of({.message = message});
    if (hindrance == Hindrance::other || hindrance == Hindrance::unknown) return message;
    return message + "; " + advice_on(hindrance, place.space);
}

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
    bool closing = false;  ///< No more pods are put.

    bool leads(const Player& player) const { return &player == players.front().get(); }
    void say(const Player& player, std::string text, bool fine = true, bool last = true) const {
        tell({player.place.name, std::move(text), fine, last});
    }
    void show(const Player& player, const Plan& plan, const Effect& effect, Duration after);
    void refuse(const Plan& plan, const std::string& why);
    void settle(Player& player) const;
    void learn(Player& player, Effect now);
    asio::awaitable<Result<cluster::Cast>> look_until(
        std::shared_ptr<cluster::Stage> stage, std::function<bool(const cluster::Cast&)> enough,
        Duration limit) const;
    asio::awaitable<Result<Effect>> play(std::shared_ptr<Player> player, Plan plan);
    asio::awaitable<Result<void>> enter(std::shared_ptr<Player> player,
                                        std::function<bool()> leaving) const;
    asio::awaitable<void> join(std::shared_ptr<Inside> self, std::shared_ptr<Player> player);
    asio::awaitable<void> follow(std::shared_ptr<Inside> self, std::shared_ptr<Player> player);
    asio::awaitable<void> act(std::shared_ptr<Inside> self, std::shared_ptr<Player> player,
                              Plan plan);
    void report(const std::shared_ptr<Inside>& self, const std::shared_ptr<Player>& player,
                Unmet phase, const Result<Effect>& effect);
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

/// Opens a place, and reports how that went unless it failed.
asio::awaitable<Result<void>> Exerciser::Inside::enter(std::shared_ptr<Player> player,
                                                       std::function<bool()> leaving) const {
    const std::string space = "namespace " + player->place.space;
    const Deadline deadline(timing.space);
    auto opened = co_await player->place.stage->open();
    if (opened && opened->going) {
        say(*player, "waits for " + space + ", which is being deleted, to be gone");
    }
    while (opened && opened->going) {
        if (closing || (leaving && leaving())) {
            co_return fail(ErrorCode::gone, "ended while " + space + " was being deleted");
        }
        if (deadline.over()) {
            co_return fail(ErrorCode::unavailable,
                           space + " has been being deleted for " + print_age(timing.space) +
                               "; see what keeps it: kubectl get namespace " + player->place.space +
                               " -o yaml");
        }
        co_await pause(timing.look);
        opened = co_await player->place.stage->open();
    }
    if (!opened) co_return tl::unexpected(opened.error());
    std::string text = (opened->made ? "made " : "uses ") + space + " and touches nothing else";
    if (opened->leftovers > 0) {
        text += "; deleted " + std::to_string(opened->leftovers) +
                (opened->leftovers == 1 ? " Deployment" : " Deployments") +
                " that an exerciser before had left";
    }
    say(*player, std::move(text));
    co_return Result<void>{};
}

/// Opens a mirror.
asio::awaitable<void> Exerciser::Inside::join(std::shared_ptr<Inside> self,
                                              std::shared_ptr<Player> player) {
    std::function<bool()> never;
    auto entered = co_await enter(player, std::move(never));
    player->busy = false;
    player->usable = entered.has_value();
    if (!entered) say(*player, "left out: " + entered.error().message, false);
    self.reset();
}

/// Clears, puts pods, and looks. The stimulus of the first place begins when its pods were
/// accepted.
asio::awaitable<Result<Effect>> Exerciser::Inside::play(std::shared_ptr<Player> player, Plan plan) {
    const auto stage = player->place.stage;
    if (auto cleared = co_await stage->clear(); !cleared) co_return tl::unexpected(cleared.error());
    auto left = co_await look_until(stage, nobody, timing.leave);
    if (!left) co_return tl::unexpected(left.error());
    if (!plan.fillers.empty() && closing)
        co_return fail(ErrorCode::gone, "nothing was put, as it ended");
    if (!plan.fillers.empty()) {
        if (auto put = co_await stage->put(plan.fillers); !put) {
            if (leads(*player)) refuse(plan, refusal_text(put.error().message, player->place));
            co_return tl::unexpected(put.error());
        }
    }
    if (leads(*player)) {
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

/// The stimulus and the state of the source concern the first place only.
void Exerciser::Inside::show(const Player& player, const Plan& plan, const Effect& effect,
                             Duration after) {
    if (!leads(player)) return;
    const std::string text = with_reason(effect, player.place);
    if (stimulus) stimulus->text = plan.stimulus.text + ": " + text;
    trouble = effect.reached ? ""
                             : std::string(plan.phase.name) + " had no effect after " +
                                   print_age(after) + ": " + text;
}

/// The last phase was deleted and this one was not put: nothing is expected to move.
void Exerciser::Inside::refuse(const Plan& plan, const std::string& why) {
    stimulus = {.phase = plan.stimulus.phase, .text = "not put: " + why, .since = clock()};
}

/// Repeats at the end of a phase what went wrong.
void Exerciser::Inside::settle(Player& player) const {
    const auto unmet = std::exchange(player.unmet, nullptr);
    if (!unmet) return;
    say(player,
        unmet->name() + " ended without its effect after " + print_age(unmet->begun.passed()) +
            ": " + with_reason(unmet->effect, player.place),
        false);
}

/// What a later look shows: the effect after all, or a reason that was not reported in this phase.
void Exerciser::Inside::learn(Player& player, Effect now) {
    const auto unmet = player.unmet;
    const Duration after = unmet->begun.passed();
    if (now.reached) {
        player.unmet.reset();
        show(player, unmet->plan, now, after);
        say(player, unmet->name() + ": " + now.text + " after " + print_age(after) +
                        ", which is late, but what was meant");
        return;
    }
    const Hindrance why = now.trouble ? hindrance_of(*now.trouble) : Hindrance::unknown;
    const bool known =
        std::ranges::any_of(unmet->told, [](Hindrance each) { return each != Hindrance::unknown; });
    if (known && (why == Hindrance::unknown || why == Hindrance::pulling)) {
        now.trouble = unmet->effect.trouble;  // Keeps the better reason.
    }
    unmet->effect = std::move(now);
    if (why == Hindrance::unknown || (known && why == Hindrance::pulling)) return;
    if (std::ranges::find(unmet->told, why) != unmet->told.end()) return;
    unmet->told.push_back(why);
    show(player, unmet->plan, unmet->effect, after);
    say(player,
        unmet->name() + ": still " + with_reason(unmet->effect, player.place) + " (after " +
            print_age(after) + ")",
        false, false);
}

asio::awaitable<void> Exerciser::Inside::follow(std::shared_ptr<Inside> self,
                                                std::shared_ptr<Player> player) {
    const auto mine = player->unmet;
    const auto over = [&] { return player->unmet != mine || closing; };
    for (Duration wait = timing.follow; !over(); wait = std::min(wait * 2, timing.follow_max)) {
        const Deadline next(wait);
        while (!next.over() && !over()) co_await pause(timing.look);
        if (over()) break;
        auto cast = co_await player->place.stage->look();
        if (cast && !over()) learn(*player, effect_of(mine->plan, *cast));
    }
    --player->followed;
    self.reset();
}

/// The first report on a phase.
void Exerciser::Inside::report(const std::shared_ptr<Inside>& self,
                               const std::shared_ptr<Player>& player, Unmet phase,
                               const Result<Effect>& effect) {
    const std::string took = " after " + print_age(phase.begun.passed());
    std::string put = leads(*player) ? phase.plan.stimulus.text + "; " : "";
    if (closing) {  // Cut short, so what is missing is not the phase's fault.
        const bool says = effect && effect->trouble && effect->trouble->known();
        say(*player, phase.name() + ": " + (effect ? put : "") + "cut off by the end" + took +
                         ": " +
                         (!effect ? effect.error().message
                          : says  ? with_reason(*effect, player->place)
                                  : effect->text));
        return;
    }
    if (!effect) {
        std::string text =
            phase.name() + ": " + refusal_text(effect.error().message, player->place);
        if (leads(*player)) trouble = text;
        say(*player, std::move(text), false);
        return;
    }
    show(*player, phase.plan, *effect, phase.begun.passed());
    if (leads(*player)) put += "meant " + std::string(phase.plan.phase.intent) + "; ";
    std::string text = phase.name() + ": " + put + effect->text + took;
    if (effect->reached) {
        say(*player, std::move(text));
        return;
    }
    text += ", which is not what was meant";
    if (effect->trouble) text += ": " + why_text(*effect->trouble, player->place.space);
    say(*player, std::move(text), false, false);
    phase.effect = *effect;
    phase.told = {effect->trouble ? hindrance_of(*effect->trouble) : Hindrance::unknown};
    player->unmet = std::make_shared<Unmet>(std::move(phase));
    if (timing.follow.us <= 0) return;
    ++player->followed;
    asio::co_spawn(executor, follow(self, player), asio::detached);
}

asio::awaitable<void> Exerciser::Inside::act(std::shared_ptr<Inside> self,
                                             std::shared_ptr<Player> player, Plan plan) {
    settle(*player);
    if (!leads(*player)) {
        // Nodes of another cluster have other names, so the pods go wherever there is room.
        for (cluster::Filler& filler : plan.fillers) filler.node.clear();
    }
    Unmet phase{.plan = plan, .effect = {}, .begun = {}};
    player->busy = true;
    const auto effect = co_await play(player, std::move(plan));
    player->busy = false;
    report(self, player, std::move(phase), effect);
}

asio::awaitable<Result<void>> Exerciser::Inside::close(std::shared_ptr<Player> player) {
    if (!player->usable) co_return Result<void>{};
    settle(*player);
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

asio::awaitable<Result<void>> Exerciser::open(std::function<bool()> leaving) {
    for (const std::shared_ptr<Player>& player : inside_->players) {
        if (!inside_->leads(*player)) {
            player->usable = false;  // Left out until then.
            player->busy = true;
            asio::co_spawn(inside_->executor, inside_->join(inside_, player), asio::detached);
            continue;
        }
        auto entered = co_await inside_->enter(player, leaving);
        if (!entered) co_return entered;
    }
    co_return Result<void>{};
}

asio::awaitable<void> Exerciser::go_to(std::int64_t number, model::Snapshot snapshot) {
    auto plan = plan_phase(inside_->options, number, snapshot);
    if (!plan) {
        inside_->settle(*inside_->players.front());
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
        asio::co_spawn(inside_->executor, inside_->act(inside_, player, *plan), asio::detached);
    }
    co_await inside_->act(inside_, inside_->players.front(), *std::move(plan));
}

asio::awaitable<Result<void>> Exerciser::close() {
    inside_->closing = true;
    Result<void> first;
    for (const std::shared_ptr<Player>& player : inside_->players) {
        while (player->busy || player->followed > 0) co_await pause(kGlance);
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
