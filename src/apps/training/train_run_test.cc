#include "apps/training/train_run.h"

#include <gtest/gtest.h>

#include <string>
#include <unistd.h>

namespace parley::app {
namespace {

/// Nodes that fail every fourth, fifth ... day for an hour: what a trace of Grid'5000 looks like.
std::string made_up_trace() {
    std::string text = "node_id,event_type,event_start_time,event_stop_time\n";
    const auto line = [&](int node, int type, int from, int to) {
        text += std::to_string(node) + "," + std::to_string(type) + "," + std::to_string(from) +
                "," + std::to_string(to) + "\n";
    };
    constexpr int kDay = 86'400;
    for (int node = 0; node < 30; ++node) {
        int at = 1'000 * node;
        for (int turn = 0; turn < 40; ++turn) {
            const int up = (3 + (node + turn) % 4) * kDay;
            line(node, 1, at, at + up);
            line(node, 0, at + up, at + up + 3'600);
            at += up + 3'600;
        }
    }
    return text;
}

class TrainRun : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_TRUE(make_directories(real_disk(), folder_));
        ASSERT_TRUE(write_file_atomically(real_disk(), folder_ + "/trace.csv", made_up_trace()));
        options_.trace = "grid5000";
        options_.from = {folder_ + "/trace.csv"};
        options_.out = folder_ + "/brain";
        options_.rounds = 20;
    }

    std::string folder_ = testing::TempDir() + std::to_string(getpid()) + "train_run";
    TrainOptions options_;
};

TEST_F(TrainRun, writes_model_calibration_and_report) {
    options_.report = folder_ + "/report.html";
    options_.rows = folder_ + "/rows.bin";
    std::uint64_t rounds = 0;
    const auto trained =
        train_risk_trace(real_disk(), options_, [&](std::uint64_t done, std::uint64_t total) {
            rounds = done;
            return total == 40;  // Twenty of the forest, twenty of its folds.
        });
    ASSERT_TRUE(trained) << trained.error().message;
    EXPECT_EQ(rounds, 40U);
    EXPECT_NE(trained->said.text.find("AUC"), std::string::npos);
    for (const char* name : {"model.ubj", "features.json", "calibration.json", "report.json"})
        EXPECT_TRUE(*real_disk().exists(options_.out + "/" + name)) << name;
    EXPECT_EQ(*read_file(real_disk(), options_.out + "/report.json"), trained->said.json);
    EXPECT_TRUE(read_file(real_disk(), options_.report)->starts_with("<!doctype html>"));
    EXPECT_TRUE(read_file(real_disk(), options_.rows)->starts_with("{\"rows\":"));
}

TEST_F(TrainRun, says_what_is_wrong) {
    const auto quiet = [](std::uint64_t, std::uint64_t) { return true; };
    const auto error = [&] {
        const auto trained = train_risk_trace(real_disk(), options_, quiet);
        return trained ? "" : trained.error().message;
    };
    options_.trace = "grid500";
    EXPECT_EQ(error(), "no trace is called \"grid500\"; did you mean grid5000?");
    options_.trace = "borg";
    EXPECT_NE(error().find("its heading has no column"), std::string::npos) << error();
    options_.from = {};
    EXPECT_EQ(error(), "this trace is one file; give it with --from FILE");
    const auto demand = train_demand_trace(real_disk(), options_, quiet);
    ASSERT_FALSE(demand);
    EXPECT_EQ(demand.error().message, "there is nothing to learn from; give --from FILE...");
}

TEST_F(TrainRun, ends_when_told_to) {
    const auto stopped = [](std::uint64_t done, std::uint64_t) { return done < 2; };
    const auto trained = train_risk_trace(real_disk(), options_, stopped);
    ASSERT_FALSE(trained);
    EXPECT_EQ(trained.error().message, "training was interrupted");
}

}  // namespace
}  // namespace parley::app
