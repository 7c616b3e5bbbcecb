// Scenarios from a file: what is accepted prints and reads back the same, and a world can be built
// from it and run for a while. After a line `%csv` follows the file `series.csv` beside the
// scenario.

#include "apps/session/scenario_file.h"
#include "base/check.h"
#include "base/same.h"
#include "config/print.h"
#include "fuzz/input.h"
#include "fuzz/scratch_file.h"
#include "sim/world/world.h"

#include <string>

namespace {

using namespace parley;

constexpr std::string_view kCsv = "\n%csv\n";

/// A world this small takes milliseconds; a large one is valid, only slow.
bool is_small(const sim::Scenario& scenario) {
    std::int64_t nodes = 0;
    std::int64_t pods = 0;
    for (const auto& group : scenario.nodes) nodes += group.count;
    for (const auto& workload : scenario.workloads) pods += workload.replicas;
    for (const auto& job : scenario.jobs) {
        pods += job.parallel;
        for (const auto& burst : job.bursts) pods += std::int64_t{burst.jobs} * job.parallel;
        if (job.per_hour.kind != sim::SeriesKind::constant) return false;
        if (job.per_hour.base * job.per_hour.scale > 3'600) return false;
    }
    return nodes <= 20 && pods <= 60;
}

void live(const sim::Scenario& scenario) {
    sim::World world(std::make_shared<const sim::Scenario>(scenario), 7);
    cluster::Batch batch;
    for (int i = 1; i <= 6; ++i) {
        world.advance(TimePoint{} + seconds(20) * i);
        world.collect(batch);
    }
    sim::World fork = world;
    PARLEY_CHECK(fork.fingerprint() == world.fingerprint());
}

void check(const fuzz::Scratch& scratch, sim::Scenario scenario) {
    PARLEY_CHECK(sim::validate(scenario).has_value());
    if (is_small(scenario)) live(scenario);
    for (auto& workload : scenario.workloads) {  // Points and a file exclude each other.
        if (!workload.service) continue;
        workload.service->rate.file.clear();
        workload.service->payload.file.clear();
    }
    for (auto& job : scenario.jobs) job.per_hour.file.clear();
    if (scenario.energy_price) scenario.energy_price->file.clear();
    const std::string text = config::print_yaml(scenario);
    if (text.size() > config::kYamlBytesMax) return;
    const auto again = app::load_scenario(real_disk(), scratch.write("again.yaml", text), 7);
    PARLEY_CHECK(again && same(**again, scenario));
}

}  // namespace

void parley::fuzz::try_input(Input input) {
    static const fuzz::Scratch scratch;
    const std::string_view text = input.rest();
    const std::size_t end = std::min(text.find(kCsv), text.size());
    const std::size_t csv = std::min(end + kCsv.size(), text.size());
    scratch.write("series.csv", text.substr(csv));
    const std::string path = scratch.write("input.yaml", text.substr(0, end));
    const auto scenario = app::load_scenario(real_disk(), path, 7);
    if (scenario) {
        check(scratch, **scenario);
    } else {
        PARLEY_CHECK(fuzz::readable(scenario.error().message));
    }
}
