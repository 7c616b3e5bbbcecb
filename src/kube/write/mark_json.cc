#include "kube/write/mark_json.h"

#include "kube/decode/mark_text.h"
#include "kube/write/json_parts.h"

namespace parley::kube {

std::string mark_members(const model::Mark& mark) {
    auto annotations = annotations_of(mark);
    if (mark.changes.empty()) annotations.emplace_back(kChangesAnnotation, "");
    const bool none = mark.decision.none();
    std::string out;
    for (const auto& [key, value] : annotations) {
        out += (out.empty() ? "" : ",") + quoted(key) + ":" + (none ? "null" : quoted(value));
    }
    return out;
}

std::optional<model::Mark> mark_in(const Json* annotations) {
    return mark_of(text_or_none(annotations, kDecisionAnnotation),
                   text_or_none(annotations, kExpiresAnnotation),
                   text_or_none(annotations, kKindAnnotation),
                   text_or_none(annotations, kChangesAnnotation));
}

}  // namespace parley::kube
