// App: the record of a run, new or resumed, for simulated and live runs.

#pragma once

#include "apps/runs/cluster_owed.h"
#include "apps/shelf/brains.h"
#include "base/result.h"
#include "layers/recorder.h"
#include "store/run_format.h"
#include "store/run_writer.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace parley::app {

/// The pipeline's Recorder: writes to the journal, or nowhere.
class RunRecorder final : public Recorder {
public:
    explicit RunRecorder(std::unique_ptr<store::RunWriter> writer) : writer_(std::move(writer)) {}

    /// Called with the memory that a round begins with, if that differs from what the last one
    /// left.
    std::function<void(const model::Memory&)> on_start;

    /// Asked before anything is kept; what it refuses is not kept, and so not done. May be empty.
    std::function<Result<void>()> may_keep;

    Result<void> keep_start(const model::Memory& memory) override;
    Result<void> keep_round(const model::RoundInput& input, const model::Decision& decision,
                            const model::Memory& next) override;
    Result<void> keep_event(const model::ActionEvent& event) override;
    Result<void> finish(const store::RunEnd& end);

private:
    Result<void> asked() const { return may_keep ? may_keep() : Result<void>(); }

    std::unique_ptr<store::RunWriter> writer_;
};

/// SHA-256 of the policy, which identifies it in a run.
std::string policy_digest(const model::Policy& policy);

struct OpenedRecord {
    std::unique_ptr<RunRecorder> recorder;
    store::Keyframe recovered;  ///< The last round of an earlier process; round 0: none.
    std::string born;           ///< See store::RunFacts.
    ClusterOwed owed;           ///< What a simulated cluster must remember of it.
};

/// Checks what a run will continue from, before anything is written.
using RecordCheck = std::function<Result<void>(const OpenedRecord&)>;

/// Begins a record in `folder` or, with `resume`, continues the one there if its header is the same
/// and nothing acknowledged is missing; what is odd about it is told on the standard error. With
/// level `none` nothing is opened. A new record keeps the models it is served by; the process
/// records the state of its stages.
[[nodiscard]] Result<OpenedRecord> open_record(const std::string& folder,
                                               const store::RunHeader& header,
                                               const ServedBrains& served, bool resume,
                                               const std::vector<store::StageNote>& stages,
                                               const RecordCheck& check = {});

/// Records how it ended, closes it, and derives the files for people. Fails with `gone` if
/// something that was recorded cannot be read any more.
[[nodiscard]] Result<void> finish_record(RunRecorder& recorder, const std::string& folder,
                                         const store::RunEnd& end);

}  // namespace parley::app
