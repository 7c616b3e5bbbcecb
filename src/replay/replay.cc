#include "replay/replay.h"

#include "layers/prediction/trained.h"

#include <algorithm>
#include <utility>

namespace parley::replay {
namespace {

std::string accepted(const model::Decision& decision) {
    std::string out;
    for (const model::Proposal& each : decision.verdict.accepted) {
        if (!out.empty()) out += ", ";
        out += label_of(each.role, each.action) + " " + text_of(each.target);
    }
    return out.empty() ? "idle" : out;
}

/// Follows the memory through a record, across starts and gaps.
class Thread {
public:
    /// The memory that the round began with; an error if the record does not hold it.
    Result<model::Memory> enter(const store::RoundRecord& record) {
        const bool follows = record.decision.round == round_ + 1;
        round_ = record.decision.round;
        if (record.start) return *record.start;
        if (follows) return std::move(next_);
        if (record.memory) return *record.memory;
        return fail(ErrorCode::malformed, "round " + std::to_string(round_) +
                                              " follows a gap in the record without a keyframe");
    }
    void leave(model::Memory next) { next_ = std::move(next); }
    model::Memory take() { return std::move(next_); }

private:
    std::uint64_t round_ = 0;
    model::Memory next_;
};

Result<void> needs_inputs(const store::RunHeader& header) {
    if (header.record == store::RecordLevel::full) return {};
    return fail(ErrorCode::denied,
                "this run kept decisions only, so there are no inputs to decide on again; record "
                "with --record full");
}

void note(Report& report, std::uint64_t round, const Difference& difference) {
    if (report.differing++ > 0) return;
    report.first_round = round;
    report.path = difference.path;
    report.recorded = difference.left;
    report.derived = difference.right;
}

/// Calls visit(record, memory before) for every round; it returns the memory after.
template <class Visit>
Result<void> walk(store::RunReader& run, const Progress& progress, Visit visit) {
    if (auto ok = needs_inputs(run.header()); !ok) return ok;
    Thread thread;
    std::uint64_t rounds = 0;
    while (true) {
        auto record = run.next();
        if (!record) return tl::unexpected(record.error());
        if (!*record) return {};
        auto memory = thread.enter(**record);
        if (!memory) return tl::unexpected(memory.error());
        thread.leave(visit(**record, *std::move(memory)));
        if (progress) progress(++rounds);
    }
}

Report begin(const store::RunReader& run) {
    Report report;
    report.rules_version = run.header().rules_version;
    report.same_rules = report.rules_version == kRulesVersion;
    return report;
}

}  // namespace

Result<Report> replay(store::RunReader& run, const prediction::Brains& brains,
                      const Progress& progress) {
    Report report = begin(run);
    const auto walked =
        walk(run, progress, [&](const store::RoundRecord& record, model::Memory memory) {
            ++report.rounds;
            if (record.memory && !record.start) {
                if (const auto found = first_difference(*record.memory, memory)) {
                    note(report, record.decision.round,
                         {"memory." + found->path, found->left, found->right});
                }
            }
            Outcome outcome = decide(record.input, memory, run.header().policy, brains);
            if (const auto found = first_difference(record.decision, outcome.decision)) {
                note(report, record.decision.round, *found);
            }
            return std::move(outcome.next);
        });
    if (!walked) return tl::unexpected(walked.error());
    report.dropped = run.facts().dropped;
    report.gaps = run.gaps();
    return report;
}

Result<Report> replay_with(store::RunReader& run, const prediction::Brains& brains,
                           const Other& other, const Progress& progress) {
    Report report = begin(run);
    model::Derived derived;  // The other policy's own windows; the ledger is the recorded one.
    const auto walked =
        walk(run, progress, [&](const store::RoundRecord& record, model::Memory memory) {
            ++report.rounds;
            if (record.start) derived = record.start->derived;
            model::Memory theirs{memory.ledger, std::move(derived)};
            Outcome outcome = decide(record.input, theirs, other.policy, other.brains);
            derived = std::move(outcome.next.derived);
            std::string now = accepted(outcome.decision);
            std::string then = accepted(record.decision);
            if (now != then) {
                ++report.differing;
                report.changes.push_back(
                    {record.decision.round, record.input.now, std::move(then), std::move(now)});
            }
            return decide(record.input, memory, run.header().policy, brains).next;
        });
    if (!walked) return tl::unexpected(walked.error());
    report.dropped = run.facts().dropped;
    report.gaps = run.gaps();
    return report;
}

Result<std::optional<Believed>> believed(store::RunReader& run, const prediction::Brains& brains,
                                         const std::string& node, std::uint64_t round) {
    const model::Policy& policy = run.header().policy;
    std::optional<Believed> found;
    const auto walked = walk(run, {}, [&](const store::RoundRecord& record, model::Memory memory) {
        if (record.decision.round > round) return memory;  // Later rounds are not looked at.
        Outcome outcome = decide(record.input, memory, policy, brains);
        if (record.decision.round != round) return std::move(outcome.next);
        const prediction::Round served(record.input, outcome.next, policy, brains);
        for (const model::NodeForecast& each : outcome.decision.forecast.nodes) {
            if (record.input.snapshot.nodes.at(each.node).id.text() != node) continue;
            auto reasons = prediction::reasons_of(served, each.node);
            if (!reasons) continue;
            found = {outcome.decision.forecast, each};
            found->forecast.reasons = {*std::move(reasons)};
        }
        return std::move(outcome.next);
    });
    if (!walked) return tl::unexpected(walked.error());
    return found;
}

Result<store::Keyframe> recover(store::RunReader& run, const prediction::Brains& brains,
                                const Recovered& each) {
    store::Keyframe last;
    const auto walked = walk(run, {}, [&](const store::RoundRecord& record, model::Memory memory) {
        Outcome outcome = decide(record.input, memory, run.header().policy, brains);
        last = {record.input, record.decision, outcome.next};
        if (each) each(last, record.events);
        return std::move(outcome.next);
    });
    if (!walked) return tl::unexpected(walked.error());
    return last;
}

}  // namespace parley::replay
