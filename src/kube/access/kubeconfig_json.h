// Kube, kubeconfig: a part of a YAML tree as JSON, for programs that expect JSON.

#pragma once

#include "config/yaml.h"

#include <string>

namespace parley::kube {

/// Plain true, false, null and numbers in JSON's form stay so; everything else becomes text.
std::string to_json_text(const config::Node& node);

}  // namespace parley::kube
