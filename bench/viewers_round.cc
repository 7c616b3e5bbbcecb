// What viewers cost the loop: rounds of the simulated cluster, each published to the server, timed
// on the loop's own thread: viewers_round ROUNDS PACE_US VIEWERS
//
// Prints its link; waits for VIEWERS; runs ROUNDS rounds, one each PACE_US, and prints the median
// and the 99th percentile of a round in CPU microseconds of that thread, and wall ones, as JSON.

#include "apps/session/session.h"
#include "apps/session/session_options.h"
#include "base/check.h"
#include "base/clock.h"
#include "base/clock_wait.h"
#include "base/number.h"
#include "web/serve/server.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <time.h>
#include <vector>

namespace {

using namespace parley;

double thread_cpu_us() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

std::string share(std::vector<double> values, double part) {
    std::ranges::sort(values);
    const auto place = static_cast<std::size_t>(part * static_cast<double>(values.size() - 1));
    return print_double(values[place]);
}

}  // namespace

int main(int argc, char** argv) {
    PARLEY_CHECK(argc == 4);
    const std::uint64_t rounds = *parse_uint64(argv[1]);
    const Duration pace = microseconds(*parse_int64(argv[2]));
    const std::uint64_t viewers = *parse_uint64(argv[3]);
    app::Settings settings = app::default_settings();
    settings.run.record = store::RecordLevel::none;
    auto options = app::session_options(real_disk(), settings, false);
    PARLEY_CHECK(options.has_value());
    std::unique_ptr<web::Server> server;
    options->watch = [&](std::shared_ptr<const Published> round) {
        server->publish("bench", std::move(round), "on time");
    };
    auto run = std::make_shared<web::ServedRun>(real_disk(), web::RunPlace{"bench", ""},
                                                app::header_of(*options), web::RunHooks{});
    auto started = web::Server::start({.port = 0, .version = "bench"}, {run});
    PARLEY_CHECK(started.has_value());
    server = *std::move(started);
    std::printf("%s\n", server->link().c_str());
    std::fflush(stdout);
    auto session = app::Session::open(*options);
    PARLEY_CHECK(session.has_value());
    while (server->viewers() < viewers) nap(milliseconds(5));
    std::vector<double> cpu;
    std::vector<double> wall;
    for (std::uint64_t n = 0; n < rounds; ++n) {
        const Stopwatch passed;
        const double before = thread_cpu_us();
        PARLEY_CHECK((*session)->round().has_value());
        cpu.push_back(thread_cpu_us() - before);
        wall.push_back(static_cast<double>(passed.passed().us));
        if (passed.passed() < pace) nap(pace - passed.passed());
    }
    std::printf("{\"cpu_p50\":%s,\"cpu_p99\":%s,\"wall_p50\":%s,\"wall_p99\":%s}\n",
                share(cpu, 0.5).c_str(), share(cpu, 0.99).c_str(), share(wall, 0.5).c_str(),
                share(wall, 0.99).c_str());
    return 0;
}
