#include "kube/access/kubeconfig_json.h"

#include "base/json.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace parley::kube {
namespace {

using config::Node;
using config::Shape;

/// Cuts digits off the front; how many.
std::size_t take_digits(std::string_view& text) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(end);
    return end;
}

bool take(std::string_view& text, std::string_view any_of) {
    if (text.empty() || any_of.find(text.front()) == std::string_view::npos) return false;
    text.remove_prefix(1);
    return true;
}

/// By the grammar of JSON, of any length: it is passed on, not read.
bool is_number(std::string_view text) {
    take(text, "-");
    const bool zero = text.starts_with('0');
    const std::size_t digits = take_digits(text);
    if (digits == 0 || (zero && digits > 1)) return false;
    if (take(text, ".") && take_digits(text) == 0) return false;
    if (take(text, "eE")) {
        take(text, "+-");
        if (take_digits(text) == 0) return false;
    }
    return text.empty();
}

void append(std::string& out, const Node& node);

void append_map(std::string& out, const Node& node) {
    out += '{';
    for (std::size_t i = 0; i < node.entries.size(); ++i) {
        if (i > 0) out += ',';
        append_json_text(out, node.entries[i].key);
        out += ':';
        append(out, node.entries[i].value);
    }
    out += '}';
}

void append(std::string& out, const Node& node) {
    switch (node.shape) {
        case Shape::nothing:
            out += "null";
            return;
        case Shape::scalar: {
            const std::string& text = node.text;
            const bool plain =
                !node.quoted && (text == "true" || text == "false" || is_number(text));
            if (plain) {
                out += text;
            } else {
                append_json_text(out, text);
            }
            return;
        }
        case Shape::list:
            out += '[';
            for (std::size_t i = 0; i < node.items.size(); ++i) {
                if (i > 0) out += ',';
                append(out, node.items[i]);
            }
            out += ']';
            return;
        case Shape::map:
            append_map(out, node);
            return;
    }
}

}  // namespace

std::string to_json_text(const Node& node) {
    std::string out;
    append(out, node);
    return out;
}

}  // namespace parley::kube
