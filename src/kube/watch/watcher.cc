#include "kube/watch/watcher.h"

#include "base/clock_wait.h"
#include "base/time_text.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <algorithm>
#include <utility>

namespace parley::kube {

namespace asio = boost::asio;

struct Watcher::Inside {
    Inside(const asio::any_io_executor& executor, std::shared_ptr<Api> to, WatcherOptions how)
        : api(std::move(to)), options(std::move(how)), due(executor), probed(executor) {
        options.metrics.spaces = options.spaces;
        if (!options.clock) options.clock = std::make_shared<RoundClock>();
        options.reflector.now = [clock = options.clock] { return clock->now(); };
        options.metrics.ours = [clock = options.clock](TimePoint told) {
            return clock->ours(told);
        };
        picture = fresh();
        facts.server = api->url().text();
        metrics.emplace(*api, picture, options.metrics);
    }

    std::shared_ptr<Api> api;
    WatcherOptions options;
    Picture picture;
    std::vector<std::unique_ptr<Reflector>> reflectors;
    std::optional<MetricsServer> metrics;
    ClusterFacts facts;
    bool told = false;  ///< The picture was complete at least once.
    Duration told_by;   ///< Taken from the times in the objects that were told.
    Bell due;           ///< A probe is wanted now.
    Bell probed;        ///< A probe was answered.
    std::uint64_t probes_begun = 0, probes_ended = 0;

