// App: --webhook and related flags of `live`: where the API server may ask about new Jobs.

#pragma once

#include "apps/terminal/command.h"
#include "base/result.h"
#include "kube/webhook/webhook.h"
#include "model/round.h"

#include <optional>
#include <string>

namespace parley::app {

struct WebhookFlags {
    std::string listen;  ///< ADDRESS:PORT; empty: nothing listens.
    std::string url;
    std::string lasts;
};
void add_webhook_flags(Command& command, WebhookFlags& into);

/// Nothing: none is wanted. Inside a cluster it is reached by the Service `parley` of the home
/// namespace, elsewhere where it listens, unless an address is given.
[[nodiscard]] Result<std::optional<kube::WebhookOptions>> webhook_of(const WebhookFlags& flags,
                                                                     model::Mode mode,
                                                                     const std::string& home,
                                                                     bool in_cluster);

}  // namespace parley::app
