#include "tests/kills/kill_judge.h"

#include "base/check.h"
#include "layers/execution/marks.h"
#include "store/run_reader.h"

#include <map>
#include <set>

namespace parley::kills {

using namespace model;

namespace {

std::string step_of(const Entry& entry) {
    const cluster::Stamp& stamp = entry.sender.stamp;
    return stamp.decision.text().substr(8) + (stamp.undo ? " undo " : " step ") +
           std::to_string(stamp.step) + ", " + text_of(entry.request);
}

/// Decisions of which something was made late that nothing stands in the way of: the first mark, or
/// a quota, which is made without naming a version. It says whose it is and until when, and a
/// release takes it away; no ledger knows it. See docs/acting.md, "Not yet".
std::set<DecisionId> made_late(const std::vector<Entry>& log) {
    std::set<DecisionId> out;
    for (const Entry& entry : log) {
        const bool first = execution::marks(entry.request) != nullptr &&
                           entry.sender.stamp.step == 0 && !entry.sender.stamp.undo;
        const bool makes = first || std::holds_alternative<SetBatchCap>(entry.request);
        if (entry.sender.late && makes) out.insert(entry.sender.stamp.decision);
    }
    return out;
}

/// Of each action in a journal, what it wants or gives back, with the round that first said so.
using Intents = std::map<std::pair<DecisionId, std::string>, std::uint64_t>;

Intents intents_of(const Run& run) {
    Intents out;
    auto reader = store::RunReader::open(*run.disk, "run");
    PARLEY_CHECK(reader);
    while (true) {
        auto next = reader->next();
        PARLEY_CHECK(next);
        if (!*next) return out;
        const Decision& decision = (*next)->decision;
        for (const Step& step : decision.first_steps) {
            const OpenAction& action = step.action;
            for (const PlannedStep& each : action.plan) {
                out.try_emplace({action.id, text_of(each.request)}, decision.round);
            }
            for (const Request& each : action.undo) {
                out.try_emplace({action.id, text_of(each)}, decision.round);
            }
        }
    }
}

}  // namespace

std::vector<std::string> twice(const std::vector<Entry>& log) {
    std::vector<std::string> found;
    std::set<std::string> done;
    for (const Entry& entry : log) {
        if (entry.renews || !entry.changed) continue;
        const bool remade = entry.sender.late && std::holds_alternative<SetBatchCap>(entry.request);
        if (remade) continue;  // See made_late.
        if (!done.insert(step_of(entry)).second) found.push_back("done twice: " + step_of(entry));
    }
    return found;
}

std::vector<std::string> without_mark(const std::vector<Entry>& log) {
    std::vector<std::string> found;
    std::set<std::string> known;
    for (const Entry& entry : log) {
        for (const std::string& what : entry.bare) {
            if (!known.insert(what).second) continue;
            found.push_back("without a mark: " + what + " after " + step_of(entry));
        }
    }
    return found;
}

std::vector<std::string> decided_again(const std::vector<Entry>& log, Kind kind) {
    if (is_order(kind)) return {};  // Orders are renewed, each by a new decision.
    std::map<DecisionId, TimePoint> first;
    std::vector<std::string> found;
    for (const Entry& entry : log) {
        const DecisionId& id = entry.sender.stamp.decision;
        if (entry.renews || first.contains(id)) continue;
        const TimePoint sent = entry.sender.sent;
        for (const auto& [other, at] : first) {
            if (sent - at < minutes(5) && at - sent < minutes(5))
                found.push_back("decided again: " + step_of(entry));
        }
        first[id] = sent;
    }
    return found;
}

std::vector<std::string> unrecorded(const Evidence& evidence) {
    std::vector<Intents> journals;
    for (const auto& run : evidence.runs) journals.push_back(intents_of(*run));
    std::vector<std::string> found;
    for (const Entry& entry : evidence.world.log) {
        if (entry.renews) continue;
        const Intents& journal = journals.at(entry.sender.run);
        const auto intent = journal.find({entry.sender.stamp.decision, text_of(entry.request)});
        if (intent != journal.end() && intent->second <= entry.sender.recorded) continue;
        found.push_back("in no record: " + step_of(entry));
    }
    return found;
}

std::vector<std::string> left(const World& world) {
    std::vector<std::string> found;
    const bool stays = world.kind() == Kind::scale;  // A size stays; its mark says what was there.
    const std::set<DecisionId> late = made_late(world.log);
    for (const Difference& each : world.differences()) {
        if (!each.marked) found.push_back("left without a mark: " + each.what);
        if (each.marked && !stays && late.empty()) found.push_back("not given back: " + each.what);
    }
    for (const auto& [what, mark] : world.marks()) {
        // Renewed for what never came: there is nothing to give back.
        if (stays || mark.changes.empty() || late.contains(mark.decision)) continue;
        found.push_back("nobody's: the mark on " + what);
    }
    return found;
}

std::vector<std::string> judge(Evidence& evidence) {
    World& world = evidence.world;
    std::vector<std::string> found = twice(world.log);
    const auto join = [&](std::vector<std::string> more) {
        for (std::string& each : more) found.push_back(std::move(each));
    };
    join(without_mark(world.log));
    join(decided_again(world.log, world.kind()));
    join(unrecorded(evidence));
    if (!evidence.began) found.push_back("nothing happened: no action was decided");
    if (evidence.open) found.push_back("still open: an action is open at the end");
    join(left(world));
    world.release();
    for (const Difference& each : world.differences()) {
        if (each.marked && is_order(world.kind())) continue;
        found.push_back("its mark is not enough: " + each.what);
    }
    return found;
}

}  // namespace parley::kills
