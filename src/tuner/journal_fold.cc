#include "tuner/journal_fold.h"

#include "base/json_read.h"
#include "base/number.h"
#include "base/time_text.h"

#include <cmath>
#include <ctime>
#include <limits>

namespace parley::tuner {
namespace {

/// The numbers used in the file.
enum Operation {
    op_create_study = 0,
    op_delete_study = 1,
    op_study_user_attribute = 2,
    op_study_system_attribute = 3,
    op_create_trial = 4,
    op_param = 5,
    op_state = 6,
    op_intermediate = 7,
    op_user_attribute = 8,
    op_system_attribute = 9,
    op_discard = 10,  // Rustuna's, which Optuna skips.
};

tl::unexpected<Error> malformed(std::string message) {
    return fail(ErrorCode::malformed, std::move(message));
}

std::optional<std::int64_t> whole(const Json* json) {
    constexpr double kMax = 9e15;
    const double* number = json == nullptr ? nullptr : json->number();
    if (number == nullptr || !(std::fabs(*number) <= kMax)) return std::nullopt;
    return static_cast<std::int64_t>(*number);
}

/// Rustuna writes null for values that are not finite.
std::optional<double> number(const Json* json) {
    if (json == nullptr) return std::nullopt;
    if (json->is_null()) return std::numeric_limits<double>::quiet_NaN();
    return json->number() != nullptr ? std::optional(*json->number()) : std::nullopt;
}

const std::string* text(const Json* json) { return json == nullptr ? nullptr : json->text(); }

const JsonItems* items(const Json* json) { return json == nullptr ? nullptr : json->items(); }

/// No members if it is not an object.
const JsonMembers& members(const Json* json) {
    static const JsonMembers none;
    return json == nullptr || json->members() == nullptr ? none : *json->members();
}

/// Since version 5 Optuna writes times in UTC. Before, it wrote local time without an offset, and
/// still reads such times as local.
std::optional<TimePoint> local_time_of(const std::string& text) {
    const Result<TimePoint> as_utc = parse_time(text + "Z");
    if (!as_utc) return std::nullopt;
    // parse_time has accepted it, so every part is at its place.
    const auto part = [&text](std::size_t at, std::size_t digits) {
        return static_cast<int>(parse_int64(text.substr(at, digits)).value_or(0));
    };
    std::tm fields{};
    fields.tm_year = part(0, 4) - 1900;
    fields.tm_mon = part(5, 2) - 1;
    fields.tm_mday = part(8, 2);
    fields.tm_hour = part(11, 2);
    fields.tm_min = part(14, 2);
    fields.tm_sec = part(17, 2);
    fields.tm_isdst = -1;  // Daylight saving is determined by the time zone.
    const std::int64_t local = std::mktime(&fields);
    return TimePoint{local * 1'000'000 + as_utc->us % 1'000'000};
}

std::optional<TimePoint> time_of(const Json* json) {
    const std::string* written = text(json);
    if (written == nullptr) return std::nullopt;
    const Result<TimePoint> time = parse_time(*written);
    return time ? std::optional(*time) : local_time_of(*written);
}

std::optional<TrialState> state_of(const Json* json) {
    const auto value = whole(json);
    if (!value || *value < 0 || *value > 4) return std::nullopt;
    return static_cast<TrialState>(*value);
}

void merge(Attributes& into, const Json* from) {
    const auto& [names, values] = members(from);
    for (std::size_t i = 0; i < names.size(); ++i) into[names[i]] = std::string(values[i].raw);
}

Result<std::vector<double>> values_of(const JsonItems& list) {
    std::vector<double> values;
    for (const Json& item : list) {
        const auto value = number(&item);
        if (!value) return malformed("a value is no number");
        values.push_back(*value);
    }
    return values;
}

Result<void> read_intermediates(const Json* from, Trial& trial) {
    const auto& [names, values] = members(from);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const Result<std::int64_t> step = parse_int64(names[i]);
        const auto value = number(&values[i]);
        if (!step || !value) return malformed("an intermediate value is no number");
        trial.intermediate[*step] = *value;
    }
    return {};
}

}  // namespace

