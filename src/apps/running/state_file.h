// App: state.json of a running run: replaced in every round.

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

/// Not durable: at the end of the run, or on demand, it is derived from the record. Borrows the
/// disk. One thread at a time.
class StateFile {
public:
    /// `denied` if its place is taken by something other than a file. The record must be open
    /// already.
    [[nodiscard]] static Result<StateFile> open(Disk& disk, const std::string& folder,
                                                const store::RunHeader& header,
                                                std::vector<store::StageNote> stages);

    /// Takes in what an earlier process recorded.
    [[nodiscard]] Result<void> take_record(const std::string& folder);
    /// Call it once a round, with who leads if others could. After a failed write the next round
    /// tries again; nothing is written to a folder that is no longer the run's.
    void take(const Published& round, const std::optional<explanation::Leading>& leading = {});
    /// Why it is older than the run; nothing: it is not.
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
    /// A file of the record: if that is gone, nothing is written. May be null.
    std::unique_ptr<File> anchor_;
    std::optional<Error> failed_;
};

}  // namespace parley::app
