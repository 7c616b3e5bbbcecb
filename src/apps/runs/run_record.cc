#include "apps/runs/run_record.h"

#include "apps/runs/record_state.h"
#include "apps/terminal/cli.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "layers/explanation/derived/derived.h"
#include "model/coded.h"
#include "store/run_reader.h"
#include "version.h"

#include <cstdio>
#include <utility>

namespace parley::app {
namespace {

store::ProcessNote note(bool resumed, const std::vector<store::StageNote>& stages) {
    return {.program = kProgram,
            .build = kBuild,
            .resumed = resumed,
            .wall_us = wall_now().us,
            .stages = stages};
}

Result<void> fits(const store::RunHeader& was, const store::RunHeader& is) {
    const auto differs = [](const std::string& what) {
        return fail(ErrorCode::denied, "the run in this folder has another " + what +
                                           "; a run goes on only as it began: leave the option "
                                           "out or name another --event-dir");
    };
    if (was.rules_version != is.rules_version) return differs("rules_version");
    if (was.simulated != is.simulated) return differs("kind of cluster");
    if (was.scenario != is.scenario) {
        return differs((is.simulated ? "scenario (" : "cluster (") + was.scenario + ")");
    }
    if (was.scenario_bytes != is.scenario_bytes) return differs("version of its scenario");
    if (was.seed != is.seed) return differs("seed (" + std::to_string(was.seed) + ")");
    if (was.interval != is.interval) return differs("interval");
    if (was.mode != is.mode) return differs("mode");
    if (was.policy_digest != is.policy_digest) return differs("configuration");
    if (was.record != is.record) return differs("--record");
    return {};
}

/// What an earlier process recorded, if it is intact.
Result<RecordState> recover(const std::string& folder, const store::RunHeader& header,
                            const prediction::Brains& brains) {
    auto state = read_state(real_disk(), folder, &brains,
                            [&](const store::RunHeader& was) { return fits(was, header); });
    if (!state) return state;
    if (!state->trouble.empty()) {
        return fail(ErrorCode::malformed,
                    "cannot go on with " + folder + ": " + state->trouble + "; `parley repair " +
                        folder + "` keeps what is damaged aside, and then --resume goes on");
    }
    // Lost rounds are not made again.
    state->last.decision.round = state->acknowledged.round;
    return state;
}

}  // namespace

Result<void> RunRecorder::keep_start(const model::Memory& memory) {
    if (on_start) on_start(memory);
    if (auto fine = asked(); !fine) return fine;
    return writer_ ? writer_->keep_start(memory) : Result<void>();
}

Result<void> RunRecorder::keep_round(const model::RoundInput& input,
                                     const model::Decision& decision, const model::Memory& next) {
    if (auto fine = asked(); !fine) return fine;
    return writer_ ? writer_->keep_round(input, decision, next) : Result<void>();
}

Result<void> RunRecorder::keep_event(const model::ActionEvent& event) {
    if (auto fine = asked(); !fine) return fine;
    return writer_ ? writer_->keep_event(event) : Result<void>();
}

Result<void> RunRecorder::finish(const store::RunEnd& end) {
    return writer_ ? writer_->finish(end) : Result<void>();
}

namespace {

Result<OpenedRecord> begin_record(const std::string& folder, const store::RunHeader& header,
                                  const ServedBrains& served,
                                  const std::vector<store::StageNote>& stages) {
    auto created = store::RunWriter::create(real_disk(), folder, header, note(false, stages));
    if (!created) return tl::unexpected(created.error());
    OpenedRecord out;
    out.born = (*created)->chain_head();
    out.recorder = std::make_unique<RunRecorder>(*std::move(created));
    if (auto kept = keep_brains(real_disk(), folder, served); !kept) {
        return tl::unexpected(kept.error());
    }
    return out;
}

}  // namespace

std::string policy_digest(const model::Policy& policy) { return hex(sha256(encode(policy))); }

Result<OpenedRecord> open_record(const std::string& folder, const store::RunHeader& header,
                                 const ServedBrains& served, bool resume,
                                 const std::vector<store::StageNote>& stages,
                                 const RecordCheck& check) {
    if (header.record == store::RecordLevel::none) {
        return OpenedRecord{.recorder = std::make_unique<RunRecorder>(nullptr)};
    }
    const auto unborn = resume ? store::is_unborn(real_disk(), folder) : Result<bool>(true);
    if (!unborn) return tl::unexpected(unborn.error());
    if (*unborn) return begin_record(folder, header, served, stages);
    auto state = recover(folder, header, served.brains);
    if (!state) return tl::unexpected(state.error());
    OpenedRecord out{.recovered = std::move(state->last),
                     .born = std::move(state->born),
                     .owed = std::move(state->owed)};
    if (check) {
        if (auto fine = check(out); !fine) return tl::unexpected(fine.error());
    }
    for (const std::string& each : state->notes) {
        std::fputs(for_terminal("note: " + each + "\n").c_str(), stderr);
    }
    // A process that died before the first round may not have kept them.
    if (out.recovered.decision.round == 0) {
        if (auto kept = keep_brains(real_disk(), folder, served); !kept) {
            return tl::unexpected(kept.error());
        }
    }
    auto resumed = store::RunWriter::resume(real_disk(), folder, std::move(state->lock),
                                            header.record, note(true, stages), out.recovered);
    if (!resumed) return tl::unexpected(resumed.error());
    out.recorder = std::make_unique<RunRecorder>(*std::move(resumed));
    return out;
}

Result<void> finish_record(RunRecorder& recorder, const std::string& folder,
                           const store::RunEnd& end) {
    const auto finished = recorder.finish(end);
    if (!finished || folder.empty()) return finished;
    const auto derived = explanation::ensure(real_disk(), folder);
    if (!derived) {
        return within("the run is recorded, what is derived from it is not", derived.error());
    }
    const std::string& lost = derived->beyond.empty() ? derived->lost : derived->beyond;
    if (lost.empty()) return {};
    return fail(ErrorCode::gone, "the journal lost what was recorded: " + lost);
}

}  // namespace parley::app
