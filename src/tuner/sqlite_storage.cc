#include "tuner/sqlite_storage.h"

#include "base/clock.h"
#include "base/json_read.h"
#include "base/number.h"
#include "tuner/json.h"
#include "tuner/sqlite_schema.h"
#include "tuner/sqlite_tables.h"
#include "tuner/study.h"

#include <cmath>
#include <functional>
#include <tuple>

namespace parley::tuner {
namespace {

/// Of two that switch a file at once, SQLite refuses one without waiting: each would wait for the
/// lock of the other. So the one refused lets go and comes again.
Result<void> switch_to_wal(sqlite::Database& db, Duration busy_limit) {
    constexpr Duration kPause = milliseconds(5);
    for (Duration waited;; waited = waited + kPause) {
        auto done = db.run("PRAGMA journal_mode=WAL");
        if (done || done.error().code != ErrorCode::unavailable || waited >= busy_limit) {
            return done;
        }
        nap(kPause);
    }
}

class SqliteStorage : public Storage {
public:
    SqliteStorage(sqlite::Database db, StorageConfig config)
        : db_(std::move(db)), tables_(db_), config_(std::move(config)) {}

    Result<void> open() {
        if (auto done = switch_to_wal(db_, config_.busy_limit); !done) return done;
        const char* sync = config_.sync_all ? "FULL" : "NORMAL";
        if (auto done = db_.run(std::string("PRAGMA synchronous=") + sync); !done) return done;
        if (auto done = prepare_schema(db_, config_.create); !done) return done;
        if (auto done = tables_.prepare(); !done) return done;
        auto version = db_.prepare("PRAGMA data_version");
        if (!version) return tl::unexpected<Error>(version.error());
        version_ = std::move(*version);
        auto begin = db_.prepare("BEGIN IMMEDIATE");
        auto commit = db_.prepare("COMMIT");
        if (!begin) return tl::unexpected<Error>(begin.error());
        if (!commit) return tl::unexpected<Error>(commit.error());
        begin_ = std::move(*begin);
        commit_ = std::move(*commit);
        const auto there = tables_.study(config_.study);
        if (!there) return tl::unexpected<Error>(there.error());
        if (there->has_value()) return refresh();
        if (!config_.create) {
            return fail(ErrorCode::gone, db_.path() + " has no study " + in_quotes(config_.study) +
                                             "; name another");
        }
        return within_transaction([this]() -> Result<void> {
            // Another process may just have created it.
            const auto again = tables_.study(config_.study);
            if (!again) return tl::unexpected<Error>(again.error());
            if (!again->has_value()) {
                auto made = tables_.create_study(config_.study, config_.direction);
                if (!made) return made;
            }
            return load();
        });
    }

    const Study& study() const override { return study_; }

    Result<void> refresh() override {
        const auto same = unchanged();
        if (!same) return tl::unexpected<Error>(same.error());
        if (*same) return {};
        if (auto done = db_.run("BEGIN"); !done) return done;
        const Result<void> loaded = load();
        std::ignore = db_.run("ROLLBACK");  // Nothing was written.
        if (!loaded) loaded_ = -1;
        return loaded;
    }

    Result<std::int64_t> ask(const Draw& draw) override {
        std::int64_t number = 0;
        const auto done = change([&]() -> Result<void> {
            Trial begun;
            begun.number = static_cast<std::int64_t>(study_.trials.size());
            for (const Trial& trial : study_.trials) {
                if (trial.state != TrialState::waiting) continue;
                begun = trial;
                break;
            }
            number = begun.number;
            const Draft draft = draw(study_, begun);
            if (auto fit = fits(study_, draft.params); !fit) return fit;
            const bool fresh = begun.number == static_cast<std::int64_t>(study_.trials.size());
            begun.start = wall_now();
            if (fresh) {
                const auto id = tables_.add_trial(study_.id, begun);
                if (!id) return tl::unexpected<Error>(id.error());
                begun.id = *id;
            } else if (auto claimed = tables_.set_state(begun.id, TrialState::running, begun.start,
                                                        std::nullopt);
                       !claimed) {
                return claimed;
            }
            return write_draft(begun.id, draft);
        });
        if (!done) return tl::unexpected<Error>(done.error());
        return number;
    }

