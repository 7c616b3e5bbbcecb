#include "apps/dashboard/listen_flags.h"
#include "apps/dashboard/run_hooks.h"
#include "apps/dashboard/server_file.h"
#include "apps/parley/commands.h"
#include "apps/terminal/terminal.h"
#include "base/clock.h"
#include "web/serve/openapi.h"

#include <cstdio>
#include <memory>
#include <set>
#include <unistd.h>

namespace parley::app {
namespace {

struct ServeArguments {
    std::vector<std::string> runs;
    ListenFlags listen;
};

/// The last part of a folder's path; one that is taken gets a number.
std::string name_of(std::string folder, std::set<std::string>& taken) {
    while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
    const auto slash = folder.rfind('/');
    const std::string plain = slash == std::string::npos ? folder : folder.substr(slash + 1);
    std::string name = plain.empty() || plain == "." || plain == ".." ? "run" : plain;
    for (int i = 2; !taken.insert(name).second; ++i) name = plain + "-" + std::to_string(i);
    return name;
}

int serve(const ServeArguments& options) {
    auto plan = listen_plan(real_disk(), options.listen, ListenDefault::always, false);
    if (!plan) return report(plan.error(), kWrongUse, "Nothing was started.");
    web::Runs runs;
    std::set<std::string> taken;
    for (const std::string& folder : options.runs) {
        const auto there = real_disk().exists(folder);
        if (!there || !*there) {
            return report({ErrorCode::denied, "there is no run at " + folder, {}}, kWrongUse,
                          "Nothing was started.");
        }
        runs.push_back(std::make_shared<web::ServedRun>(
            real_disk(), web::RunPlace{name_of(folder, taken), folder},
            record_hooks(real_disk(), folder, "")));
    }
    catch_stop_signals();
    auto server = web::Server::start((*plan)->options, std::move(runs));
    if (!server) return report(server.error(), kFailed, "Nothing was started.");
    ServerWord word{.url = (*server)->url(),
                    .port = (*server)->port(),
                    .key = web::hex_text((*server)->link_key()),
                    .process = ::getpid()};
    for (const std::string& folder : options.runs) word.runs.push_back(whole_path(folder));
    const ServerFile file(real_disk(), real_environment(), word);
    std::fputs((*plan)->said.c_str(), stderr);
    std::printf("Dashboard: %s\nCtrl-C ends it; a new link: parley link\n",
                (*server)->link().c_str());
    std::fflush(stdout);
    while (!stop_requested()) nap(milliseconds(100));
    return kDone;
}

}  // namespace

void add_serve(Command& program) {
    Command command = program.command("serve", "Show finished or running runs on the dashboard");
    const auto options = std::make_shared<ServeArguments>();
    command.texts("RUN", options->runs, "Run folders").required();
    add_listen_flags(command, options->listen, ListenDefault::always);
    add_examples(command, {"parley serve runs/tour-7", "parley serve runs/*",
                           "parley serve runs/tour-7 --listen 0.0.0.0:8765 --tls auto"});
    command.runs([options] { return serve(*options); });
}

void add_openapi(Command& program) {
    Command command =
        program.command("openapi", "Print the OpenAPI document of the dashboard's API");
    command.hide();  // For builds of the page: not among the commands that people use.
    command.runs([] {
        std::fputs(web::openapi_document().c_str(), stdout);
        return kDone;
    });
}

}  // namespace parley::app
