#include "apps/parley/commands.h"
#include "apps/runs/mend.h"
#include "apps/runs/replay_text.h"
#include "apps/shelf/brains.h"
#include "apps/terminal/progress.h"
#include "base/json.h"

#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

namespace parley::app {
namespace {

struct ReplayArguments {
    std::string run;
    std::string with;  ///< A profile or a settings file; empty: the run's own.
    bool strict = false;
    Format format = Format::table;
};

/// The policy of --with: a profile's, or that of a file.
Result<replay::Other> other_policy(const std::string& with) {
    const bool is_file = with.find('.') != std::string::npos || with.find('/') != std::string::npos;
    const std::vector<FlagValue> profile = {{"policy.profile", "--with", with}};
    auto loaded =
        is_file ? load_settings(real_disk(), with, {}) : load_settings(real_disk(), "", profile);
    if (!loaded) return tl::unexpected(loaded.error());
    auto shelf = model_shelf(real_disk(), "", {});
    if (!shelf) return tl::unexpected(shelf.error());
    auto served = serve_brains(real_disk(), *shelf, loaded->settings.policy);
    if (!served) return tl::unexpected(served.error());
    return replay::Other{loaded->settings.policy, served->brains};
}

int run_replay(const ReplayArguments& options) {
    auto reader = store::RunReader::open(real_disk(), options.run);
    if (!reader) return report(reader.error(), status_of(reader.error()));
    std::optional<Progress> progress(std::in_place, 0, "rounds derived again");
    const auto show = [&](std::uint64_t rounds) { progress->show(rounds); };
    const auto brains = recorded_brains(real_disk(), options.run, reader->header().policy);
    if (!brains) return report(brains.error(), status_of(brains.error()));
    Result<replay::Report> found = fail(ErrorCode::malformed, "");
    if (options.with.empty()) {
        found = replay::replay(*reader, *brains, show);
    } else {
        const auto other = other_policy(options.with);
        if (!other) return report(other.error(), kWrongUse);
        found = replay::replay_with(*reader, *brains, *other, show);
    }
    progress.reset();
    if (!found) return report(found.error(), status_of(found.error()));
    if (found->rounds == 0 && found->gaps.empty()) {
        return report({ErrorCode::denied,
                       options.run + " has no round yet, so there is nothing to derive again",
                       {}},
                      kWrongUse);
    }
    const Mended mended = mend_derived(real_disk(), options.run);
    if (!mended.whole) found->gaps.push_back(mended.beyond);
    if (options.format == Format::json) {
        std::printf("%s\n", to_json(*found).c_str());
    } else {
        const bool plain = options.with.empty();
        std::fputs((plain ? comparison_text(*found) : changes_text(*found)).c_str(), stdout);
    }
    const bool counts = found->same_rules || options.strict;
    const bool differs = options.with.empty() && found->differing > 0 && counts;
    const int status = differs || !found->gaps.empty() ? kFailed : kDone;
    return report_mended(mended, status);
}

}  // namespace

void add_replay(Command& program) {
    Command command = program.command(
        "replay", "Derive every decision of a run again and compare it bit for bit");
    const auto options = std::make_shared<ReplayArguments>();
    command.text("RUN", options->run, "A run folder").required();
    command
        .text("--with", options->with,
              "Show what another profile or settings file would have decided")
        .type("PROFILE|FILE");
    command.on("--strict", options->strict, "Exit 1 also if the rules have changed since");
    add_output(command, options->format, {"table", "json"});
    add_examples(command,
                 {"parley replay runs/tour-7", "parley replay runs/tour-7 --with prototype",
                  "parley replay runs/tour-7 --with ./careful.yaml -o json"});
    command.runs([options] { return run_replay(*options); });
}

}  // namespace parley::app
