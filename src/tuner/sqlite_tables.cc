#include "tuner/sqlite_tables.h"

#include "base/number.h"
#include "base/time_text.h"

#include <cmath>
#include <iterator>
#include <limits>

namespace parley::tuner {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kValuesMax = 1000;

tl::unexpected<Error> malformed(std::string message) {
    return fail(ErrorCode::malformed, std::move(message));
}

struct NamedState {
    const char* name;
    TrialState state;
};
constexpr NamedState kStates[] = {
    {"RUNNING", TrialState::running}, {"COMPLETE", TrialState::complete},
    {"PRUNED", TrialState::pruned},   {"FAIL", TrialState::fail},
    {"WAITING", TrialState::waiting},
};

const char* name_of(TrialState state) {
    for (const NamedState& known : kStates) {
        if (known.state == state) return known.name;
    }
    return "FAIL";
}

std::optional<TrialState> state_of(std::string_view name) {
    for (const NamedState& known : kStates) {
        if (known.name == name) return known.state;
    }
    return std::nullopt;
}

/// "2025-03-01 12:00:00.000000", in UTC without a zone.
std::string print_moment(TimePoint time) {
    std::string text = print_micro_time(time);
    text.pop_back();
    text[10] = ' ';
    return text;
}

std::optional<TimePoint> moment(std::string text) {
    if (text.size() < 11) return std::nullopt;
    text[10] = 'T';
    const Result<TimePoint> time = parse_time(text + "Z");
    return time ? std::optional(*time) : std::nullopt;
}

/// A number and its type, as two columns hold it.
void bind_number(sqlite::Statement& statement, int index, double value) {
    const char* type = "FINITE";
    if (std::isnan(value)) {
        type = "NAN";
    } else if (std::isinf(value)) {
        type = value > 0 ? "INF_POS" : "INF_NEG";
    }
    if (std::isfinite(value)) {
        statement.bind(index, value);
    } else {
        statement.bind_null(index);
    }
    statement.bind(index + 1, std::string_view(type));
}

double read_number(const sqlite::Statement& row, int column) {
    const std::string type = row.text(column + 1);
    if (type == "INF_POS") return kInfinity;
    if (type == "INF_NEG") return -kInfinity;
    if (type == "NAN" || row.is_null(column)) return std::numeric_limits<double>::quiet_NaN();
    return row.number(column);
}

void bind_moment(sqlite::Statement& statement, int index, std::optional<TimePoint> time) {
    if (time) {
        statement.bind(index, print_moment(*time));
    } else {
        statement.bind_null(index);
    }
}

/// Calls `take` for each row. `take` gives a Result<void>.
template <class Take>
Result<void> each(sqlite::Statement& rows, Take take) {
    while (true) {
        const Result<bool> row = rows.step();
        if (!row) return tl::unexpected<Error>(row.error());
        if (!*row) return {};
        if (Result<void> done = take(rows); !done) {
            rows.reset();
            return done;
        }
    }
}

/// Indexed by SqliteTables::Which.
constexpr const char* kSql[] = {
    // find_study
    "SELECT study_id FROM studies WHERE study_name=?",
    // directions
    "SELECT direction FROM study_directions WHERE study_id=? ORDER BY objective",
    // study_user
    "SELECT \"key\", value_json FROM study_user_attributes WHERE study_id=?",
    // study_system
    "SELECT \"key\", value_json FROM study_system_attributes WHERE study_id=?",
    // trials_list
    "SELECT trial_id FROM trials WHERE study_id=? AND trial_id>? ORDER BY trial_id",
    // one_trial
    "SELECT number, state, datetime_start, datetime_complete FROM trials "
    "WHERE trial_id=?",
    // values
    "SELECT objective, value, value_type FROM trial_values WHERE trial_id=? "
    "ORDER BY objective",
    // params
    "SELECT param_name, param_value, distribution_json FROM trial_params "
    "WHERE trial_id=? ORDER BY param_id",
    // intermediates
    "SELECT step, intermediate_value, intermediate_value_type "
    "FROM trial_intermediate_values WHERE trial_id=?",
    // user
    "SELECT \"key\", value_json FROM trial_user_attributes WHERE trial_id=?",
    // system
    "SELECT \"key\", value_json FROM trial_system_attributes WHERE trial_id=?",
    // insert_study
    "INSERT INTO studies (study_name) VALUES (?)",
    // insert_direction
    "INSERT INTO study_directions (direction, study_id, objective) VALUES (?, ?, 0)",
    // insert_trial
    "INSERT INTO trials (number, study_id, state, datetime_start) "
    "VALUES (?, ?, ?, ?)",
    // update_state
    "UPDATE trials SET state=?, datetime_start=coalesce(?, datetime_start), "
    "datetime_complete=coalesce(?, datetime_complete) WHERE trial_id=?",
    // insert_param
    "INSERT INTO trial_params (trial_id, param_name, param_value, "
    "distribution_json) VALUES (?, ?, ?, ?) ON CONFLICT (trial_id, param_name) "
    "DO UPDATE SET param_value=excluded.param_value, "
    "distribution_json=excluded.distribution_json",
    // upsert_value
    "INSERT INTO trial_values (trial_id, objective, value, value_type) "
    "VALUES (?, 0, ?, ?) ON CONFLICT (trial_id, objective) DO UPDATE SET "
    "value=excluded.value, value_type=excluded.value_type",
    // upsert_intermediate
    "INSERT INTO trial_intermediate_values (trial_id, step, intermediate_value, "
    "intermediate_value_type) VALUES (?, ?, ?, ?) ON CONFLICT (trial_id, step) "
    "DO UPDATE SET intermediate_value=excluded.intermediate_value, "
    "intermediate_value_type=excluded.intermediate_value_type",
    // upsert_user
    "INSERT INTO trial_user_attributes (trial_id, \"key\", value_json) "
    "VALUES (?, ?, ?) ON CONFLICT (trial_id, \"key\") DO UPDATE SET "
    "value_json=excluded.value_json",
    // upsert_system
    "INSERT INTO trial_system_attributes (trial_id, \"key\", value_json) "
    "VALUES (?, ?, ?) ON CONFLICT (trial_id, \"key\") DO UPDATE SET "
    "value_json=excluded.value_json",
    // upsert_study_user
    "INSERT INTO study_user_attributes (study_id, \"key\", value_json) "
    "VALUES (?, ?, ?) ON CONFLICT (study_id, \"key\") DO UPDATE SET "
    "value_json=excluded.value_json",
    // upsert_study_system
    "INSERT INTO study_system_attributes (study_id, \"key\", value_json) "
    "VALUES (?, ?, ?) ON CONFLICT (study_id, \"key\") DO UPDATE SET "
    "value_json=excluded.value_json",
    // upsert_beat
    "INSERT INTO trial_heartbeats (trial_id, heartbeat) "
    "VALUES (?, CURRENT_TIMESTAMP) ON CONFLICT (trial_id) DO UPDATE SET "
    "heartbeat=excluded.heartbeat",
    // stale_trials
    "SELECT trials.trial_id FROM trials JOIN trial_heartbeats "
    "ON trials.trial_id=trial_heartbeats.trial_id WHERE study_id=? AND "
    "state='RUNNING' AND (julianday('now')-julianday(heartbeat))*86400>?",
};

}  // namespace