JournalFold::Shelf* JournalFold::shelf(std::optional<std::int64_t> id) {
    if (!id || *id < 0 || static_cast<std::size_t>(*id) >= shelves_.size()) return nullptr;
    Shelf* found = shelves_[static_cast<std::size_t>(*id)].get();
    return found->deleted ? nullptr : found;
}

const Study* JournalFold::find(std::string_view name) const {
    for (const auto& shelf : shelves_) {
        if (!shelf->deleted && shelf->study.name == name) return &shelf->study;
    }
    return nullptr;
}

const Study* JournalFold::find(std::int64_t id) const {
    if (id < 0 || static_cast<std::size_t>(id) >= shelves_.size()) return nullptr;
    const Shelf& shelf = *shelves_[static_cast<std::size_t>(id)];
    return shelf.deleted ? nullptr : &shelf.study;
}

Result<void> JournalFold::apply(std::string_view text) {
    const Result<Json> line = parse_python_json(text);
    if (!line) return tl::unexpected<Error>(line.error());
    const auto operation = whole(line->find("op_code"));
    if (!operation) return malformed("it has no op_code");
    switch (*operation) {
        case op_create_study:
            return create_study(*line);
        case op_delete_study:
            if (Shelf* found = shelf(whole(line->find("study_id")))) {
                found->deleted = true;
                found->study.trials.shrink_to_fit();
            }
            return {};
        case op_study_user_attribute:
            return set_study_attribute(*line, Owner::user);
        case op_study_system_attribute:
            return set_study_attribute(*line, Owner::system);
        case op_create_trial:
            return create_trial(*line);
        case op_param:
        case op_state:
        case op_intermediate:
        case op_user_attribute:
        case op_system_attribute:
            return change_trial(*line, static_cast<int>(*operation));
        case op_discard:
            return {};
        default:
            break;
    }
    return malformed("its op_code " + std::to_string(*operation) +
                     " is unknown; a newer Optuna wrote it");
}

Result<void> JournalFold::create_study(const Json& line) {
    const std::string* name = text(line.find("study_name"));
    const JsonItems* directions = items(line.find("directions"));
    if (name == nullptr || directions == nullptr || directions->empty()) {
        return malformed("a study wants study_name and directions");
    }
    if (find(*name) != nullptr) return {};  // The first of two creators wins.
    auto shelf = std::make_unique<Shelf>();
    shelf->study.id = static_cast<std::int64_t>(shelves_.size());
    shelf->study.name = *name;
    for (const Json& item : *directions) {
        const auto direction = whole(&item);
        if (!direction || *direction < 0 || *direction > 2)
            return malformed("a direction is 0 to 2");
        shelf->study.directions.push_back(static_cast<Direction>(*direction));
    }
    shelves_.push_back(std::move(shelf));
    return {};
}

Result<void> JournalFold::set_study_attribute(const Json& line, Owner owner) {
    Shelf* found = shelf(whole(line.find("study_id")));
    if (found == nullptr) return {};
    const bool user = owner == Owner::user;
    merge(user ? found->study.user_attributes : found->study.system_attributes,
          line.find(user ? "user_attr" : "system_attr"));
    return {};
}

Result<DistributionPtr> JournalFold::distribution(const Json* json) {
    const std::string* written = text(json);
    if (written == nullptr) return malformed("a parameter wants its distribution");
    if (const auto known = distributions_.find(*written); known != distributions_.end()) {
        return known->second;
    }
    Result<Distribution> read = distribution_from_json(*written);
    if (!read) return tl::unexpected<Error>(read.error());
    auto made = std::make_shared<const Distribution>(std::move(*read));
    distributions_.emplace(*written, made);
    return made;
}

