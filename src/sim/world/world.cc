#include "sim/world/world.h"

#include "base/check.h"
#include "sim/world/exercise_phases.h"
#include "sim/world/fault_script.h"
#include "sim/world/faults.h"
#include "sim/world/scheduler.h"
#include "sim/world/world_build.h"
#include "sim/world/world_jobs.h"
#include "sim/world/world_load.h"
#include "sim/world/world_nodes.h"
#include "sim/world/world_pods.h"
#include "sim/world/world_report.h"
#include "sim/world/world_requests.h"
#include "sim/world/world_state.h"

#include <bit>
#include <utility>

namespace parley::sim {
namespace {

/// Lets an event of a node happen if it was not cancelled; returns whether it did.
bool node_event(State& s, const Event& event) {
    struct Row {
        EventKind kind;
        NodeClock clock;
        void (*happens)(State&, Index);
    };
    static constexpr Row kRows[] = {
        {EventKind::node_fault, NodeClock::fault, fault_event},
        {EventKind::node_episode, NodeClock::episode, episode_event},
        {EventKind::node_gray, NodeClock::gray, gray_event},
        {EventKind::node_nuisance, NodeClock::nuisance, nuisance_event},
        {EventKind::node_flap, NodeClock::flap, flap_event},
        {EventKind::node_symptom, NodeClock::symptom, symptom_event},
        {EventKind::node_lease, NodeClock::lease, lease_event},
        {EventKind::node_unready, NodeClock::unready, node_unready},
        {EventKind::node_evict, NodeClock::evict, node_evict},
        {EventKind::node_back, NodeClock::back, node_back},
    };
    for (const Row& row : kRows) {
        if (row.kind != event.kind()) continue;
        const NodeState& node = s.nodes[event.entity];
        if (node.exists && node.clock(row.clock) == event.generation) row.happens(s, event.entity);
        return true;
    }
    return false;
}

void step(State& s) {
    plan_arrivals(s);
    step_load(s);
    step_hazards(s);
}

void happen(State& s, const Event& event) {
    const Index i = event.entity;
    switch (event.kind()) {
        case EventKind::pod:
            if (s.pods[i].generation == event.generation) pod_event(s, i);
            return;
        case EventKind::pod_resized:
            if (s.pods[i].resize == event.generation && s.pods[i].stage != Stage::free) {
                pod_resized(s, i);
            }
            return;
        case EventKind::schedule:
            if (event.generation == s.schedule_generation) schedule_pass(s);
            return;
        case EventKind::step:
            return step(s);
        case EventKind::noise:
            return step_noise(s);
        case EventKind::scrape:
            return scrape(s, i);
        case EventKind::burst:
            return burst_event(s, i, event.generation);
        case EventKind::job:
            return job_arrives(s, i);
        case EventKind::order_expires:
            return i == 0 ? order_expires(s) : request_schedule(s, kScheduleRetry);
        case EventKind::exercise:
            return exercise_event(s);
        case EventKind::script:
            return script_event(s, i);
        case EventKind::rack_shock:
            return rack_event(s, i);
        case EventKind::crash_loop:
            if (s.works[i].exists && s.works[i].crash_epoch == event.generation) crash_event(s, i);
            return;
        default:
            PARLEY_CHECK(node_event(s, event));
    }
}

/// Mixes words into one hash; order matters.
class Fingerprint {
public:
    void add(std::uint64_t word) {
        sum_ ^= word + 0x9E3779B97F4A7C15 + (sum_ << 6) + (sum_ >> 2);
        sum_ *= 0xff51afd7ed558ccd;
    }
    void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
    void add(std::int64_t value) { add(static_cast<std::uint64_t>(value)); }
    std::uint64_t sum() const { return sum_; }

private:
    std::uint64_t sum_ = 0;
};

}  // namespace

World::World(std::shared_ptr<const Scenario> scenario, std::uint64_t seed)
    : state_(std::make_unique<State>(build_state(std::move(scenario), seed))) {
    advance(TimePoint{0});
}
World::World(const World& other) : state_(std::make_unique<State>(*other.state_)) {
    state_->happenings = nullptr;
}
World& World::operator=(const World& other) {
    if (this == &other) return *this;
    *state_ = *other.state_;
    state_->happenings = nullptr;
    return *this;
}
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;
World::~World() = default;

TimePoint World::now() const { return time_of(state_->now); }

void World::advance(TimePoint until) {
    State& s = *state_;
    const Ms end = until.us / 1000;
    while (!s.queue.empty() && s.queue.top().at <= end) {
        const Event event = s.queue.pop();
        if (event.at > s.now) {
            settle_touched(s);
            s.now = event.at;
        }
        happened(s, Happened::queue_event, event.entity, static_cast<std::uint64_t>(event.kind()));
        happen(s, event);
    }
    settle_touched(s);
    if (end > s.now) s.now = end;
}

Result<void> World::apply(const model::Request& request, const model::Precondition& only_if) {
    Result<void> applied = apply_request(*state_, request, only_if);
    settle_touched(*state_);
    return applied;
}

model::Live World::read(const model::Request& request) const {
    return read_request(*state_, request);
}

void World::collect(cluster::Batch& out) {
    collect_changes(*state_, out);
    if (state_->reporting) deliver(*state_, out);
}

void World::stop_reporting() {
    State& s = *state_;
    s.reporting = false;
    for (auto* list : {&s.dirty_nodes, &s.dirty_works, &s.dirty_pods}) *list = {};
    for (auto* list : {&s.gone_pods, &s.gone_works, &s.gone_nodes}) *list = {};
    s.restarts = {};
    for (SourceFeed& feed : s.feeds) feed.frames.clear();
}

std::optional<model::WorkCounters> World::work_counters(const model::WorkloadId& workload) const {
    const Index w = find_work(*state_, workload);
    if (w == kNone) return std::nullopt;
    return counters_of(*state_, w);
}

std::optional<model::NodeCounters> World::node_counters(const model::NodeId& node) const {
    const Index n = find_node(*state_, node);
    if (n == kNone) return std::nullopt;
    return counters_of_node(*state_, n);
}

const Truth& World::truth() const { return state_->truth; }
std::uint64_t World::events() const { return state_->events; }
void World::write_down(std::vector<Happening>* out) { state_->happenings = out; }
const Scenario& World::scenario() const { return *state_->scenario; }
std::uint64_t World::seed() const { return state_->seed; }

std::uint64_t World::fingerprint() const {
    const State& s = *state_;
    Fingerprint f;
    f.add(s.now);
    f.add(static_cast<std::uint64_t>(s.serials));
    for (const NodeState& node : s.nodes) {
        f.add(node.energy_mj);
        f.add(node.cpu_total);
        f.add(node.cpu_requested_m);
        f.add(node.memory_requested);
        f.add(node.slowness);
        f.add(static_cast<std::uint64_t>(node.ready) << 8 | static_cast<std::uint64_t>(node.power));
        f.add(node.sudden_left);
        f.add(static_cast<std::uint64_t>(node.pods.size()));
    }
    for (const WorkState& work : s.works) {
        f.add(work.flow.done_total);
        f.add(work.flow.lost_total);
        f.add(work.flow.queued);
        f.add(work.pending_ms);
        f.add(work.disruptions);
        f.add(static_cast<std::uint64_t>(work.pods.size()));
    }
    for (const PodState& pod : s.pods) {
        f.add(pod.uid.low);
        f.add((static_cast<std::uint64_t>(pod.node) << 8) | static_cast<std::uint64_t>(pod.stage));
        f.add(static_cast<std::uint64_t>(static_cast<std::uint32_t>(pod.restarts)));
        f.add(pod.work_left);
    }
    return f.sum();
}

}  // namespace parley::sim
