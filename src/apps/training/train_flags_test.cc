#include "apps/training/train_flags.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

Result<TrainFlags> given(const std::string& line, bool risk) {
    Program program("test", "");
    TrainFlags flags;
    add_train_flags(program, flags, risk);
    if (auto understood = program.parse(line); !understood) {
        return tl::unexpected(understood.error());
    }
    note_given(program, flags);
    return flags;
}

TrainFlags parsed(const std::string& line, bool risk) { return given(line, risk).value(); }

TEST(TrainFlags, say_what_was_given) {
    const TrainFlags flags =
        parsed("--simulate 1-20 --length 6h --horizon 1h --depth 3 --models mine", true);
    EXPECT_EQ(flags.given, (std::set<std::string>{"--simulate", "--length", "--horizon", "--depth",
                                                  "--models"}));
    EXPECT_EQ(flags.train.depth, 3);
    EXPECT_EQ(flags.models, "mine");
    EXPECT_EQ(flags.train.csv.horizon, "1h") << "of a table, too";
    EXPECT_EQ(parsed("--simulate 1-20", true).train.csv.horizon, "") << "a table has its own";
}

TEST(TrainFlags, of_risk_and_demand_differ) {
    EXPECT_EQ(parsed("--csv t --event down", true).train.csv.event, "down");
    EXPECT_EQ(parsed("--csv t --value rps", false).train.csv.value, "rps");
    EXPECT_FALSE(given("--value rps", true));
    for (const char* line : {"--event down", "--horizon 1h", "--families", "--recalibrate"}) {
        EXPECT_FALSE(given(line, false)) << line;
    }
}

TEST(TrainFlags, of_runs_make_a_training) {
    const auto made = node_training(parsed("--simulate 1-20 --length 6h --families", true));
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_EQ(made->simulated->last_seed, 20U);
    EXPECT_EQ(made->simulated->length.us, hours(6).us);
    EXPECT_TRUE(made->families);
    EXPECT_EQ(made->flags.depth, 4) << "rows of a node hardly differ";
    EXPECT_EQ(node_training(parsed("--from a b --depth 5", true))->flags.depth, 5);
    EXPECT_EQ(node_training(parsed("--from a b", true))->runs.size(), 2U);
}

TEST(TrainFlags, that_name_no_runs_or_both_kinds_are_refused) {
    for (const char* line : {"", "--from a --simulate 1-2"}) {
        const auto made = node_training(parsed(line, true));
        ASSERT_FALSE(made) << line;
        EXPECT_TRUE(made.error().message.starts_with("say what to learn from: "));
    }
    EXPECT_FALSE(node_training(parsed("--simulate 1-2 --horizon 1m", true)));
    EXPECT_FALSE(node_training(parsed("--simulate 2", true)));
}

TEST(TrainFlags, a_horizon_lies_beyond_what_acting_takes) {
    EXPECT_EQ(parse_horizon("30m", minutes(2))->us, minutes(30).us);
    EXPECT_EQ(parse_horizon("24h", minutes(2))->us, hours(24).us);
    for (const char* text : {"2m", "0", "-3m", "25h", "", "soon"}) {
        EXPECT_FALSE(parse_horizon(text, minutes(2))) << text;
    }
    EXPECT_EQ(parse_horizon("2m", minutes(2)).error().message,
              "--horizon is a time above 2m, which acting takes, and at most 24h, such as 30m, and "
              "\"2m\" was given");
}

}  // namespace
}  // namespace parley::app
