#include "traces/csv_table.h"

#include "base/number.h"
#include "base/time_text.h"
#include "config/nearest.h"
#include "learn/rows/censoring.h"
#include "traces/table.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <utility>

namespace parley::traces {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();
constexpr Duration kDay = hours(24);
/// The order of the wanted fields of a line; features follow.
enum Field : std::size_t { time_field, value_field, entity_field };

struct Line {
    TimePoint at;
    double value = 0;  ///< NaN: missing.
    std::size_t line = 0;
    std::size_t first = 0;  ///< Of its features, in the numbers of all lines.
};

struct Entity {
    std::string name;
    std::vector<Line> lines;
};

struct Lines {
    std::vector<Entity> entities;
    std::vector<float> numbers;         ///< Features, line by line.
    std::vector<std::string> features;  ///< Their columns.
    std::vector<std::string> left_out;  ///< Columns that hold text.
};

/// The columns that the user named must be in the heading, each once and for one purpose.
Result<void> check_columns(const std::string& file, std::span<const std::string> heading,
                           std::span<const std::string> wanted) {
    for (const std::string& name : wanted) {
        if (std::ranges::count(wanted, name) > 1) {
            return fail(ErrorCode::denied, "the column " + in_quotes(name) +
                                               " is named for two things; name another one");
        }
        if (std::ranges::find(heading, name) != heading.end()) continue;
        return fail(
            ErrorCode::malformed,
            file + ":1: " + config::none_called("column", name, {heading.begin(), heading.end()}));
    }
    return {};
}

Result<double> event_in(const Table& table) {
    if (table.missing(value_field)) return kNothing;
    const std::string_view text = table.text(value_field);
    for (const std::string_view yes : {"true", "True", "TRUE"})
        if (text == yes) return 1.0;
    for (const std::string_view no : {"false", "False", "FALSE"})
        if (text == no) return 0.0;
    const auto value = table.number(value_field);
    if (!value) return value;
    if (*value != 0 && *value != 1) {
        return table.refuse("an event is 0 or 1, and " + in_quotes(text) + " was given");
    }
    return value;
}

/// Which of the columns hold only numbers: text cannot be a feature.
Result<std::vector<std::string>> number_columns(const std::string& file, std::string_view text,
                                                std::vector<std::string> candidates,
                                                std::vector<std::string>& left_out) {
    const std::vector<std::string_view> wanted(candidates.begin(), candidates.end());
    auto table = Table::open(file, text, wanted);
    if (!table) return tl::unexpected(table.error());
    std::vector<bool> numeric(wanted.size(), true);
    std::vector<bool> known(wanted.size(), false);
    while (true) {
        const auto more = table->next();
        if (!more) return tl::unexpected(more.error());
        if (!*more) break;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            if (!numeric[i] || table->missing(i)) continue;
            known[i] = true;
            numeric[i] = table->number_or_missing(i).has_value();
        }
    }
    std::vector<std::string> kept;
    for (std::size_t i = 0; i < wanted.size(); ++i)
        (numeric[i] && known[i] ? kept : left_out).push_back(std::move(candidates[i]));
    return kept;
}

struct Reading {
    std::vector<std::string> features;
    bool events = false;  ///< The value is 0 or 1.
};

