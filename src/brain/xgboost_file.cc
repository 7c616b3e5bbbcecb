#include "brain/xgboost_file.h"

#include "base/json_read.h"
#include "base/math.h"
#include "base/number.h"
#include "brain/ubjson_reader.h"
#include "brain/xgboost_tree.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace parley::brain {
namespace {

tl::unexpected<Error> refuse(std::string what) {
    return fail(ErrorCode::malformed, std::move(what));
}

/// "a.b" below `value`; null if it is not there.
const Json* at(const Json& value, std::string_view path) {
    const Json* found = &value;
    while (found != nullptr && !path.empty()) {
        const std::size_t dot = path.find('.');
        found = found->find(path.substr(0, dot));
        path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
    }
    return found;
}

Result<std::string> text_at(const Json& value, std::string_view path) {
    const Json* found = at(value, path);
    const std::string* text = found == nullptr ? nullptr : found->text();
    if (text == nullptr) {
        return refuse("it has no text at " + std::string(path) +
                      "; is it a model that XGBoost saved?");
    }
    return *text;
}

/// A count that XGBoost writes as text; `fallback` where an older version left it out.
Result<std::uint64_t> count_at(const Json& value, std::string_view path, std::uint64_t fallback) {
    if (at(value, path) == nullptr) return fallback;
    const auto text = text_at(value, path);
    if (!text) return tl::unexpected(text.error());
    auto count = parse_uint64(*text);
    if (!count) return within(std::string(path), count.error());
    return count;
}

Result<Json> document_from(std::string_view bytes) {
    if (bytes.size() > kJsonBytesMax) return refuse("it is larger than 256 MiB");
    if (bytes.starts_with("binf")) {
        return refuse("it is in XGBoost's old binary format; save it as .json or .ubj");
    }
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    const bool object = first != std::string_view::npos && bytes[first] == '{';
    if (!object) {
        return refuse(
            "it is no model in JSON or UBJSON; save it with XGBoost's save_model as .json or .ubj");
    }
    // A name begins in UBJSON with the type of its length, in JSON with a quotation mark.
    const char second = first + 1 < bytes.size() ? bytes[first + 1] : '\0';
    const bool binary =
        first == 0 && std::string_view("iUIlL$#N").find(second) != std::string_view::npos;
    return binary ? parse_ubjson(bytes) : parse_json(bytes);
}

/// Objectives whose margin is the value itself; they differ only in training.
constexpr std::array<std::string_view, 4> kPlain = {"reg:squarederror", "reg:absoluteerror",
                                                    "reg:pseudohubererror", "reg:quantileerror"};

Result<Objective> objective_of(const Json& model) {
    const auto name = text_at(model, "learner.objective.name");
    if (!name) return tl::unexpected(name.error());
    if (*name == "binary:logistic" || *name == "reg:logistic") return Objective::logistic;
    if (std::ranges::find(kPlain, *name) != kPlain.end()) return Objective::squared_error;
    return refuse("its objective is " + in_quotes(*name) +
                  "; only binary:logistic, reg:logistic, reg:squarederror, reg:absoluteerror, "
                  "reg:pseudohubererror and reg:quantileerror are served");
}

Result<void> check_booster(const Json& model) {
    const auto name = text_at(model, "learner.gradient_booster.name");
    if (!name) return tl::unexpected(name.error());
    if (*name != "gbtree") {
        return refuse("its booster is " + in_quotes(*name) + "; only gbtree is served");
    }
    return {};
}

Result<void> check_outputs(const Json& model) {
    const auto classes = count_at(model, "learner.learner_model_param.num_class", 0);
    const auto targets = count_at(model, "learner.learner_model_param.num_target", 1);
    if (!classes) return tl::unexpected(classes.error());
    if (!targets) return tl::unexpected(targets.error());
    if (*classes > 1 || *targets > 1) {
        return refuse("it has " + std::to_string(std::max(*classes, *targets)) +
                      " outputs; only models with one are served");
    }
    return {};
}

/// The numbers of the version that saved it; empty where the file does not say.
std::vector<int> version_of(const Json& model) {
    const Json* value = model.find("version");
    const JsonNumbers* parts = value == nullptr ? nullptr : value->numbers();
    std::vector<int> out;
    if (parts == nullptr || parts->size() < 2 || parts->size() > 4) return out;
    for (double part : *parts) {
        if (!(part >= 0 && part < 100'000)) return {};
        out.push_back(static_cast<int>(part));
    }
    return out;
}

std::string version_text(const std::vector<int>& version) {
    std::string out;
    for (const int number : version) out += (out.empty() ? "" : ".") + std::to_string(number);
    return out.empty() ? "unknown" : out;
}

Result<void> check_version(const std::vector<int>& version) {
    if (version.empty() || XgboostVersion{version[0], version[1]} <= kNewestXgboost) return {};
    const std::string newest =
        std::to_string(kNewestXgboost.major) + "." + std::to_string(kNewestXgboost.minor);
    return refuse("it was saved by XGBoost " + version_text(version) +
                  ", and files are known up to " + newest +
                  "; save it with that version or an earlier one");
}

/// A base score as log-odds, as the version that saved it treats it: since 3.2 it is clipped.
Result<float> taken_score(float score, const std::vector<int>& version, std::string_view text) {
    constexpr float kEdge = 1e-6F;
    const bool inside = score >= kEdge && score <= 1.0F - kEdge;
    if (!inside && version.empty()) {
        return refuse("its base_score is " + in_quotes(text) +
                      ", which versions of XGBoost take differently, and it does not say which one "
                      "saved it");
    }
    const bool clips =
        !version.empty() && XgboostVersion{version[0], version[1]} >= XgboostVersion{3, 2};
    return clips ? std::clamp(score, kEdge, 1.0F - kEdge) : score;
}

/// The margin for the base score, which is a number as text, since version 3.1 in brackets.
Result<float> base_margin_of(const Json& model, Objective objective) {
    const std::vector<int> version = version_of(model);
    const auto whole = text_at(model, "learner.learner_model_param.base_score");
    if (!whole) return tl::unexpected(whole.error());
    std::string_view text = *whole;
    if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
    if (text.find(',') != std::string_view::npos) {
        return refuse("its base_score has several values; only models with one output are served");
    }
    const auto number = parse_double(text, -3e38, 3e38);
    if (!number) return within("base_score", number.error());
    if (objective == Objective::squared_error) return static_cast<float>(*number);
    const auto taken = taken_score(static_cast<float>(*number), version, text);
    if (!taken) return taken;
    const float score = *taken;
    if (!(*number >= 0 && *number <= 1 && score > 0.0F && score < 1.0F)) {
        return refuse("its base_score is " + in_quotes(text) + ", which is no probability");
    }
    // In float up to the logarithm, as in XGBoost, for the same bits.
    const float odds = 1.0F / score - 1.0F;
    if (!std::isfinite(odds) || !(odds > 0.0F)) {
        return refuse("its base_score is " + in_quotes(text) + ", too near to 0 or 1");
    }
    return -static_cast<float>(math::log(static_cast<double>(odds)));
}

Result<void> check_feature_types(const Json& model) {
    const Json* types = at(model, "learner.feature_types");
    const JsonItems* items = types == nullptr ? nullptr : types->items();
    if (items == nullptr) return {};
    for (const Json& item : *items) {
        if (item.text() != nullptr && (*item.text() == "c" || item.text()->starts_with("cat"))) {
            return refuse(
                "it has categorical features, which are not served; encode them as numbers");
        }
    }
    return {};
}

Result<std::vector<std::string>> feature_names_of(const Json& model) {
    const Json* names = at(model, "learner.feature_names");
    const JsonItems* items = names == nullptr ? nullptr : names->items();
    std::vector<std::string> out;
    if (items == nullptr) return out;
    for (const Json& item : *items) {
        if (item.text() == nullptr || item.text()->empty() || item.text()->size() > 256) {
            return refuse("a feature's name is no text of 1 to 256 bytes");
        }
        out.push_back(*item.text());
    }
    return out;
}

Result<void> add_trees(const Json& model, Trees& out) {
    const Json* trees = at(model, "learner.gradient_booster.model.trees");
    const JsonItems* items = trees == nullptr ? nullptr : trees->items();
    if (items == nullptr) return refuse("it has no trees at learner.gradient_booster.model");
    if (items->size() > kTreesMax) {
        return refuse("it has " + std::to_string(items->size()) + " trees of at most " +
                      std::to_string(kTreesMax));
    }
    const auto said = count_at(model, "learner.gradient_booster.model.gbtree_model_param.num_trees",
                               items->size());
    if (!said) return tl::unexpected(said.error());
    if (*said != items->size()) {
        return refuse("it says that it has " + std::to_string(*said) + " trees and holds " +
                      std::to_string(items->size()) + "; a part of it is missing");
    }
    for (std::size_t i = 0; i < items->size(); ++i) {
        if (auto added = add_xgboost_tree((*items)[i], out); !added) {
            return within("tree " + std::to_string(i), added.error());
        }
    }
    return {};
}

/// Everything except the trees.
Result<Trees> frame_of(const Json& model) {
    if (auto fine = check_booster(model); !fine) return tl::unexpected(fine.error());
    if (auto fine = check_outputs(model); !fine) return tl::unexpected(fine.error());
    if (auto fine = check_feature_types(model); !fine) return tl::unexpected(fine.error());
    const auto objective = objective_of(model);
    if (!objective) return tl::unexpected(objective.error());
    const auto base = base_margin_of(model, *objective);
    if (!base) return tl::unexpected(base.error());
    const auto features = count_at(model, "learner.learner_model_param.num_feature", 0);
    if (!features) return tl::unexpected(features.error());
    if (*features == 0 || *features > kFeaturesMax) {
        return refuse("it has " + std::to_string(*features) + " features, not 1 to " +
                      std::to_string(kFeaturesMax));
    }
    auto names = feature_names_of(model);
    if (!names) return tl::unexpected(names.error());
    return Trees{.objective = *objective,
                 .base_margin = *base,
                 .features = static_cast<std::uint32_t>(*features),
                 .feature_names = std::move(*names)};
}

}  // namespace

Result<XgboostModel> read_xgboost(std::string_view bytes) {
    const auto model = document_from(bytes);
    if (!model) return tl::unexpected(model.error());
    const std::vector<int> version = version_of(*model);
    if (auto fine = check_version(version); !fine) return tl::unexpected(fine.error());
    auto trees = frame_of(*model);
    if (!trees) return tl::unexpected(trees.error());
    if (auto added = add_trees(*model, *trees); !added) return tl::unexpected(added.error());
    auto forest = Forest::from(std::move(*trees));
    if (!forest) return tl::unexpected(forest.error());
    return XgboostModel{std::move(*forest), version_text(version)};
}

}  // namespace parley::brain
