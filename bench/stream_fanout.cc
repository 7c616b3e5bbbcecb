// Sends rounds to many viewers as fast as they take them: stream_fanout CLIENTS MESSAGES
//
// Prints its link, then the length of one message; waits for CLIENTS viewers, sends MESSAGES rounds
// to them, waits until they are gone, and prints its own CPU time and memory as JSON.

#include "base/check.h"
#include "base/clock.h"
#include "base/clock_wait.h"
#include "base/number.h"
#include "fake/small_round.h"
#include "web/serve/server.h"
#include "web/serve/server_state.h"

#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <sys/resource.h>

namespace {

using namespace parley;

constexpr std::uint64_t kAhead = 32;  // Messages that wait for the slowest viewer.

std::shared_ptr<const Published> round_at(std::uint64_t number) {
    static fake::SmallRound small;
    auto round = std::make_shared<Published>();
    round->input = small.input;
    round->input.round = number;
    round->input.now = TimePoint{} + seconds(static_cast<std::int64_t>(number));
    round->input.snapshot.round = number;
    round->decision.round = number;
    round->decision.forecast = small.forecast;
    // A reason that makes a message of 1 KiB, as the peer's are.
    round->decision.verdict.rationale = std::string(480, 'x');
    return round;
}

double cpu_seconds() {
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    const auto seconds_of = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
}

std::uint64_t resident_bytes() {
    std::ifstream file("/proc/self/statm");
    std::uint64_t pages = 0;
    file >> pages >> pages;
    return pages * 4'096;
}

void wait_until(const std::function<bool()>& what) {
    while (!what()) nap(milliseconds(1));
}

}  // namespace

int main(int argc, char** argv) {
    PARLEY_CHECK(argc == 3);
    const std::uint64_t clients = *parse_uint64(argv[1]);
    const std::uint64_t messages = *parse_uint64(argv[2]);
    store::RunHeader header;
    header.simulated = true;
    header.record = store::RecordLevel::none;
    header.interval = seconds(1);
    auto run = std::make_shared<web::ServedRun>(real_disk(), web::RunPlace{"bench", ""}, header,
                                                web::RunHooks{});
    auto server = web::Server::start({.port = 0, .version = "bench"}, {run});
    PARLEY_CHECK(server.has_value());
    std::printf("%s\n", (*server)->link().c_str());
    (*server)->publish("bench", round_at(1), "on time");
    wait_until([&] { return run->newest() == 1; });
    (*server)->publish("bench", round_at(2), "on time");
    wait_until([&] { return run->newest() == 2; });
    std::printf("%zu\n", run->greeting(1).back()->size());
    std::fflush(stdout);
    wait_until([&] { return (*server)->viewers() >= clients; });
    nap(milliseconds(300));
    const double before = cpu_seconds();
    const std::uint64_t resident = resident_bytes();
    std::uint64_t most = resident;
    for (std::uint64_t n = 3; n < messages + 3; ++n) {
        while ((*server)->waiting_messages() > kAhead) nap(microseconds(200));
        (*server)->publish("bench", round_at(n), "on time");
        if (n % 256 == 0) most = std::max(most, resident_bytes());
    }
    wait_until([&] { return run->newest() == messages + 2; });
    wait_until([&] { return (*server)->viewers() == 0; });
    std::printf("{\"cpu\":%s,\"grown\":%s}\n", print_double(cpu_seconds() - before).c_str(),
                std::to_string(most - resident).c_str());
    return 0;
}
