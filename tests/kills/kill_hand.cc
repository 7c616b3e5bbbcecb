#include "tests/kills/kill_hand.h"

#include "layers/execution/marks.h"

#include <utility>

namespace parley::kills {

using boost::asio::awaitable;
using namespace model;

namespace {

/// The object that a request is about, by name.
std::string key_of(const Request& request, const Object& object) {
    if (std::holds_alternative<SetAdmission>(request)) return "order";
    if (std::holds_alternative<SetBatchCap>(request)) return "quota";
    return object.uid.text();
}

/// By a provider, which takes no precondition and of which nothing is late: it is a child of ours.
bool by_provider(const Request& request) {
    return std::holds_alternative<SetPower>(request) || std::holds_alternative<SetClock>(request);
}

/// Objects of agent C, which bear their decision themselves.
bool is_order(const Request& request) {
    return std::holds_alternative<SetAdmission>(request) ||
           std::holds_alternative<SetBatchCap>(request);
}

tl::unexpected<Error> no_answer() { return fail(ErrorCode::unknown_outcome, "no answer came"); }

}  // namespace

Sender Hand::sender_of(const cluster::Stamp& stamp) const {
    return {owner_.life, owner_.run, owner_.recorded(), stamp, network_.world.now};
}

/// Who set a mark that we did not may be dead, and its last request still on its way.
void Hand::doubt_predecessors(const std::string& key, const Object& seen, const Request& about) {
    if (network_.missing == Missing::takeover) return;
    if (!seen.mark || sure_.contains(key) || network_.world.live(about).applied) return;
    const cluster::Stamp stamp{.decision = seen.mark->decision};
    doubts_.try_emplace(key, Doubt{{seen.uid, seen.version}, about, stamp});
}

/// Until the object has another version than that for which something was sent, it is not known
/// what came of it.
Result<void> Hand::settle(const Request& about) {
    if (is_order(about)) return {};
    const Object seen = network_.world.look(about);
    const std::string key = key_of(about, seen);
    doubt_predecessors(key, seen, about);
    const auto found = doubts_.find(key);
    if (found == doubts_.end()) return {};
    const Doubt doubt = found->second;
    const Precondition now{seen.uid, seen.version};
    if (seen.exists && now == doubt.only_if) {
        if (!owner_.has_term()) return fail(ErrorCode::unavailable, "nobody leads here");
        network_.tell(owner_.life, "renews the mark for " + text_of(doubt.request));
        const Result<void> renewed =
            network_.world.renew(doubt.request, now, sender_of(doubt.stamp));
        if (!renewed) return fail(ErrorCode::unavailable, "it is not known yet what came of it");
    }
    doubts_.erase(found);
    if (network_.world.look(about).mark) sure_.insert(key);
    return {};
}

awaitable<Result<Live>> Hand::read(Request about) {
    owner_.pass("before looking for " + text_of(about));
    network_.pass();
    const auto weather = network_.weather();
    if (weather == Network::Weather::lost || weather == Network::Weather::refused) {
        co_return fail(ErrorCode::unavailable, "the API server does not answer");
    }
    const Result<void> settled = settle(about);
    if (!settled) co_return tl::unexpected(settled.error());
    const Object object = network_.world.look(about);
    last_[key_of(about, object)] = object;
    const Live live = network_.world.live(about);
    if (!live.exists) co_return fail(ErrorCode::gone, "it is gone");
    owner_.pass("after looking for " + text_of(about));
    co_return live;
}

/// Whether what a request wants is there by us.
bool Hand::is_our_work(const Request& request, const DecisionId& decision) const {
    const Object object = network_.world.look(request);
    if (!object.exists || !network_.world.live(request).applied) return false;
    if (const auto* r = std::get_if<PutMark>(&request)) return !r->decision.none();
    if (const auto* r = std::get_if<MarkPod>(&request)) return !r->mark.decision.none();
    if (const auto* r = std::get_if<SetTaint>(&request)) {
        return r->taint != Taint::none && object.mark && object.mark->decision == decision;
    }
    return !std::holds_alternative<EvictPod>(request);
}

/// As the network lets it.
Result<void> Hand::send(const Request& request, const Precondition& only_if, const Sender& sender) {
    Network& network = network_;
    const int life = owner_.life;
    const auto arrive = [&network, request, only_if, sender, life] {
        Sender late = sender;
        late.late = true;
        const Result<void> done = network.world.apply(request, only_if, late);
        network.tell(life, text_of(request) + (done ? " arrives late" : " arrives for nothing"));
    };
    Network::Weather weather = network.weather();
    if (by_provider(request) && weather == Network::Weather::late) weather = Network::Weather::lost;
    if (by_provider(request) && weather == Network::Weather::twice)
        weather = Network::Weather::fine;
    if (owner_.ends_here("while it asks: " + text_of(request))) {
        if (!by_provider(request)) network.later(arrive);
        throw Killed{};
    }
    switch (weather) {
        case Network::Weather::lost:
            return no_answer();
        case Network::Weather::late:
            network.later(arrive);
            return no_answer();
        case Network::Weather::refused:
            return fail(ErrorCode::unavailable, "the API server has no time");
        case Network::Weather::no_answer:
        case Network::Weather::twice:
        case Network::Weather::fine:
            break;
    }
    Result<void> done = network.world.apply(request, only_if, sender);
    if (weather == Network::Weather::twice) network.later(arrive);
    network.tell(life, text_of(request) + (done ? "" : ": " + done.error().message));
    if (weather == Network::Weather::no_answer) return no_answer();
    return done;
}

awaitable<Result<void>> Hand::apply(Request request, Precondition only_if, cluster::Stamp stamp) {
    network_.pass();
    const std::string key = key_of(request, network_.world.look(request));
    const auto found = last_.find(key);
    const bool read =
        found != last_.end() && (is_order(request) || (found->second.version == only_if.version &&
                                                       found->second.uid == only_if.uid));
    if (!read) co_return fail(ErrorCode::conflict, "it was not read in this version");
    const Precondition same{found->second.uid, found->second.version};
    last_.erase(found);
    if (const DecisionId* mark = execution::marks(request)) {
        if (mark->none()) sure_.erase(key);
        if (!mark->none()) sure_.insert(key);
        if (!mark->none() && network_.missing == Missing::mark) co_return Result<void>{};
    }
    const auto* power = std::get_if<SetPower>(&request);
    if (power != nullptr && power->state != PowerWish::on &&
        network_.world.is_occupied(power->node)) {
        co_return fail(ErrorCode::blocked, "somebody is on it");
    }
    owner_.pass("before it asks: " + text_of(request));
    if (!owner_.has_term()) co_return fail(ErrorCode::unavailable, "another process leads");
    Result<void> done = send(request, same, sender_of(stamp));
    owner_.pass("after it asked: " + text_of(request));
    if (!done && done.error().code == ErrorCode::conflict && is_our_work(request, stamp.decision)) {
        done = {};
    }
    const bool open = !done && done.error().code == ErrorCode::unknown_outcome;
    if (open && network_.missing == Missing::doubt) {
        co_return fail(ErrorCode::unavailable, "it is believed not to have arrived");
    }
    if (open && !by_provider(request)) doubts_[key] = {same, request, stamp};
    co_return done;
}

awaitable<Result<Ledger>> Hand::read_ledger() {
    owner_.pass("before reading the ledger");
    network_.pass();
    Ledger read = network_.ledger;
    owner_.pass("after reading the ledger");
    co_return read;
}

awaitable<Result<void>> Hand::swap_ledger(std::uint64_t expected, Ledger next) {
    owner_.pass("before writing the ledger");
    network_.pass();
    if (!owner_.has_term()) co_return fail(ErrorCode::unavailable, "another process leads");
    Network& network = network_;
    const auto arrive = [&network, expected, next] {
        if (network.ledger.version == expected) network.ledger = next;
    };
    if (owner_.ends_here("while it writes the ledger")) {
        network.later(arrive);
        throw Killed{};
    }
    const bool fits = network.ledger.version == expected;
    arrive();
    owner_.pass("after writing the ledger");
    if (!fits) co_return fail(ErrorCode::conflict, "the ledger has another version");
    network.tell(owner_.life, "wrote the ledger");
    co_return Result<void>{};
}

}  // namespace parley::kills
