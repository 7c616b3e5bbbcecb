// Config: YAML text (and so JSON) to a tree of nodes with their places. Safe for untrusted text.

#pragma once

#include "config/source.h"

#include <cstdint>
#include <string>
#include <vector>

namespace parley::config {

inline constexpr std::uint64_t kYamlBytesMax = std::uint64_t{1} << 20;
inline constexpr int kYamlDepthMax = 64;
inline constexpr std::uint64_t kYamlNodesMax = 100'000;  ///< Counted with all aliases expanded.
/// In bytes, with all aliases expanded.
inline constexpr std::uint64_t kYamlTextMax = std::uint64_t{8} << 20;

enum class Shape { nothing, scalar, list, map };

struct Entry;

struct Node {
    Shape shape = Shape::nothing;
    Place place;
    bool quoted = false;  ///< Scalars only: it was quoted, so it is text whatever it looks like.
    std::string text;     ///< Scalars only.
    std::vector<Node> items;     ///< Lists only.
    std::vector<Entry> entries;  ///< Maps only, in order; keys are distinct.
};

struct Entry {
    std::string key;
    Place place;
    Node value;
};

/// The one document in `source`. Refuses, with place and remedy: invalid YAML, several documents,
/// duplicate keys, keys that are not plain text, tags, nesting over kYamlDepthMax, and more than
/// kYamlNodesMax values or kYamlTextMax bytes with all aliases expanded. Never takes long, never
/// throws.
[[nodiscard]] Result<Node> parse_yaml(const Source& source);

}  // namespace parley::config
