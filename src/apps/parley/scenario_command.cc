#include "apps/parley/commands.h"
#include "apps/session/scenario_file.h"
#include "base/json.h"
#include "config/print.h"
#include "config/schema.h"
#include "sim/scenario/builtin_scenarios.h"

#include <algorithm>
#include <cstdio>
#include <memory>

namespace parley::app {
namespace {

struct ScenarioArguments {
    std::string name;
    std::uint64_t seed = 7;
    Format format = Format::table;
};

int list(Format format) {
    const auto all = sim::builtin_scenarios();
    std::string json;
    for (const sim::BuiltinScenario& each : all) {
        if (format == Format::json) {
            json += json.empty() ? "[{\"name\":" : ",{\"name\":";
            append_json_text(json, each.name);
            json += ",\"description\":";
            append_json_text(json, each.description);
            json += "}";
        } else {
            std::printf("%-16s  %s\n", each.name.c_str(), each.description.c_str());
        }
    }
    if (format == Format::json) std::printf("%s]\n", json.c_str());
    return kDone;
}

int show(const ScenarioArguments& options) {
    const auto scenario = load_scenario(real_disk(), options.name, options.seed);
    if (!scenario) {
        return report(scenario.error(), kWrongUse, "All settings: parley scenario schema");
    }
    const sim::Scenario shown = without_files(**scenario);
    const std::string text =
        options.format == Format::json ? to_json(shown) + "\n" : config::print_yaml(shown);
    std::fputs(text.c_str(), stdout);
    return kDone;
}

int schema() {
    std::fputs(config::file_schema<sim::Scenario>().c_str(), stdout);
    return kDone;
}

}  // namespace

void add_scenario(Command& program) {
    Command group = program.command("scenario", "Simulated clusters: list, show, schema");
    group.needs_command();
    const std::vector<std::string> examples = {
        "parley scenario list                     What is built in",
        "parley scenario show tour > mine.yaml    A file to start from",
        "parley scenario show ./mine.yaml         Check a file of your own",
        "parley scenario schema                   For editors that check YAML"};
    add_examples(group, examples);
    const auto options = std::make_shared<ScenarioArguments>();

    Command all = group.command("list", "List the built-in scenarios");
    const auto format = std::make_shared<Format>();
    add_output(all, *format, {"table", "json"});
    add_examples(all, {"parley scenario list -o json"});
    all.runs([format] { return list(*format); });

    Command one = group.command("show", "Print a scenario as a file that --scenario reads");
    one.text("NAME", options->name, "A built-in scenario or a file").required();
    add_whole(one, "--seed", options->seed, "For scenario mixed, which is drawn from it");
    add_output(one, options->format, {"yaml", "json"});
    add_examples(one, {examples[1], examples[2]});
    one.runs([options] { return show(*options); });

    Command form = group.command("schema", "Print the JSON Schema of a scenario file");
    add_examples(form, {"parley scenario schema > scenario.schema.json"});
    form.runs([] { return schema(); });
}

}  // namespace parley::app
