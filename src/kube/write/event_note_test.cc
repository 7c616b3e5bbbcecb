#include "kube/write/event_note.h"

#include "base/json_read.h"
#include "base/time_text.h"
#include "kube/write/json_parts.h"
#include "kube/write/one_object_test.h"

#include <gtest/gtest.h>

#include <utility>

namespace parley::kube {
namespace {

const TimePoint kNoon = *parse_time("2025-03-01T12:00:00Z");
const model::NodeId kNode{Name::of("node-07")};

EventNote note_on(model::Target about, std::string id = "0a1b-began") {
    return {.about = std::move(about),
            .uid = {1, 2},
            .id = std::move(id),
            .reason = "ParleyMigrate",
            .action = "Migrate",
            .note = "migrate node-07. Risk 0.86.",
            .at = kNoon};
}

model::WorkloadId workload(model::WorkloadKind kind) {
    return {Name::of("shop"), kind, Name::of("web")};
}

Json parsed(const std::string& body) {
    auto json = parse_json(body);
    EXPECT_TRUE(json) << body;
    return json ? *std::move(json) : Json();
}

TEST(EventNote, has_every_field_that_the_api_asks_for) {
    const auto object = event_object(note_on(kNode), "worker-3_71_5");
    ASSERT_TRUE(object) << object.error().message;
    EXPECT_EQ(object->list, "/apis/events.k8s.io/v1/namespaces/default/events")
        << "about nodes only there";
    EXPECT_EQ(object->name, "parley.0a1b-began");
    EXPECT_EQ(object->body,
              R"({"apiVersion":"events.k8s.io/v1","kind":"Event","metadata":{)"
              R"("name":"parley.0a1b-began","namespace":"default",)"
              R"("labels":{"app.kubernetes.io/managed-by":"parley"}},)"
              R"("eventTime":"2025-03-01T12:00:00.000000Z",)"
              R"("reportingController":"parley.dev/parley","reportingInstance":"worker-3_71_5",)"
              R"("action":"Migrate","reason":"ParleyMigrate","type":"Normal",)"
              R"("note":"migrate node-07. Risk 0.86.","regarding":{"apiVersion":"v1",)"
              R"("kind":"Node","name":"node-07","uid":"00000000-0000-0001-0000-000000000002"}})");
}

TEST(EventNote, is_in_the_namespace_of_a_workload) {
    using enum model::WorkloadKind;
    struct Case {
        model::WorkloadKind kind;
        const char* version;
        const char* name;
    };
    const Case cases[] = {{deployment, "apps/v1", "Deployment"},
                          {stateful_set, "apps/v1", "StatefulSet"},
                          {job, "batch/v1", "Job"}};
    for (const Case& each : cases) {
        const auto object = event_object(note_on(workload(each.kind)), "a");
        ASSERT_TRUE(object) << each.name;
        EXPECT_EQ(object->list, "/apis/events.k8s.io/v1/namespaces/shop/events");
        const Json body = parsed(object->body);
        const Json* about = body.find("regarding");
        EXPECT_EQ(text_or_none(about, "apiVersion"), each.version);
        EXPECT_EQ(text_or_none(about, "kind"), each.name);
        EXPECT_EQ(text_or_none(about, "namespace"), "shop");
        EXPECT_EQ(text_or_none(about, "name"), "web");
    }
}

TEST(EventNote, what_is_no_object_carries_none) {
    const model::Target targets[] = {model::WholeCluster{}, model::NamespaceId{Name::of("shop")},
                                     workload(model::WorkloadKind::bare),
                                     model::NodeId{Name::of("../secrets")}};
    for (const model::Target& target : targets) {
        const auto object = event_object(note_on(target), "a");
        ASSERT_FALSE(object);
        EXPECT_EQ(object.error().code, ErrorCode::gone);
    }
}

TEST(EventNote, a_note_is_cut_between_characters) {
    const auto said = [](std::string text) {
        EventNote note = note_on(kNode);
        note.note = std::move(text);
        note.warning = true;
        const Json body = parsed(event_object(note, std::string(300, 'h'))->body);
        EXPECT_EQ(text_or_none(&body, "type"), "Warning");
        EXPECT_EQ(text_or_none(&body, "reportingInstance").size(), kInstanceMax);
        return std::string(text_or_none(&body, "note"));
    };
    const std::string fits(kNoteMax, 'a');
    EXPECT_EQ(said(fits), fits);
    EXPECT_EQ(said(fits + "a"), std::string(kNoteMax - 3, 'a') + "...");
    const std::string before(kNoteMax - 4, 'a');
    EXPECT_EQ(said(before + "\xC3\xA9" + fits), before + "...")
        << "not half of an e with an accent";
}

TEST(EventNote, one_that_comes_again_is_counted) {
    EXPECT_EQ(series_body(2, kNoon),
              R"({"series":{"count":2,"lastObservedTime":"2025-03-01T12:00:00.000000Z"}})");
}

boost::asio::awaitable<bool> settled(EventNotes* notes) {
    co_await notes->settle(seconds(10));
    co_return true;
}

/// An API server that takes Events, and somebody who says something.
struct Bench {
    Bench()
        : server(loop.executor(),
                 [this](const http::Request& asked) {
                     sent.push_back(asked);
                     return reply;
                 }),
          notes(loop.executor(), api_of(loop, server), "worker-3_71_5",
                [this](const EventNote& note) { return may || (stopped && note.gives_back); }) {}