Result<Lines> read_lines(const std::string& file, std::string_view text, const CsvColumns& columns,
                         const Reading& reading) {
    std::vector<std::string_view> wanted = {columns.time, columns.value};
    if (!columns.entity.empty()) wanted.emplace_back(columns.entity);
    const std::size_t first = wanted.size();
    wanted.insert(wanted.end(), reading.features.begin(), reading.features.end());
    auto table = Table::open(file, text, wanted);
    if (!table) return tl::unexpected(table.error());
    Lines all{.features = reading.features};
    std::map<std::string, std::size_t, std::less<>> places;
    while (true) {
        const auto more = table->next();
        if (!more) return tl::unexpected(more.error());
        if (!*more) return all;
        const auto at = csv_time(table->text(time_field));
        if (!at) {
            return table->refuse(columns.time +
                                 " must be a time such as 2026-01-31T08:00:00Z or seconds or "
                                 "milliseconds since 1970, not " +
                                 in_quotes(table->text(time_field)));
        }
        const auto value = reading.events                ? event_in(*table)
                           : table->missing(value_field) ? Result<double>(kNothing)
                                                         : table->number(value_field);
        if (!value) return tl::unexpected(value.error());
        std::string_view name = columns.value;
        if (!columns.entity.empty()) {
            if (table->missing(entity_field)) return table->refuse(columns.entity + " is missing");
            name = table->text(entity_field);
        }
        auto place = places.find(name);
        if (place == places.end()) {
            if (all.entities.size() == kSeriesMax) return table->refuse("it has too many entities");
            place = places.emplace(name, all.entities.size()).first;
            all.entities.push_back({.name = std::string(name)});
        }
        all.entities[place->second].lines.push_back(
            {*at, *value, table->line(), all.numbers.size()});
        for (std::size_t i = 0; i < reading.features.size(); ++i) {
            const auto number = table->number_or_missing(first + i);
            if (!number) return tl::unexpected(number.error());
            all.numbers.push_back(*number);
        }
    }
}

/// By time; a time that an entity has twice is an error.
Result<void> put_in_order(const std::string& file, Lines& all) {
    for (Entity& entity : all.entities) {
        std::ranges::sort(entity.lines, {},
                          [](const Line& each) { return std::pair(each.at, each.line); });
        const auto twice = std::ranges::adjacent_find(entity.lines, {}, &Line::at);
        if (twice == entity.lines.end()) continue;
        return fail(ErrorCode::malformed,
                    file + ":" + std::to_string((twice + 1)->line) + ": the time " +
                        print_time(twice->at) + " of " + in_quotes(entity.name) +
                        " stands in line " + std::to_string(twice->line) +
                        " already; give each time once, with a zone where an hour comes twice");
    }
    return {};
}

/// Rounded to the second if that changes little: times are often slightly off, and a slightly wrong
/// step would put lines of a long series onto the wrong step.
Duration to_the_second(Duration step) {
    constexpr std::int64_t kHardly = 100;
    const std::int64_t whole = (step.us + seconds(1).us / 2) / seconds(1).us * seconds(1).us;
    return std::abs(whole - step.us) * kHardly <= step.us ? Duration{whole} : step;
}

