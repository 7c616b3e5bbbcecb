#include "base/utf8.h"

#include <gtest/gtest.h>

namespace parley {
namespace {

TEST(Utf8, has_as_many_bytes_as_the_point_needs) {
    struct Case {
        std::uint32_t point;
        const char* bytes;
    };
    const Case cases[] = {
        {0x41, "A"},
        {0x7f, "\x7f"},
        {0x80, "\xc2\x80"},
        {0x7ff, "\xdf\xbf"},
        {0x800, "\xe0\xa0\x80"},
        {0xffff, "\xef\xbf\xbf"},
        {0x10000, "\xf0\x90\x80\x80"},
        {0x10ffff, "\xf4\x8f\xbf\xbf"},
    };
    for (const Case& c : cases) {
        std::string out = "<";
        append_utf8(out, c.point);
        EXPECT_EQ(out, std::string("<") + c.bytes) << c.point;
    }
}

TEST(Utf8, a_code_point_has_a_length_only_if_it_is_well_formed) {
    struct Case {
        const char* bytes;
        std::size_t length;
    };
    const Case cases[] = {
        {"A\xff", 1},
        {"\xc2\x80", 2},
        {"\xe0\xa0\x80", 3},
        {"\xf4\x8f\xbf\xbf", 4},
        {"\x80", 0},
        {"\xc1\xbf", 0},
        {"\xc2", 0},
        {"\xe0\x9f\x80", 0},
        {"\xed\xa0\x80", 0},
        {"\xf0\x8f\xbf\xbf", 0},
        {"\xf4\x90\x80\x80", 0},
        {"\xf5\x80\x80\x80", 0},
    };
    for (const Case& c : cases) EXPECT_EQ(utf8_length(c.bytes), c.length) << c.bytes;
}

}  // namespace
}  // namespace parley
