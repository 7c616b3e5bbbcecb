#include "prometheus/answer.h"

#include "base/number.h"
#include "base/random.h"

#include <simdjson.h>

#include <algorithm>
#include <cmath>

namespace parley::prometheus {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::size_t kWarningsKept = 3;

/// Hints about how a query is written are ignored.
bool only_a_hint(std::string_view warning) { return warning.starts_with("PromQL info"); }

/// The text of a value that is a string.
bool read(ondemand::value value, std::string_view& out) { return value.get_string().get(out) == 0; }

std::uint64_t mixed(std::uint64_t bits) {
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    return bits ^ (bits >> 31);
}

/// Goes once through an answer, in whatever order its fields come.
class Walk {
public:
    explicit Walk(const std::vector<std::string>& wanted) : wanted_(wanted) {}

    /// Each returns whether its part could be understood.
    bool root(ondemand::document& document);
    Result<Answer> finish();

private:
    bool data(ondemand::value value);
    bool result(ondemand::value value);
    bool series(ondemand::object object);
    bool metric(ondemand::value value, Series& into);
    bool sample(ondemand::value value, Series& into);
    bool warnings(ondemand::value value);
    bool scalar_part(ondemand::value value);
    bool moment(ondemand::value value);
    void number(std::string_view text, Series& into);

