#include "apps/tuning/compare_flags.h"

namespace parley::app {

void add_compare_flags(Command& command, CompareFlags& into) {
    command
        .texts("--scenario", into.scenarios,
               "Built-in scenarios, or files such as ./mine.yaml, by commas")
        .by_commas()
        .type("NAMES");
    command
        .texts("--arms", into.arms,
               "Of brain, risk_only (brain without its demand), formula, evidence, permuted, "
               "never, oracle; the first is compared "
               "with all others")
        .by_commas()
        .type("NAMES");
    command.texts("--policy", into.policies, "A settings file as an arm; these come first")
        .type("FILE");
    add_whole(command, "--pairs", into.pairs,
              "Seeds of each scenario (default: as many as a pilot of 20 says, 100 to 1,000)",
              {2, static_cast<std::int64_t>(kPairsMost)});
    add_text(command, "--seeds", into.seeds, "A[-B]",
             "Seeds of your own; any that no model or policy here was trained or tuned on");
    add_text(command, "--keep", into.keep, "FILE",
             "Keep each run there; a comparison that was stopped goes on with what is in it");
    add_text(command, "--length", into.length, "TIME", "Of a run (default 2h)");
    add_text(command, "--interval", into.interval, "TIME", "Between rounds (default 15s)");
    add_text(command, "--models", into.models, "FOLDER", "Where trained models are");
    add_text(command, "--trust", into.trust, "KEY", "Believe models signed by this key, too");
    add_text(command, "--markdown", into.markdown, "FILE", "Write the tables there too");
    command
        .number("--matters", into.matters,
                "What a difference must come to, in % of the other's cost, before it is better "
                "or worse (default 0.5)")
        .type("PERCENT");
    add_whole(command, "--threads", into.threads, "Runs at once", {1, 256});
    add_output(command, into.format, {"table", "json"});
}

}  // namespace parley::app
