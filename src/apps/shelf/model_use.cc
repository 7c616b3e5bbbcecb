#include "apps/shelf/model_use.h"

#include "apps/shelf/model_file.h"
#include "apps/shelf/model_import.h"
#include "base/number.h"
#include "base/time_text.h"

namespace parley::app {
namespace {

Result<std::string> use_import(Disk& disk, const Environment& environment, const ModelShelf& shelf,
                               const ModelUse& use) {
    const auto horizon = parse_duration(use.horizon);
    const ModelImport defaults;
    if (!horizon || *horizon <= defaults.gap || *horizon > hours(24)) {
        return fail(ErrorCode::denied,
                    "--horizon is a time above 2m and at most 24h such as 30m, and " +
                        in_quotes(use.horizon) + " was given");
    }
    const auto key = signing_key(disk, environment);
    if (!key) return tl::unexpected(key.error());
    const auto id = import_model(disk, shelf.folder, *key,
                                 {.path = use.name,
                                  .features = use.features,
                                  .horizon = *horizon,
                                  .calibrated = use.calibrated});
    if (!id) return tl::unexpected(id.error());
    ModelShelf known = shelf;
    known.trust.own_key = key->public_key();  // The key may just have been created.
    auto used = use_model(disk, known, *id, "risk");
    if (used) return "It is in " + join(shelf.folder, *id) + ".\n" + *used;
    used.error().message +=
        ", or name it with --calibrated if its probabilities are right as they are";
    return used;
}

}  // namespace

Result<std::string> use_named(Disk& disk, const Environment& environment, const ModelShelf& shelf,
                              const ModelUse& use) {
    if (!names_file(use.name)) {
        if (use.features.empty() && !use.calibrated)
            return use_model(disk, shelf, use.name, use.kind);
        return fail(ErrorCode::denied,
                    "--features and --calibrated are for a file or folder, such as ./model.json; " +
                        in_quotes(use.name) + " is a model on the shelf");
    }
    if (!use.kind.empty() && use.kind != "risk")
        return fail(ErrorCode::denied, "only a model of risk can be taken from elsewhere");
    return use_import(disk, environment, shelf, use);
}

}  // namespace parley::app
