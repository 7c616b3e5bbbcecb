#include "web/views/view_schema.h"

#include <gtest/gtest.h>

#include <optional>
#include <tuple>
#include <vector>

namespace parley::web {
namespace schema_of_views {

enum class Colour { red, green };
BOOST_DESCRIBE_ENUM(Colour, red, green)

struct Leaf {
    std::string name;
    std::optional<double> share;
};
BOOST_DESCRIBE_STRUCT(Leaf, (), (name, share))

struct Tree {
    Colour colour = Colour::red;
    std::vector<Leaf> leaves;
    std::tuple<bool, int> both;
    std::vector<Tree> below;
};
BOOST_DESCRIBE_STRUCT(Tree, (), (colour, leaves, both, below))

}  // namespace schema_of_views
namespace {

using schema_of_views::Tree;

TEST(ViewSchemas, have_a_definition_for_each_struct_and_enum_also_within_itself) {
    ViewSchemas schemas;
    EXPECT_EQ(schemas.of<Tree>(), R"({"$ref":"#/components/schemas/Tree"})");
    ASSERT_EQ(schemas.definitions().size(), 3U);
    EXPECT_EQ(schemas.definitions().at("Colour"), R"({"type":"string","enum":["red","green"]})");
    EXPECT_EQ(schemas.definitions().at("Leaf"),
              R"({"type":"object","additionalProperties":false,"required":["name","share"],)"
              R"("properties":{"name":{"type":"string"},)"
              R"("share":{"anyOf":[{"type":"number"},{"type":"null"}]}}})");
    EXPECT_EQ(schemas.definitions().at("Tree"),
              R"({"type":"object","additionalProperties":false,)"
              R"("required":["colour","leaves","both","below"],"properties":{)"
              R"("colour":{"$ref":"#/components/schemas/Colour"},)"
              R"("leaves":{"type":"array","items":{"$ref":"#/components/schemas/Leaf"}},)"
              R"("both":{"type":"array","prefixItems":[{"type":"boolean"},{"type":"integer"}],)"
              R"("minItems":2,"maxItems":2},)"
              R"("below":{"type":"array","items":{"$ref":"#/components/schemas/Tree"}}}})");
}

}  // namespace
}  // namespace parley::web
