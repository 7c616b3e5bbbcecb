#include "kube/access/kubeconfig_json.h"

#include "base/json.h"
#include "base/json_read.h"

#include <cstddef>

namespace parley::kube {
namespace {

using config::Node;
using config::Shape;

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
                !node.quoted && (text == "true" || text == "false" || is_json_number(text));
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
