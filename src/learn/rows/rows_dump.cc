#include "learn/rows/rows_dump.h"

#include "base/json.h"

#include <bit>

namespace parley::learn {
namespace {

static_assert(std::endian::native == std::endian::little, "the dump is little-endian");
static_assert(sizeof(Part) == 1);
static_assert(sizeof(TimePoint) == 8);

template <class T>
void append_bytes(std::string& out, const std::vector<T>& values) {
    out.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

}  // namespace

std::string dump_rows(const Rows& rows, const Split& split) {
    std::string out = "{\"rows\":" + std::to_string(rows.size()) + ",\"columns\":[";
    for (std::size_t i = 0; i < rows.columns.size(); ++i) {
        if (i > 0) out += ',';
        append_json_text(out, rows.columns[i].name);
    }
    out += "]}\n";
    append_bytes(out, rows.values);
    append_bytes(out, rows.label);
    append_bytes(out, rows.weight);
    append_bytes(out, rows.entity);
    append_bytes(out, split.part);
    append_bytes(out, rows.time);
    append_bytes(out, rows.event);
    return out;
}

}  // namespace parley::learn
