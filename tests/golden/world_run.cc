#include "tests/golden/world_run.h"

#include "fake/disk.h"
#include "sim/scenario/builtin_scenarios.h"
#include "store/run_reader.h"
#include "store/run_writer.h"
#include "trial/world_run.h"

#include <memory>
#include <utility>

namespace parley::golden {
namespace {

const std::string kFolder = "run";

/// Records what session and pipeline would; the golden run checks that both are the same.
Result<void> record(trial::WorldRun& run, std::uint64_t rounds, store::RunWriter& writer) {
    if (auto kept = writer.keep_start(run.memory()); !kept) return kept;
    for (std::uint64_t i = 0; i < rounds; ++i) {
        run.decide_round();
        auto kept = writer.keep_round(run.input(), run.decision(), run.memory());
        if (!kept) return kept;
        auto done = run.carry_out_round(
            [&](const model::ActionEvent& event) { return writer.keep_event(event); });
        if (!done) return done;
    }
    return {};
}

Result<std::string> digest_on(Disk& disk) {
    auto reader = store::RunReader::open(disk, kFolder);
    if (!reader) return tl::unexpected(reader.error());
    while (true) {
        const auto round = reader->next();
        if (!round) return tl::unexpected(round.error());
        if (!*round) return reader->digest();
    }
}

}  // namespace

Result<std::string> digest_of_run(const std::string& scenario, std::uint64_t seed,
                                  std::uint64_t rounds) {
    auto found = sim::builtin_scenario(scenario, seed);
    if (!found) return fail(ErrorCode::denied, "no scenario is called '" + scenario + "'");
    fake::Disk disk;
    auto writer = store::RunWriter::create(disk, kFolder, store::RunHeader{}, store::ProcessNote{});
    if (!writer) return tl::unexpected(writer.error());
    trial::WorldRun run({.scenario = std::make_shared<const sim::Scenario>(*std::move(found)),
                         .seed = seed,
                         .policy = trial::open_policy(),
                         .twins = true});
    if (auto kept = record(run, rounds, **writer); !kept) return tl::unexpected(kept.error());
    if (const auto ended = (*writer)->finish({}); !ended) return tl::unexpected(ended.error());
    return digest_on(disk);
}

}  // namespace parley::golden
