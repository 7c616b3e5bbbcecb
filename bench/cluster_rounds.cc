#include "bench/cluster_rounds.h"

#include "layers/observation/snapshot_builder.h"

#include <memory>

namespace parley::bench {

sim::World sized_world(std::int32_t nodes, std::uint64_t seed) {
    return {std::make_shared<const sim::Scenario>(sim::sized(nodes, nodes, kPodsPerWorkload)),
            seed};
}

std::vector<model::RoundInput> observe(sim::World& world, std::size_t rounds, Duration interval) {
    observation::SnapshotBuilder builder({});
    cluster::Batch batch;
    std::vector<model::RoundInput> inputs;
    for (std::size_t i = 0; i < rounds; ++i) {
        world.advance(world.now() + interval);
        world.collect(batch);
        builder.take(batch, world.now());
        model::RoundInput input{.round = i + 1, .now = world.now(), .seed = world.seed()};
        input.snapshot = builder.finish(input.round, input.now);
        input.controls = {.mode = model::Mode::act, .simulated = true, .started_anew = i == 0};
        inputs.push_back(std::move(input));
    }
    return inputs;
}

model::Policy open_policy() {
    using Kind = model::ActionKind;
    model::Policy policy;
    policy.allow.push_back(
        {"*",
         {Kind::replicate, Kind::migrate, Kind::throttle, Kind::power_state, Kind::dvfs,
          Kind::memory_balloon, Kind::admission, Kind::resource_cap, Kind::scale}});
    return policy;
}

}  // namespace parley::bench
