#include "kube/provider/provider.h"

#include "kube/access/kubeconfig_kit_test.h"

#include <gtest/gtest.h>

#include <csignal>

namespace parley::kube {
namespace {

using How = ChildEnd::How;
using model::Power;
using model::PowerWish;

std::string serving(const std::vector<Provider>& providers, Ability ability, const char* node) {
    const ProviderCommand* command = command_for(providers, ability, node);
    return command == nullptr ? "" : command->front();
}

TEST(Provider, serves_the_nodes_that_its_patterns_mean) {
    struct Case {
        const char* pattern;
        const char* node;
        bool serves;
    };
    for (const Case& each : std::initializer_list<Case>{{"*", "node-1", true},
                                                        {"node-1", "node-1", true},
                                                        {"node-1", "node-10", false},
                                                        {"node-*", "node-10", true},
                                                        {"node-*", "node-", true},
                                                        {"node-*", "other-node-1", false},
                                                        {"*.rack7", "a.rack7", true},
                                                        {"*.rack7", "a.rack7.b", false},
                                                        {"a*c*e", "abcde", true},
                                                        {"a*c*e", "ace", true},
                                                        {"a*c*e", "abde", false},
                                                        {"*aab", "aaab", true},
                                                        {"**", "x", true},
                                                        {"", "x", false}}) {
        const std::vector<Provider> one = {{{each.pattern}, {"/p"}, {}}};
        EXPECT_EQ(serving(one, Ability::power, each.node) == "/p", each.serves)
            << each.pattern << " " << each.node;
    }
}

TEST(Provider, the_first_that_serves_a_node_and_can_do_it_is_asked) {
    const std::vector<Provider> providers = {{{"a-1", "a-2"}, {}, {"/clock"}},
                                             {{"a-*"}, {"/power"}, {}},
                                             {{"*"}, {"/other"}, {"/other"}}};
    EXPECT_EQ(serving(providers, Ability::power, "a-1"), "/power");
    EXPECT_EQ(serving(providers, Ability::clock, "a-1"), "/clock");
    EXPECT_EQ(serving(providers, Ability::clock, "a-3"), "/other");
    EXPECT_EQ(serving(providers, Ability::power, "b"), "/other");
    EXPECT_EQ(serving({}, Ability::power, "b"), "");
}

TEST(Provider, names_nodes_and_a_program_by_its_path) {
    const auto refused = [](Provider provider) { return !check_provider(provider); };
    EXPECT_FALSE(refused({{"*"}, {"/p"}, {}}));
    EXPECT_FALSE(refused({{"*"}, {}, {"/p", "-x"}}));
    EXPECT_TRUE(refused({{}, {"/p"}, {}}));
    EXPECT_TRUE(refused({{""}, {"/p"}, {}}));
    EXPECT_TRUE(refused({{"*"}, {}, {}}));
    EXPECT_TRUE(refused({{"*"}, {"p"}, {}}));
    EXPECT_TRUE(refused({{"*"}, {"./p"}, {}}));
    EXPECT_TRUE(refused({{"*"}, {"/p"}, {""}}));
}

std::vector<std::string> words(const ChildRun& run) {
    std::vector<std::string> out{run.path};
    for (const Secret& arg : run.args) out.push_back(arg.reveal());
    return out;
}

TEST(ProviderCall, says_what_on_which_node_and_for_which_decision) {
    using Words = std::vector<std::string>;
    const ProviderCommand command = {"/p", "--site", "a b"};
    const ChildRun change =
        run_of(command, {Ability::power, "node-1", {1, 2}, "sleep", {{7, 9}, 3, false}});
    EXPECT_EQ(words(change), (Words{"/p", "--site", "a b", "power", "node-1", "sleep"}));
    EXPECT_EQ(change.environment.at("PARLEY_NODE"), "node-1");
    EXPECT_EQ(change.environment.at("PARLEY_NODE_UID"), (model::Uid{1, 2}).text());
    EXPECT_EQ(change.environment.at("PARLEY_DECISION"), (model::DecisionId{7, 9}).text());
    EXPECT_EQ(change.environment.at("PARLEY_STEP"), "3");
    EXPECT_EQ(change.environment.size(), 6U) << "and nothing of ours but PATH and LANG";
    EXPECT_EQ(change.limit, seconds(30));
    const ChildRun back =
        run_of({"/p"}, {Ability::clock, "node-1", {}, "1000000", {{7, 9}, 0, true}});
    EXPECT_EQ(words(back), (Words{"/p", "clock", "node-1", "1000000"}));
    EXPECT_EQ(back.environment.at("PARLEY_STEP"), "undo-0");
    const ChildRun read = run_of({"/p"}, {Ability::clock, "node-1"});
    EXPECT_EQ(words(read), (Words{"/p", "clock", "node-1", "read"}));
    EXPECT_FALSE(read.environment.contains("PARLEY_DECISION"));
}

TEST(ProviderAnswer, its_end_says_what_is_to_be_done) {
    struct Case {
        How how;
        int code;
        ErrorCode change;
        ErrorCode read;
    };
    using enum ErrorCode;
    const ProviderCall change{Ability::power, "node-1", {}, "sleep"};
    const ProviderCall read{Ability::power, "node-1"};
    for (const Case& each :
         std::initializer_list<Case>{{How::exited, 75, unavailable, unavailable},
                                     {How::exited, 3, denied, denied},
                                     {How::exited, 1, unknown_outcome, unavailable},
                                     {How::exited, 2, unknown_outcome, unavailable},
                                     {How::exited, 74, unknown_outcome, unavailable},
                                     {How::exited, 127, unknown_outcome, unavailable},
                                     {How::exited, -1, unknown_outcome, unavailable},
                                     {How::signalled, SIGKILL, unknown_outcome, unavailable},
                                     {How::signalled, 3, unknown_outcome, unavailable},
                                     {How::too_long, 0, unknown_outcome, unavailable},
                                     {How::too_much, 0, unknown_outcome, unavailable},
                                     {How::stopped, 0, unknown_outcome, unavailable}}) {
        const ChildEnd end{each.how, each.code, "", "no\x1b[2J token=" + kCanary};
        const auto changed = answer_of(change, end);
        EXPECT_EQ(changed.error().code, each.change) << message_of(changed);
        EXPECT_NE(changed.error().message.find("node-1"), std::string::npos);
        EXPECT_EQ(answer_of(read, end).error().code, each.read) << each.code;
    }
    EXPECT_EQ(answer_of(change, {How::exited, 0, "x", "warning"}).value(), "x");
}

TEST(ProviderAnswer, a_read_is_one_word_and_nothing_else) {
    struct Case {
        Ability ability;
        std::string output;
        std::optional<std::int64_t> value;
    };
    const auto number = [](Power power) { return static_cast<std::int64_t>(power); };
    using enum Ability;
    for (const Case& each :
         std::initializer_list<Case>{{power, "on\n", number(Power::on)},
                                     {power, "  sleep \r\n", number(Power::sleep)},
                                     {power, "off", number(Power::off)},
                                     {power, "booting\n", number(Power::booting)},
                                     {power, "", {}},
                                     {power, "ON\n", {}},
                                     {power, "on on\n", {}},
                                     {power, "on\noff\n", {}},
                                     {power, "\x1b[32mon\x1b[0m", {}},
                                     {power, std::string("on\0", 3), {}},
                                     {clock, "650000\n", 650'000},
                                     {clock, "1000000", 1'000'000},
                                     {clock, "1000001", {}},
                                     {clock, "10000", 10'000},
                                     {clock, "9999", {}},
                                     {clock, "0", {}},
                                     {clock, "-650000", {}},
                                     {clock, "65%", {}},
                                     {clock, "6.5e5", {}},
                                     {clock, "on", {}}}) {
        const auto value = value_of(each.ability, each.output);
        EXPECT_EQ(value ? std::optional(*value) : std::nullopt, each.value) << each.output;
        if (!value) EXPECT_EQ(value.error().code, ErrorCode::malformed) << message_of(value);
    }
    const auto much = value_of(power, std::string(10'000'000, 'x') + "\x1b[2J");
    EXPECT_LT(message_of(much).size(), 200U);
    EXPECT_NE(message_of(value_of(power, "token=" + kCanary)), "");
}

TEST(ProviderAnswer, a_node_that_boots_is_on) {
    for (const Power power : {Power::on, Power::booting, Power::sleep, Power::off}) {
        const bool up = power == Power::on || power == Power::booting;
        EXPECT_EQ(is_as_wanted(power, PowerWish::on), up);
        EXPECT_EQ(is_as_wanted(power, PowerWish::sleep), power == Power::sleep);
        EXPECT_EQ(is_as_wanted(power, PowerWish::off), power == Power::off);
    }
}

}  // namespace
}  // namespace parley::kube
