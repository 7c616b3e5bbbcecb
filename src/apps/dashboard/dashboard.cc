#include "apps/dashboard/dashboard.h"

#include "apps/dashboard/learning.h"
#include "apps/dashboard/run_about.h"
#include "apps/dashboard/run_hooks.h"
#include "base/clock.h"
#include "base/time_text.h"
#include "web/views/round_view.h"

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

}  // namespace

struct Dashboard::Known {
    mutable std::mutex mutex;
    store::RunHeader header;
    web::RunAbout about;
    web::StopWord last_stop;  ///< If no file says so: nothing is recorded, or the disk is full.
    KillSwitchWatch* watch = nullptr;  ///< Null if the switch is not a file, or not yet.

    web::RunAbout about_now() const {
        const std::lock_guard lock(mutex);
        return about;
    }
};

namespace {

void add_stop_hooks(const DashboardRun& run, const std::shared_ptr<Dashboard::Known>& known,
                    web::RunHooks& hooks) {
    hooks.stopped = [kill = run.kill, folder = run.folder,
                     known]() -> std::optional<web::StopWord> {
        if (!kill->load()) return std::nullopt;
        if (!folder.empty()) {
            if (auto word = stop_word(real_disk(), folder)) return word;
        }
        const std::lock_guard lock(known->mutex);
        return known->last_stop;
    };
    hooks.stop = [kill = run.kill, known](const std::string& who,
                                          std::uint64_t after_round) -> Result<void> {
        const Press press{.who = dashboard_person(who), .after_round = after_round};
        const std::lock_guard lock(known->mutex);
        if (!kill->load()) known->last_stop = {press.who, print_time(wall_now()), after_round, ""};
        if (known->watch != nullptr) return known->watch->press(press);
        *kill = true;
        return {};
    };
}

web::RunHooks hooks_of(const DashboardRun& run, const std::shared_ptr<Dashboard::Known>& known) {
    web::RunHooks hooks = record_hooks(real_disk(), run.folder, run.models);
    hooks.about = [known] { return known->about_now(); };
    hooks.learning = [folder = run.folder, models = run.models, known] {
        store::RunHeader header;
        {
            const std::lock_guard lock(known->mutex);
            header = known->header;
        }
        return learning_of(real_disk(), {folder, models}, header, known->about_now().stages);
    };
    add_stop_hooks(run, known, hooks);
    return hooks;
}

}  // namespace

Dashboard::Dashboard() : known_(std::make_shared<Known>()) {}

Dashboard::~Dashboard() {
    const std::lock_guard lock(known_->mutex);
    known_->watch = nullptr;  // The server's threads may outlive it by one request.
}

Result<std::unique_ptr<Dashboard>> Dashboard::open(const std::optional<ListenPlan>& plan,
                                                   DashboardRun run) {
    std::unique_ptr<Dashboard> board(new Dashboard());
    board->name_ = name_of(run);
    if (run.header.record == store::RecordLevel::none) run.folder.clear();
    board->known_->header = run.header;
    board->known_->about = run.about;
    board->run_ = std::move(run);
    if (plan) {
        if (auto served = board->serve(*plan); !served) return tl::unexpected(served.error());
    }
    return board;
}

void Dashboard::show_stages(const std::vector<store::StageNote>& stages) {
    const std::lock_guard lock(known_->mutex);
    known_->about.stages = web::stage_views(stages);
}

Result<void> Dashboard::begin(store::RunHeader header,
                              const std::vector<store::StageNote>& stages) {
    show_stages(stages);
    {
        const std::lock_guard lock(known_->mutex);
        known_->header = header;
    }
    if (served_) served_->begin(std::move(header));
    if (!run_.folder.empty()) {
        const auto written = write_about(real_disk(), run_.folder, known_->about_now());
        if (!written) return written;
        const bool pressed = run_.kill->load();  // It may have been pressed during preparation.
        watch_ = std::make_unique<KillSwitchWatch>(real_disk(), run_.folder, run_.kill);
        const std::lock_guard lock(known_->mutex);
        known_->watch = watch_.get();
        if (pressed) {
            auto kept = watch_->press({.who = known_->last_stop.by, .after_round = 0});
            if (!kept) return kept;
        }
    }
    return served_ && run_.resumed ? served_->take_record() : Result<void>();
}

Result<void> Dashboard::serve(const ListenPlan& plan) {
    served_ = std::make_shared<web::ServedRun>(real_disk(), web::RunPlace{name_, run_.folder},
                                               run_.header, hooks_of(run_, known_));
    auto started = web::Server::start(plan.options, {served_});
    if (!started) return tl::unexpected(started.error());
    server_ = *std::move(started);
    ServerWord word{.url = server_->url(),
                    .port = server_->port(),
                    .key = web::hex_text(server_->link_key()),
                    .process = ::getpid()};
    if (!run_.folder.empty()) word.runs.push_back(whole_path(run_.folder));
    file_ = std::make_unique<ServerFile>(real_disk(), real_environment(), word);
    said_ = plan.said + "Dashboard: " + server_->link() + "\n";
    return {};
}

void Dashboard::publish(std::shared_ptr<const Published> round,
                        std::optional<explanation::Leading> leading) {
    if (!server_) return;
    std::string pace = run_.pace.us > 0 ? "on time" : "as fast as it goes";
    if (since_last_ && run_.pace.us > 0) {
        const Duration late = since_last_->passed() - run_.pace;
        if (late >= milliseconds(100)) pace = print_age(late) + " late";
    }
    since_last_.emplace();
    server_->publish(name_, std::move(round), std::move(pace), std::move(leading));
}

void Dashboard::finish(store::RunStatus status, const std::string& reason) {
    if (server_) server_->finish(name_, state_of(status), reason);
}

std::string Dashboard::greeting() { return std::exchange(said_, {}); }

}  // namespace parley::app
