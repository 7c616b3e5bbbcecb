#include "tuner/space.h"

#include "base/json_read.h"
#include "base/number.h"
#include "tuner/json.h"

#include <algorithm>
#include <cmath>

namespace parley::tuner {
namespace {

tl::unexpected<Error> malformed(std::string message) {
    return fail(ErrorCode::malformed, std::move(message));
}

Result<Distribution> check(FloatRange range) {
    if (!std::isfinite(range.low) || !std::isfinite(range.high) || range.low > range.high ||
        !std::isfinite(range.high - range.low)) {
        return malformed("a range from " + print_float(range.low) + " to " +
                         print_float(range.high) + " is none; low <= high must hold");
    }
    if (range.log && range.step) return malformed("a range has either log or a step");
    if (range.log && range.low <= 0) return malformed("a range with log must begin above 0");
    if (range.step) {
        if (!std::isfinite(*range.step) || *range.step <= 0) {
            return malformed("a step must be above 0, not " + print_float(*range.step));
        }
        // Decimal steps are seldom exact: 0.3 / 0.1 is slightly below 3.
        const double steps = (range.high - range.low) / *range.step;
        if (steps > static_cast<double>(kIntMax)) return malformed("a range has too many steps");
        if (std::fabs(steps - std::round(steps)) > 1e-8) {
            range.high = range.low + std::floor(steps) * *range.step;
        }
    }
    return range;
}

Result<Distribution> check(IntRange range) {
    if (range.low > range.high || range.low < -kIntMax || range.high > kIntMax) {
        return malformed("whole numbers from " + std::to_string(range.low) + " to " +
                         std::to_string(range.high) +
                         " are no range; low <= high and at most 2^53 must hold");
    }
    if (range.step < 1) return malformed("a step of whole numbers must be at least 1");
    if (range.log && range.step != 1) return malformed("a range has either log or a step");
    if (range.log && range.low < 1) return malformed("a range with log must begin at 1 or above");
    range.high -= (range.high - range.low) % range.step;
    return range;
}

Result<Distribution> check(Choices choices) {
    if (choices.choices.empty()) return malformed("there must be at least one choice");
    if (choices.choices.size() > kChoicesMax) return malformed("there are too many choices");
    return choices;
}

/// A member that must be a number.
Result<double> number_of(const Json& object, std::string_view name) {
    const Json* found = object.find(name);
    if (found == nullptr || found->number() == nullptr) {
        return malformed("a distribution wants the number " + in_quotes(name));
    }
    return *found->number();
}

Result<std::int64_t> whole_of(const Json& object, std::string_view name, std::int64_t missing) {
    const Json* found = object.find(name);
    if (found == nullptr || found->is_null()) return missing;
    const double limit = static_cast<double>(kIntMax);
    const double* number = found->number();
    if (number == nullptr || !(std::fabs(*number) <= limit)) {
        return malformed("a distribution wants a whole number " + in_quotes(name));
    }
    return static_cast<std::int64_t>(std::trunc(*number));
}

bool flag_of(const Json& object, std::string_view name) {
    const Json* found = object.find(name);
    return found != nullptr && found->boolean() != nullptr && *found->boolean();
}

Result<Distribution> read_float(const Json& from, bool log, std::string_view step_name) {
    const Result<double> low = number_of(from, "low");
    const Result<double> high = number_of(from, "high");
    if (!low) return tl::unexpected<Error>(low.error());
    if (!high) return tl::unexpected<Error>(high.error());
    FloatRange range{.low = *low, .high = *high, .log = log};
    if (const Json* step = from.find(step_name); step != nullptr && !step->is_null()) {
        const Result<double> value = number_of(from, step_name);
        if (!value) return tl::unexpected<Error>(value.error());
        range.step = *value;
    }
    return checked(range);
}

Result<Distribution> read_int(const Json& from, bool log) {
    if (from.find("low") == nullptr || from.find("high") == nullptr) {
        return malformed("a distribution wants low and high");
    }
    const Result<std::int64_t> low = whole_of(from, "low", 0);
    const Result<std::int64_t> high = whole_of(from, "high", 0);
    const Result<std::int64_t> step = whole_of(from, "step", 1);
    if (!low) return tl::unexpected<Error>(low.error());
    if (!high) return tl::unexpected<Error>(high.error());
    if (!step) return tl::unexpected<Error>(step.error());
    return checked(IntRange{.low = *low, .high = *high, .log = log, .step = log ? 1 : *step});
}

Result<Distribution> read_choices(const Json& from) {
    const Json* list = from.find("choices");
    const JsonItems* items = list == nullptr ? nullptr : list->items();
    if (items == nullptr) return malformed("a categorical distribution wants choices");
    Choices choices;
    for (const Json& item : *items) choices.choices.push_back(canonical(item));
    return checked(std::move(choices));
}

std::string print_bool(bool value) { return value ? "true" : "false"; }

}  // namespace

Result<Distribution> checked(Distribution distribution) {
    return std::visit([](auto& range) { return check(std::move(range)); }, distribution);
}

bool single(const Distribution& distribution) {
    if (const auto* range = std::get_if<FloatRange>(&distribution)) {
        return range->low == range->high ||
               (range->step && (range->high - range->low) / *range->step < 1 - 1e-8);
    }
    if (const auto* range = std::get_if<IntRange>(&distribution)) {
        return range->high - range->low < range->step;
    }
    return std::get<Choices>(distribution).choices.size() == 1;
}

bool contains(const Distribution& distribution, double internal) {
    if (const auto* range = std::get_if<FloatRange>(&distribution)) {
        if (!(internal >= range->low && internal <= range->high)) return false;
        if (!range->step) return true;
        const double steps = (internal - range->low) / *range->step;
        return std::fabs(steps - std::round(steps)) < 1e-8;
    }
    if (!(std::fabs(internal) <= static_cast<double>(kIntMax))) return false;
    const auto whole = static_cast<std::int64_t>(internal);
    if (const auto* range = std::get_if<IntRange>(&distribution)) {
        return whole >= range->low && whole <= range->high &&
               static_cast<double>(whole) == internal && (whole - range->low) % range->step == 0;
    }
    const std::size_t count = std::get<Choices>(distribution).choices.size();
    return whole >= 0 && static_cast<std::size_t>(whole) < count;
}

bool compatible(const Distribution& a, const Distribution& b) {
    if (a.index() != b.index()) return false;
    if (const auto* range = std::get_if<FloatRange>(&a)) {
        return range->log == std::get<FloatRange>(b).log;
    }
    if (const auto* range = std::get_if<IntRange>(&a)) {
        return range->log == std::get<IntRange>(b).log;
    }
    return a == b;
}

std::string to_json(const Distribution& distribution) {
    if (const auto* range = std::get_if<FloatRange>(&distribution)) {
        return R"({"name": "FloatDistribution", "attributes": {"step": )" +
               (range->step ? print_float(*range->step) : "null") + R"(, "low": )" +
               print_float(range->low) + R"(, "high": )" + print_float(range->high) +
               R"(, "log": )" + print_bool(range->log) + "}}";
    }
    if (const auto* range = std::get_if<IntRange>(&distribution)) {
        return R"({"name": "IntDistribution", "attributes": {"log": )" + print_bool(range->log) +
               R"(, "step": )" + std::to_string(range->step) + R"(, "low": )" +
               std::to_string(range->low) + R"(, "high": )" + std::to_string(range->high) + "}}";
    }
    std::string out = R"({"name": "CategoricalDistribution", "attributes": {"choices": [)";
    const auto& choices = std::get<Choices>(distribution).choices;
    for (std::size_t i = 0; i < choices.size(); ++i) out += (i > 0 ? ", " : "") + choices[i];
    return out + "]}}";
}

Result<Distribution> distribution_from_json(std::string_view text) {
    const Result<Json> json = parse_python_json(text);
    if (!json) return within("a distribution", json.error());
    const Json* name = json->find("name");
    const Json* from = &*json;
    if (name != nullptr) {
        from = json->find("attributes");
    } else {
        name = json->find("type");
    }
    if (name == nullptr || from == nullptr || from->members() == nullptr) {
        return malformed("a distribution wants a name and attributes");
    }
    const std::string kind = name->text() == nullptr ? "" : *name->text();
    const bool log = flag_of(*from, "log");
    if (kind == "FloatDistribution" || kind == "float") return read_float(*from, log, "step");
    if (kind == "IntDistribution" || kind == "int") return read_int(*from, log);
    if (kind == "CategoricalDistribution" || kind == "categorical") return read_choices(*from);
    if (kind == "UniformDistribution") return read_float(*from, false, "step");
    if (kind == "LogUniformDistribution") return read_float(*from, true, "step");
    if (kind == "DiscreteUniformDistribution") return read_float(*from, false, "q");
    if (kind == "IntUniformDistribution") return read_int(*from, false);
    if (kind == "IntLogUniformDistribution") return read_int(*from, true);
    return malformed("a distribution of the unknown kind " + in_quotes(kind));
}

std::string external_json(const Distribution& distribution, double internal) {
    if (std::holds_alternative<FloatRange>(distribution)) return print_float(internal);
    const double limit = static_cast<double>(kIntMax);
    const double whole = std::isnan(internal) ? 0 : std::trunc(std::clamp(internal, -limit, limit));
    if (std::holds_alternative<IntRange>(distribution)) {
        return std::to_string(static_cast<std::int64_t>(whole));
    }
    const auto& choices = std::get<Choices>(distribution).choices;
    const double last = static_cast<double>(choices.size()) - 1;
    return choices[static_cast<std::size_t>(std::clamp(whole, 0.0, last))];
}

std::optional<double> internal_of(const Distribution& distribution, const Json& external) {
    if (const auto* list = std::get_if<Choices>(&distribution)) {
        const auto found = std::ranges::find(list->choices, canonical(external));
        if (found == list->choices.end()) return std::nullopt;
        return static_cast<double>(found - list->choices.begin());
    }
    const double* number = external.number();
    if (number == nullptr || std::isnan(*number)) return std::nullopt;
    return *number;
}

}  // namespace parley::tuner
