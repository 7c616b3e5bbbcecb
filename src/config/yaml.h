// Config: YAML text (so JSON too) to a tree of nodes with their places. Made for text that nobody
// vouches for.

#pragma once

#include "config/source.h"

#include <cstdint>
#include <string>
#include <vector>

namespace parley::config {

inline constexpr std::uint64_t kYamlBytesMax = std::uint64_t{1} << 20;
inline constexpr int kYamlDepthMax = 64;
inline constexpr std::uint64_t kYamlNodesMax = 100'000;                ///< Aliases written out.
inline constexpr std::uint64_t kYamlTextMax = std::uint64_t{8} << 20;  ///< Likewise, bytes.

enum class Shape { nothing, scalar, list, map };

struct Entry;

struct Node {
    Shape shape = Shape::nothing;
    Place place;
    bool quoted = false;         ///< Of a scalar: text, whatever it looks like.
    std::string text;            ///< Of a scalar.
    std::vector<Node> items;     ///< Of a list.
    std::vector<Entry> entries;  ///< Of a map, in order; keys are distinct.
};

struct Entry {
    std::string key;
    Place place;
    Node value;
};

/// The one document in `source`. Refuses, with place and remedy: what is no YAML, several
/// documents, duplicate keys, keys that are no plain text, tags, nesting over kYamlDepthMax, and
/// more than kYamlNodesMax values or kYamlTextMax bytes with all aliases written out. Never takes
/// long, never throws.
[[nodiscard]] Result<Node> parse_yaml(const Source& source);

}  // namespace parley::config
