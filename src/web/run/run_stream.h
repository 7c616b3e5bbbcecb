// Web: messages for those who watch a run, from its newest rounds and its status.

#pragma once

#include "web/run/stream.h"
#include "web/views/round_view.h"
#include "web/views/run_index.h"
#include "web/views/views_things.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace parley::web {

/// One thread at a time.
class RunStream {
public:
    /// A message with the number of its round; 0: it is not about a round. Called by the thread
    /// that brings rounds.
    using Listener = std::function<void(std::uint64_t id, Shared message)>;
    void listen(Listener listener) { listener_ = std::move(listener); }

    /// Announces the newest round; of the map only what changed since the one before.
    void announce(const RunContext& run, const SeenRound& round, const Around& around);
    void tell_status(Shared message) { tell(0, std::move(message)); }

    /// What a new client gets at once after the status: what it missed since round `last`, or else
    /// the newest round with the whole map.
    std::vector<Shared> greeting(Shared status, std::optional<std::uint64_t> last) const;

private:
    void tell(std::uint64_t id, Shared message);

    Listener listener_;
    Recent recent_{256};
    std::optional<MapView> map_;
    Shared newest_whole_;
};

}  // namespace parley::web
