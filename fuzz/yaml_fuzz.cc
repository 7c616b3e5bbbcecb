// YAML: what is accepted keeps its limits with aliases expanded, has places inside its text, and
// reads back the same when printed without aliases.

#include "base/check.h"
#include "base/json.h"
#include "config/yaml.h"
#include "fuzz/input.h"

#include <algorithm>
#include <set>
#include <string>

namespace {

using namespace parley;
using config::Node;
using config::Shape;

struct Size {
    std::uint64_t nodes = 0;
    std::uint64_t bytes = 0;
    int depth = 0;
    int last_line = 0;
};

void measure(const Node& node, int depth, Size& size) {
    ++size.nodes;
    size.bytes += node.text.size();
    size.depth = std::max(size.depth, depth);
    size.last_line = std::max(size.last_line, node.place.line);
    PARLEY_CHECK(node.place.line >= 1 && node.place.column >= 1 && node.place.width >= 1);
    PARLEY_CHECK(node.items.empty() || node.shape == Shape::list);
    PARLEY_CHECK(node.entries.empty() || node.shape == Shape::map);
    std::set<std::string> keys;
    for (const Node& item : node.items) measure(item, depth + 1, size);
    for (const config::Entry& entry : node.entries) {
        PARLEY_CHECK(keys.insert(entry.key).second);
        size.bytes += entry.key.size();
        measure(entry.value, depth + 1, size);
    }
}

void append(std::string& out, const Node& node) {
    switch (node.shape) {
        case Shape::nothing:
            out += "~";
            return;
        case Shape::scalar:
            append_json_text(out, node.text);
            return;
        case Shape::list:
            out += "[";
            for (std::size_t i = 0; i < node.items.size(); ++i) {
                if (i > 0) out += ", ";
                append(out, node.items[i]);
            }
            out += "]";
            return;
        case Shape::map:
            out += "{";
            for (std::size_t i = 0; i < node.entries.size(); ++i) {
                if (i > 0) out += ", ";
                // YAML requires "? " before a key of over 1024 characters.
                out += node.entries[i].key.size() > 100 ? "? " : "";
                append_json_text(out, node.entries[i].key);
                out += " : ";
                append(out, node.entries[i].value);
            }
            out += "}";
            return;
    }
}

/// JSON shows invalid UTF-8, which escapes can create, as the replacement character.
std::string as_json_keeps_it(const std::string& text) {
    std::string out;
    append_json_text(out, text);
    return out;
}

bool equal(const Node& a, const Node& b) {
    if (a.shape != b.shape || as_json_keeps_it(a.text) != as_json_keeps_it(b.text)) return false;
    if (a.items.size() != b.items.size() || a.entries.size() != b.entries.size()) return false;
    for (std::size_t i = 0; i < a.items.size(); ++i) {
        if (!equal(a.items[i], b.items[i])) return false;
    }
    for (std::size_t i = 0; i < a.entries.size(); ++i) {
        if (as_json_keeps_it(a.entries[i].key) != as_json_keeps_it(b.entries[i].key)) return false;
        if (!equal(a.entries[i].value, b.entries[i].value)) return false;
    }
    return true;
}

void check(const config::Source& source, const Node& root) {
    Size size;
    measure(root, 1, size);
    PARLEY_CHECK(size.nodes <= config::kYamlNodesMax && size.bytes <= config::kYamlTextMax);
    PARLEY_CHECK(size.depth <= config::kYamlDepthMax + 1);
    PARLEY_CHECK(size.last_line <= 1 + std::ranges::count(source.text, '\n'));
    std::string plain;
    append(plain, root);
    if (plain.size() > config::kYamlBytesMax) return;
    const auto again = config::parse_yaml({"again.yaml", plain});
    PARLEY_CHECK(again && equal(root, *again));
}

}  // namespace

void parley::fuzz::try_input(Input input) {
    const auto source = config::text_source("input.yaml", std::string(input.rest()));
    if (!source) {
        PARLEY_CHECK(fuzz::readable(source.error().message));
        return;
    }
    const auto root = config::parse_yaml(*source);
    if (root) {
        check(*source, *root);
    } else {
        PARLEY_CHECK(fuzz::readable(root.error().message));
    }
}
