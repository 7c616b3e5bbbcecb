#include "apps/parley/commands.h"
#include "apps/running/record_answers.h"
#include "apps/runs/mend.h"
#include "base/json.h"
#include "base/schema.h"
#include "layers/explanation/answers/why_text.h"

#include <cstdio>
#include <memory>

namespace parley::app {
namespace {

struct WhyArguments {
    std::string run;
    explanation::WhyQuery query;
    bool schema = false;
    Format format = Format::table;
};

int print_why(const WhyArguments& options) {
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

void add_why(Command& program) {
    Command command = program.command("why", "Why it was decided so, in sentences");
    const auto options = std::make_shared<WhyArguments>();
    command.text("RUN", options->run, "A run folder")
        .required_unless(
            command.on("--schema", options->schema, "Print the JSON Schema of -o json"));
    Flag round = add_whole(command, "--round", options->query.round,
                           "This round (default: the last contested one)");
    Flag node = command.text("--node", options->query.node, "All about a node");
    Flag workload = command.text("--workload", options->query.workload,
                                 "All about a workload, such as shop/web");
    round.excludes(node).excludes(workload);
    node.type("NAME").excludes(workload);
    workload.type("NAME");
    add_output(command, options->format, {"table", "json"});
    add_examples(command,
                 {"parley why runs/tour-7", "parley why runs/tour-7 --round 142",
                  "parley why runs/tour-7 --node node-07", "parley why runs/tour-7 -o json"});
    command.runs([options] {
        options->query.run = options->run;  // For the commands at the end, ready to paste.
        return print_why(*options);
    });
}

}  // namespace parley::app
