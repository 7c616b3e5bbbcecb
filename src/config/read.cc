#include "config/read.h"

#include "base/number.h"
#include "base/quantity.h"
#include "base/time_text.h"
#include "config/nearest.h"
#include "config/print.h"

#include <algorithm>
#include <cmath>

namespace parley::config {
namespace {

/// `policy.allow[3].kinds` and `policy.allow[].kinds` are the same to a bound.
bool matches(std::string_view pattern, std::string_view path) {
    while (!pattern.empty() && !path.empty()) {
        if (pattern.front() != path.front()) return false;
        if (pattern.starts_with("[]")) {
            pattern.remove_prefix(1);
            path.remove_prefix(std::min(path.find(']'), path.size()));
            continue;
        }
        pattern.remove_prefix(1);
        path.remove_prefix(1);
    }
    return pattern.empty() && path.empty();
}

/// `0.05` or `1,000,000,000`.
std::string bound_text(double value) {
    const bool whole = std::trunc(value) == value && std::fabs(value) < 1e15;
    return whole ? thousands(static_cast<std::int64_t>(value)) : yaml_number(value);
}

std::string range_text(double lo, double hi) {
    if (hi == std::numeric_limits<double>::max()) return " of at least " + bound_text(lo);
    return " from " + bound_text(lo) + " to " + bound_text(hi);
}

std::string shown(const Node& node) {
    switch (node.shape) {
        case Shape::nothing:
            return "nothing";
        case Shape::list:
            return "a list";
        case Shape::map:
            return "a group of settings";
        case Shape::scalar:
            break;
    }
    return in_quotes(node.text);
}

/// `32Gi` in MiB, if that is a whole number of them.
Result<std::int64_t> parse_mebibytes(const std::string& text) {
    const auto bytes = parse_bytes(text);
    if (!bytes || *bytes % (1 << 20) != 0) return fail(ErrorCode::malformed, "");
    return *bytes / (1 << 20);
}

/// Whether it stands on a command line, where words have hyphens, as --help writes them; the value
/// of --set is YAML.
bool is_flag(std::string_view source) {
    return source.starts_with("--") && !source.starts_with("--set ");
}

std::string last_word(const std::string& path) {
    const std::size_t dot = path.rfind('.');
    const std::string word = dot == std::string::npos ? path : path.substr(dot + 1);
    return word.substr(0, word.find('['));
}

}  // namespace

Unit unit_of(std::string_view key) {
    if (key.ends_with("_m")) return Unit::millicores;
    if (key.ends_with("_mib")) return Unit::mebibytes;
    if (key.starts_with("memory") || key.ends_with("bytes")) return Unit::bytes;
    return Unit::none;
}

tl::unexpected<Error> Reader::refuse(const Node& node, const std::string& sentence,
                                     const std::string& hint) const {
    return tl::unexpected(error_at(source_, node.place, sentence, hint));
}

std::string Reader::some_of(const std::vector<std::string>& names, std::size_t at_most) {
    if (names.size() <= at_most) return listed(names);
    std::string text;
    for (std::size_t i = 0; i < at_most; ++i) text += names[i] + ", ";
    return text + "...";
}

std::string Reader::called(const std::string& path) { return path.empty() ? "it" : path; }

Result<void> Reader::unknown(const Entry& entry, const std::vector<std::string>& names) const {
    const std::string near = nearest(entry.key, names);
    const std::string hint =
        near.empty() ? "known here: " + some_of(names, 8) : "did you mean " + near + "?";
    return tl::unexpected(
        error_at(source_, entry.place, "no setting is called " + in_quotes(entry.key), hint));
}

Result<std::string> Reader::kind_of(const Node& node, const std::vector<std::string>& kinds,
                                    const std::string& path) {
    if (node.shape == Shape::map) {
        for (const Entry& entry : node.entries) {
            if (entry.key != "kind") continue;
            const std::string place = path + ".kind";
            origins_[place] = {source_.name, entry.value.place};
            return choice(entry.value, kinds, place);
        }
    }
    return refuse(node, called(path) + " must say of which kind it is",
                  "write kind: " + (kinds.empty() ? "" : kinds.front()));
}

Result<std::string> Reader::choice(const Node& node, const std::vector<std::string>& names,
                                   const std::string& path) const {
    std::string word = node.shape == Shape::scalar ? node.text : "";
    std::ranges::replace(word, '-', '_');
    if (std::ranges::find(names, word) != names.end()) return word;
    std::vector<std::string> known = names;
    if (is_flag(source_.name)) {
        for (std::string& name : known) std::ranges::replace(name, '_', '-');
    }
    const std::string near = nearest(word, known);
    const std::string hint =
        near.empty() ? "it is one of " + listed(known, "or") : "did you mean " + near + "?";
    return refuse(node, called(path) + " cannot be " + shown(node), hint);
}

Result<void> Reader::truth(const Node& node, bool& into, const std::string& path) const {
    const bool yes = node.shape == Shape::scalar && !node.quoted && node.text == "true";
    const bool no = node.shape == Shape::scalar && !node.quoted && node.text == "false";
    if (!yes && !no) {
        return refuse(node, called(path) + " must be true or false, not " + shown(node));
    }
    into = yes;
    return {};
}

Result<void> Reader::count(const Node& node, std::uint64_t& into, const std::string& path) const {
    const Bound* bound = bound_of(path);
    const auto value = node.shape == Shape::scalar && !node.quoted ? parse_uint64(node.text)
                                                                   : fail(ErrorCode::malformed, "");
    const bool fits = value && (bound == nullptr || (static_cast<double>(*value) >= bound->lo &&
                                                     static_cast<double>(*value) <= bound->hi));
    if (!fits) {
        const std::string range = bound ? range_text(bound->lo, bound->hi) : " of at least 0";
        return refuse(node,
                      called(path) + " must be a whole number" + range + ", not " + shown(node));
    }
    into = *value;
    return {};
}

Result<void> Reader::whole(const Node& node, std::int64_t& into, const std::string& path,
                           std::int64_t lo, std::int64_t hi) const {
    const Unit unit = unit_of(last_word(path));
    const Bound* bound = bound_of(path);
    Result<std::int64_t> value = fail(ErrorCode::malformed, "");
    const bool plain = node.shape == Shape::scalar && !node.quoted;
    if (plain) value = parse_int64(node.text, lo, hi);
    if (!value && node.shape == Shape::scalar) {
        if (unit == Unit::millicores && node.text.ends_with('m'))
            value = parse_millicores(node.text);
        if (unit == Unit::mebibytes) value = parse_mebibytes(node.text);
        if (unit == Unit::bytes) value = parse_bytes(node.text);
    }
    const bool fits = value && *value >= lo && *value <= hi &&
                      (bound == nullptr || (static_cast<double>(*value) >= bound->lo &&
                                            static_cast<double>(*value) <= bound->hi));
    if (fits) {
        into = *value;
        return {};
    }
    const std::string range = bound ? range_text(bound->lo, bound->hi) : "";
    const std::string not_this = ", not " + shown(node);
    if (unit == Unit::millicores) {
        return refuse(node, called(path) + " must be millicores" + range + not_this,
                      "write 1500m for one and a half cores");
    }
    if (unit == Unit::bytes) {
        return refuse(node, called(path) + " must be an amount of memory" + range + not_this,
                      "write 512Mi, 1.5Gi or a number of bytes");
    }
    if (unit == Unit::mebibytes) {
        return refuse(node, called(path) + " must be MiB of memory" + range + not_this,
                      "write 512Mi, 1.5Gi or a number of MiB");
    }
    const bool narrow = !bound && lo > std::numeric_limits<std::int64_t>::min();
    return refuse(
        node,
        called(path) + " must be a whole number" +
            (narrow ? " from " + std::to_string(lo) + " to " + std::to_string(hi) : range) +
            not_this,
        std::string(bound ? bound->why : ""));
}

Result<void> Reader::number(const Node& node, double& into, const std::string& path) const {
    const Bound* bound = bound_of(path);
    Result<double> value = fail(ErrorCode::malformed, "");
    if (node.shape == Shape::scalar && !node.quoted) value = parse_double(node.text);
    if (!value && node.shape == Shape::scalar && unit_of(last_word(path)) == Unit::mebibytes) {
        value = parse_bytes(node.text).map(
            [](std::int64_t n) { return static_cast<double>(n) / (1 << 20); });
    }
    if (!value || (bound && (*value < bound->lo || *value > bound->hi))) {
        const std::string range = bound ? range_text(bound->lo, bound->hi) : "";
        return refuse(node, called(path) + " must be a number" + range + ", not " + shown(node),
                      std::string(bound ? bound->why : ""));
    }
    into = *value;
    return {};
}

Result<void> Reader::time(const Node& node, std::int64_t& into_us, const std::string& path) const {
    constexpr double kSecondsMax = 9e12;  // 285,000 years; microseconds of it fit into int64.
    const Bound* bound = bound_of(path);
    Result<Duration> value = fail(ErrorCode::malformed, "");
    if (node.shape == Shape::scalar) {
        value = parse_duration(node.text);
        if (const auto number = parse_double(node.text, 0, kSecondsMax); number && !node.quoted) {
            value = Duration{static_cast<std::int64_t>(std::floor(*number * 1e6 + 0.5))};
        }
    }
    if (!value || (bound && (in_seconds(*value) < bound->lo || in_seconds(*value) > bound->hi))) {
        std::string range;
        if (bound) {
            const auto as_text = [](double s) {
                return print_duration({static_cast<std::int64_t>(s * 1e6)});
            };
            range = " from " + as_text(bound->lo) + " to " + as_text(std::min(bound->hi, 3.2e9));
        }
        return refuse(node, called(path) + " must be a time" + range + ", not " + shown(node),
                      value && bound && !bound->why.empty() ? std::string(bound->why)
                                                            : "write 3s, 500ms or 1m30s");
    }
    into_us = value->us;
    return {};
}

Result<void> Reader::text(const Node& node, std::string& into, const std::string& path) const {
    if (node.shape != Shape::scalar) {
        return refuse(node, called(path) + " must be text, not " + shown(node),
                      node.shape == Shape::nothing ? "write \"\" for none" : "");
    }
    into = node.text;
    return {};
}

const Bound* Reader::bound_of(const std::string& path) const {
    const auto found = std::ranges::find_if(
        bounds_, [&](const Bound& bound) { return matches(bound.path, path); });
    return found == bounds_.end() ? nullptr : &*found;
}

}  // namespace parley::config
