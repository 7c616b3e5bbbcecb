// A real process, killed again and again: the run can be resumed without repair, nothing
// acknowledged is lost, no action is carried out twice. This is checked from outside: by round
// numbers that the process writes to a pipe after each durable round, and by the cluster's own log.

#include "apps/runs/cluster_log.h"
#include "apps/session/session.h"
#include "apps/terminal/settings.h"
#include "base/random.h"
#include "model/coded.h"
#include "replay/replay.h"
#include "sim/scenario/builtin_scenarios.h"
#include "store/run_reader.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

namespace parley {
namespace {

constexpr std::uint64_t kRounds = 400;

/// 200; in `make test` a quarter of that.
int kills_wanted() {
    const char* all = std::getenv("PARLEY_FAULTS");
    return all != nullptr && std::string_view(all) == "all" ? 200 : 50;
}

app::SessionOptions options(const std::string& folder, bool resume) {
    app::SessionOptions out;
    out.scenario = std::make_shared<sim::Scenario>(*sim::builtin_scenario("failing-node", 7));
    out.seed = 7;
    out.policy = app::default_settings().policy;
    out.folder = folder;
    out.resume = resume;
    return out;
}

/// The process under test: makes rounds until the end, and acknowledges each on the pipe once it is
/// durable.
[[noreturn]] void live(const std::string& folder, bool resume, int acknowledge) {
    auto session = app::Session::open(options(folder, resume));
    if (!session) {
        std::fprintf(stderr, "open: %s\n", session.error().message.c_str());
        ::_exit(3);
    }
    while ((*session)->rounds() < kRounds) {
        if (auto done = (*session)->round(); !done) {
            std::fprintf(stderr, "round: %s\n", done.error().message.c_str());
            ::_exit(4);
        }
        const std::uint64_t round = (*session)->rounds();
        if (::write(acknowledge, &round, sizeof round) != sizeof round) ::_exit(5);
    }
    ::_exit((*session)->finish(store::RunStatus::complete, "") ? 0 : 6);
}

struct Life {
    std::uint64_t acknowledged = 0;
    bool killed = false;
    int status = 0;
};

/// Lets a process run until it has acknowledged `until` rounds and a little longer, then kills it.
Life let_live(const std::string& folder, bool resume, std::uint64_t until, unsigned more_us) {
    int pipe_ends[2];
    EXPECT_EQ(::pipe(pipe_ends), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        ::close(pipe_ends[0]);
        live(folder, resume, pipe_ends[1]);
    }
    ::close(pipe_ends[1]);
    Life life;
    std::uint64_t round = 0;
    while (life.acknowledged < until &&
           ::read(pipe_ends[0], &round, sizeof round) == sizeof round) {
        life.acknowledged = round;
    }
    ::usleep(more_us);
    ::kill(child, SIGKILL);
    while (::read(pipe_ends[0], &round, sizeof round) == sizeof round) life.acknowledged = round;
    ::close(pipe_ends[0]);
    ::waitpid(child, &life.status, 0);
    life.killed = WIFSIGNALED(life.status);
    return life;
}

/// The step that a request belongs to, by the ledger as it stood when the request came: that has
/// the action, though not how far it came since the round began. Of steps that ask for the same,
/// the first that is not done.
std::string step_of(const model::Ledger& ledger, const model::Request& request,
                    const std::set<std::string>& done) {
    std::string found;
    const auto look = [&](const std::string& step, const model::Request& wanted) {
        const bool better = found.empty() || done.contains(found);
        if (wanted == request && better) found = step;
    };
    for (const model::OpenAction& open : ledger.open) {
        for (std::size_t i = 0; i < open.plan.size(); ++i) {
            look(open.id.text() + " step " + std::to_string(i), open.plan[i].request);
        }
        for (std::size_t i = 0; i < open.undo.size(); ++i) {
            look(open.id.text() + " undo " + std::to_string(i), open.undo[i]);
        }
    }
    return found;
}

/// No step of any action took effect twice, by what the cluster itself remembers.
void expect_nothing_twice(const std::vector<sim::Remembered>& log) {
    model::Ledger ledger;
    std::set<std::string> done;
    for (const sim::Remembered& each : log) {
        if (const auto* swapped = std::get_if<model::Ledger>(&each.what)) {
            ledger = *swapped;
            continue;
        }
        const auto& request = std::get<model::Request>(each.what);
        const std::string step = step_of(ledger, request, done);
        ASSERT_FALSE(step.empty()) << model::text_of(request) << " belongs to no step";
        EXPECT_TRUE(done.insert(step).second) << model::text_of(request) << " twice (" << step
                                              << "), at " << in_seconds(each.at - TimePoint{});
    }
}

TEST(Kill, again_and_again_loses_nothing_and_repeats_nothing) {
    const auto folder =
        (std::filesystem::temp_directory_path() / ("parley-kill-" + std::to_string(::getpid())))
            .string();
    std::filesystem::remove_all(folder);
    std::uint64_t acknowledged = 0;
    int kills = 0;
    const int wanted = kills_wanted();
    for (int life_number = 0; kills < wanted; ++life_number) {
        if (acknowledged >= kRounds) {  // It came to its end: begin a new run.
            std::filesystem::remove_all(folder);
            acknowledged = 0;
        }
        const auto index = static_cast<std::uint64_t>(life_number);
        const bool resume = acknowledged > 0;
        const std::uint64_t until = acknowledged + 1 + draw(7, Stream::jitter, index, 0) % 8;
        const auto more_us = static_cast<unsigned>(draw(7, Stream::jitter, index, 1) % 3000);
        const Life life = let_live(folder, resume, until, more_us);
        if (life.killed) ++kills;
        if (!life.killed) ASSERT_EQ(WEXITSTATUS(life.status), 0) << "life " << life_number;

        auto run = store::RunReader::open(real_disk(), folder);
        ASSERT_TRUE(run) << run.error().message << ", life " << life_number;
        const auto report = replay::replay(*run, {}, {});
        ASSERT_TRUE(report) << report.error().message << ", life " << life_number;
        EXPECT_EQ(report->differing, 0U) << report->path << ", life " << life_number;
        EXPECT_TRUE(report->gaps.empty()) << report->gaps.front();
        EXPECT_GE(report->rounds, std::max(acknowledged, life.acknowledged));
        acknowledged = report->rounds;
        const auto log = app::read_cluster_log(real_disk(), folder);
        ASSERT_TRUE(log);
        expect_nothing_twice(*log);
    }
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace parley
