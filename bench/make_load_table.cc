// Prints src/sim/load/load_table.cc: throttling by a CPU limit below one core, simulated request by
// request at the nodes of load_table.h. The same numbers come out of every run.

#include "base/math.h"
#include "bench/request_simulation.h"
#include "sim/load/load_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace parley;
using namespace parley::sim::table;
using bench::Sojourn;

constexpr std::size_t kRequests = 1'000'000;
constexpr std::uint64_t kSeed = 1;
constexpr double kAlmostIdle = 0.005;  // Stands for a load of 0, at which no request would come.
constexpr std::size_t kColumns = 120;  // So that the file stays short.
constexpr double kZ95 = 1.6448536269514722;
constexpr double kZ99 = 2.3263478740408408;

using Grid = std::vector<double>;

std::size_t place(std::size_t service, std::size_t quota, std::size_t load, std::size_t spread) {
    return ((service * kQuotas + quota) * kLoads + load) * kSpreads + spread;
}

// What sim/load gives for the server without a limit, in units of the service time.
Sojourn open_sojourn(double load, double cv2) {
    const double if_waiting = (1.0 + cv2) / 2.0 / (1.0 - load);
    const double mean = 1.0 + if_waiting * load;
    const double variance = cv2 + if_waiting * if_waiting * load * (2.0 - load);
    const double variance_log = math::log(1.0 + variance / (mean * mean));
    const auto percentile = [&](double z) {
        return mean * math::exp(z * std::sqrt(variance_log) - 0.5 * variance_log);
    };
    return {mean, percentile(kZ95), percentile(kZ99)};
}

double log_excess(double throttled, double open) {
    return math::log(1.0 + std::max(0.0, throttled - open));
}

// The mean of the lowest grid above and the highest grid below that both fall along the quota and
// rise along the load: the true values do, but simulated ones may not. Returns the largest change
// of log(1 + excess).
double make_monotone(Grid& grid) {
    double largest = 0.0;
    for (std::size_t i = 0; i < kServices; ++i) {
        for (std::size_t l = 0; l < kSpreads; ++l) {
            Grid above = grid;
            Grid below = grid;
            for (std::size_t j = kQuotas; j-- > 0;) {
                for (std::size_t k = 0; k < kLoads; ++k) {
                    double& a = above[place(i, j, k, l)];
                    if (j + 1 < kQuotas) a = std::max(a, above[place(i, j + 1, k, l)]);
                    if (k > 0) a = std::max(a, above[place(i, j, k - 1, l)]);
                }
            }
            for (std::size_t j = 0; j < kQuotas; ++j) {
                for (std::size_t k = kLoads; k-- > 0;) {
                    double& b = below[place(i, j, k, l)];
                    if (j > 0) b = std::min(b, below[place(i, j - 1, k, l)]);
                    if (k + 1 < kLoads) b = std::min(b, below[place(i, j, k + 1, l)]);
                }
            }
            for (std::size_t j = 0; j < kQuotas; ++j) {
                for (std::size_t k = 0; k < kLoads; ++k) {
                    const std::size_t at = place(i, j, k, l);
                    const double middle = (above[at] + below[at]) / 2.0;
                    largest = std::max(largest, std::fabs(middle - grid[at]));
                    grid[at] = middle;
                }
            }
        }
    }
    return largest;
}

std::string number(double value) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

int steps(double value) { return static_cast<int>(std::floor(value / kStep + 0.5)); }

void print_axis(const char* name, const char* size, const std::vector<double>& nodes) {
    std::printf("const double %s[%s] = {", name, size);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        std::printf("%s%s,", i % 4 == 0 ? "\n    " : " ", number(nodes[i]).c_str());
    }
    std::printf("\n};\n");
}

void print_axes() {
    std::vector<double> service, quota, load;
    for (const double x : kServicePeriods) service.push_back(math::log(x));
    for (const double x : kQuota) quota.push_back(math::log(x));
    quota.push_back(0.0);
    for (const double x : kLoad) load.push_back(x > 0.0 ? -math::log(1.0 - x) : 0.0);
    print_axis("kServiceAxis", "kServices", service);
    print_axis("kQuotaAxis", "kQuotas + 1", quota);
    print_axis("kLoadAxis", "kLoads", load);
}

}  // namespace

int main() {
    Grid mean(kEntries);
    Grid p95(mean.size());
    Grid p99(mean.size());
    for (std::size_t l = 0; l < kSpreads; ++l) {
        const double cv2 = kSpread[l];
        const auto requests = bench::draw_requests(kSeed, kRequests, cv2, bench::Demand::gamma);
        for (std::size_t i = 0; i < kServices; ++i) {
            for (std::size_t j = 0; j < kQuotas; ++j) {
                for (std::size_t k = 0; k < kLoads; ++k) {
                    const double s = kServicePeriods[i];
                    const double load = std::max(kLoad[k], kAlmostIdle);
                    const Sojourn sojourn =
                        bench::simulate_throttled(requests, {s, kQuota[j], load});
                    const Sojourn open = open_sojourn(load * kQuota[j], cv2);
                    const std::size_t at = place(i, j, k, l);
                    mean[at] = log_excess(sojourn.mean / s, open.mean);
                    p95[at] = log_excess(sojourn.p95 / s, open.p95);
                    p99[at] = log_excess(sojourn.p99 / s, open.p99);
                }
            }
        }
    }
    const double mean_change = make_monotone(mean);
    const double p95_change = make_monotone(p95);
    const double p99_change = make_monotone(p99);
    std::fprintf(stderr,
                 "made monotone: log(1 + excess) changed by at most %.4f (mean), %.4f (p95), "
                 "%.4f (p99)\n",
                 mean_change, p95_change, p99_change);

    std::printf("// Generated by bench/make_load_table.cc; do not edit.\n\n");
    std::printf("#include \"sim/load/load_table.h\"\n\nnamespace parley::sim::table {\n\n");
    std::printf("// clang-format off\n");
    print_axes();
    std::printf("const Entry kThrottle[kEntries + 1] = {\n");
    std::string line;
    for (std::size_t at = 0; at < mean.size(); ++at) {
        const std::string entry = "{" + std::to_string(steps(mean[at])) + "," +
                                  std::to_string(steps(p95[at])) + "," +
                                  std::to_string(steps(p99[at])) + "},";
        if (line.size() + entry.size() > kColumns) {
            std::printf("%s\n", line.c_str());
            line.clear();
        }
        line += entry;
    }
    std::printf("%s\n};\n// clang-format on\n\n}  // namespace parley::sim::table\n", line.c_str());
}
