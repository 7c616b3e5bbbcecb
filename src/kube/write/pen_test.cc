#include "kube/write/pen.h"

#include "kube/write/one_object_test.h"

#include <functional>

namespace parley::kube {
namespace {

using http::Reply;
using Texts = std::vector<std::string>;

constexpr http::Limits kLimits{.connect = seconds(3), .head = seconds(10), .whole = seconds(15)};
const Reply kFine{.headers = kJsonType, .body = "{}"};

Sending sending(Trial trial = Trial::first_time) {
    return {.doing = "writing",
            .about = "a thing",
            .kind = "thing",
            .audit = "parley-1",
            .trial = trial};
}

/// A pen before a server that answers dry runs and changes as told.
struct Bench {
    Bench()
        : server(loop.executor(),
                 [this](const http::Request& asked) {
                     if (!is_dry(asked)) return change;
                     if (on_dry) on_dry();
                     return dry_run;
                 }),
          pen(api_of(loop, server), [this] { return term; }, kLimits) {}

    Result<http::Response> write(const std::string& method, Sending how = sending()) {
        const http::Request request{.method = method, .target = "/things/one", .body = "{}"};
        return loop.ask(pen.write(request, std::move(how)));
    }

    /// "PUT dry", "PUT": what was asked for so far.
    Texts sent() const {
        Texts out;
        for (const http::Request& each : server.requests()) {
            out.push_back(each.method + (is_dry(each) ? " dry" : ""));
        }
        return out;
    }

    Reply change = kFine;
    Reply dry_run = kFine;
    std::function<void()> on_dry;
    Duration term = hours(24);
    http::TestLoop loop;
    http::Imposter server;
    Pen pen;
};

TEST(Pen, writes_under_our_name_with_an_id_for_the_audit_log) {
    Bench bench;
    ASSERT_TRUE(bench.write("PUT"));
    const auto& asked = bench.server.requests();
    ASSERT_EQ(bench.sent(), (Texts{"PUT dry", "PUT"}));
    EXPECT_EQ(asked[0].target, "/things/one?fieldManager=parley&dryRun=All");
    EXPECT_EQ(header_of(asked[0], "Audit-ID"), "") << "it changes nothing";
    EXPECT_EQ(asked[1].target, "/things/one?fieldManager=parley");
    EXPECT_EQ(header_of(asked[1], "Audit-ID"), "parley-1");
    EXPECT_EQ(header_of(asked[1], "Content-Type"), "application/json");
}

TEST(Pen, tries_each_verb_of_each_kind_once) {
    Bench bench;
    ASSERT_TRUE(bench.write("PUT"));
    ASSERT_TRUE(bench.write("PUT"));
    ASSERT_TRUE(bench.write("POST"));
    Sending other = sending();
    other.kind = "thing/scale";
    ASSERT_TRUE(bench.write("PUT", other));
    EXPECT_EQ(bench.sent(), (Texts{"PUT dry", "PUT", "PUT", "POST dry", "POST", "PUT dry", "PUT"}));
}

TEST(Pen, tries_each_time_or_never_where_it_is_told_so) {
    Bench bench;
    for (int i = 0; i < 2; ++i) ASSERT_TRUE(bench.write("POST", sending(Trial::each_time)));
    ASSERT_TRUE(bench.write("PUT", sending(Trial::never)));
    EXPECT_EQ(bench.sent(), (Texts{"POST dry", "POST", "POST dry", "POST", "PUT"}));
    ASSERT_TRUE(bench.write("PUT"));
    EXPECT_EQ(bench.sent().size(), 7U) << "what was never tried has passed no dry run";
}

TEST(Pen, what_a_dry_run_refuses_is_not_sent_and_tried_again) {
    struct Case {
        Reply reply;
        ErrorCode code;
    };
    Bench bench;
    Texts sent;
    for (const Case& each : std::initializer_list<Case>{
             {{.status = 403, .headers = kJsonType, .body = "{}"}, ErrorCode::denied},
             {{.status = 409, .headers = kJsonType, .body = "{}"}, ErrorCode::conflict},
             // Whatever became of it, nothing was changed.
             {{.status = 500, .headers = kJsonType, .body = "{}"}, ErrorCode::unavailable},
             {{.headers = {{"Content-Type", "text/html"}}, .body = "<p>"}, ErrorCode::unavailable},
             {{.manner = Reply::Manner::reset}, ErrorCode::unavailable}}) {
        bench.dry_run = each.reply;
        const auto answer = bench.write("PUT");
        ASSERT_FALSE(answer);
        EXPECT_EQ(answer.error().code, each.code) << answer.error().message;
        EXPECT_TRUE(answer.error().message.starts_with("trying on a thing: "))
            << answer.error().message;
        sent.push_back("PUT dry");
        EXPECT_EQ(bench.sent(), sent);
    }
}

TEST(Pen, of_a_change_without_an_answer_nobody_knows) {
    Bench bench;
    bench.change = {.manner = Reply::Manner::reset};
    const auto answer = bench.write("PUT");
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::unknown_outcome);
    EXPECT_TRUE(answer.error().message.starts_with("writing a thing: ")) << answer.error().message;
    EXPECT_EQ(bench.sent(), (Texts{"PUT dry", "PUT"})) << "it never tries again";
}

TEST(Pen, asks_for_its_term_before_every_request) {
    Bench bench;
    bench.term = {};
    EXPECT_EQ(bench.write("PUT").error().code, ErrorCode::unavailable);
    EXPECT_TRUE(bench.sent().empty());
    bench.term = seconds(10);
    bench.on_dry = [&] { bench.term = {}; };
    const auto answer = bench.write("PUT");
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::unavailable);
    EXPECT_EQ(answer.error().message, std::string("writing a thing: ") + kNoTerm);
    EXPECT_EQ(bench.sent(), Texts{"PUT dry"}) << "it ended during the dry run";
}

TEST(Pen, what_got_too_old_is_not_sent) {
    Bench bench;
    Sending late = sending();
    late.fresh = Deadline(Duration{});
    for (int i = 0; i < 2; ++i) {
        const auto answer = bench.write("PUT", late);
        ASSERT_FALSE(answer);
        EXPECT_EQ(answer.error().code, ErrorCode::unavailable);
        EXPECT_EQ(answer.error().retry_after, Duration{}) << "the next round may ask again";
        EXPECT_EQ(bench.sent(), Texts{"PUT dry"}) << "tried once, and never sent";
    }
}

TEST(AfterConflict, only_what_is_ours_is_done) {
    const Error conflict{ErrorCode::conflict, "changing it: 409", std::nullopt};
    EXPECT_TRUE(after_conflict(conflict, true));
    EXPECT_EQ(after_conflict(conflict, false).error(), conflict);
    EXPECT_EQ(after_conflict(conflict, fail(ErrorCode::gone, "x")).error(), conflict)
        << "it cannot be ours, which is not there";
    const auto unread = after_conflict(conflict, fail(ErrorCode::unavailable, "reading it: 503"));
    EXPECT_EQ(unread.error().code, ErrorCode::unknown_outcome);
    EXPECT_EQ(unread.error().message, "changing it: 409; reading it: 503");
}

}  // namespace
}  // namespace parley::kube