Result<void> SqliteTables::prepare() {
    static_assert(std::size(kSql) == count);
    for (std::size_t i = 0; i < count; ++i) {
        Result<sqlite::Statement> made = db_.prepare(kSql[i]);
        if (!made) return tl::unexpected<Error>(made.error());
        statements_[i] = std::move(*made);
    }
    return {};
}

Result<std::optional<Study>> SqliteTables::study(const std::string& name) {
    Study study{.name = name};
    bool found = false;
    Result<void> done = each(at(find_study).bind(1, name), [&](sqlite::Statement& row) {
        found = true;
        study.id = row.whole(0);
        return Result<void>();
    });
    if (!done) return tl::unexpected<Error>(done.error());
    if (!found) return std::optional<Study>();
    done = each(at(directions).bind(1, study.id), [&](sqlite::Statement& row) {
        const std::string text = row.text(0);
        study.directions.push_back(text == "MAXIMIZE"   ? Direction::maximize
                                   : text == "MINIMIZE" ? Direction::minimize
                                                        : Direction::not_set);
        return Result<void>();
    });
    if (done) done = read_attributes(study_user, study.id, study.user_attributes);
    if (done) done = read_attributes(study_system, study.id, study.system_attributes);
    if (!done) return tl::unexpected<Error>(done.error());
    return study;
}

Result<void> SqliteTables::create_study(const std::string& name, Direction direction) {
    if (auto done = at(insert_study).bind(1, name).run(); !done) return done;
    const std::string_view text = direction == Direction::maximize ? "MAXIMIZE" : "MINIMIZE";
    return at(insert_direction).bind(1, text).bind(2, db_.last_id()).run();
}

Result<std::vector<std::int64_t>> SqliteTables::trials_after(std::int64_t study, std::int64_t id) {
    std::vector<std::int64_t> ids;
    const auto done = each(at(trials_list).bind(1, study).bind(2, id), [&](sqlite::Statement& row) {
        ids.push_back(row.whole(0));
        return Result<void>();
    });
    if (!done) return tl::unexpected<Error>(done.error());
    return ids;
}