    Picture fresh() const {
        return Picture({}, static_cast<Scope>(std::max<std::size_t>(1, options.spaces.size())));
    }
    void judge(const Probed& found);
    void to_round_time(cluster::Batch& batch);
    asio::awaitable<Result<void>> confirm();
    asio::awaitable<std::string> catch_up();
    std::vector<Reflector*> to_ask(std::size_t turn) const;
    const Following* unlisted() const;
    std::string unlisted_text() const;
    bool is_listing() const;
    std::string trouble(TimePoint now) const;
    std::string progress() const;
    std::string hidden() const;
    std::string remarks() const;
};

namespace {

std::string plural(const Following& each) {
    const std::string kind(facts_of(each.kind).plural);
    return each.space.empty() ? kind : kind + " in " + each.space;
}

bool unseen(const Following& each) {
    return each.condition == Condition::denied || each.condition == Condition::absent;
}

Duration size_of(Duration any) { return std::max(any, Duration{} - any); }

std::string ahead_or_behind(Duration ahead) {
    return print_age(size_of(ahead)) + (ahead.us > 0 ? " ahead of " : " behind ");
}

}  // namespace

/// Another cluster behind the same address: nothing known about the old one holds. `found` is by
/// round time.
void Watcher::Inside::judge(const Probed& found) {
    options.clock->heard(found.ahead);
    facts.ahead = found.ahead;
    if (facts.ahead) facts.ahead = *facts.ahead - options.clock->wall();
    if (!found.cluster) return;
    if (facts.uid && *facts.uid != *found.cluster) {
        ++facts.clusters;
        picture = fresh();  // Nothing is reported until the other cluster is known completely.
        for (const auto& each : reflectors) each->start_over();
    }
    facts.uid = found.cluster;
}

/// Times in objects are by the clocks of others. All are put on the scale of rounds here, by the
/// same difference: if that changes, what was told before is moved with it.
void Watcher::Inside::to_round_time(cluster::Batch& batch) {
    const Duration found = options.clock->others();
    const Duration others = size_of(found) > kStepLeast ? found : Duration{};
    const bool moves = size_of(others - told_by) > kStepLeast;
    if (moves && !batch.complete) batch.moved = told_by - others;
    if (moves) told_by = others;
    const auto move = [this](TimePoint& time) {
        if (time != TimePoint{}) time = time - told_by;
    };
    for (cluster::Change& change : batch.changes) {
        if (auto* node = std::get_if<cluster::NodeChange>(&change)) move(node->row.ready_since);
        if (auto* work = std::get_if<cluster::WorkloadChange>(&change)) move(work->row.rolled_out);
        if (auto* pod = std::get_if<cluster::PodChange>(&change)) move(pod->row.created);
    }
}

/// Verifies that what was just read belongs to the known cluster, by a probe that began after it.
/// Callers share a probe.
asio::awaitable<Result<void>> Watcher::Inside::confirm() {
    const std::uint64_t wanted = probes_begun + 1;
    while (probes_ended < wanted) {
        due.ring();
        co_await probed.wait();
    }
    if (!facts.trouble.empty()) co_return fail(ErrorCode::unavailable, facts.trouble);
    co_return Result<void>{};
}

/// Waits until everything that we changed is shown, which usually is before the next round. What is
/// not by then is named, and the whole picture counts as old: to decide nothing about one object
/// alone, every rule would have to know of it.
asio::awaitable<std::string> Watcher::Inside::catch_up() {
    if (!options.own) co_return "";
    const Deadline deadline(options.own_wait);
    std::string unshown = options.own->unshown(picture);
    while (!unshown.empty() && !deadline.over()) {
        co_await pause(milliseconds(5));
        unshown = options.own->unshown(picture);
    }
    if (unshown.empty()) co_return "";
    co_return "our own change of " + unshown + " is not in what we see yet";
}

/// Which rights to check in this turn. Every time: what every decision rests on, and the budgets
/// that bound a disruption. Of pods and of everything else (each separate namespace counts) a
/// third.
std::vector<Reflector*> Watcher::Inside::to_ask(std::size_t turn) const {
    constexpr std::size_t kTurns = 3;
    constexpr std::size_t kAtOnceMax = 12;  // Where many namespaces are named, it takes longer.
    std::vector<Reflector*> asked;
    std::vector<Reflector*> pods;
    std::vector<Reflector*> others;
    for (const auto& reflector : reflectors) {
        const KindFacts& kind = facts_of(reflector->state().kind);
        if (reflector->state().condition != Condition::in_step || kind.optional) continue;
        const bool always = kind.decisive || kind.kind == Kind::budget;
        auto& group = kind.namespaced && !reflector->state().space.empty() ? pods : asked;
        (always ? group : others).push_back(reflector.get());
    }
    for (const auto& group : {pods, others}) {
        const std::size_t many = std::min((group.size() + kTurns - 1) / kTurns, kAtOnceMax);
        for (std::size_t i = 0; i < many; ++i) {
            asked.push_back(group[(turn * many + i) % group.size()]);
        }
    }
    return asked;
}

/// Where we may act: a kind of other projects' that was never listed, although this cluster may
/// serve it. Whose the replicas and sizes of a workload are stands in these. Null: none.
const Following* Watcher::Inside::unlisted() const {
    if (!options.own) return nullptr;
    for (const auto& reflector : reflectors) {
        const Following& each = reflector->state();
        const KindFacts& kind = facts_of(each.kind);
        const bool of_others = kind.optional && !kind.group.empty();
        if (each.condition == Condition::starting && of_others) return &each;
    }
    return nullptr;
}

std::string Watcher::Inside::unlisted_text() const {
    const Following* each = unlisted();
    if (each == nullptr) return {};
    return plural(*each) + " were never listed, so whose the replicas and sizes of workloads are " +
           "is not known" + (each->trouble.empty() ? "" : ": " + each->trouble);
}

/// Whether the first lists are still on their way. One that fails is not waited for.
bool Watcher::Inside::is_listing() const {
    const Following* each = unlisted();
    return !picture.complete() || (each != nullptr && each->trouble.empty());
}

/// Why the picture may be outdated; empty: it is not.
std::string Watcher::Inside::trouble(TimePoint now) const {
    for (const auto& reflector : reflectors) {
        const Following& each = reflector->state();
        // Access that was granted and is now refused means a lost credential or role: reported at
        // once.
        const bool lost = each.condition == Condition::broken && each.refused;
        if (lost && !facts_of(each.kind).optional) return each.trouble;
    }
    for (const auto& reflector : reflectors) {
        const Following& each = reflector->state();
        // Whatever is not known any more, an owner, a budget or an opt-out, could forbid an action.
        if (facts_of(each.kind).optional) continue;
        const bool waits =
            each.condition == Condition::broken || each.condition == Condition::starting;
        if (waits && now - each.since > options.broken_max) {
            return each.trouble.empty() ? plural(each) + " are being listed again" : each.trouble;
        }
        if (!facts_of(each.kind).decisive) continue;
        if (each.shrank && now - *each.shrank < minutes(1)) {
            return "over a fifth of all " + plural(each) + " vanished at once";
        }
    }
    if (facts.uid && facts.anonymous) {
        return "whether this is still the same cluster may no longer be asked: " + *facts.anonymous;
    }
    // Without nodes or leases less is seen, which is reported; without any pods nothing is.
    const auto of_pods = [](const auto& each) { return each->state().kind == Kind::pod; };
    const auto hidden = [&](const auto& each) { return !of_pods(each) || unseen(each->state()); };
    if (std::ranges::all_of(reflectors, hidden)) {
        return (*std::ranges::find_if(reflectors, of_pods))->state().trouble;
    }
    return facts.trouble;
}

/// Kinds that we may not read, each once if it is hidden in every namespace. Empty: none.
std::string Watcher::Inside::hidden() const {
    std::string names;
    for (const KindFacts& kind : all_kinds()) {
        if (kind.optional) continue;
        std::string parts;
        bool everywhere = true;
        for (const auto& reflector : reflectors) {
            const Following& each = reflector->state();
            if (each.kind != kind.kind) continue;
            everywhere = everywhere && unseen(each);
            if (unseen(each)) parts += (parts.empty() ? "" : ", ") + plural(each);
        }
        if (parts.empty()) continue;
        names += (names.empty() ? "" : ", ") + (everywhere ? std::string(kind.plural) : parts);
    }
    return names;
}

/// What people should know although the API can be read: kinds we may not read, a restored backup,
/// a clock that is off, a credential that gets old. Empty: nothing.
std::string Watcher::Inside::remarks() const {
    std::string restored;
    for (const auto& reflector : reflectors) {
        const Following& each = reflector->state();
        if (each.went_back) restored = plural(each);
    }
    const std::string names = hidden();
    std::string out;
    const auto add = [&](const std::string& remark) {
        if (!remark.empty()) out += (out.empty() ? "" : "; ") + remark;
    };
    if (!names.empty()) add("may not see " + names);
    if (!facts.uid && facts.anonymous) {
        add("may not get namespace kube-system, so that another cluster at this address would go "
            "unnoticed");
    }
    if (facts.clusters > 1) {
        add("another cluster than at first answers at this address, or did (changes: " +
            std::to_string(facts.clusters - 1) + ")");
    }
    if (!restored.empty()) add("an older state was restored, as " + restored + " show");
    if (facts.ahead && size_of(*facts.ahead) > kSkewMax) {
        add("its clock is " + ahead_or_behind(*facts.ahead) + "ours");
    }
    if (const Duration others = options.clock->others(); size_of(others) > kSkewMax) {
        add("round time is " + ahead_or_behind(Duration{} - others) +
            "the clocks of others, since ours was set");
    }
    add(api->credential_warning());
    return out;
}

std::string Watcher::Inside::progress() const {
    std::string waits;
    std::size_t more = 0;
    for (const auto& reflector : reflectors) {
        const Following& each = reflector->state();
        if (each.condition != Condition::starting || facts_of(each.kind).optional) continue;
        if (!each.trouble.empty()) return each.trouble;
        if (waits.empty()) {
            waits = plural(each);
        } else {
            ++more;
        }
    }
    if (facts.clusters > 1) return "another cluster answers at this address, and is being listed";
    if (waits.empty()) return "nothing was read yet";
    return "still listing " + waits +
           (more > 0 ? " and " + std::to_string(more) + " other kinds" : "");
}

namespace {

asio::awaitable<void> follow(std::shared_ptr<Watcher::Inside> inside, std::size_t i) {
    if (inside->reflectors[i]->state().kind == Kind::event) {
        // To find warnings, a server reads all events, which halves the speed at which pods are
        // listed. Nothing waits for them, so they are listed last.
        const Deadline deadline(inside->options.first_wait);
        while (!inside->picture.complete() && !deadline.over()) co_await pause(milliseconds(20));
    }
    co_await inside->reflectors[i]->follow();
}

asio::awaitable<void> measure(std::shared_ptr<Watcher::Inside> inside) {
    co_await inside->metrics->follow();
}

/// A watch continues after its token was refused or its role removed. So we also ask, with our
/// present credential, for one object of what we read.
asio::awaitable<void> ask_for_rights(std::shared_ptr<Watcher::Inside> inside) {
    const http::Limits limits{.connect = seconds(3), .head = seconds(3), .whole = seconds(5)};
    for (std::size_t turn = 0;; ++turn) {
        co_await pause(inside->options.rights_every);
        for (Reflector* each : inside->to_ask(turn)) {
            const Following& about = each->state();
            auto answer = co_await inside->api->get(
                one_path(about.kind, about.space),
                "asking whether we may still list " + plural(about), limits);
            if (!answer && answer.error().code == ErrorCode::denied) each->revoke(answer.error());
        }
    }
}

asio::awaitable<void> probe(std::shared_ptr<Watcher::Inside> inside) {
    const http::Limits limits{.connect = seconds(3), .head = seconds(3), .whole = seconds(5)};
    const auto executor = co_await asio::this_coro::executor;
    const auto wake = [s = inside.get()] { s->due.ring(); };
    for (;;) {
        ++inside->probes_begun;
        const TimePoint asked = inside->options.clock->now();
        auto answer = co_await inside->api->get(kProbePath, "asking the API server", limits);
        const TimePoint answered = inside->options.clock->now();
        // A refusal is an answer, too: the server is there.
        const bool spoke = answer || answer.error().code == ErrorCode::denied ||
                           answer.error().code == ErrorCode::gone;
        inside->facts.trouble = spoke ? "" : answer.error().message;
        if (spoke) inside->facts.heard = answered;
        if (spoke) inside->facts.anonymous.reset();
        if (!answer && answer.error().code == ErrorCode::denied) {
            inside->facts.anonymous = answer.error().message;
        }
        if (answer) {
            inside->judge(judge_probe(*answer, asked, answered));
        } else if (spoke) {
            inside->options.clock->heard(std::nullopt);
        }
        inside->probes_ended = inside->probes_begun;
        inside->probed.ring();
        const Timeout later(executor, inside->options.probe_every, wake);
        co_await inside->due.wait();
    }
}

}  // namespace

Watcher::Watcher(const asio::any_io_executor& executor, std::shared_ptr<Api> api,
                 WatcherOptions options)
    : inside_(std::make_shared<Inside>(executor, std::move(api), std::move(options))) {
    // A raw pointer: an owning one would be a cycle.
    inside_->options.reflector.confirm = [s = inside_.get()] { return s->confirm(); };
    std::vector<std::string> everywhere = {""};
    for (const KindFacts& kind : all_kinds()) {
        const bool each = listed_by_namespace(kind) && !inside_->options.spaces.empty();
        const std::vector<std::string>& spaces = each ? inside_->options.spaces : everywhere;
        for (std::size_t i = 0; i < spaces.size(); ++i) {
            inside_->reflectors.push_back(
                std::make_unique<Reflector>(*inside_->api, inside_->picture, kind.kind, spaces[i],
                                            inside_->options.reflector, static_cast<Scope>(i)));
        }
    }
    for (std::size_t i = 0; i < inside_->reflectors.size(); ++i) {
        asio::co_spawn(executor, follow(inside_, i), asio::detached);
    }
    asio::co_spawn(executor, probe(inside_), asio::detached);
    asio::co_spawn(executor, ask_for_rights(inside_), asio::detached);
    asio::co_spawn(executor, measure(inside_), asio::detached);
}
Watcher::~Watcher() = default;

asio::awaitable<Result<cluster::Batch>> Watcher::poll(TimePoint now) {
    Inside& s = *inside_;
    const Deadline deadline(s.options.first_wait);
    while (!s.told && s.is_listing() && !deadline.over()) co_await pause(milliseconds(20));
    const std::string behind = co_await s.catch_up();
    if (!s.picture.complete()) co_return fail(ErrorCode::unavailable, s.progress());
    s.told = true;
    cluster::Batch batch = s.picture.take(now);
    s.to_round_time(batch);
    cluster::SourceReport api{.source = model::Source::api};
    api.reason = s.trouble(now);
    if (api.reason.empty()) api.reason = behind;
    if (api.reason.empty()) api.reason = s.unlisted_text();
    api.failed = !api.reason.empty();
    if (!api.failed) api.reason = s.remarks();
    api.heard = s.facts.heard;
    batch.sources.push_back(std::move(api));
    MetricsNews news = s.metrics->take();
    batch.nodes = std::move(news.nodes);
    batch.workloads = std::move(news.workloads);
    batch.pods = std::move(news.pods);
    batch.sources.push_back(std::move(news.report));
    s.facts.requests = s.api->requests();
    s.facts.program = s.api->program();
    co_return batch;
}

std::vector<Following> Watcher::following() const {
    std::vector<Following> out;
    for (const auto& each : inside_->reflectors) out.push_back(each->state());
    return out;
}

const ClusterFacts& Watcher::facts() const { return inside_->facts; }
const Picture& Watcher::picture() const { return inside_->picture; }
void Watcher::set_power(std::string_view node, const NodePower& power) {
    inside_->picture.set_power(node, power);
}

}  // namespace parley::kube
