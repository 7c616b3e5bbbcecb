#include "apps/live/live_flags.h"

#include "apps/live/may_act.h"
#include "apps/live/providers.h"
#include "apps/running/run_folder.h"
#include "apps/tuning/boot_flags.h"
#include "base/entropy.h"
#include "base/time_text.h"
#include "config/source.h"
#include "store/run_reader.h"
#include "store/run_writer.h"

#include <cstdlib>
#include <utility>

namespace parley::app {
namespace {

constexpr SettingFlag kFlags[] = {
    {"--rounds", "run.rounds", "N", "Stop after this many rounds (default: until stopped)"},
    {"--max-iterations", "run.rounds", "N", "Like --rounds"},
    {"--interval", "run.interval", "TIME", "Time between rounds (default 3s)"},
    {"--profile", "policy.profile", "NAME", "parley (default) or prototype"},
    {"--predictor", "policy.predictor", "NAME", "evidence (default), formula or xgboost"},
    {"--models", "run.models", "FOLDER", "Where trained models are; see parley model --help"},
    {"--trust", "run.trust", "KEY", "Believe models signed by this key, too"},
    {"--mode", "run.mode", "MODE", "observe (default), dry-run (asks as dry runs) or act"},
    {"--record", "run.record", "LEVEL", "full (default), decisions or none"},
    {"--event-dir", "run.event_dir", "FOLDER", "The run folder (default runs/CONTEXT-SEED)"},
};

constexpr std::size_t kCalibrationBytesMax = std::size_t{64} << 10;

Result<std::vector<http::Header>> headers_of(const std::vector<std::string>& texts) {
    std::vector<http::Header> headers;
    for (const std::string& text : texts) {
        const std::size_t colon = text.find(':');
        if (colon == std::string::npos || colon == 0) {
            return fail(ErrorCode::malformed,
                        "--prometheus-header is not NAME: VALUE, such as X-Scope-OrgID: team");
        }
        const std::size_t begin = text.find_first_not_of(' ', colon + 1);
        headers.push_back(
            {text.substr(0, colon), begin == std::string::npos ? "" : text.substr(begin)});
    }
    return headers;
}

/// The settings of the file become policy.power: idle_w, cpu_w, memory_w and their source.
Result<void> add_calibration(const std::string& path, RunFlags& run) {
    auto source = config::load_source(real_disk(), path, kCalibrationBytesMax);
    if (!source) return within("--power-calibration", source.error());
    const std::string flag = "--power-calibration " + path;
    // If the file itself names a source, that comes later and wins.
    run.values.push_back({"policy.power.source", flag, path, false});
    run.values.push_back({"policy.power", flag, source->text, true});
    return {};
}

/// Of a run that goes on its own, else one that no other run has: ids of decisions rest on it.
Result<std::uint64_t> seed_of(const std::string& folder, bool resume) {
    if (!resume || folder.empty()) return random_seed();
    const auto unborn = store::is_unborn(real_disk(), folder);
    if (!unborn) return tl::unexpected(unborn.error());
    if (*unborn) return random_seed();
    const auto run = store::RunReader::open(real_disk(), folder);
    if (!run) return tl::unexpected(run.error());
    return run->header().seed;
}

Result<Duration> verify_every(const std::string& text) {
    const auto every = parse_duration(text);
    if (!every) return within("--verify-every", every.error());
    if (*every < seconds(1)) return fail(ErrorCode::denied, "--verify-every must be at least 1s");
    return *every;
}

void add_prometheus_flags(Command& command, LiveFlags& into) {
    const OptionGroup heading(command, "Prometheus");
    prometheus::Access& access = into.prometheus;
    add_text(command, "--prometheus-base-url", access.url, "URL",
             "Read Prometheus too (default: off)");
    add_text(command, "--prometheus-token-file", access.token_file, "FILE", "Bearer token");
    add_text(command, "--prometheus-user", access.user, "NAME", "Basic authentication");
    add_text(command, "--prometheus-password-file", access.password_file, "FILE", "Its password");
    add_text(command, "--prometheus-certificate", access.certificate_file, "FILE",
             "Our own, with its key");
    add_text(command, "--prometheus-key", access.key_file, "FILE", "The key of our certificate");
    add_text(command, "--prometheus-ca", access.ca_file, "FILE", "Whom to trust");
    command.texts("--prometheus-header", into.prometheus_headers, "Sent along, such as a tenant")
        .type("NAME: VALUE");
}

/// Flags that are settings in another form.
void add_other_forms(Command& command, LiveFlags& into) {
    const auto seconds_of = [&into](double value) {
        into.run.values.push_back(
            {"run.interval", "--interval-seconds", std::to_string(value) + "s", false});
    };
    command
        .taken_number("--interval-seconds", 0.1, 86'400.0, seconds_of,
                      "Like --interval, as a number of seconds, at least 0.1")
        .type("N");
    const auto namespaces = [&into](const std::vector<std::string>& names) {
        std::string list;
        for (const std::string& name : names) {
            list += (list.empty() ? "" : ",") + ("'" + name + "'");
        }
        into.run.values.push_back(
            {"policy.namespaces", "--namespace-prefixes", "[" + list + "]", true});
    };
    command
        .taken_list("--namespace-prefixes", namespaces,
                    "Count queue and violations only here; =NAME means exactly that one")
        .type("A,B")
        .by_commas();
}

/// Flags that mean nothing without another one.
Result<void> check_together(const LiveFlags& flags) {
    if (flags.anonymise && flags.trace_out.empty()) {
        return fail(ErrorCode::denied, "--anonymise is about --trace-out; name the file");
    }
    if (!flags.exercise.on && !flags.exercise.given.empty()) {
        return fail(ErrorCode::denied, flags.exercise.given.front() +
                                           " means nothing without --exercise-cluster, which lets "
                                           "the exerciser change the cluster");
    }
    return {};
}

}  // namespace

void add_live_flags(Command& command, LiveFlags& into) {
    add_setting_flags(command, into.run, kFlags);
    add_other_forms(command, into);
    add_access_flags(command, into.cluster);
    add_prometheus_flags(command, into);
    add_boot_flags(command, into.boot);
    add_listen_flags(command, into.listen, ListenDefault::on);
    add_webhook_flags(command, into.webhook);
    add_exercise_flags(command, into.exercise, true);
    add_text(command, "--power-calibration", into.power_calibration, "FILE",
             "Watts: idle_w, cpu_w, memory_w and their source, as YAML or JSON");
    add_text(command, "--trace-out", into.trace_out, "FILE", "Observed snapshots as JSON lines");
    command.on("--anonymise", into.anonymise,
               "Names of nodes, namespaces, workloads and pods in the trace made up");
    add_space_flag(command, into.spaces);
    add_text(command, "--home", into.home, "NAMESPACE",
             "Where lease and ledger are in mode act (default parley-system)");
    add_text(command, "--verify-every", into.verify_every, "TIME",
             "Compare what is known with a fresh list this often (default 10m)");
    command.on("--resume", into.resume, "Go on with the run in --event-dir");
    command.on("--lines", into.lines, "One line per change, also on a terminal");
}

Result<LiveOptions> live_options(const LiveFlags& flags) {
    RunFlags run = flags.run;
    if (!flags.power_calibration.empty()) {
        if (auto ok = add_calibration(flags.power_calibration, run); !ok) {
            return tl::unexpected(ok.error());
        }
    }
    auto loaded = settings_of(run, default_live_settings());
    if (!loaded) return tl::unexpected(loaded.error());
    Settings& settings = loaded->settings;
    auto providers = providers_of(*loaded);
    if (!providers) return tl::unexpected(providers.error());
    if (auto fine = check_acting(*loaded, *providers); !fine) return tl::unexpected(fine.error());
    if (auto fine = check_together(flags); !fine) return tl::unexpected(fine.error());
    const bool in_cluster = std::getenv("KUBERNETES_SERVICE_HOST") != nullptr;
    auto webhook = webhook_of(flags.webhook, settings.run.mode, flags.home, in_cluster);
    if (!webhook) return tl::unexpected(webhook.error());
    auto chosen = cluster_of(flags.cluster);
    if (!chosen) return tl::unexpected(chosen.error());
    const auto seed = seed_of(settings.run.event_dir, flags.resume);
    if (!seed) return tl::unexpected(seed.error());
    settings.run.seed = *seed;
    loaded->origins.erase("run.seed");
    auto folder = run_folder(real_disk(), settings, chosen->name);
    if (!folder) return tl::unexpected(folder.error());
    model::Policy policy = settings.policy;
    auto served = serve_policy(real_disk(), settings.run.models, settings.run.trust, policy);
    if (!served) return tl::unexpected(served.error());
    LiveOptions live{.access = std::move(chosen->access),
                     .credentials = std::move(chosen->credentials),
                     .name = std::move(chosen->name),
                     .policy = std::move(policy),
                     .served = *std::move(served),
                     .mode = settings.run.mode,
                     .interval = settings.run.interval,
                     .last = settings.run.rounds,
                     .record = settings.run.record,
                     .folder = *folder,
                     .resume = flags.resume,
                     .trace_out = flags.trace_out,
                     .anonymise = flags.anonymise,
                     .seed = settings.run.seed,
                     .home = flags.home,
                     .providers = *std::move(providers),
                     .webhook = *std::move(webhook)};
    live.loaded = *loaded;
    live.watcher.spaces = flags.spaces;
    live.prometheus.access = flags.prometheus;
    auto headers = headers_of(flags.prometheus_headers);
    if (!headers) return tl::unexpected(headers.error());
    live.prometheus.access.headers = *std::move(headers);
    if (!flags.verify_every.empty()) {
        const auto every = verify_every(flags.verify_every);
        if (!every) return tl::unexpected(every.error());
        live.watcher.reflector.verify_every = *every;
    }
    if (flags.exercise.on) {
        auto exercise = exercise_of(flags.exercise, settings.policy);
        if (!exercise) return tl::unexpected(exercise.error());
        live.exercise = *std::move(exercise);
    }
    return live;
}

}  // namespace parley::app
