// Twin: futures of actions on a real cluster, as models that start from the snapshot.

#pragma once

#include "cluster/twin.h"
#include "model/policy.h"
#include "twin/future.h"

#include <cstddef>
#include <vector>

namespace parley::twin {

struct TwinLimits {
    std::size_t actions_max = 8;    ///< Followed at once; beyond that, new actions have no twin.
    std::size_t pods_max = 20'000;  ///< Of the workloads of one action; beyond that, it has none.
};

/// Used by one thread. What is followed: the pods of the workloads that an action is scored on, on
/// all nodes that could hold them. docs/layers/execution.md says what is modelled.
class Twins final : public cluster::Twins {
public:
    explicit Twins(const model::StakesRules& rules, TwinLimits limits = {});

    void fork(const model::OpenAction& action, const std::vector<model::Target>& leaves,
              const std::vector<model::PlannedStep>& loser, const model::Snapshot& seen) override;
    void drop(model::DecisionId action) override;
    std::vector<model::TwinSample> sample(TimePoint now, const model::Snapshot& seen) override;

private:
    struct Branch {
        model::Branch which = model::Branch::noop;
        Future future;
    };
    struct Leaf {
        model::Target target;
        Slot node = kNoSlot;
        std::size_t work = 0;
    };
    struct Followed {
        model::DecisionId action;
        Following following;
        std::vector<Leaf> leaves;  ///< Without the queue, whose Jobs are listed.
        std::vector<Branch> branches;
    };

    static model::TwinSample look(const Followed& followed, const Branch& branch,
                                  const Shown& shown);

    Duration startup_assumed_;
    Duration toleration_;
    TwinLimits limits_;
    std::vector<Followed> followed_;
};

}  // namespace parley::twin
