#include "kube/decode/mark_text.h"

#include "base/number.h"
#include "base/time_text.h"

#include <optional>

namespace parley::kube {

using model::MarkedChange;
using model::MarkedField;

namespace {

constexpr std::string_view kBetween = "; ";
/// A pod has at most a few hundred containers; more is not ours.
constexpr std::size_t kChangesMax = 4096;

bool of_container(MarkedField field) {
    return field == MarkedField::cpu_m || field == MarkedField::memory ||
           field == MarkedField::cpu_limit_m || field == MarkedField::memory_limit;
}

template <class E>
std::optional<std::int64_t> number_of(std::string_view word) {
    for (const E each : enumerators<E>) {
        if (enum_name(each) == word) return static_cast<std::int64_t>(each);
    }
    return std::nullopt;
}

std::string value_text(MarkedField field, std::int64_t value) {
    if (field == MarkedField::taint)
        return std::string(enum_name(static_cast<model::Taint>(value)));
    if (field == MarkedField::power) {
        return std::string(enum_name(static_cast<model::PowerWish>(value)));
    }
    return std::to_string(value);
}

std::optional<std::int64_t> parse_value(MarkedField field, std::string_view text) {
    if (field == MarkedField::taint) return number_of<model::Taint>(text);
    if (field == MarkedField::power) return number_of<model::PowerWish>(text);
    const auto value = parse_int64(text);
    return value ? std::optional(*value) : std::nullopt;
}

/// Up to the next `until`, which is taken away with it; nothing: there is none.
std::optional<std::string_view> take(std::string_view& text, std::string_view until) {
    const std::size_t at = text.find(until);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view part = text.substr(0, at);
    text.remove_prefix(at + until.size());
    return part;
}

std::optional<MarkedChange> parse_change(std::string_view text) {
    auto what = take(text, ": ");
    const auto old = take(text, " > ");
    if (!what || !old) return std::nullopt;
    MarkedChange change;
    if (const auto field = take(*what, " ")) {
        change.container = Name::of(*what);
        what = field;
        if (change.container.view().empty()) return std::nullopt;
    }
    const auto field = number_of<MarkedField>(*what);
    if (!field) return std::nullopt;
    change.field = static_cast<MarkedField>(*field);
    if (of_container(change.field) == change.container.view().empty()) return std::nullopt;
    const auto was = parse_value(change.field, *old);
    const auto wanted = parse_value(change.field, text);
    if (!was || !wanted) return std::nullopt;
    change.old = *was;
    change.wanted = *wanted;
    return change;
}

}  // namespace

std::optional<model::DecisionId> parse_decision(std::string_view text) {
    if (text.size() != 32) return std::nullopt;
    model::DecisionId id;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool letter = c >= 'a' && c <= 'f';
        if (!letter && (c < '0' || c > '9')) return std::nullopt;
        std::uint64_t& half = i < 16 ? id.high : id.low;
        half = half << 4 | static_cast<std::uint64_t>(letter ? c - 'a' + 10 : c - '0');
    }
    return id.none() ? std::nullopt : std::optional(id);
}

std::vector<std::pair<std::string_view, std::string>> annotations_of(const model::Mark& mark) {
    std::vector<std::pair<std::string_view, std::string>> out{
        {kDecisionAnnotation, mark.decision.text()},
        {kExpiresAnnotation, print_time(mark.expires)},
        {kKindAnnotation, std::string(enum_name(mark.kind))}};
    if (!mark.changes.empty()) out.emplace_back(kChangesAnnotation, changes_text(mark.changes));
    return out;
}

std::string changes_text(const std::vector<MarkedChange>& changes) {
    std::string text;
    for (const MarkedChange& each : changes) {
        if (!text.empty()) text += kBetween;
        text += enum_name(each.field);
        if (of_container(each.field)) text += " " + each.container.str();
        text +=
            ": " + value_text(each.field, each.old) + " > " + value_text(each.field, each.wanted);
    }
    return text;
}

Result<std::vector<MarkedChange>> parse_changes(std::string_view text) {
    std::vector<MarkedChange> changes;
    while (!text.empty()) {
        std::string_view rest = text;
        const auto part = take(rest, kBetween);
        const auto change = parse_change(part ? *part : text);
        if (!change || changes.size() == kChangesMax || (part && rest.empty())) {
            return fail(ErrorCode::malformed, in_quotes(part ? *part : text) +
                                                  " is no change that a mark of ours names, such as"
                                                  " \"replicas: 4 > 5\"");
        }
        changes.push_back(*change);
        if (!part) break;
        text = rest;
    }
    return changes;
}

std::optional<model::Mark> mark_of(std::string_view decision, std::string_view expires,
                                   std::string_view kind, std::string_view changes) {
    const auto id = parse_decision(decision);
    const auto until = parse_time(expires);
    if (!id || !until) return std::nullopt;
    model::Mark mark{.decision = *id, .expires = *until};
    const auto number = number_of<model::ActionKind>(kind);
    if (number) mark.kind = static_cast<model::ActionKind>(*number);
    if (auto read = parse_changes(changes)) mark.changes = *std::move(read);
    return mark;
}

}  // namespace parley::kube
