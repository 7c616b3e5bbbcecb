#include "config/yaml.h"

#include "base/number.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>

namespace parley::config {
namespace {

/// Thrown by the builder through the library, and caught in parse_yaml.
struct Stop {
    Place place;
    std::string sentence;
    std::string hint;
};

/// How much a subtree adds each time an alias repeats it.
struct Weight {
    std::uint64_t nodes = 0;
    std::uint64_t bytes = 0;
    int height = 0;
};

Weight weight_of(const Node& node) {
    Weight sum{.nodes = 1, .bytes = node.text.size(), .height = 1};
    int tallest = 0;
    const auto add = [&](const Node& child) {
        const Weight weight = weight_of(child);
        sum.nodes += weight.nodes;
        sum.bytes += weight.bytes;
        tallest = std::max(tallest, weight.height);
    };
    for (const Node& item : node.items) add(item);
    for (const Entry& entry : node.entries) {
        sum.bytes += entry.key.size();
        add(entry.value);
    }
    sum.height += tallest;
    return sum;
}

/// Builds the tree from the parser's events, and stops where it grows beyond its limits.
class Builder final : public YAML::EventHandler {
public:
    explicit Builder(const Source& source) : source_(source) {
        std::size_t begin = 0;
        while (begin != std::string::npos) {
            lines_.push_back(begin);
            begin = source.text.find('\n', begin);
            if (begin != std::string::npos) ++begin;
        }
    }

    Node take() { return std::move(root_); }

    /// The parser counts bytes, people count characters. Marks mostly move on, so counting goes on
    /// from the last one: a megabyte in one line must not take a minute.
    Place place_of(const YAML::Mark& mark, std::size_t width = 1) const {
        if (mark.is_null() || mark.line < 0) return {};
        const auto line = std::min(static_cast<std::size_t>(mark.line), lines_.size() - 1);
        const auto column = static_cast<std::size_t>(std::max(0, mark.column));
        if (line != counted_.line || column < counted_.bytes) counted_ = {.line = line};
        const std::string_view more = std::string_view(source_.text)
                                          .substr(lines_[line])
                                          .substr(counted_.bytes, column - counted_.bytes);
        counted_.characters += std::ranges::count_if(
            more, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
        counted_.bytes = column;
        return {static_cast<int>(line) + 1, static_cast<int>(counted_.characters) + 1,
                static_cast<int>(std::min<std::size_t>(width, 1'000))};
    }

    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        leaf({.shape = Shape::nothing, .place = place_of(mark)}, anchor);
    }

    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& value) override {
        const bool quoted = tag == "!";
        Node node{.shape = Shape::scalar,
                  .place = place_of(mark, value.size() + (quoted ? 2 : 0)),
                  .quoted = quoted,
                  .text = value};
        refuse_tag(tag, node.place);
        leaf(std::move(node), anchor);
    }

    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        const Place place = place_of(mark);
        const auto found = anchored_.find(anchor);
        if (found == anchored_.end()) {
            throw Stop{place, "an alias stands inside what it repeats", "write it out"};
        }
        const Weight weight = weight_of(found->second);
        if (depth() + weight.height > kYamlDepthMax) too_deep(place);
        count(weight, place);
        Node copy = found->second;
        copy.place = place;
        put(std::move(copy));
    }

    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        open({.shape = Shape::list, .place = place_of(mark)}, tag, anchor);
    }
    void OnSequenceEnd() override { close(); }

    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        open({.shape = Shape::map, .place = place_of(mark)}, tag, anchor);
    }
    void OnMapEnd() override { close(); }

private:
    struct Frame {
        Node node;
        YAML::anchor_t anchor = 0;
        bool has_key = false;
        std::string key;
        Place key_place;
        std::map<std::string, int, std::less<>> lines = {};  // Of the keys so far, by name.
    };

    int depth() const { return static_cast<int>(open_.size()); }

    [[noreturn]] static void too_deep(Place place) {
        throw Stop{place, "it is nested more than " + std::to_string(kYamlDepthMax) + " deep",
                   "nothing here needs that"};
    }

    static void refuse_tag(const std::string& tag, Place place) {
        if (tag.empty() || tag == "?" || tag == "!") return;
        throw Stop{place, "tags such as " + in_quotes(tag) + " have no meaning here", "remove it"};
    }

    void count(const Weight& weight, Place place) {
        nodes_ += weight.nodes;
        bytes_ += weight.bytes;
        if (nodes_ > kYamlNodesMax) {
            throw Stop{place,
                       "it has more than " + thousands(static_cast<std::int64_t>(kYamlNodesMax)) +
                           " values with aliases written out",
                       "use fewer"};
        }
        if (bytes_ > kYamlTextMax) {
            throw Stop{place,
                       "it has more than " + std::to_string(kYamlTextMax >> 20) +
                           " MiB of text with aliases written out",
                       "use fewer"};
        }
    }

