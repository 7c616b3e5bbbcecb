// Web: a round to be shown, from the loop or from the record. Never changed; shared by threads.

#pragma once

#include "base/table.h"
#include "model/memory.h"
#include "model/round.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace parley::web {

struct SeenRound {
    std::shared_ptr<const model::RoundInput> input;
    std::shared_ptr<const model::Decision> decision;
    std::vector<model::ActionEvent> events;       ///< What came back within it.
    std::shared_ptr<const model::Memory> memory;  ///< As decided; null: the record keeps none here.
    std::map<Slot, std::int32_t> restarts;  ///< Of ten minutes by node, where there is no memory.
    std::string trouble;                    ///< Why nothing was sent; or empty.
    std::string pace = "on time";

    bool decisions_only() const {
        return input->snapshot.round == 0 && input->snapshot.nodes.empty();
    }
};

using SeenRoundPtr = std::shared_ptr<const SeenRound>;

}  // namespace parley::web
