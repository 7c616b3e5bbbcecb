// Kube, providers: what is known of the power and the clock of the nodes that they serve, and what
// must be read next. Pure; time is what has passed since it was made.

#pragma once

#include "kube/picture/node_power.h"
#include "kube/provider/provider.h"
#include "model/snapshot.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parley::kube {

/// A node's power and clock are read when it is first seen, when its Ready turns, and after each
/// change of ours. A read that failed is repeated after a while; one that was refused is not, until
/// its Ready turns.
class ProviderBook {
public:
    explicit ProviderBook(std::vector<Provider> providers);

    const std::vector<Provider>& providers() const { return providers_; }

    /// The cluster is told from the beginning: everything is news again.
    void begin();
    void saw(const model::NodeRow& node, Duration at);
    /// A node autoscaler owns the number of nodes: while one runs, power is only read.
    void saw(const model::WorkloadRow& workload);
    void gone(const model::Uid& uid);

    /// What to read next; nothing: nothing is due. Until read() it is not given again.
    struct Errand {
        Ability ability = Ability::power;
        std::string node;
        model::Uid uid;
        std::uint64_t turn = 0;
    };
    std::optional<Errand> next(Duration at);
    /// What came of it. What was read while we changed the same is not believed.
    void read(const Errand& errand, const Result<std::int64_t>& value, Duration at);

    /// We changed it, or tried to; nothing: nobody knows what came of it.
    void changed(Ability ability, std::string_view node, std::optional<std::int64_t> value,
                 Duration at);
    /// A read outside of errands, before a change.
    void noticed(Ability ability, std::string_view node, const Result<std::int64_t>& value,
                 Duration at);

    /// Nodes of which there is something new to show since the last call.
    std::vector<std::pair<std::string, NodePower>> news(Duration at);

private:
    struct Fact {
        bool served = false;
        std::optional<std::int64_t> value = {};  ///< As last read, or as we set it.
        bool known = false;                      ///< The last read succeeded.
        bool due = false;
        bool under_way = false;
        Duration not_before = {};
        std::uint64_t turn = 0;  ///< Counts our changes.
    };
    struct Entry {
        model::Uid uid;
        model::Readiness ready = model::Readiness::unknown;
        Fact power;
        Fact clock;
        std::optional<Duration> woken = {};  ///< Since when it boots, as far as we know.
        std::optional<NodePower> told = {};
    };

    Fact* fact_of(Ability ability, std::string_view node);
    void take(Entry& entry, Fact& fact, std::optional<std::int64_t> value, Duration at);
    void note(Entry& entry, Fact& fact, const Result<std::int64_t>& value, Duration at);
    NodePower shown(const Entry& entry) const;

    std::vector<Provider> providers_;
    std::map<std::string, Entry, std::less<>> nodes_;  ///< Those that a provider serves, by name.
    std::map<model::Uid, bool> autoscalers_;           ///< Whether each has any pods.
};

}  // namespace parley::kube
