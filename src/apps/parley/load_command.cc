#include "apps/parley/commands.h"
#include "apps/terminal/terminal.h"
#include "base/clock.h"
#include "base/clock_wait.h"
#include "base/quantity.h"

#include <algorithm>
#include <memory>
#include <thread>
#include <vector>

namespace parley::app {
namespace {

struct LoadArguments {
    std::string cpu = "0";
    std::string memory = "0";
};

/// A share of each period is spent busy, so that use reaches a limit of the same size without being
/// throttled.
constexpr Duration kPeriod = milliseconds(20);
constexpr std::int64_t kOwnMemory = std::int64_t{24} << 20;  // Of this program.
constexpr std::size_t kPage = 4096;

void burn(double share) {
    const auto busy = static_cast<std::int64_t>(share * static_cast<double>(kPeriod.us));
    while (!stop_requested()) {
        const Stopwatch clock;
        while (clock.passed().us < busy) {
        }
        nap(kPeriod - clock.passed());
    }
}

/// Pages count once they are written; not with zeros, which might be merged.
std::vector<char> hold(std::int64_t bytes) {
    std::vector<char> held(static_cast<std::size_t>(std::max<std::int64_t>(0, bytes)));
    for (std::size_t i = 0; i < held.size(); i += kPage) held[i] = static_cast<char>(1 + i % 127);
    return held;
}

int load(const LoadArguments& options) {
    const auto cpu_m = parse_millicores(options.cpu);
    if (!cpu_m) return report(cpu_m.error(), kWrongUse, "--cpu is such as 500m or 2");
    const auto memory = parse_bytes(options.memory);
    if (!memory) return report(memory.error(), kWrongUse, "--memory is such as 256Mi");
    catch_stop_signals();
    const std::vector<char> held = hold(*memory - kOwnMemory);
    std::vector<std::thread> threads;
    for (std::int64_t left = std::min<std::int64_t>(*cpu_m, 1'024'000); left > 0; left -= 1'000) {
        const double share = static_cast<double>(std::min<std::int64_t>(left, 1'000)) / 1'000.0;
        threads.emplace_back(burn, share);
    }
    for (std::thread& thread : threads) thread.join();
    while (!stop_requested()) nap(milliseconds(100));
    return kDone;
}

}  // namespace

void add_load(Command& program) {
    Command command =
        program.command("load", "What pods of the exerciser run: uses CPU and memory");
    command.hide();  // Not for people.
    const auto options = std::make_shared<LoadArguments>();
    command.text("--cpu", options->cpu, "Cores to keep busy").type("AMOUNT");
    command.text("--memory", options->memory, "Bytes to hold, its own among them").type("AMOUNT");
    command.runs([options] { return load(*options); });
}

}  // namespace parley::app
