#include "tuner/sqlite_schema.h"

#include "base/number.h"

#include <string>
#include <tuple>

namespace parley::tuner {
namespace {

/// (table, columns besides its key, uniqueness and what it refers to)
constexpr const char* kTables[] = {
    "studies (study_id INTEGER NOT NULL, study_name VARCHAR(512) NOT NULL, PRIMARY KEY (study_id))",
    "version_info (version_info_id INTEGER NOT NULL, schema_version INTEGER, "
    "library_version VARCHAR(256), PRIMARY KEY (version_info_id), CHECK (version_info_id=1))",
    "study_directions (study_direction_id INTEGER NOT NULL, direction VARCHAR(8) NOT NULL, "
    "study_id INTEGER NOT NULL, objective INTEGER NOT NULL, PRIMARY KEY (study_direction_id), "
    "UNIQUE (study_id, objective), FOREIGN KEY(study_id) REFERENCES studies (study_id))",
    "study_user_attributes (study_user_attribute_id INTEGER NOT NULL, study_id INTEGER, "
    "\"key\" VARCHAR(512), value_json TEXT, PRIMARY KEY (study_user_attribute_id), "
    "UNIQUE (study_id, \"key\"), FOREIGN KEY(study_id) REFERENCES studies (study_id))",
    "study_system_attributes (study_system_attribute_id INTEGER NOT NULL, study_id INTEGER, "
    "\"key\" VARCHAR(512), value_json TEXT, PRIMARY KEY (study_system_attribute_id), "
    "UNIQUE (study_id, \"key\"), FOREIGN KEY(study_id) REFERENCES studies (study_id))",
    "trials (trial_id INTEGER NOT NULL, number INTEGER, study_id INTEGER, "
    "state VARCHAR(8) NOT NULL, datetime_start DATETIME, datetime_complete DATETIME, "
    "PRIMARY KEY (trial_id), FOREIGN KEY(study_id) REFERENCES studies (study_id))",
    "trial_user_attributes (trial_user_attribute_id INTEGER NOT NULL, trial_id INTEGER, "
    "\"key\" VARCHAR(512), value_json TEXT, PRIMARY KEY (trial_user_attribute_id), "
    "UNIQUE (trial_id, \"key\"), FOREIGN KEY(trial_id) REFERENCES trials (trial_id))",
    "trial_system_attributes (trial_system_attribute_id INTEGER NOT NULL, trial_id INTEGER, "
    "\"key\" VARCHAR(512), value_json TEXT, PRIMARY KEY (trial_system_attribute_id), "
    "UNIQUE (trial_id, \"key\"), FOREIGN KEY(trial_id) REFERENCES trials (trial_id))",
    "trial_params (param_id INTEGER NOT NULL, trial_id INTEGER, param_name VARCHAR(512), "
    "param_value FLOAT, distribution_json TEXT, PRIMARY KEY (param_id), "
    "UNIQUE (trial_id, param_name), FOREIGN KEY(trial_id) REFERENCES trials (trial_id))",
    "trial_values (trial_value_id INTEGER NOT NULL, trial_id INTEGER NOT NULL, "
    "objective INTEGER NOT NULL, value FLOAT, value_type VARCHAR(7) NOT NULL, "
    "PRIMARY KEY (trial_value_id), UNIQUE (trial_id, objective), "
    "FOREIGN KEY(trial_id) REFERENCES trials (trial_id))",
    "trial_intermediate_values (trial_intermediate_value_id INTEGER NOT NULL, "
    "trial_id INTEGER NOT NULL, step INTEGER NOT NULL, intermediate_value FLOAT, "
    "intermediate_value_type VARCHAR(7) NOT NULL, PRIMARY KEY (trial_intermediate_value_id), "
    "UNIQUE (trial_id, step), FOREIGN KEY(trial_id) REFERENCES trials (trial_id))",
    "trial_heartbeats (trial_heartbeat_id INTEGER NOT NULL, trial_id INTEGER NOT NULL, "
    "heartbeat DATETIME NOT NULL, PRIMARY KEY (trial_heartbeat_id), UNIQUE (trial_id), "
    "FOREIGN KEY(trial_id) REFERENCES trials (trial_id))",
    "alembic_version (version_num VARCHAR(32) NOT NULL, "
    "CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))",
};

std::string creation() {
    std::string sql = "BEGIN IMMEDIATE;";
    for (const char* table : kTables)
        sql += std::string("CREATE TABLE IF NOT EXISTS ") + table + ";";
    sql +=
        "CREATE UNIQUE INDEX IF NOT EXISTS ix_studies_study_name ON studies (study_name);"
        "CREATE INDEX IF NOT EXISTS ix_trials_study_id ON trials (study_id);"
        // The version of Optuna whose tables these are.
        "INSERT INTO version_info SELECT 1, 12, '5.0.0' "
        "WHERE NOT EXISTS (SELECT 1 FROM version_info);"
        "INSERT INTO alembic_version SELECT '";
    sql += kSchemaRevision;
    sql += "' WHERE NOT EXISTS (SELECT 1 FROM alembic_version);COMMIT;";
    return sql;
}

}  // namespace

Result<void> prepare_schema(sqlite::Database& db, bool create) {
    const auto there =
        db.first("SELECT 1 FROM sqlite_master WHERE type='table' AND name='alembic_version'");
    if (!there) return tl::unexpected<Error>(there.error());
    std::optional<std::string> revision;
    if (there->has_value()) {
        const auto found = db.first("SELECT version_num FROM alembic_version");
        if (!found) return tl::unexpected<Error>(found.error());
        revision = *found;
    }
    if (!revision) {
        if (!create) {
            return fail(ErrorCode::gone, db.path() + " holds no studies; name another file");
        }
        if (Result<void> done = db.run(creation()); !done) {
            // Reports an error if no transaction began, which does not matter.
            std::ignore = db.run("ROLLBACK");
            return within("making the tables of a study", done.error());
        }
        return {};
    }
    if (*revision != kSchemaRevision) {
        return fail(ErrorCode::malformed,
                    db.path() + " has tables of revision " + in_quotes(*revision) +
                        " where this version knows " + kSchemaRevision +
                        "; `optuna storage upgrade` brings older ones up to date");
    }
    return {};
}

}  // namespace parley::tuner
