#include "apps/parley/dashboard.h"

#include "apps/parley/learning.h"
#include "apps/parley/run_about.h"
#include "apps/parley/run_hooks.h"
#include "base/clock.h"
#include "base/time_text.h"

#include <mutex>
#include <unistd.h>
#include <utility>

namespace parley::app {
namespace {

web::RunState state_of(store::RunStatus status) {
    switch (status) {
        case store::RunStatus::running:
            return web::RunState::running;
        case store::RunStatus::complete:
            return web::RunState::complete;
        case store::RunStatus::stopped:
            return web::RunState::stopped;
        case store::RunStatus::failed:
            break;
    }
    return web::RunState::failed;
}

std::string name_of(const DashboardRun& run) {
    if (run.folder.empty()) return run.name;
    const std::string path =
        run.folder.ends_with('/') ? run.folder.substr(0, run.folder.size() - 1) : run.folder;
    const auto slash = path.rfind('/');
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

/// Who stopped it last, for when no file says so: nothing is kept, or the disk is full.
struct LastPress {
    std::mutex mutex;
    web::StopWord word;
};

/// `watch`: null where nothing is kept, so that the switch is no file either.
void add_stop_hooks(const DashboardRun& run, KillSwitchWatch* watch, web::RunHooks& hooks) {
    const auto last = std::make_shared<LastPress>();
    hooks.stopped = [kill = run.kill, folder = run.folder, last]() -> std::optional<web::StopWord> {
        if (!kill->load()) return std::nullopt;
        if (!folder.empty()) {
            if (auto word = stop_word(real_disk(), folder)) return word;
        }
        const std::lock_guard lock(last->mutex);
        return last->word;
    };
    hooks.stop = [kill = run.kill, watch, last](const std::string& who,
                                                std::uint64_t after_round) -> Result<void> {
        const Press press{.who = dashboard_person(who), .after_round = after_round};
        {
            const std::lock_guard lock(last->mutex);
            if (!kill->load()) last->word = {press.who, print_time(wall_now()), after_round};
        }
        if (watch != nullptr) return watch->press(press);
        *kill = true;
        return {};
    };
}

web::RunHooks hooks_of(const DashboardRun& run, KillSwitchWatch* watch) {
    web::RunHooks hooks = record_hooks(real_disk(), run.folder, run.models);
    hooks.about = [about = run.about] { return about; };
    hooks.learning = [folder = run.folder, models = run.models, header = run.header] {
        const std::string study = folder.empty() ? "" : find_study(real_disk(), folder);
        return learning_of(real_disk(), {folder, models, study}, header);
    };
    add_stop_hooks(run, watch, hooks);
    return hooks;
}

}  // namespace

Dashboard::~Dashboard() = default;

Result<std::unique_ptr<Dashboard>> Dashboard::open(const std::optional<ListenPlan>& plan,
                                                   DashboardRun run) {
    std::unique_ptr<Dashboard> board(new Dashboard());
    board->name_ = name_of(run);
    board->pace_ = run.pace;
    const bool kept = !run.folder.empty() && run.header.record != store::RecordLevel::none;
    if (!kept) run.folder.clear();
    if (kept) {
        if (auto written = write_about(real_disk(), run.folder, run.about); !written) {
            return tl::unexpected(written.error());
        }
        board->watch_ = std::make_unique<KillSwitchWatch>(real_disk(), run.folder, run.kill);
    }
    if (plan) {
        if (auto served = board->serve(*plan, run); !served) return tl::unexpected(served.error());
    }
    return board;
}

Result<void> Dashboard::serve(const ListenPlan& plan, const DashboardRun& run) {
    auto served = std::make_shared<web::ServedRun>(real_disk(), web::RunPlace{name_, run.folder},
                                                   run.header, hooks_of(run, watch_.get()));
    if (run.resumed) {
        if (auto read = served->take_record(); !read) return read;
    }
    auto started = web::Server::start(plan.options, {std::move(served)});
    if (!started) return tl::unexpected(started.error());
    server_ = *std::move(started);
    ServerWord word{.url = server_->url(),
                    .port = server_->port(),
                    .key = web::hex_text(server_->link_key()),
                    .process = ::getpid()};
    if (!run.folder.empty()) word.runs.push_back(whole_path(run.folder));
    file_ = std::make_unique<ServerFile>(real_disk(), real_environment(), word);
    said_ = plan.said + "Dashboard: " + server_->link() + "\n";
    return {};
}

void Dashboard::publish(std::shared_ptr<const Published> round) {
    if (!server_) return;
    std::string pace = pace_.us > 0 ? "on time" : "as fast as it goes";
    if (since_last_ && pace_.us > 0) {
        const Duration late = since_last_->passed() - pace_;
        if (late >= milliseconds(100)) pace = print_age(late) + " late";
    }
    since_last_.emplace();
    server_->publish(name_, std::move(round), std::move(pace));
}

void Dashboard::finish(store::RunStatus status, const std::string& reason) {
    if (server_) server_->finish(name_, state_of(status), reason);
}

std::string Dashboard::greeting() const { return said_; }

}  // namespace parley::app
