#include "apps/tuning/boot_tuning.h"

#include "base/json.h"
#include "base/number.h"
#include "experiment/tune_objective.h"
#include "store/run_format.h"
#include "store/run_reader.h"

#include <algorithm>
#include <utility>

namespace parley::app {
namespace {

BootStage stage(StageStatus status, std::string detail) {
    return {"optuna", status, std::move(detail)};
}

std::string void_of(const BootFlags& flags) {
    return flags.trials ? "; --trials " + std::to_string(*flags.trials) + " is void" : "";
}

/// Why there is nothing to run; nothing if there is.
std::optional<BootStage> without_trials(const TuningStart& start) {
    const BootFlags& flags = start.flags;
    if (flags.no_tune) return stage(StageStatus::disabled, "by --no-tune" + void_of(flags));
    if (start.resume) return std::nullopt;
    if (!flags.trials) {
        return stage(StageStatus::idle,
                     "nobody asked for it; demo and live tune at the start with --trials N");
    }
    if (*flags.trials == 0) return stage(StageStatus::idle, "--trials 0 asks for none");
    if (start.folder.empty()) {
        return stage(StageStatus::skipped,
                     "nothing is recorded, so that there is no folder for a "
                     "study" +
                         void_of(flags));
    }
    return std::nullopt;
}

/// Takes over values of another policy where this one has the defaults; returns the names of the
/// rest.
std::vector<std::string> adopt(const std::vector<double>& values, model::Policy& policy) {
    const std::vector<double> standard = experiment::values_of(experiment::untuned(policy.profile));
    std::vector<double> mine = experiment::values_of(policy);
    std::vector<std::string> kept;
    for (std::size_t i = 0; i < mine.size(); ++i) {
        if (mine[i] == standard[i]) {
            mine[i] = values[i];
        } else if (mine[i] != values[i]) {
            kept.emplace_back(experiment::tunables(policy.profile)[i].name);
        }
    }
    model::Policy tuned = policy;
    if (experiment::set_values(mine, tuned)) policy = std::move(tuned);
    return kept;
}

/// A resumed run keeps the parameters that it began with.
BootStage as_it_began(Disk& disk, const TuningStart& start, model::Policy& policy) {
    const auto there = disk.exists(join(join(start.folder, store::kTuningFolder), "result.json"));
    if (!there || !*there) {
        return stage(StageStatus::idle,
                     "the run goes on as it began, without" + void_of(start.flags));
    }
    const auto reader = store::RunReader::open(disk, start.folder);
    if (!reader) return stage(StageStatus::failed, reader.error().message);
    const model::Policy& begun = reader->header().policy;
    if (begun.profile == policy.profile) adopt(experiment::values_of(begun), policy);
    return stage(StageStatus::complete, "when the run began" + void_of(start.flags));
}

std::string counted(const TuneReport& report) {
    const std::int64_t trials = report.complete + report.pruned + report.failed;
    std::string text = std::to_string(trials) + (trials == 1 ? " trial" : " trials");
    if (!report.finalists.empty()) {
        const auto [lowest, highest] =
            std::ranges::minmax_element(report.finalists, {}, &Finalist::tuning);
        const auto& best = experiment::more_is_better(report.profile) ? *highest : *lowest;
        text += ", best " + experiment::value_text(best.tuning, report.profile);
    }
    return text;
}

std::string found_text(const TuneReport& report, const TuningResult& result, std::int64_t fresh) {
    const bool reward = report.profile == model::Profile::prototype;
    const std::string on = " on " + std::to_string(fresh) + " fresh seeds (" +
                           experiment::value_text(report.finalists.front().fresh, report.profile) +
                           (reward ? " a round, the default " : " pod-minutes, the default ") +
                           experiment::value_text(report.default_fresh, report.profile) +
                           (reward ? "; the objective contains its own weights)" : ")");
    if (!result.used) {
        const bool told = report.answer != experiment::Answer::unresolved &&
                          report.answer != experiment::Answer::too_few;
        return counted(report) + "; the default stays: the winner is " +
               (told ? experiment::answer_text(report.answer) : "not told from it") + on;
    }
    std::string text = counted(report) + "; the winner is used: better" + on;
    if (result.kept.empty()) return text;
    text += "; set by the configuration, and kept: ";
    for (std::size_t i = 0; i < result.kept.size(); ++i) {
        text += (i > 0 ? ", " : "") + result.kept[i];
    }
    return text;
}

/// The winner's values, in the order of tunables().
std::vector<double> values_of(const TuneReport& report) {
    std::vector<double> values;
    for (const TunedParameter& each : report.parameters) values.push_back(each.value);
    return values;
}

/// Checked before the trials, so that nobody waits for them only to hear that the run cannot begin.
Result<void> check_folder(Disk& disk, const std::string& folder) {
    const auto there = disk.exists(folder);
    if (!there) return tl::unexpected(there.error());
    if (!*there) return {};
    auto names = disk.list(folder);
    if (!names) return tl::unexpected(names.error());
    std::erase(*names, store::kTuningFolder);
    if (names->empty()) return {};
    return fail(ErrorCode::denied, folder + " is not empty");
}

Result<BootStage> tuned(Disk& disk, const TuningStart& start, model::Policy& policy,
                        const TuningShown& shown) {
    if (auto fine = check_folder(disk, start.folder); !fine) return tl::unexpected(fine.error());
    const std::string folder = join(start.folder, store::kTuningFolder);
    if (auto made = make_directories(disk, folder); !made) return tl::unexpected(made.error());
    TunePlan plan = start.plan;
    plan.profile = policy.profile;
    plan.trials = *start.flags.trials;
    plan.storage = "sqlite:" + join(folder, "study.db");
    plan.program = start.program;
    const auto report = tune(plan, [&](const TuneProgress& at) {
        std::string text = std::to_string(at.done) + " of " + std::to_string(at.of) + " " + at.what;
        if (at.best) text += ", best " + experiment::value_text(*at.best, policy.profile);
        return shown(stage(StageStatus::running, text), at);
    });
    if (!report) return tl::unexpected(report.error());
    TuningResult result{.report = *report};
    if (report->answer == experiment::Answer::better) {
        result.kept = adopt(values_of(*report), policy);
        result.used = true;
    }
    auto kept =
        write_file_atomically(disk, join(folder, "result.json"), to_json(result) + "\n")
            .and_then([&] {
                return write_file_atomically(disk, join(folder, "tuned.yaml"), report->settings);
            });
    if (!kept) return tl::unexpected(kept.error());
    return stage(StageStatus::complete, found_text(*report, result, plan.fresh));
}

}  // namespace

bool will_tune(const TuningStart& start) { return !start.resume && !without_trials(start); }

BootStage tune_at_start(Disk& disk, const TuningStart& start, model::Policy& policy,
                        const TuningShown& shown) {
    if (auto none = without_trials(start)) return *std::move(none);
    if (start.resume) return as_it_began(disk, start, policy);
    auto done = tuned(disk, start, policy, shown);
    if (done) return *std::move(done);
    return stage(StageStatus::failed, done.error().message + "; the policy stays as it is");
}

}  // namespace parley::app
