// App: `parley model use`: puts a model into use, given by an id of the shelf or a file or folder
// from elsewhere.

#pragma once

#include "apps/shelf/model_places.h"
#include "apps/shelf/model_run.h"

#include <string>

namespace parley::app {

struct ModelUse {
    std::string name;  ///< An id, `shipped`, or a path as names_file() recognises it.
    std::string kind;  ///< `risk` or `demand`; empty: what the model is.
    // Only for a file or folder:
    std::string features;         ///< The list for read_feature_list.
    std::string horizon = "30m";  ///< How far ahead it forecasts.
    bool calibrated = false;      ///< Its probabilities are right as they are.
};

/// Puts a model from elsewhere on the shelf first, signed with the key of this machine. Returns
/// what to tell a person.
[[nodiscard]] Result<std::string> use_named(Disk& disk, const Environment& environment,
                                            const ModelShelf& shelf, const ModelUse& use);

}  // namespace parley::app
