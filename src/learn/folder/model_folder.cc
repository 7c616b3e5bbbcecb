#include "learn/folder/model_folder.h"

#include "base/described_json.h"
#include "base/json.h"
#include "base/json_read.h"
#include "base/number.h"
#include "brain/xgboost_file.h"
#include "learn/folder/model_bytes.h"

#include <algorithm>

namespace parley::learn {
namespace {

constexpr const char* kManifestName = "manifest.json";
constexpr const char* kSignatureName = "signature";
constexpr const char* kCurrentName = "current.json";
constexpr std::uint64_t kSmallFileMax = 65'536;

tl::unexpected<Error> refuse(std::string what) {
    return fail(ErrorCode::malformed, std::move(what));
}

struct Signature {
    std::string digest;
    std::string signature;
};
BOOST_DESCRIBE_STRUCT(Signature, (), (digest, signature))

/// Over both files; with the length, so that bytes cannot move from one to the other.
Digest digest_of(std::string_view manifest, std::string_view model) {
    Sha256 digest;
    digest.update("parley model " + std::to_string(manifest.size()) + "\n");
    return digest.update(manifest).update(model).finish();
}

/// JSON begins a name with a quotation mark, UBJSON with the type of its length.
std::string file_name_of(std::string_view model_bytes) {
    const std::size_t second = model_bytes.find_first_not_of(" \t\r\n", 1);
    const bool json = second != std::string_view::npos && model_bytes[second] == '"';
    return json ? "model.json" : "model.ubj";
}

/// The name of a forest's file without its extension.
std::string stem_of(const HorizonForest& forest) {
    return "model-" + print_double(forest.horizon_s) + "s";
}

/// Names the files by what is in them.
Result<void> name_files(ModelManifest& manifest, std::string_view model_bytes) {
    if (manifest.forests.empty()) {
        manifest.format = kManifestFormat;
        manifest.model_file = file_name_of(model_bytes);
        return {};
    }
    manifest.format = kSeveralFormat;
    const auto files = split_files(model_bytes, manifest.forests.size());
    if (!files) return tl::unexpected(files.error());
    for (std::size_t i = 0; i < files->size(); ++i) {
        const std::string name = file_name_of((*files)[i]);
        manifest.forests[i].file = stem_of(manifest.forests[i]) + name.substr(name.rfind('.'));
    }
    return {};
}

Result<void> check_trust(const ModelManifest& manifest, const Trust& trust) {
    const std::string id = key_id_of(manifest.key);
    const bool known =
        manifest.key == trust.own_key || std::ranges::find(trust.keys, id) != trust.keys.end();
    if (known) return {};
    return fail(ErrorCode::denied, "it was signed by the key " + id +
                                       ", which is not this machine's; if you know whose it is, "
                                       "allow it with --trust " +
                                       id);
}

Result<void> check_signature(const ModelManifest& manifest, const Signature& signature,
                             const Digest& digest) {
    if (signature.digest != hex(digest)) {
        return refuse("manifest and trees do not have the digest in its signature; it was damaged");
    }
    if (!verify(manifest.key, digest, signature.signature)) {
        return refuse("its signature is not by the key in its manifest; it was changed");
    }
    return {};
}

template <class T>
Result<T> read_small(Disk& disk, const std::string& path) {
    const auto bytes = read_file(disk, path, kSmallFileMax);
    if (!bytes) return tl::unexpected(bytes.error());
    const auto document = parse_json(*bytes);
    if (!document) return within(path, document.error());
    T value;
    if (auto read = read_json(*document, value, ""); !read) return within(path, read.error());
    return value;
}

/// The files of the trees, in order. Only names that save_model gives are accepted, so that a
/// manifest cannot lead out of its folder.
Result<std::vector<std::string>> tree_files(const ModelManifest& manifest) {
    if (manifest.format == kManifestFormat) {
        if (manifest.model_file == "model.json" || manifest.model_file == "model.ubj") {
            return std::vector{manifest.model_file};
        }
        return refuse("its trees must be in model.json or model.ubj");
    }
    std::vector<std::string> names;
    for (const HorizonForest& forest : manifest.forests) {
        const std::string stem = stem_of(forest);
        if (forest.file != stem + ".json" && forest.file != stem + ".ubj") {
            return refuse("its trees must be in " + stem + ".json or " + stem + ".ubj");
        }
        names.push_back(forest.file);
    }
    return names;
}

Result<std::string> read_trees(Disk& disk, const std::string& folder,
                               const std::vector<std::string>& names) {
    std::vector<std::string> files;
    for (const std::string& name : names) {
        auto bytes = read_file(disk, join(folder, name), kJsonBytesMax);
        if (!bytes) return tl::unexpected(bytes.error());
        files.push_back(*std::move(bytes));
    }
    return join_files(files);
}

Result<void> write_new(Disk& disk, const std::string& path, std::string_view bytes) {
    const auto file = disk.open(path, OpenMode::create_new);
    if (!file) return tl::unexpected(file.error());
    return (*file)->write(0, bytes).and_then([&] { return (*file)->sync(); });
}

/// Removes what an interrupted save left behind.
Result<void> clear(Disk& disk, const std::string& folder) {
    const auto there = disk.exists(folder);
    if (!there) return tl::unexpected(there.error());
    if (!*there) return {};
    const auto names = disk.list(folder);
    if (!names) return tl::unexpected(names.error());
    for (const std::string& name : *names) {
        if (auto gone = disk.remove(join(folder, name)); !gone) return gone;
    }
    return disk.remove(folder);
}

Result<void> write_trees(Disk& disk, const std::string& folder, const ModelManifest& manifest,
                         std::string_view model_bytes) {
    const auto names = tree_files(manifest);
    if (!names) return tl::unexpected(names.error());
    const auto files = split_files(model_bytes, names->size());
    if (!files) return tl::unexpected(files.error());
    for (std::size_t i = 0; i < names->size(); ++i) {
        if (auto written = write_new(disk, join(folder, (*names)[i]), (*files)[i]); !written) {
            return written;
        }
    }
    return {};
}

Result<void> write_folder(Disk& disk, const std::string& folder, const ModelManifest& manifest,
                          std::string_view model_bytes, const SigningKey& key) {
    const std::string text = print_manifest(manifest) + "\n";
    const Digest digest = digest_of(text, model_bytes);
    const auto signed_by_us = key.sign(digest);
    if (!signed_by_us) return tl::unexpected(signed_by_us.error());
    const std::string signature = to_json(Signature{hex(digest), *signed_by_us}) + "\n";
    return clear(disk, folder)
        .and_then([&] { return disk.make_directory(folder); })
        .and_then([&] { return write_trees(disk, folder, manifest, model_bytes); })
        .and_then([&] { return write_new(disk, join(folder, kManifestName), text); })
        .and_then([&] { return write_new(disk, join(folder, kSignatureName), signature); })
        .and_then([&] { return disk.sync_directory(folder); });
}

}  // namespace

Result<std::string> save_model(Disk& disk, const std::string& models, ModelManifest manifest,
                               std::string_view model_bytes, const SigningKey& key) {
    if (auto named = name_files(manifest, model_bytes); !named) {
        return within("saving a model", named.error());
    }
    manifest.key = key.public_key();
    manifest.id = model_id(manifest, model_bytes);
    const auto again = parse_manifest(print_manifest(manifest));
    if (!again) return within("saving a model: its manifest", again.error());
    const auto forests = forests_of(*again, model_bytes);
    if (!forests) return within("saving a model", forests.error());
    if (auto made = make_directories(disk, models); !made) return tl::unexpected(made.error());
    const std::string folder = join(models, manifest.id);
    const auto there = disk.exists(folder);
    if (!there) return tl::unexpected(there.error());
    if (*there) return manifest.id;
    const std::string temporary = join(models, "." + manifest.id + ".tmp");
    auto done = write_folder(disk, temporary, manifest, model_bytes, key)
                    .and_then([&] { return disk.rename(temporary, folder); })
                    .and_then([&] { return disk.sync_directory(models); });
    if (!done) {
        (void)clear(disk, temporary);  // On a full disk it would only take space.
        return tl::unexpected(done.error());
    }
    return manifest.id;
}

Result<std::vector<brain::Forest>> forests_of(const ModelManifest& manifest,
                                              std::string_view model_bytes) {
    const std::size_t count = std::max<std::size_t>(1, manifest.forests.size());
    const auto files = split_files(model_bytes, count);
    if (!files) return tl::unexpected(files.error());
    std::vector<brain::Forest> forests;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string& name =
            manifest.forests.empty() ? manifest.model_file : manifest.forests[i].file;
        auto model = brain::read_xgboost((*files)[i]);
        if (!model) return within(name, model.error());
        if (auto fine = check_trees(manifest, model->forest, i); !fine) {
            return within(name, fine.error());
        }
        forests.push_back(std::move(model->forest));
    }
    return forests;
}

