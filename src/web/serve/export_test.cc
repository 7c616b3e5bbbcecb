#include "web/serve/export.h"

#include "fake/disk.h"
#include "web/views/web_kit_test.h"

#include <gtest/gtest.h>

namespace parley::web {
namespace {

TEST(Export, a_line_of_csv_holds_anything_and_starts_no_formula) {
    EXPECT_EQ(csv_line({"a", "b c", "1.5"}), "a,b c,1.5\r\n");
    EXPECT_EQ(csv_line({"a,b", "say \"x\"", "two\nlines"}),
              "\"a,b\",\"say \"\"x\"\"\",\"two\nlines\"\r\n");
    EXPECT_EQ(csv_line({"=1+1", "@x", "-3", "+4 pods"}), "\"'=1+1\",\"'@x\",-3,\"'+4 pods\"\r\n");
    EXPECT_EQ(csv_line({""}), "\r\n");
}

TEST(Export, every_kind_in_both_forms) {
    fake::Disk disk;
    ServedRun run(disk, {"demo", ""}, kit::header({}), RunHooks{});
    for (std::uint64_t n = 1; n <= 30; ++n) run.take(kit::seen(kit::round_at(n)));
    for (const char* what : {"round", "events", "scores", "nodes"}) {
        for (const char* format : {"json", "csv"}) {
            Route route{.wanted = Wanted::export_file, .run = "demo"};
            route.query = {{"what", what}, {"format", format}, {"round", "10"}};
            const Answer got = export_answer(run, route);
            EXPECT_EQ(got.status, 200) << what;
            ASSERT_EQ(got.headers.size(), 1U);
            EXPECT_NE(got.headers[0].second.find("attachment"), std::string::npos);
            const bool json = std::string(format) == "json";
            EXPECT_EQ(got.body.front() == '{' || got.body.front() == '[', json) << what;
        }
    }
}

}  // namespace
}  // namespace parley::web
