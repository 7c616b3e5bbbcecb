#include "kube/watch/watcher.h"

#include "base/clock.h"
#include "base/clock_wait.h"
#include "http/imposter.h"
#include "http/test_loop.h"
#include "kube/decode/decode_meta.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

namespace parley::kube {
namespace {

using http::Reply;

const std::vector<http::Header> kJson = {{"Content-Type", "application/json"}};

/// A cluster of only nodes and kube-system, and what it refuses.
struct FakeCluster {
    std::string uid = "00000000-0000-4000-8000-000000000001";  ///< Of kube-system.
    std::vector<std::string> nodes = {"a"};
    std::set<std::string> denied;  ///< Plurals.
    std::set<std::string> away;    ///< Plurals: 503.
    int refuses_all = 0;           ///< Refuses all new requests with this status; 0: it does not.
    bool down = false;
    bool anonymous = false;  ///< Nobody may read kube-system.
    bool brief = false;      ///< Watches end at once.
    std::string news = {};   ///< What a watch of nodes then says.
    std::string date = {};   ///< Of its answers; empty: none.

    std::function<void(const http::Request&)> heard = {};

    Reply answer(const http::Request& request) const {
        if (heard) heard(request);
        if (down) return {.manner = Reply::Manner::reset};
        if (refuses_all != 0) return {.status = refuses_all, .headers = kJson, .body = "{}"};
        const auto has = [&](std::string_view part) {
            return request.target.find(part) != std::string::npos;
        };
        if (has("/namespaces/kube-system")) {
            if (anonymous) return {.status = 403, .headers = kJson, .body = "{}"};
            std::vector<http::Header> headers = kJson;
            if (!date.empty()) headers.push_back({"Date", date});
            return {.headers = headers, .body = R"({"metadata":{"uid":")" + uid + "\"}}"};
        }
        if (has("metrics.k8s.io")) return {.status = 404, .headers = kJson, .body = "{}"};
        for (const std::string& plural : denied) {
            if (has("/" + plural + "?")) return {.status = 403, .headers = kJson, .body = "{}"};
        }
        for (const std::string& plural : away) {
            if (has("/" + plural + "?")) return {.status = 503, .headers = kJson, .body = "{}"};
        }
        if (has("watch=1") && brief) {
            const bool tells = has("/nodes?") && !news.empty();
            return {.headers = kJson,
                    .pieces = tells ? std::vector{news} : std::vector<std::string>{},
                    .manner = Reply::Manner::chunked};
        }
        if (has("watch=1")) return {.headers = kJson, .manner = Reply::Manner::hang_after};
        return {.headers = kJson, .body = list_for(request)};
    }

    std::string list_for(const http::Request& request) const {
        for (const KindFacts& kind : all_kinds()) {
            const std::string path = list_path(kind.kind);
            if (!request.target.starts_with(path + "?")) continue;
            std::string items;
            for (const std::string& name : nodes) {
                if (kind.kind != Kind::node) break;
                const std::string id = std::to_string(name[0]);
                items += (items.empty() ? "" : ",") +
                         (R"({"metadata":{"name":")" + name +
                          R"(","uid":"00000000-0000-4000-8000-0000000000)" +
                          id.substr(id.size() - 2) + R"(","resourceVersion":"5"},"status":)" +
                          R"({"conditions":[{"type":"Ready","status":"True",)" +
                          R"("lastTransitionTime":"2026-01-01T00:00:00Z"}]}})");
            }
            return R"({"kind":")" + std::string(kind.name) +
                   R"(List","metadata":{"resourceVersion":"9"},"items":[)" + items + "]}";
        }
        return "{}";
    }
};

struct Bench {
    explicit Bench(Duration probe_every = milliseconds(20),
                   std::shared_ptr<RoundClock> clock = nullptr, bool acts = true)
        : server(loop.executor(), [this](const http::Request& r) { return fake.answer(r); }) {
        Access access;
        access.server = {.tls = false, .host = "127.0.0.1", .port = server.port()};
        std::shared_ptr<Api> api =
            *Api::make(loop.executor(), access, {.user_agent = "parley/test"});
        WatcherOptions options;
        options.first_wait = seconds(5);
        options.broken_max = milliseconds(50);
        options.probe_every = probe_every;
        options.rights_every = milliseconds(20);
        options.reflector.rules.streaming = false;
        options.reflector.rules.wait_min = milliseconds(2);
        options.reflector.rules.wait_max = milliseconds(10);
        options.reflector.rules.revoked_wait = milliseconds(5);
        options.metrics.every = milliseconds(20);
        options.clock = std::move(clock);
        if (acts) options.own = own;
        options.own_wait = milliseconds(20);
        watcher = std::make_unique<Watcher>(loop.executor(), api, options);
    }