    Result<std::int64_t> enqueue(const Attributes& fixed) override {
        std::int64_t number = 0;
        std::string json = "{";
        for (const auto& [name, value] : fixed) {
            json += (json.size() > 1 ? ", " : "") + json_text(name) + ": " + value;
        }
        const auto done = change([&]() -> Result<void> {
            Trial waiting;
            waiting.number = number = static_cast<std::int64_t>(study_.trials.size());
            waiting.state = TrialState::waiting;
            const auto id = tables_.add_trial(study_.id, waiting);
            if (!id) return tl::unexpected<Error>(id.error());
            return write_draft(*id, {.system_attributes = {{"fixed_params", json + "}"}}});
        });
        if (!done) return tl::unexpected<Error>(done.error());
        return number;
    }

    Result<void> set_param(std::int64_t number, const Param& param) override {
        return change_trial(number, [&](std::int64_t id) -> Result<void> {
            if (auto fit = fits(study_, {param}); !fit) return fit;
            return tables_.add_param(id, param);
        });
    }

    Result<void> report(std::int64_t number, std::int64_t step, double value) override {
        return change_trial(
            number, [&](std::int64_t id) { return tables_.set_intermediate(id, step, value); });
    }

    Result<void> tell(std::int64_t number, TrialState state, std::optional<double> value) override {
        if (value && std::isnan(*value)) {
            state = TrialState::fail;
            value = std::nullopt;
        }
        return change_trial(number, [&](std::int64_t id) -> Result<void> {
            if (value) {
                if (auto done = tables_.set_value(id, *value); !done) return done;
            }
            return tables_.set_state(id, state, std::nullopt, wall_now());
        });
    }

    Result<void> set_attribute(std::int64_t number, Owner owner, const std::string& key,
                               const std::string& json) override {
        const Result<Json> value = parse_python_json(json);
        if (!value) return within("the attribute " + in_quotes(key), value.error());
        return change_trial(number, [&](std::int64_t id) {
            return tables_.set_attribute(id, owner, key, canonical(*value));
        });
    }

    Result<void> set_study_attribute(Owner owner, const std::string& key,
                                     const std::string& json) override {
        const Result<Json> value = parse_python_json(json);
        if (!value) return within("the attribute " + in_quotes(key), value.error());
        return change(
            [&] { return tables_.set_study_attribute(study_.id, owner, key, canonical(*value)); });
    }

    Result<void> heartbeat(std::int64_t number) override {
        return change_trial(number, [&](std::int64_t id) { return tables_.beat(id); });
    }

    Result<std::vector<std::int64_t>> fail_stale(Duration grace) override {
        std::vector<std::int64_t> numbers;
        const auto done = change([&]() -> Result<void> {
            const auto ids = tables_.stale(study_.id, grace);
            if (!ids) return tl::unexpected<Error>(ids.error());
            for (const std::int64_t id : *ids) {
                auto set = tables_.set_state(id, TrialState::fail, std::nullopt, wall_now());
                if (!set) return set;
                for (const Trial& trial : study_.trials) {
                    if (trial.id == id) numbers.push_back(trial.number);
                }
            }
            return {};
        });
        if (!done) return tl::unexpected<Error>(done.error());
        return numbers;
    }

private:
    using Work = std::function<Result<void>()>;

    /// Whether no other connection has written since the last load.
    Result<bool> unchanged() {
        const Result<bool> row = version_.step();
        if (!row) return tl::unexpected<Error>(row.error());
        const std::int64_t now = version_.whole(0);
        version_.reset();
        const bool same = now == loaded_;
        loaded_ = now;
        return same;
    }

    Result<void> within_transaction(const Work& work) {
        if (auto done = begin_.run(); !done) return done;
        Result<void> done = work();
        if (done) done = commit_.run();
        if (!done) {
            std::ignore = db_.run("ROLLBACK");
            // What was read meanwhile may have been rolled back: load everything again.
            loaded_ = -1;
            open_.clear();
            study_.trials.clear();
            std::ignore = load();
        }
        return done;
    }

