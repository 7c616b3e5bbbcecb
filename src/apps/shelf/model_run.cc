#include "apps/shelf/model_run.h"

#include "apps/shelf/model_places.h"
#include "apps/shelf/model_text.h"
#include "apps/terminal/output_file.h"
#include "base/json.h"
#include "base/number.h"
#include "config/nearest.h"
#include "layers/prediction/demand_features.h"
#include "layers/prediction/node_features.h"
#include "learn/folder/model_bytes.h"
#include "learn/folder/served_model.h"

#include <algorithm>

namespace parley::app {
namespace {

using learn::StoredModel;

/// An id becomes part of a path, so only the characters of our own ids are allowed.
bool is_id(const std::string& id) {
    return !id.empty() && id.size() <= 64 && std::ranges::all_of(id, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    });
}

struct Opened {
    StoredModel model;
    bool shipped = false;
};

/// The models that are part of the program, which need no signature.
Result<std::vector<StoredModel>> shipped_models() {
    std::vector<StoredModel> models;
    for (const learn::ModelFiles& files : {learn::shipped_risk(), learn::shipped_demand()}) {
        auto manifest = learn::parse_manifest(files.manifest);
        if (!manifest) return within("a model that ships", manifest.error());
        models.push_back({.manifest = *std::move(manifest), .bytes = files.trees});
    }
    return models;
}

Result<Opened> opened(Disk& disk, const ModelShelf& shelf, const std::string& id) {
    auto shipped = shipped_models();
    if (!shipped) return tl::unexpected(shipped.error());
    auto known = learn::list_models(disk, shelf.folder);
    if (!known) return tl::unexpected(known.error());
    for (StoredModel& each : *shipped) {
        if (each.manifest.id == id) return Opened{.model = std::move(each), .shipped = true};
        known->push_back(each.manifest.id);
    }
    if (!is_id(id) || std::ranges::find(*known, id) == known->end()) {
        const std::string near = config::nearest(id, *known);
        return fail(
            ErrorCode::denied,
            "there is no model " + in_quotes(id) + " in " + shelf.folder +
                (near.empty() ? "; see parley model list" : "; did you mean " + near + "?"));
    }
    auto model = learn::open_model(disk, join(shelf.folder, id), shelf.trust);
    if (!model) return tl::unexpected(model.error());
    return Opened{.model = *std::move(model)};
}

/// The model of a kind that is in use; empty: the shipped one.
std::string& chosen_of(learn::CurrentModels& current, brain::ModelKind kind) {
    return kind == brain::ModelKind::risk ? current.risk : current.demand;
}

bool in_use(const learn::CurrentModels& current, const std::string& id) {
    return id == current.risk || id == current.demand;
}

bool shipped_in_use(learn::CurrentModels current, const learn::ModelManifest& manifest) {
    const std::string& chosen = chosen_of(current, manifest.kind);
    return chosen.empty() || chosen == manifest.id;
}

/// Whether it fits what is made here; the error is the reason, without the model's name.
Result<void> fits(const learn::ModelManifest& manifest) {
    const bool risk = manifest.kind == brain::ModelKind::risk;
    auto fine = learn::check_features(manifest.inputs, risk ? prediction::wanted_features()
                                                            : prediction::wanted_demand_features());
    if (fine && !risk) fine = learn::check_demand_horizons(manifest);
    if (!fine || !risk || manifest.calibration.kind != brain::CalibrationKind::none) return fine;
    return fail(ErrorCode::denied,
                "it is not calibrated, so that it may not drive actions; train it on runs with "
                "more failures");
}

/// Why an intact model is not served; empty if it is.
std::string why_refused(const learn::ModelManifest& manifest) {
    const auto fine = fits(manifest);
    return fine ? "" : fine.error().message;
}

/// One file, or one for each horizon.
std::vector<std::string> names_of(const learn::ModelManifest& manifest, const std::string& stem,
                                  const std::string& ending) {
    if (manifest.forests.empty()) return {stem + ending};
    std::vector<std::string> names;
    for (const learn::HorizonForest& forest : manifest.forests) {
        names.push_back(stem + "-" + print_double(forest.horizon_s) + "s" + ending);
    }
    return names;
}

Result<void> check_kind(const std::string& kind, const std::string& id) {
    if (kind.empty() && id == "shipped") {
        return fail(ErrorCode::denied, "say of which kind with --kind risk or --kind demand");
    }
    if (kind.empty() || enum_from_name<brain::ModelKind>(kind)) return {};
    return fail(ErrorCode::denied, in_quotes(kind) + " is not one of risk or demand");
}

}  // namespace