/// The distance that most lines have; if none has half of them, the median.
Result<Duration> step_of(const std::string& file, const Lines& all,
                         const std::optional<Duration>& given) {
    if (given) return *given;
    std::map<Duration, std::size_t> counts;
    std::vector<Duration> steps;
    for (const Entity& entity : all.entities) {
        for (std::size_t i = 1; i < entity.lines.size(); ++i) {
            steps.push_back(entity.lines[i].at - entity.lines[i - 1].at);
            ++counts[steps.back()];
        }
    }
    if (steps.empty()) {
        return fail(ErrorCode::malformed,
                    file +
                        ": no entity has two lines, so that there is no step; name the column "
                        "that tells entities apart with --entity, or give --step");
    }
    const auto most = std::ranges::max_element(
        counts, [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most->second * 2 >= steps.size()) return to_the_second(most->first);
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::ranges::nth_element(steps, middle);
    return to_the_second(*middle);
}

Result<Lines> read_all(const std::string& file, std::string_view text, const CsvOptions& options,
                       bool events) {
    const auto heading = Table::heading(file, text);
    if (!heading) return tl::unexpected(heading.error());
    std::vector<std::string> named = {options.columns.time, options.columns.value};
    if (!options.columns.entity.empty()) named.push_back(options.columns.entity);
    Reading reading{.events = events};
    for (const CsvFeature& each : options.features) reading.features.push_back(each.column);
    std::vector<std::string> all = named;
    all.insert(all.end(), reading.features.begin(), reading.features.end());
    if (auto fine = check_columns(file, *heading, all); !fine) return tl::unexpected(fine.error());
    std::vector<std::string> left_out;
    if (events && options.features.empty()) {
        std::vector<std::string> others;
        for (const std::string& name : *heading)
            if (std::ranges::find(named, name) == named.end()) others.push_back(name);
        auto numbers = number_columns(file, text, std::move(others), left_out);
        if (!numbers) return tl::unexpected(numbers.error());
        reading.features = *std::move(numbers);
    }
    auto lines = read_lines(file, text, options.columns, reading);
    if (!lines) return lines;
    if (auto fine = put_in_order(file, *lines); !fine) return tl::unexpected(fine.error());
    lines->left_out = std::move(left_out);
    return lines;
}

/// Rows of one entity after the other.
class Builder {
public:
    Builder(const Lines& all, const CsvOptions& options, Duration step, Duration horizon)
        : all_(all), options_(options), step_(step), horizon_(horizon) {
        if (!options.features.empty()) {
            rows_.columns = options.list;
            return;
        }
        for (const std::string& name : all.features) rows_.columns.push_back({name, "as given"});
        for (const std::string& name : all.features)
            rows_.columns.push_back({"change_of_" + name, "as given"});
        rows_.columns.push_back({"since_last_failure", "h"});
        rows_.columns.push_back({"failures_before", "count"});
    }

    Result<learn::Rows> build() {
        std::int32_t number = 0;
        for (const Entity& entity : all_.entities) add(entity, number++);
        if (rows_.size() == 0)
            return fail(ErrorCode::malformed, "it has no line on which an entity has not failed");
        auto weights = learn::censoring_weights(watched_);
        if (!weights) return tl::unexpected(weights.error());
        rows_.weight = *std::move(weights);
        return std::move(rows_);
    }

private:
    /// Whether it is unknown what was between two consecutive lines, or on the later one.
    bool breaks(const Line& before, const Line& after) const {
        return (after.at - before.at).us * 2 > step_.us * 3 || std::isnan(after.value);
    }

    void add(const Entity& entity, std::int32_t number) {
        const std::vector<Line>& lines = entity.lines;
        const std::size_t n = lines.size();
        // From the last line backwards: how far it was watched, and the next failure.
        std::vector<TimePoint> until(n);
        std::vector<std::size_t> next(n, n);
        for (std::size_t i = n; i-- > 0;) {
            until[i] = lines[i].at;
            if (i + 1 == n || breaks(lines[i], lines[i + 1])) continue;
            const bool fails = lines[i + 1].value == 1;
            until[i] = fails ? lines[i + 1].at : until[i + 1];
            next[i] = fails ? i + 1 : next[i + 1];
        }
        std::optional<TimePoint> failed;
        int failures = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const bool down = lines[i].value == 1;
            if (down && (i == 0 || lines[i - 1].value != 1)) ++failures;
            if (down) failed = lines[i].at;
            if (lines[i].value != 0) continue;
            const Line* before = i > 0 && !breaks(lines[i - 1], lines[i]) ? &lines[i - 1] : nullptr;
            add_features(lines[i], before, failed, failures);
            add_end(lines, i, until[i], next[i]);
            rows_.entity.push_back(number);
        }
        events_ += static_cast<std::int32_t>(n);
    }

    void add_end(const std::vector<Line>& lines, std::size_t i, TimePoint until, std::size_t next) {
        const Line& line = lines[i];
        const bool fails = next < lines.size() && lines[next].at <= line.at + horizon_;
        const bool survives = !fails && until >= line.at + horizon_;
        rows_.label.push_back(fails ? 1.0F : 0.0F);
        rows_.event.push_back(fails ? events_ + static_cast<std::int32_t>(next) : learn::kNoEvent);
        rows_.time.push_back(line.at);
        rows_.group.push_back(0);
        watched_.push_back({.ending = fails      ? learn::Ending::failed
                                      : survives ? learn::Ending::survived
                                                 : learn::Ending::censored,
                            .after = fails      ? lines[next].at - line.at
                                     : survives ? horizon_
                                                : until - line.at});
    }

    void add_features(const Line& line, const Line* before, const std::optional<TimePoint>& failed,
                      int failures) {
        const std::size_t width = all_.features.size();
        const std::span now = std::span(all_.numbers).subspan(line.first, width);
        if (!options_.features.empty()) {
            std::vector<float> row(rows_.columns.size(), kMissing);
            for (std::size_t k = 0; k < width; ++k) {
                const CsvFeature& each = options_.features[k];
                row[each.place] = static_cast<float>(now[k] * each.times);
            }
            rows_.values.insert(rows_.values.end(), row.begin(), row.end());
            return;
        }
        rows_.values.insert(rows_.values.end(), now.begin(), now.end());
        for (std::size_t k = 0; k < width; ++k) {
            const float change =
                before == nullptr ? kMissing : now[k] - all_.numbers[before->first + k];
            rows_.values.push_back(std::isfinite(change) ? change : kMissing);
        }
        rows_.values.push_back(failed ? static_cast<float>(in_minutes(line.at - *failed) / 60)
                                      : kMissing);
        rows_.values.push_back(static_cast<float>(failures));
    }

    const Lines& all_;
    const CsvOptions& options_;
    Duration step_;
    Duration horizon_;
    learn::Rows rows_;
    std::vector<learn::Watched> watched_;
    std::int32_t events_ = 0;  ///< Failures of the entities processed before.
};

}  // namespace

