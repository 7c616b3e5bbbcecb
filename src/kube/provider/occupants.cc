#include "kube/provider/occupants.h"

#include "base/json_read.h"
#include "kube/decode/kinds.h"
#include "kube/write/json_parts.h"

#include <algorithm>

namespace parley::kube {
namespace {

/// No kubelet takes more pods than this; what is cut off there is not believed.
constexpr int kPodsMax = 1000;

bool stays_everywhere(const Json* meta) {
    if (part_at(part_at(meta, "annotations"), "kubernetes.io/config.mirror") != nullptr) {
        return true;
    }
    const Json* owners = part_at(meta, "ownerReferences");
    const JsonItems* items = owners != nullptr ? owners->items() : nullptr;
    return items != nullptr && std::ranges::any_of(*items, [](const Json& owner) {
               return text_or_none(&owner, "kind") == "DaemonSet";
           });
}

}  // namespace

std::string occupants_path(std::string_view node) {
    return list_path(Kind::pod) + "?limit=" + std::to_string(kPodsMax) +
           "&fieldSelector=spec.nodeName%3D" + std::string(node);
}

Result<std::string> occupants_in(std::string_view list) {
    const auto page = parse_json(list);
    if (!page) return tl::unexpected(page.error());
    const Json* listed = page->find("items");
    const bool empty =
        listed != nullptr && listed->numbers() != nullptr && listed->numbers()->empty();
    const JsonItems* items = listed != nullptr ? listed->items() : nullptr;
    if (items == nullptr && !empty) return fail(ErrorCode::malformed, "it has no items");
    if (!text_or_none(page->find("metadata"), "continue").empty()) {
        return fail(ErrorCode::malformed, "it has more pods than a node can have");
    }
    std::string first;
    int count = 0;
    if (items == nullptr) return first;
    for (const Json& pod : *items) {
        const Json* meta = pod.find("metadata");
        const std::string_view phase = text_or_none(pod.find("status"), "phase");
        if (phase == "Succeeded" || phase == "Failed" || stays_everywhere(meta)) continue;
        if (++count > 1) continue;
        first = std::string(text_or_none(meta, "namespace")) + "/" +
                std::string(text_or_none(meta, "name"));
    }
    return count > 1 ? first + " and " + std::to_string(count - 1) + " more" : first;
}

}  // namespace parley::kube
