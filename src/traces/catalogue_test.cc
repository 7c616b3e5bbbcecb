#include "traces/catalogue.h"

#include "fake/disk.h"

#include <gtest/gtest.h>

#include <unistd.h>

namespace parley::traces {
namespace {

std::string file_with(const char* name, const char* text) {
    const std::string path = testing::TempDir() + std::to_string(getpid()) + "catalogue_" + name;
    EXPECT_TRUE(write_file_atomically(real_disk(), path, text));
    return path;
}

TEST(Catalogue, puts_series_of_several_files_together) {
    const auto one = file_with("one.csv", "avg_cpu\n1\n2\n");
    const auto two = file_with("two.csv", "timestamp,cpu_usage\n0,3\n300,4\n");
    const auto trace = read_load_trace(real_disk(), "datacenter", {one, two});
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->name, "datacenter");
    ASSERT_EQ(trace->series.size(), 2U);
    EXPECT_EQ(trace->series[1].values[1], 4);
}

TEST(Catalogue, names_file_and_fault) {
    const auto bad = file_with("bad.csv", "what,ever\n1,2\n");
    const auto risk = read_risk_trace(real_disk(), "backblaze", {bad});
    ASSERT_FALSE(risk);
    EXPECT_EQ(risk.error().message,
              bad + ":1: its heading has no column \"drive_id\"; is it the right file?");
    const auto unknown = read_load_trace(real_disk(), "bitbrain", {bad});
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().message, "no trace is called \"bitbrain\"; did you mean bitbrains?");
    EXPECT_EQ(read_risk_trace(real_disk(), "x", {bad}).error().message,
              "no trace is called \"x\"; there are backblaze, borg and grid5000");
    EXPECT_FALSE(read_load_trace(real_disk(), "nab", {}));
    EXPECT_FALSE(
        read_risk_trace(real_disk(), "borg",
                        {testing::TempDir() + std::to_string(getpid()) + "catalogue_missing"}));
}

TEST(Catalogue, a_folder_stands_for_its_tables_and_no_file_counts_twice) {
    fake::Disk disk;
    ASSERT_TRUE(disk.make_directory("d"));
    ASSERT_TRUE(disk.make_directory("none"));
    for (const char* name : {"d/b.csv.gz", "d/a.csv", "d/README.md", "d/.hidden.csv"}) {
        ASSERT_TRUE(write_file_atomically(disk, name, "x"));
    }
    EXPECT_EQ(*trace_files(disk, {"d", "e.csv"}),
              (std::vector<std::string>{"d/a.csv", "d/b.csv.gz", "e.csv"}));
    EXPECT_EQ(trace_files(disk, {"d", "d/a.csv"}).error().message,
              "d/a.csv is named twice; name it once");
    EXPECT_EQ(trace_files(disk, {"none"}).error().message,
              "the folder none holds no file that ends with .csv or .csv.gz; name the files "
              "themselves");
}

TEST(Catalogue, a_heading_alone_is_refused_by_the_name_of_its_file) {
    for (const auto& [name, text] : {std::pair("datacenter", "avg_cpu\n"),
                                     {"web-rates", "rps\n1\n"},
                                     {"bitbrains", "vm,timestamp_s,cpu_usage_mhz\n"}}) {
        const auto file = file_with("heading.csv", text);
        EXPECT_EQ(read_load_trace(real_disk(), name, {file}).error().message,
                  file + ": below its heading it holds no value, or less than one step");
    }
}

TEST(Catalogue, only_days_of_drives_are_several_files_of_risk) {
    const auto intervals = file_with("intervals.csv", "drive_id,tstart\n");
    const auto two = read_risk_trace(real_disk(), "backblaze", {intervals, intervals});
    ASSERT_FALSE(two);
    EXPECT_EQ(
        two.error().message,
        "intervals of drives are one file, and only daily files may be several; give one with "
        "--from FILE");
    EXPECT_EQ(read_risk_trace(real_disk(), "grid5000", {intervals, intervals}).error().message,
              "this trace is one file; give it with --from FILE");
    EXPECT_FALSE(read_risk_trace(real_disk(), "backblaze", {}));
}

TEST(Catalogue, reads_every_trace_it_names) {
    const auto empty = file_with("empty.csv", "nothing\n");
    for (const Entry& entry : risk_traces()) {
        const auto trace = read_risk_trace(real_disk(), entry.name, {empty});
        ASSERT_FALSE(trace);
        EXPECT_EQ(trace.error().message.find("no trace is called"), std::string::npos);
    }
    for (const Entry& entry : load_traces())
        EXPECT_FALSE(read_load_trace(real_disk(), entry.name, {empty})) << entry.name;
}

}  // namespace
}  // namespace parley::traces
