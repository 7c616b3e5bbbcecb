#include "apps/parley/commands.h"
#include "apps/shelf/model_file.h"
#include "apps/shelf/model_import.h"
#include "apps/shelf/model_places.h"
#include "apps/shelf/model_run.h"
#include "base/number.h"
#include "base/time_text.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <functional>
#include <memory>

namespace parley::app {
namespace {

struct Options {
    std::string models;
    std::vector<std::string> trusted;
    std::string id;
    std::string other;
    std::string kind;
    std::string file;
    std::string features;
    std::string horizon = "30m";
    bool calibrated = false;
    Format format = Format::table;
};

/// Models are kept in XGBoost's binary format, and a file that ends otherwise is refused.
constexpr const char* kExportExample = "parley model export risk-0123456789ab risk.ubj";

/// Puts a model from elsewhere on the shelf, where a path is named, and then into use.
Result<std::string> use(const ModelShelf& shelf, const Options& given) {
    if (!names_file(given.id)) {
        if (given.features.empty() && !given.calibrated)
            return use_model(real_disk(), shelf, given.id, given.kind);
        return fail(ErrorCode::denied,
                    "--features and --calibrated are for a file or folder, such as ./model.json; " +
                        in_quotes(given.id) + " is a model on the shelf");
    }
    if (!given.kind.empty() && given.kind != "risk")
        return fail(ErrorCode::denied, "only a model of risk can be taken from elsewhere");
    const auto horizon = parse_duration(given.horizon);
    const ModelImport defaults;
    if (!horizon || *horizon <= defaults.gap || *horizon > hours(24)) {
        return fail(ErrorCode::denied,
                    "--horizon is a time above 2m and at most 24h such as 30m, and " +
                        in_quotes(given.horizon) + " was given");
    }
    const auto path = signing_key_path(real_environment());
    if (!path) return tl::unexpected(path.error());
    const auto key = learn::SigningKey::at(real_disk(), *path);
    if (!key) return tl::unexpected(key.error());
    const auto id = import_model(real_disk(), shelf.folder, *key,
                                 {.path = given.id,
                                  .features = given.features,
                                  .horizon = *horizon,
                                  .calibrated = given.calibrated});
    if (!id) return tl::unexpected(id.error());
    ModelShelf known = shelf;
    known.trust.own_key = key->public_key();
    auto used = use_model(real_disk(), known, *id, "risk");
    if (used) return "It is in " + join(shelf.folder, *id) + ".\n" + *used;
    used.error().message +=
        ", or name it with --calibrated if its probabilities are right as they are";
    return used;
}

using Action = std::function<Result<std::string>(const ModelShelf&, const Options&)>;

int carry_out(const Options& options, const Action& action) {
    const auto shelf = model_shelf(real_disk(), options.models, options.trusted);
    if (!shelf) return report(shelf.error(), kWrongUse);
    const auto text = action(*shelf, options);
    if (!text) return report(text.error(), status_of(text.error()));
    std::fputs(text->c_str(), stdout);
    return kDone;
}

/// A command below `parley model` with the flags that all of them have.
CLI::App* add_part(CLI::App& group, Chosen& chosen, const std::shared_ptr<Options>& options,
                   const char* name, const char* help, const Action& action) {
    CLI::App* part = group.add_subcommand(name, help);
    add_text(*part, "--models", options->models, "DIR",
             "Where models are (default: models, or XDG_DATA_HOME/parley/models)");
    part->add_option("--trust", options->trusted, "Believe models signed by this key, too")
        ->type_name("KEYID")
        ->take_all();
    part->callback([&chosen, options, action] {
        chosen = [options, action] { return carry_out(*options, action); };
    });
    return part;
}

void add_reading(CLI::App& group, Chosen& chosen, const std::shared_ptr<Options>& options) {
    CLI::App* all = add_part(group, chosen, options, "list", "List models, and which are in use",
                             [](const ModelShelf& shelf, const Options& given) {
                                 return list_text(real_disk(), shelf, given.format);
                             });
    add_output(*all, options->format, {"table", "json"});
    add_examples(*all, {"parley model list", "parley model list --models mine -o json"});

    CLI::App* one = add_part(group, chosen, options, "show", "Print what a model is",
                             [](const ModelShelf& shelf, const Options& given) {
                                 return names_file(given.id)
                                            ? model_file_text(real_disk(), given.id, given.format)
                                            : show_text(real_disk(), shelf, given.id, given.format);
                             });
    one->add_option("ID", options->id, "A model, or a file that XGBoost saved")->required();
    add_output(*one, options->format, {"table", "json"});
    add_examples(*one, {"parley model show risk-0123456789ab",
                        "parley model show ./model.json    What a file of XGBoost holds, or why it "
                        "would be refused"});

    CLI::App* two =
        add_part(group, chosen, options, "compare", "Print the figures of two models side by side",
                 [](const ModelShelf& shelf, const Options& given) {
                     return compare_text(real_disk(), shelf, given.id, given.other, given.format);
                 });
    two->add_option("A", options->id, "A model")->required();
    two->add_option("B", options->other, "Another")->required();
    add_output(*two, options->format, {"table", "json"});
    add_examples(*two, {"parley model compare risk-0123456789ab risk-ba9876543210"});
}

void add_writing(CLI::App& group, Chosen& chosen, const std::shared_ptr<Options>& options) {
    CLI::App* one = add_part(group, chosen, options, "use", "Serve this model from now on", use);
    one->add_option("ID", options->id,
                    "A model, `shipped` for that of the program, a file that XGBoost saved, or a "
                    "folder that parley train --out wrote")
        ->required();
    add_text(*one, "--kind", options->kind, "KIND", "risk or demand");
    add_text(*one, "--features", options->features, "LIST",
             "Of a file or folder: a CSV file with feature, serves and unit, a line for each "
             "feature of the model");
    add_text(*one, "--horizon", options->horizon, "TIME",
             "Of a file or folder: within which it forecasts (default 30m)");
    one->add_flag("--calibrated", options->calibrated,
                  "Of a file: its probabilities are right as they are");
    add_examples(*one, {"parley model use risk-0123456789ab --kind risk",
                        "parley model use ./model.json --features list.csv --calibrated",
                        "parley model use shipped --kind risk    Back to that of the program"});

    CLI::App* out = add_part(group, chosen, options, "export", "Write a model as XGBoost's file",
                             [](const ModelShelf& shelf, const Options& given) {
                                 return export_model(real_disk(), shelf, given.id, given.file);
                             });
    out->add_option("ID", options->id, "A model")->required();
    out->add_option("FILE", options->file, "A new file")->required();
    add_examples(*out, {kExportExample,
                        "parley model export demand-0123456789ab demand.ubj    A file for each "
                        "horizon: demand-60s.ubj and so on"});
}

}  // namespace

void add_model(CLI::App& app, Chosen& chosen) {
    CLI::App* group =
        app.add_subcommand("model", "Trained models: list, show, use, compare, export");
    group->require_subcommand(1);
    const auto options = std::make_shared<Options>();
    add_reading(*group, chosen, options);
    add_writing(*group, chosen, options);
    add_examples(*group, {"parley model list                       What there is, what is in use",
                          "parley model show risk-0123456789ab",
                          "parley model use risk-0123456789ab --kind risk", kExportExample});
}

}  // namespace parley::app
