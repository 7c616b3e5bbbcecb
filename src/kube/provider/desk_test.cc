#include "kube/provider/desk.h"

#include "base/clock.h"
#include "http/test_loop.h"
#include "kube/access/kubeconfig_kit_test.h"
#include "model/open_action.h"

#include <boost/asio/executor_work_guard.hpp>
#include <gtest/gtest.h>

#include <csignal>

namespace parley::kube {
namespace {

using model::Power;

/// A desk with one provider for every node, which is a script.
class Desk : public testing::Test {
protected:
    void SetUp() override { use(seconds(20)); }
    void TearDown() override { desk_->quiet(); }

    void use(Duration limit) {
        const std::string path = scratch_.path("provider");
        desk_ = std::make_shared<ProviderDesk>(std::vector<Provider>{{{"node-*"}, {path}, {path}}},
                                               limit);
    }
    void says(const std::string& body) { scratch_.script("provider", body); }

    /// What a read gives, or its error.
    std::string read(Ability ability = Ability::power) {
        const auto value = loop_.ask(desk_->read(ability, "node-1", {1, 2}));
        if (!value) return std::string(enum_name(value.error().code)) + ": " + message_of(value);
        return std::to_string(*value);
    }
    Result<void> sleep(Term term = always()) {
        const ProviderCall call{Ability::power, "node-1", {1, 2}, "sleep", {{7, 9}, 3, false}};
        return loop_.ask(
            desk_->change(call, static_cast<std::int64_t>(Power::sleep), std::move(term)));
    }

    Scratch scratch_;
    http::TestLoop loop_;
    // Otherwise the loop would end between two questions.
    boost::asio::executor_work_guard<boost::asio::any_io_executor> stays_{loop_.executor()};
    std::shared_ptr<ProviderDesk> desk_;
};

TEST_F(Desk, asks_the_command_and_believes_one_word) {
    says("echo \"$@\" $PARLEY_NODE >> $0.asked; [ $1 = power ] && echo sleep || echo 650000\n");
    EXPECT_EQ(read(), "1");
    EXPECT_EQ(read(Ability::clock), "650000");
    EXPECT_EQ(scratch_.read("provider.asked"),
              "power node-1 read node-1\nclock node-1 read node-1\n");
    EXPECT_TRUE(desk_->serves(Ability::power, "node-1"));
    EXPECT_FALSE(desk_->serves(Ability::power, "other"));
    EXPECT_EQ(loop_.ask(desk_->read(Ability::power, "other", {})).error().code, ErrorCode::denied);
}

TEST_F(Desk, a_change_is_done_only_if_the_command_says_so) {
    struct Case {
        const char* body;
        std::optional<ErrorCode> code;
    };
    for (const Case& each : std::initializer_list<Case>{
             {"exit 0\n", {}},
             {"exit 75\n", ErrorCode::unavailable},
             {"exit 3\n", ErrorCode::denied},
             {"exit 1\n", ErrorCode::unknown_outcome},
             {"kill -KILL $$\n", ErrorCode::unknown_outcome},
             {"head -c 10000000 /dev/zero\n", ErrorCode::unknown_outcome},
             {"head -c 10000000 /dev/zero >&2; exit 75\n", ErrorCode::unavailable}}) {
        says(each.body);
        const auto done = sleep();
        EXPECT_EQ(done ? std::optional<ErrorCode>() : done.error().code, each.code) << each.body;
    }
    scratch_.write("provider", "#!/no/such/interpreter\n");
    EXPECT_EQ(sleep().error().code, ErrorCode::denied) << "surely not done";
}

TEST_F(Desk, a_hostile_command_hurts_nobody) {
    says("printf '\\033[2J\\033]0;x\\007on'\n");
    EXPECT_TRUE(read().starts_with("malformed: ")) << read();
    says("printf '\\033[2Jtoken=" + kCanary + "' >&2; exit 1\n");
    EXPECT_TRUE(read().starts_with("unavailable: ")) << read();
    says("yes on\n");
    EXPECT_TRUE(read().starts_with("unavailable: ")) << read();
    const TimePoint before = wall_now();
    says("sleep 60 & echo $! > $0.child; echo on\n");  // A helper keeps the pipe open.
    EXPECT_EQ(read(), "0");
    EXPECT_LT(wall_now() - before, seconds(15));
    ::kill(std::stoi(scratch_.read("provider.child")), SIGKILL);
}

TEST_F(Desk, a_command_that_hangs_is_ended_and_its_outcome_is_not_known) {
    use(milliseconds(500));
    says("sleep 60\n");
    const TimePoint before = wall_now();
    EXPECT_EQ(sleep().error().code, ErrorCode::unknown_outcome);
    EXPECT_TRUE(read().starts_with("unavailable: ")) << read();
    EXPECT_LT(wall_now() - before, seconds(15));
}

TEST_F(Desk, changes_nothing_when_we_do_not_lead) {
    says("echo x >> $0.asked\n");
    EXPECT_EQ(sleep([] { return Duration{}; }).error().code, ErrorCode::unavailable);
    EXPECT_EQ(scratch_.read("provider.asked"), "");
}

TEST_F(Desk, a_change_ends_when_we_do_not_lead_any_more) {
    says("sleep 60\n");
    int asked = 0;
    const TimePoint before = wall_now();
    const auto done = sleep([&] { return ++asked == 1 ? seconds(10) : Duration{}; });
    EXPECT_EQ(done.error().code, ErrorCode::unknown_outcome);
    EXPECT_LT(wall_now() - before, seconds(15));
}

TEST_F(Desk, reads_what_the_cluster_shows_and_has_news_of_it) {
    says("[ $1 = power ] && echo sleep || exit 3\n");
    model::NodeRow row;
    row.id.name = Name::of("node-1");
    row.uid = {1, 2};
    desk_->saw({cluster::NodeChange{row}}, true);
    desk_->follow(loop_.executor());
    std::vector<std::pair<std::string, NodePower>> news;
    const Deadline deadline(seconds(15));
    while (news.empty() && !deadline.over()) {
        loop_.context().run_one_for(std::chrono::milliseconds(100));
        news = desk_->news();
    }
    ASSERT_EQ(news.size(), 1U);
    EXPECT_EQ(news[0].first, "node-1");
    EXPECT_EQ(news[0].second, (NodePower{.can_power = true, .power = Power::sleep}));
    desk_->quiet();
}

TEST_F(Desk, waits_for_no_command_at_its_end) {
    says("sleep 60\n");
    model::NodeRow row;
    row.id.name = Name::of("node-1");
    row.uid = {1, 2};
    desk_->saw({cluster::NodeChange{row}}, true);
    desk_->follow(loop_.executor());
    for (int i = 0; i < 8; ++i) loop_.context().run_one_for(std::chrono::milliseconds(20));
    const TimePoint before = wall_now();
    desk_->quiet();
    EXPECT_LT(wall_now() - before, seconds(10));
}

}  // namespace
}  // namespace parley::kube
