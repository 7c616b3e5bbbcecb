// App: the dashboard of a run that this process makes: starts the server, passes it the rounds, and
// connects it to the kill switch. The loop never waits for it.

#pragma once

#include "apps/dashboard/listen_flags.h"
#include "apps/dashboard/server_file.h"
#include "apps/running/kill_switch.h"
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
    std::string name;    ///< For addresses, if there is no folder.
    store::RunHeader header;
    web::RunAbout about;
    KillSwitch kill;
    Duration pace = {};  ///< Real time from round to round; zero: as fast as it goes.
    bool resumed = false;
    std::string models;  ///< Where further brains are; or empty.
};

class Dashboard {
public:
    /// Serves if there is a plan. The run need not exist yet, so that its preparation before the
    /// first round can be watched.
    [[nodiscard]] static Result<std::unique_ptr<Dashboard>> open(
        const std::optional<ListenPlan>& plan, DashboardRun run);
    ~Dashboard();

    /// Shows how far the run's stages are. Call it from the thread that prepares them.
    void show_stages(const std::vector<store::StageNote>& stages);
    /// The run's folder exists and its header is known: writes about.json, watches the kill switch,
    /// and takes in what an earlier process recorded.
    [[nodiscard]] Result<void> begin(store::RunHeader header,
                                     const std::vector<store::StageNote>& stages);

    /// Call it on the loop's thread, with who leads if others could; returns at once.
    void publish(std::shared_ptr<const Published> round,
                 std::optional<explanation::Leading> leading = {});
    void finish(store::RunStatus status, const std::string& reason);

    /// What to print: the link, a certificate's fingerprint. Empty: nothing is served, or it was
    /// returned before.
    std::string greeting();
    /// Without a token; empty: nothing is served.
    std::string address() const { return server_ ? server_->url() : ""; }

    /// What the server's threads know about the run, while it changes.
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
