// App: the page and exit status of `parley check`, from its findings. Pure.

#pragma once

#include "base/describe.h"
#include "kube/watch/permissions.h"

#include <string>
#include <vector>

namespace parley::app {

enum class Verdict { ok, late, missing, off, refused, failed };
BOOST_DESCRIBE_ENUM(Verdict, ok, late, missing, off, refused, failed)

/// One line of the page.
struct Finding {
    std::string topic;  ///< access, permissions, sources, record, capabilities, providers.
    Verdict verdict = Verdict::ok;
    std::string text;
};
BOOST_DESCRIBE_STRUCT(Finding, (), (topic, verdict, text))

struct Preflight {
    std::string title;  ///< `staging, Kubernetes 1.35.4, 3 nodes, 41 pods, for mode observe`.
    std::vector<Finding> findings;
    bool runs = true;                 ///< Whether a loop would see enough to decide anything.
    std::vector<std::string> losses;  ///< What is not seen, in sentences.
    std::string missing_rules;        ///< YAML; empty: none.
};
BOOST_DESCRIBE_STRUCT(Preflight, (), (title, findings, runs, losses, missing_rules))

/// Adds the findings about permissions. `denied`: those not granted.
void add_permissions(Preflight& page, std::size_t asked, const std::vector<kube::Need>& denied);

std::string print(const Preflight& page);

/// 0 if nothing is missing, late or failed, else 1.
int exit_status(const Preflight& page);

}  // namespace parley::app
