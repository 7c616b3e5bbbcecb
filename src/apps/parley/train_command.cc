#include "apps/parley/commands.h"
#include "apps/training/train_in_sight.h"

#include <memory>

namespace parley::app {
namespace {

void add_kind(Command& group, bool risk) {
    Command command =
        group.command(risk ? "risk" : "demand", risk ? "Train a model of what will fail"
                                                     : "Train a model of what will be used");
    const auto flags = std::make_shared<TrainFlags>();
    add_train_flags(command, *flags, risk);
    add_examples(
        command,
        {risk ? "parley train risk --simulate 1-100 --threads 2"
              : "parley train demand --simulate 1-60 --threads 2",
         risk ? "parley train risk --trace grid5000 --from event_trace.csv.gz --out brain"
              : "parley train demand --trace datacenter --from google2019.csv.gz --out brain",
         risk ? "parley train risk --csv nodes.csv --time when --entity node --event down"
              : "parley train demand --csv load.csv --time when --entity service --value rps",
         risk ? "parley train risk --recalibrate --from runs/monday runs/tuesday"
              : "parley train demand --from runs/monday --report demand.html"});
    command.runs([flags, risk, command] {
        note_given(command, *flags);
        return train_in_sight(*flags, risk);
    });
}

}  // namespace

void add_train(Command& program) {
    Command group = program.command("train", "Train a brain and say how good it is");
    group.needs_command();
    add_examples(group, {"parley train risk --help      What may fail, from public traces"});
    add_kind(group, true);
    add_kind(group, false);
}

}  // namespace parley::app
