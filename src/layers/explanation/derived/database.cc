#include "layers/explanation/derived/database.h"

#include <sqlite3.h>

#include <cmath>

namespace parley::explanation {
namespace {

tl::unexpected<Error> failure(sqlite3* handle, const std::string& where) {
    const int code = handle != nullptr ? sqlite3_errcode(handle) : SQLITE_NOMEM;
    const bool busy = code == SQLITE_BUSY || code == SQLITE_LOCKED;
    const bool full = code == SQLITE_FULL;
    const char* why = handle != nullptr ? sqlite3_errmsg(handle) : "out of memory";
    return fail(busy   ? ErrorCode::conflict
                : full ? ErrorCode::unavailable
                       : ErrorCode::malformed,
                where + ": SQLite says: " + why);
}

int bind(sqlite3_stmt* statement, int place, const Cell& cell) {
    if (const auto* number = std::get_if<std::int64_t>(&cell)) {
        return sqlite3_bind_int64(statement, place, *number);
    }
    if (const auto* real = std::get_if<double>(&cell); real != nullptr && std::isfinite(*real)) {
        return sqlite3_bind_double(statement, place, *real);
    }
    if (const auto* text = std::get_if<std::string_view>(&cell)) {
        return sqlite3_bind_text64(statement, place, text->data(), text->size(), SQLITE_TRANSIENT,
                                   SQLITE_UTF8);
    }
    return sqlite3_bind_null(statement, place);
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void Database::Close::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }

Result<void> Statement::run(std::initializer_list<Cell> cells) {
    sqlite3_stmt* statement = statement_.get();
    int place = 0;
    int code = SQLITE_OK;
    for (const Cell& cell : cells) {
        if (code == SQLITE_OK) code = bind(statement, ++place, cell);
    }
    if (code == SQLITE_OK) code = sqlite3_step(statement);
    if (code == SQLITE_DONE) {
        sqlite3_reset(statement);
        return {};
    }
    auto error = failure(sqlite3_db_handle(statement), "writing a row");
    sqlite3_reset(statement);
    return error;
}

tl::unexpected<Error> Database::failed() const { return failure(handle_.get(), path_); }

Result<Database> Database::open_with(const std::string& path, int flags) {
    Database database;
    database.path_ = path;
    sqlite3* handle = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &handle, flags | SQLITE_OPEN_NOMUTEX, nullptr);
    database.handle_.reset(handle);
    if (code != SQLITE_OK) return database.failed();
    return database;
}

Result<Database> Database::create(const std::string& path) {
    auto database = open_with(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    if (!database) return database;
    const auto there = database->ask("SELECT count(*) FROM sqlite_master");
    if (!there) return tl::unexpected(there.error());
    if (*there != "0") return fail(ErrorCode::conflict, path + " exists already");
    // It is written once, as a whole, under another name: a journal of its own would only cost.
    const auto ready = database->run("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF");
    if (!ready) return tl::unexpected(ready.error());
    return database;
}

Result<Database> Database::open(const std::string& path) {
    return open_with(path, SQLITE_OPEN_READONLY);
}

Result<void> Database::run(const std::string& sql) {
    if (sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
        return failed();
    }
    return {};
}

Result<Statement> Database::prepare(const std::string& sql) {
    sqlite3_stmt* raw = nullptr;
    const int code =
        sqlite3_prepare_v2(handle_.get(), sql.c_str(), static_cast<int>(sql.size()), &raw, nullptr);
    Statement statement;
    statement.statement_.reset(raw);
    if (code != SQLITE_OK) return failed();
    return statement;
}

Result<std::optional<std::string>> Database::ask(const std::string& sql) {
    auto statement = prepare(sql);
    if (!statement) return tl::unexpected(statement.error());
    sqlite3_stmt* raw = statement->statement_.get();
    const int code = sqlite3_step(raw);
    if (code == SQLITE_DONE) return std::optional<std::string>();
    if (code != SQLITE_ROW) return failed();
    const unsigned char* text = sqlite3_column_text(raw, 0);
    if (text == nullptr) return std::optional<std::string>();
    const int size = sqlite3_column_bytes(raw, 0);
    return std::optional(
        std::string(reinterpret_cast<const char*>(text), static_cast<std::size_t>(size)));
}

}  // namespace parley::explanation