Result<ModelShelf> model_shelf(Disk& disk, const std::string& folder,
                               std::vector<std::string> trusted) {
    const Environment environment = real_environment();
    auto models = models_folder(disk, folder, environment);
    if (!models) return tl::unexpected(models.error());
    ModelShelf shelf{std::move(*models), {.keys = std::move(trusted)}};
    const auto path = signing_key_path(environment);
    if (!path) return shelf;
    const auto there = disk.exists(*path);
    if (!there || !*there) return shelf;
    const auto key = learn::SigningKey::at(disk, *path);
    if (!key) return tl::unexpected(key.error());
    shelf.trust.own_key = key->public_key();
    return shelf;
}

Result<std::string> list_text(Disk& disk, const ModelShelf& shelf, Format format) {
    const auto ids = learn::list_models(disk, shelf.folder);
    if (!ids) return tl::unexpected(ids.error());
    const auto current = learn::current_models(disk, shelf.folder);
    if (!current) return tl::unexpected(current.error());
    const auto shipped = shipped_models();
    if (!shipped) return tl::unexpected(shipped.error());
    std::vector<ListedModel> models;
    for (const StoredModel& each : *shipped) {
        const bool used = shipped_in_use(*current, each.manifest);
        models.push_back(listed(each.manifest, {.in_use = used, .shipped = true}));
    }
    for (const std::string& id : *ids) {
        if (std::ranges::find(models, id, &ListedModel::id) != models.end()) continue;
        const auto model = learn::read_model(disk, join(shelf.folder, id), shelf.trust);
        if (model) {
            models.push_back(listed(model->manifest, {.in_use = in_use(*current, id),
                                                      .refused = why_refused(model->manifest)}));
        } else {
            models.push_back(
                {.id = id, .in_use = in_use(*current, id), .problem = model.error().message});
        }
    }
    for (const std::string& chosen : {current->risk, current->demand}) {
        const bool there =
            chosen.empty() || std::ranges::find(models, chosen, &ListedModel::id) != models.end();
        if (!there) models.push_back({.id = chosen, .in_use = true, .problem = "it is not there"});
    }
    return format == Format::json ? to_json(models) + "\n" : text_of(models);
}

Result<std::string> show_text(Disk& disk, const ModelShelf& shelf, const std::string& id,
                              Format format) {
    const auto found = opened(disk, shelf, id);
    if (!found) return tl::unexpected(found.error());
    const auto current = learn::current_models(disk, shelf.folder);
    if (!current) return tl::unexpected(current.error());
    const learn::ModelManifest& manifest = found->model.manifest;
    if (format == Format::json) return learn::print_manifest(manifest) + "\n";
    const bool used = found->shipped ? shipped_in_use(*current, manifest) : in_use(*current, id);
    return text_of(manifest, {.in_use = used,
                              .shipped = found->shipped,
                              .refused = found->shipped ? "" : why_refused(manifest)});
}

