// Exercise, hindrances: what a cluster says of pods that do not run in, what a person can do about
// it out. Pure.

#pragma once

#include "cluster/stage.h"

#include <boost/describe/enum.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace parley::exercise {

/// Why pods do not run, as far as a person would do something else about it.
enum class Hindrance : std::uint8_t {
    unknown,    ///< Nobody says.
    pulling,    ///< The image is on its way; it may yet come.
    image,      ///< It cannot be pulled.
    place,      ///< No node takes them.
    quota,      ///< A ResourceQuota forbids them.
    limits,     ///< A LimitRange does.
    security,   ///< Pod Security Admission does.
    policy,     ///< An admission webhook or policy does, or cannot be asked.
    runtime,    ///< Their RuntimeClass is missing, in the cluster or on the node.
    container,  ///< It cannot be started.
    crash,      ///< It starts and ends.
    sandbox,    ///< The node cannot prepare for them: network, container runtime.
    node,       ///< The node refused or evicted them.
    space,      ///< Somebody deleted the namespace.
    other,
};
BOOST_DESCRIBE_ENUM(Hindrance, unknown, pulling, image, place, quota, limits, security, policy,
                    runtime, container, crash, sandbox, node, space, other)

Hindrance hindrance_of(const cluster::Trouble& trouble);

/// What to do about it, for pods in that namespace; no full stop.
std::string advice_on(Hindrance hindrance, std::string_view space);

/// The cluster's words and the advice: "ErrImagePull, no such host; name an image ...". Where
/// nobody says why, that.
std::string why_text(const cluster::Trouble& trouble, std::string_view space);

}  // namespace parley::exercise
