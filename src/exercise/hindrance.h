// Exercise, hindrances: what a cluster says about pods that do not run in, what a person can do
// about it out. Pure.

#pragma once

#include "cluster/stage.h"

#include <boost/describe/enum.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace parley::exercise {

/// Why pods do not run, as far as it makes a difference to what a person would do.
enum class Hindrance : std::uint8_t {
    unknown,    ///< No reason was given.
    pulling,    ///< The image is being pulled; it may still come.
    image,      ///< The image cannot be pulled.
    place,      ///< No node takes them.
    quota,      ///< A ResourceQuota forbids them.
    limits,     ///< A LimitRange forbids them.
    security,   ///< Pod Security Admission forbids them.
    policy,     ///< An admission webhook or policy forbids them, or cannot be asked.
    runtime,    ///< Their RuntimeClass is missing, in the cluster or on the node.
    container,  ///< The container cannot be started.
    crash,      ///< The container starts and ends.
    sandbox,    ///< The node cannot prepare for them: network, container runtime.
    node,       ///< The node refused or evicted them.
    space,      ///< Somebody deleted the namespace.
    other,
};
BOOST_DESCRIBE_ENUM(Hindrance, unknown, pulling, image, place, quota, limits, security, policy,
                    runtime, container, crash, sandbox, node, space, other)

Hindrance hindrance_of(const cluster::Trouble& trouble);

/// What to do about it, for pods in that namespace; without a full stop.
std::string advice_on(Hindrance hindrance, std::string_view space);

/// The cluster's words and the advice: "ErrImagePull, no such host; name an image ..."; or that no
/// reason was given.
std::string why_text(const cluster::Trouble& trouble, std::string_view space);

}  // namespace parley::exercise
