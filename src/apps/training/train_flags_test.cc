#include "apps/training/train_flags.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

TEST(TrainFlags, what_goes_together_is_let_through) {
    const std::set<std::string> good[] = {
        {},
        {"--simulate", "--length", "--horizon", "--models", "--report", "--rows"},
        {"--from", "--horizon", "--models"},
        {"--from", "--recalibrate", "--models", "--rows"},
        {"--trace", "--from", "--out", "--report", "--depth"},
        {"--csv", "--time", "--entity", "--event", "--horizon", "--features", "--models"},
        {"--csv", "--time", "--value", "--step", "--out"},
    };
    for (const auto& given : good) EXPECT_TRUE(check_train_flags(given));
}

TEST(TrainFlags, a_flag_that_was_silently_ignored_is_refused) {
    const std::pair<std::set<std::string>, const char*> bad[] = {
        {{"--trace", "--from", "--simulate"},
         "--simulate has no meaning with --trace: a public trace is read from its files"},
        {{"--trace", "--from", "--models"},
         "--models has no meaning with --trace: what a trace teaches goes to the folder that --out "
         "names"},
        {{"--trace", "--from", "--horizon"},
         "--horizon has no meaning with --trace: a trace has a horizon of its own"},
        {{"--simulate", "--out"},
         "--out has no meaning without --trace or --csv: a model of runs goes on the shelf, which "
         "--models names"},
        {{"--csv", "--time", "--value", "--trace"},
         "--csv has no meaning with --trace: rows come from one of them"},
        {{"--csv", "--time"},
         "--csv needs the names of its columns: --time COL, --entity COL and --value COL or "
         "--event "
         "COL"},
        {{"--csv", "--event"},
         "--csv needs the names of its columns: --time COL, --entity COL and the rest"},
        {{"--time", "--from"}, "--time has no meaning without --csv: it is about a table"},
        {{"--csv", "--time", "--event", "--models"},
         "--models has no meaning without --features: only a model of node features can serve; "
         "--out names a folder for any other"},
        {{"--simulate", "--from"},
         "--from has no meaning with --simulate: rows come from one of them"},
        {{"--from", "--length"},
         "--length has no meaning without --simulate: only simulated runs have a length to choose"},
        {{"--from", "--families"},
         "--families has no meaning without --simulate: only a simulation knows which fault it "
         "was"},
        {{"--trace", "--from", "--recalibrate"},
         "--recalibrate has no meaning with --trace: the model that ships speaks of nodes"},
        {{"--from", "--recalibrate", "--horizon"},
         "--horizon has no meaning with --recalibrate: the model that ships looks 30 minutes "
         "ahead"},
        {{"--from", "--recalibrate", "--threads"},
         "--threads has no meaning with --recalibrate: no tree is grown"},
        {{"--from", "--recalibrate", "--rounds"},
         "--rounds has no meaning with --recalibrate: its trees stay as they are"},
        {{"--trace"}, "--trace needs its files; name them with --from FILE"},
    };
    for (const auto& [given, said] : bad) {
        const auto checked = check_train_flags(given);
        ASSERT_FALSE(checked) << said;
        EXPECT_EQ(checked.error().message, said);
    }
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