    void remember(const Node& node, YAML::anchor_t anchor) {
        if (anchor == 0) return;
        count(weight_of(node), node.place);
        anchored_[anchor] = node;
    }

    void leaf(Node node, YAML::anchor_t anchor) {
        count({.nodes = 1, .bytes = node.text.size()}, node.place);
        remember(node, anchor);
        put(std::move(node));
    }

    void open(Node node, const std::string& tag, YAML::anchor_t anchor) {
        refuse_tag(tag, node.place);
        if (depth() >= kYamlDepthMax) too_deep(node.place);
        if (!open_.empty() && open_.back().node.shape == Shape::map && !open_.back().has_key) {
            throw Stop{node.place, "a key must be plain text", "quote it, or indent what follows"};
        }
        count({.nodes = 1}, node.place);
        open_.push_back({.node = std::move(node), .anchor = anchor});
    }

    void close() {
        Frame frame = std::move(open_.back());
        open_.pop_back();
        remember(frame.node, frame.anchor);
        put(std::move(frame.node));
    }

    void put(Node node) {
        if (open_.empty()) {
            root_ = std::move(node);
            return;
        }
        Frame& frame = open_.back();
        if (frame.node.shape == Shape::list) {
            frame.node.items.push_back(std::move(node));
        } else if (frame.has_key) {
            frame.has_key = false;
            // An empty value has no place of its own.
            if (node.shape == Shape::nothing) node.place = frame.key_place;
            frame.node.entries.push_back({std::move(frame.key), frame.key_place, std::move(node)});
        } else {
            take_key(frame, node);
        }
    }

    static void take_key(Frame& frame, const Node& node) {
        if (node.shape != Shape::scalar) {
            throw Stop{node.place, "a key must be plain text", "quote it"};
        }
        const auto [known, fresh] = frame.lines.emplace(node.text, node.place.line);
        if (!fresh) {
            throw Stop{node.place, in_quotes(node.text) + " is set twice",
                       "it is also in line " + std::to_string(known->second) + "; remove one"};
        }
        frame.has_key = true;
        frame.key = node.text;
        frame.key_place = node.place;
    }

    struct Counted {
        std::size_t line = 0;
        std::size_t bytes = 0;
        std::ptrdiff_t characters = 0;
    };

    const Source& source_;
    std::vector<std::size_t> lines_;  // Where each line begins.
    mutable Counted counted_;
    Node root_;
    std::vector<Frame> open_;
    std::map<YAML::anchor_t, Node> anchored_;
    std::uint64_t nodes_ = 0;
    std::uint64_t bytes_ = 0;
};

/// A tab where YAML wants spaces is the likeliest cause of an error in or before its line.
bool tab_indents(const std::string& text, int line) {
    std::istringstream in(text);
    std::string at;
    std::string above;
    for (int i = 0; i < line && std::getline(in, at); ++i) {
        if (i + 1 < line) above = at;
    }
    const auto tabbed = [](const std::string& l) {
        return l.substr(0, l.find_first_not_of(" \t")).find('\t') != std::string::npos;
    };
    return tabbed(at) || tabbed(above);
}

Error explain(const Source& source, const Builder& builder, const YAML::Exception& thrown) {
    const Place place = builder.place_of(thrown.mark);
    if (tab_indents(source.text, place.line)) {
        return error_at(source, place, "this is no YAML: a tab indents a line", "use spaces");
    }
    return error_at(source, place, "this is no YAML: " + printable(thrown.msg),
                    "check indentation, quotes and brackets up to here");
}

}  // namespace

Result<Node> parse_yaml(const Source& source) {
    if (source.text.size() > kYamlBytesMax) {
        return tl::unexpected(error_at(source, {},
                                       "it has " + std::to_string(source.text.size()) +
                                           " bytes, and " + std::to_string(kYamlBytesMax) +
                                           " are allowed; is it the right file?"));
    }
    Builder builder(source);
    try {
        std::istringstream in(source.text);
        YAML::Parser parser(in);
        if (!parser.HandleNextDocument(builder)) {
            return tl::unexpected(
                error_at(source, {}, "it holds only comments; write something into it"));
        }
        Node root = builder.take();
        Builder second(source);
        if (parser.HandleNextDocument(second)) {
            Place place = second.take().place;
            return tl::unexpected(error_at(source, place, "a second document begins",
                                           "write one document, without --- in the middle"));
        }
        return root;
    } catch (const Stop& stop) {
        return tl::unexpected(error_at(source, stop.place, stop.sentence, stop.hint));
    } catch (const YAML::Exception& thrown) {
        return tl::unexpected(explain(source, builder, thrown));
    } catch (const std::exception& thrown) {
        return tl::unexpected(
            error_at(source, {}, std::string("this is no YAML: ") + printable(thrown.what())));
    }
}

}  // namespace parley::config
