#include "kube/write/hand.h"

#include "kube/watch/own_writes.h"
#include "kube/write/mark_json.h"
#include "kube/write/one_object_test.h"

#include <functional>

namespace parley::kube {
namespace {

using namespace model;
using http::Reply;

const NodeId kNode{Name::of("node-1")};
const cluster::Stamp kStamp{{1, 2}, 3, false};

std::string node(const std::string& version, const std::string& spec = "{}",
                 const std::string& annotations = "") {
    return R"({"metadata":{"name":"node-1","uid":"0af1c2d3-0000-4000-8000-0000000000aa",)"
           R"("resourceVersion":")" +
           version + R"(","annotations":{)" + annotations + R"(}},"spec":)" + spec + "}";
}

const std::string kTainted =
    R"({"taints":[{"key":"parley.dev/quarantine","effect":"NoSchedule"}]})";

bool renews(const http::Request& request) {
    return header_of(request, "Audit-ID").ends_with("-renew");
}

/// A hand before a server that shows node-1 in version 41 and answers changes as told.
struct Bench {
    explicit Bench(Reply to_change = {.headers = kJsonType, .body = "{}"})
        : change(std::move(to_change)), server(loop.executor(), [this](const http::Request& asked) {
              if (asked.method == "GET") {
                  return Reply{.status = reads,
                               .headers = kJsonType,
                               .body = node(version, spec, annotations)};
              }
              if (is_dry(asked)) return dry_run;
              if (renews(asked) && on_renewal) return on_renewal();
              if (on_change) on_change();
              return change;
          }) {
        hand = std::make_unique<Hand>(api_of(loop, server), [this] { return term; }, own);
    }

    Result<Live> look() { return loop.ask(hand->read(SetTaint{kNode, model::Taint::no_schedule})); }

