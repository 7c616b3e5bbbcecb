#include "apps/session/run_folder.h"

#include "apps/session/scenario_file.h"
#include "base/number.h"
#include "base/words.h"

#include <algorithm>
#include <utility>

namespace parley::app {
namespace {

constexpr int kFoldersMax = 10'000;

/// Keeps only characters that are valid in paths everywhere.
std::string plain(std::string name) {
    std::ranges::replace_if(
        name,
        [](char c) {
            const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            return !letter && !(c >= '0' && c <= '9') && c != '-' && c != '_';
        },
        '_');
    return name.empty() ? "run" : name.substr(0, 60);
}

}  // namespace

Result<std::string> run_folder(Disk& disk, const Settings& settings, const std::string& scenario) {
    if (settings.run.record == store::RecordLevel::none) return std::string();
    if (!settings.run.event_dir.empty()) return settings.run.event_dir;
    const std::string first = "runs/" + plain(scenario) + "-" + std::to_string(settings.run.seed);
    std::string folder = first;
    for (int i = 2; i < kFoldersMax; ++i) {
        const auto taken = disk.exists(folder);
        if (!taken) return tl::unexpected(taken.error());
        if (!*taken) return folder;
        folder = first + "-" + std::to_string(i);
    }
    return fail(ErrorCode::denied, "all of " + first + "-2 to -9999 exist; name one: --event-dir");
}

Result<SessionOptions> session_options(Disk& disk, const Settings& settings, bool resume) {
    if (resume && settings.run.event_dir.empty()) {
        return fail(ErrorCode::denied, "--resume needs to know which run: add --event-dir FOLDER");
    }
    if (resume && settings.run.record == store::RecordLevel::none) {
        return fail(ErrorCode::denied, "--resume and --record none exclude each other; drop one");
    }
    auto scenario = load_scenario(disk, settings.run.scenario, settings.run.seed);
    if (!scenario) return tl::unexpected(scenario.error());
    auto folder = run_folder(disk, settings, (*scenario)->name);
    if (!folder) return tl::unexpected(folder.error());
    auto policy = settings.policy;
    auto served = serve_policy(disk, settings.run.models, settings.run.trust, policy);
    if (!served) return tl::unexpected(served.error());
    return SessionOptions{.scenario = scenario_for(*std::move(scenario), policy.profile),
                          .seed = settings.run.seed,
                          .policy = std::move(policy),
                          .served = *std::move(served),
                          .mode = settings.run.mode,
                          .interval = settings.run.interval,
                          .record = settings.run.record,
                          .folder = *std::move(folder),
                          .resume = resume};
}

std::string run_name(const SessionOptions& options) {
    return options.scenario->name + ", seed " + std::to_string(options.seed);
}

namespace {

std::string farewell_of(const std::string& name, const std::string& folder, std::uint64_t rounds,
                        const std::string& how) {
    const std::string count =
        thousands(static_cast<std::int64_t>(rounds)) + (rounds == 1 ? " round" : " rounds");
    if (folder.empty()) return name + ": " + count + ", " + how + ". Nothing was recorded.\n";
    return "The run is in " + folder + ": " + name + ", " + count + ", " + how +
           ".\nGo on with\n  parley why " + shell_word(folder) + "\n  parley replay " +
           shell_word(folder) + "\n  parley digest " + shell_word(folder) + "\n";
}

}  // namespace

bool is_kept(const Error& failure) { return failure.code != ErrorCode::gone; }

std::string aftermath(const Error& failure) {
    return is_kept(failure) ? "The rounds before are whole."
                            : "What was recorded before is not where it was put.";
}

std::string farewell(const SessionOptions& options, std::uint64_t rounds, const std::string& how) {
    return farewell_of(run_name(options), options.folder, rounds, how);
}

std::string live_farewell(const std::string& cluster, const std::string& folder,
                          std::uint64_t rounds, const std::string& how) {
    return farewell_of(cluster, folder, rounds, how);
}

}  // namespace parley::app
