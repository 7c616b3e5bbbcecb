// Layer 6, explanation: SQL and values in, rows in a SQLite file out.

#pragma once

#include "base/result.h"

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

struct sqlite3;
struct sqlite3_stmt;

namespace parley::explanation {

/// What a column may hold. A double that is not finite is stored as null.
using Cell = std::variant<std::nullptr_t, std::int64_t, double, std::string_view>;

/// One prepared statement, used again and again.
class Statement {
public:
    /// Binds the cells in order, runs it to its end. `malformed` or `unavailable` on failure.
    [[nodiscard]] Result<void> run(std::initializer_list<Cell> cells);

private:
    friend class Database;
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// A file of SQLite's. One thread at a time; closed when destroyed. Errors are one sentence that
/// names the file.
class Database {
public:
    /// Begins a file that is missing or empty, not durable until somebody syncs it; fails if there
    /// is something in it.
    [[nodiscard]] static Result<Database> create(const std::string& path);
    /// Opens an existing one for reading only; does not wait for locks.
    [[nodiscard]] static Result<Database> open(const std::string& path);

    [[nodiscard]] Result<void> run(const std::string& sql);
    [[nodiscard]] Result<Statement> prepare(const std::string& sql);
    /// The first column of the first row; nothing if there is none.
    [[nodiscard]] Result<std::optional<std::string>> ask(const std::string& sql);

private:
    struct Close {
        void operator()(sqlite3* handle) const;
    };
    [[nodiscard]] static Result<Database> open_with(const std::string& path, int flags);
    tl::unexpected<Error> failed() const;

    std::unique_ptr<sqlite3, Close> handle_;
    std::string path_;
};

}  // namespace parley::explanation
