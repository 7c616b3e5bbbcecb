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

    /// Parameters count from 1. What cannot be bound is said by the next step.
    Statement& bind(int index, std::int64_t value);
    Statement& bind(int index, double value);
    Statement& bind(int index, std::string_view value);
    Statement& bind_null(int index);

    /// True if there is a row. After false or an error it is reset.
    [[nodiscard]] Result<bool> step();
    /// A statement that gives no rows.
    [[nodiscard]] Result<void> run();
    /// Binds the cells in order first.
    [[nodiscard]] Result<void> run(std::initializer_list<Cell> cells);
    void reset();

    /// Columns count from 0. Text of NULL is empty.
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

/// An open file of SQLite's. One thread at a time; closed when destroyed.
class Database {
public:
    /// None: every call but assignment is a mistake.
    Database() = default;

    /// Begins a file that is missing or empty, not durable until somebody syncs it; conflict if
    /// there is something in it.
    [[nodiscard]] static Result<Database> create(const std::string& path);
    /// Opens an existing one for reading only; does not wait for locks.
    [[nodiscard]] static Result<Database> open_to_read(const std::string& path);
    /// Opens one that other programs write too, and makes it if it does not exist and `create`.
    /// Waits for them at most `busy_limit`. Hostile files are expected: nothing in the schema runs
    /// code of its own.
    [[nodiscard]] static Result<Database> open_shared(const std::string& path, bool create,
                                                      Duration busy_limit);

    [[nodiscard]] Result<Statement> prepare(std::string_view sql);
    /// Several statements without parameters or rows.
    [[nodiscard]] Result<void> run(const std::string& sql);
    /// The first column of the first row; nothing if there is no row, or a null in it.
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
