#include "learn/rows/rows_check.h"

#include "base/hash.h"

#include <cmath>
#include <set>
#include <string_view>

namespace parley::learn {
namespace {

tl::unexpected<Error> refuse(const std::string& what) {
    return fail(ErrorCode::malformed, "data set: " + what);
}

std::string row_name(std::size_t i) { return "row " + std::to_string(i); }

Result<void> check_columns(const Rows& rows) {
    if (rows.columns.empty()) return refuse("it has no features; name at least one column");
    if (rows.columns.size() > kColumnsMax) {
        return refuse("it has " + std::to_string(rows.columns.size()) + " features of at most " +
                      std::to_string(kColumnsMax));
    }
    std::set<std::string_view> names;
    for (const Column& column : rows.columns) {
        if (column.name.empty()) return refuse("a feature has no name");
        if (column.unit.empty()) return refuse("feature " + column.name + " has no unit");
        if (!names.insert(column.name).second) {
            return refuse("feature " + column.name + " stands there twice");
        }
    }
    return {};
}

Result<void> check_lengths(const Rows& rows) {
    const std::size_t n = rows.size();
    if (n == 0) return refuse("it has no rows");
    if (n > kRowsMax) {
        return refuse("it has " + std::to_string(n) + " rows of at most " +
                      std::to_string(kRowsMax));
    }
    const bool equal = rows.weight.size() == n && rows.time.size() == n &&
                       rows.entity.size() == n && rows.group.size() == n && rows.event.size() == n;
    if (!equal || rows.values.size() != n * rows.columns.size()) {
        return refuse("its parts have different lengths; every row needs all of them");
    }
    return {};
}

template <class T>
void take(Sha256& hash, const std::vector<T>& values) {
    hash.update({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
}

}  // namespace

Result<void> check_rows(const Rows& rows) {
    if (auto columns = check_columns(rows); !columns) return columns;
    if (auto lengths = check_lengths(rows); !lengths) return lengths;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!std::isfinite(rows.label[i])) return refuse(row_name(i) + " has no label");
        if (!std::isfinite(rows.weight[i]) || rows.weight[i] < 0) {
            return refuse(row_name(i) + " has no weight; a censored row weighs 0");
        }
        if (rows.entity[i] < 0) return refuse(row_name(i) + " has no entity");
        if (rows.group[i] < 0) return refuse(row_name(i) + " has no run");
    }
    return {};
}

Result<void> check_risk_rows(const Rows& rows) {
    if (auto good = check_rows(rows); !good) return good;
    bool zero = false;
    bool one = false;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const float label = rows.label[i];
        if (label != 0 && label != 1)
            return refuse(row_name(i) + " has a label that is not 0 or 1");
        (label == 1 ? one : zero) = true;
    }
    if (!one) return refuse("no row has the label 1; nothing that failed is in it");
    if (!zero) return refuse("no row has the label 0; nothing that survived is in it");
    return {};
}

std::string fingerprint(const Rows& rows) {
    Sha256 hash;
    for (const Column& column : rows.columns) {
        // With lengths, so that different lists never give the same text.
        hash.update(std::to_string(column.name.size()) + ":" + column.name);
        hash.update(std::to_string(column.unit.size()) + ":" + column.unit);
    }
    hash.update(";" + std::to_string(rows.size()));
    take(hash, rows.values);
    take(hash, rows.label);
    take(hash, rows.weight);
    take(hash, rows.time);
    take(hash, rows.entity);
    take(hash, rows.group);
    take(hash, rows.event);
    return hex(hash.finish());
}

}  // namespace parley::learn
