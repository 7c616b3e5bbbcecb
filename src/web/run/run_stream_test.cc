#include "web/run/run_stream.h"

#include "web/views/web_kit_test.h"

#include <gtest/gtest.h>

namespace parley::web {
namespace {

struct Stream {
    Stream() {
        stream.listen([this](std::uint64_t id, const Shared& message) {
            ids.push_back(id);
            last = *message;
        });
    }
    void announce(std::uint64_t number) {
        const SeenRoundPtr round = kit::seen(kit::round_at(number));
        index.take(*round);
        stream.announce({"demo", header, RunState::running, "", {}}, *round, index.around(number));
    }
    std::vector<Shared> greeting(std::optional<std::uint64_t> seen) const {
        return stream.greeting(std::make_shared<const std::string>("status"), seen);
    }

    store::RunHeader header = kit::header({});
    RunIndex index{header};
    RunStream stream;
    std::vector<std::uint64_t> ids;
    std::string last;
};

TEST(RunStream, tells_each_round_and_each_change_of_status) {
    Stream s;
    s.announce(1);
    s.announce(2);
    EXPECT_NE(s.last.find("event: round"), std::string::npos);
    s.stream.tell_status(std::make_shared<const std::string>("over"));
    EXPECT_EQ(s.ids, (std::vector<std::uint64_t>{1, 2, 0}));
    EXPECT_EQ(s.last, "over");
}

TEST(RunStream, greets_with_what_was_missed) {
    Stream s;
    EXPECT_EQ(s.greeting(std::nullopt).size(), 1U) << "the status alone";
    for (std::uint64_t n = 1; n <= 300; ++n) s.announce(n);
    EXPECT_EQ(s.greeting(297).size(), 4U) << "298, 299 and 300";
    EXPECT_EQ(s.greeting(300).size(), 1U);
    EXPECT_EQ(s.greeting(3).size(), 2U) << "what lies between is gone: the newest, whole";
    EXPECT_EQ(*s.greeting(std::nullopt)[0], "status");
}

TEST(RunStream, whoever_is_new_must_fetch_the_map_and_others_get_what_changed) {
    Stream s;
    s.announce(1);
    s.announce(2);
    EXPECT_NE(s.greeting(std::nullopt)[1]->find("\"more\":true"), std::string::npos);
    EXPECT_EQ(s.last.find("\"more\":true"), std::string::npos) << s.last;
}

}  // namespace
}  // namespace parley::web
