#include "apps/parley/commands.h"
#include "apps/runs/mend.h"
#include "apps/shelf/brains.h"
#include "base/json.h"
#include "base/schema.h"
#include "replay/why_not.h"

#include <cstdio>
#include <memory>

namespace parley::app {
namespace {

struct WhyNotArguments {
    std::string run;
    std::string action;
    std::optional<std::uint64_t> round;
    bool schema = false;
    Format format = Format::table;
};

int print_why_not(const WhyNotArguments& options) {
    if (options.schema) {
        std::fputs(json_schema<replay::WhyNotAnswer>().c_str(), stdout);
        return kDone;
    }
    if (const auto wanted = replay::parse_wanted(options.action); !wanted) {
        return report(wanted.error(), kWrongUse);
    }
    const auto reader = store::RunReader::open(real_disk(), options.run);
    if (!reader) return report(reader.error(), status_of(reader.error()));
    const auto brains = recorded_brains(real_disk(), options.run, reader->header().policy);
    if (!brains) return report(brains.error(), status_of(brains.error()));
    auto answer = replay::why_not(real_disk(), options.run, *brains, options.action, options.round);
    if (!answer) return report(answer.error(), status_of(answer.error()));
    const Mended mended = mend_derived(real_disk(), options.run);
    if (!mended.whole) answer->gaps.push_back(mended.beyond);
    const std::string text = options.format == Format::json
                                 ? to_json(*answer) + "\n"
                                 : for_terminal(replay::text_of(*answer));
    std::fputs(text.c_str(), stdout);
    return report_mended(mended, answer->gaps.empty() ? kDone : kFailed);
}

}  // namespace

void add_why_not(Command& program) {
    Command command = program.command(
        "why-not", "Why something was not done: who stopped it, how far it was from happening");
    const auto options = std::make_shared<WhyNotArguments>();
    Flag schema = command.on("--schema", options->schema, "Print the JSON Schema of -o json");
    command.text("RUN", options->run, "A run folder").required_unless(schema);
    command.text("ACTION", options->action, "Such as migrate:node-03, queue, sleep:node-05")
        .required_unless(schema);
    add_whole(command, "--round", options->round,
              "In this round (default: where it came nearest to happening)");
    add_output(command, options->format, {"table", "json"});
    add_examples(command, {"parley why-not runs/tour-7 migrate:node-03",
                           "parley why-not runs/tour-7 migrate:node-03 --round 142",
                           "parley why-not runs/tour-7 queue -o json"});
    command.runs([options] { return print_why_not(*options); });
}

}  // namespace parley::app
