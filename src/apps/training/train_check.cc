#include "apps/training/train_check.h"

#include "apps/terminal/output_file.h"
#include "traces/catalogue.h"

namespace parley::app {
namespace {

/// A flag that has no meaning with, or without, another.
struct Pair {
    const char* flag;
    const char* other;
    bool wants_other;
    const char* why;
};

constexpr const char* kTableOnly = "it is about a table";

constexpr Pair kPairs[] = {
    {"--csv", "--trace", false, "rows come from one of them"},
    {"--csv", "--from", false, "a table is named by --csv alone"},
    {"--csv", "--simulate", false, "rows come from one of them"},
    {"--csv", "--recalibrate", false, "the model that ships reads recorded runs"},
    {"--csv", "--families", false, "a table does not say which fault it was"},
    {"--time", "--csv", true, kTableOnly},
    {"--entity", "--csv", true, kTableOnly},
    {"--value", "--csv", true, kTableOnly},
    {"--event", "--csv", true, kTableOnly},
    {"--step", "--csv", true, kTableOnly},
    {"--features", "--csv", true, kTableOnly},
    {"--simulate", "--trace", false, "a public trace is read from its files"},
    {"--models", "--trace", false, "what a trace teaches goes to the folder that --out names"},
    {"--horizon", "--trace", false, "a trace has a horizon of its own"},
    {"--families", "--trace", false, "a trace does not say which fault it was"},
    {"--recalibrate", "--trace", false, "the model that ships speaks of nodes"},
    {"--horizon", "--recalibrate", false, "the model that ships looks 30 minutes ahead"},
    {"--families", "--recalibrate", false, "its trees stay as they are"},
    {"--depth", "--recalibrate", false, "its trees stay as they are"},
    {"--rounds", "--recalibrate", false, "its trees stay as they are"},
    {"--threads", "--recalibrate", false, "no tree is grown"},
    {"--report", "--recalibrate", false, "what it comes to is a table; -o json has all of it"},
    {"--from", "--simulate", false, "rows come from one of them"},
    {"--length", "--simulate", true, "only simulated runs have a length to choose"},
    {"--families", "--simulate", true, "only a simulation knows which fault it was"},
};

Result<void> check_there(Disk& disk, const char* flag, const std::vector<std::string>& from) {
    for (const std::string& path : from) {
        const auto there = disk.exists(path);
        if (!there) return tl::unexpected(there.error());
        if (!*there) {
            return fail(ErrorCode::denied,
                        std::string(flag) + ": there is no " + path + "; check the path");
        }
    }
    return {};
}

}  // namespace

Result<void> check_together(const std::set<std::string>& given) {
    for (const Pair& pair : kPairs) {
        if (!given.contains(pair.flag) || given.contains(pair.other) == pair.wants_other) continue;
        return fail(ErrorCode::denied, std::string(pair.flag) + " has no meaning " +
                                           (pair.wants_other ? "without " : "with ") + pair.other +
                                           ": " + pair.why);
    }
    if (given.contains("--out") && !given.contains("--trace") && !given.contains("--csv")) {
        return fail(ErrorCode::denied,
                    "--out has no meaning without --trace or --csv: a model of runs goes on the "
                    "shelf, which --models names");
    }
    if (given.contains("--models") && given.contains("--csv") && !given.contains("--features")) {
        return fail(ErrorCode::denied,
                    "--models has no meaning without --features: only a model of node features can "
                    "serve; --out names a folder for any other");
    }
    if (given.contains("--csv")) {
        const bool named = given.contains("--value") || given.contains("--event");
        if (!given.contains("--time") || !named) {
            return fail(ErrorCode::denied,
                        "--csv needs the names of its columns: --time COL, --entity COL and " +
                            std::string(named ? "the rest" : "--value COL or --event COL"));
        }
    }
    if (given.contains("--trace") && !given.contains("--from")) {
        return fail(ErrorCode::denied, "--trace needs its files; name them with --from FILE");
    }
    return {};
}

Result<void> check_training(Disk& disk, const TrainFlags& flags, bool risk) {
    if (auto fine = check_together(flags.given); !fine) return fine;
    for (const std::string& path : {flags.train.report, flags.train.rows}) {
        if (auto fine = check_output(path, flags.train.from); !fine) return fine;
    }
    const CsvFlags& csv = flags.train.csv;
    if (auto fine = check_output_folder(flags.train.out); !fine) return fine;
    if (!csv.file.empty()) {
        if (csv.file == flags.train.rows || csv.file == flags.train.report)
            return fail(ErrorCode::denied, csv.file + " is read; name another file to write");
        return check_there(disk, "--csv", {csv.file});
    }
    if (!flags.given.contains("--trace")) return check_there(disk, "--from", flags.train.from);
    const auto all = risk ? traces::risk_traces() : traces::load_traces();
    if (auto known = traces::check_name(flags.train.trace, all); !known) return known;
    const auto& from = flags.train.from;
    if (auto fine = traces::check_count(flags.train.trace, all, from.size()); !fine) return fine;
    return check_there(disk, "--from", from);
}

}  // namespace parley::app
