#include "apps/live/access_flags.h"
#include "apps/live/release_run.h"
#include "apps/parley/commands.h"

#include <memory>

namespace parley::app {
namespace {

struct ReleaseArguments {
    AccessFlags cluster;
    ReleaseFlags wish;
};

int release(const ReleaseArguments& options) {
    const auto chosen = cluster_of(options.cluster);
    if (!chosen) return report(chosen.error(), kWrongUse, "Nothing was changed.");
    return release_run(*chosen, options.wish);
}

}  // namespace

void add_release(Command& program) {
    Command command = program.command(
        "release", "Give back what Parley changed on a real cluster, by its marks alone");
    const auto options = std::make_shared<ReleaseArguments>();
    add_access_flags(command, options->cluster);
    ReleaseFlags& wish = options->wish;
    Flag all = command.on("--all", wish.all, "Everything that carries a mark");
    Flag expired = command.on("--expired", wish.expired, "What has expired and is still there");
    expired.excludes(all);
    command.text("--decision", wish.decision, "What this decision changed, by its 32 digits")
        .type("ID")
        .excludes(all)
        .excludes(expired);
    command
        .text("--config", wish.config,
              "Settings that name providers, which give back power and clocks")
        .type("FILE");
    command.on("--dry-run", wish.dry_run, "Only say what would be done");
    add_text(command, "--home", wish.home, "NAMESPACE",
             "Where lease, ledger and orders are (default parley-system)");
    add_output(command, wish.format, {"table", "json"});
    add_examples(command, {"parley release --all --dry-run", "parley release --expired",
                           "parley release --decision 0123456789abcdef0123456789abcdef"});
    command.runs([options] { return release(*options); },
                 [options] {
                     const ReleaseFlags& said = options->wish;
                     const bool one = said.all || said.expired || !said.decision.empty();
                     return std::string(one ? "" : "say what: --all, --expired or --decision ID");
                 });
}

}  // namespace parley::app
