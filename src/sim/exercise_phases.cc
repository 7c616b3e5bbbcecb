#include "sim/exercise_phases.h"

#include "base/quantity.h"
#include "sim/world_build.h"
#include "sim/world_jobs.h"
#include "sim/world_pods.h"
#include "sim/world_replicas.h"
#include "sim/world_state.h"

#include <algorithm>

namespace parley::sim {
namespace {

using model::Quantity;

/// Fixed size and random range of a phase.
struct PhaseRow {
    std::string_view name, intent;
    std::int32_t pods;
    std::int64_t cpu_m, memory_mib;
    std::int64_t cpu_low_m, cpu_high_m, memory_low_mib, memory_high_mib;
    bool waits;
    Quantity moves;
};

constexpr PhaseRow kRows[kPhases] = {
    {"idle-power-save", "AgentB:power_state:sleep", 0, 0, 0, 0, 0, 0, 0, false, Quantity::none},
    {"light-dvfs", "AgentB:dvfs", 1, 2200, 256, 1600, 2800, 128, 512, false,
     Quantity::cpu_requested},
    {"moderate-memory", "AgentB:memory_balloon", 1, 6200, 768, 5200, 6800, 512, 1280, false,
     Quantity::cpu_requested},
    {"safety-throttle", "AgentA:throttle", 1, 8600, 1024, 8200, 8800, 768, 1536, false,
     Quantity::cpu_requested},
    {"safety-migrate", "AgentA:migrate", 1, 9200, 5120, 9000, 9300, 4096, 5632, false,
     Quantity::memory_requested},
    {"safety-replicate", "AgentA:replicate", 1, 9400, 7168, 9300, 9450, 6656, 7424, false,
     Quantity::memory_requested},
    {"admission-queue", "AgentC:admission:queue", 12, 100, 64, 80, 200, 48, 128, true,
     Quantity::queue},
    {"admission-deprioritize", "AgentC:admission:deprioritize", 90, 100, 64, 80, 200, 48, 128, true,
     Quantity::queue},
    {"admission-cap", "AgentC:resource_cap", 130, 100, 64, 80, 200, 48, 128, true, Quantity::queue},
};

std::int64_t quantity_now(const State& s, Quantity quantity) {
    std::int64_t sum = 0;
    for (const NodeState& node : s.nodes) {
        if (!node.exists) continue;
        if (quantity == Quantity::cpu_requested) sum += node.cpu_requested_m;
        if (quantity == Quantity::memory_requested) sum += node.memory_requested;
    }
    if (quantity != Quantity::queue) return sum;
    for (const PodState& pod : s.pods) {
        const bool waits = pod.stage == Stage::waiting || pod.stage == Stage::gated;
        sum += waits || pod.stage == Stage::starting ? 1 : 0;
    }
    return sum;
}

std::string text_of(const ExercisePhase& phase, const ExerciseSpec& spec) {
    if (phase.pods == 0) return "deleted everything in " + spec.space;
    std::string text = std::to_string(phase.pods) + (phase.pods == 1 ? " pod of " : " pods of ") +
                       print_millicores(phase.cpu_m) + " CPU and " +
                       std::to_string(phase.memory_mib) + "Mi";
    if (phase.waits && spec.form == ExerciseForm::selector)
        text += ", for a node that is not there";
    return text;
}

WorkloadSpec workload_of(const ExercisePhase& phase, const ExerciseSpec& spec) {
    WorkloadSpec work{.space = spec.space, .name = std::string(phase.name), .replicas = phase.pods};
    work.pod = {.cpu_request_m = phase.cpu_m,
                .cpu_limit_m = phase.cpu_m,
                .memory_request_mib = phase.memory_mib,
                .memory_limit_mib = phase.memory_mib,
                .grace = Duration{},
                .memory_mib = 1.0,
                .memory_noise = 0.0};
    work.idle_cpu_m = 0;
    if (phase.waits && spec.form == ExerciseForm::selector) {
        work.selector = "parley.dev/exercise-slot=unavailable";
    }
    return work;
}

}  // namespace

ExercisePhase exercise_phase(const ExerciseSpec& spec, std::int64_t number,
                             std::int64_t largest_cpu_m) {
    std::int64_t which = number % kPhases;
    const auto lot = [&](std::uint64_t use) {
        return draw(spec.seed + static_cast<std::uint64_t>(number), Stream::policy,
                    entity_of("exercise"), use);
    };
    if (spec.randomize) which = random::between(lot(0), 0, kPhases - 1);
    const PhaseRow& row = kRows[which];
    ExercisePhase phase{.name = row.name,
                        .intent = row.intent,
                        .pods = row.pods,
                        .cpu_m = row.cpu_m,
                        .memory_mib = row.memory_mib,
                        .waits = row.waits,
                        .moves = row.moves};
    if (spec.randomize && row.pods > 0) {
        phase.cpu_m = random::between(lot(1), row.cpu_low_m, row.cpu_high_m);
        phase.memory_mib = random::between(lot(2), row.memory_low_mib, row.memory_high_mib);
    }
    if (row.waits && spec.form == ExerciseForm::shortage) phase.cpu_m = largest_cpu_m * 3 / 10;
    return phase;
}

void burst_event(State& s, std::uint32_t work, std::uint32_t index) {
    const JobSpec& job = *s.works[work].job;
    const JobBurst& burst = job.bursts[index];
    if (!burst.phase.empty()) {
        const std::int32_t pods = burst.jobs * job.parallel;
        s.stimulus =
            model::Stimulus{.phase = Name::of(burst.phase),
                            .intent = burst.intent,
                            .text = std::to_string(pods) + (pods == 1 ? " pod of " : " pods of ") +
                                    print_millicores(job.pod.cpu_request_m) + " CPU",
                            .since = time_of(s.now),
                            .moves = Quantity::queue,
                            .before = quantity_now(s, Quantity::queue)};
    }
    for (std::int32_t i = 0; i < burst.jobs; ++i) plan_job(s, work, s.now);
}

void exercise_event(State& s) {
    const ExerciseSpec& spec = *s.scenario->exercise;
    std::int64_t largest = 0;
    for (const NodeState& node : s.nodes) largest = std::max(largest, node.worker ? node.cpu_m : 0);
    const ExercisePhase phase = exercise_phase(spec, s.exercise_number, largest);
    if (s.exercise_work != kNone) delete_workload(s, s.exercise_work);
    s.exercise_work = kNone;
    s.stimulus = model::Stimulus{.phase = Name::of(phase.name),
                                 .intent = std::string(phase.intent),
                                 .text = text_of(phase, spec),
                                 .since = time_of(s.now),
                                 .moves = phase.moves,
                                 .before = quantity_now(s, phase.moves)};
    if (phase.pods > 0) {
        s.exercise_work = add_workload(s, workload_of(phase, spec));
        s.works[s.exercise_work].startup_fixed = 2000;
        reconcile(s, s.exercise_work);
    }
    ++s.exercise_number;
    s.queue.push(s.now + ms_of(spec.phase), EventKind::exercise, 0);
}

}  // namespace parley::sim
