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

}  // namespace
}  // namespace parley
