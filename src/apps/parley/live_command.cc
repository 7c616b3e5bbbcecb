#include "apps/parley/access_flags.h"
#include "apps/parley/commands.h"
#include "apps/parley/demo.h"
#include "apps/parley/live_session.h"
#include "apps/parley/record_answers.h"
#include "apps/parley/run_folder.h"
#include "apps/parley/terminal.h"
#include "base/clock_wait.h"
#include "base/number.h"
#include "base/time_text.h"
#include "layers/explanation/wording.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>

namespace parley::app {
namespace {

struct Options {
    RunFlags run;
    AccessFlags cluster;
    std::string trace_out;
    bool anonymise = false;
    std::string space;
    prometheus::Access prometheus;
    std::vector<std::string> prometheus_headers;
    std::string verify_every;
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

Result<LiveOptions> options_of(const Options& options, const Settings& settings) {
    if (settings.run.mode == model::Mode::act) {
        return fail(ErrorCode::denied,
                    "on a real cluster this build only observes; --mode observe or dry-run");
    }
    auto chosen = cluster_of(options.cluster);
    if (!chosen) return tl::unexpected(chosen.error());
    auto folder = run_folder(real_disk(), settings, chosen->name);
    if (!folder) return tl::unexpected(folder.error());
    LiveOptions live{.access = std::move(chosen->access),
                     .credentials = std::move(chosen->credentials),
                     .name = std::move(chosen->name),
                     .policy = settings.policy,
                     .mode = settings.run.mode,
                     .interval = settings.run.interval,
                     .last = settings.run.rounds,
                     .record = settings.run.record,
                     .folder = *folder,
                     .resume = options.resume,
                     .trace_out = options.trace_out,
                     .anonymise = options.anonymise,
                     .seed = settings.run.seed};
    live.watcher.space = options.space;
    live.prometheus.access = options.prometheus;
    if (options.anonymise && options.trace_out.empty()) {
        return fail(ErrorCode::denied, "--anonymise is about --trace-out; name the file");
    }
    for (const std::string& text : options.prometheus_headers) {
        const std::size_t colon = text.find(':');
        if (colon == std::string::npos || colon == 0) {
            return fail(ErrorCode::malformed,
                        "--prometheus-header is not NAME: VALUE, such as X-Scope-OrgID: team");
        }
        const std::size_t begin = text.find_first_not_of(' ', colon + 1);
        live.prometheus.access.headers.push_back(
            {text.substr(0, colon), begin == std::string::npos ? "" : text.substr(begin)});
    }
    if (!options.verify_every.empty()) {
        const auto every = parse_duration(options.verify_every);
        if (!every) return within("--verify-every", every.error());
        if (*every < seconds(1)) {
            return fail(ErrorCode::denied, "--verify-every must be at least 1s");
        }
        live.watcher.reflector.verify_every = *every;
    }
    return live;
}

/// What following cost the API server.
std::string load_text(const LiveState& state, Duration passed) {
    const std::uint64_t requests = state.cluster.requests;
    const double per_s = static_cast<double>(requests) * 1e6 /
                         static_cast<double>(std::max<std::int64_t>(1, passed.us));
    std::string text = "Asked the API server " + std::to_string(requests) + " times, " +
                       fixed(per_s, 1) + " a second.\n";
    if (!state.cluster.program.empty()) text += "Logged in by " + state.cluster.program + ".\n";
    if (state.skipped > 0) {
        text += std::to_string(state.skipped) + " rounds were left out, as others took too long.\n";
    }
    return text;
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
    const Stopwatch begun;
    (*session)->start();
    ScreenHistory history({ready->name, ready->policy, ready->folder, ready->interval});
    Demo show(**session, std::move(history),
              {.pace = ready->interval, .look = milliseconds(50), .last = ready->last},
              answers_from(ready->folder));
    const auto done = options.lines || !screen_possible() ? show.in_lines() : show.on_screen();
    const auto status = (*session)->stop();
    std::printf("%s", load_text((*session)->state(), begun.passed()).c_str());
    const std::string how = status ? std::string(enum_name(*status)) : "failed";
    std::fputs(live_farewell(ready->name, ready->folder, (*session)->rounds(), how).c_str(),
               stdout);
    if (!done) return report(done.error(), kFailed, "The rounds before are whole.");
    return status ? kDone : report(status.error(), kFailed);
}

void add_prometheus_flags(CLI::App& command, Options& into) {
    prometheus::Access& access = into.prometheus;
    const auto text = [&](const char* flag, std::string& value, const char* type,
                          const char* help) {
        command.add_option(flag, value, help)->type_name(type);
    };
    text("--prometheus-base-url", access.url, "URL", "Read Prometheus too (default: off)");
    text("--prometheus-token-file", access.token_file, "FILE", "Bearer token");
    text("--prometheus-user", access.user, "NAME", "Basic authentication");
    text("--prometheus-password-file", access.password_file, "FILE", "Its password");
    text("--prometheus-certificate", access.certificate_file, "FILE", "Our own, with its key");
    text("--prometheus-key", access.key_file, "FILE", "The key of our certificate");
    text("--prometheus-ca", access.ca_file, "FILE", "Whom to trust");
    command
        .add_option("--prometheus-header", into.prometheus_headers, "Sent along, such as a tenant")
        ->type_name("NAME: VALUE");
}

}  // namespace

void add_live(CLI::App& app, Chosen& chosen) {
    CLI::App* command =
        app.add_subcommand("live", "Follow a real cluster; it is only read, nothing is changed");
    const auto options = std::make_shared<Options>();
    add_setting_flags(*command, options->run, kFlags);
    add_access_flags(*command, options->cluster);
    add_prometheus_flags(*command, *options);
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
    command->add_flag("--anonymise", options->anonymise,
                      "Names of nodes, namespaces, workloads and pods in the trace made up");
    command
        ->add_option("-n,--namespace", options->space,
                     "Only this namespace, for who may not read the others")
        ->type_name("NAME");
    command
        ->add_option("--verify-every", options->verify_every,
                     "Compare what is known with a fresh list this often (default 10m)")
        ->type_name("TIME");
    command->add_flag("--resume", options->resume, "Go on with the run in --event-dir");
    command->add_flag("--lines", options->lines, "One line per change, also on a terminal");
    add_examples(*command, {"parley live", "parley live --context prod --rounds 100 --lines",
                            "parley live --kubeconfig ./admin.conf --event-dir A --interval 5s"});
    command->callback([&chosen, options] { chosen = [options] { return live(*options); }; });
}

}  // namespace parley::app
