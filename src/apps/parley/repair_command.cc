#include "apps/parley/commands.h"
#include "apps/runs/mend.h"
#include "apps/runs/repair.h"
#include "base/json.h"

#include <cstdio>
#include <memory>

namespace parley::app {
namespace {

struct RepairArguments {
    std::string run;
    Format format = Format::table;
};

int repair_run(const RepairArguments& options) {
    const auto done = repair(real_disk(), options.run);
    if (!done) return report(done.error(), status_of(done.error()));
    const std::string text =
        options.format == Format::json ? to_json(*done) + "\n" : for_terminal(text_of(*done));
    std::fputs(text.c_str(), stdout);
    return report_mended(mend_derived(real_disk(), options.run), kDone);
}

}  // namespace

void add_repair(Command& program) {
    Command command = program.command(
        "repair", "Keep what is damaged of a run aside, so that it can be gone on with");
    const auto options = std::make_shared<RepairArguments>();
    command.text("RUN", options->run, "A run folder").required();
    add_output(command, options->format, {"table", "json"});
    add_examples(command, {"parley repair runs/tour-7      Says what is gone; then --resume works",
                           "parley repair runs/tour-7 -o json"});
    command.runs([options] { return repair_run(*options); });
}

}  // namespace parley::app
