#include "traces/drive_rows.h"

#include <limits>
#include <string>
#include <utility>

namespace parley::traces {
namespace {

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

/// Bad sectors and uncorrectable errors: a rise says more than the count.
constexpr std::array<std::size_t, 4> kRising = {0, 3, 7, 8};

std::vector<learn::Column> columns() {
    std::vector<learn::Column> all;
    for (const std::string_view name : kDriveReadings) all.push_back({std::string(name), "count"});
    for (const std::size_t i : kRising)
        all.push_back({"rise_of_" + std::string(kDriveReadings[i]), "count"});
    all.push_back({"age", "h"});
    all.push_back({"watched_for", "h"});
    all.push_back({"since_last_change", "h"});
    all.push_back({"size", "TB"});
    for (const std::string_view name : kDriveMakers)
        all.push_back({"made_by_" + std::string(name), "yes/no"});
    return all;
}

}  // namespace

Result<DriveReadings> readings_in(const Table& table, std::size_t first) {
    DriveReadings all{};
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto value = table.amount_or_missing(first + i);
        if (!value) return tl::unexpected(value.error());
        if (*value > std::numeric_limits<float>::max())
            return table.refuse("a reading is too large");
        all[i] = static_cast<float>(*value);
    }
    return all;
}

DriveRows::DriveRows() { rows_.columns = columns(); }

std::optional<double> DriveRows::last_of(std::int32_t drive) const {
    const auto found = before_.find(drive);
    return found == before_.end() ? std::nullopt : std::optional(found->second.watched_h);
}

void DriveRows::add(const DriveInterval& interval) {
    const auto found = before_.find(interval.drive);
    const Before* before = found == before_.end() ? nullptr : &found->second;
    const DriveReadings& now = interval.readings;
    auto& values = rows_.values;
    values.insert(values.end(), now.begin(), now.end());
    for (const std::size_t i : kRising)
        values.push_back(before != nullptr ? now[i] - before->readings[i] : kMissing);
    values.push_back(interval.age_h ? static_cast<float>(*interval.age_h) : kMissing);
    values.push_back(static_cast<float>(interval.watched_h));
    values.push_back(before != nullptr ? static_cast<float>(interval.watched_h - before->watched_h)
                                       : kMissing);
    values.push_back(static_cast<float>(interval.size_tb));
    for (const std::string_view name : kDriveMakers)
        values.push_back(interval.maker == name ? 1.0F : 0.0F);
    rows_.label.push_back(interval.failed ? 1.0F : 0.0F);
    rows_.time.push_back(interval.began);
    rows_.entity.push_back(interval.drive);
    rows_.group.push_back(0);
    rows_.event.push_back(interval.failed ? failures_++ : learn::kNoEvent);
    keys_.push_back(interval.key);
    newest_[interval.drive] = watched_.size();
    watched_.push_back({.ending = interval.failed ? learn::Ending::failed : learn::Ending::survived,
                        .after = interval.lasted});
    before_[interval.drive] = {interval.watched_h, now};
}

Result<RiskTrace> DriveRows::finish() {
    for (const auto& [drive, row] : newest_) {
        if (watched_[row].ending != learn::Ending::failed)
            watched_[row].ending = learn::Ending::censored;
    }
    auto weights = learn::censoring_weights(watched_);
    if (!weights) return tl::unexpected(weights.error());
    rows_.weight = *std::move(weights);
    auto split = learn::split_by_key(keys_, "drive");
    if (!split) return tl::unexpected(split.error());
    return RiskTrace{.name = "backblaze",
                     .what = "the drive fails before its readings change again",
                     .entity = "drive",
                     .rows = std::move(rows_),
                     .split = std::move(*split),
                     .step = {}};
}

}  // namespace parley::traces
