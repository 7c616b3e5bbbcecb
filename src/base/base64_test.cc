#include "base/base64.h"

#include <gtest/gtest.h>

namespace parley {
namespace {

struct Base64Case {
    const char* name;
    std::string text;
    std::optional<std::string> bytes;
};

class Base64 : public testing::TestWithParam<Base64Case> {};

TEST_P(Base64, is_read_strictly) { EXPECT_EQ(decode_base64(GetParam().text), GetParam().bytes); }

const Base64Case kBase64[] = {
    {"empty", "", ""},
    {"no_padding", "Zm9v", "foo"},
    {"one_padding", "Zm8=", "fo"},
    {"two_padding", "Zg==", "f"},
    {"plus_and_slash", "+/+/", "\xfb\xff\xbf"},
    {"zero_bytes", "AAAA", std::string(3, '\0')},
    {"wrapped", "Zm\n9v\r\nZm9v\n", "foofoo"},
    {"padding_missing", "Zm8", {}},
    {"padding_alone", "====", {}},
    {"three_padding", "Z===", {}},
    {"padding_inside", "Zg==Zm9v", {}},
    {"bits_left_over", "Zh==", {}},
    {"bits_left_over_one", "Zm9=", {}},
    {"url_alphabet", "-_-_", {}},
    {"space", "Zm 9v", {}},
    {"other_letter", "Zm9\xc3", {}},
    {"nul", std::string("Zm9\0", 4), {}},
};
INSTANTIATE_TEST_SUITE_P(Table, Base64, testing::ValuesIn(kBase64),
                         [](const auto& tested) { return tested.param.name; });

TEST(Base64, of_every_length_reads_back) {
    std::string bytes;
    for (int i = 0; i < 300; ++i) {
        EXPECT_EQ(decode_base64(encode_base64(bytes)), bytes);
        bytes += static_cast<char>(i * 37);
    }
}

}  // namespace
}  // namespace parley
