#include "apps/live/live_hands.h"

#include "base/clock.h"
#include "base/clock_round.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/this_coro.hpp>

#include <array>
#include <unistd.h>
#include <utility>

namespace parley::app {
namespace {

/// "worker-3_71_2438421948357733": for people, and different for every process.
std::string process_name(std::uint64_t seed) {
    std::array<char, 256> host{};
    if (gethostname(host.data(), host.size() - 1) != 0) host[0] = '?';
    return std::string(host.data()) + "_" + std::to_string(getpid()) + "_" + std::to_string(seed);
}

}  // namespace

LiveHands::LiveHands(const std::shared_ptr<kube::Api>& api, const std::string& home,
                     std::uint64_t seed, std::shared_ptr<kube::OwnWrites> own)
    : name_(process_name(seed)),
      leader_(api, {.space = home}, name_, {}, [] { return read_clocks().boot; }),
      hand_(
          api, [this] { return left(); }, std::move(own)),
      orders_(
          api, home, hand_, hand_, [this] { return left(); }, wall_now),
      ledger_(api, {.space = home}, [this] { return left(); }),
      stop_(api, home) {}

void LiveHands::provide(std::shared_ptr<kube::ProviderDesk> desk, std::shared_ptr<kube::Api> api) {
    provider_.emplace(std::move(desk), std::move(api), orders_, orders_, [this] { return left(); });
}

boost::asio::awaitable<void> LiveHands::begin() {
    co_await leader_.attempt();
    co_await stop_.look();
    const auto executor = co_await boost::asio::this_coro::executor;
    boost::asio::co_spawn(executor, leader_.follow(), boost::asio::detached);
    boost::asio::co_spawn(executor, stop_.follow(), boost::asio::detached);
}

boost::asio::awaitable<void> LiveHands::end() { co_await leader_.resign(); }

std::optional<std::uint64_t> LiveHands::lead() {
    asked_ = leader_.now();
    if (!stop_.now()) {
        asked_.leads = false;
        asked_.trouble = stop_.trouble();
    }
    const std::uint64_t before = epoch_;
    epoch_ = asked_.leads ? asked_.epoch : 0;
    if (epoch_ != before) hand_.take_over();
    return asked_.leads ? std::optional(asked_.epoch) : std::nullopt;
}

Duration LiveHands::left() const {
    const kube::Leadership now = leader_.now();
    return now.leads && now.epoch == epoch_ ? leader_.left() : Duration{};
}

}  // namespace parley::app
