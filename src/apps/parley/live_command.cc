#include "apps/parley/commands.h"
#include "apps/parley/demo.h"
#include "apps/parley/live_session.h"
#include "apps/parley/record_answers.h"
#include "apps/parley/run_folder.h"
#include "apps/parley/terminal.h"
#include "kube/kubeconfig_load.h"
#include "layers/explanation/wording.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <unistd.h>

namespace parley::app {
namespace {

struct Options {
    RunFlags run;
    kube::AccessOptions access;
    std::string token;
    std::vector<std::string> allow_exec;
    std::string trace_out;
    bool resume = false;
    bool lines = false;
};

constexpr SettingFlag kFlags[] = {
    {"--rounds", "run.rounds", "N", "Stop after this many rounds (default: until stopped)"},
    {"--interval", "run.interval", "TIME", "Time between rounds (default 3s)"},
    {"--profile", "policy.profile", "NAME", "parley (default) or prototype"},
    {"--mode", "run.mode", "MODE", "observe (default) or dry-run"},
    {"--record", "run.record", "LEVEL", "full (default), decisions or none"},
    {"--event-dir", "run.event_dir", "FOLDER", "The run folder (default runs/CONTEXT-SEED)"},
};

/// Whose cluster: the context, or the address where there is none.
std::string name_of(const kube::Access& access) {
    return access.context.empty() ? access.server.text() : access.context;
}

Result<LiveOptions> options_of(const Options& options, const Settings& settings) {
    if (settings.run.mode == model::Mode::act) {
        return fail(ErrorCode::denied,
                    "on a real cluster this build only observes; --mode observe or dry-run");
    }
    const kube::Environment environment = kube::process_environment();
    kube::AccessOptions wanted = options.access;
    wanted.overrides.token = kube::Secret(options.token);
    auto access = kube::load_access(environment, wanted);
    if (!access) return tl::unexpected(access.error());
    auto folder = run_folder(real_disk(), settings, name_of(*access));
    if (!folder) return tl::unexpected(folder.error());
    LiveOptions live{.access = *access,
                     .name = name_of(*access),
                     .policy = settings.policy,
                     .mode = settings.run.mode,
                     .interval = settings.run.interval,
                     .last = settings.run.rounds,
                     .record = settings.run.record,
                     .folder = *folder,
                     .resume = options.resume,
                     .trace_out = options.trace_out,
                     .seed = settings.run.seed};
    live.credentials.environment = environment;
    live.credentials.terminal = ::isatty(STDIN_FILENO) == 1;
    if (!options.allow_exec.empty()) live.credentials.allow_exec = options.allow_exec;
    return live;
}

int live(const Options& options) {
    const auto loaded = settings_of(options.run, default_live_settings());
    if (!loaded) {
        return report(loaded.error(), kWrongUse,
                      "Nothing was started. All settings: parley config print --schema");
    }
    auto ready = options_of(options, loaded->settings);
    if (!ready) return report(ready.error(), kWrongUse, "Nothing was started.");
    catch_stop_signals();
    auto session = LiveSession::open(*ready);
    if (!session) {
        return report(session.error(), status_of(session.error()), "Nothing was started.");
    }
    std::fprintf(stderr, "Following %s at %s (%s), mode %s; Ctrl-C ends it.\n", ready->name.c_str(),
                 ready->access.server.text().c_str(), ready->access.from.c_str(),
                 explanation::mode_text(ready->mode, false).c_str());
    (*session)->start();
    ScreenHistory history({ready->name, ready->policy, ready->folder, ready->interval});
    Demo show(**session, std::move(history),
              {.pace = ready->interval, .look = milliseconds(50), .last = ready->last},
              answers_from(ready->folder));
    const auto done = options.lines || !screen_possible() ? show.in_lines() : show.on_screen();
    const auto status = (*session)->stop();
    const std::string how = status ? std::string(enum_name(*status)) : "failed";
    std::fputs(live_farewell(ready->name, ready->folder, (*session)->rounds(), how).c_str(),
               stdout);
    if (!done) return report(done.error(), kFailed, "The rounds before are whole.");
    return status ? kDone : report(status.error(), kFailed);
}

void add_access_flags(CLI::App& command, Options& into) {
    kube::Overrides& over = into.access.overrides;
    const auto text = [&](const char* flag, std::string& value, const char* type,
                          const char* help) {
        command.add_option(flag, value, help)->type_name(type);
    };
    text("--kubeconfig", into.access.kubeconfig, "FILE",
         "Only this one (default: KUBECONFIG, the pod's own, ~/.kube/config)");
    text("--context", over.context, "NAME", "Not the current context");
    text("--cluster", over.cluster, "NAME", "Not the context's cluster");
    text("--user", over.user, "NAME", "Not the context's user");
    text("--server", over.server, "URL", "Not the cluster's address");
    text("--certificate-authority", over.certificate_authority, "FILE", "Whom to trust");
    text("--tls-server-name", over.tls_server_name, "NAME", "Whose certificate it must be");
    text("--token", into.token, "TOKEN",
         "Shown to others in the list of processes; a file is safer");
    command.add_flag("--insecure-skip-tls-verify", over.insecure_skip_tls_verify,
                     "Trust anybody; on loopback only");
    command.add_option("--allow-exec", into.allow_exec, "Run only this credential plugin")
        ->type_name("PROGRAM");
}

}  // namespace

void add_live(CLI::App& app, Chosen& chosen) {
    CLI::App* command =
        app.add_subcommand("live", "Follow a real cluster; it is only read, nothing is changed");
    const auto options = std::make_shared<Options>();
    add_setting_flags(*command, options->run, kFlags);
    add_access_flags(*command, *options);
    command
        ->add_option_function<std::vector<std::string>>(
            "--namespace-prefixes",
            [options](const std::vector<std::string>& names) {
                std::string list;
                for (const std::string& name : names) {
                    list += (list.empty() ? "" : ",") + ("'" + name + "'");
                }
                options->run.values.push_back(
                    {"policy.namespaces", "--namespace-prefixes", "[" + list + "]", true});
            },
            "Count queue and violations only here; =NAME means exactly that one")
        ->type_name("A,B")
        ->delimiter(',');
    command->add_option("--trace-out", options->trace_out, "Observed snapshots as JSON lines")
        ->type_name("FILE");
    command->add_flag("--resume", options->resume, "Go on with the run in --event-dir");
    command->add_flag("--lines", options->lines, "One line per change, also on a terminal");
    add_examples(*command, {"parley live", "parley live --context prod --rounds 100 --lines",
                            "parley live --kubeconfig ./admin.conf --event-dir A --interval 5s"});
    command->callback([&chosen, options] { chosen = [options] { return live(*options); }; });
}

}  // namespace parley::app