    /// Loads what others wrote, does `work`, and loads the result, in one commit.
    Result<void> change(const Work& work) {
        return within_transaction([&]() -> Result<void> {
            const auto same = unchanged();
            if (!same) return tl::unexpected<Error>(same.error());
            if (!*same) {
                if (auto done = load(); !done) return done;
            }
            if (auto done = work(); !done) return done;
            return load();
        });
    }

    Result<void> change_trial(std::int64_t number,
                              const std::function<Result<void>(std::int64_t)>& work) {
        return change([&]() -> Result<void> {
            if (number < 0 || static_cast<std::size_t>(number) >= study_.trials.size()) {
                return fail(ErrorCode::gone, "there is no trial " + std::to_string(number));
            }
            const Trial& trial = study_.trials[static_cast<std::size_t>(number)];
            if (is_finished(trial.state)) {
                return fail(ErrorCode::conflict,
                            "trial " + std::to_string(number) + " is finished already");
            }
            return work(trial.id);
        });
    }

    Result<void> write_draft(std::int64_t id, const Draft& draft) {
        for (const Param& param : draft.params) {
            if (auto done = tables_.add_param(id, param); !done) return done;
        }
        for (const auto& [key, json] : draft.user_attributes) {
            auto done = tables_.set_attribute(id, Owner::user, key, json);
            if (!done) return done;
        }
        for (const auto& [key, json] : draft.system_attributes) {
            auto done = tables_.set_attribute(id, Owner::system, key, json);
            if (!done) return done;
        }
        return {};
    }

    /// Finished trials do not change; only the others and new ones are read.
    Result<void> load() {
        auto found = tables_.study(config_.study);
        if (!found) return tl::unexpected<Error>(found.error());
        if (!found->has_value() || (study_.id != 0 && (*found)->id != study_.id)) {
            return fail(ErrorCode::gone, "the study " + in_quotes(config_.study) + " of " +
                                             db_.path() + " was deleted");
        }
        std::vector<Trial> trials = std::move(study_.trials);
        study_ = std::move(**found);
        study_.trials = std::move(trials);
        std::vector<std::size_t> open;
        for (const std::size_t i : open_) {
            Result<Trial> trial = tables_.trial(study_.trials[i].id);
            if (!trial) return tl::unexpected<Error>(trial.error());
            if (trial->number != static_cast<std::int64_t>(i)) return misnumbered();
            if (!is_finished(trial->state)) open.push_back(i);
            study_.trials[i] = std::move(*trial);
        }
        const std::int64_t last = study_.trials.empty() ? -1 : study_.trials.back().id;
        const auto ids = tables_.trials_after(study_.id, last);
        if (!ids) return tl::unexpected<Error>(ids.error());
        for (const std::int64_t id : *ids) {
            Result<Trial> trial = tables_.trial(id);
            if (!trial) return tl::unexpected<Error>(trial.error());
            const std::size_t i = study_.trials.size();
            if (trial->number != static_cast<std::int64_t>(i)) return misnumbered();
            if (!is_finished(trial->state)) open.push_back(i);
            study_.trials.push_back(std::move(*trial));
        }
        open_ = std::move(open);
        return {};
    }

    tl::unexpected<Error> misnumbered() const {
        return fail(ErrorCode::malformed, "the trials of the study " + in_quotes(config_.study) +
                                              " of " + db_.path() +
                                              " are not numbered in order; it cannot be continued");
    }

    sqlite::Database db_;
    SqliteTables tables_;
    sqlite::Statement version_;
    sqlite::Statement begin_;
    sqlite::Statement commit_;
    StorageConfig config_;
    Study study_;
    std::vector<std::size_t> open_;  ///< Trials that were not finished.
    std::int64_t loaded_ = -1;       ///< data_version of the last load.
};

}  // namespace

Result<std::unique_ptr<Storage>> open_sqlite(const std::string& path, const StorageConfig& config) {
    Result<sqlite::Database> db =
        sqlite::Database::open_shared(path, config.create, config.busy_limit);
    if (!db) return tl::unexpected<Error>(db.error());
    auto storage = std::make_unique<SqliteStorage>(std::move(*db), config);
    if (auto done = storage->open(); !done) return tl::unexpected<Error>(done.error());
    return storage;
}

}  // namespace parley::tuner