    cluster::Batch poll() {
        auto batch = loop.ask(watcher->poll(wall_now()));
        EXPECT_TRUE(batch) << batch.error().message;
        return batch ? *std::move(batch) : cluster::Batch{};
    }

    /// Polls until this holds, for at most ten seconds; keeps the nodes that it was told of.
    bool until(const std::function<bool(const cluster::Batch&)>& holds) {
        const Deadline deadline(seconds(10));
        while (!deadline.over()) {
            const auto polled = loop.ask(watcher->poll(wall_now()));
            if (!polled) {
                said = polled.error().message;
                loop.context().run_one_for(std::chrono::milliseconds(5));
                continue;
            }
            const cluster::Batch& batch = *polled;
            if (batch.complete) names.clear();
            ready_since = ready_since + batch.moved;
            for (const cluster::Change& change : batch.changes) {
                if (const auto* node = std::get_if<cluster::NodeChange>(&change)) {
                    ready_since = node->row.ready_since;
                    names[node->row.uid.text()] = node->row.id.text();
                }
                if (const auto* gone = std::get_if<cluster::NodeGone>(&change)) {
                    names.erase(gone->uid.text());
                }
            }
            mixed = mixed || mixes();
            if (holds(batch)) return true;
            loop.context().run_one_for(std::chrono::milliseconds(5));
        }
        return false;
    }

    /// Whether nodes of two clusters are mixed: those of the first have lower-case names.
    bool mixes() const {
        std::set<bool> small;
        for (const auto& [uid, name] : names) small.insert(name[0] >= 'a');
        return small.size() > 1;
    }

    static const cluster::SourceReport& report(const cluster::Batch& batch, model::Source which) {
        return *std::ranges::find(batch.sources, which, &cluster::SourceReport::source);
    }

    FakeCluster fake;
    Duration boot = hours(1);
    std::shared_ptr<OwnWrites> own = std::make_shared<OwnWrites>([this] { return boot; });
    http::TestLoop loop;
    http::Imposter server;
    std::unique_ptr<Watcher> watcher;
    std::map<std::string, std::string> names;
    std::string said;       ///< Why the last poll failed.
    TimePoint ready_since;  ///< Of the last node it was told of.
    bool mixed = false;
};

TEST(Watcher, tells_everything_at_first_and_how_each_source_fares) {
    Bench bench;
    EXPECT_TRUE(bench.until([&](const auto&) { return bench.names.size() == 1; }));
    const cluster::Batch batch = bench.poll();
    EXPECT_FALSE(Bench::report(batch, model::Source::api).failed);
    EXPECT_TRUE(bench.until([](const cluster::Batch& each) {
        return Bench::report(each, model::Source::metrics).failed;
    }));
    EXPECT_EQ(Bench::report(bench.poll(), model::Source::metrics).reason,
              "metrics.k8s.io is not served; is Metrics Server installed?");
}

TEST(Watcher, warnings_are_listed_behind_what_the_first_round_waits_for) {
    Bench bench;
    const auto first = [&](std::string_view part) {
        return std::ranges::find_if(bench.server.requests(), [part](const http::Request& request) {
            return request.target.find(part) != std::string::npos;
        });
    };
    ASSERT_TRUE(bench.until(
        [&](const auto&) { return first("/events?") != bench.server.requests().end(); }));
    for (const char* kind : {"/pods?", "/nodes?", "/leases?", "/jobs?"}) {
        EXPECT_LT(first(kind), first("/events?")) << kind;
    }
    EXPECT_LT(first("watch=1"), first("/events?")) << "the lists before it had come to their end";
}

