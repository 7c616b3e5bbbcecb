#include "brain/ubjson_reader.h"

#include <gtest/gtest.h>

namespace parley::brain {
namespace {

using namespace std::string_literals;

std::string error_of(std::string_view bytes) {
    const auto value = parse_ubjson(bytes);
    return value ? "" : value.error().message;
}

TEST(UbjsonReader, reads_all_kinds_of_values) {
    const auto value = parse_ubjson(
        "{i\x01"s
        "ai\xff"  // -1
        "U\x01"s
        "bU\xff"  // 255
        "I\0\x01"s
        "cI\xff\xfe"  // -2
        "l\0\0\0\x01"s
        "dl\0\1\0\0"s  // 65,536
        "L\0\0\0\0\0\0\0\x01"s
        "eL\xff\xff\xff\xff\xff\xff\xff\xfd"  // -3
        "i\x01"s
        "fd\x3f\xc0\0\0"s  // 1.5
        "i\x01"s
        "gD\x3f\xf8\0\0\0\0\0\0"s
        "i\x01"s
        "hSi\x02hi"
        "i\x01"s
        "jTi\x01kFi\x01lZNi\x01mC!"
        "}"s);
    ASSERT_TRUE(value) << value.error().message;
    const std::pair<const char*, double> cases[] = {{"a", -1}, {"b", 255}, {"c", -2}, {"d", 65'536},
                                                    {"e", -3}, {"f", 1.5}, {"g", 1.5}};
    for (const auto& [name, number] : cases) {
        ASSERT_NE(value->find(name), nullptr) << name;
        EXPECT_EQ(*value->find(name)->number(), number) << name;
    }
    EXPECT_EQ(*value->find("h")->text(), "hi");
    EXPECT_TRUE(*value->find("j")->boolean());
    EXPECT_FALSE(*value->find("k")->boolean());
    EXPECT_TRUE(value->find("l")->is_null());
    EXPECT_EQ(*value->find("m")->text(), "!");
}

TEST(UbjsonReader, reads_all_forms_of_containers) {
    const std::string cases[] = {
        "[$l#i\x02\0\0\0\x05\0\0\0\x06"s,  // Typed and counted, as XGBoost writes numbers.
        "[#i\x02i\x05U\x06"s,              // Counted, as XGBoost writes texts.
        "[i\x05NNi\x06]"s,                 // Ended by a mark, with marks that say nothing.
    };
    for (const std::string& bytes : cases) {
        const auto value = parse_ubjson(bytes);
        ASSERT_TRUE(value) << value.error().message;
        EXPECT_EQ(*value->numbers(), (JsonNumbers{5, 6}));
    }
    const auto object = parse_ubjson("{$i#i\x02i\x01"s + "a\x07i\x01" + "b\x08");
    ASSERT_TRUE(object) << object.error().message;
    EXPECT_EQ(*object->find("b")->number(), 8);
    EXPECT_EQ(parse_ubjson("[#i\x02Si\x01"s + "aSi\x01" + "b")->items()->size(), 2U);
}

struct Case {
    const char* name;
    std::string bytes;
    std::string error;
};

class UbjsonRefused : public testing::TestWithParam<Case> {};

TEST_P(UbjsonRefused, with_its_place) { EXPECT_EQ(error_of(GetParam().bytes), GetParam().error); }

const Case kCases[] = {
    {"empty", "", "byte 0: there is no such type of value"},
    {"behind", "ZZ", "byte 1: something stands behind the end of the UBJSON"},
    {"unknown", "H", "byte 1: there is no such type of value"},
    {"cut_number", "l\0\0"s, "byte 1: the file ends within a value"},
    {"cut_text", "Si\x05"s + "abc", "byte 3: the file ends within a text"},
    {"cut_character", "C", "byte 1: the file ends within a value"},
    {"cut_array", "[i\x01"s, "byte 3: the file ends within an array"},
    {"cut_after_type", "[$", "byte 2: a typed container must be counted"},
    {"cut_after_its_type", "[$i", "byte 3: a typed container must be counted"},
    {"uncounted", "[$i]", "byte 3: a typed container must be counted"},
    {"negative_length", "Si\xff", "byte 3: a length is negative or larger than the file may be"},
    {"huge_length", "SL\x7f\xff\xff\xff\xff\xff\xff\xff",
     "byte 10: a length is negative or larger than the file may be"},
    {"real_length", "Sd\0\0\0\0"s, "byte 2: a length must stand here"},
    {"array_larger_than_file", "[$U#l\x0f\xff\xff\xff"s, "byte 9: the file ends within an array"},
    {"many_nothings", "[$Z#l\x0f\xff\xff\xff"s, "byte 9: it has more than 16,000,000 numbers"},
    {"many_truths", "[$T#l\x0f\xff\xff\xff"s, "byte 9: it has more than 2,000,000 values"},
    {"mixed", "[i\x01T]"s, "byte 4: an array mixes numbers with others"},
    {"mixed_too", "[Ti\x01]"s, "byte 3: an array mixes numbers with others"},
    {"twice", "{i\x01"s + "aTi\x01" + "aT}", "byte 10: an object before it has a name twice"},
    {"too_deep", std::string(100, '['), "byte 66: it is nested more than 64 deep"},
};
INSTANTIATE_TEST_SUITE_P(Table, UbjsonRefused, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace parley::brain