std::optional<TimePoint> csv_time(std::string_view text) {
    if (const auto number = parse_double(text, -1e19, 1e19); number) {
        // Seconds reach until the year 5138, milliseconds from 1973 on, and so on.
        const double size = std::fabs(*number);
        const double unit = size < 1e11 ? 1e6 : size < 1e14 ? 1e3 : size < 1e17 ? 1 : 1e-3;
        return TimePoint{std::llround(*number * unit)};
    }
    if (const auto time = time_in(text); time) return *time;
    return std::nullopt;
}

Result<LoadTrace> import_csv_demand(const std::string& file, std::string_view text,
                                    const CsvOptions& options) {
    const auto all = read_all(file, text, options, false);
    if (!all) return tl::unexpected(all.error());
    const auto step = step_of(file, *all, options.step);
    if (!step) return tl::unexpected(step.error());
    if (*step > kDay) return fail(ErrorCode::malformed, file + ": its step is more than a day");
    LoadTrace trace{.name = file_name(file), .what = options.columns.value};
    for (const std::size_t ahead : {1U, 3U, 12U})  // Forecasts reach at most a day.
        if (*step * static_cast<std::int64_t>(ahead) <= kDay) trace.ahead.push_back(ahead);
    for (const Entity& entity : all->entities) {
        Points points;
        for (const Line& line : entity.lines) points.push_back({line.at, line.value, line.line});
        auto values = on_steps(points, *step);
        if (!values) return within(file + ": " + in_quotes(entity.name), values.error());
        trace.series.push_back({.name = entity.name,
                                .unit = "as given",
                                .start = points.front().at,
                                .step = *step,
                                .values = *std::move(values)});
    }
    if (trace.series.empty())
        return fail(ErrorCode::malformed, file + ":1: it has a heading and no line");
    return trace;
}

Result<RiskTrace> import_csv_risk(const std::string& file, std::string_view text,
                                  const CsvOptions& options) {
    auto all = read_all(file, text, options, true);
    if (!all) return tl::unexpected(all.error());
    const auto step = step_of(file, *all, options.step);
    if (!step) return tl::unexpected(step.error());
    const Duration horizon = options.horizon.value_or(*step * kCsvHorizonSteps);
    if (horizon < *step) {
        return fail(ErrorCode::denied, "--horizon " + print_duration(horizon) +
                                           " is less than a step, which is " +
                                           print_duration(*step) + "; give a longer one");
    }
    auto rows = Builder(*all, options, *step, horizon).build();
    if (!rows) return within(file, rows.error());
    auto split = learn::split_rows(*rows, horizon);
    if (!split) return within(file, split.error());
    return RiskTrace{.name = file_name(file),
                     .what = options.columns.value + " within " + print_duration(horizon),
                     .entity = options.columns.entity.empty() ? "entity" : options.columns.entity,
                     .rows = *std::move(rows),
                     .split = *std::move(split),
                     .step = *step,
                     .horizon = horizon,
                     .left_out = std::move(all->left_out)};
}

}  // namespace parley::traces