TEST(Watcher, a_server_that_goes_away_reads_failed_and_comes_back) {
    Bench bench;
    ASSERT_TRUE(bench.until([&](const auto&) { return bench.names.size() == 1; }));
    bench.fake.down = true;
    EXPECT_TRUE(bench.until([](const cluster::Batch& batch) {
        return Bench::report(batch, model::Source::api).failed;
    }));
    EXPECT_EQ(bench.names.size(), 1U) << "what was known is kept";
    bench.fake.down = false;
    EXPECT_TRUE(bench.until([](const cluster::Batch& batch) {
        return !Bench::report(batch, model::Source::api).failed;
    }));
}

TEST(Watcher, who_may_act_waits_for_the_kinds_that_say_whose_a_workload_is) {
    Bench bench;
    bench.fake.away = {"scaledobjects", "events"};
    ASSERT_TRUE(bench.until([&](const auto&) { return bench.names.size() == 1; }));
    const cluster::Batch first = bench.poll();
    const cluster::SourceReport& api = Bench::report(first, model::Source::api);
    EXPECT_TRUE(api.failed);
    EXPECT_TRUE(api.reason.starts_with("scaledobjects were never listed")) << api.reason;
    bench.fake.away = {"events"};
    EXPECT_TRUE(bench.until([](const cluster::Batch& batch) {
        return !Bench::report(batch, model::Source::api).failed;
    })) << "warnings are not waited for";
}

TEST(Watcher, who_only_observes_does_not_wait_for_them) {
    Bench bench(milliseconds(20), nullptr, false);
    bench.fake.away = {"scaledobjects"};
    ASSERT_TRUE(bench.until([&](const auto&) { return bench.names.size() == 1; }));
    EXPECT_FALSE(Bench::report(bench.poll(), model::Source::api).failed);
}

TEST(Watcher, until_our_own_change_is_shown_the_picture_counts_as_old) {
    Bench bench;
    bench.fake.brief = true;
    ASSERT_TRUE(bench.until([&](const auto&) { return bench.names.size() == 1; }));
    const std::string uid = "00000000-0000-4000-8000-000000000097";
    ASSERT_TRUE(bench.names.contains(uid));
    bench.own->wrote(Kind::node, uid_of(uid), 12, "node a");
    EXPECT_TRUE(bench.until([](const cluster::Batch& batch) {
        const auto& api = Bench::report(batch, model::Source::api);
        return api.failed && api.reason == "our own change of node a is not in what we see yet";
    }));
    bench.fake.news = R"({"type":"MODIFIED","object":{"metadata":{"name":"a","uid":")" + uid +
                      R"(","resourceVersion":"12"}}})" + "\n";
    EXPECT_TRUE(bench.until([](const cluster::Batch& batch) {
        return !Bench::report(batch, model::Source::api).failed;
    }));
}

TEST(Watcher, our_own_change_that_never_shows_holds_everything_for_fifteen_seconds) {
    Bench bench;
    ASSERT_TRUE(bench.until([&](const auto&) { return bench.names.size() == 1; }));
    bench.own->wrote(Kind::node, uid_of(bench.names.begin()->first), 12, "node a");
    EXPECT_TRUE(Bench::report(bench.poll(), model::Source::api).failed);
    bench.boot = bench.boot + seconds(15);
    EXPECT_FALSE(Bench::report(bench.poll(), model::Source::api).failed);
}

TEST(Watcher, another_cluster_behind_the_same_address_starts_everything_over) {
    Bench bench;
    ASSERT_TRUE(bench.until([&](const auto&) { return bench.names.size() == 1; }));
    bench.fake.uid = "00000000-0000-4000-8000-000000000002";
    bench.fake.nodes = {"B", "C"};
    EXPECT_TRUE(bench.until([&](const auto&) {
        std::set<std::string> names;
        for (const auto& [uid, name] : bench.names) names.insert(name);
        return names == std::set<std::string>{"B", "C"};
    }));
    EXPECT_EQ(bench.watcher->facts().clusters, 2);
    const auto batch = bench.poll();
    EXPECT_NE(Bench::report(batch, model::Source::api).reason.find("another cluster"),
              std::string::npos);
}

