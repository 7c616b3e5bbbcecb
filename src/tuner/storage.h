// Tuner: one study in a file that Optuna can read and write, too.

#pragma once

#include "base/result.h"
#include "base/time.h"
#include "tuner/trial.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::tuner {

/// Whose attribute it is: Optuna keeps those of users separate from its own.
enum class Owner { user, system };

/// The parameters that a trial begins with.
struct Draft {
    std::vector<Param> params;
    Attributes user_attributes;
    Attributes system_attributes;
};
/// Chooses the parameters, given the present study and the trial that begins. Runs while nobody
/// else can begin one, so that no two workers see the same study.
using Draw = std::function<Draft(const Study&, const Trial&)>;

struct StorageConfig {
    std::string study;
    Direction direction = Direction::minimize;  ///< Used if the study is created.
    bool create = true;                         ///< Make the study if it does not exist.
    /// SQLite: a power cut loses no commit (FULL); otherwise it may lose the last ones.
    bool sync_all = false;
    /// A journal's lock that is held longer belongs to a dead worker.
    Duration lock_grace = seconds(30);
    Duration busy_limit = seconds(60);  ///< How long to wait for another writer.
};

/// Trials are identified by number. When a call returns, its change survives the end of this
/// process; a finished trial cannot be changed (`conflict`). Used by one thread at a time; other
/// processes may use the same file.
class Storage {
public:
    virtual ~Storage() = default;

    /// The study as of the last call; refresh() reads what others wrote since.
    virtual const Study& study() const = 0;
    [[nodiscard]] virtual Result<void> refresh() = 0;

    /// Takes the first waiting trial, or creates one. Returns its number.
    [[nodiscard]] virtual Result<std::int64_t> ask(const Draw& draw) = 0;
    /// Adds a trial that waits for a worker, with some parameters fixed: JSON by name.
    [[nodiscard]] virtual Result<std::int64_t> enqueue(const Attributes& fixed) = 0;
    [[nodiscard]] virtual Result<void> set_param(std::int64_t number, const Param& param) = 0;
    [[nodiscard]] virtual Result<void> report(std::int64_t number, std::int64_t step,
                                              double value) = 0;
    /// The end of a trial: complete, pruned or fail. With NaN it is fail, never complete.
    [[nodiscard]] virtual Result<void> tell(std::int64_t number, TrialState state,
                                            std::optional<double> value) = 0;
    /// `json` is a whole JSON value.
    [[nodiscard]] virtual Result<void> set_attribute(std::int64_t number, Owner owner,
                                                     const std::string& key,
                                                     const std::string& json) = 0;
    [[nodiscard]] virtual Result<void> set_study_attribute(Owner owner, const std::string& key,
                                                           const std::string& json) = 0;

    /// Says that this worker still works on that trial.
    [[nodiscard]] virtual Result<void> heartbeat(std::int64_t number) = 0;
    /// Fails running trials whose last heartbeat is older than `grace`, and returns their numbers.
    /// Trials without any heartbeat are left alone; journals have none.
    [[nodiscard]] virtual Result<std::vector<std::int64_t>> fail_stale(Duration grace) = 0;
};

/// FILE of "journal:FILE", "sqlite:FILE" or "sqlite:///FILE"; empty: none of these.
std::string storage_file(std::string_view place);

/// Opens what storage_file names; creates a missing file if config.create.
[[nodiscard]] Result<std::unique_ptr<Storage>> open_storage(std::string_view place,
                                                            const StorageConfig& config);

}  // namespace parley::tuner
