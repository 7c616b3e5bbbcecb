#include "apps/tuning/boot_flags.h"

#include "apps/terminal/cli.h"
#include "apps/terminal/ticker.h"
#include "apps/tuning/tune_limit.h"

#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace parley::app {
namespace {

constexpr Duration kMost = minutes(10);
constexpr Duration kPeriod = milliseconds(250);

/// One line that is redrawn on a terminal; elsewhere a line for each trial that ends, and one when
/// the best are tried on fresh seeds.
class ProgressLine {
public:
    ~ProgressLine() {
        if (drawn_) std::fputs("\r\x1b[K", stderr);
    }
    void show(const BootStage& stage, const TuneProgress& at) {
        const bool trials = std::strcmp(at.what, "trials") == 0;
        std::string text = print({stage});
        text.pop_back();
        if (bar_) {
            if (ticker_.due() == 0) return;
            std::fprintf(stderr, "\r%s\x1b[K", text.c_str());
            drawn_ = true;
        } else if (trials ? at.done != said_ : !fresh_) {
            said_ = at.done;
            fresh_ = !trials;
            std::fprintf(stderr, "%s\n", text.c_str());
        }
        std::fflush(stderr);
    }

private:
    bool bar_ = ::isatty(STDERR_FILENO) == 1;
    bool drawn_ = false;
    bool fresh_ = false;
    std::int64_t said_ = 0;
    Ticker ticker_{kPeriod};
};

}  // namespace

void add_boot_flags(Command& command, BootFlags& into) {
    const OptionGroup heading(command, "Learning");
    add_whole(command, "--trials", into.trials,
              "Tune over the simulator before the first round, with so many trials; what is "
              "found is used if it is better",
              {0, 1'000'000});
    command.on("--no-policy", into.no_policy, "No learned policy");
    command.on("--no-tune", into.no_tune, "No tuning, whatever --trials says");
}

BootStage tune_in_sight(const TuningStart& start, model::Policy& policy,
                        const std::function<void(const BootStage&)>& told) {
    ProgressLine line;
    TuneLimit limit(kMost);
    return tune_at_start(real_disk(), start, policy,
                         [&](const BootStage& stage, const TuneProgress& at) {
                             line.show(stage, at);
                             told(stage);
                             return limit.go(at);
                         });
}

}  // namespace parley::app