TEST(Watcher, what_a_watch_of_another_cluster_says_is_never_mixed_in) {
    Bench bench(hours(1));
    bench.fake.brief = true;
    ASSERT_TRUE(bench.until([&](const auto&) { return bench.names.size() == 1; }));
    bench.fake.uid = "00000000-0000-4000-8000-000000000002";
    bench.fake.nodes = {"B"};
    // The watch continues where it was, and the server at the other end has news.
    bench.fake.news = R"({"type":"ADDED","object":{"metadata":{"name":"N","uid":)"
                      R"("00000000-0000-4000-8000-000000000077","resourceVersion":"12"}}})"
                      "\n";
    EXPECT_TRUE(bench.until([&](const auto&) { return bench.names.size() == 2; }));
    EXPECT_FALSE(bench.mixed);
}

TEST(Watcher, says_that_a_clock_is_off) {
    Bench bench;
    bench.fake.date = "Sun, 06 Nov 1994 08:49:37 GMT";
    EXPECT_TRUE(bench.until([](const cluster::Batch& batch) {
        const auto& api = Bench::report(batch, model::Source::api);
        return !api.failed && api.reason.find(" behind ours") != std::string::npos;
    }));
}

/// A machine whose clock is set, beside a server whose clock is right. Times in objects are told by
/// round time, whichever of the two clocks that began with.
TEST(Watcher, times_in_objects_are_by_the_clock_that_is_nearer_to_the_servers) {
    constexpr TimePoint kTrue{1'767'229'200'000'000};    // The date below.
    constexpr TimePoint kReady{kTrue.us - hours(1).us};  // As the node says.
    const struct {
        Duration off;  ///< Of our clock at the start.
        Duration set;
        Duration moved;  ///< How far the times in objects move with the step.
        std::string says;
    } cases[] = {
        {{}, hours(2), {}, "its clock is 2h00m behind ours"},
        {{}, hours(-24 * 400), {}, " ahead of ours"},
        {{}, seconds(600), {}, "its clock is 10m00s behind ours"},
        {hours(-2), hours(2), hours(-2), "round time is 2h00m behind the clocks of others"},
        {hours(2), hours(-2), hours(2), "round time is 2h00m ahead of the clocks of others"},
    };
    for (const auto& c : cases) {
        ClockReading at{kTrue + c.off, hours(5)};
        Bench bench(milliseconds(20), std::make_shared<RoundClock>([&] { return at; }));
        bench.fake.date = "Thu, 01 Jan 2026 01:00:00 GMT";
        ASSERT_TRUE(bench.until([&](const auto&) { return bench.names.size() == 1; }));
        EXPECT_EQ(bench.ready_since, kReady);
        at.wall = at.wall + c.set;
        EXPECT_TRUE(bench.until([&](const cluster::Batch& batch) {
            return Bench::report(batch, model::Source::api).reason.find(c.says) !=
                   std::string::npos;
        })) << c.says
            << " is not in " << Bench::report(bench.poll(), model::Source::api).reason;
        EXPECT_EQ(bench.ready_since, kReady + c.moved) << c.says;
    }
}

TEST(Watcher, a_credential_that_is_refused_reads_failed_while_watches_go_on) {
    Bench bench;
    ASSERT_TRUE(bench.until([&](const auto&) { return bench.names.size() == 1; }));
    ASSERT_FALSE(Bench::report(bench.poll(), model::Source::api).failed);
    bench.fake.refuses_all = 401;  // Open watches are not cut.
    EXPECT_TRUE(bench.until([](const cluster::Batch& batch) {
        const auto& api = Bench::report(batch, model::Source::api);
        return api.failed && api.reason.find(": 401") != std::string::npos;
    }));
    bench.fake.refuses_all = 0;
    EXPECT_TRUE(bench.until([](const cluster::Batch& batch) {
        return !Bench::report(batch, model::Source::api).failed;
    })) << "once lists come again";
}

TEST(Watcher, any_kind_that_cannot_be_read_any_more_reads_failed_and_comes_back) {
    for (const std::string plural : {"nodes", "poddisruptionbudgets", "namespaces", "deployments",
                                     "replicasets", "horizontalpodautoscalers"}) {
        Bench bench;
        bench.fake.brief = true;
        ASSERT_TRUE(bench.until([&](const auto&) { return bench.names.size() == 1; }));
        bench.fake.away = {plural};
        EXPECT_TRUE(bench.until([&](const cluster::Batch& batch) {
            const auto& api = Bench::report(batch, model::Source::api);
            return api.failed && api.reason.find(plural + ": 503") != std::string::npos;
        })) << plural;
        bench.fake.away.clear();
        EXPECT_TRUE(bench.until([](const cluster::Batch& batch) {
            return !Bench::report(batch, model::Source::api).failed;
        })) << plural;
    }
    Bench bench;
    bench.fake.brief = true;
    ASSERT_TRUE(bench.until([&](const auto&) { return bench.names.size() == 1; }));
    bench.fake.away = {"events"};
    for (int i = 0; i < 40; ++i) {
        EXPECT_FALSE(Bench::report(bench.poll(), model::Source::api).failed) << "evidence only";
        bench.loop.context().run_one_for(std::chrono::milliseconds(5));
    }
}

TEST(Watcher, a_role_that_is_taken_away_reads_failed_whichever_kind_it_was_for) {
    for (const std::string plural : {"nodes", "leases", "pods", "poddisruptionbudgets"}) {
        Bench bench;
        ASSERT_TRUE(bench.until([&](const auto&) { return bench.names.size() == 1; }));
        bench.fake.denied = {plural};
        EXPECT_TRUE(bench.until([&](const cluster::Batch& batch) {
            const auto& api = Bench::report(batch, model::Source::api);
            return api.failed && api.reason.find(plural + ": 403") != std::string::npos;
        })) << plural;
        EXPECT_EQ(bench.names.size(), 1U) << "what was known is kept";
    }
    Bench bench;
    ASSERT_TRUE(bench.until([&](const auto&) { return bench.names.size() == 1; }));
    bench.fake.denied = {"events"};
    for (int i = 0; i < 40; ++i) {
        EXPECT_FALSE(Bench::report(bench.poll(), model::Source::api).failed) << "evidence only";
        bench.loop.context().run_one_for(std::chrono::milliseconds(5));
    }
}

TEST(Watcher, a_cluster_that_may_no_longer_be_told_from_another_reads_failed) {
    Bench bench;
    ASSERT_TRUE(bench.until([&](const auto&) { return bench.watcher->facts().uid.has_value(); }));
    bench.fake.anonymous = true;
    EXPECT_TRUE(bench.until([](const cluster::Batch& batch) {
        const auto& api = Bench::report(batch, model::Source::api);
        return api.failed && api.reason.starts_with("whether this is still the same cluster");
    }));
    bench.fake.anonymous = false;
    EXPECT_TRUE(bench.until([](const cluster::Batch& batch) {
        return !Bench::report(batch, model::Source::api).failed;
    }));
}

TEST(Watcher, rights_for_every_kind_are_asked_for_within_three_turns) {
    Bench bench;
    ASSERT_TRUE(bench.until([&](const auto&) { return bench.names.size() == 1; }));
    std::map<std::string, int> asked;
    bench.fake.heard = [&](const http::Request& request) {
        if (request.target.find("limit=1") == std::string::npos) return;
        ++asked[request.target.substr(0, request.target.find('?'))];
    };
    const std::string nodes = list_path(Kind::node);
    ASSERT_TRUE(bench.until([&](const auto&) { return asked[nodes] >= 4; }));
    for (const KindFacts& kind : all_kinds()) {
        if (!kind.optional) EXPECT_GE(asked[list_path(kind.kind)], 1) << kind.plural;
    }
    EXPECT_GE(asked[list_path(Kind::budget)], 3);
}

TEST(Watcher, says_what_it_may_not_see) {
    Bench bench;
    bench.fake.denied = {"nodes", "leases"};
    EXPECT_TRUE(bench.until([](const cluster::Batch& batch) {
        const auto& api = Bench::report(batch, model::Source::api);
        return !api.failed && api.reason == "may not see nodes, leases";
    }));
    Bench stranger;
    stranger.fake.anonymous = true;
    EXPECT_TRUE(stranger.until([](const cluster::Batch& batch) {
        const auto& api = Bench::report(batch, model::Source::api);
        return !api.failed && api.reason.starts_with("may not get namespace kube-system, so");
    }));
    Bench blind;
    blind.fake.denied = {"pods"};
    EXPECT_TRUE(blind.until([](const cluster::Batch& batch) {
        return Bench::report(batch, model::Source::api).failed;
    })) << "without pods nothing is seen";
}

}  // namespace
}  // namespace parley::kube
