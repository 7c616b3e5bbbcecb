#include "fake/cluster.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace parley::fake {

using boost::asio::awaitable;
using namespace model;

namespace {

template <class T>
T take(std::deque<T>& script) {
    T next = std::move(script.front());
    script.pop_front();
    return next;
}

std::string key_of(const Request& request) {
    if (const auto* mark = std::get_if<PutMark>(&request)) return text_of(mark->target);
    if (const auto* evict = std::get_if<EvictPod>(&request)) return evict->name;
    if (const auto* cost = std::get_if<SetDeletionCost>(&request)) return cost->name;
    if (const auto* replicas = std::get_if<SetReplicas>(&request)) return replicas->workload.text();
    if (const auto* limit = std::get_if<SetCpuLimit>(&request)) return limit->workload.text();
    if (const auto* need = std::get_if<SetMemoryRequest>(&request)) return need->workload.text();
    if (const auto* resize = std::get_if<ResizePod>(&request)) return resize->name;
    if (const auto* mark = std::get_if<MarkPod>(&request)) return mark->name;
    if (const auto* taint = std::get_if<SetTaint>(&request)) return taint->node.text();
    if (const auto* power = std::get_if<SetPower>(&request)) return power->node.text();
    if (const auto* clock = std::get_if<SetClock>(&request)) return clock->node.text();
    return "cluster";
}

}  // namespace

awaitable<Result<cluster::Batch>> Watcher::poll(TimePoint now) {
    asked.push_back(now);
    if (script.empty()) co_return cluster::Batch{};
    co_return take(script);
}

awaitable<Result<void>> Writer::apply(Request request, Precondition only_if, cluster::Stamp stamp) {
    asked.push_back({request, only_if});
    stamps.push_back(stamp);
    Result<void> answer;
    if (!script.empty()) {
        answer = take(script);
    } else if (on_apply) {
        answer = on_apply(request);
    }
    if (answer) applied.push_back(request);
    if (answer && loses_answers) answer = fail(ErrorCode::unknown_outcome, "no answer came");
    co_return answer;
}

awaitable<Result<cluster::Rehearsed>> Rehearsal::rehearse(Request request, cluster::Stamp stamp) {
    asked.push_back(std::move(request));
    stamps.push_back(stamp);
    if (on_rehearse) on_rehearse();
    if (!script.empty()) co_return take(script);
    co_return cluster::Rehearsed::accepted;
}

awaitable<Result<Live>> Reader::read(Request about) {
    asked.push_back(about);
    if (!script.empty()) co_return take(script);
    const std::string key = key_of(about);
    Live live{.exists = true, .version = writer_.applied.size() + 1};
    const auto uid = uids.find(key);
    if (uid != uids.end()) live.uid = uid->second;
    const Request* last = nullptr;  // The last request of this kind on this object.
    for (const Request& request : writer_.applied) {
        if (key_of(request) != key) continue;
        if (const auto* mark = std::get_if<PutMark>(&request)) live.mark = mark->decision;
        if (const auto* mark = std::get_if<MarkPod>(&request)) live.mark = mark->mark.decision;
        if (request.index() == about.index()) last = &request;
    }
    live.applied = last != nullptr && *last == about;
    if (const auto* evict = std::get_if<EvictPod>(&about)) {
        live.uid = evict->pod;
        live.exists = !live.applied;
    }
    if (const auto* cost = std::get_if<SetDeletionCost>(&about)) live.uid = cost->pod;
    if (const auto* resize = std::get_if<ResizePod>(&about)) live.uid = resize->pod;
    if (const auto* mark = std::get_if<MarkPod>(&about)) live.uid = mark->pod;
    const auto* replicas = std::get_if<SetReplicas>(&about);
    if (replicas != nullptr) live.ready = replicas->replicas;
    if (change) change(about, live);
    co_return live;
}

awaitable<Result<Ledger>> LedgerStore::read_ledger() {
    if (unreadable) co_return fail(ErrorCode::unavailable, "the ledger: 503");
    co_return stored;
}

awaitable<Result<void>> LedgerStore::swap_ledger(std::uint64_t expected, Ledger next) {
    if (!script.empty()) {
        Result<void> answer = take(script);
        if (!answer) co_return answer;
    }
    if (stored.version != expected) {
        co_return fail(ErrorCode::conflict, "the ledger is at version " +
                                                std::to_string(stored.version) + ", not " +
                                                std::to_string(expected));
    }
    stored = std::move(next);
    history.push_back(stored);
    co_return Result<void>{};
}

void Twins::fork(const OpenAction& action, const std::vector<Target>& leaves,
                 const std::vector<PlannedStep>& loser, const Snapshot& /*seen*/) {
    forks.push_back({action.id, leaves, loser});
}

void Twins::drop(DecisionId action) {
    dropped.push_back(action);
    std::erase_if(forks, [&](const Fork& fork) { return fork.action == action; });
}

std::vector<TwinSample> Twins::sample(TimePoint now, const Snapshot& /*seen*/) {
    std::vector<TwinSample> samples;
    if (!show) return samples;
    for (const Fork& fork : forks) {
        for (const Branch branch : {Branch::noop, Branch::acted, Branch::loser}) {
            if (branch == Branch::loser && fork.loser.empty()) continue;
            samples.push_back({fork.action, branch, show(fork, branch, now)});
        }
    }
    return samples;
}

}  // namespace parley::fake
