#include "apps/shelf/feature_list.h"

#include "base/number.h"
#include "config/nearest.h"
#include "traces/table.h"
#include "traces/text_file.h"

#include <algorithm>
#include <array>
#include <optional>

namespace parley::app {
namespace {

/// How much one of the first unit is in the second.
struct Conversion {
    std::string_view from;
    std::string_view to;
    double times;
};
constexpr Conversion kConversions[] = {{"percent", "share", 0.01},
                                       {"%", "share", 0.01},
                                       {"ppm", "share", 1e-6},
                                       {"ms", "s", 0.001},
                                       {"min", "s", 60},
                                       {"h", "s", 3600},
                                       {"d", "s", 86'400},
                                       {"per minute", "per hour", 60},
                                       {"per day", "per hour", 1.0 / 24}};

std::optional<double> to_unit(std::string_view from, std::string_view to) {
    if (from == to) return 1;
    for (const Conversion& each : kConversions) {
        if (each.from == from && each.to == to) return each.times;
    }
    return std::nullopt;
}

std::string units_for(std::string_view to) {
    std::vector<std::string> all{std::string(to)};
    for (const Conversion& each : kConversions) {
        if (each.to == to) all.emplace_back(each.from);
    }
    return config::listed(all);
}

}  // namespace

Result<std::vector<ListedFeature>> read_feature_list(Disk& disk, const std::string& path,
                                                     const brain::FeatureList& expected) {
    const auto text = traces::read_text(disk, path);
    if (!text) return tl::unexpected(text.error());
    constexpr std::array<std::string_view, 3> kWanted = {"feature", "serves", "unit"};
    auto table = traces::Table::open(path, *text, kWanted);
    if (!table) return tl::unexpected(table.error());
    std::vector<std::string> known;
    for (const brain::Feature& each : expected.features) known.push_back(each.name);
    std::vector<ListedFeature> listed;
    while (true) {
        const auto more = table->next();
        if (!more) return tl::unexpected(more.error());
        if (!*more) break;
        const std::string name(table->text(0));
        const std::string serves(table->text(1));
        if (name.empty()) return table->refuse("feature is missing");
        if (std::ranges::find(listed, name, &ListedFeature::feature) != listed.end())
            return table->refuse("the feature " + in_quotes(name) + " stands there twice");
        const auto found = std::ranges::find(known, serves);
        if (found == known.end())
            return table->refuse(config::none_called("node feature", serves, known));
        const auto place = static_cast<std::size_t>(found - known.begin());
        const std::string& unit = expected.features[place].unit;
        const auto times = to_unit(table->text(2), unit);
        if (!times) {
            return table->refuse(serves + " is in " + unit + ", and " + in_quotes(table->text(2)) +
                                 " cannot be turned into it; give " + units_for(unit));
        }
        listed.push_back({name, place, *times, table->line()});
    }
    if (listed.empty()) return table->refuse("it has a heading and no line");
    return listed;
}

}  // namespace parley::app