    Result<void> taint(std::uint64_t only_if) {
        const Precondition same{uid_of("0af1c2d3-0000-4000-8000-0000000000aa"), only_if};
        return loop.ask(hand->apply(SetTaint{kNode, model::Taint::no_schedule}, same, kStamp));
    }
    static Uid uid_of(const std::string&) { return {0x0af1c2d3'0000'4000, 0x8000'0000000000aa}; }

    /// "PATCH", "PATCH dry" for every change that was asked for, "PATCH renew" of a mark.
    std::vector<std::string> changes() const {
        std::vector<std::string> out;
        for (const http::Request& each : server.requests()) {
            if (each.method == "GET") continue;
            out.push_back(each.method + (is_dry(each) ? " dry" : renews(each) ? " renew" : ""));
        }
        return out;
    }

    Reply change;
    Reply dry_run{.headers = kJsonType, .body = "{}"};
    std::string version = "41";
    std::string spec = "{}";
    std::string annotations;
    int reads = 200;                  ///< The status of every read.
    std::function<void()> on_change;  ///< Called with every change in earnest but renewals.
    std::function<Reply()> on_renewal;
    Duration term = hours(24);
    Duration boot = hours(1);
    std::shared_ptr<OwnWrites> own = std::make_shared<OwnWrites>([this] { return boot; });
    http::TestLoop loop;
    http::Imposter server;
    std::unique_ptr<Hand> hand;
};

using Texts = std::vector<std::string>;

TEST(Hand, reads_its_target_and_changes_that_very_version) {
    Bench bench;
    const auto live = bench.loop.ask(bench.hand->read(SetTaint{kNode, model::Taint::no_schedule}));
    ASSERT_TRUE(live) << live.error().message;
    EXPECT_EQ(live->version, 41U);
    EXPECT_FALSE(live->applied);
    EXPECT_TRUE(bench.taint(41));
    EXPECT_EQ(bench.changes(), (Texts{"PATCH dry", "PATCH"}));
}

TEST(Hand, sends_nothing_for_what_it_did_not_read) {
    Bench bench;
    EXPECT_EQ(bench.taint(41).error().code, ErrorCode::conflict) << "never read";
    ASSERT_TRUE(bench.loop.ask(bench.hand->read(SetTaint{kNode, model::Taint::no_schedule})));
    EXPECT_EQ(bench.taint(40).error().code, ErrorCode::conflict) << "another version";
    EXPECT_TRUE(bench.changes().empty());
    EXPECT_TRUE(bench.taint(41));
    EXPECT_EQ(bench.taint(41).error().code, ErrorCode::conflict) << "it is no longer that version";
    EXPECT_EQ(bench.changes(), (Texts{"PATCH dry", "PATCH"}));
}

TEST(Hand, tries_a_verb_once_by_a_dry_run_and_stops_where_that_is_refused) {
    Bench bench;
    bench.dry_run = {.status = 403, .headers = kJsonType, .body = "{}"};
    const auto look = [&] {
        return bench.loop.ask(bench.hand->read(SetTaint{kNode, model::Taint::no_schedule}));
    };
    ASSERT_TRUE(look());
    EXPECT_EQ(bench.taint(41).error().code, ErrorCode::denied);
    EXPECT_EQ(bench.changes(), Texts{"PATCH dry"});
    bench.dry_run = {.status = 500, .headers = kJsonType, .body = "{}"};
    ASSERT_TRUE(look());
    EXPECT_EQ(bench.taint(41).error().code, ErrorCode::unavailable) << "surely nothing was done";
    bench.dry_run = {.headers = kJsonType, .body = "{}"};
    for (int i = 0; i < 2; ++i) {
        ASSERT_TRUE(look());
        EXPECT_TRUE(bench.taint(41));
    }
    EXPECT_EQ(bench.changes(), (Texts{"PATCH dry", "PATCH dry", "PATCH dry", "PATCH", "PATCH"}));
}

TEST(Hand, says_of_every_answer_what_is_to_be_done) {
    struct Case {
        Reply reply;
        ErrorCode code;
    };
    const std::string budget = R"({"kind":"Status","details":{"causes":[{"reason":)"
                               R"("DisruptionBudget"}]}})";
    for (const Case& each : std::initializer_list<Case>{
             {{.status = 409, .headers = kJsonType, .body = "{}"}, ErrorCode::conflict},
             {{.status = 404, .headers = kJsonType, .body = "{}"}, ErrorCode::gone},
             {{.status = 403, .headers = kJsonType, .body = "{}"}, ErrorCode::denied},
             {{.status = 422, .headers = kJsonType, .body = "{}"}, ErrorCode::denied},
             {{.status = 429, .headers = kJsonType, .body = "{}"}, ErrorCode::unavailable},
             {{.status = 429, .headers = kJsonType, .body = budget}, ErrorCode::blocked},
             {{.status = 500, .headers = kJsonType, .body = "{}"}, ErrorCode::unknown_outcome},
             {{.status = 503, .headers = kJsonType, .body = "{}"}, ErrorCode::unknown_outcome},
             {{.status = 504, .headers = kJsonType, .body = "{}"}, ErrorCode::unknown_outcome},
             {{.headers = {{"Content-Type", "text/html"}}, .body = "<p>"}, ErrorCode::malformed},
             {{.manner = Reply::Manner::reset}, ErrorCode::unknown_outcome},
             {{.headers = kJsonType, .body = "{}", .manner = Reply::Manner::cut},
              ErrorCode::unknown_outcome}}) {
        Bench bench(each.reply);
        ASSERT_TRUE(bench.loop.ask(bench.hand->read(SetTaint{kNode, model::Taint::no_schedule})));
        const auto answer = bench.taint(41);
        ASSERT_FALSE(answer) << each.reply.status;
        EXPECT_EQ(answer.error().code, each.code) << each.reply.status << answer.error().message;
        EXPECT_EQ(bench.changes().size(), 2U) << "it never tries again";
    }
}

TEST(Hand, a_pod_is_evicted_only_after_a_dry_run_each_time) {
    Bench bench;
    const EvictPod evict{Bench::uid_of(""), "web-1", Name::of("shop")};
    for (int i = 0; i < 2; ++i) {
        ASSERT_TRUE(bench.loop.ask(bench.hand->read(evict)));
        EXPECT_TRUE(bench.loop.ask(bench.hand->apply(evict, {evict.pod, 41}, kStamp)));
    }
    EXPECT_EQ(bench.changes(), (Texts{"POST dry", "POST", "POST dry", "POST"}));
}

TEST(Hand, a_pod_that_two_budgets_select_is_blocked_and_nothing_is_unknown) {
    Bench bench;
    bench.dry_run = {.status = 500,
                     .headers = kJsonType,
                     .body = R"({"kind":"Status","code":500,"message":"This pod has more than one )"
                             R"(PodDisruptionBudget, which the eviction subresource does not )"
                             R"(support."})"};
    const EvictPod evict{Bench::uid_of(""), "web-1", Name::of("shop")};
    ASSERT_TRUE(bench.loop.ask(bench.hand->read(evict)));
    const auto answer = bench.loop.ask(bench.hand->apply(evict, {evict.pod, 41}, kStamp));
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::blocked);
    EXPECT_EQ(answer.error().message,
              "trying on pod shop/web-1: two or more disruption budgets select it, and the API "
              "server evicts no such pod; leave it one");
    EXPECT_EQ(bench.changes(), Texts{"POST dry"});
}