Result<void> JournalFold::create_trial(const Json& line) {
    Shelf* found = shelf(whole(line.find("study_id")));
    if (found == nullptr) return {};
    Trial trial;
    trial.id = static_cast<std::int64_t>(trials_.size());
    trial.number = static_cast<std::int64_t>(found->study.trials.size());
    if (const Json* state = line.find("state"); state != nullptr) {
        const auto read = state_of(state);
        if (!read) return malformed("a state is 0 to 4");
        trial.state = *read;
    }
    trial.start = time_of(line.find("datetime_start"));
    trial.complete = time_of(line.find("datetime_complete"));
    if (const JsonItems* values = items(line.find("values"))) {
        Result<std::vector<double>> read = values_of(*values);
        if (!read) return tl::unexpected<Error>(read.error());
        trial.values = std::move(*read);
    } else if (const Json* value = line.find("value");
               value != nullptr && value->number() != nullptr) {
        trial.values = {*value->number()};
    }
    const Json* distributions = line.find("distributions");
    const auto& [names, params] = members(line.find("params"));
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto value = number(&params[i]);
        Result<DistributionPtr> read =
            distribution(distributions != nullptr ? distributions->find(names[i]) : nullptr);
        if (!read) return tl::unexpected<Error>(read.error());
        if (!value) return malformed("the parameter " + in_quotes(names[i]) + " is no number");
        found->first.emplace(names[i], *read);
        trial.params.push_back({names[i], std::move(*read), *value});
    }
    merge(trial.user_attributes, line.find("user_attrs"));
    merge(trial.system_attributes, line.find("system_attrs"));
    if (auto done = read_intermediates(line.find("intermediate_values"), trial); !done) return done;
    trials_.push_back({found->study.id, found->study.trials.size()});
    found->study.trials.push_back(std::move(trial));
    return {};
}

Result<void> JournalFold::change_trial(const Json& line, int operation) {
    const auto id = whole(line.find("trial_id"));
    if (!id) return malformed("it has no trial_id");
    if (*id < 0 || static_cast<std::size_t>(*id) >= trials_.size()) return {};
    const Place place = trials_[static_cast<std::size_t>(*id)];
    Shelf* found = shelf(place.study);
    if (found == nullptr) return {};
    Trial& trial = found->study.trials[place.number];
    if (is_finished(trial.state)) return {};  // Too late.
    if (operation == op_param) return set_param(line, trial);
    if (operation == op_state) return set_state(line, trial);
    if (operation == op_user_attribute) {
        merge(trial.user_attributes, line.find("user_attr"));
        return {};
    }
    if (operation == op_system_attribute) {
        merge(trial.system_attributes, line.find("system_attr"));
        return {};
    }
    const auto step = whole(line.find("step"));
    const auto value = number(line.find("intermediate_value"));
    if (!step || !value) return malformed("an intermediate value wants a step and a number");
    trial.intermediate[*step] = *value;
    return {};
}

Result<void> JournalFold::set_param(const Json& line, Trial& trial) {
    const std::string* name = text(line.find("param_name"));
    const auto value = number(line.find("param_value_internal"));
    if (name == nullptr || !value) {
        return malformed("a parameter wants param_name and param_value_internal");
    }
    Result<DistributionPtr> read = distribution(line.find("distribution"));
    if (!read) return tl::unexpected<Error>(read.error());
    auto& first =
        shelves_[static_cast<std::size_t>(trials_[static_cast<std::size_t>(trial.id)].study)]
            ->first;
    const auto [known, fresh] = first.emplace(*name, *read);
    if (!fresh && !compatible(*known->second, **read)) return {};
    for (Param& param : trial.params) {
        if (param.name != *name) continue;
        param = {*name, std::move(*read), *value};
        return {};
    }
    trial.params.push_back({*name, std::move(*read), *value});
    return {};
}

Result<void> JournalFold::set_state(const Json& line, Trial& trial) {
    const auto state = state_of(line.find("state"));
    if (!state) return malformed("a state is 0 to 4");
    if (*state == TrialState::running && trial.state == TrialState::running) return {};
    if (const JsonItems* values = items(line.find("values"))) {
        Result<std::vector<double>> read = values_of(*values);
        if (!read) return tl::unexpected<Error>(read.error());
        trial.values = std::move(*read);
    }
    if (*state == TrialState::running) trial.start = time_of(line.find("datetime_start"));
    if (is_finished(*state)) trial.complete = time_of(line.find("datetime_complete"));
    trial.state = *state;
    return {};
}

}  // namespace parley::tuner