    const std::vector<std::string>& wanted_;
    Answer out_;
    std::string status_, error_type_, error_, type_;
    Series scalar_;
    int scalar_parts_ = 0;
    bool has_result_ = false;
};

bool Walk::root(ondemand::document& document) {
    ondemand::object object;
    if (document.get_object().get(object) != 0) return false;
    for (auto each : object) {
        ondemand::field field;
        std::string_view key;
        if (std::move(each).get(field) != 0 || field.unescaped_key().get(key) != 0) return false;
        std::string_view text;
        if (key == "status" || key == "errorType" || key == "error") {
            std::string& into = key == "status" ? status_ : key == "error" ? error_ : error_type_;
            if (!read(field.value(), text)) return false;
            into = std::string(text);
        } else if (key == "warnings") {
            if (!warnings(field.value())) return false;
        } else if (key == "data") {
            if (!data(field.value())) return false;
        }
    }
    return document.current_location().error() == simdjson::OUT_OF_BOUNDS;  // Nothing follows it.
}

bool Walk::warnings(ondemand::value value) {
    bool none = false;
    if (value.is_null().get(none) != 0) return false;
    if (none) return true;
    ondemand::array list;
    if (value.get_array().get(list) != 0) return false;
    for (auto each : list) {
        ondemand::value element;
        std::string_view text;
        if (std::move(each).get(element) != 0 || !read(element, text)) return false;
        if (!only_a_hint(text) && out_.warnings.size() < kWarningsKept) {
            out_.warnings.push_back(in_one_line(text));
        }
    }
    return true;
}

bool Walk::data(ondemand::value value) {
    bool none = false;
    if (value.is_null().get(none) != 0) return false;
    if (none) return true;
    ondemand::object object;
    if (value.get_object().get(object) != 0) return false;
    for (auto each : object) {
        ondemand::field field;
        std::string_view key;
        if (std::move(each).get(field) != 0 || field.unescaped_key().get(key) != 0) return false;
        if (key == "resultType") {
            std::string_view text;
            if (!read(field.value(), text)) return false;
            type_ = std::string(text);
        } else if (key == "result") {
            if (has_result_ || !result(field.value())) return false;
            has_result_ = true;
        }
    }
    return true;
}

bool Walk::result(ondemand::value value) {
    ondemand::array list;
    if (value.get_array().get(list) != 0) return false;
    for (auto each : list) {
        ondemand::value element;
        ondemand::json_type type{};
        if (std::move(each).get(element) != 0 || element.type().get(type) != 0) return false;
        if (type != ondemand::json_type::object) {
            if (!scalar_part(element)) return false;
            continue;
        }
        ondemand::object object;
        if (element.get_object().get(object) != 0 || !series(object)) return false;
        if (out_.series.size() > kSeriesMax) return false;
    }
    return true;
}

/// A scalar is just a time and a text.
bool Walk::scalar_part(ondemand::value value) {
    ++scalar_parts_;
    std::string_view text;
    if (scalar_parts_ == 1) return moment(value);
    if (scalar_parts_ > 2 || !read(value, text)) return false;
    number(text, scalar_);
    return true;
}

bool Walk::series(ondemand::object object) {
    Series found;
    bool has_metric = false;
    bool has_sample = false;
    for (auto each : object) {
        ondemand::field field;
        std::string_view key;
        if (std::move(each).get(field) != 0 || field.unescaped_key().get(key) != 0) return false;
        if (key == "metric") {
            if (has_metric || !metric(field.value(), found)) return false;
            has_metric = true;
        } else if (key == "value") {
            if (has_sample || !sample(field.value(), found)) return false;
            has_sample = true;
        } else if (key == "histogram") {
            has_sample = true;  // It is not a number, so the sample stays empty.
        }
    }
    out_.series.push_back(std::move(found));
    return has_metric && has_sample;
}

bool Walk::metric(ondemand::value value, Series& into) {
    ondemand::object object;
    if (value.get_object().get(object) != 0) return false;
    for (auto each : object) {
        ondemand::field field;
        std::string_view key;
        std::string_view text;
        if (std::move(each).get(field) != 0 || field.unescaped_key().get(key) != 0) return false;
        if (!read(field.value(), text)) return false;
        if (text.empty() || key == "__name__") continue;
        // A sum, so that the order of labels does not matter.
        into.fingerprint += mixed(mixed(entity_of(key)) + entity_of(text));
        if (std::ranges::find(wanted_, key) == wanted_.end()) continue;
        if (into.label(key) != nullptr) return false;
        into.labels.push_back({std::string(key), std::string(text)});
    }
    return true;
}

bool Walk::sample(ondemand::value value, Series& into) {
    ondemand::array pair;
    if (value.get_array().get(pair) != 0) return false;
    int parts = 0;
    for (auto each : pair) {
        ondemand::value element;
        std::string_view text;
        if (std::move(each).get(element) != 0) return false;
        ++parts;
        if (parts == 1 && !moment(element)) return false;
        if (parts == 2) {
            if (!read(element, text)) return false;
            number(text, into);
        }
    }
    return parts == 2;
}

bool Walk::moment(ondemand::value value) {
    double at = 0;
    if (value.get_double().get(at) != 0) return false;
    if (!(at >= 0 && at <= kSecondsMax)) return false;
    out_.at = TimePoint{static_cast<std::int64_t>(std::floor(at * 1e6 + 0.5))};
    return true;
}

void Walk::number(std::string_view text, Series& into) {
    if (const auto value = parse_double(text)) into.value = *value;
}

Result<Answer> Walk::finish() {
    if (status_ == "error") {
        const bool may_pass = error_type_ == "timeout" || error_type_ == "canceled" ||
                              error_type_ == "internal" || error_type_ == "unavailable";
        return fail(may_pass ? ErrorCode::unavailable : ErrorCode::denied,
                    "it refuses the query: " + in_one_line(error_.empty() ? error_type_ : error_));
    }
    if (status_ != "success" || !has_result_) {
        return fail(ErrorCode::malformed, "this is no answer of Prometheus");
    }
    const bool scalar = type_ == "scalar" && scalar_parts_ == 2 && out_.series.empty();
    const bool vector = type_ == "vector" && scalar_parts_ == 0;
    if (!scalar && !vector) {
        return fail(ErrorCode::malformed,
                    "the query gives a " + in_quotes(type_) + ", not one number for each series");
    }
    if (scalar) out_.series.push_back(std::move(scalar_));
    return std::move(out_);
}

}  // namespace

const std::string* Series::label(std::string_view name) const {
    const auto found = std::ranges::find(labels, name, &Label::name);
    return found == labels.end() ? nullptr : &found->value;
}

std::string in_one_line(std::string_view text) {
    constexpr std::size_t kShown = 200;
    std::string out;
    for (const char c : text.substr(0, kShown)) out += c >= ' ' && c <= '~' ? c : '?';
    if (text.size() > kShown) out += " ...";
    return out;
}

Result<Answer> decode_answer(std::string_view body, const std::vector<std::string>& labels) {
    if (body.size() > kAnswerBytesMax) {
        return fail(ErrorCode::malformed, "the answer is over " +
                                              std::to_string(kAnswerBytesMax >> 20) +
                                              " MiB; aggregate more in the query");
    }
    const simdjson::padded_string padded(body);
    ondemand::parser parser;
    ondemand::document document;
    Walk walk(labels);
    if (parser.iterate(padded).get(document) != 0 || !walk.root(document)) {
        return fail(ErrorCode::malformed, "this is no answer of Prometheus, or a part of one");
    }
    return walk.finish();
}

}  // namespace parley::prometheus