TEST(Hand, what_got_too_old_during_the_dry_run_is_not_sent) {
    Bench bench;
    ASSERT_TRUE(bench.look());
    cluster::Stamp stamp = kStamp;
    stamp.fresh = {};
    const Precondition same{Bench::uid_of(""), 41};
    const auto answer =
        bench.loop.ask(bench.hand->apply(SetTaint{kNode, model::Taint::no_schedule}, same, stamp));
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::unavailable);
    EXPECT_EQ(answer.error().retry_after, Duration{}) << "the next round may ask again";
    EXPECT_EQ(bench.changes(), Texts{"PATCH dry"});
}

TEST(Hand, what_may_still_arrive_is_made_impossible_before_it_counts_as_not_applied) {
    for (const Reply& lost : {Reply{.manner = Reply::Manner::reset},
                              Reply{.status = 504, .headers = kJsonType, .body = "{}"},
                              Reply{.headers = {{"Content-Type", "text/html"}}, .body = "<p>"}}) {
        Bench bench(lost);
        ASSERT_TRUE(bench.look());
        ASSERT_FALSE(bench.taint(41));
        bench.on_renewal = [&] {
            bench.version = "42";
            return Reply{.headers = kJsonType, .body = node("42")};
        };
        const auto live = bench.look();
        ASSERT_TRUE(live) << live.error().message;
        EXPECT_FALSE(live->applied);
        EXPECT_EQ(live->version, 42U) << "whatever was sent for 41 comes too late";
        EXPECT_EQ(bench.changes(), (Texts{"PATCH dry", "PATCH", "PATCH renew"}));
        EXPECT_EQ(header_of(bench.server.requests()[4], "Audit-ID"), audit_id(kStamp) + "-renew");
        ASSERT_TRUE(bench.look());
        EXPECT_EQ(bench.changes().size(), 3U) << "it is settled";
    }
}

TEST(Hand, what_arrives_between_the_two_reads_is_found) {
    Bench bench({.manner = Reply::Manner::reset});
    ASSERT_TRUE(bench.look());
    ASSERT_FALSE(bench.taint(41));
    bench.on_renewal = [&] {  // It was faster than the renewal.
        bench.version = "42";
        bench.spec = kTainted;
        return Reply{.status = 409, .headers = kJsonType, .body = "{}"};
    };
    const auto live = bench.look();
    ASSERT_TRUE(live) << live.error().message;
    EXPECT_TRUE(live->applied);
}

TEST(Hand, what_has_another_version_already_needs_no_renewal) {
    for (const std::string& spec : {kTainted, std::string("{}")}) {
        Bench bench({.manner = Reply::Manner::reset});
        ASSERT_TRUE(bench.look());
        ASSERT_FALSE(bench.taint(41));
        bench.version = "42";
        bench.spec = spec;
        const auto live = bench.look();
        ASSERT_TRUE(live);
        EXPECT_EQ(live->applied, spec == kTainted);
        EXPECT_EQ(bench.changes(), (Texts{"PATCH dry", "PATCH"}));
    }
}

