// Tuner: rows of Optuna's tables to trials and back. Does not manage transactions.

#pragma once

#include "base/result.h"
#include "base/time.h"
#include "sqlite/database.h"
#include "tuner/storage.h"
#include "tuner/trial.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::tuner {

/// Prepared statements for the tables of one database, which is borrowed and must outlive it.
class SqliteTables {
public:
    explicit SqliteTables(sqlite::Database& db) : db_(db) {}
    [[nodiscard]] Result<void> prepare();

    /// The study without its trials; nothing if there is none of that name.
    [[nodiscard]] Result<std::optional<Study>> study(const std::string& name);
    [[nodiscard]] Result<void> create_study(const std::string& name, Direction direction);
    [[nodiscard]] Result<std::vector<std::int64_t>> trials_after(std::int64_t study,
                                                                 std::int64_t id);
    [[nodiscard]] Result<Trial> trial(std::int64_t id);

    /// Returns its id.
    [[nodiscard]] Result<std::int64_t> add_trial(std::int64_t study, const Trial& trial);
    [[nodiscard]] Result<void> set_state(std::int64_t id, TrialState state,
                                         std::optional<TimePoint> start,
                                         std::optional<TimePoint> complete);
    [[nodiscard]] Result<void> add_param(std::int64_t id, const Param& param);
    [[nodiscard]] Result<void> set_value(std::int64_t id, double value);
    [[nodiscard]] Result<void> set_intermediate(std::int64_t id, std::int64_t step, double value);
    [[nodiscard]] Result<void> set_attribute(std::int64_t id, Owner owner, std::string_view key,
                                             std::string_view json);
    [[nodiscard]] Result<void> set_study_attribute(std::int64_t study, Owner owner,
                                                   std::string_view key, std::string_view json);
    [[nodiscard]] Result<void> beat(std::int64_t id);
    [[nodiscard]] Result<std::vector<std::int64_t>> stale(std::int64_t study, Duration grace);

private:
    /// In the order of kSql.
    enum Which {
        find_study,
        directions,
        study_user,
        study_system,
        trials_list,
        one_trial,
        values,
        params,
        intermediates,
        user,
        system,
        insert_study,
        insert_direction,
        insert_trial,
        update_state,
        insert_param,
        upsert_value,
        upsert_intermediate,
        upsert_user,
        upsert_system,
        upsert_study_user,
        upsert_study_system,
        upsert_beat,
        stale_trials,
        count,
    };
    sqlite::Statement& at(Which which) { return statements_[which]; }
    Result<void> read_attributes(Which which, std::int64_t id, Attributes& into);
    Result<void> read_params(Trial& trial);
    Result<void> read_numbers(Trial& trial);
    Result<DistributionPtr> distribution(const std::string& json);

    sqlite::Database& db_;
    std::array<sqlite::Statement, count> statements_;
    std::map<std::string, DistributionPtr> distributions_;
};

}  // namespace parley::tuner
