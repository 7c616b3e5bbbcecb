#include "apps/runs/mend.h"

#include "apps/session/scenario_file.h"
#include "apps/session/session.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stdlib.h>

namespace parley::app {
namespace {

/// A run of three rounds in a folder of its own.
class Mend : public testing::Test {
protected:
    void SetUp() override {
        std::string place =
            (std::filesystem::temp_directory_path() / "parley-mend-XXXXXX").string();
        ASSERT_NE(mkdtemp(place.data()), nullptr);
        folder_ = place;
        SessionOptions options{.seed = 7, .folder = run()};
        options.scenario = *load_scenario(real_disk(), "calm", 7);
        auto session = Session::open(options);
        ASSERT_TRUE(session);
        for (int i = 0; i < 3; ++i) ASSERT_TRUE((*session)->round());
        ASSERT_TRUE((*session)->finish(store::RunStatus::complete, ""));
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string run() const { return folder_ / "run"; }
    std::filesystem::path file(const char* name) const { return folder_ / "run" / name; }

    std::filesystem::path folder_;
};

TEST_F(Mend, says_nothing_of_what_is_whole) {
    EXPECT_EQ(mend_derived(real_disk(), run()).text, "");
}

TEST_F(Mend, makes_anew_what_is_missing_or_spoilt) {
    for (const char* name : {"events.jsonl", "state.json", "run.db"}) {
        SCOPED_TRACE(name);
        std::filesystem::remove(file(name));
        EXPECT_NE(mend_derived(real_disk(), run()).text.find("is missing"), std::string::npos);
        const auto size = std::filesystem::file_size(file(name));
        std::ofstream(file(name)) << "spoilt";
        EXPECT_NE(mend_derived(real_disk(), run()).text, "");
        EXPECT_EQ(std::filesystem::file_size(file(name)), size);
        EXPECT_EQ(mend_derived(real_disk(), run()).text, "");
    }
}

TEST_F(Mend, leaves_a_run_alone_that_is_being_written) {
    const auto writer = real_disk().lock(run() + "/journal/lock");
    ASSERT_TRUE(writer);
    std::filesystem::remove(file("run.db"));
    EXPECT_EQ(mend_derived(real_disk(), run()).text, "");
    EXPECT_FALSE(std::filesystem::exists(file("run.db")));
}

}  // namespace
}  // namespace parley::app