Result<StoredModel> read_model(Disk& disk, const std::string& folder, const Trust& trust) {
    const auto text = read_file(disk, join(folder, kManifestName), kManifestBytesMax);
    if (!text) return tl::unexpected(text.error());
    auto manifest = parse_manifest(*text);
    if (!manifest) return within(kManifestName, manifest.error());
    const auto names = tree_files(*manifest);
    if (!names) return tl::unexpected(names.error());
    auto bytes = read_trees(disk, folder, *names);
    if (!bytes) return tl::unexpected(bytes.error());
    const auto signature = read_small<Signature>(disk, join(folder, kSignatureName));
    if (!signature) return tl::unexpected(signature.error());
    if (auto fine = check_signature(*manifest, *signature, digest_of(*text, *bytes)); !fine) {
        return tl::unexpected(fine.error());
    }
    if (auto fine = check_trust(*manifest, trust); !fine) return tl::unexpected(fine.error());
    if (manifest->id != model_id(*manifest, *bytes)) {
        return refuse("its id " + in_quotes(manifest->id) + " is not the digest of what it holds");
    }
    auto forests = forests_of(*manifest, *bytes);
    if (!forests) return tl::unexpected(forests.error());
    return StoredModel{std::move(*manifest), std::move(*bytes), std::move(*forests)};
}

