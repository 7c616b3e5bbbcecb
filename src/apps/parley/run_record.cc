#include "apps/parley/run_record.h"

#include "base/clock.h"
#include "base/file.h"
#include "layers/explanation/derived.h"
#include "replay/replay.h"
#include "store/run_reader.h"
#include "version.h"

#include <utility>

namespace parley::app {
namespace {

store::ProcessNote note(bool resumed) {
    return {.program = kProgram, .build = kBuild, .resumed = resumed, .wall_us = wall_now().us};
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

Result<store::Keyframe> recover(const std::string& folder, const store::RunHeader& header,
                                const prediction::Brains& brains) {
    auto reader = store::RunReader::open(real_disk(), folder);
    if (!reader) return tl::unexpected(reader.error());
    if (auto ok = fits(reader->header(), header); !ok) return tl::unexpected(ok.error());
    auto recovered = replay::recover(*reader, brains);
    if (!recovered) return within("going on with " + folder, recovered.error());
    return recovered;
}

}  // namespace

Result<void> RunRecorder::keep_start(const model::Memory& memory) {
    return writer_ ? writer_->keep_start(memory) : Result<void>();
}

Result<void> RunRecorder::keep_round(const model::RoundInput& input,
                                     const model::Decision& decision, const model::Memory& next) {
    return writer_ ? writer_->keep_round(input, decision, next) : Result<void>();
}

Result<void> RunRecorder::keep_event(const model::ActionEvent& event) {
    return writer_ ? writer_->keep_event(event) : Result<void>();
}

Result<void> RunRecorder::finish(const store::RunEnd& end) {
    return writer_ ? writer_->finish(end) : Result<void>();
}

Result<OpenedRecord> open_record(const std::string& folder, const store::RunHeader& header,
                                 const ServedBrains& served, bool resume) {
    OpenedRecord out;
    std::unique_ptr<store::RunWriter> writer;
    if (resume) {
        auto found = recover(folder, header, served.brains);
        if (!found) return tl::unexpected(found.error());
        out.recovered = *std::move(found);
        auto resumed =
            store::RunWriter::resume(real_disk(), folder, header.record, note(true), out.recovered);
        if (!resumed) return tl::unexpected(resumed.error());
        writer = *std::move(resumed);
    } else if (header.record != store::RecordLevel::none) {
        auto created = store::RunWriter::create(real_disk(), folder, header, note(false));
        if (!created) return tl::unexpected(created.error());
        writer = *std::move(created);
        auto kept = keep_brains(real_disk(), folder, served);
        if (!kept) return tl::unexpected(kept.error());
    }
    out.recorder = std::make_unique<RunRecorder>(std::move(writer));
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
    return {};
}

}  // namespace parley::app
