// App: what was observed, round by round, as lines of JSON (--trace-out): for other programs, and
// exactly, to be decided again (--from-trace).

#pragma once

#include "base/file.h"
#include "base/result.h"
#include "layers/pipeline.h"
#include "model/round.h"
#include "store/run_format.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace parley::app {

/// A pod in a trace.
struct TracePod {
    model::Uid uid;
    std::string space;
    std::string name;
    std::string workload;
    std::optional<std::string> node;  ///< Nothing: not bound.
    model::PodPhase phase = model::PodPhase::pending;
    bool ready = false;
    bool terminating = false;
    bool evictable = true;
    std::vector<model::Cause> waits_for;
    std::int32_t restarts = 0;
    TimePoint created;
    std::int64_t cpu_request_m = 0;
    std::int64_t memory_request = 0;
};
BOOST_DESCRIBE_STRUCT(TracePod, (),
                      (uid, space, name, workload, node, phase, ready, terminating, evictable,
                       waits_for, restarts, created, cpu_request_m, memory_request))

/// A snapshot for other programs.
struct TraceRound {
    std::uint64_t round = 0;
    TimePoint taken;
    std::vector<model::SourceState> sources;
    std::vector<model::NodeRow> nodes;
    std::vector<model::WorkloadRow> workloads;
    std::vector<TracePod> pods;
    model::Reading<std::int64_t> queue = model::Reading<std::int64_t>::never();
    model::Reading<std::int64_t> violations = model::Reading<std::int64_t>::never();
    model::Reading<std::int64_t> completed = model::Reading<std::int64_t>::never();
    std::optional<model::Stimulus> stimulus;
};
BOOST_DESCRIBE_STRUCT(TraceRound, (),
                      (round, taken, sources, nodes, workloads, pods, queue, violations, completed,
                       stimulus))

TraceRound trace_of(const model::Snapshot& snapshot);

/// The same with meaningless names: `node-1`, `space-2/deployment-3`, each the same in every round.
/// Uids, zones, pools, and texts of sources and of the stimulus are also replaced or left out.
class Pseudonyms {
public:
    void apply(TraceRound& round);

private:
    std::string name_for(const char* kind, const std::string& name);
    model::Uid uid_for(const model::Uid& uid);
    std::map<std::string, std::size_t> names_;  ///< By kind and name.
    std::map<std::string, std::size_t> kinds_;  ///< Number of names of each kind.
    std::map<model::Uid, std::uint64_t> uids_;
};

/// What a line holds besides the part for other programs, so that the round can be decided again
/// exactly (trace_in.h).
struct TraceExact {
    std::string exact;  ///< The input, as its difference to the one before; base64.
    std::string chain;  ///< Checksum over all of these so far, to notice missing or swapped lines.
    std::string run;    ///< In the first line, the run's header; base64.
    /// The memory it began with, if that differs from what the last round left; base64.
    std::string memory;
    std::string came;  ///< What came back during the round; base64, empty: nothing.
};
BOOST_DESCRIBE_STRUCT(TraceExact, (), (exact, chain, run, memory, came))

/// What came back during a round.
struct TraceCame {
    std::vector<model::ActionEvent> events;
};
BOOST_DESCRIBE_STRUCT(TraceCame, (), (events))

/// The next link of the chain.
std::uint32_t next_link(std::uint32_t chain, const TraceExact& line);

/// One line per round. Not durable, unlike the record.
class TraceOut {
public:
    /// Refuses a file that exists. With `anonymise` the exact part is left out, since it contains
    /// names: such a trace is only for other programs.
    [[nodiscard]] static Result<TraceOut> create(Disk& disk, const std::string& path,
                                                 bool anonymise = false);

    /// Call it before the first round.
    void begin(const store::RunHeader& header) { header_ = header; }
    /// The memory that the next round begins with.
    void start(const model::Memory& memory) { memory_ = memory; }
    [[nodiscard]] Result<void> add(const Published& round);

private:
    explicit TraceOut(std::unique_ptr<File> file) : file_(std::move(file)) {}
    std::string exact_of(const Published& round);

    std::unique_ptr<File> file_;
    std::optional<Pseudonyms> pseudonyms_;
    std::optional<store::RunHeader> header_;
    std::optional<model::Memory> memory_;
    model::RoundInput before_;
    std::uint32_t chain_ = 0;
};

}  // namespace parley::app
