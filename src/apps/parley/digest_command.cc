#include "apps/parley/commands.h"
#include "apps/runs/mend.h"
#include "apps/terminal/progress.h"
#include "base/json.h"
#include "store/run_trim.h"

#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

namespace parley::app {
namespace {

struct DigestArguments {
    std::string run;
    Format format = Format::table;
};

struct DigestFacts {
    std::string run;
    std::string digest;
    std::uint64_t rounds = 0;
    std::string status;
    std::vector<store::NumberRange> dropped;  ///< Rounds that were trimmed.
    std::vector<std::string> gaps;
};
BOOST_DESCRIBE_STRUCT(DigestFacts, (), (run, digest, rounds, status, dropped, gaps))

int digest(const DigestArguments& options) {
    auto reader = store::RunReader::open(real_disk(), options.run);
    if (!reader) return report(reader.error(), status_of(reader.error()));
    std::optional<Progress> progress(std::in_place, 0, "rounds read");
    for (std::uint64_t rounds = 1;; ++rounds) {
        const auto round = reader->next();
        if (!round) return report(round.error(), kFailed);
        if (!*round) break;
        progress->show(rounds);
    }
    progress.reset();
    const DigestFacts facts{.run = options.run,
                            .digest = reader->digest(),
                            .rounds = reader->facts().rounds,
                            .status = std::string(enum_name(reader->facts().status)),
                            .dropped = reader->facts().dropped,
                            .gaps = reader->gaps()};
    if (facts.rounds == 0 && facts.gaps.empty()) {
        return report({ErrorCode::denied,
                       options.run + " has no round yet, so there is nothing to take a checksum of",
                       {}},
                      kWrongUse);
    }
    if (options.format == Format::json) {
        std::printf("%s\n", to_json(facts).c_str());
    } else {
        std::printf("%s  %s\n", facts.digest.c_str(), for_terminal(facts.run).c_str());
        if (reader->facts().status == store::RunStatus::running) {
            std::fprintf(
                stderr,
                "note: the record has no end after round %llu: the run goes on, or was cut off\n",
                static_cast<unsigned long long>(facts.rounds));
        }
        if (const std::string dropped = dropped_text(facts.dropped); !dropped.empty()) {
            std::fprintf(stderr, "note: %s: the checksum is of what is left\n", dropped.c_str());
        }
        for (const std::string& gap : facts.gaps)
            std::fprintf(stderr, "warning: %s\n", for_terminal(gap).c_str());
    }
    return report_mended(mend_derived(real_disk(), options.run),
                         facts.gaps.empty() ? kDone : kFailed);
}

}  // namespace

void add_digest(Command& program) {
    Command command =
        program.command("digest", "Print a checksum of what a run saw, decided and was answered");
    const auto options = std::make_shared<DigestArguments>();
    command.text("RUN", options->run, "A run folder").required();
    add_output(command, options->format, {"table", "json"});
    add_examples(command, {"parley digest runs/tour-7     Equal digests are equal runs",
                           "parley digest runs/tour-7 -o json"});
    command.runs([options] { return digest(*options); });
}

}  // namespace parley::app