Result<std::string> compare_text(Disk& disk, const ModelShelf& shelf, const std::string& a,
                                 const std::string& b, Format format) {
    const auto first = opened(disk, shelf, a);
    if (!first) return tl::unexpected(first.error());
    const auto second = opened(disk, shelf, b);
    if (!second) return tl::unexpected(second.error());
    const brain::ModelKind kinds[] = {first->model.manifest.kind, second->model.manifest.kind};
    if (kinds[0] != kinds[1]) {
        return fail(ErrorCode::denied, a + " is a model of " + std::string(enum_name(kinds[0])) +
                                           " and " + b + " one of " +
                                           std::string(enum_name(kinds[1])) +
                                           "; compare two of one kind");
    }
    const ModelComparison comparison = compare(first->model.manifest, second->model.manifest);
    return format == Format::json ? to_json(comparison) + "\n" : text_of(comparison);
}

Result<void> check_servable(const learn::ModelManifest& manifest) {
    const auto fine = fits(manifest);
    return fine ? fine : within("the model " + manifest.id, fine.error());
}

std::string use_hint(const learn::ModelManifest& manifest, const std::string& id,
                     const std::string& models) {
    if (const std::string why = why_refused(manifest); !why.empty()) {
        return "It cannot be put into use: " + why + ".\n";
    }
    return "Put it into use with\n  parley model use " + id +
           (models.empty() ? "" : " --models " + models) + "\n";
}

Result<std::string> use_model(Disk& disk, const ModelShelf& shelf, const std::string& id,
                              const std::string& kind) {
    if (auto fine = check_kind(kind, id); !fine) return tl::unexpected(fine.error());
    auto current = learn::current_models(disk, shelf.folder);
    if (!current) return tl::unexpected(current.error());
    bool ships = id == "shipped";
    std::string used = kind;
    if (!ships) {
        const auto found = opened(disk, shelf, id);
        if (!found) return tl::unexpected(found.error());
        const learn::ModelManifest& manifest = found->model.manifest;
        used = enum_name(manifest.kind);
        if (!kind.empty() && kind != used) {
            return fail(ErrorCode::denied, id + " is a model of " + used + ", not of " + kind);
        }
        if (auto fine = check_servable(manifest); !fine) return tl::unexpected(fine.error());
        ships = found->shipped;
    }
    chosen_of(*current, *enum_from_name<brain::ModelKind>(used)) = ships ? "" : id;
    if (auto set = learn::set_current_models(disk, shelf.folder, *current); !set) {
        return tl::unexpected(set.error());
    }
    return ships ? "The model of " + used + " that ships is in use again.\n"
                 : id + " is now the model of " + used + ".\n";
}

Result<std::string> export_model(Disk& disk, const ModelShelf& shelf, const std::string& id,
                                 const std::string& file) {
    const auto found = opened(disk, shelf, id);
    if (!found) return tl::unexpected(found.error());
    const learn::ModelManifest& manifest = found->model.manifest;
    const std::string& stored =
        manifest.forests.empty() ? manifest.model_file : manifest.forests.front().file;
    const std::string ending = stored.substr(stored.rfind('.'));
    if (!file.ends_with(ending)) {
        return fail(ErrorCode::denied,
                    "XGBoost tells formats apart by their ending, and this model "
                    "is kept as " +
                        ending + "; name a file that ends so");
    }
    const auto names = names_of(manifest, file.substr(0, file.size() - ending.size()), ending);
    const auto files = learn::split_files(found->model.bytes, names.size());
    if (!files) return tl::unexpected(files.error());
    for (const std::string& name : names) {
        const auto there = disk.exists(name);
        if (!there) return tl::unexpected(there.error());
        if (*there) return fail(ErrorCode::denied, name + " exists already; name another file");
    }
    std::string said;
    for (std::size_t i = 0; i < names.size(); ++i) {
        auto written = write_output(disk, names[i], std::string((*files)[i]));
        if (!written) return tl::unexpected(written.error());
        said += (said.empty() ? "Wrote " : ", ") + names[i];
    }
    return said + ", as XGBoost " + manifest.xgboost + " saved " +
           (names.size() == 1 ? "it.\n" : "them.\n");
}

}  // namespace parley::app
