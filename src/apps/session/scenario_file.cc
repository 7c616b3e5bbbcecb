#include "apps/session/scenario_file.h"

#include "base/number.h"
#include "config/csv.h"
#include "config/nearest.h"
#include "config/read.h"
#include "sim/scenario/builtin_scenarios.h"

#include <utility>

namespace parley::app {
namespace {

Result<sim::Scenario> built_in(const std::string& name, std::uint64_t seed) {
    if (auto found = sim::builtin_scenario(name, seed)) return *std::move(found);
    std::vector<std::string> known;
    for (const auto& each : sim::builtin_scenarios()) known.push_back(each.name);
    const std::string near = config::nearest(name, known);
    const std::string hint =
        near.empty() ? "; 'parley scenario list' shows them." : "; did you mean " + near + "?";
    return fail(ErrorCode::denied, "no scenario is called " + in_quotes(name) + hint +
                                       " A file is named by its path, such as ./mine.yaml");
}

struct PlacedSeries {
    sim::Series* series;
    std::string path;
};

/// Every series that a scenario has, in the order of its file.
std::vector<PlacedSeries> all_series(sim::Scenario& scenario) {
    std::vector<PlacedSeries> all;
    for (std::size_t i = 0; i < scenario.workloads.size(); ++i) {
        auto& service = scenario.workloads[i].service;
        if (!service) continue;
        const std::string path = "workloads[" + std::to_string(i) + "].service";
        all.push_back({&service->rate, path + ".rate"});
        all.push_back({&service->payload, path + ".payload"});
    }
    for (std::size_t i = 0; i < scenario.jobs.size(); ++i) {
        all.push_back({&scenario.jobs[i].per_hour, "jobs[" + std::to_string(i) + "].per_hour"});
    }
    if (scenario.energy_price) all.push_back({&*scenario.energy_price, "energy_price"});
    return all;
}

/// A scenario being read, and what is needed to point into its file.
class ScenarioFile {
public:
    ScenarioFile(Disk& disk, config::Source source) : disk_(disk), source_(std::move(source)) {}

    Result<sim::Scenario> read() {
        const auto root = config::parse_yaml(source_);
        if (!root) return tl::unexpected(root.error());
        sim::Scenario scenario;
        const auto done = config::Reader(source_, origins_).read(*root, scenario, "");
        if (!done) return tl::unexpected(done.error());
        if (!origins_.contains("name")) scenario.name = stem();
        if (auto filled = fill_all(scenario); !filled) return tl::unexpected(filled.error());
        if (auto valid = sim::validate(scenario); !valid) {
            return tl::unexpected(point_at(valid.error()));
        }
        return scenario;
    }

private:
    std::string stem() const {
        const std::string name = source_.name.substr(source_.name.rfind('/') + 1);
        return name.substr(0, name.rfind('.'));
    }

    Result<void> fill_all(sim::Scenario& scenario) {
        for (const PlacedSeries& each : all_series(scenario)) {
            if (auto done = fill(*each.series, each.path); !done) return done;
        }
        return {};
    }

    /// Reads the points of a series from the CSV file that it names, relative to the scenario.
    Result<void> fill(sim::Series& series, const std::string& path) {
        if (series.file.empty()) return {};
        if (!series.points.empty()) {
            return at(path + ".file", "a series has either points or a file", "remove one");
        }
        const std::string file =
            series.file.starts_with('/') ? series.file : join(parent_of(source_.name), series.file);
        const auto text = config::load_source(disk_, file, config::kCsvBytesMax);
        if (!text) return at(path + ".file", text.error().message, "");
        const auto points = config::parse_csv(*text);
        if (!points) return tl::unexpected(points.error());
        series.kind = sim::SeriesKind::points;
        for (const config::CsvPoint& point : *points) {
            series.points.push_back({point.at, point.value});
        }
        return {};
    }

    Result<void> at(const std::string& path, const std::string& sentence,
                    const std::string& hint) const {
        const auto found = origins_.find(path);
        const config::Place place = found == origins_.end() ? config::Place{} : found->second.place;
        return tl::unexpected(config::error_at(source_, place, sentence, hint));
    }

    /// The place of the error is that of the value at its path, or the nearest one around it.
    Error point_at(const sim::Flaw& flaw) const {
        std::string path = flaw.path;
        config::Place place;
        while (!path.empty() && place.line == 0) {
            const auto around = origins_.lower_bound(path);
            if (around != origins_.end() && around->first.starts_with(path)) {
                place = around->second.place;
            }
            const std::size_t cut = path.find_last_of(".[");
            path = cut == std::string::npos ? "" : path.substr(0, cut);
        }
        return config::error_at(source_, place, flaw.text());
    }

    Disk& disk_;
    config::Source source_;
    config::Origins origins_;
};

}  // namespace

bool names_scenario_file(const std::string& name) {
    return name.find('/') != std::string::npos || name.ends_with(".yaml") ||
           name.ends_with(".yml") || name.ends_with(".json");
}

Result<std::shared_ptr<const sim::Scenario>> load_scenario(Disk& disk, const std::string& name,
                                                           std::uint64_t seed) {
    Result<sim::Scenario> scenario = fail(ErrorCode::malformed, "");
    if (names_scenario_file(name)) {
        auto source = config::load_source(disk, name, config::kYamlBytesMax);
        if (!source) return tl::unexpected(source.error());
        scenario = ScenarioFile(disk, *std::move(source)).read();
    } else {
        scenario = built_in(name, seed);
    }
    if (!scenario) return tl::unexpected(scenario.error());
    return std::make_shared<const sim::Scenario>(*std::move(scenario));
}

std::shared_ptr<const sim::Scenario> scenario_for(std::shared_ptr<const sim::Scenario> scenario,
                                                  model::Profile profile) {
    if (!scenario->exercise) return scenario;
    sim::Scenario fitted = *scenario;
    fitted.exercise->form = exercise::form_for(fitted.exercise->form, profile);
    return std::make_shared<const sim::Scenario>(std::move(fitted));
}

sim::Scenario without_files(sim::Scenario scenario) {
    for (const PlacedSeries& each : all_series(scenario)) each.series->file.clear();
    return scenario;
}

}  // namespace parley::app
