#include "base/quantity.h"

#include "base/random.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

namespace parley {
namespace {

constexpr auto kLargest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kKi = 1024;
constexpr std::int64_t kMi = kKi * 1024;
constexpr std::int64_t kGi = kMi * 1024;

struct Parsed {
    const char* text;
    std::int64_t want;
};

TEST(ParseMillicores, reads_what_kubernetes_reads) {
    const Parsed cases[] = {
        {"0", 0},
        {"1", 1000},
        {"100m", 100},
        {"250m", 250},
        {"0.1", 100},
        {".5", 500},
        {"5.", 5000},
        {"+1", 1000},
        {"1.5", 1500},
        {"8600m", 8600},
        {"1k", 1'000'000},
        {"2M", 2'000'000'000},
        {"1e3", 1'000'000},
        {"1E3", 1'000'000},
        {"1e+3", 1'000'000},
        {"1e-3", 1},
        {"1.5e1", 15'000},
        {"1Ki", 1'024'000},
        {"1u", 1},  // 0.001 m, rounded up.
        {"1n", 1},
        {"1000u", 1},
        {"1001u", 2},
        {"123456789n", 124},
        {"100000000n", 100},
        {"100000001n", 101},
        {"0.0001", 1},
        {"0.1234", 124},
        {"1e-30", 1},
        {"1e-999", 1},
        {"0n", 0},
        {"0e999", 0},
        {"0.000", 0},
        {"-0", 0},
        {"000000000000000000000000000000000000000000000000000000000000001m", 1},
        {"9223372036854775807m", kLargest},
        {"9223372036854775.807", kLargest},
        {"9223372036854775806.1m", kLargest},
    };
    for (const auto& [text, want] : cases) {
        const auto parsed = parse_millicores(text);
        ASSERT_TRUE(parsed) << text << ": " << parsed.error().message;
        EXPECT_EQ(*parsed, want) << text;
    }
}

TEST(ParseBytes, reads_what_kubernetes_reads) {
    const Parsed cases[] = {
        {"0", 0},
        {"1", 1},
        {"1024", kKi},
        {"1Ki", kKi},
        {"1Mi", kMi},
        {"1Gi", kGi},
        {"1Ti", kGi * 1024},
        {"1Pi", kGi * 1024 * 1024},
        {"1Ei", kGi * 1024 * 1024 * 1024},
        {"1k", 1000},
        {"1M", 1'000'000},
        {"1G", 1'000'000'000},
        {"1T", 1'000'000'000'000},
        {"1P", 1'000'000'000'000'000},
        {"1E", 1'000'000'000'000'000'000},  // Exa,
        {"1E0", 1},                         // but this is an exponent.
        {"1e3", 1000},
        {"12E2", 1200},
        {"1.5Gi", 1'610'612'736},
        {"1536Mi", 1'610'612'736},
        {"0.5Ki", 512},
        {".5Ki", 512},
        {"1.Ki", kKi},
        {"1.1Ki", 1127},  // 1126.4
        {"0.1Ki", 103},   // 102.4
        {"0.0009765625Ki", 1},
        {"0.0009765626Ki", 2},
        {"0.00000000000000000000000000000000000000000000000001Ei", 1},
        {"128974848000m", 128'974'848},  // As metrics may be reported.
        {"1m", 1},
        {"1500m", 2},
        {"2000m", 2},
        {"1e-9", 1},
        {"9223372036854775807", kLargest},
        {"9223372036854775806.5", kLargest},
        {"9.223372036854775807E", kLargest},
        {"7.9999999999999999Ei", 9'223'372'036'854'775'693},
    };
    for (const auto& [text, want] : cases) {
        const auto parsed = parse_bytes(text);
        ASSERT_TRUE(parsed) << text << ": " << parsed.error().message;
        EXPECT_EQ(*parsed, want) << text;
    }
}

TEST(ParseQuantity, refuses_everything_else) {
    for (const char* text : {"",      " ",        "1 ",       " 1",     "1 Gi",    "1Gi ",
                             "1.5.2", "..",       ".",        "+",      "-",       "--1",
                             "+-1",   "++1",      "0x10",     "NaN",    "nan",     "inf",
                             "Inf",   "Ki",       "m",        ".Ki",    "e3",      "1e",
                             "1e+",   "1e-",      "1e+-3",    "1e3m",   "1e3Ki",   "1e1.5",
                             "1K",    "1ki",      "1KI",      "1mi",    "1g",      "1Gib",
                             "1GB",   "1B",       "1Zi",      "1Z",     "1U",      "1N",
                             "1mm",   "1i",       ".5i",      "1.1.M",  "1+1M",    "0.1mi",
                             "aoeu",  "1,5",      "1_0",      "1e1000", "1e-1000", "1e99999999999",
                             "1\n",   "\xc2\xb5", "1\xc2\xb5"}) {
        for (const auto& parsed : {parse_bytes(text), parse_millicores(text)}) {
            ASSERT_FALSE(parsed) << text;
            EXPECT_EQ(parsed.error().code, ErrorCode::malformed);
        }
    }
    EXPECT_FALSE(parse_bytes(std::string_view("1\0", 2)));
    EXPECT_EQ(parse_bytes("1 Gi").error().message,
              "\"1 Gi\" is not a quantity such as 250m, 2 or 1.5Gi");
}

TEST(ParseQuantity, refuses_what_int64_cannot_hold) {
    for (const char* text : {"9223372036854775808", "9223372036854775807.1", "9.3E", "8Ei",
                             "7.99999999999999999999Ei", "10E", "1e19", "1e20", "1e999",
                             "99999999999999999999999999999999999999999999999999999999999999Ei"}) {
        EXPECT_FALSE(parse_bytes(text)) << text;
    }
    for (const char* text : {"-9223372036854775809", "-9223372036854775808.1", "-9.3E", "-8.1Ei",
                             "-10E", "-1e19", "-1e20", "-1e999"}) {
        EXPECT_FALSE(parse_bytes(text, Sign::any)) << text;
    }
    EXPECT_FALSE(parse_millicores("9223372036854775808m"));
    EXPECT_FALSE(parse_millicores("9223372036854775807.1m"));
    EXPECT_FALSE(parse_millicores("1E"));
    EXPECT_EQ(parse_bytes("8Ei").error().message, "\"8Ei\" is too large a quantity");
}

TEST(ParseQuantity, refuses_text_longer_than_64_characters) {
    EXPECT_EQ(parse_bytes(std::string(63, '0') + "7"), 7);
    EXPECT_FALSE(parse_bytes(std::string(64, '0') + "7"));
}

TEST(ParseQuantity, takes_a_negative_value_only_where_asked) {
    EXPECT_FALSE(parse_bytes("-1"));
    EXPECT_FALSE(parse_millicores("-1n"));
    EXPECT_EQ(parse_bytes("-1").error().message, "\"-1\" must not be negative");
    EXPECT_EQ(parse_bytes("-1Ki", Sign::any), -1024);
    EXPECT_EQ(parse_bytes("-1.5", Sign::any), -2);  // Away from zero.
    EXPECT_EQ(parse_millicores("-1n", Sign::any), -1);
    EXPECT_EQ(parse_bytes("-9223372036854775807", Sign::any), -kLargest);
    // It was printed and could not be read back.
    EXPECT_EQ(parse_bytes("-8Ei", Sign::any), -kLargest - 1);
    EXPECT_EQ(parse_millicores("-9223372036854775808m", Sign::any), -kLargest - 1);
    EXPECT_FALSE(parse_bytes("-9223372036854775809", Sign::any));
    EXPECT_FALSE(parse_bytes("-8Ei"));
}

struct Printed {
    std::int64_t value;
    const char* canonical;
    const char* shown;
};

TEST(PrintMillicores, is_canonical_and_short) {
    const Printed cases[] = {
        {0, "0", "0"},
        {1, "1m", "1m"},
        {250, "250m", "250m"},
        {999, "999m", "999m"},
        {1000, "1", "1"},
        {1001, "1001m", "1"},
        {1500, "1500m", "1.5"},
        {1250, "1250m", "1.25"},
        {1005, "1005m", "1.01"},
        {2000, "2", "2"},
        {9994, "9994m", "9.99"},
        {9995, "9995m", "10"},
        {12'345, "12345m", "12.3"},
        {99'949, "99949m", "99.9"},
        {99'950, "99950m", "100"},
        {640'000, "640", "640"},
        {999'499, "999499m", "999"},
        {999'500, "999500m", "1k"},
        {1'000'000, "1k", "1k"},
        {1'234'000, "1234", "1.23k"},
        {-250, "-250m", "-250m"},
        {-1500, "-1500m", "-1.5"},
        {kLargest, "9223372036854775807m", "9.22P"},
        {std::numeric_limits<std::int64_t>::min(), "-9223372036854775808m", "-9.22P"},
    };
    for (const auto& [value, canonical, shown] : cases) {
        EXPECT_EQ(print_millicores(value), canonical);
        EXPECT_EQ(show_millicores(value), shown) << value;
    }
}

TEST(PrintBytes, is_canonical_and_short) {
    const Printed cases[] = {
        {0, "0", "0"},
        {1, "1", "1"},
        {999, "999", "999"},
        {1000, "1k", "1000"},  // Below 1024 Kubernetes counts in thousands.
        {1001, "1001", "1001"},
        {1023, "1023", "1023"},
        {1024, "1Ki", "1Ki"},
        {1025, "1025", "1Ki"},
        {1536, "1536", "1.5Ki"},
        {2000, "2000", "1.95Ki"},
        {512 * kMi, "512Mi", "512Mi"},
        {1'610'612'736, "1536Mi", "1.5Gi"},
        {1280 * kMi, "1280Mi", "1.25Gi"},
        {7 * kGi, "7Gi", "7Gi"},
        {117 * kGi + 700 * kMi, "120508Mi", "118Gi"},
        {kMi - 1, "1048575", "1Mi"},
        {1000 * kGi, "1000Gi", "1000Gi"},
        {-kGi, "-1Gi", "-1Gi"},
        {kLargest, "9223372036854775807", "8Ei"},
        {std::numeric_limits<std::int64_t>::min(), "-8Ei", "-8Ei"},
    };
    for (const auto& [value, canonical, shown] : cases) {
        EXPECT_EQ(print_bytes(value), canonical);
        EXPECT_EQ(show_bytes(value), shown) << value;
    }
}

TEST(PrintQuantity, parses_back_to_the_same_value) {
    for (std::uint64_t i = 0; i < 20'000; ++i) {
        const random::Bits128 bits = draw128(5, Stream::noise, 0, i);
        // All sizes, and multiples of a thousand or of 1024 as often as not.
        auto value = static_cast<std::int64_t>(bits.first >> (1 + bits.second % 63));
        if (bits.second >> 63 != 0) value = value / 1'000'000 * 1'000'000;
        if (bits.second >> 62 == 1) value = value / kMi * kMi;
        EXPECT_EQ(parse_bytes(print_bytes(value)), value);
        EXPECT_EQ(parse_millicores(print_millicores(value)), value);
        EXPECT_EQ(parse_bytes(print_bytes(-value), Sign::any), -value);
        EXPECT_EQ(parse_millicores(print_millicores(-value), Sign::any), -value);
    }
}

TEST(ParseQuantity, survives_any_characters) {
    constexpr std::string_view kAlphabet = "0123456789.+-eEKMGTPikmnu ";
    for (std::uint64_t i = 0; i < 50'000; ++i) {
        std::string text;
        const std::uint64_t length = random::below(draw(6, Stream::noise, i, 0), 12);
        for (std::uint64_t at = 0; at < length; ++at) {
            text += kAlphabet[random::below(draw(6, Stream::noise, i, at + 1), kAlphabet.size())];
        }
        if (const auto parsed = parse_bytes(text, Sign::any)) {
            EXPECT_EQ(parse_bytes(print_bytes(*parsed), Sign::any), *parsed) << text;
        }
    }
}

}  // namespace
}  // namespace parley
