#include "apps/parley/model_run.h"

#include "apps/parley/model_places.h"
#include "apps/parley/model_text.h"
#include "apps/parley/output_file.h"
#include "base/json.h"
#include "base/number.h"
#include "config/nearest.h"
#include "layers/prediction/demand_features.h"
#include "layers/prediction/node_features.h"
#include "learn/model_bytes.h"

#include <algorithm>

namespace parley::app {
namespace {

using learn::StoredModel;

/// An id becomes a part of a path: no more than our own ids need.
bool is_id(const std::string& id) {
    return !id.empty() && id.size() <= 64 && std::ranges::all_of(id, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    });
}

Result<StoredModel> opened(Disk& disk, const ModelShelf& shelf, const std::string& id) {
    const auto known = learn::list_models(disk, shelf.folder);
    if (!known) return tl::unexpected(known.error());
    if (!is_id(id) || std::ranges::find(*known, id) == known->end()) {
        const std::string near = config::nearest(id, *known);
        return fail(
            ErrorCode::denied,
            "there is no model " + in_quotes(id) + " in " + shelf.folder +
                (near.empty() ? "; see parley model list" : "; did you mean " + near + "?"));
    }
    return learn::open_model(disk, join(shelf.folder, id), shelf.trust);
}

bool in_use(const learn::CurrentModels& current, const std::string& id) {
    return id == current.risk || id == current.demand;
}

/// What stands behind "the model FOLDER: ", which the line says already.
std::string reason_of(const Error& error, const std::string& folder) {
    const std::string head = "the model " + folder + ": ";
    return error.message.starts_with(head) ? error.message.substr(head.size()) : error.message;
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
    return fail(ErrorCode::denied, in_quotes(kind) + " is not one of risk and demand");
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
    std::vector<ListedModel> models;
    for (const std::string& id : *ids) {
        const std::string folder = join(shelf.folder, id);
        const auto model = learn::open_model(disk, folder, shelf.trust);
        if (model) {
            models.push_back(listed(model->manifest, in_use(*current, id)));
        } else {
            models.push_back({.id = id,
                              .in_use = in_use(*current, id),
                              .problem = reason_of(model.error(), folder)});
        }
    }
    return format == Format::json ? to_json(models) + "\n" : text_of(models, shelf.folder);
}

Result<std::string> show_text(Disk& disk, const ModelShelf& shelf, const std::string& id,
                              Format format) {
    const auto model = opened(disk, shelf, id);
    if (!model) return tl::unexpected(model.error());
    const auto current = learn::current_models(disk, shelf.folder);
    if (!current) return tl::unexpected(current.error());
    if (format == Format::json) return learn::print_manifest(model->manifest) + "\n";
    return text_of(model->manifest, in_use(*current, id));
}

Result<std::string> compare_text(Disk& disk, const ModelShelf& shelf, const std::string& a,
                                 const std::string& b, Format format) {
    const auto first = opened(disk, shelf, a);
    if (!first) return tl::unexpected(first.error());
    const auto second = opened(disk, shelf, b);
    if (!second) return tl::unexpected(second.error());
    const ModelComparison comparison = compare(first->manifest, second->manifest);
    return format == Format::json ? to_json(comparison) + "\n" : text_of(comparison);
}

Result<std::string> use_model(Disk& disk, const ModelShelf& shelf, const std::string& id,
                              const std::string& kind) {
    if (auto fine = check_kind(kind, id); !fine) return tl::unexpected(fine.error());
    auto current = learn::current_models(disk, shelf.folder);
    if (!current) return tl::unexpected(current.error());
    std::string used = kind;
    if (id != "shipped") {
        const auto model = opened(disk, shelf, id);
        if (!model) return tl::unexpected(model.error());
        used = enum_name(model->manifest.kind);
        if (!kind.empty() && kind != used) {
            return fail(ErrorCode::denied, id + " is a model of " + used + ", not of " + kind);
        }
        const bool risk = used == "risk";
        auto fine = learn::check_features(
            model->manifest.inputs,
            risk ? prediction::wanted_features() : prediction::wanted_demand_features());
        if (!fine) return within("the model " + id, fine.error());
    }
    (used == "risk" ? current->risk : current->demand) = id == "shipped" ? "" : id;
    if (auto set = learn::set_current_models(disk, shelf.folder, *current); !set) {
        return tl::unexpected(set.error());
    }
    return id == "shipped" ? "The model of " + used + " that ships is in use again.\n"
                           : id + " is now the model of " + used + ".\n";
}

Result<std::string> export_model(Disk& disk, const ModelShelf& shelf, const std::string& id,
                                 const std::string& file) {
    const auto model = opened(disk, shelf, id);
    if (!model) return tl::unexpected(model.error());
    const learn::ModelManifest& manifest = model->manifest;
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
    const auto files = learn::split_files(model->bytes, names.size());
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