Result<StoredModel> open_model(Disk& disk, const std::string& folder, const Trust& trust) {
    auto opened = read_model(disk, folder, trust);
    if (!opened) return within("the model " + folder, opened.error());
    return opened;
}

Result<std::vector<std::string>> list_models(Disk& disk, const std::string& models) {
    const auto there = disk.exists(models);
    if (!there) return tl::unexpected(there.error());
    if (!*there) return std::vector<std::string>();
    auto names = disk.list(models);
    if (!names) return names;
    std::erase_if(*names, [&](const std::string& name) {
        if (name.starts_with('.')) return true;
        const auto manifest = disk.exists(join(join(models, name), kManifestName));
        return !manifest || !*manifest;
    });
    return names;
}

Result<CurrentModels> current_models(Disk& disk, const std::string& models) {
    const std::string path = join(models, kCurrentName);
    const auto there = disk.exists(path);
    if (!there) return tl::unexpected(there.error());
    if (!*there) return CurrentModels{};
    auto current = read_small<CurrentModels>(disk, path);
    if (!current && current.error().code == ErrorCode::malformed) {
        current.error().message += "; remove this file to use the models that ship";
    }
    return current;
}

Result<void> set_current_models(Disk& disk, const std::string& models,
                                const CurrentModels& current) {
    return make_directories(disk, models).and_then([&] {
        return write_file_atomically(disk, join(models, kCurrentName), to_json(current) + "\n");
    });
}

}  // namespace parley::learn
