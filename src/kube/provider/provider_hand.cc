#include "kube/provider/provider_hand.h"

#include "kube/provider/occupants.h"

#include <optional>
#include <utility>
#include <variant>

namespace parley::kube {

namespace asio = boost::asio;
using namespace model;

namespace {

constexpr http::Limits kLimits{.connect = seconds(3), .head = seconds(10), .whole = seconds(15)};
/// A step reads its node and changes it at once, so that one would do; actions may overlap.
constexpr std::size_t kLastMax = 256;

/// What is asked of a provider, of a request that is for one.
struct Asked {
    Ability ability = Ability::power;
    NodeId node;
    std::string wish;
    std::int64_t value = 0;  ///< As the book keeps it.
    std::optional<PowerWish> power = {};
};

std::optional<Asked> asked_by(const Request& request) {
    if (const auto* power = std::get_if<SetPower>(&request)) {
        const Power becomes = power->state == PowerWish::sleep ? Power::sleep
                              : power->state == PowerWish::off ? Power::off
                                                               : Power::on;
        return Asked{Ability::power, power->node, word_of(power->state),
                     static_cast<std::int64_t>(becomes), power->state};
    }
    if (const auto* clock = std::get_if<SetClock>(&request)) {
        return Asked{Ability::clock, clock->node, std::to_string(clock->clock_ppm),
                     clock->clock_ppm};
    }
    return std::nullopt;
}

bool is_there(const Asked& asked, std::int64_t now) {
    return asked.power ? is_as_wanted(static_cast<Power>(now), *asked.power) : now == asked.value;
}

}  // namespace

ProviderHand::ProviderHand(std::shared_ptr<ProviderDesk> desk, std::shared_ptr<Api> api,
                           cluster::Reader& reader, cluster::Writer& writer, Term term)
    : desk_(std::move(desk)),
      api_(std::move(api)),
      reader_(reader),
      writer_(writer),
      term_(std::move(term)) {}

bool ProviderHand::handles(const Request& request) { return asked_by(request).has_value(); }

asio::awaitable<Result<Live>> ProviderHand::read(Request about) {
    const auto asked = asked_by(about);
    if (!asked) co_return co_await reader_.read(std::move(about));
    const std::string node = asked->node.text();
    last_.erase(node);
    Request the_node = PutMark{.target = asked->node};
    auto live = co_await reader_.read(std::move(the_node));
    if (!live) co_return live;
    live->applied = false;
    if (!live->exists) co_return live;
    const auto now = co_await desk_->read(asked->ability, node, live->uid);
    if (!now) co_return tl::unexpected(now.error());
    live->applied = is_there(*asked, *now);
    if (last_.size() >= kLastMax) last_.clear();
    last_[node] = Precondition{live->uid, live->version};
    co_return live;
}

asio::awaitable<Result<void>> ProviderHand::see_it_empty(std::string node) {
    const std::string what = "looking who is on node " + node;
    auto answer = co_await api_->get(occupants_path(node), what, kLimits);
    if (!answer) co_return tl::unexpected(answer.error());
    const auto there = occupants_in(answer->body);
    if (!there) {
        Error error = there.error();
        error.code = ErrorCode::unavailable;  // Surely nothing was switched.
        co_return within(what, std::move(error));
    }
    if (there->empty()) co_return Result<void>{};
    co_return fail(ErrorCode::blocked,
                   "node " + node + " is not switched while " + *there + " is on it");
}

asio::awaitable<Result<void>> ProviderHand::apply(Request request, Precondition only_if,
                                                  cluster::Stamp stamp) {
    const auto asked = asked_by(request);
    if (!asked) co_return co_await writer_.apply(std::move(request), only_if, stamp);
    const Deadline fresh(stamp.fresh);
    const std::string node = asked->node.text();
    const auto found = last_.find(node);
    if (found == last_.end() || found->second != only_if) {
        co_return fail(ErrorCode::conflict,
                       "node " + node + " was not read in this version; it is read again");
    }
    last_.erase(found);  // What we change is not what was read any more.
    if (asked->power && *asked->power != PowerWish::on) {
        auto empty = co_await see_it_empty(node);
        if (!empty) co_return empty;
    }
    if (fresh.over() && !stamp.undo) {
        co_return fail(ErrorCode::unavailable,
                       "node " + node + " is not changed by what was decided too long ago");
    }
    ProviderCall call{asked->ability, node, only_if.uid, asked->wish, stamp};
    co_return co_await desk_->change(std::move(call), asked->value, term_);
}

}  // namespace parley::kube
