// Tuner: lines of an Optuna journal in, the resulting studies out.

#pragma once

#include "base/result.h"
#include "tuner/storage.h"
#include "tuner/trial.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::tuner {

/// The result of all lines so far, applied as Optuna does: an operation that comes too late or
/// refers to something missing changes nothing, and the first claim of a waiting trial wins.
class JournalFold {
public:
    /// One line without its end. `malformed` if it is not an operation that Optuna or Rustuna
    /// writes.
    [[nodiscard]] Result<void> apply(std::string_view line);

    /// Null if there is none, or it was deleted.
    const Study* find(std::string_view name) const;
    const Study* find(std::int64_t id) const;

private:
    struct Place {
        std::int64_t study;
        std::size_t number;
    };
    struct Shelf {
        Study study;
        bool deleted = false;
        /// The first one seen under each name.
        std::map<std::string, DistributionPtr, std::less<>> first;
    };

    Result<void> create_study(const Json& line);
    Result<void> set_study_attribute(const Json& line, Owner owner);
    Result<void> create_trial(const Json& line);
    Result<void> set_param(const Json& line, Trial& trial);
    Result<void> set_state(const Json& line, Trial& trial);
    Result<void> change_trial(const Json& line, int operation);
    Result<DistributionPtr> distribution(const Json* json);
    Shelf* shelf(std::optional<std::int64_t> id);

    std::vector<std::unique_ptr<Shelf>> shelves_;  ///< By id.
    std::vector<Place> trials_;                    ///< By id: all of the file.
    std::map<std::string, DistributionPtr, std::less<>> distributions_;  ///< By JSON.
};

}  // namespace parley::tuner