TEST(Hand, what_cannot_be_made_impossible_stays_unknown) {
    Bench bench({.manner = Reply::Manner::reset});
    ASSERT_TRUE(bench.look());
    ASSERT_FALSE(bench.taint(41));
    bench.on_renewal = [] { return Reply{.status = 403, .headers = kJsonType, .body = "{}"}; };
    const auto unknown = bench.look();
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, ErrorCode::unavailable);
    EXPECT_EQ(unknown.error().message,
              "what came of an earlier request to node node-1 is not known yet: renewing the mark "
              "on node node-1: 403");
    EXPECT_EQ(bench.taint(41).error().code, ErrorCode::conflict) << "and nothing rests on it";
    bench.term = {};
    const std::size_t sent = bench.changes().size();
    EXPECT_FALSE(bench.look());
    EXPECT_EQ(bench.changes().size(), sent) << "who does not lead renews nothing";
}

const std::string kMarked = mark_members({kStamp.decision, {}, ActionKind::migrate, {}});

/// As a server does it: another version, and what its mark says besides.
Reply renew_at(Bench& bench) {
    bench.version = std::to_string(std::stoi(bench.version) + 1);
    return {.headers = kJsonType, .body = node(bench.version, bench.spec, bench.annotations)};
}

TEST(Hand, what_a_dead_leader_sent_last_is_made_impossible_before_it_counts_as_not_applied) {
    Bench bench;
    bench.annotations = kMarked;  // Somebody marked it, and we did not.
    bench.on_renewal = [&] { return renew_at(bench); };
    const auto live = bench.look();
    ASSERT_TRUE(live) << live.error().message;
    EXPECT_EQ(live->version, 42U) << "whatever was sent for 41 comes too late";
    EXPECT_EQ(bench.changes(), Texts{"PATCH renew"});
    ASSERT_TRUE(bench.look());
    EXPECT_TRUE(bench.taint(42));
    ASSERT_TRUE(bench.look());
    EXPECT_EQ(bench.changes(), (Texts{"PATCH renew", "PATCH dry", "PATCH"})) << "once is enough";
    bench.hand->take_over();  // Somebody else may have led meanwhile.
    ASSERT_TRUE(bench.look());
    EXPECT_EQ(bench.changes().back(), "PATCH renew");
}

TEST(Hand, what_a_dead_leader_had_done_already_needs_no_renewal) {
    Bench bench;
    bench.annotations = kMarked;
    bench.spec = kTainted;
    ASSERT_TRUE(bench.look());
    EXPECT_TRUE(bench.changes().empty());
}

TEST(Hand, an_object_that_we_marked_ourselves_needs_no_renewal) {
    Bench bench;
    const PutMark mark{kNode, kStamp.decision, {}, ActionKind::migrate, {}};
    const auto live = bench.loop.ask(bench.hand->read(mark));
    ASSERT_TRUE(live);
    bench.on_change = [&] { bench.annotations = kMarked; };
    ASSERT_TRUE(bench.loop.ask(bench.hand->apply(mark, {live->uid, live->version}, kStamp)));
    ASSERT_TRUE(bench.look());
    EXPECT_EQ(bench.changes(), (Texts{"PATCH dry", "PATCH"}));
}

TEST(Hand, while_a_dead_leaders_last_request_may_still_come_nothing_is_believed) {
    Bench bench;
    bench.annotations = kMarked;
    bench.on_renewal = [] { return Reply{.status = 503, .headers = kJsonType, .body = "{}"}; };
    const auto unknown = bench.look();
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, ErrorCode::unavailable);
    bench.on_renewal = [&] { return renew_at(bench); };
    EXPECT_TRUE(bench.look());
}

/// A bench whose server carries out the taint and then answers as if it came a second time.
void apply_twice(Bench& bench) {
    bench.change = {.status = 409, .headers = kJsonType, .body = "{}"};
    bench.on_change = [&bench] {
        bench.version = "42";
        bench.spec = kTainted;
        bench.annotations = kMarked;
    };
}

