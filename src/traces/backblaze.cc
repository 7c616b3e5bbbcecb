#include "traces/backblaze.h"

#include "base/number.h"
#include "base/time_text.h"
#include "traces/table.h"

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

namespace parley::traces {
namespace {

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();
constexpr std::size_t kRowsMax = 20'000'000;
constexpr double kHoursMax = 1'000'000;  // More than a century.
constexpr double kReadingMost = std::numeric_limits<float>::max();

constexpr std::array<std::string_view, 9> kReadings = {"smart_5",   "smart_10",  "smart_12",
                                                       "smart_187", "smart_188", "smart_189",
                                                       "smart_196", "smart_197", "smart_198"};
constexpr std::array<std::string_view, 5> kMakers = {"HGST", "Hitachi", "ST", "TOSHIBA", "WDC"};
/// Sectors that went bad, errors nobody could correct: a rise says more than the count.
constexpr std::array<std::size_t, 4> kRising = {0, 3, 7, 8};

enum Field : std::size_t { drive, maker, size_tb, min_date, min_hours, tstart, fails, readings };

std::vector<std::string_view> wanted() {
    std::vector<std::string_view> names = {"drive_id",  "manufacturer", "size_tb", "min_date",
                                           "min_hours", "tstart",       "fails"};
    names.insert(names.end(), kReadings.begin(), kReadings.end());
    return names;
}

std::vector<learn::Column> columns() {
    std::vector<learn::Column> all;
    for (const std::string_view name : kReadings) all.push_back({std::string(name), "count"});
    for (const std::size_t i : kRising)
        all.push_back({"rise_of_" + std::string(kReadings[i]), "count"});
    all.push_back({"age", "h"});
    all.push_back({"watched_for", "h"});
    all.push_back({"since_last_change", "h"});
    all.push_back({"size", "TB"});
    for (const std::string_view name : kMakers)
        all.push_back({"made_by_" + std::string(name), "yes/no"});
    return all;
}

/// The interval before, of the same drive.
struct Before {
    double tstart = 0;
    std::array<float, kReadings.size()> reading{};
};

class Importer {
public:
    explicit Importer(Table& table) : table_(table) { rows_.columns = columns(); }

    Result<void> take() {
        const auto id = table_.whole(drive, 0, std::numeric_limits<std::int32_t>::max());
        const auto failed = table_.whole(fails, 0, 1);
        for (const auto* field : {&id, &failed})
            if (!*field) return tl::unexpected(field->error());
        const auto size = table_.amount_or_missing(size_tb);
        if (!size) return tl::unexpected(size.error());
        std::array<double, 2> hours_of{};
        for (std::size_t i = 0; i < 2; ++i) {
            const auto hours = table_.number(i == 0 ? min_hours : tstart);
            if (!hours) return tl::unexpected(hours.error());
            if (*hours < 0 || *hours > kHoursMax) return table_.refuse("hours are out of range");
            hours_of[i] = *hours;
        }
        if (hours_of[1] < hours_of[0]) return table_.refuse("tstart lies before min_hours");
        const auto since = parse_time(std::string(table_.text(min_date)) + "T00:00:00Z");
        if (!since) return table_.refuse("min_date must be such as 2015-02-05");
        std::array<float, kReadings.size()> reading{};
        for (std::size_t i = 0; i < kReadings.size(); ++i) {
            const auto value = table_.amount_or_missing(readings + i);
            if (!value) return tl::unexpected(value.error());
            if (*value > kReadingMost) return table_.refuse("a reading is too large");
            reading[i] = static_cast<float>(*value);
        }
        if (rows_.size() == kRowsMax) return table_.refuse("it has too many rows");
        const Before* before = before_of(*id);
        if (before != nullptr && hours_of[1] <= before->tstart) {
            return table_.refuse(
                "intervals of a drive must follow each other in time; sort its lines by tstart and "
                "drop what stands twice");
        }
        add_features(before, hours_of[0], hours_of[1], static_cast<float>(*size), reading);
        rows_.label.push_back(static_cast<float>(*failed));
        rows_.weight.push_back(1);
        const auto watched_us = static_cast<std::int64_t>((hours_of[1] - hours_of[0]) * 3.6e9);
        rows_.time.push_back({since->us + watched_us});
        rows_.entity.push_back(static_cast<std::int32_t>(*id));
        rows_.group.push_back(0);
        rows_.event.push_back(*failed == 1 ? failures_++ : learn::kNoEvent);
        keys_.push_back(static_cast<std::uint64_t>(*id));
        before_[*id] = {hours_of[1], reading};
        return {};
    }

    Result<RiskTrace> finish(const std::string& file) {
        if (rows_.size() == 0) return table_.refuse("it has a heading and no line");
        auto split = learn::split_by_key(keys_, "drive");
        if (!split) return within(file, split.error());
        return RiskTrace{.name = "backblaze",
                         .what = "the drive fails before its readings change again",
                         .entity = "drive",
                         .rows = std::move(rows_),
                         .split = std::move(*split),
                         .step = {}};
    }

private:
    const Before* before_of(std::int64_t id) const {
        const auto found = before_.find(id);
        return found == before_.end() ? nullptr : &found->second;
    }

    /// `before` is null where the drive is new.
    void add_features(const Before* before, double first_hours, double now_hours, float size,
                      const std::array<float, kReadings.size()>& reading) {
        auto& values = rows_.values;
        values.insert(values.end(), reading.begin(), reading.end());
        for (const std::size_t i : kRising)
            values.push_back(before != nullptr ? reading[i] - before->reading[i] : kMissing);
        values.push_back(static_cast<float>(now_hours));
        values.push_back(static_cast<float>(now_hours - first_hours));
        values.push_back(before != nullptr ? static_cast<float>(now_hours - before->tstart)
                                           : kMissing);
        values.push_back(size);
        for (const std::string_view name : kMakers)
            values.push_back(table_.text(maker) == name ? 1.0F : 0.0F);
    }

    Table& table_;
    learn::Rows rows_;
    std::vector<std::uint64_t> keys_;
    std::map<std::int64_t, Before> before_;  ///< By drive, as drives may take turns in a file.
    std::int32_t failures_ = 0;
};

}  // namespace

Result<RiskTrace> import_backblaze(const std::string& file, std::string_view text) {
    if (text.substr(0, text.find('\n')).find("serial_number") != std::string_view::npos) {
        return fail(ErrorCode::malformed,
                    file +
                        ":1: these are Backblaze's daily readings, and what is read are "
                        "intervals in which a drive's readings stayed (drive_id, tstart, fails "
                        "and so on); bring them into that form");
    }
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
