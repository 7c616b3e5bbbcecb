// Kube: our mark as annotations, which an operator reads and `parley release` acts on. Pure.

#pragma once

#include "base/result.h"
#include "model/request.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parley::kube {

/// Our mark on an object: the decision as 32 hexadecimal digits, until when as RFC 3339, the kind
/// of action, and what it changes.
inline constexpr std::string_view kDecisionAnnotation = "parley.dev/decision";
inline constexpr std::string_view kExpiresAnnotation = "parley.dev/expires";
inline constexpr std::string_view kKindAnnotation = "parley.dev/kind";
inline constexpr std::string_view kChangesAnnotation = "parley.dev/changes";

/// The annotations of a mark, names and values; one that changes nothing has none for changes.
std::vector<std::pair<std::string_view, std::string>> annotations_of(const model::Mark& mark);

/// "taint: none > no_schedule; cpu_limit_m main: 1000 > 850": what was there, then what is wanted.
std::string changes_text(const std::vector<model::MarkedChange>& changes);

/// The same text back. Anything else is malformed: nothing is given back by a mark that was edited
/// into something we would not write.
[[nodiscard]] Result<std::vector<model::MarkedChange>> parse_changes(std::string_view text);

/// A decision by its 32 hexadecimal digits; nothing: they are not that, or all 0.
std::optional<model::DecisionId> parse_decision(std::string_view text);

/// The mark that annotations with these values make up. Nothing: decision or time is not one that
/// we would write. A kind we do not know reads noop, and changes that cannot be read none: nothing
/// is given back then.
std::optional<model::Mark> mark_of(std::string_view decision, std::string_view expires,
                                   std::string_view kind, std::string_view changes);

}  // namespace parley::kube
