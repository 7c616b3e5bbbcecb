#include "apps/parley/commands.h"
#include "apps/runs/mend.h"
#include "apps/session/record_answers.h"
#include "base/json.h"
#include "base/schema.h"
#include "layers/explanation/answers/why_text.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>

namespace parley::app {
namespace {

struct Options {
    std::string run;
    explanation::WhyQuery query;
    bool schema = false;
    Format format = Format::table;
};

int print_why(const Options& options) {
    if (options.schema) {
        std::fputs(json_schema<explanation::WhyAnswer>().c_str(), stdout);
        return kDone;
    }
    auto answer = answer_why(options.run, options.query);
    if (!answer) return report(answer.error(), status_of(answer.error()));
    const Mended mended = mend_derived(real_disk(), options.run);
    if (!mended.whole) answer->gaps.push_back(mended.beyond);
    const std::string text = options.format == Format::json
                                 ? to_json(*answer) + "\n"
                                 : for_terminal(explanation::text_of(*answer));
    std::fputs(text.c_str(), stdout);
    return report_mended(mended, answer->gaps.empty() ? kDone : kFailed);
}

}  // namespace

void add_why(CLI::App& app, Chosen& chosen) {
    CLI::App* command = app.add_subcommand("why", "Why it was decided so, in sentences");
    const auto options = std::make_shared<Options>();
    CLI::Option* run = command->add_option("RUN", options->run, "A run folder");
    CLI::Option* round = add_whole(*command, "--round", options->query.round,
                                   "This round (default: the last contested one)");
    CLI::Option* node = command->add_option("--node", options->query.node, "All about a node");
    CLI::Option* workload = command->add_option("--workload", options->query.workload,
                                                "All about a workload, such as shop/web");
    round->excludes(node)->excludes(workload);
    node->type_name("NAME")->excludes(workload);
    workload->type_name("NAME");
    command->add_flag("--schema", options->schema, "Print the JSON Schema of -o json");
    add_output(*command, options->format, {"table", "json"});
    add_examples(*command,
                 {"parley why runs/tour-7", "parley why runs/tour-7 --round 142",
                  "parley why runs/tour-7 --node node-07", "parley why runs/tour-7 -o json"});
    command->callback([&chosen, options, run] {
        if (run->count() == 0 && !options->schema) throw CLI::RequiredError("RUN, a run folder,");
        options->query.run = options->run;  // For the commands at the end, ready to paste.
        chosen = [options] { return print_why(*options); };
    });
}

}  // namespace parley::app
