// Kube: what metrics.k8s.io reports, v1beta1 or v1, from JSON.

#pragma once

#include "base/result.h"
#include "base/time.h"
#include "kube/decode/objects.h"

#include <string>
#include <string_view>
#include <vector>

namespace parley::kube {

struct ContainerUsage {
    Name name;
    Amounts used;
};

/// Of one node, or of all containers of one pod together. Raw: whether it can be true is judged by
/// who takes it.
struct UsageSample {
    std::string space;  ///< Empty for a node.
    std::string name;
    TimePoint measured;  ///< By the source's clock: the end of the window.
    Duration window;     ///< 0: not reported.
    Amounts used;
    std::vector<ContainerUsage> containers;  ///< Of a pod: one by one, if they have names.
};

struct UsagePage {
    std::vector<UsageSample> samples;
    std::size_t unreadable_count = 0;  ///< Those without name or time, or with invalid amounts.
    std::string first_fault;
};

/// NodeMetricsList and PodMetricsList. `malformed` as for decode_page.
[[nodiscard]] Result<UsagePage> decode_node_metrics(std::string_view bytes);
[[nodiscard]] Result<UsagePage> decode_pod_metrics(std::string_view bytes);

}  // namespace parley::kube
