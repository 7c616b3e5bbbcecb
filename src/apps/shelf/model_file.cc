#include "apps/shelf/model_file.h"

#include "base/describe.h"
#include "base/json.h"
#include "base/json_value.h"
#include "base/number.h"
#include "brain/xgboost_file.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace parley::app {
namespace {

struct ModelFile {
    std::string file;
    std::string xgboost;
    brain::Objective gives = brain::Objective::squared_error;
    double base_margin = 0;
    std::uint64_t trees = 0;
    std::uint64_t nodes = 0;
    std::uint64_t depth = 0;
    std::uint64_t features = 0;
    std::vector<std::string> feature_names;
};
BOOST_DESCRIBE_STRUCT(ModelFile, (),
                      (file, xgboost, gives, base_margin, trees, nodes, depth, features,
                       feature_names))

std::string count(std::uint64_t n) { return thousands(static_cast<std::int64_t>(n)); }

ModelFile facts_of(const std::string& path, const brain::XgboostModel& model) {
    const brain::Trees& trees = model.forest.trees();
    ModelFile facts{.file = path,
                    .xgboost = model.version,
                    .gives = trees.objective,
                    // Avoids -0.0, which even odds are in the file.
                    .base_margin = trees.base_margin + 0.0,
                    .trees = trees.roots.size(),
                    .nodes = trees.nodes(),
                    .features = trees.features,
                    .feature_names = trees.feature_names};
    for (std::size_t tree = 0; tree < trees.roots.size(); ++tree) {
        facts.depth = std::max<std::uint64_t>(facts.depth, brain::depth_of(trees, tree));
    }
    return facts;
}

std::string text_of(const ModelFile& facts) {
    const bool odds = facts.gives == brain::Objective::logistic;
    std::string names;
    for (const std::string& name : facts.feature_names) {
        names += (names.empty() ? ": " : ", ") + in_quotes(name);
    }
    return "file          " + facts.file + "\n" + "saved by      XGBoost " + facts.xgboost + "\n" +
           "gives         " + (odds ? "log-odds, as a risk needs" : "a value, as a demand needs") +
           "; it begins at " + print_double(facts.base_margin) + "\n" + "trees         " +
           count(facts.trees) + " with " + count(facts.nodes) + " nodes, at most " +
           count(facts.depth) + " splits deep\n" + "features      " + count(facts.features) +
           (names.empty() ? ", without names" : names) + "\n\nIt is read as XGBoost reads it. " +
           (odds ? "To serve, it needs a list of which node features these are:\n"
                   "parley model use FILE --features LIST; see docs/brains.md.\n"
                 : "Demand is served by forests of four horizons, as parley train demand makes "
                   "them.\n");
}

}  // namespace

bool names_file(const std::string& word) { return word.find_first_of("./") != std::string::npos; }

Result<std::string> model_file_text(Disk& disk, const std::string& path, Format format) {
    const auto bytes = read_file(disk, path, kJsonBytesMax);
    if (!bytes) return tl::unexpected(bytes.error());
    const auto model = brain::read_xgboost(*bytes);
    if (!model) return within(path, model.error());
    const ModelFile facts = facts_of(path, *model);
    return format == Format::json ? to_json(facts) + "\n" : text_of(facts);
}

}  // namespace parley::app
