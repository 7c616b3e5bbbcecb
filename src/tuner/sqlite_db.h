// Tuner: SQLite with Results: a file in, statements out.

#pragma once

#include "base/result.h"
#include "base/time.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace parley::tuner {

/// A prepared statement, used again and again: bind all, step, reset.
class SqliteStatement {
public:
    SqliteStatement() = default;
    explicit SqliteStatement(sqlite3_stmt* statement) : statement_(statement) {}

    /// Parameters count from 1.
    SqliteStatement& bind(int index, std::int64_t value);
    SqliteStatement& bind(int index, double value);
    SqliteStatement& bind(int index, std::string_view value);
    SqliteStatement& bind_null(int index);

    /// True if there is a row. After false or an error it is reset.
    [[nodiscard]] Result<bool> step();
    /// A statement that gives no rows.
    [[nodiscard]] Result<void> run();
    void reset();

    /// Columns count from 0. Text of NULL is empty.
    std::int64_t whole(int column) const;
    double number(int column) const;
    std::string text(int column) const;
    bool is_null(int column) const;

private:
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// An open database. Hostile files are expected: nothing in the schema runs code of its own.
class SqliteDb {
public:
    /// Made if it does not exist and `create`. Waits for other writers at most `busy_limit`.
    [[nodiscard]] static Result<SqliteDb> open(const std::string& path, bool create,
                                               Duration busy_limit);

    [[nodiscard]] Result<SqliteStatement> prepare(std::string_view sql);
    /// Several statements without parameters or rows.
    [[nodiscard]] Result<void> run(const std::string& sql);
    /// The first column of the first row; nothing if there is no row.
    [[nodiscard]] Result<std::optional<std::string>> first(std::string_view sql);
    std::int64_t last_id() const;
    const std::string& path() const { return path_; }

private:
    struct Close {
        void operator()(sqlite3* db) const;
    };
    SqliteDb(sqlite3* db, std::string path) : db_(db), path_(std::move(path)) {}

    std::unique_ptr<sqlite3, Close> db_;
    std::string path_;
};

}  // namespace parley::tuner
