// Layer 6, explanation: a round in which node-07 is in danger, for tests: safety overrules
// admission and efficiency. Tests may change any part.

#pragma once

#include "base/file.h"
#include "fake/small_round.h"
#include "layers/explanation/telling/narrator.h"
#include "store/run_reader.h"
#include "store/run_writer.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace parley::explanation::kit {

using fake::node_id;

inline model::Proposal proposal(model::Role role, model::Action action, model::Target target,
                                double score, model::Evidence evidence, std::string because) {
    return {role, std::move(action), target, score, std::move(evidence), std::move(because)};
}

inline model::Proposal replicate(int node = 7) {
    return proposal(model::Role::safety, model::Replicate{}, node_id(node), 0.86,
                    {"risk", 0.86, "above", 0.25},
                    "Risk 0.86 of failing in 10 min: waiting costs 41.3 pod-minutes (0.86 x 48.0), "
                    "acting 12.0.");
}

inline model::Proposal queue_pods() {
    return proposal(
        model::Role::admission, model::Admission{model::AdmissionWish::queue},
        model::WholeCluster{}, 0.90, {"pods short of CPU", 9, "from", 8},
        "9 pods wait for CPU (acts from 8): new Jobs are held back until there is room.");
}

inline model::Proposal balloon(int node = 5) {
    return proposal(model::Role::efficiency, model::MemoryBalloon{}, node_id(node), 0.62,
                    {"demand", 0.38, "below", 0.45}, "Demand 0.38 is below 0.45: less is enough.");
}

inline model::Proposal idle(model::Role role, std::string because) {
    return proposal(role, model::Noop{}, model::WholeCluster{}, 0, {}, std::move(because));
}

/// node-07 at risk, replicated over C and B; D is not in this build. Round 142 at T+07:06.
struct Round : fake::SmallRound {
    model::Decision decision;

    explicit Round(std::uint64_t number = 142, TimePoint now = {seconds(426).us}) {
        move_to(number, now);
        input.controls.simulated = true;
        forecast.model = "evidence";
        forecast.horizon = minutes(10);
        model::NodeForecast& seven = risk(7);
        seven.risk = 0.86;
        seven.loss = 48.0;
        seven.remedies[0] = {model::ActionKind::throttle, 0.2, 0.9, 1.4, 0.2};
        seven.remedies[1] = {model::ActionKind::replicate, 0.7, 0.8, 12.0, 0.25};
        seven.remedies[2] = {model::ActionKind::migrate, 0.95, 0.7, 20.0, 0.6};
        decide_contested();
    }

    /// Moves to another round and time; what was fresh stays as fresh.
    void move_to(std::uint64_t number, TimePoint now) {
        const Duration shift = now - input.now;
        const auto later = [&](model::Provenance from) {
            from.received = from.received + shift;
            from.measured = from.measured + shift;
            return from;
        };
        input.round = number;
        input.now = now;
        input.snapshot.round = number;
        input.snapshot.taken = now;
        for (auto& source : input.snapshot.sources) {
            source.last_success = source.last_success + shift;
        }
        for (int n = 1; n <= 12; ++n) {
            model::NodeRow& row = node(n);
            row.ready_since = now - hours(3);
            row.lease = {*row.lease.value() + shift, later(row.lease.from())};
            row.cpu_used_m = {*row.cpu_used_m.value(), later(row.cpu_used_m.from())};
            row.memory_used = {*row.memory_used.value(), later(row.memory_used.from())};
        }
        input.snapshot.queue = {std::int64_t{0}, from(seconds(1), model::Source::api)};
        decision.round = number;
        decision.verdict.round = number;
    }

    void judge(model::Proposal proposal, model::Fate fate, model::GuardReport guard = {}) {
        if (std::holds_alternative<model::Accepted>(fate) && !changes_nothing(proposal.action)) {
            decision.verdict.accepted.push_back(proposal);
        }
        decision.proposals.push_back(proposal);
        decision.verdict.judged.push_back({std::move(proposal), std::move(fate), std::move(guard)});
    }

    void forget() {
        decision.verdict = {.round = input.round};
        decision.proposals.clear();
        decision.first_steps.clear();
    }

