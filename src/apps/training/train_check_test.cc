#include "apps/training/train_check.h"

#include <gtest/gtest.h>

#include <unistd.h>

namespace parley::app {
namespace {

TEST(TrainFlagsTogether, what_goes_together_is_let_through) {
    const std::set<std::string> good[] = {
        {},
        {"--simulate", "--length", "--horizon", "--models", "--report", "--rows"},
        {"--from", "--horizon", "--models"},
        {"--from", "--recalibrate", "--models", "--rows"},
        {"--trace", "--from", "--out", "--report", "--depth"},
        {"--csv", "--time", "--entity", "--event", "--horizon", "--features", "--models"},
        {"--csv", "--time", "--value", "--step", "--out"},
    };
    for (const auto& given : good) EXPECT_TRUE(check_together(given));
}

TEST(TrainFlagsTogether, a_flag_that_was_silently_ignored_is_refused) {
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
        const auto checked = check_together(given);
        ASSERT_FALSE(checked) << said;
        EXPECT_EQ(checked.error().message, said);
    }
}

class TrainCheck : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_TRUE(make_directories(real_disk(), folder_));
        ASSERT_TRUE(write_file_atomically(real_disk(), table_, "when,node,down\n"));
    }
    std::string said(const TrainFlags& flags, bool risk = true) {
        const auto fine = check_training(real_disk(), flags, risk);
        return fine ? "" : fine.error().message;
    }
    TrainFlags table() const {
        TrainFlags flags;
        flags.train.csv.file = table_;
        flags.given = {"--csv", "--time", "--event"};
        return flags;
    }

    std::string folder_ = testing::TempDir() + std::to_string(getpid()) + "train_check";
    std::string table_ = folder_ + "/table.csv";
};

TEST_F(TrainCheck, what_is_read_is_there) {
    TrainFlags flags = table();
    EXPECT_EQ(said(flags), "");
    flags.train.csv.file = folder_ + "/none.csv";
    EXPECT_EQ(said(flags), "--csv: there is no " + folder_ + "/none.csv; check the path");
    TrainFlags runs;
    runs.train.from = {folder_, folder_ + "/none"};
    runs.given = {"--from"};
    EXPECT_EQ(said(runs), "--from: there is no " + folder_ + "/none; check the path");
}

TEST_F(TrainCheck, what_is_read_is_not_written) {
    TrainFlags flags = table();
    flags.train.rows = table_;
    EXPECT_EQ(said(flags), table_ + " is read; name another file to write");
    flags.train.rows = folder_ + "/none/rows.bin";
    EXPECT_NE(said(flags), "") << "its folder is not there";
}

TEST_F(TrainCheck, a_public_trace_is_known_and_has_its_files) {
    TrainFlags flags;
    flags.train.trace = "nosuch";
    flags.train.from = {table_};
    flags.given = {"--trace", "--from"};
    EXPECT_NE(said(flags).find("nosuch"), std::string::npos) << said(flags);
    flags.train.trace = "grid5000";
    EXPECT_EQ(said(flags), "");
    EXPECT_NE(said(flags, false), "") << "it is no trace of demand";
    flags.train.from = {folder_ + "/none.csv"};
    EXPECT_NE(said(flags).find("there is no"), std::string::npos) << said(flags);
}

}  // namespace
}  // namespace parley::app
