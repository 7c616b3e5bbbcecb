// Exercise, phases: a number in; what the phase puts into a cluster, and the effect it intends,
// out. Pure.

#pragma once

#include "model/policy.h"
#include "model/snapshot.h"

#include <cstdint>
#include <string_view>

namespace parley::exercise {

inline constexpr std::int64_t kPhases = 9;

/// The node for which the sizes of the phases are written, and what others request there.
inline constexpr std::int64_t kModelCpuM = 10'000;
inline constexpr std::int64_t kModelMemoryMib = 8'192;
inline constexpr std::int64_t kModelOthersCpuM = 100;
inline constexpr std::int64_t kModelOthersMemoryMib = 50;

/// Why the pods of the admission phases find no place.
enum class Form : std::uint8_t {
    selector,  ///< They select a node that does not exist.
    shortage,  ///< Each asks for 30 % of the largest node's CPU.
    profile,   ///< As the run's profile says; by shortage if there is none.
};
BOOST_DESCRIBE_ENUM(Form, selector, shortage, profile)

/// The form that `form` stands for in this profile.
Form form_for(Form form, model::Profile profile);

struct Choice {
    Form form = Form::shortage;
    bool randomize = false;   ///< Draw phases and sizes instead of going in order.
    std::uint64_t seed = 31;  ///< Of those draws.
};

/// What one phase puts into the cluster, after deleting the pods of the one before.
struct Phase {
    std::string_view name;
    std::string_view intent;  ///< The label of the decision that it intends to provoke.
    std::int32_t pods = 0;    ///< 0: it only deletes.
    std::int64_t cpu_m = 0, memory_mib = 0;  ///< Of each pod, requests and limits.
    bool waits = false;                      ///< Its pods are intended to find no place.
    bool everywhere = false;                 ///< It is about the emptiest node, so all are filled.
    model::Quantity moves = model::Quantity::none;
};

/// Whether a Deployment of that name may be one of a phase: "light-dvfs", "light-dvfs-2".
bool named_by_phase(std::string_view name);

/// The n-th phase since the start. `largest_cpu_m`: allocatable CPU of the largest node.
Phase phase_of(const Choice& choice, std::int64_t number, std::int64_t largest_cpu_m);

}  // namespace parley::exercise
