#include "learn/folder/xgboost_remap.h"

#include "base/check.h"
#include "base/json.h"
#include "base/json_read.h"
#include "base/number.h"
#include "brain/ubjson_reader.h"
#include "brain/xgboost_file.h"

#include <cmath>
#include <limits>
#include <utility>

namespace parley::learn {
namespace {

Json* member(Json& value, std::string_view name) {
    auto* members = std::get_if<JsonMembers>(&value.content);
    if (members == nullptr) return nullptr;
    for (std::size_t i = 0; i < members->names.size(); ++i) {
        if (members->names[i] == name) return &members->values[i];
    }
    return nullptr;
}

Json* below(Json& value, std::initializer_list<std::string_view> path) {
    Json* found = &value;
    for (const std::string_view name : path) {
        if (found != nullptr) found = member(*found, name);
    }
    return found;
}

std::string number_text(double value) {
    if (value != value) return "NaN";
    if (value > std::numeric_limits<double>::max()) return "Infinity";
    if (value < -std::numeric_limits<double>::max()) return "-Infinity";
    return print_double(value);
}

void print(const Json& value, std::string& out);

template <class T, class F>
void print_list(const std::vector<T>& all, std::string& out, F&& each) {
    out += '[';
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i > 0) out += ',';
        each(all[i]);
    }
    out += ']';
}

/// As JSON that XGBoost reads; documents are at most kJsonDepthMax deep.
void print(const Json& value, std::string& out) {
    if (value.is_null()) out += "null";
    if (const bool* yes = value.boolean()) out += *yes ? "true" : "false";
    if (const double* number = value.number()) out += number_text(*number);
    if (const std::string* text = value.text()) out += to_json(*text);
    if (const auto* numbers = std::get_if<JsonNumbers>(&value.content))
        print_list(*numbers, out, [&](double each) { out += number_text(each); });
    if (const auto* items = std::get_if<JsonItems>(&value.content))
        print_list(*items, out, [&](const Json& each) { print(each, out); });
    const auto* members = std::get_if<JsonMembers>(&value.content);
    if (members == nullptr) return;
    out += '{';
    for (std::size_t i = 0; i < members->names.size(); ++i) {
        if (i > 0) out += ',';
        out += to_json(members->names[i]) + ":";
        print(members->values[i], out);
    }
    out += '}';
}

/// read_xgboost has accepted the file, so indices and thresholds are lists of equal length.
void remap_tree(Json& tree, const std::vector<FeatureSource>& sources) {
    auto* left = std::get_if<JsonNumbers>(&member(tree, "left_children")->content);
    auto* feature = std::get_if<JsonNumbers>(&member(tree, "split_indices")->content);
    auto* threshold = std::get_if<JsonNumbers>(&member(tree, "split_conditions")->content);
    PARLEY_CHECK(left != nullptr && feature != nullptr && threshold != nullptr);
    for (std::size_t node = 0; node < left->size(); ++node) {
        if ((*left)[node] == -1) continue;  // A leaf, whose threshold is its value.
        const FeatureSource& source = sources.at(static_cast<std::size_t>((*feature)[node]));
        (*feature)[node] = source.place;
        const auto at = static_cast<float>((*threshold)[node]);
        (*threshold)[node] = static_cast<double>(threshold_before(at, source.times));
    }
}

}  // namespace

float threshold_before(float threshold, float times) {
    PARLEY_CHECK(times > 0);
    if (times == 1.0F) return threshold;
    constexpr float kMost = std::numeric_limits<float>::infinity();
    float x = threshold / times;
    if (x != x) return threshold;
    while (x > -kMost && std::nextafter(x, -kMost) * times >= threshold)
        x = std::nextafter(x, -kMost);
    while (x < kMost && x * times < threshold) x = std::nextafter(x, kMost);
    return x;
}

Result<std::string> remap_xgboost(std::string_view bytes, const std::vector<FeatureSource>& sources,
                                  const std::vector<std::string>& names) {
    const auto model = brain::read_xgboost(bytes);
    if (!model) return tl::unexpected(model.error());
    PARLEY_CHECK(model->forest.features() == sources.size());
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    const bool json = first != std::string_view::npos && first + 1 < bytes.size() &&
                      (bytes[first + 1] == '"' || bytes[first + 1] <= ' ');
    auto document = json ? parse_json(bytes) : brain::parse_ubjson(bytes);
    if (!document) return tl::unexpected(document.error());
    Json* trees = below(*document, {"learner", "gradient_booster", "model", "trees"});
    auto* list = trees == nullptr ? nullptr : std::get_if<JsonItems>(&trees->content);
    if (list != nullptr) {
        for (Json& tree : *list) remap_tree(tree, sources);
    }
    Json* learner = member(*document, "learner");
    if (Json* count = below(*learner, {"learner_model_param", "num_feature"}))
        count->content = std::to_string(names.size());
    JsonItems ours;
    for (const std::string& name : names) ours.push_back({name});
    if (Json* own = member(*learner, "feature_names")) own->content = std::move(ours);
    if (Json* types = member(*learner, "feature_types")) types->content = JsonItems{};
    std::string out;
    print(*document, out);
    return out;
}

}  // namespace parley::learn
