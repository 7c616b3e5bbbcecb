#include "apps/shelf/model_flags.h"

#include <cstdio>

namespace parley::app {
namespace {

int carry_out(const ModelFlags& flags, const ModelAction& action) {
    const auto shelf = model_shelf(real_disk(), flags.models, flags.trusted);
    if (!shelf) return report(shelf.error(), kWrongUse);
    const auto text = action(*shelf, flags);
    if (!text) return report(text.error(), status_of(text.error()));
    std::fputs(text->c_str(), stdout);
    return kDone;
}

}  // namespace

Command add_model_part(Command& group, const std::shared_ptr<ModelFlags>& flags, const char* name,
                       const char* help, const ModelAction& action) {
    Command part = group.command(name, help);
    add_text(part, "--models", flags->models, "DIR",
             "Where models are (default: models, or XDG_DATA_HOME/parley/models)");
    part.texts("--trust", flags->trusted, "Believe models signed by this key, too")
        .type("KEYID")
        .take_all();
    part.runs([flags, action] { return carry_out(*flags, action); });
    return part;
}

}  // namespace parley::app
