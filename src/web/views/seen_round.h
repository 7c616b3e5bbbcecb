// Web: a round to be shown, from the loop or from the record. Immutable; shared by threads.

#pragma once

#include "base/table.h"
#include "layers/explanation/wording/leading.h"
#include "model/memory.h"
#include "model/round.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace parley::web {

struct SeenRound {
    std::shared_ptr<const model::RoundInput> input;
    std::shared_ptr<const model::Decision> decision;
    std::vector<model::ActionEvent> events;  ///< What came back during the round.
    /// As decided; null: the record does not keep it here.
    std::shared_ptr<const model::Memory> memory;
    /// Restarts within ten minutes by node, if there is no memory.
    std::map<Slot, std::int32_t> restarts;
    std::string trouble;  ///< Why nothing was sent; else empty.
    std::string pace = "on time";
    /// Who led then; nothing: nobody else could, or the record does not say.
    std::optional<explanation::Leading> leading;

    bool decisions_only() const {
        return input->snapshot.round == 0 && input->snapshot.nodes.empty();
    }
};

using SeenRoundPtr = std::shared_ptr<const SeenRound>;

}  // namespace parley::web
