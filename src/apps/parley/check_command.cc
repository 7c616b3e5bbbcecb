#include "apps/live/access_flags.h"
#include "apps/live/cluster_check.h"
#include "apps/live/may_act.h"
#include "apps/live/providers.h"
#include "apps/parley/commands.h"
#include "base/json.h"

#include <cstdio>
#include <memory>

namespace parley::app {
namespace {

constexpr SettingFlag kFlags[] = {
    {"--mode", "run.mode", "MODE", "For observe (default), dry-run or act"},
};

struct CheckArguments {
    AccessFlags cluster;
    RunFlags run;
    std::string home = "parley-system";
    std::vector<std::string> spaces;
    Format format = Format::table;
};

int check(const CheckArguments& options) {
    const auto loaded = settings_of(options.run, default_live_settings());
    if (!loaded) return report(loaded.error(), kWrongUse, "Nothing was asked of any cluster.");
    if (const auto fine = check_asked_for(*loaded); !fine)
        return report(fine.error(), kWrongUse, "Nothing was asked of any cluster.");
    auto providers = providers_of(*loaded);
    if (!providers)
        return report(providers.error(), kWrongUse, "Nothing was asked of any cluster.");
    auto chosen = cluster_of(options.cluster);
    if (!chosen) return report(chosen.error(), kWrongUse, "Nothing was asked of any cluster.");
    const Preflight page = check_cluster({.access = std::move(chosen->access),
                                          .credentials = std::move(chosen->credentials),
                                          .name = std::move(chosen->name),
                                          .spaces = options.spaces,
                                          .mode = loaded->settings.run.mode,
                                          .allow = loaded->settings.policy.allow,
                                          .providers = *std::move(providers),
                                          .home = options.home});
    std::fputs(
        options.format == Format::json ? (to_json(page) + "\n").c_str() : print(page).c_str(),
        stdout);
    return exit_status(page);
}

}  // namespace

void add_check(Command& program) {
    Command command = program.command(
        "check", "Whether a real cluster can be followed: access, permissions, sources");
    const auto options = std::make_shared<CheckArguments>();
    add_setting_flags(command, options->run, kFlags);
    add_access_flags(command, options->cluster);
    command.text("--home", options->home, "Where lease and ledger are (default parley-system)")
        .type("NAMESPACE");
    add_space_flag(command, options->spaces);
    add_output(command, options->format, {"table", "json"});
    add_examples(command, {"parley check", "parley check --context staging -o json",
                           "parley check --mode act --config act.yaml"});
    command.runs([options] { return check(*options); });
}

}  // namespace parley::app