TEST(Hand, what_was_applied_and_then_heard_as_a_conflict_was_done_by_us) {
    Bench bench;
    apply_twice(bench);
    Picture picture;
    Node shown;
    shown.meta.uid = Bench::uid_of("");
    shown.meta.version = 41;
    picture.put(shown, {});
    ASSERT_TRUE(bench.look());
    const auto answer = bench.taint(41);
    EXPECT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(bench.changes(), (Texts{"PATCH dry", "PATCH"})) << "it never tries again";
    EXPECT_EQ(bench.own->unshown(picture), "node node-1") << "and the watch must show it";
}

TEST(Hand, a_conflict_with_somebody_else_stays_one) {
    for (const std::string& others : {std::string("{}"), kTainted}) {
        Bench bench;
        apply_twice(bench);
        bench.on_change = [&] {  // Ours was not carried out: they were faster.
            bench.version = "42";
            bench.spec = others;
            bench.annotations = mark_members({{9, 9}, {}, ActionKind::migrate, {}});
        };
        ASSERT_TRUE(bench.look());
        const auto answer = bench.taint(41);
        ASSERT_FALSE(answer);
        EXPECT_EQ(answer.error().code, ErrorCode::conflict);
    }
}

TEST(Hand, whose_work_a_conflict_was_is_unknown_until_it_can_be_read) {
    Bench bench;
    apply_twice(bench);
    ASSERT_TRUE(bench.look());
    bench.reads = 503;
    const auto answer = bench.taint(41);
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::unknown_outcome) << answer.error().message;
    bench.reads = 200;
    const auto live = bench.look();
    ASSERT_TRUE(live) << live.error().message;
    EXPECT_TRUE(live->applied);
    EXPECT_EQ(bench.changes(), (Texts{"PATCH dry", "PATCH"})) << "nothing can come any more";
}

TEST(Hand, its_own_changes_are_known_until_the_watch_has_shown_them) {
    Bench bench({.headers = kJsonType, .body = node("44")});
    Picture picture;
    const auto show = [&](std::uint64_t version) {
        Node shown;
        shown.meta.uid = Bench::uid_of("");
        shown.meta.version = version;
        picture.put(shown, {});
    };
    show(41);
    ASSERT_TRUE(bench.look());
    EXPECT_EQ(bench.own->unshown(picture), "");
    ASSERT_TRUE(bench.taint(41));
    show(43);
    EXPECT_EQ(bench.own->unshown(picture), "node node-1");
    show(44);
    EXPECT_EQ(bench.own->unshown(picture), "");
}

TEST(Hand, an_evicted_pod_is_known_to_change_although_nobody_says_its_version) {
    Bench bench({.status = 201, .headers = kJsonType, .body = R"({"kind":"Status"})"});
    Picture picture;
    const auto show = [&](std::uint64_t version) {
        Pod shown;
        shown.uid = Bench::uid_of("");
        shown.version = version;
        picture.put(shown, {});
    };
    show(41);
    const EvictPod evict{Bench::uid_of(""), "web-1", Name::of("shop")};
    ASSERT_TRUE(bench.loop.ask(bench.hand->read(evict)));
    ASSERT_TRUE(bench.loop.ask(bench.hand->apply(evict, {evict.pod, 41}, kStamp)));
    EXPECT_EQ(bench.own->unshown(picture), "pod shop/web-1");
    show(42);
    EXPECT_EQ(bench.own->unshown(picture), "");
}

TEST(Hand, an_unknown_change_that_was_applied_is_waited_for_too) {
    Bench bench({.manner = Reply::Manner::reset});
    Picture picture;
    Node shown;
    shown.meta.uid = Bench::uid_of("");
    shown.meta.version = 41;
    picture.put(shown, {});
    ASSERT_TRUE(bench.look());
    ASSERT_FALSE(bench.taint(41));
    bench.version = "42";
    bench.spec = kTainted;
    ASSERT_TRUE(bench.look());
    EXPECT_EQ(bench.own->unshown(picture), "node node-1");
}

}  // namespace
}  // namespace parley::kube
