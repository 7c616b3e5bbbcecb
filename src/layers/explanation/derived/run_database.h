// Layer 6, explanation: rounds in, the tables of run.db out, for the page and for people with SQL.

#pragma once

#include "base/file.h"
#include "layers/explanation/derived/events.h"
#include "layers/explanation/telling/narrator.h"
#include "layers/explanation/wording/account_sum.h"
#include "sqlite/database.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace parley::explanation {

/// Raised with every change of the tables or of the files beside them; files of older formats are
/// rebuilt.
inline constexpr std::int64_t kDerivedFormat = 4;
/// Files of this format and later are sealed.
inline constexpr std::int64_t kSealedSince = 2;

/// What run.db records about itself and the files derived with it.
struct DerivedMeta {
    std::int64_t format = kDerivedFormat;
    std::uint64_t rounds = 0;
    std::string chain_head;  ///< Of the last frame that was read.
    std::uint64_t events_bytes = 0;
    std::uint32_t events_crc = 0;
    std::uint64_t state_bytes = 0;
    std::uint32_t state_crc = 0;
    std::uint64_t database_bytes = 0;  ///< As SQLite counts its pages; filled in by read_meta.
    std::string born;  ///< Of the run, see store::RunFacts; empty if that was lost, or in a format
                       ///< below 4.
    friend bool operator==(const DerivedMeta&, const DerivedMeta&) = default;
};

/// Reads it, after SQLite's quick check. Any failure means that the file must be rebuilt.
[[nodiscard]] Result<DerivedMeta> read_meta(const std::string& path);

/// Writes the checksum of a finished database into it, so that any edit, by SQL or by hand, is
/// noticed; durable when it returns.
[[nodiscard]] Result<void> seal(Disk& disk, const std::string& path);
/// Whether it is as it was sealed.
bool is_sealed(Disk& disk, const std::string& path);

/// Writes a run.db, in one transaction. One thread at a time.
class RunDatabase {
public:
    [[nodiscard]] static Result<RunDatabase> create(const std::string& path);

    [[nodiscard]] Result<void> take(const Told& told, const std::vector<Event>& events);
    /// The end of the record: what became of actions whose scores were still open.
    [[nodiscard]] Result<void> take_end(const std::vector<model::ClosedScore>& scores,
                                        const std::vector<Event>& events);
    /// Closes the file; must be the last call.
    [[nodiscard]] Result<void> finish(const DerivedMeta& meta);

private:
    /// What was last written about a node: only changes become rows.
    struct NodeSeen {
        std::optional<double> risk;
        double limit = 0;
        bool ready = false;
        friend bool operator==(const NodeSeen&, const NodeSeen&) = default;
    };

    explicit RunDatabase(sqlite::Database database) : database_(std::move(database)) {}
    Result<void> prepare_all();
    Result<void> take_round(const Told& told);
    Result<void> take_proposals(const model::Decision& decision);
    Result<void> take_nodes(const Told& told);
    Result<void> take_events(const std::vector<Event>& events);
    Result<void> take_scores(const std::vector<model::ClosedScore>& scores);
    Result<void> take_alarms(const Told& told);

    sqlite::Database database_;
    sqlite::Statement rounds_, proposals_, nodes_, events_, scores_, alarms_;
    std::map<std::string, NodeSeen> seen_;
    AccountSum account_;
};

}  // namespace parley::explanation
