#include "traces/borg.h"

#include "traces/table.h"

#include <array>
#include <limits>
#include <map>
#include <vector>

namespace parley::traces {
namespace {

constexpr std::size_t kRowsMax = 20'000'000;

struct Feature {
    std::string_view column;
    std::string_view unit;
};
constexpr Feature kFeatures[] = {
    {"scheduling_class", "class"},  {"collection_type", "type"}, {"priority", "priority"},
    {"vertical_scaling", "type"},   {"scheduler", "type"},       {"cluster", "number"},
    {"instance_index", "number"},   {"req_cpu", "share"},        {"req_mem", "share"},
    {"avg_cpu", "share"},           {"avg_mem", "share"},        {"max_cpu", "share"},
    {"max_mem", "share"},           {"rand_cpu", "share"},       {"assigned_memory", "share"},
    {"page_cache_memory", "share"}, {"cpi", "cycles"},           {"mai", "accesses"},
    {"sample_rate", "share"},       {"cpu_p0", "share"},         {"cpu_p10", "share"},
    {"cpu_p20", "share"},           {"cpu_p30", "share"},        {"cpu_p40", "share"},
    {"cpu_p50", "share"},           {"cpu_p60", "share"},        {"cpu_p70", "share"},
    {"cpu_p80", "share"},           {"cpu_p90", "share"},        {"cpu_p100", "share"}};
constexpr std::size_t kFeatureCount = std::size(kFeatures);

enum Field : std::size_t { collection = kFeatureCount, alloc, failed, start, end };

std::vector<std::string_view> wanted() {
    std::vector<std::string_view> names;
    for (const Feature& feature : kFeatures) names.push_back(feature.column);
    names.insert(names.end(), {"collection_id", "alloc_collection_id", "fail_official",
                               "start_time", "end_time"});
    return names;
}

std::vector<learn::Column> columns() {
    std::vector<learn::Column> all;
    for (const Feature& feature : kFeatures)
        all.push_back({std::string(feature.column), std::string(feature.unit)});
    all.push_back({"in_allocation", "yes/no"});
    all.push_back({"measured_for", "s"});
    return all;
}

class Importer {
public:
    explicit Importer(Table& table) : table_(table) { rows_.columns = columns(); }

    Result<void> take() {
        constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 4;
        const auto id = table_.whole(collection, 0, kMost);
        const auto fails = table_.whole(failed, 0, 1);
        const auto allocation = table_.whole(alloc, 0, kMost);
        const auto from_us = table_.whole(start, 0, kMost);
        const auto to_us = table_.whole(end, 0, kMost);
        for (const auto* field : {&id, &fails, &allocation, &from_us, &to_us})
            if (!*field) return tl::unexpected(field->error());
        if (*to_us < *from_us) return table_.refuse("end_time lies before start_time");
        if (rows_.size() == kRowsMax) return table_.refuse("it has too many rows");
        std::array<float, kFeatureCount> value{};
        for (std::size_t i = 0; i < kFeatureCount; ++i) {
            const auto number = table_.number_or_missing(i);
            if (!number) return tl::unexpected(number.error());
            value[i] = *number;
        }
        rows_.values.insert(rows_.values.end(), value.begin(), value.end());
        rows_.values.push_back(*allocation != 0 ? 1.0F : 0.0F);
        rows_.values.push_back(static_cast<float>(static_cast<double>(*to_us - *from_us) / 1e6));
        const auto next = static_cast<std::int32_t>(entities_.size());
        const std::int32_t entity = entities_.try_emplace(*id, next).first->second;
        rows_.label.push_back(static_cast<float>(*fails));
        rows_.weight.push_back(1);
        rows_.time.push_back({*to_us});
        rows_.entity.push_back(entity);
        rows_.group.push_back(0);
        // Instances of a collection fail together: that counts as one failure.
        rows_.event.push_back(*fails == 1 ? entity : learn::kNoEvent);
        keys_.push_back(static_cast<std::uint64_t>(*id));
        return {};
    }

    Result<RiskTrace> finish(const std::string& file) {
        if (rows_.size() == 0) return table_.refuse("it has a heading and no line");
        auto split = learn::split_by_key(keys_, "collection");
        if (!split) return within(file, split.error());
        return RiskTrace{.name = "borg",
                         .what = "the task fails",
                         .entity = "collection",
                         .rows = std::move(rows_),
                         .split = std::move(*split),
                         .step = {}};
    }

private:
    Table& table_;
    learn::Rows rows_;
    std::vector<std::uint64_t> keys_;
    std::map<std::int64_t, std::int32_t> entities_;
};

}  // namespace

Result<RiskTrace> import_borg(const std::string& file, std::string_view text) {
    auto table = Table::open(file, text, wanted());
    if (!table) return tl::unexpected(table.error());
    Importer importer(*table);
    while (true) {
        const auto more = table->next();
        if (!more) return tl::unexpected(more.error());
        if (!*more) break;
        if (const auto done = importer.take(); !done) return tl::unexpected(done.error());
    }
    return importer.finish(file);
}

}  // namespace parley::traces
