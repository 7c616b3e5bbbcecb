// App: the dashboard of a run that this process makes: starts the server, gives it the rounds, and
// joins it to the kill switch. The loop never waits for it.

#pragma once

#include "apps/dashboard/listen_flags.h"
#include "apps/dashboard/server_file.h"
#include "apps/session/kill_switch.h"
#include "base/clock_wait.h"
#include "layers/pipeline.h"
#include "web/serve/server.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace parley::app {

struct DashboardRun {
    std::string folder;  ///< Empty: nothing is recorded.
    std::string name;    ///< For addresses, where there is no folder.
    store::RunHeader header;
    web::RunAbout about;
    KillSwitch kill;
    Duration pace = {};  ///< Real time from round to round; zero: as fast as it goes.
    bool resumed = false;
    std::string models;  ///< Where further brains are; or empty.
};

class Dashboard {
public:
    /// Serves if there is a plan. Nothing of the run need be there yet: what it prepares before its
    /// first round can be looked at.
    [[nodiscard]] static Result<std::unique_ptr<Dashboard>> open(
        const std::optional<ListenPlan>& plan, DashboardRun run);
    ~Dashboard();

    /// How far what the run prepares is. From the thread that prepares it.
    void show_stages(const std::vector<store::StageNote>& stages);
    /// The run's folder is there, and its header is settled: writes about.json, watches the kill
    /// switch, and takes what an earlier process recorded.
    [[nodiscard]] Result<void> begin(store::RunHeader header,
                                     const std::vector<store::StageNote>& stages);

    /// On the loop's thread; returns at once.
    void publish(std::shared_ptr<const Published> round);
    void finish(store::RunStatus status, const std::string& reason);

    /// What to print: the link, a certificate's fingerprint. Empty: nothing is served, or it was
    /// asked for before.
    std::string greeting();
    /// Without a token; empty: nothing is served.
    std::string address() const { return server_ ? server_->url() : ""; }

    /// What the server's threads are told of the run, while it changes.
    struct Known;

private:
    Dashboard();
    Result<void> serve(const ListenPlan& plan);

    DashboardRun run_;
    std::string name_;
    std::string said_;
    std::optional<Stopwatch> since_last_;
    std::shared_ptr<Known> known_;
    std::unique_ptr<KillSwitchWatch> watch_;
    std::shared_ptr<web::ServedRun> served_;
    std::unique_ptr<web::Server> server_;
    std::unique_ptr<ServerFile> file_;
};

}  // namespace parley::app
