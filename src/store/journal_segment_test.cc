#include "store/journal_segment.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace parley::store {
namespace {

/// Frames 1, 2, ... of a segment, with how many before each were not durable yet.
struct Written {
    std::string bytes;
    std::vector<std::size_t> begins;

    explicit Written(const std::vector<std::uint32_t>& pending, std::uint64_t first = 1,
                     Digest chain = {}) {
        FrameEncoder encoder(1, 512);
        for (std::size_t i = 0; i < pending.size(); ++i) {
            begins.push_back(bytes.size());
            FrameHeader header;
            header.sequence = first + i;
            header.pending = pending[i];
            header.version = 1;
            encoder.encode(bytes, header, "payload " + std::to_string(header.sequence), chain);
        }
        begins.push_back(bytes.size());
    }

    /// Frames of the given numbers (from 1) are overwritten.
    Written& spoil(const std::vector<std::size_t>& numbers, char with) {
        for (const std::size_t n : numbers) {
            bytes.replace(begins[n - 1], begins[n] - begins[n - 1], begins[n] - begins[n - 1],
                          with);
        }
        return *this;
    }
};

/// Gives "1 2 | segment 000001, ... | torn 12". The walker gets at most `most` bytes first, and
/// more when it asks.
std::string walked(std::string_view bytes, bool continued, Position from = {},
                   std::size_t most = std::string_view::npos) {
    const auto part = [&](std::uint64_t begin) {
        const auto some = bytes.substr(static_cast<std::size_t>(begin), most);
        return SegmentPart{some, begin, begin + some.size() == bytes.size()};
    };
    const std::uint64_t begin = std::min<std::uint64_t>(from.offset, bytes.size());
    SegmentWalker walker(part(begin), from, {}, continued, 1);
    std::string text;
    while (true) {
        if (const auto frame = walker.next()) {
            text += std::to_string(frame->header.sequence) + " ";
            continue;
        }
        if (!walker.needs_more()) break;
        most *= 2;
        walker.go_on_in(part(walker.position().offset));
    }
    for (const Damage& damage : walker.damage()) text += "| " + text_of(damage) + " ";
    for (const Hole& hole : walker.holes()) {
        text +=
            "| left " + std::to_string(hole.length) + " at " + std::to_string(hole.offset) + " ";
    }
    if (walker.refusal()) text += "| " + *walker.refusal() + " ";
    if (!text.empty()) text.pop_back();
    return text;
}

struct Case {
    const char* name;
    std::vector<std::uint32_t> pending;
    std::vector<std::size_t> spoiled;
    std::string walked;
    char with = '#';
    bool continued = false;
    std::size_t zeros = 50;
};

// A frame is 109 bytes long here: frame n begins at 109 (n - 1).
const Case kCases[] = {
    {"whole", {0, 0, 0}, {}, "1 2 3 | left 0 at 327"},
    {.name = "whole_to_the_last_byte", .pending = {0, 0, 0}, .walked = "1 2 3", .zeros = 0},
    {"empty", {}, {}, "| left 0 at 0"},
    {"torn_last", {0, 0, 0}, {3}, "1 2 | left 109 at 218"},
    {"torn_first", {0, 0, 0}, {1, 2, 3}, "| left 327 at 0"},
    {"middle_that_was_durable",
     {0, 0, 0},
     {2},
     "1 3 | segment 000001, bytes 109 to 217: frame 2 is lost: no frame begins there | left 0 at "
     "327"},
    {"zeros_in_the_middle",
     {0, 0, 0},
     {2},
     "1 3 | segment 000001, bytes 109 to 217: frame 2 is lost: there are only zeros | left 0 at "
     "327",
     '\0'},
    {"first_that_was_durable",
     {0, 0, 0},
     {1},
     "2 3 | segment 000001, bytes 0 to 108: frame 1 is lost: no frame begins there | left 0 at "
     "327"},
    {"two_that_were_durable",
     {0, 0, 0, 0},
     {2, 3},
     "1 4 | segment 000001, bytes 109 to 326: frames 2 to 3 are lost: no frame begins there | left "
     "0 at 436"},
    {"two_places",
     {0, 0, 0, 0, 0},
     {2, 4},
     "1 3 5 | segment 000001, bytes 109 to 217: frame 2 is lost: no frame begins there | segment "
     "000001, bytes 327 to 435: frame 4 is lost: no frame begins there | left 0 at 545"},
    {"unfinished_batch", {0, 0, 1, 2}, {3}, "1 2 | left 218 at 218"},
    {"unfinished_batch_from_its_start", {0, 0, 1, 2}, {2}, "1 | left 327 at 109"},
    {"finished_batch_and_a_frame_behind",
     {0, 0, 1, 0},
     {2},
     "1 3 4 | segment 000001, bytes 109 to 217: frame 2 is lost: no frame begins there | left 0 at "
     "436"},
    {"one_batch_lost_and_a_second_unfinished",
     {0, 0, 0, 1},
     {2},
     "1 3 4 | segment 000001, bytes 109 to 217: frame 2 is lost: no frame begins there | left 0 at "
     "436"},
    {"last_of_a_segment_before_others", {0, 0}, {2}, "1 | left 109 at 109", '#', true},
    {"batch_of_a_segment_before_others",
     {0, 0, 1},
     {2},
     "1 3 | segment 000001, bytes 109 to 217: frame 2 is lost: no frame begins there | left 0 at "
     "327",
     '#',
     true},
};

TEST(SegmentWalker, tells_a_torn_tail_from_a_broken_middle) {
    for (const Case& c : kCases) {
        Written written(c.pending);
        written.spoil(c.spoiled, c.with);
        EXPECT_EQ(walked(written.bytes + std::string(c.zeros, '\0'), c.continued), c.walked)
            << c.name;
    }
}

TEST(SegmentWalker, a_part_after_the_other_gives_what_the_whole_gives) {
    for (const Case& c : kCases) {
        Written written(c.pending);
        written.spoil(c.spoiled, c.with);
        const std::string bytes = written.bytes + std::string(c.zeros, '\0');
        for (const std::size_t most : {1U, 60U, 109U, 110U, 218U, 300U}) {
            EXPECT_EQ(walked(bytes, c.continued, {}, most), c.walked) << c.name << " by " << most;
        }
        if (c.spoiled.empty() && c.pending.size() > 1) {
            EXPECT_EQ(walked(bytes, c.continued, {1, 109, 2, std::nullopt}, 120),
                      c.walked.substr(2));
        }
    }
}

TEST(SegmentWalker, a_frame_of_another_chain_is_damage) {
    Written written({0, 0, 0});
    const Written other({0, 0, 0}, 1, sha256("another"));
    written.bytes.replace(109, 109, other.bytes, 109, 109);
    // It is not known which of the two is wrong; what follows the foreign frame does not fit
    // anything.
    EXPECT_EQ(walked(written.bytes, false),
              "1 | segment 000001, bytes 109 to 217: frame 2 is lost: the chain does not hold "
              "| left 109 at 218");
    EXPECT_EQ(walked(written.bytes.substr(0, 218), false), "1 | left 109 at 109");
}

TEST(SegmentWalker, a_repeated_frame_is_damage) {
    const Written written({0, 0, 0});
    const std::string bytes = written.bytes.substr(0, 218) + written.bytes.substr(109);
    EXPECT_EQ(
        walked(bytes, true),
        "1 2 3 | segment 000001, bytes 218 to 326: no frame is lost: the chain does not hold");
    EXPECT_EQ(walked(bytes, false), "1 2 | left 218 at 218");
}

TEST(SegmentWalker, begins_anywhere) {
    const Written written({0, 0, 0});
    EXPECT_EQ(walked(written.bytes, false, {1, 109, 2, std::nullopt}), "2 3");
    EXPECT_EQ(walked(written.bytes, false, {1, 109, 0, std::nullopt}), "2 3");
    EXPECT_EQ(walked(written.bytes, false, {1, 109, 2, Digest{}}),
              "3 | segment 000001, bytes 109 to 217: frame 2 is lost: the chain does not hold");
    EXPECT_EQ(walked(written.bytes, false, {1, 9999, 4, std::nullopt}), "");
}

TEST(SegmentWalker, what_the_segment_before_left_is_judged_by_the_next_frame) {
    const Written written({0}, 5);
    const Position from{2, 0, 5, std::nullopt};
    SegmentWalker follows(written.bytes, from, {{1, 700, 30, "torn"}}, false, 1);
    EXPECT_TRUE(follows.next());
    EXPECT_EQ(follows.torn_before(), 30u);
    EXPECT_TRUE(follows.damage().empty());

    SegmentWalker gap(written.bytes, {2, 0, 4, std::nullopt}, {{1, 700, 30, "torn"}}, false, 1);
    EXPECT_TRUE(gap.next());
    ASSERT_EQ(gap.damage().size(), 1u);
    EXPECT_EQ(text_of(gap.damage()[0]), "segment 000001, bytes 700 to 729: frame 4 is lost: torn");

    SegmentWalker bare(written.bytes, {2, 0, 3, std::nullopt}, {}, false, 1);
    EXPECT_TRUE(bare.next());
    EXPECT_EQ(text_of(bare.damage().at(0)),
              "segment 000002, before byte 0: frames 3 to 4 are lost: a frame is missing");
}

TEST(SegmentWalker, refuses_a_newer_version_wherever_it_is) {
    FrameEncoder encoder(1, 512);
    Written written({0, 0});
    FrameHeader newer;
    newer.sequence = 3;
    newer.version = 2;
    Digest chain = parse_frame(written.bytes.substr(109))->header.chain;
    encoder.encode(written.bytes, newer, "from tomorrow", chain);
    const std::string refusal =
        "the frame at byte 218 has version 2, and this program reads versions up to 1: use a newer "
        "parley";
    EXPECT_EQ(walked(written.bytes, false), "1 2 | left 113 at 218 | " + refusal);
    written.spoil({2}, '#');
    EXPECT_EQ(walked(written.bytes, false), "1 | left 222 at 109 | " + refusal);
}

TEST(SegmentName, and_back) {
    EXPECT_EQ(segment_name(1), "000001.log");
    EXPECT_EQ(segment_name(1234567), "1234567.log");
    EXPECT_EQ(segment_number("000001.log"), 1u);
    EXPECT_EQ(segment_number("1234567.log"), 1234567u);
    for (const char* other :
         {"", ".log", "1.log", "000000.log", "0000001.log", "000001.log.torn", "000001.log.tmp",
          "00000x.log", "-00001.log", "lock", "99999999999.log"}) {
        EXPECT_EQ(segment_number(other), std::nullopt) << other;
    }
}

}  // namespace
}  // namespace parley::store
