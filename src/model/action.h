// Model: what can be wanted (Action), and by whom (Role). Plain values, absolute amounts. What it
// asks of a cluster is in model/request.h, and how it gets there in model/open_action.h.

#pragma once

#include "base/describe.h"
#include "model/ids.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace parley::model {

/// Agents by role, in the order of their letters: "A safety" to "D scaling". Numbers are recorded:
/// append, never reorder. A role that is added here has its figures wherever there are figures per
/// role; its agent is a file of src/layers/proposal (docs/howto/write-an-agent.md).
#define PARLEY_ROLES safety, efficiency, admission, scaling
BOOST_DEFINE_FIXED_ENUM_CLASS(Role, std::uint8_t, PARLEY_ROLES)

inline constexpr auto kRoles = enumerators<Role>;
static_assert(kRoles.size() <= 26, "every agent has a letter");

std::string_view title_of(Role role);  ///< "A safety".
char letter_of(Role role);             ///< 'A'.

/// Agent D has its place in every list, but this build has no such agent.
constexpr bool in_this_build(Role role) { return role != Role::scaling; }

enum class PowerWish : std::uint8_t { sleep, off, on };
BOOST_DESCRIBE_ENUM(PowerWish, sleep, off, on)
enum class AdmissionWish : std::uint8_t { admit, queue, reject, deprioritize };
BOOST_DESCRIBE_ENUM(AdmissionWish, admit, queue, reject, deprioritize)

#define PARLEY_EMPTY_ACTION(Type)                                   \
    struct Type {                                                   \
        friend bool operator==(const Type&, const Type&) = default; \
    };                                                              \
    BOOST_DESCRIBE_STRUCT(Type, (), ())

PARLEY_EMPTY_ACTION(Noop)
PARLEY_EMPTY_ACTION(Replicate)
PARLEY_EMPTY_ACTION(Migrate)
PARLEY_EMPTY_ACTION(Throttle)
#undef PARLEY_EMPTY_ACTION

struct PowerState {
    PowerWish state = PowerWish::sleep;
    friend bool operator==(const PowerState&, const PowerState&) = default;
};
BOOST_DESCRIBE_STRUCT(PowerState, (), (state))

struct Dvfs {
    std::int64_t clock_ppm = 650'000;
    friend bool operator==(const Dvfs&, const Dvfs&) = default;
};
BOOST_DESCRIBE_STRUCT(Dvfs, (), (clock_ppm))

struct MemoryBalloon {
    std::int64_t scale_ppm = 750'000;
    friend bool operator==(const MemoryBalloon&, const MemoryBalloon&) = default;
};
BOOST_DESCRIBE_STRUCT(MemoryBalloon, (), (scale_ppm))

struct Admission {
    AdmissionWish decision = AdmissionWish::admit;
    std::vector<Name> spaces;  ///< Namespaces it is for, by name; empty: all.
    friend bool operator==(const Admission&, const Admission&) = default;
};
BOOST_DESCRIBE_STRUCT(Admission, (), (decision, spaces))

struct ResourceCap {
    std::int64_t cpu_ppm = 850'000;
    std::int64_t memory_ppm = 850'000;
    std::vector<Name> spaces;  ///< As in Admission.
    friend bool operator==(const ResourceCap&, const ResourceCap&) = default;
};
BOOST_DESCRIBE_STRUCT(ResourceCap, (), (cpu_ppm, memory_ppm, spaces))

/// One figure of a workload, moved between a floor and a ceiling that people set. Absolute.
struct Extent {
    std::int64_t from = 0;
    std::int64_t to = 0;     ///< The same as `from`: it stays.
    std::int64_t least = 0;  ///< 0: no floor was set.
    std::int64_t most = std::numeric_limits<std::int64_t>::max();

    bool grows() const { return to > from; }
    bool shrinks() const { return to < from; }
    friend bool operator==(const Extent&, const Extent&) = default;
};
BOOST_DESCRIBE_STRUCT(Extent, (), (from, to, least, most))

/// What one container of each pod asks for; nothing: that is left as it is.
struct ContainerSize {
    Name container;
    std::optional<Extent> cpu_m;
    std::optional<Extent> memory;
    friend bool operator==(const ContainerSize&, const ContainerSize&) = default;
};
BOOST_DESCRIBE_STRUCT(ContainerSize, (), (container, cpu_m, memory))

/// How many pods a workload has and how large they are, as one action.
struct Scale {
    Extent replicas;
    std::vector<ContainerSize> sizes;  ///< Of containers that are resized.
    friend bool operator==(const Scale&, const Scale&) = default;
};
BOOST_DESCRIBE_STRUCT(Scale, (), (replicas, sizes))

bool resizes(const Scale& scale);  ///< A container's size changes.
bool grows(const Scale& scale);    ///< Something grows and nothing shrinks.
bool shrinks(const Scale& scale);  ///< Something shrinks, whatever else grows.

using Action = std::variant<Noop, Replicate, Migrate, Throttle, PowerState, Dvfs, MemoryBalloon,
                            Admission, ResourceCap, Scale>;

/// The alternatives of Action, in the same order.
enum class ActionKind : std::uint8_t {
    noop,
    replicate,
    migrate,
    throttle,
    power_state,
    dvfs,
    memory_balloon,
    admission,
    resource_cap,
    scale
};
BOOST_DESCRIBE_ENUM(ActionKind, noop, replicate, migrate, throttle, power_state, dvfs,
                    memory_balloon, admission, resource_cap, scale)

inline ActionKind kind_of(const Action& action) { return static_cast<ActionKind>(action.index()); }

/// `replicate`, `power_state:sleep`, `admission:queue`.
std::string text_of(const Action& action);
/// `AgentA:replicate`, `AgentC:admission:queue`: the label of mission.md section 6.
std::string label_of(Role role, const Action& action);
/// A plain admit or a noop changes nothing.
bool changes_nothing(const Action& action);
/// Takes capacity or pods away, if only for a while: replicate, migrate, power down.
bool disruptive(const Action& action);
/// Done to save something, so it can wait.
bool saves(const Action& action);

/// How soon an action may follow another, and what it uses up of what there is little of:
/// docs/decisions/0029-three-paces.md.
enum class Pace : std::uint8_t {
    disruptive,  ///< One at a time, few an hour.
    gentle,      ///< Bounded by rounds and cool-downs.
    scaling,     ///< Many at once, every few seconds; kept by the mark on the workload alone.
};
BOOST_DESCRIBE_ENUM(Pace, disruptive, gentle, scaling)

Pace pace_of(const Action& action);

}  // namespace parley::model
