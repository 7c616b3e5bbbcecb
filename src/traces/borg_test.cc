#include "traces/borg.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace parley::traces {
namespace {

constexpr const char* kHeading =
    "time,instance_events_type,collection_id,scheduling_class,collection_type,priority,"
    "alloc_collection_id,instance_index,machine_id,req_cpu,req_mem,collections_events_type,"
    "vertical_scaling,scheduler,start_time,end_time,avg_cpu,avg_mem,max_cpu,max_mem,rand_cpu,"
    "assigned_memory,page_cache_memory,cpi,mai,sample_rate,cpu_p0,cpu_p10,cpu_p20,cpu_p30,cpu_p40,"
    "cpu_p50,cpu_p60,cpu_p70,cpu_p80,cpu_p90,cpu_p100,cluster,event_official,fail_official,"
    "event_kaggle,failed_kaggle\n";

std::string line(const std::string& collection, const std::string& type, const std::string& fails,
                 const std::string& req_cpu = "0.5") {
    return "0," + type + "," + collection + ",3,1,200,0,47,1," + req_cpu + ",0.07," + type +
           ",1,0,300000000,600000000,0.1,0.2,0.3,0.4,0.5,0.6,0.7,,,1,0,1,2,3,4,5,6,7,8,9,10,2,X," +
           fails + ",FAIL,1\n";
}

std::string trace(const std::string& type) {
    std::string text = kHeading;
    for (int collection = 0; collection < 60; ++collection) {
        for (int instance = 0; instance < 3; ++instance)
            text += line(std::to_string(100'000'000'000 + collection), type,
                         collection % 4 == 0 ? "1" : "0");
    }
    return text;
}

TEST(Borg, takes_the_official_label_and_splits_by_collection) {
    const auto read = import_borg("instances", trace("2"));
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->rows.size(), 180U);
    EXPECT_EQ(read->rows.label[0], 1);
    EXPECT_EQ(read->rows.label[3], 0);
    EXPECT_EQ(read->rows.event[0], read->rows.event[2]);  // One collection, one failure.
    EXPECT_EQ(read->split.rule,
              "hash of the collection, 60/10/10/20 (train, stop, calibrate, test)");
    for (std::size_t i = 0; i < 180; i += 3)
        EXPECT_EQ(read->split.part[i], read->split.part[i + 2]);
}

TEST(Borg, never_sees_types_of_events_ids_or_times) {
    const auto a = import_borg("instances", trace("2"));
    const auto b = import_borg("instances", trace("nonsense"));
    ASSERT_TRUE(a && b);
    for (std::size_t i = 0; i < a->rows.values.size(); ++i) {
        const float x = a->rows.values[i];
        EXPECT_TRUE(x == b->rows.values[i] || std::isnan(x));
    }
    for (const learn::Column& column : a->rows.columns) {
        for (const char* word : {"type_", "event", "_id", "_time", "kaggle", "official"})
            EXPECT_EQ(column.name.find(word), std::string::npos) << column.name;
    }
}

TEST(Borg, refuses_with_the_line) {
    const auto error = [](const std::string& lines) {
        const auto read = import_borg("instances", kHeading + lines);
        return read ? "" : read.error().message;
    };
    EXPECT_EQ(error(line("", "2", "0")),
              "instances:2: collection_id must be a whole number from 0 to 2305843009213693951, "
              "not \"\"");
    EXPECT_EQ(error(line("1", "2", "")),
              "instances:2: fail_official must be a whole number from 0 to 1, not \"\"");
    EXPECT_EQ(error(line("1", "2", "0", "half")),
              "instances:2: req_cpu must be a number, not \"half\"");
    EXPECT_NE(error(""), "");
}

}  // namespace
}  // namespace parley::traces
