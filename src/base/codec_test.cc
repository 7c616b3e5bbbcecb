#include "base/codec.h"

#include "base/diff.h"
#include "base/json.h"
#include "base/same.h"
#include "base/schema.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace parley {
namespace {

enum class Colour : std::uint8_t { red, green = 5 };
BOOST_DESCRIBE_ENUM(Colour, red, green)

struct Small {
    std::int32_t number = 0;
    Name name;
};
BOOST_DESCRIBE_STRUCT(Small, (), (number, name))

struct Other {
    double share = 0;
};
BOOST_DESCRIBE_STRUCT(Other, (), (share))

struct Large {
    std::array<double, 1'000> values{};
};
BOOST_DESCRIBE_STRUCT(Large, (), (values))

struct Everything {
    bool flag = false;
    std::int64_t big = 0;
    std::uint64_t unsigned_big = 0;
    std::int8_t tiny = 0;
    double real = 0;
    Colour colour = Colour::red;
    std::string text;
    Name name;
    TimePoint at;
    Duration lasts;
    std::optional<Small> maybe;
    std::vector<Small> list;
    std::array<std::int32_t, 3> three{};
    std::variant<Small, Other> either;
    Table<Small> table;
};
BOOST_DESCRIBE_STRUCT(Everything, (),
                      (flag, big, unsigned_big, tiny, real, colour, text, name, at, lasts, maybe,
                       list, three, either, table))

Everything sample() {
    Everything e{.flag = true,
                 .big = std::numeric_limits<std::int64_t>::min(),
                 .unsigned_big = std::numeric_limits<std::uint64_t>::max(),
                 .tiny = -128,
                 .real = -0.0,
                 .colour = Colour::green,
                 .text = std::string("a\0b", 3),
                 .name = Name::of("node-07"),
                 .at = {123},
                 .lasts = {-5},
                 .maybe = Small{7, Name::of("x")},
                 .list = {{1, {}}, {2, Name::of("two")}},
                 .three = {1, 2, 3},
                 .either = Other{0.25}};
    for (int i = 0; i < 300; ++i) e.table.insert({i, {}});
    e.table.erase(17);
    return e;
}

TEST(Codec, gives_back_what_it_was_given) {
    const Everything before = sample();
    const auto after = decode<Everything>(encode(before));
    ASSERT_TRUE(after);
    EXPECT_TRUE(same(before, *after)) << first_difference(before, *after)->path;
}

TEST(Codec, a_difference_turns_the_earlier_value_into_the_later) {
    const Everything before = sample();
    Everything after = before;
    after.real = std::numeric_limits<double>::quiet_NaN();
    after.big = 3;
    after.list = {{1, {}}, {3, Name::of("two")}, {4, {}}};
    after.maybe.reset();
    after.either = Small{9, {}};
    after.table.edit(250).number = -1;
    after.table.erase(3);
    after.table.insert({17, Name::of("again")});
    for (const auto& [from, to] : {std::pair(before, after), std::pair(after, before),
                                   std::pair(Everything{}, after), std::pair(after, after)}) {
        Everything value = from;
        ASSERT_TRUE(apply_difference(encode_difference(to, from), value));
        const auto difference = first_difference(value, to);
        EXPECT_FALSE(difference) << difference->path;
    }
}

TEST(Codec, no_difference_is_one_byte) {
    EXPECT_EQ(encode_difference(sample(), sample()).size(), 1U);
}

TEST(Codec, tells_minus_zero_from_zero) {
    const Other zero{0.0};
    Other value = zero;
    ASSERT_TRUE(apply_difference(encode_difference(Other{-0.0}, zero), value));
    EXPECT_TRUE(std::signbit(value.share));
}

TEST(Codec, shared_chunks_cost_nothing) {
    Table<Small> table;
    for (int i = 0; i < 10'000; ++i) table.insert({i, {}});
    Table<Small> next = table;
    next.edit(5'000).number = -1;
    EXPECT_LE(encode_difference(next, table).size(), 8U);
}

// Every prefix and every flipped bit either fails or decodes to some value; none may crash.
TEST(Codec, survives_hostile_bytes) {
    const std::string whole = encode(sample());
    for (std::size_t cut = 0; cut < whole.size(); ++cut) {
        EXPECT_FALSE(decode<Everything>(std::string_view(whole).substr(0, cut))) << cut;
    }
    EXPECT_FALSE(decode<Everything>(whole + "x"));
    for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
        std::string bytes = whole;
        bytes[bit / 8] =
            static_cast<char>(static_cast<unsigned char>(bytes[bit / 8]) ^ (1U << (bit % 8)));
        if (const auto value = decode<Everything>(bytes)) {
            EXPECT_TRUE(decode<Everything>(encode(*value)));
        }
        Everything base = sample();
        (void)apply_difference(bytes, base);
    }
}

TEST(Codec, refuses_what_cannot_have_been_written) {
    const std::string huge("\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 9);
    EXPECT_FALSE(decode<bool>("\x02"));
    EXPECT_FALSE(decode<std::int8_t>("\x80\x02")) << "256 does not fit";
    EXPECT_FALSE(decode<Colour>("\x01")) << "no such enumerator";
    EXPECT_TRUE(decode<Colour>("\x05"));
    EXPECT_FALSE(decode<std::vector<Small>>("")) << "no size";
    EXPECT_FALSE(decode<std::vector<Small>>(huge)) << "more elements than bytes";
    EXPECT_FALSE(decode<std::string>(huge));
    EXPECT_FALSE(decode<Table<Small>>(huge)) << "a slot beyond any cluster";
    const std::string endless(11, '\x80');
    EXPECT_FALSE(decode<std::uint64_t>(endless));
}

struct Grown {  // Small, as it may look some releases later.
    std::int32_t number = 0;
    Name name;
    std::int64_t since = 7;
    std::vector<Small> more;
};
BOOST_DESCRIBE_STRUCT(Grown, (), (number, name, since, more))

// A keyframe that was written after its last node had been removed did not read back as the memory
// it was made from.
TEST(Codec, a_table_whose_last_row_was_erased_reads_back_as_the_same) {
    Everything e;
    e.table.insert({1, Name::of("stays")});
    e.table.put(700, {2, Name::of("goes")});
    e.table.erase(700);
    const auto read = decode<Everything>(encode(e));
    ASSERT_TRUE(read.has_value());
    EXPECT_TRUE(same(*read, e));
    EXPECT_TRUE(same(e, *read));
    EXPECT_FALSE(first_difference(e, *read).has_value());
}

TEST(Codec, few_bytes_cannot_stand_for_more_memory_than_there_is) {
    // A struct of which an older program wrote no member takes one byte in the file, and 8 kB in
    // memory.
    ByteWriter list;
    list.varint(1'000'000);
    EXPECT_FALSE(decode<std::vector<Large>>(list.take() + std::string(1'000'000, '\0')));
    ByteWriter few;
    few.varint(1'000);
    const auto read = decode<std::vector<Large>>(few.take() + std::string(1'000, '\0'));
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->size(), 1'000U);
}

TEST(Codec, a_row_far_behind_the_others_cannot_take_all_memory) {
    const auto table = [](std::uint64_t slot) {
        ByteWriter out;
        out.varint(slot + 1);
        out.byte(1);    // A new row,
        out.varint(0);  // of which no member was written.
        out.varint(0);
        return out.take();
    };
    EXPECT_TRUE(decode<Table<Large>>(table(1'000)).has_value());
    EXPECT_FALSE(decode<Table<Large>>(table(1'000'000)).has_value());
    EXPECT_TRUE(decode<Table<Small>>(table(1'000'000)).has_value());
}

TEST(Codec, reads_what_an_older_program_wrote_and_not_what_a_newer_one_did) {
    const Small old{5, Name::of("x")};
    const auto now = decode<Grown>(encode(old));
    ASSERT_TRUE(now);
    EXPECT_EQ(now->number, 5);
    EXPECT_EQ(now->name, old.name);
    EXPECT_EQ(now->since, 7);
    EXPECT_FALSE(decode<Small>(encode(Grown{})));
    Grown value = *now;  // A difference written by an old program touches only the members it knew.
    ASSERT_TRUE(apply_difference(encode_difference(Small{6, old.name}, old), value));
    EXPECT_EQ(value.number, 6);
    EXPECT_EQ(value.since, 7);
}

TEST(Json, is_strict_whatever_is_in_it) {
    Everything e = sample();
    e.real = std::numeric_limits<double>::infinity();
    e.table = {};
    EXPECT_EQ(to_json(e),
              R"({"flag":true,"big":-9223372036854775808,"unsigned_big":18446744073709551615,)"
              R"("tiny":-128,"real":null,"colour":"green","text":"a\u0000b","name":"node-07",)"
              R"("at":0.000123,"lasts":-5e-06,"maybe":{"number":7,"name":"x"},)"
              R"("list":[{"number":1,"name":""},{"number":2,"name":"two"}],"three":[1,2,3],)"
              R"("either":{"kind":"other","share":0.25},"table":[]})");
}

TEST(Json, texts_stay_valid_utf8) {
    EXPECT_EQ(to_json(std::string("\"\\\n\x01\x7f")), R"("\"\\\n\u0001\u007f")");
    EXPECT_EQ(to_json(std::string("gr\xc3\xbc\xc3\x9f")), "\"gr\xc3\xbc\xc3\x9f\"");
    EXPECT_EQ(to_json(std::string("\xff")), "\"\xEF\xBF\xBD\"");
    EXPECT_EQ(to_json(std::string("\xed\xa0\x80")).size(), 11U) << "surrogates are not text";
    EXPECT_EQ(to_json(std::string("\xc3")), "\"\xEF\xBF\xBD\"") << "cut off";
}

TEST(Diff, names_the_first_place_that_differs) {
    const Everything a = sample();
    EXPECT_FALSE(first_difference(a, a));
    const auto path = [&](auto change) {
        Everything b = sample();
        change(b);
        const auto found = first_difference(a, b);
        return found ? found->path + ": " + found->left + " / " + found->right : "none";
    };
    EXPECT_EQ(path([](auto& b) { b.flag = false; }), "flag: true / false");
    EXPECT_EQ(path([](auto& b) { b.real = 0.0; }), "real: -0 / 0");
    EXPECT_EQ(path([](auto& b) { b.list[1].number = 5; }), "list[1].number: 2 / 5");
    EXPECT_EQ(path([](auto& b) { b.list.pop_back(); }), "list.size: 2 / 1");
    EXPECT_EQ(path([](auto& b) { b.maybe.reset(); }), R"(maybe: {"number":7,"name":"x"} / null)");
    EXPECT_EQ(path([](auto& b) { b.table.edit(4).number = 5; }), "table[4].number: 4 / 5");
    EXPECT_EQ(path([](auto& b) { b.table.erase(4); }),
              R"(table[4]: {"number":4,"name":""} / absent)");
    EXPECT_EQ(path([](auto& b) { b.either = Other{0.5}; }), "either.share: 0.25 / 0.5");
}

TEST(Schema, describes_what_json_writes) {
    EXPECT_EQ(json_schema<Small>(),
              "{\n\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\n"
              "\"allOf\":[{\"$ref\":\"#/$defs/Small\"}],\n\"$defs\":{\n"
              "\"Small\":{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{"
              "\"number\":{\"type\":\"integer\"},\"name\":{\"type\":\"string\"}}}\n}\n}\n");
    const std::string all = json_schema<Everything>();
    EXPECT_NE(all.find(R"("Colour":{"enum":["red","green"]})"), std::string::npos);
    EXPECT_NE(all.find(R"("kind":{"const":"other"})"), std::string::npos);
}

TEST(Describe, enumerators_have_names_both_ways) {
    EXPECT_EQ(enum_name(Colour::green), "green");
    EXPECT_EQ(enum_name(static_cast<Colour>(3)), "?");
    EXPECT_EQ(enum_from_name<Colour>("red"), Colour::red);
    EXPECT_FALSE(enum_from_name<Colour>("blue"));
    EXPECT_TRUE(is_enumerator<Colour>(5));
    EXPECT_FALSE(is_enumerator<Colour>(1));
}

}  // namespace
}  // namespace parley
