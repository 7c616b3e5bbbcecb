#include "kube/provider/provider_hand.h"

#include "fake/cluster.h"
#include "http/imposter.h"
#include "http/test_loop.h"
#include "kube/access/kubeconfig_kit_test.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

using namespace model;

const std::vector<http::Header> kJson = {{"Content-Type", "application/json"}};
const NodeId kNode{Name::of("node-1")};
const cluster::Stamp kStamp{{7, 9}, 3, false};
constexpr const char* kEmpty = R"({"metadata":{},"items":[]})";
constexpr const char* kOnePod =
    R"({"metadata":{},"items":[{"metadata":{"namespace":"shop","name":"web-1"},)"
    R"("status":{"phase":"Running"}}]})";

/// A hand before a machine whose state is a file, and a server that lists the pods there.
struct Bench {
    Bench()
        : server(loop.executor(), [this](const http::Request&) {
              return http::Reply{.status = status, .headers = kJson, .body = pods};
          }) {
        Access access;
        access.server = {.tls = false, .host = "127.0.0.1", .port = server.port()};
        auto made = Api::make(loop.executor(), access, {.user_agent = "parley/test"});
        EXPECT_TRUE(made);
        const std::string path =
            scratch.script("p",
                           "if [ $3 = read ]; then cat $0.$1; else echo \"$@\" $PARLEY_DECISION "
                           ">> $0.asked; echo $3 > $0.$1; fi\n");
        scratch.write("p.power", "on\n");
        scratch.write("p.clock", "1000000\n");
        reader.uids["node-1"] = {1, 2};
        desk = std::make_shared<ProviderDesk>(std::vector<Provider>{{{"node-1"}, {path}, {path}}},
                                              seconds(20));
        hand = std::make_unique<ProviderHand>(desk, *std::move(made), reader, writer);
    }
    ~Bench() { desk->quiet(); }

    Result<Live> look(Request about) { return loop.ask(hand->read(std::move(about))); }
    Result<void> ask(Request request, Precondition only_if = {{1, 2}, 1}) {
        return loop.ask(hand->apply(std::move(request), only_if, kStamp));
    }
    std::string asked() const { return scratch.read("p.asked"); }

    Scratch scratch;
    int status = 200;
    std::string pods = kEmpty;
    http::TestLoop loop;
    http::Imposter server;
    fake::Writer writer;
    fake::Reader reader{writer};
    std::shared_ptr<ProviderDesk> desk;
    std::unique_ptr<ProviderHand> hand;
};

TEST(ProviderHand, reads_the_node_and_its_provider_and_changes_it_by_the_command) {
    Bench bench;
    const SetPower sleep{kNode, PowerWish::sleep};
    auto live = bench.look(sleep);
    ASSERT_TRUE(live) << live.error().message;
    EXPECT_EQ(live->uid, (Uid{1, 2}));
    EXPECT_FALSE(live->applied);
    ASSERT_TRUE(bench.ask(sleep));
    EXPECT_EQ(bench.asked(), "power node-1 sleep " + kStamp.decision.text() + "\n");
    EXPECT_TRUE(bench.look(sleep)->applied);
    EXPECT_FALSE(bench.look(SetPower{kNode, PowerWish::on})->applied);
    const SetClock slow{kNode, 650'000};
    EXPECT_FALSE(bench.look(slow)->applied);
    ASSERT_TRUE(bench.ask(slow));
    EXPECT_TRUE(bench.look(slow)->applied);
    EXPECT_TRUE(bench.writer.asked.empty()) << "nothing of it goes to the API server";
}

TEST(ProviderHand, sends_everything_else_on) {
    Bench bench;
    const SetTaint taint{kNode, Taint::no_schedule};
    EXPECT_FALSE(ProviderHand::handles(taint));
    ASSERT_TRUE(bench.look(taint));
    ASSERT_TRUE(bench.ask(taint));
    EXPECT_EQ(bench.writer.applied.size(), 1U);
    EXPECT_EQ(bench.asked(), "");
}

TEST(ProviderHand, changes_nothing_that_was_not_read_just_before) {
    Bench bench;
    const SetClock slow{kNode, 650'000};
    EXPECT_EQ(bench.ask(slow).error().code, ErrorCode::conflict) << "never read";
    ASSERT_TRUE(bench.look(slow));
    EXPECT_EQ(bench.ask(slow, {{1, 2}, 7}).error().code, ErrorCode::conflict) << "another version";
    EXPECT_EQ(bench.ask(slow, {{3, 4}, 1}).error().code, ErrorCode::conflict) << "another node";
    EXPECT_TRUE(bench.ask(slow));
    EXPECT_EQ(bench.ask(slow).error().code, ErrorCode::conflict) << "it is not as it was read";
}

TEST(ProviderHand, switches_nothing_off_while_somebody_is_on_it) {
    Bench bench;
    bench.pods = kOnePod;
    const SetPower sleep{kNode, PowerWish::sleep};
    ASSERT_TRUE(bench.look(sleep));
    const auto blocked = bench.ask(sleep);
    EXPECT_EQ(blocked.error().code, ErrorCode::blocked);
    EXPECT_NE(blocked.error().message.find("shop/web-1"), std::string::npos);
    bench.pods = "{}";
    ASSERT_TRUE(bench.look(sleep));
    EXPECT_EQ(bench.ask(sleep).error().code, ErrorCode::unavailable);
    bench.status = 403;
    ASSERT_TRUE(bench.look(sleep));
    EXPECT_EQ(bench.ask(sleep).error().code, ErrorCode::denied);
    EXPECT_EQ(bench.asked(), "");
    ASSERT_TRUE(bench.look(SetPower{kNode, PowerWish::on}));
    EXPECT_TRUE(bench.ask(SetPower{kNode, PowerWish::on})) << "to wake it needs no empty node";
}

TEST(ProviderHand, says_why_it_cannot) {
    Bench bench;
    const SetPower other{{Name::of("node-2")}, PowerWish::sleep};
    EXPECT_EQ(bench.look(other).error().code, ErrorCode::denied);
    EXPECT_EQ(bench.look(other).error().message,
              "nothing can switch node node-2: no provider for it is named in the configuration");
    bench.reader.script.push_back(fail(ErrorCode::gone, "node node-1 is gone"));
    EXPECT_EQ(bench.look(SetPower{kNode, PowerWish::sleep}).error().code, ErrorCode::gone);
}

TEST(ProviderHand, does_not_do_what_was_decided_too_long_ago) {
    Bench bench;
    const SetClock slow{kNode, 650'000};
    cluster::Stamp old = kStamp;
    old.fresh = {};
    ASSERT_TRUE(bench.look(slow));
    EXPECT_EQ(bench.loop.ask(bench.hand->apply(slow, {{1, 2}, 1}, old)).error().code,
              ErrorCode::unavailable);
    old.undo = true;  // What gives back never gets too old.
    ASSERT_TRUE(bench.look(slow));
    EXPECT_TRUE(bench.loop.ask(bench.hand->apply(slow, {{1, 2}, 1}, old)));
}

}  // namespace
}  // namespace parley::kube