    void settle() { loop.ask(settled(&notes)); }
    std::string methods() const {
        std::string out;
        for (const http::Request& each : sent) out += each.method + " ";
        return out;
    }

    http::TestLoop loop;
    std::vector<http::Request> sent;
    http::Reply reply{.status = 201, .headers = kJsonType, .body = "{}"};
    bool may = true;
    bool stopped = false;
    http::Imposter server;
    EventNotes notes;
};

TEST(EventNotes, are_written_one_after_the_other_and_nobody_waits) {
    Bench bench;
    bench.notes.say(note_on(kNode, "1-began"));
    bench.notes.say(note_on(workload(model::WorkloadKind::deployment), "2-began"));
    EXPECT_TRUE(bench.sent.empty()) << "say() sends nothing itself";
    bench.settle();
    ASSERT_EQ(bench.methods(), "POST POST ");
    EXPECT_EQ(bench.sent[0].target,
              "/apis/events.k8s.io/v1/namespaces/default/events?fieldManager=parley");
    EXPECT_EQ(bench.notes.written(), 2U);
    EXPECT_EQ(bench.notes.lost(), 0U);
    bench.notes.say(note_on(kNode, "3-done"));
    bench.settle();
    EXPECT_EQ(bench.notes.written(), 3U) << "it begins again";
}

TEST(EventNotes, what_comes_again_within_ten_minutes_is_counted_on_the_first) {
    Bench bench;
    EventNote note = note_on(kNode, "1-began");
    bench.notes.say(note);
    note.id = "2-began";
    note.at = kNoon + minutes(9);
    bench.notes.say(note);
    note.id = "3-began";
    note.at = kNoon + minutes(18);
    bench.notes.say(note);
    note.id = "4-began";
    note.at = kNoon + minutes(29);
    bench.notes.say(note);
    note.id = "5-gave-up";
    note.reason = "ParleyGaveUp";
    bench.notes.say(note);
    bench.settle();
    ASSERT_EQ(bench.methods(), "POST PATCH PATCH POST POST ");
    EXPECT_EQ(
        bench.sent[1].target,
        "/apis/events.k8s.io/v1/namespaces/default/events/parley.1-began?fieldManager=parley");
    EXPECT_EQ(bench.sent[1].body, series_body(2, kNoon + minutes(9)));
    EXPECT_EQ(bench.sent[2].body, series_body(3, kNoon + minutes(18)));
}

TEST(EventNotes, the_oldest_is_lost_if_too_many_wait) {
    Bench bench;
    for (std::size_t i = 0; i < EventNotes::kWaitingMax + 3; ++i) {
        EventNote note = note_on(kNode, std::to_string(i));
        note.reason += std::to_string(i);
        bench.notes.say(std::move(note));
    }
    EXPECT_EQ(bench.notes.waiting(), EventNotes::kWaitingMax);
    EXPECT_EQ(bench.notes.lost(), 3U);
    EXPECT_EQ(bench.notes.why(), "more than 64 waited to be written");
    bench.settle();
    EXPECT_EQ(bench.notes.written(), EventNotes::kWaitingMax);
    EXPECT_NE(bench.sent.front().body.find(R"("name":"parley.3")"), std::string::npos);
}

TEST(EventNotes, a_refusal_or_silence_is_counted_and_not_tried_again) {
    Bench bench;
    bench.reply.status = 403;
    bench.notes.say(note_on(kNode, "1"));
    bench.settle();
    EXPECT_EQ(bench.notes.lost(), 1U);
    EXPECT_NE(bench.notes.why().find("writing an Event on node-07"), std::string::npos);
    bench.reply.manner = http::Reply::Manner::reset;
    bench.notes.say(note_on(kNode, "2"));
    bench.settle();
    EXPECT_EQ(bench.notes.lost(), 2U);
    EXPECT_EQ(bench.notes.written(), 0U);
    bench.reply = {.status = 409, .headers = kJsonType, .body = "{}"};
    bench.notes.say(note_on(kNode, "3"));
    bench.settle();
    EXPECT_EQ(bench.notes.lost(), 2U) << "a leader before us has said it";
    bench.notes.say(note_on(model::WholeCluster{}, "4"));
    bench.settle();
    EXPECT_EQ(bench.notes.lost(), 2U) << "nothing could carry it";
}

TEST(EventNotes, what_may_not_be_sent_is_asked_at_the_last_moment) {
    Bench bench;
    bench.notes.say(note_on(kNode, "1"));
    EventNote undone = note_on(kNode, "2");
    undone.gives_back = true;
    bench.notes.say(undone);
    bench.may = false;
    bench.stopped = true;
    bench.settle();
    EXPECT_EQ(bench.methods(), "POST ");
    EXPECT_NE(bench.sent[0].body.find("parley.2"), std::string::npos);
    bench.stopped = false;
    bench.notes.say(undone);
    bench.settle();
    EXPECT_EQ(bench.sent.size(), 1U) << "another leads";
    EXPECT_EQ(bench.notes.lost(), 0U);
}

}  // namespace
}  // namespace parley::kube
