// App: `parley model use`: an id of the shelf, or a file or folder from elsewhere, in; a model in
// use out.

#pragma once

#include "apps/shelf/model_places.h"
#include "apps/shelf/model_run.h"

#include <string>

namespace parley::app {

struct ModelUse {
    std::string name;  ///< An id, `shipped`, or a path as names_file() knows it.
    std::string kind;  ///< `risk` or `demand`; empty: what the model is.
    // Of a file or folder alone:
    std::string features;         ///< The list, as read_feature_list has it.
    std::string horizon = "30m";  ///< Within which it forecasts.
    bool calibrated = false;      ///< Its probabilities are right as they are.
};

/// Puts what comes from elsewhere on the shelf first, signed with the key of this machine. Gives
/// what to tell a person.
[[nodiscard]] Result<std::string> use_named(Disk& disk, const Environment& environment,
                                            const ModelShelf& shelf, const ModelUse& use);

}  // namespace parley::app
