#include "sim/world/exercise_phases.h"

#include "base/quantity.h"
#include "exercise/phases.h"
#include "sim/world/world_build.h"
#include "sim/world/world_jobs.h"
#include "sim/world/world_pods.h"
#include "sim/world/world_replicas.h"
#include "sim/world/world_state.h"

#include <algorithm>

namespace parley::sim {
namespace {

using model::Quantity;

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

std::string text_of(const exercise::Phase& phase, const ExerciseSpec& spec) {
    if (phase.pods == 0) return "deleted everything in " + spec.space;
    std::string text = std::to_string(phase.pods) + (phase.pods == 1 ? " pod of " : " pods of ") +
                       print_millicores(phase.cpu_m) + " CPU and " +
                       std::to_string(phase.memory_mib) + "Mi";
    if (phase.waits && spec.form == exercise::Form::selector)
        text += ", for a node that is not there";
    return text;
}

WorkloadSpec workload_of(const exercise::Phase& phase, const ExerciseSpec& spec) {
    WorkloadSpec work{.space = spec.space, .name = std::string(phase.name), .replicas = phase.pods};
    work.pod = {.cpu_request_m = phase.cpu_m,
                .cpu_limit_m = phase.cpu_m,
                .memory_request_mib = phase.memory_mib,
                .memory_limit_mib = phase.memory_mib,
                .grace = Duration{},
                .memory_mib = 1.0,
                .memory_noise = 0.0};
    work.idle_cpu_m = 0;
    if (phase.waits && spec.form == exercise::Form::selector) {
        work.selector = "parley.dev/exercise-slot=unavailable";
    }
    return work;
}

}  // namespace

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
    const exercise::Phase phase =
        exercise::phase_of({.form = spec.form, .randomize = spec.randomize, .seed = spec.seed},
                           s.exercise_number, largest);
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
