#include "apps/shelf/model_flags.h"

#include <CLI/CLI.hpp>

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

CLI::App* add_model_part(CLI::App& group, Chosen& chosen, const std::shared_ptr<ModelFlags>& flags,
                         const char* name, const char* help, const ModelAction& action) {
    CLI::App* part = group.add_subcommand(name, help);
    add_text(*part, "--models", flags->models, "DIR",
             "Where models are (default: models, or XDG_DATA_HOME/parley/models)");
    part->add_option("--trust", flags->trusted, "Believe models signed by this key, too")
        ->type_name("KEYID")
        ->take_all();
    part->callback([&chosen, flags, action] {
        chosen = [flags, action] { return carry_out(*flags, action); };
    });
    return part;
}

}  // namespace parley::app
