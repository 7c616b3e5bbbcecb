// Sqlite: a file and SQL in; rows, or one sentence that names the file, out.

#pragma once

#include "base/result.h"
#include "base/time.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

struct sqlite3;
struct sqlite3_stmt;

namespace parley::sqlite {

/// What a column may be given. A double that is not finite is stored as null.
using Cell = std::variant<std::nullptr_t, std::int64_t, double, std::string_view>;

/// A prepared statement, used again and again: bind all, step, reset; or run.
class Statement {
public:
    Statement() = default;

    /// Parameters are counted from 1. The next step reports what could not be bound.
    Statement& bind(int index, std::int64_t value);
    Statement& bind(int index, double value);
    Statement& bind(int index, std::string_view value);
    Statement& bind_null(int index);

    /// Whether there is a row. Resets itself after false or an error.
    [[nodiscard]] Result<bool> step();
    /// Runs a statement that returns no rows.
    [[nodiscard]] Result<void> run();
    /// Binds the cells in order, then runs.
    [[nodiscard]] Result<void> run(std::initializer_list<Cell> cells);
    void reset();

    /// Columns are counted from 0. NULL reads as empty text.
    std::int64_t whole(int column) const;
    double number(int column) const;
    std::string text(int column) const;
    bool is_null(int column) const;

private:
    friend class Database;
    explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}
    void note(int code);
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
    int unbound_ = 0;  ///< Why a parameter could not be bound; 0 if all could.
};

/// Fails with `denied` if anything but a regular file is where SQLite keeps files of its own beside
/// the database at `path`. Opening a database checks this.
[[nodiscard]] Result<void> check_beside(const std::string& path);

/// An open SQLite file. Used by one thread at a time; closed when destroyed.
class Database {
public:
    /// Holds no file: only assignment is allowed.
    Database() = default;

    /// Creates a file, or takes one that is empty; `conflict` if it holds anything. Not durable
    /// until somebody syncs it.
    [[nodiscard]] static Result<Database> create(const std::string& path);
    /// Opens an existing file read-only; does not wait for locks.
    [[nodiscard]] static Result<Database> open_to_read(const std::string& path);
    /// Opens a file that other programs write, too; creates it if missing and `create`. Waits at
    /// most `busy_limit` for locks. Safe for hostile files: nothing in the schema can run code.
    [[nodiscard]] static Result<Database> open_shared(const std::string& path, bool create,
                                                      Duration busy_limit);

    [[nodiscard]] Result<Statement> prepare(std::string_view sql);
    /// Runs several statements that have neither parameters nor rows.
    [[nodiscard]] Result<void> run(const std::string& sql);
    /// The first column of the first row; nothing if there is no row or it holds null.
    [[nodiscard]] Result<std::optional<std::string>> first(std::string_view sql);
    std::int64_t last_id() const;
    const std::string& path() const { return path_; }

private:
    struct Close {
        void operator()(sqlite3* db) const;
    };
    [[nodiscard]] static Result<Database> open_with(const std::string& path, int flags);

    std::unique_ptr<sqlite3, Close> db_;
    std::string path_;
};

}  // namespace parley::sqlite
