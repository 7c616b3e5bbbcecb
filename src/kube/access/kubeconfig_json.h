// Kube, kubeconfig: a part of a YAML tree as JSON, for programs that want it so.

#pragma once

#include "config/yaml.h"

#include <string>

namespace parley::kube {

/// Plain true, false, null and numbers as JSON writes them stay what they are; all else is text.
std::string to_json_text(const config::Node& node);

}  // namespace parley::kube
