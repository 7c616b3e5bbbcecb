#include "tuner/journal_lines.h"

#include "base/time_text.h"
#include "tuner/json.h"

namespace parley::tuner {
namespace {

/// "2025-03-01T12:00:00.000000+00:00": Python before 3.11 does not accept Z.
std::string print_moment(TimePoint time) {
    std::string text = print_micro_time(time);
    text.pop_back();
    return '"' + text + "+00:00\"";
}

std::string object(const Attributes& attributes) {
    std::string out = "{";
    for (const auto& [key, json] : attributes) {
        if (out.size() > 1) out += ',';
        append_text(out, key);
        out += ':' + json;
    }
    return out + '}';
}

const char* attribute_name(Owner owner) {
    return owner == Owner::user ? ",\"user_attr\":{" : ",\"system_attr\":{";
}

}  // namespace

std::string JournalLines::begin(int operation) const {
    return "{\"op_code\":" + std::to_string(operation) + ",\"worker_id\":\"" + worker_ + '"';
}

std::string JournalLines::create_study(std::string_view name, Direction direction) const {
    return begin(0) + ",\"study_name\":" + json_text(name) + ",\"directions\":[" +
           std::to_string(static_cast<int>(direction)) + "]}\n";
}

std::string JournalLines::study_attribute(std::int64_t study, Owner owner, std::string_view key,
                                          std::string_view json) const {
    return begin(owner == Owner::user ? 2 : 3) + ",\"study_id\":" + std::to_string(study) +
           attribute_name(owner) + json_text(key) + ":" + std::string(json) + "}}\n";
}

std::string JournalLines::create_trial(std::int64_t study, TrialState state, const Draft& draft,
                                       std::optional<TimePoint> start) const {
    std::string line = begin(4) + ",\"study_id\":" + std::to_string(study) +
                       ",\"datetime_start\":" + (start ? print_moment(*start) : "null") +
                       ",\"state\":" + std::to_string(static_cast<int>(state)) +
                       ",\"value\":null,\"values\":null,\"distributions\":{";
    for (const Param& param : draft.params) {
        if (&param != draft.params.data()) line += ',';
        line += json_text(param.name) + ':' + json_text(to_json(*param.distribution));
    }
    line += "},\"params\":{";
    for (const Param& param : draft.params) {
        if (&param != draft.params.data()) line += ',';
        line += json_text(param.name) + ':' + print_float(param.value);
    }
    return line + "},\"user_attrs\":" + object(draft.user_attributes) +
           ",\"system_attrs\":" + object(draft.system_attributes) +
           ",\"intermediate_values\":{}}\n";
}

std::string JournalLines::param(std::int64_t trial, const Param& param) const {
    return begin(5) + ",\"trial_id\":" + std::to_string(trial) +
           ",\"param_name\":" + json_text(param.name) +
           ",\"param_value_internal\":" + print_float(param.value) +
           ",\"distribution\":" + json_text(to_json(*param.distribution)) + "}\n";
}

std::string JournalLines::state(std::int64_t trial, TrialState state, std::optional<double> value,
                                TimePoint now) const {
    std::string line = begin(6) + ",\"trial_id\":" + std::to_string(trial) +
                       ",\"state\":" + std::to_string(static_cast<int>(state)) + ",\"values\":";
    line += value ? '[' + print_float(*value) + ']' : "null";
    line += state == TrialState::running ? ",\"datetime_start\":" : ",\"datetime_complete\":";
    return line + print_moment(now) + "}\n";
}

std::string JournalLines::intermediate(std::int64_t trial, std::int64_t step, double value) const {
    return begin(7) + ",\"trial_id\":" + std::to_string(trial) +
           ",\"step\":" + std::to_string(step) + ",\"intermediate_value\":" + print_float(value) +
           "}\n";
}

std::string JournalLines::attribute(std::int64_t trial, Owner owner, std::string_view key,
                                    std::string_view json) const {
    return begin(owner == Owner::user ? 8 : 9) + ",\"trial_id\":" + std::to_string(trial) +
           attribute_name(owner) + json_text(key) + ":" + std::string(json) + "}}\n";
}

}  // namespace parley::tuner
