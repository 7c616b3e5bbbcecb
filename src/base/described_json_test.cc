#include "base/described_json.h"

#include "base/json.h"
#include "base/json_read.h"

#include <gtest/gtest.h>

namespace parley {
namespace {

enum class Colour { red, green };
BOOST_DESCRIBE_ENUM(Colour, red, green)

struct Inner {
    double x = 0;
    friend bool operator==(const Inner&, const Inner&) = default;
};
BOOST_DESCRIBE_STRUCT(Inner, (), (x))

struct Outer {
    bool yes = false;
    std::uint8_t small = 0;
    std::int64_t large = 0;
    std::string text;
    Colour colour = Colour::red;
    std::vector<double> numbers;
    std::vector<Inner> inners;
    friend bool operator==(const Outer&, const Outer&) = default;
};
BOOST_DESCRIBE_STRUCT(Outer, (), (yes, small, large, text, colour, numbers, inners))

const Outer kOuter{.yes = true,
                   .small = 255,
                   .large = -7,
                   .text = "a\"b",
                   .colour = Colour::green,
                   .numbers = {0.1, 1e-300},
                   .inners = {{1}, {2}}};

std::string error_of(const std::string& text) {
    const auto value = parse_json(text);
    EXPECT_TRUE(value) << text;
    Outer out;
    const auto read = read_json(*value, out, "");
    return read ? "" : read.error().message;
}

std::string changed(const std::string& from, const std::string& to) {
    std::string text = to_json(kOuter);
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from << " in " << text;
    return text.replace(at, from.size(), to);
}

TEST(DescribedJson, reads_back_what_was_written) {
    Outer out;
    ASSERT_TRUE(read_json(*parse_json(to_json(kOuter)), out, ""));
    EXPECT_EQ(out, kOuter);
    ASSERT_TRUE(read_json(*parse_json(to_json(Outer{})), out, ""));
    EXPECT_EQ(out, Outer{});
}

TEST(DescribedJson, what_is_not_finite_comes_back_as_not_a_number) {
    ASSERT_EQ(error_of(changed("\"x\":1", "\"x\":null")), "");
    ASSERT_EQ(error_of(changed("[0.1,", "[null,")), "");
}

TEST(DescribedJson, names_what_is_wrong) {
    const struct {
        const char* name;
        std::string text;
        std::string error;
    } cases[] = {
        {"missing", changed("\"yes\":true,", ""), "yes is missing"},
        {"unknown", changed("\"yes\":true", "\"yes\":true,\"no\":1"), "there is no member \"no\""},
        {"unknown_below", changed("\"x\":1", "\"x\":1,\"y\":1"),
         "there is no member \"y\" in inners[0]"},
        {"bool", changed("true", "1"), "yes must be true or false"},
        {"too_large", changed("255", "256"), "small must be a whole number in range"},
        {"negative", changed("255", "-1"), "small must be a whole number in range"},
        {"fraction", changed("255", "1.5"), "small must be a whole number in range"},
        {"not_a_number", changed("255", "NaN"), "small must be a whole number in range"},
        {"inexact", changed("-7", "9007199254740994"), "large must be a whole number in range"},
        {"text", changed("\"a\\\"b\"", "1"), "text must be a text"},
        {"long_text", changed("a\\\"b", std::string(kJsonTextMax + 1, 'x')),
         "text must be at most 64 KiB"},
        {"enum", changed("green", "blue"), "colour must be a name that is known"},
        {"numbers", changed("[0.1,1e-300]", "\"x\""), "numbers must be an array of numbers"},
        {"array", changed("[{\"x\":1},{\"x\":2}]", "{}"), "inners must be an array"},
        {"below", changed("{\"x\":2}", "{\"x\":\"2\"}"), "inners[1].x must be a number"},
        {"object", changed("{\"x\":2}", "true"), "inners[1] must be an object"},
    };
    for (const auto& c : cases) EXPECT_EQ(error_of(c.text), c.error) << c.name;
}

}  // namespace
}  // namespace parley
