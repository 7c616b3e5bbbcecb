#include "apps/parley/commands.h"
#include "base/json.h"
#include "config/print.h"
#include "config/schema.h"

#include <cstdio>
#include <memory>

namespace parley::app {
namespace {

struct ConfigArguments {
    RunFlags run;
    bool schema = false;
    bool live = false;
    Format format = Format::yaml;
};

/// What no number of rounds stands for.
std::string rounds_default() {
    return std::to_string(kSimulatedRounds) + " in simulate, elsewhere until stopped";
}

/// {"settings": ..., "from": {"run.seed": "--seed"}}: what is not under `from` is a default.
std::string as_json(const LoadedSettings& loaded) {
    std::string out = "{\"settings\":" + to_json(loaded.settings) + ",\"from\":{";
    bool first = true;
    for (const auto& [path, origin] : loaded.origins) {
        if (!first) out += ',';
        first = false;
        append_json_text(out, path);
        out += ':';
        append_json_text(out, origin.text());
    }
    return out + "}}\n";
}

int print_settings(const ConfigArguments& options) {
    if (options.schema) {
        std::fputs(config::file_schema<Settings>().c_str(), stdout);
        return kDone;
    }
    const auto loaded =
        settings_of(options.run, options.live ? default_live_settings() : default_settings());
    if (!loaded) {
        return report(loaded.error(), kWrongUse,
                      "Nothing was started. All settings: parley config print --schema");
    }
    config::Origins shown = loaded->origins;
    shown.try_emplace("run.rounds", config::Origin{"default: " + rounds_default(), {}});
    const std::string text = options.format == Format::json
                                 ? as_json(*loaded)
                                 : config::print_yaml(loaded->settings, &shown);
    std::fputs(text.c_str(), stdout);
    return kDone;
}

}  // namespace

void add_config(Command& program) {
    Command group = program.command("config", "Settings: what is in force, and from where");
    group.needs_command();
    Command command = group.command(
        "print",
        "Print every setting in force and where it came from, as YAML that --config reads");
    const auto options = std::make_shared<ConfigArguments>();
    command.on("--schema", options->schema, "Print the JSON Schema of a settings file");
    command.on("--live", options->live,
               "From the defaults on a real cluster, where nothing is allowed and nothing is sent");
    add_output(command, options->format, {"yaml", "json"});
    add_run_flags(command, options->run, rounds_default());
    const std::vector<std::string> examples = {
        "parley config print > mine.yaml          A file with everything to start from",
        "parley config print --live > real.yaml   The same for a real cluster: it acts nowhere yet",
        "parley config print --config mine.yaml   What is in force with it",
        "parley config print --set policy.guard.headroom=0.2",
        "parley config print --schema             For editors that check YAML"};
    add_examples(command, examples);
    add_examples(group, examples);
    command.runs([options] { return print_settings(*options); });
}

}  // namespace parley::app
