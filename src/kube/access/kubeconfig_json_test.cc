#include "kube/access/kubeconfig_json.h"

#include "config/source.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::kube {
namespace {

std::string json_of(const std::string& yaml) {
    const auto root = config::parse_yaml({"f.yaml", yaml});
    return root ? to_json_text(*root) : root.error().message;
}

TEST(YamlAsJson, keeps_plain_values_and_quotes_the_rest) {
    EXPECT_EQ(json_of("{a: true, b: 'true', c: ~, d: [1, -2.5e+3, 0], e: {f: text}}"),
              R"({"a":true,"b":"true","c":null,"d":[1,-2.5e+3,0],"e":{"f":"text"}})");
    EXPECT_EQ(json_of("{a: {}, b: []}"), R"({"a":{},"b":[]})");
}

TEST(YamlAsJson, writes_as_a_number_only_what_json_calls_one) {
    for (const std::string number :
         {"0", "-0", "10", "0.5", "1e9", "1E-9", "123456789012345678901"}) {
        EXPECT_EQ(json_of("- " + number), "[" + number + "]");
    }
    for (const std::string text :
         {"00", "+1", "1.", ".5", "1e", "1e+", "0x10", "1_000", ".nan", "-.inf", "1a", "True"}) {
        EXPECT_EQ(json_of("- " + text), "[\"" + text + "\"]");
    }
}

TEST(YamlAsJson, escapes) {
    EXPECT_EQ(json_of(R"({"a\"\n": "\\\u0001"})"), R"({"a\"\n":"\\\u0001"})");
}

}  // namespace
}  // namespace parley::kube
