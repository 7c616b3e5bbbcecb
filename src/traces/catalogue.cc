#include "traces/catalogue.h"

#include "config/nearest.h"
#include "traces/backblaze.h"
#include "traces/backblaze_daily.h"
#include "traces/bitbrains.h"
#include "traces/borg.h"
#include "traces/datacenter_utilisation.h"
#include "traces/grid5000.h"
#include "traces/nab.h"
#include "traces/text_file.h"
#include "traces/web_rates.h"

#include <algorithm>
#include <optional>

namespace parley::traces {
namespace {

constexpr Entry kRisk[] = {
    {"backblaze", "drives with SMART readings: does one fail?", true},
    {"borg", "tasks of Google's Borg in 2019: does one fail?"},
    {"grid5000", "nodes of Grid'5000 up and down: is one down within a day?"},
};
constexpr Entry kLoad[] = {
    {"bitbrains", "CPU of virtual machines", true},
    {"datacenter", "CPU of a whole data centre: Google, Azure or Alibaba", true},
    {"nab", "a metric of the Numenta anomaly benchmark", true},
    {"web-rates", "requests per second of a web service", true},
};

bool is_table(const std::string& name) {
    return !name.starts_with('.') && (name.ends_with(".csv") || name.ends_with(".csv.gz"));
}

/// The tables in a folder, by name; nothing if the path is a file, or cannot be listed.
std::optional<std::vector<std::string>> tables_in(Disk& disk, const std::string& path) {
    auto names = disk.list(path);
    if (!names) return std::nullopt;
    std::vector<std::string> files;
    for (const std::string& name : *names)
        if (is_table(name)) files.push_back(join(path, name));
    return files;
}

constexpr const char* kOneFile = "this trace is one file; give it with --from FILE";

Result<RiskTrace> read_days(Disk& disk, const std::vector<std::string>& files) {
    BackblazeDays days;
    for (const std::string& file : files) {
        const auto text = read_text(disk, file);
        if (!text) return tl::unexpected(text.error());
        if (auto done = days.take(file, *text); !done) return tl::unexpected(done.error());
    }
    return days.finish();
}

}  // namespace

std::span<const Entry> risk_traces() { return kRisk; }
std::span<const Entry> load_traces() { return kLoad; }

Result<void> check_name(const std::string& name, std::span<const Entry> known) {
    std::vector<std::string> names;
    for (const Entry& entry : known) {
        if (name == entry.name) return {};
        names.emplace_back(entry.name);
    }
    return fail(ErrorCode::denied, config::none_called("trace", name, names));
}

Result<void> check_count(const std::string& name, std::span<const Entry> known, std::size_t files) {
    const auto found = std::ranges::find(known, name, &Entry::name);
    const bool several = found != known.end() && found->several;
    if (files == 0 && several) {
        return fail(ErrorCode::denied, "there is nothing to learn from; give --from FILE...");
    }
    if (files == 1 || several) return {};
    return fail(ErrorCode::denied, kOneFile);
}

Result<std::vector<std::string>> trace_files(Disk& disk, const std::vector<std::string>& from) {
    std::vector<std::string> files;
    for (const std::string& path : from) {
        const auto inside = tables_in(disk, path);
        if (inside && inside->empty()) {
            return fail(ErrorCode::denied, "the folder " + path +
                                               " holds no file that ends with .csv or .csv.gz; "
                                               "name the files themselves");
        }
        for (const std::string& file : inside.value_or(std::vector{path})) {
            if (std::ranges::find(files, file) != files.end())
                return fail(ErrorCode::denied, file + " is named twice; name it once");
            files.push_back(file);
        }
    }
    return files;
}

Result<RiskTrace> read_risk_trace(Disk& disk, const std::string& name,
                                  const std::vector<std::string>& files) {
    if (auto fine = check_name(name, kRisk); !fine) return tl::unexpected(fine.error());
    if (auto fine = check_count(name, kRisk, files.size()); !fine) {
        return tl::unexpected(fine.error());
    }
    const auto text = read_text(disk, files.front());
    if (!text) return tl::unexpected(text.error());
    if (name == "backblaze" && BackblazeDays::known(*text)) return read_days(disk, files);
    if (files.size() > 1) {
        return fail(ErrorCode::denied,
                    "intervals of drives are one file, and only daily files may be "
                    "several; give one with --from FILE");
    }
    return name == "backblaze" ? import_backblaze(files.front(), *text)
           : name == "borg"    ? import_borg(files.front(), *text)
                               : import_grid5000(files.front(), *text);
}

Result<LoadTrace> read_load_trace(Disk& disk, const std::string& name,
                                  const std::vector<std::string>& files) {
    if (auto fine = check_name(name, kLoad); !fine) return tl::unexpected(fine.error());
    LoadTrace all;
    for (const std::string& file : files) {
        const auto text = read_text(disk, file);
        if (!text) return tl::unexpected(text.error());
        auto one = name == "bitbrains"    ? import_bitbrains(file, *text)
                   : name == "datacenter" ? import_datacenter(file, *text)
                   : name == "nab"        ? import_nab(file, *text)
                                          : import_web_rates(file, *text);
        if (!one) return one;
        const auto hollow = [](const learn::Series& series) { return series.values.empty(); };
        if (std::ranges::all_of(one->series, hollow)) {
            return fail(ErrorCode::malformed,
                        file + ": below its heading it holds no value, or less than one step");
        }
        if (all.series.empty()) {
            all = std::move(*one);
            continue;
        }
        if (all.name != one->name) all.name = name;
        for (learn::Series& series : one->series) all.series.push_back(std::move(series));
        if (all.series.size() > kSeriesMax)
            return fail(ErrorCode::malformed, "there are too many series; give fewer files");
    }
    if (all.series.empty())
        return fail(ErrorCode::malformed, "the trace holds no series; is it the right file?");
    return all;
}

}  // namespace parley::traces
