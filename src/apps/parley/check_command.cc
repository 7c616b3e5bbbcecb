#include "apps/live/access_flags.h"
#include "apps/live/cluster_check.h"
#include "apps/parley/commands.h"
#include "base/json.h"

#include <cstdio>
#include <memory>

namespace parley::app {
namespace {

struct CheckArguments {
    AccessFlags cluster;
    std::vector<std::string> spaces;
    Format format = Format::table;
};

int check(const CheckArguments& options) {
    auto chosen = cluster_of(options.cluster);
    if (!chosen) return report(chosen.error(), kWrongUse, "Nothing was asked of any cluster.");
    const Preflight page = check_cluster({.access = std::move(chosen->access),
                                          .credentials = std::move(chosen->credentials),
                                          .name = std::move(chosen->name),
                                          .spaces = options.spaces});
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
    add_access_flags(command, options->cluster);
    add_space_flag(command, options->spaces);
    add_output(command, options->format, {"table", "json"});
    add_examples(command, {"parley check", "parley check --context staging -o json"});
    command.runs([options] { return check(*options); });
}

}  // namespace parley::app
