#include "kube/provider/desk.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>

namespace parley::kube {

namespace asio = boost::asio;

namespace {

/// How many commands read at once; a change has a thread of its own beside them.
constexpr int kReaders = 4;
constexpr Duration kLookEvery = milliseconds(200);
/// Others may not send for five seconds after our term ends.
constexpr Duration kAfterTerm = seconds(4);

asio::awaitable<Result<ChildEnd>> run_here(ChildRun run) { co_return run_child(run); }

std::string nothing_can(Ability ability, const std::string& node) {
    return std::string("nothing can ") +
           (ability == Ability::power ? "switch" : "set the clock of") + " node " + node +
           ": no provider for it is named in the configuration";
}

}  // namespace

struct ProviderDesk::Pool {
    asio::thread_pool threads{kReaders + 1};
};

ProviderDesk::ProviderDesk(std::vector<Provider> providers, Duration limit)
    : book_(std::move(providers)), limit_(limit), pool_(std::make_unique<Pool>()) {}

ProviderDesk::~ProviderDesk() { quiet(); }

void ProviderDesk::quiet() {
    if (std::exchange(quiet_, true)) return;
    for (const auto& each : running_) {
        if (const Stop stop = each.lock()) stop->store(true);
    }
    pool_->threads.join();
}

Duration ProviderDesk::now() const { return since_.passed(); }

void ProviderDesk::follow(const asio::any_io_executor& executor) {
    for (int i = 0; i < kReaders; ++i) {
        asio::co_spawn(executor, run_errands(shared_from_this()), asio::detached);
    }
}

asio::awaitable<void> ProviderDesk::run_errands(std::shared_ptr<ProviderDesk> desk) {
    while (!desk->quiet_) {
        const auto errand = desk->book_.next(desk->now());
        if (!errand) {
            co_await pause(kLookEvery);
            continue;
        }
        const auto value = co_await desk->ask_for(errand->ability, errand->node, errand->uid);
        desk->book_.read(*errand, value, desk->now());
    }
}

bool ProviderDesk::serves(Ability ability, std::string_view node) const {
    return command_for(book_.providers(), ability, node) != nullptr;
}

void ProviderDesk::saw(const std::vector<cluster::Change>& changes, bool complete) {
    if (complete) book_.begin();
    for (const cluster::Change& change : changes) {
        if (const auto* node = std::get_if<cluster::NodeChange>(&change)) {
            book_.saw(node->row, now());
        } else if (const auto* work = std::get_if<cluster::WorkloadChange>(&change)) {
            book_.saw(work->row);
        } else if (const auto* lost = std::get_if<cluster::NodeGone>(&change)) {
            book_.gone(lost->uid);
        } else if (const auto* ended = std::get_if<cluster::WorkloadGone>(&change)) {
            book_.gone(ended->uid);
        }
    }
}

std::vector<std::pair<std::string, NodePower>> ProviderDesk::news() { return book_.news(now()); }

asio::awaitable<Result<std::string>> ProviderDesk::ask(ProviderCall call, Stop stop) {
    const ProviderCommand* command = command_for(book_.providers(), call.ability, call.node);
    if (command == nullptr) co_return fail(ErrorCode::denied, nothing_can(call.ability, call.node));
    if (quiet_) co_return fail(ErrorCode::unavailable, "it ends; no command is run any more");
    ChildRun run = run_of(*command, call);
    run.stop = stop;
    run.limit = limit_;
    std::erase_if(running_, [](const auto& each) { return each.expired(); });
    running_.emplace_back(stop);
    auto elsewhere = run_here(std::move(run));
    auto end = co_await asio::co_spawn(pool_->threads, std::move(elsewhere), asio::use_awaitable);
    if (!end) co_return within("the provider's command " + command->front(), end.error());
    co_return answer_of(call, *end);
}

asio::awaitable<Result<std::int64_t>> ProviderDesk::ask_for(Ability ability, std::string node,
                                                            model::Uid uid) {
    ProviderCall call{.ability = ability, .node = std::move(node), .uid = uid};
    auto answer = co_await ask(std::move(call), std::make_shared<std::atomic<bool>>(false));
    if (!answer) co_return tl::unexpected(answer.error());
    co_return value_of(ability, *answer);
}

asio::awaitable<Result<std::int64_t>> ProviderDesk::read(Ability ability, std::string node,
                                                         model::Uid uid) {
    auto value = co_await ask_for(ability, node, uid);
    book_.noticed(ability, node, value, now());
    co_return value;
}

/// Ends the command if others may act beside it.
asio::awaitable<void> ProviderDesk::watch_term(Term term, Stop stop, Stop done) {
    std::optional<Deadline> over;
    while (!done->load() && !stop->load()) {
        if (term() > Duration{}) {
            over.reset();
        } else if (!over) {
            over.emplace(kAfterTerm);
        } else if (over->over()) {
            stop->store(true);
        }
        co_await pause(kLookEvery);
    }
}

asio::awaitable<Result<void>> ProviderDesk::change(ProviderCall call, std::int64_t value,
                                                   Term term) {
    if (term() <= Duration{}) {
        co_return fail(ErrorCode::unavailable, "changing node " + call.node + ": " + kNoTerm);
    }
    const Stop stop = std::make_shared<std::atomic<bool>>(false);
    const Stop done = std::make_shared<std::atomic<bool>>(false);
    const auto executor = co_await asio::this_coro::executor;
    asio::co_spawn(executor, watch_term(std::move(term), stop, done), asio::detached);
    auto answer = co_await ask(call, stop);
    done->store(true);
    if (answer) {
        book_.changed(call.ability, call.node, value, now());
        co_return Result<void>{};
    }
    if (answer.error().code == ErrorCode::unknown_outcome) {
        book_.changed(call.ability, call.node, std::nullopt, now());
    }
    co_return tl::unexpected(answer.error());
}

}  // namespace parley::kube
