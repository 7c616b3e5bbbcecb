// App: state.json of a run that goes on: replaced in every round, whoever looks or does not.

#pragma once

#include "base/file.h"
#include "base/result.h"
#include "layers/explanation/derived/state.h"
#include "layers/pipeline.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace parley::app {

/// Not durable: when the run is over, or somebody asks, it is derived from the record. Borrows the
/// disk. One thread at a time.
class StateFile {
public:
    /// Denied if something else than a file is in its place. The record is open already.
    [[nodiscard]] static Result<StateFile> open(Disk& disk, const std::string& folder,
                                                const store::RunHeader& header,
                                                std::vector<store::StageNote> stages);

    /// What an earlier process recorded.
    [[nodiscard]] Result<void> take_record(const std::string& folder);
    /// Once a round. What cannot be written is tried again in the next one; into a folder that is
    /// no longer the run's nothing is.
    void take(const Published& round);
    /// Why it is not as new as the run; nothing: it is.
    const std::optional<Error>& failed() const { return failed_; }

private:
    StateFile(Disk& disk, std::string path, const store::RunHeader& header,
              std::vector<store::StageNote> stages, std::unique_ptr<File> anchor);

    void tell(const explanation::Told& told);

    Disk& disk_;
    std::string path_;
    model::Policy policy_;
    explanation::Teller teller_{explanation::EventSource::record};
    explanation::StateKeeper keeper_;
    store::RunFacts facts_;
    std::unique_ptr<File> anchor_;  ///< Of the record: where it is gone, so are we. May be null.
    std::optional<Error> failed_;
};

}  // namespace parley::app
