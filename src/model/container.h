// Model: the containers of a pod: what is asked for each, which many pods share, and what was seen
// of each, in few bytes.

#pragma once

#include "base/describe.h"
#include "base/name.h"
#include "base/table.h"
#include "base/time.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace parley::model {

/// A time as whole seconds after a pod's creation. What lies before is told as the creation.
struct After {
    std::uint32_t seconds = 0;  ///< One more than there are; 0: not known.

    static After of(TimePoint created, TimePoint at);
    std::optional<TimePoint> from(TimePoint created) const;
    bool known() const { return seconds != 0; }
    friend bool operator==(const After&, const After&) = default;
};
BOOST_DESCRIBE_STRUCT(After, (), (seconds))

enum class ContainerKind : std::uint8_t { main, sidecar, init };
BOOST_DESCRIBE_ENUM(ContainerKind, main, sidecar, init)

/// What is asked for a container. Nothing: not named, which is not the same as 0.
struct ContainerSpec {
    Name name;
    ContainerKind kind = ContainerKind::main;
    std::optional<std::int64_t> cpu_request_m;
    std::optional<std::int64_t> cpu_limit_m;
    std::optional<std::int64_t> memory_request;
    std::optional<std::int64_t> memory_limit;

    friend bool operator==(const ContainerSpec&, const ContainerSpec&) = default;
};
BOOST_DESCRIBE_STRUCT(ContainerSpec, (),
                      (name, kind, cpu_request_m, cpu_limit_m, memory_request, memory_limit))

/// Containers as pods ask for them: the pods of one template share it, until one is resized.
struct PodShape {
    std::vector<ContainerSpec> containers;  ///< Main ones in the pod's order, then the others.

    friend bool operator==(const PodShape&, const PodShape&) = default;
};
BOOST_DESCRIBE_STRUCT(PodShape, (), (containers))

/// How a container last ended. Numbers are recorded: append, never reorder.
enum class Ending : std::uint8_t {
    none,  ///< It never did, as far as is known.
    completed,
    error,
    oom_killed,
    cannot_start,
    lost,  ///< Nobody saw it: its node was away.
    other,
};
BOOST_DESCRIBE_ENUM(Ending, none, completed, error, oom_killed, cannot_start, lost, other)

/// What a container took over a window, as its source measured it.
struct ContainerUse {
    std::int64_t cpu_m = 0;
    std::int64_t memory = 0;
    TimePoint measured;  ///< The end of the window.
    Duration window;     ///< 0: not told.

    friend bool operator==(const ContainerUse&, const ContainerUse&) = default;
};

/// What was seen of one container. Fixed size: there is one in every row of a pod.
struct ContainerState {
    std::uint32_t cpu_used_m = 0;       ///< Says nothing unless `measured` is known.
    std::uint32_t memory_used_kib = 0;  ///< Likewise.
    After measured;
    After ended;                 ///< When it last ended; not known: it never did, or nobody told.
    std::uint16_t window_s = 0;  ///< Of the usage; 0: not told.
    std::uint8_t exit_code = 0;  ///< Of the last ending; what does not fit is 255.
    Ending ending = Ending::none;

    /// Nothing: never measured.
    std::optional<ContainerUse> use(TimePoint created) const;
    void put_use(TimePoint created, const ContainerUse& use);
    /// Takes over what another says of usage.
    void take_use(const ContainerState& other);
    friend bool operator==(const ContainerState&, const ContainerState&) = default;
};
BOOST_DESCRIBE_STRUCT(ContainerState, (),
                      (cpu_used_m, memory_used_kib, measured, ended, window_s, exit_code, ending))
static_assert(sizeof(ContainerState) == 20);

/// A container besides the first of its pod, if there is anything to tell of it.
struct ContainerRow {
    Slot pod = kNoSlot;
    std::uint16_t at = 0;  ///< Its place in the pod's shape.
    std::int32_t restarts = 0;
    ContainerState state;

    friend bool operator==(const ContainerRow&, const ContainerRow&) = default;
};
BOOST_DESCRIBE_STRUCT(ContainerRow, (), (pod, at, restarts, state))

}  // namespace parley::model
