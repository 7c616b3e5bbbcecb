// Kube, providers: which command of the operator's switches the power of a node or sets its clock,
// how it is called, and what its answers mean (docs/providers.md). Pure.

#pragma once

#include "base/describe.h"
#include "base/result.h"
#include "cluster/stamp.h"
#include "kube/access/child.h"
#include "model/snapshot.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace parley::kube {

enum class Ability : std::uint8_t { power, clock };
BOOST_DESCRIBE_ENUM(Ability, power, clock)

/// A program and its first arguments.
using ProviderCommand = std::vector<std::string>;

struct Provider {
    std::vector<std::string> nodes;  ///< Names; `*` stands for any text.
    ProviderCommand power;           ///< Empty: it cannot switch power.
    ProviderCommand clock;           ///< Empty: it cannot set clocks.
    friend bool operator==(const Provider&, const Provider&) = default;
};

/// `denied` with the reason: it serves no node, can do nothing, or names no absolute path.
[[nodiscard]] Result<void> check_provider(const Provider& provider);

/// The command of the first provider that serves the node and can do it; null: nothing can.
const ProviderCommand* command_for(const std::vector<Provider>& providers, Ability ability,
                                   std::string_view node);

/// One call of a command.
struct ProviderCall {
    Ability ability = Ability::power;
    std::string node;
    model::Uid uid;             ///< None: not known.
    std::string wish;           ///< "on", "650000"; empty: it only reads.
    cluster::Stamp stamp = {};  ///< Of a change.
    friend bool operator==(const ProviderCall&, const ProviderCall&) = default;
};

/// A command may take this long and write this much; nobody waits for what comes after.
inline constexpr Duration kProviderLimit = seconds(30);
inline constexpr std::uint64_t kProviderOutputMax = std::uint64_t{64} << 10;

/// `COMMAND power NODE on`, with a small environment of its own: nothing of ours is inherited.
ChildRun run_of(const ProviderCommand& command, const ProviderCall& call);

/// What it wrote if it did what was asked. Exit status 75 is `unavailable`, 3 is `denied`; whatever
/// else came of a change is `unknown_outcome`, since it may have been done, and of a read
/// `unavailable`.
[[nodiscard]] Result<std::string> answer_of(const ProviderCall& call, const ChildEnd& end);

/// What a read says: enumerators of model::Power as numbers, millionths of the full clock. One
/// word; all else is `malformed`.
[[nodiscard]] Result<std::int64_t> value_of(Ability ability, std::string_view output);

/// How a wish reads to a command.
std::string word_of(model::PowerWish wish);

/// The wish that has led to this power: of a node that boots, to be on.
model::PowerWish wish_of(model::Power power);

/// Whether a node with this power is as it is wanted: one that boots is switched on.
bool is_as_wanted(model::Power power, model::PowerWish wish);

}  // namespace parley::kube
