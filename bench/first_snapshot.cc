// How long until the whole cluster is known, and how much memory does it take? Follows a cluster as
// `parley live` does and prints a line of JSON with the first snapshot, and one with the memory in
// use a moment later. Its peer is informer/, client-go's informers for the same kinds.
//
// Usage: first_snapshot --kubeconfig=FILE [--namespace=NAME] [--settle=SECONDS] [--page=N]
// [--stream]
// --stream uses streaming lists instead of pages, --page sets the number of objects per page.

#include "base/clock.h"
#include "base/clock_wait.h"
#include "base/number.h"
#include "kube/access/kubeconfig_load.h"
#include "kube/watch/watcher.h"
#include "layers/observation/observer.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <malloc.h>
#include <memory>
#include <string>
#include <string_view>

namespace {

using namespace parley;
namespace asio = boost::asio;

struct Wishes {
    std::string kubeconfig;
    std::string space;
    std::int64_t settle_s = 0;
    std::int64_t page = 0;  ///< 0: as in `parley live`.
    bool streaming = false;
};

/// The value after an option's name; empty: it is another option.
std::string_view value_of(std::string_view argument, std::string_view name) {
    return argument.starts_with(name) ? argument.substr(name.size()) : std::string_view();
}

Wishes wishes_of(int argc, char** argv) {
    Wishes out;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument == "--stream") out.streaming = true;
        if (const auto v = value_of(argument, "--kubeconfig="); !v.empty()) out.kubeconfig = v;
        if (const auto v = value_of(argument, "--namespace="); !v.empty()) out.space = v;
        if (const auto v = value_of(argument, "--settle="); !v.empty()) {
            out.settle_s = static_cast<std::int64_t>(parse_uint64(v).value_or(0));
        }
        if (const auto v = value_of(argument, "--page="); !v.empty()) {
            out.page = static_cast<std::int64_t>(parse_uint64(v).value_or(0));
        }
    }
    return out;
}

/// What the kernel says that the process holds, in bytes.
std::size_t resident() {
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word) {
        std::size_t kib = 0;
        if (word == "VmRSS:" && status >> kib) return kib << 10;
    }
    return 0;
}

asio::awaitable<void> measure(std::shared_ptr<kube::Watcher> watcher, Wishes wishes,
                              Stopwatch clock) {
    observation::Observer observer(*watcher, {});
    model::Snapshot snapshot;
    std::uint64_t round = 0;
    while (snapshot.nodes.size() == 0) snapshot = co_await observer.observe(++round, wall_now());
    const auto took = static_cast<double>(clock.passed().us) / 1e6;
    std::printf("{\"seconds\": %.4f, \"pods\": %zu, \"nodes\": %zu, \"requests\": %llu}\n", took,
                snapshot.pods.size(), snapshot.nodes.size(),
                static_cast<unsigned long long>(watcher->facts().requests));
    std::fflush(stdout);
    if (wishes.settle_s == 0) std::quick_exit(0);
    co_await pause(seconds(wishes.settle_s));
    snapshot = co_await observer.observe(++round, wall_now());
    const std::size_t as_it_is = resident();
    malloc_trim(0);
    const struct mallinfo2 heap = mallinfo2();
    std::printf("{\"rss\": %zu, \"rss_trimmed\": %zu, \"heap\": %zu}\n", as_it_is, resident(),
                heap.uordblks + heap.hblkhd);
    std::fflush(stdout);
    std::quick_exit(0);  // The loop does not end by itself.
}

int refused(const Error& error) {
    std::fprintf(stderr, "first_snapshot: %s\n", error.message.c_str());
    return 1;
}

}  // namespace

int main(int argc, char** argv) {
    const Stopwatch clock;
    const Wishes wishes = wishes_of(argc, argv);
    const auto environment = kube::process_environment();
    auto access = kube::load_access(environment, {.kubeconfig = wishes.kubeconfig});
    if (!access) return refused(access.error());
    asio::io_context loop(1);
    auto api = kube::Api::make(
        loop.get_executor(), *access,
        {.user_agent = "first_snapshot", .credentials = {.environment = environment}});
    if (!api) return refused(api.error());
    kube::WatcherOptions options;
    if (!wishes.space.empty()) options.spaces = {wishes.space};
    if (wishes.streaming) options.reflector.rules.streaming = true;
    if (wishes.page > 0) options.reflector.page = static_cast<int>(wishes.page);
    std::shared_ptr<kube::Api> shared = *std::move(api);
    auto watcher = std::make_shared<kube::Watcher>(loop.get_executor(), shared, options);
    asio::co_spawn(loop, measure(watcher, wishes, clock), asio::detached);
    loop.run();
    return 1;
}