    void decide_contested() {
        forget();
        judge(idle(model::Role::scaling, "skipped: not in this build"),
              model::Idle{"skipped: not in this build"});
        judge(replicate(), model::Accepted{}, {12, 12, "nodes disrupted: 1 of 1 allowed", {}});
        judge(queue_pods(),
              model::Overridden{"action-limit", model::Role::safety,
                                "1 a round, and A safety came first: replicate node-07"},
              {9, 9, "", {}});
        judge(balloon(), model::Overridden{"danger-blocks-efficiency", model::Role::safety,
                                           "node-07 is over its own limit"});
        decision.verdict.rule = "safety-first";
        decision.verdict.rationale = "A safety won.";
        decision.verdict.contest = model::Contest::contested;
        decision.verdict.rivals = 2;
        decision.first_steps.push_back({open_action(), model::Read{}});
    }

    void decide_nothing(const std::string& why_a, const std::string& why_b) {
        forget();
        judge(idle(model::Role::safety, why_a), model::Idle{why_a});
        judge(idle(model::Role::efficiency, why_b), model::Idle{why_b});
        decision.verdict.rule = "all-idle";
        decision.verdict.rationale = "Nobody wants to change anything.";
        decision.verdict.contest = model::Contest::idle;
    }

    /// The replicate of node-07 on its way: mark, quarantine, scale.
    model::OpenAction open_action() const {
        model::OpenAction action;
        action.id = {7, input.round};
        action.round = input.round;
        action.role = model::Role::safety;
        action.action = model::Replicate{};
        action.target = node_id(7);
        action.plan = {{model::PutMark{node_id(7), action.id, {}}, {}, false},
                       {model::SetTaint{node_id(7), model::Taint::no_schedule}, {}, false},
                       {model::SetReplicas{fake::workload_id("shop", "web"), 7}, {}, false}};
        action.state = model::ActionState::planned;
        action.deadline = input.now + minutes(10);
        action.expires = input.now + minutes(30);
        return action;
    }

    model::ActionEvent seen(bool applied = false, std::string refused = {}) const {
        model::Seen what;
        what.live.exists = true;
        what.live.mark = {7, input.round};
        what.live.applied = applied;
        what.refused = std::move(refused);
        return {{7, input.round}, input.now, what};
    }
    /// What the first step meets: the target does not carry our mark yet.
    model::ActionEvent unmarked(std::string refused = {}) const {
        model::ActionEvent event = seen(false, std::move(refused));
        std::get<model::Seen>(event.what).live.mark = {};
        return event;
    }
    model::ActionEvent answered() const { return {{7, input.round}, input.now, model::Answered{}}; }
    model::ActionEvent failed(ErrorCode code, std::string message) const {
        return {{7, input.round}, input.now, model::Answered{false, code, std::move(message), {}}};
    }
    /// All three steps are read, sent and answered.
    std::vector<model::ActionEvent> all_sent() const {
        return {unmarked(), answered(), seen(), answered(), seen(), answered()};
    }

    Told told(const std::vector<model::ActionEvent>& events = {}) {
        decision.forecast = forecast;
        return {input, decision, policy, events};
    }
};

/// Writes a run round by round.
class Recording {
public:
    Recording(Disk& disk, const std::string& folder, const model::Policy& policy,
              store::RecordLevel level = store::RecordLevel::full) {
        store::RunHeader header;
        header.scenario = "made-up";
        header.seed = 7;
        header.mode = model::Mode::act;
        header.simulated = true;
        header.record = level;
        header.policy = policy;
        auto writer = store::RunWriter::create(disk, folder, header, {},
                                               {.segment_bytes = 1 << 20,
                                                .fill_bytes = 1 << 16,
                                                .reserve_bytes = 4096,
                                                .keyframe_bytes = 1 << 18,
                                                .keyframe_rounds = 50});
        PARLEY_CHECK(writer.has_value());
        writer_ = *std::move(writer);
    }

    void keep(Round& round, const std::vector<model::ActionEvent>& events = {}) {
        round.decision.forecast = round.forecast;
        PARLEY_CHECK(writer_->keep_round(round.input, round.decision, round.memory).has_value());
        for (const auto& event : events) {
            PARLEY_CHECK(writer_->keep_event(event).has_value());
        }
    }
    void finish(std::uint64_t rounds) {
        PARLEY_CHECK(writer_->finish({store::RunStatus::complete, "", rounds}).has_value());
    }

private:
    std::unique_ptr<store::RunWriter> writer_;
};

}  // namespace parley::explanation::kit