Result<Trial> SqliteTables::trial(std::int64_t id) {
    Trial trial{.id = id, .number = -1};
    Result<void> done =
        each(at(one_trial).bind(1, id), [&](sqlite::Statement& row) -> Result<void> {
            const auto state = state_of(row.text(1));
            if (!state) {
                return malformed("trial " + std::to_string(id) + " has the unknown state " +
                                 in_quotes(row.text(1)));
            }
            trial.number = row.is_null(0) ? -1 : row.whole(0);
            trial.state = *state;
            trial.start = moment(row.text(2));
            trial.complete = moment(row.text(3));
            return {};
        });
    if (done) done = read_params(trial);
    if (done) done = read_numbers(trial);
    if (done) done = read_attributes(user, id, trial.user_attributes);
    if (done) done = read_attributes(system, id, trial.system_attributes);
    if (!done) return tl::unexpected<Error>(done.error());
    return trial;
}

Result<void> SqliteTables::read_params(Trial& trial) {
    return each(at(params).bind(1, trial.id), [&](sqlite::Statement& row) -> Result<void> {
        Result<DistributionPtr> read = distribution(row.text(2));
        if (!read) {
            return within(
                "trial " + std::to_string(trial.number) + ", parameter " + in_quotes(row.text(0)),
                read.error());
        }
        trial.params.push_back({row.text(0), std::move(*read), row.number(1)});
        return {};
    });
}

Result<void> SqliteTables::read_numbers(Trial& trial) {
    const auto done =
        each(at(values).bind(1, trial.id), [&](sqlite::Statement& row) -> Result<void> {
            if (trial.values.size() >= kValuesMax) return malformed("a trial has too many values");
            trial.values.push_back(read_number(row, 1));
            return {};
        });
    if (!done) return done;
    return each(at(intermediates).bind(1, trial.id), [&](sqlite::Statement& row) {
        trial.intermediate[row.whole(0)] = read_number(row, 1);
        return Result<void>();
    });
}

Result<void> SqliteTables::read_attributes(Which which, std::int64_t id, Attributes& into) {
    return each(at(which).bind(1, id), [&](sqlite::Statement& row) {
        into[row.text(0)] = row.text(1);
        return Result<void>();
    });
}

Result<DistributionPtr> SqliteTables::distribution(const std::string& json) {
    if (const auto known = distributions_.find(json); known != distributions_.end()) {
        return known->second;
    }
    Result<Distribution> read = distribution_from_json(json);
    if (!read) return tl::unexpected<Error>(read.error());
    auto made = std::make_shared<const Distribution>(std::move(*read));
    distributions_.emplace(json, made);
    return made;
}

Result<std::int64_t> SqliteTables::add_trial(std::int64_t study, const Trial& trial) {
    sqlite::Statement& insert = at(insert_trial);
    insert.bind(1, trial.number).bind(2, study).bind(3, std::string_view(name_of(trial.state)));
    bind_moment(insert, 4, trial.start);
    if (auto done = insert.run(); !done) return tl::unexpected<Error>(done.error());
    return db_.last_id();
}

Result<void> SqliteTables::set_state(std::int64_t id, TrialState state,
                                     std::optional<TimePoint> start,
                                     std::optional<TimePoint> complete) {
    sqlite::Statement& update = at(update_state);
    update.bind(1, std::string_view(name_of(state)));
    bind_moment(update, 2, start);
    bind_moment(update, 3, complete);
    return update.bind(4, id).run();
}

Result<void> SqliteTables::add_param(std::int64_t id, const Param& param) {
    return at(insert_param)
        .bind(1, id)
        .bind(2, param.name)
        .bind(3, param.value)
        .bind(4, to_json(*param.distribution))
        .run();
}

Result<void> SqliteTables::set_value(std::int64_t id, double value) {
    sqlite::Statement& upsert = at(upsert_value).bind(1, id);
    bind_number(upsert, 2, value);
    return upsert.run();
}

Result<void> SqliteTables::set_intermediate(std::int64_t id, std::int64_t step, double value) {
    sqlite::Statement& upsert = at(upsert_intermediate).bind(1, id).bind(2, step);
    bind_number(upsert, 3, value);
    return upsert.run();
}

Result<void> SqliteTables::set_attribute(std::int64_t id, Owner owner, std::string_view key,
                                         std::string_view json) {
    return at(owner == Owner::user ? upsert_user : upsert_system)
        .bind(1, id)
        .bind(2, key)
        .bind(3, json)
        .run();
}

Result<void> SqliteTables::set_study_attribute(std::int64_t study, Owner owner,
                                               std::string_view key, std::string_view json) {
    return at(owner == Owner::user ? upsert_study_user : upsert_study_system)
        .bind(1, study)
        .bind(2, key)
        .bind(3, json)
        .run();
}

Result<void> SqliteTables::beat(std::int64_t id) { return at(upsert_beat).bind(1, id).run(); }

Result<std::vector<std::int64_t>> SqliteTables::stale(std::int64_t study, Duration grace) {
    std::vector<std::int64_t> ids;
    const auto done = each(at(stale_trials).bind(1, study).bind(2, in_seconds(grace)),
                           [&](sqlite::Statement& row) {
                               ids.push_back(row.whole(0));
                               return Result<void>();
                           });
    if (!done) return tl::unexpected<Error>(done.error());
    return ids;
}

}  // namespace parley::tuner
