#include "tuner/sqlite_db.h"

#include <sqlite3.h>

#include <algorithm>

namespace parley::tuner {
namespace {

constexpr int kTextMax = 64 << 20;  // No attribute worth reading is longer.

Error error_of(sqlite3* db) {
    const int code = sqlite3_errcode(db);
    const char* file = sqlite3_db_filename(db, "main");
    std::string message =
        std::string(file != nullptr ? file : "SQLite") + ": " + sqlite3_errmsg(db);
    switch (code) {
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
        case SQLITE_FULL:
            return {ErrorCode::unavailable, std::move(message), std::nullopt};
        case SQLITE_CONSTRAINT:
            return {ErrorCode::conflict, std::move(message), std::nullopt};
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB:
        case SQLITE_ERROR:
        case SQLITE_TOOBIG:
        case SQLITE_MISMATCH:
            return {ErrorCode::malformed, std::move(message), std::nullopt};
        case SQLITE_READONLY:
            message += "; copy the study to a place where it may be written";
            return {ErrorCode::denied, std::move(message), std::nullopt};
        default:
            return {ErrorCode::denied, std::move(message), std::nullopt};
    }
}

}  // namespace

void SqliteStatement::Finalize::operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
}

void SqliteDb::Close::operator()(sqlite3* db) const { sqlite3_close_v2(db); }

SqliteStatement& SqliteStatement::bind(int index, std::int64_t value) {
    sqlite3_bind_int64(statement_.get(), index, value);
    return *this;
}

SqliteStatement& SqliteStatement::bind(int index, double value) {
    sqlite3_bind_double(statement_.get(), index, value);
    return *this;
}

SqliteStatement& SqliteStatement::bind(int index, std::string_view value) {
    sqlite3_bind_text64(statement_.get(), index, value.data(), value.size(), SQLITE_TRANSIENT,
                        SQLITE_UTF8);
    return *this;
}

SqliteStatement& SqliteStatement::bind_null(int index) {
    sqlite3_bind_null(statement_.get(), index);
    return *this;
}

Result<bool> SqliteStatement::step() {
    const int code = sqlite3_step(statement_.get());
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) {
        reset();
        return false;
    }
    Error error = error_of(sqlite3_db_handle(statement_.get()));
    reset();
    return tl::unexpected<Error>(std::move(error));
}

Result<void> SqliteStatement::run() {
    const Result<bool> row = step();
    if (!row) return tl::unexpected<Error>(row.error());
    reset();
    return {};
}

void SqliteStatement::reset() { sqlite3_reset(statement_.get()); }

std::int64_t SqliteStatement::whole(int column) const {
    return sqlite3_column_int64(statement_.get(), column);
}

double SqliteStatement::number(int column) const {
    return sqlite3_column_double(statement_.get(), column);
}

std::string SqliteStatement::text(int column) const {
    const auto* text = sqlite3_column_text(statement_.get(), column);
    if (text == nullptr) return {};
    const int length = sqlite3_column_bytes(statement_.get(), column);
    return {reinterpret_cast<const char*>(text), static_cast<std::size_t>(length)};
}

bool SqliteStatement::is_null(int column) const {
    return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

Result<SqliteDb> SqliteDb::open(const std::string& path, bool create, Duration busy_limit) {
    const int flags =
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (create ? SQLITE_OPEN_CREATE : 0);
    sqlite3* raw = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &raw, flags, nullptr);
    SqliteDb db(raw, path);
    if (code != SQLITE_OK) {
        return fail(ErrorCode::denied, "opening " + path + ": " +
                                           (raw != nullptr ? sqlite3_errmsg(raw) : "no memory"));
    }
    sqlite3_busy_timeout(raw,
                         static_cast<int>(std::min<std::int64_t>(busy_limit.us / 1000, 1 << 30)));
    sqlite3_limit(raw, SQLITE_LIMIT_LENGTH, kTextMax);
    sqlite3_db_config(raw, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(raw, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(raw, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(raw, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    return db;
}

Result<SqliteStatement> SqliteDb::prepare(std::string_view sql) {
    sqlite3_stmt* statement = nullptr;
    const int code = sqlite3_prepare_v3(db_.get(), sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    if (code != SQLITE_OK) return tl::unexpected<Error>(error_of(db_.get()));
    return SqliteStatement(statement);
}

Result<void> SqliteDb::run(const std::string& sql) {
    if (sqlite3_exec(db_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
        return tl::unexpected<Error>(error_of(db_.get()));
    }
    return {};
}

Result<std::optional<std::string>> SqliteDb::first(std::string_view sql) {
    Result<SqliteStatement> statement = prepare(sql);
    if (!statement) return tl::unexpected<Error>(statement.error());
    const Result<bool> row = statement->step();
    if (!row) return tl::unexpected<Error>(row.error());
    return *row ? std::optional(statement->text(0)) : std::nullopt;
}

std::int64_t SqliteDb::last_id() const { return sqlite3_last_insert_rowid(db_.get()); }

}  // namespace parley::tuner
