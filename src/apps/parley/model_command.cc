#include "apps/parley/commands.h"
#include "apps/shelf/model_file.h"
#include "apps/shelf/model_flags.h"

#include <memory>

namespace parley::app {
namespace {

using Flags = std::shared_ptr<ModelFlags>;

/// Models are kept in XGBoost's binary format, and a file that ends otherwise is refused.
constexpr const char* kExportExample = "parley model export risk-0123456789ab risk.ubj";

void add_reading(Command& group, const Flags& flags) {
    Command all = add_model_part(group, flags, "list", "List models, and which are in use",
                                 [](const ModelShelf& shelf, const ModelFlags& given) {
                                     return list_text(real_disk(), shelf, given.format);
                                 });
    add_output(all, flags->format, {"table", "json"});
    add_examples(all, {"parley model list", "parley model list --models mine -o json"});

    Command one = add_model_part(
        group, flags, "show", "Print what a model is",
        [](const ModelShelf& shelf, const ModelFlags& given) {
            return names_file(given.model.name)
                       ? model_file_text(real_disk(), given.model.name, given.format)
                       : show_text(real_disk(), shelf, given.model.name, given.format);
        });
    one.text("ID", flags->model.name, "A model, or a file that XGBoost saved").required();
    add_output(one, flags->format, {"table", "json"});
    add_examples(one, {"parley model show risk-0123456789ab",
                       "parley model show ./model.json    What a file of XGBoost holds, or why it "
                       "would be refused"});

    Command two = add_model_part(
        group, flags, "compare", "Print the figures of two models side by side",
        [](const ModelShelf& shelf, const ModelFlags& given) {
            return compare_text(real_disk(), shelf, given.model.name, given.other, given.format);
        });
    two.text("A", flags->model.name, "A model").required();
    two.text("B", flags->other, "Another").required();
    add_output(two, flags->format, {"table", "json"});
    add_examples(two, {"parley model compare risk-0123456789ab risk-ba9876543210"});
}

void add_writing(Command& group, const Flags& flags) {
    Command one =
        add_model_part(group, flags, "use", "Serve this model from now on",
                       [](const ModelShelf& shelf, const ModelFlags& given) {
                           return use_named(real_disk(), real_environment(), shelf, given.model);
                       });
    one.text("ID", flags->model.name,
             "A model, `shipped` for that of the program, a file that XGBoost saved, or a "
             "folder that parley train --out wrote")
        .required();
    add_text(one, "--kind", flags->model.kind, "KIND", "risk or demand");
    add_text(one, "--features", flags->model.features, "LIST",
             "Of a file or folder: a CSV file with feature, serves and unit, a line for each "
             "feature of the model");
    add_text(one, "--horizon", flags->model.horizon, "TIME",
             "Of a file or folder: within which it forecasts (default 30m)");
    one.on("--calibrated", flags->model.calibrated,
           "Of a file: its probabilities are right as they are");
    add_examples(one, {"parley model use risk-0123456789ab --kind risk",
                       "parley model use ./model.json --features list.csv --calibrated",
                       "parley model use shipped --kind risk    Back to that of the program"});

    Command out =
        add_model_part(group, flags, "export", "Write a model as XGBoost's file",
                       [](const ModelShelf& shelf, const ModelFlags& given) {
                           return export_model(real_disk(), shelf, given.model.name, given.file);
                       });
    out.text("ID", flags->model.name, "A model").required();
    out.text("FILE", flags->file, "A new file").required();
    add_examples(out, {kExportExample,
                       "parley model export demand-0123456789ab demand.ubj    A file for each "
                       "horizon: demand-60s.ubj and so on"});
}

}  // namespace

void add_model(Command& program) {
    Command group = program.command("model", "Trained models: list, show, use, compare, export");
    group.needs_command();
    const auto flags = std::make_shared<ModelFlags>();
    add_reading(group, flags);
    add_writing(group, flags);
    add_examples(group, {"parley model list                       What there is, what is in use",
                         "parley model show risk-0123456789ab",
                         "parley model use risk-0123456789ab --kind risk", kExportExample});
}

}  // namespace parley::app
