#include "config/print.h"

#include "base/diff.h"
#include "model/policy.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace parley::config {
namespace {

struct Leaf {
    std::int64_t cpu_m = 1500;
    std::int64_t memory_mib = 2048;
    std::int64_t memory = 1 << 30;
};
BOOST_DESCRIBE_STRUCT(Leaf, (), (cpu_m, memory_mib, memory))
struct Bare {};
BOOST_DESCRIBE_STRUCT(Bare, (), ())

struct Tree {
    bool on = true;
    double share = 0.1;
    Duration interval = milliseconds(1500);
    std::string text = "plain";
    std::vector<std::string> words = {"a", "b: c", ""};
    std::vector<Leaf> leaves = {{}, {.cpu_m = 0}};
    std::vector<Leaf> none;
    std::optional<Leaf> maybe;
    std::variant<Leaf, Bare> either = Bare{};
    std::vector<std::variant<Leaf, Bare>> mixed = {Bare{}, Leaf{}};
    Bare bare;
};
BOOST_DESCRIBE_STRUCT(Tree, (),
                      (on, share, interval, text, words, leaves, none, maybe, either, mixed, bare))

template <class T>
Result<T> read_back(const std::string& text, T into) {
    const auto source = text_source("printed", text);
    if (!source) return tl::unexpected(source.error());
    const auto root = parse_yaml(*source);
    if (!root) return tl::unexpected(root.error());
    Origins origins;
    if (const auto done = Reader(*source, origins).read(*root, into, ""); !done) {
        return tl::unexpected(done.error());
    }
    return into;
}

TEST(Print, is_yaml_with_the_origin_of_each_value) {
    const Origins origins = {{"share", {"prod.yaml", {.line = 14}}},
                             {"leaves[1].cpu_m", {"--cpu", {}}}};
    EXPECT_EQ(print_yaml(Tree{}, &origins),
              R"(on: true                                    # default
share: 0.1                                  # prod.yaml:14
interval: 1s500ms                           # default
text: plain                                 # default
words: [a, "b: c", ""]                      # default
leaves:
  - cpu_m: 1500m                            # default
    memory_mib: 2Gi                         # default
    memory: 1Gi                             # default
  - cpu_m: 0                                # --cpu
    memory_mib: 2Gi                         # default
    memory: 1Gi                             # default
none: []                                    # default
maybe: null                                 # default
either:
  kind: bare                                # default
mixed:
  - kind: bare                              # default
  - kind: leaf                              # default
    cpu_m: 1500m                            # default
    memory_mib: 2Gi                         # default
    memory: 1Gi                             # default
bare: {}                                    # default
)");
}

TEST(Print, reads_back_as_the_same_value) {
    Tree tree;
    tree.share = 1.0 / 3;
    tree.interval = microseconds(1);
    tree.words = {"true",   "null", "1e3", "0x10",  "- a",   "#",      "a\nb\t\"q\"\\",
                  "\u00fc", "no",   "~",   "yes",   "1.5",   "*x",     "&y",
                  "!z",     ".5",   "..",  " lead", "=name", "test-*", "-"};
    tree.maybe = Leaf{.cpu_m = 1, .memory_mib = 1, .memory = 1};
    tree.either = Leaf{.cpu_m = 7};
    const auto back = read_back(print_yaml(tree), Tree{.words = {}, .leaves = {}, .mixed = {}});
    ASSERT_TRUE(back) << back.error().message << print_yaml(tree);
    const auto difference = first_difference(tree, *back);
    EXPECT_FALSE(difference) << difference->path << " " << difference->left << " "
                             << difference->right;
}

TEST(Print, a_small_number_has_no_exponent) {
    const std::pair<double, const char*> cases[] = {
        {0.0005, "0.0005"},  {1e6, "1000000"}, {0, "0"},        {-0.25, "-0.25"},
        {1e-7, "0.0000001"}, {9e-8, "9e-08"},  {1e15, "1e+15"}, {1.0 / 3, "0.3333333333333333"}};
    for (const auto& [value, text] : cases) {
        EXPECT_EQ(yaml_number(value), text);
        EXPECT_EQ(*parse_double(yaml_number(value)), value);
    }
}

TEST(Print, the_default_policy_reads_back_with_and_without_origins) {
    model::Policy policy;
    policy.allow = {{"shop", {model::ActionKind::replicate, model::ActionKind::admission}},
                    {"test-*", {}}};
    policy.namespaces = {"=default", "test-"};
    const Origins origins = {{"guard.headroom", {"#x", {.line = 2}}}};
    for (const std::string& text : {print_yaml(policy), print_yaml(policy, &origins)}) {
        const auto back = read_back(text, model::Policy{});
        ASSERT_TRUE(back) << back.error().message;
        EXPECT_EQ(*back, policy);
    }
}

TEST(Print, our_json_reads_back_too) {
    model::Policy policy;
    policy.guard.cool_down = milliseconds(1'234);
    const auto back = read_back(to_json(policy), model::Policy{});
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, policy);
}

}  // namespace
}  // namespace parley::config
