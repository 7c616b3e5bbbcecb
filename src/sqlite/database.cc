#include "sqlite/database.h"

#include "base/file.h"

#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>

namespace parley::sqlite {
namespace {

constexpr int kTextMax = 64 << 20;  // Longer text is refused.

Error error_of(int code, const char* why, const std::string& path) {
    std::string message = path + ": SQLite says: " + why;
    switch (code & 0xff) {  // The low byte is the basic code; the rest only refines it.
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
            message += "; copy it to a place where it may be written";
            return {ErrorCode::denied, std::move(message), std::nullopt};
        default:
            return {ErrorCode::denied, std::move(message), std::nullopt};
    }
}

tl::unexpected<Error> failed(sqlite3* db, const std::string& path) {
    return tl::unexpected<Error>(db == nullptr
                                     ? error_of(SQLITE_NOMEM, "out of memory", path)
                                     : error_of(sqlite3_errcode(db), sqlite3_errmsg(db), path));
}

std::string path_of(sqlite3_stmt* statement) {
    const char* file = sqlite3_db_filename(sqlite3_db_handle(statement), "main");
    return file != nullptr && *file != '\0' ? file : "a database in memory";
}

/// A pipe that nobody writes to would be waited for without end; a link beside a database would be
/// followed.
Result<void> check_regular(const std::string& path, PathKind kind) {
    if (kind == PathKind::nothing || kind == PathKind::file) return {};
    return fail(ErrorCode::denied, "cannot open " + path + ": it is " +
                                       (kind == PathKind::folder ? "a folder"
                                        : kind == PathKind::link ? "a link"
                                                                 : "not a regular file") +
                                       ", which SQLite would take for its own; remove it");
}

}  // namespace

Result<void> check_beside(const std::string& path) {
    for (const char* ending : {"-journal", "-wal", "-shm"}) {
        const auto kind = real_disk().kind(path + ending);
        if (!kind) return tl::unexpected(kind.error());
        if (auto ours = check_regular(path + ending, *kind); !ours) return ours;
    }
    return {};
}

namespace {

constexpr std::string_view kInMemory = ":memory:";

/// A link to a database is followed, and the files beside it are those beside what it leads to.
Result<void> check_files(const std::string& path) {
    if (path == kInMemory) return {};
    std::error_code none;
    const std::filesystem::path real = std::filesystem::canonical(path, none);
    if (none) return check_beside(path);  // It does not exist yet.
    const auto kind = real_disk().kind(real.string());
    if (!kind) return tl::unexpected(kind.error());
    if (*kind == PathKind::other) return check_regular(path, *kind);
    return check_beside(real.string());
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void Database::Close::operator()(sqlite3* db) const { sqlite3_close_v2(db); }

void Statement::note(int code) {
    if (code != SQLITE_OK && unbound_ == SQLITE_OK) unbound_ = code;
}

Statement& Statement::bind(int index, std::int64_t value) {
    note(sqlite3_bind_int64(statement_.get(), index, value));
    return *this;
}

Statement& Statement::bind(int index, double value) {
    note(sqlite3_bind_double(statement_.get(), index, value));
    return *this;
}

Statement& Statement::bind(int index, std::string_view value) {
    note(sqlite3_bind_text64(statement_.get(), index, value.data(), value.size(), SQLITE_TRANSIENT,
                             SQLITE_UTF8));
    return *this;
}

Statement& Statement::bind_null(int index) {
    note(sqlite3_bind_null(statement_.get(), index));
    return *this;
}

Result<bool> Statement::step() {
    if (unbound_ != SQLITE_OK) {
        Error error = error_of(unbound_, sqlite3_errstr(unbound_), path_of(statement_.get()));
        reset();
        return tl::unexpected<Error>(std::move(error));
    }
    const int code = sqlite3_step(statement_.get());
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) {
        reset();
        return false;
    }
    auto error = failed(sqlite3_db_handle(statement_.get()), path_of(statement_.get()));
    reset();
    return error;
}

Result<void> Statement::run() {
    const Result<bool> row = step();
    if (!row) return tl::unexpected<Error>(row.error());
    reset();
    return {};
}

Result<void> Statement::run(std::initializer_list<Cell> cells) {
    int index = 0;
    for (const Cell& cell : cells) {
        ++index;
        const auto* real = std::get_if<double>(&cell);
        if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
            bind(index, *whole);
        } else if (real != nullptr && std::isfinite(*real)) {
            bind(index, *real);
        } else if (const auto* text = std::get_if<std::string_view>(&cell)) {
            bind(index, *text);
        } else {
            bind_null(index);
        }
    }
    return run();
}

void Statement::reset() {
    sqlite3_reset(statement_.get());
    unbound_ = SQLITE_OK;
}

std::int64_t Statement::whole(int column) const {
    return sqlite3_column_int64(statement_.get(), column);
}

double Statement::number(int column) const {
    return sqlite3_column_double(statement_.get(), column);
}

std::string Statement::text(int column) const {
    const auto* text = sqlite3_column_text(statement_.get(), column);
    if (text == nullptr) return {};
    const int length = sqlite3_column_bytes(statement_.get(), column);
    return {reinterpret_cast<const char*>(text), static_cast<std::size_t>(length)};
}

bool Statement::is_null(int column) const {
    return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

Result<Database> Database::open_with(const std::string& path, int flags) {
    if (auto ours = check_files(path); !ours) return tl::unexpected(ours.error());
    Database database;
    database.path_ = path;
    sqlite3* db = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &db, flags | SQLITE_OPEN_NOMUTEX, nullptr);
    database.db_.reset(db);
    if (code != SQLITE_OK) return failed(db, path);
    return database;
}

Result<Database> Database::create(const std::string& path) {
    auto database = open_with(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    if (!database) return database;
    const auto there = database->first("SELECT count(*) FROM sqlite_master");
    if (!there) return tl::unexpected(there.error());
    if (*there != "0") return fail(ErrorCode::conflict, path + " exists already");
    // The file is written once, as a whole, and under another name: SQLite's own journal would be
    // of no use.
    const auto ready = database->run("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF");
    if (!ready) return tl::unexpected(ready.error());
    return database;
}

Result<Database> Database::open_to_read(const std::string& path) {
    return open_with(path, SQLITE_OPEN_READONLY);
}

Result<Database> Database::open_shared(const std::string& path, bool create, Duration busy_limit) {
    auto database = open_with(path, SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0));
    if (!database) return database;
    sqlite3* db = database->db_.get();
    sqlite3_busy_timeout(db,
                         static_cast<int>(std::min<std::int64_t>(busy_limit.us / 1000, 1 << 30)));
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, kTextMax);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    return database;
}

Result<Statement> Database::prepare(std::string_view sql) {
    sqlite3_stmt* statement = nullptr;
    const int code = sqlite3_prepare_v3(db_.get(), sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    if (code != SQLITE_OK) return failed(db_.get(), path_);
    return Statement(statement);
}

Result<void> Database::run(const std::string& sql) {
    if (sqlite3_exec(db_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
        return failed(db_.get(), path_);
    }
    return {};
}

Result<std::optional<std::string>> Database::first(std::string_view sql) {
    Result<Statement> statement = prepare(sql);
    if (!statement) return tl::unexpected<Error>(statement.error());
    const Result<bool> row = statement->step();
    if (!row) return tl::unexpected<Error>(row.error());
    return *row && !statement->is_null(0) ? std::optional(statement->text(0)) : std::nullopt;
}

std::int64_t Database::last_id() const { return sqlite3_last_insert_rowid(db_.get()); }

}  // namespace parley::sqlite
