#include "learn/report/report_html.h"

#include "base/number.h"
#include "learn/report/report_text.h"
#include "learn/report/svg_plot.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace parley::learn {
namespace {

constexpr std::size_t kImportanceBars = 12;

constexpr const char* kStyle = R"(
:root { --page: #fff; --card: #f6f7f9; --text: #1d2126; --faint: #dde1e7; --soft: #59616d;
        --model: #0b6bcb; --beside: #b4540a; --good: #1a7f37; --bad: #c1121f; }
@media (prefers-color-scheme: dark) {
  :root { --page: #14171c; --card: #1c2027; --text: #e4e7ec; --faint: #323a45; --soft: #9aa4b2;
          --model: #6cb2ff; --beside: #f0a35e; --good: #4cc36a; --bad: #ff7b80; } }
body { background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif;
       max-width: 960px; margin: 2.5em auto; padding: 0 1.2em; }
h1 { font-size: 1.45em; line-height: 1.25; margin: 0 0 .3em; }
h2 { font-size: 1.1em; margin: 2.4em 0 .7em; }
.about { color: var(--soft); margin: 0; } .about code { font-size: .85em; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: .8em;
         margin: 1.6em 0 0; }
.tile { background: var(--card); border-radius: 8px; padding: .8em 1em; }
.tile b { display: block; font-size: 1.55em; line-height: 1.2; font-variant-numeric: tabular-nums; }
.tile span { display: block; color: var(--soft); font-size: .85em; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(340px, 1fr)); gap: 2em; }
svg { width: 100%; height: auto; } svg text { fill: var(--text); font-size: 11px; }
svg .title { font-size: 13px; font-weight: 600; } svg .tick, svg .axis { fill: var(--soft); }
svg .grid { stroke: var(--faint); stroke-width: .8; }
svg polyline { fill: none; stroke-width: 1.8; stroke-linejoin: round; }
svg .key { stroke-width: 2; }
svg polyline.model, svg .key.model { stroke: var(--model); }
svg polyline.beside, svg .key.beside { stroke: var(--beside); }
svg polyline.ideal, svg .key.ideal { stroke: var(--soft); stroke-dasharray: 4 3; stroke-width: 1.2; }
svg circle.model, svg rect.model, svg text.model { fill: var(--model); }
svg circle.beside, svg text.beside { fill: var(--beside); } svg text.ideal { fill: var(--soft); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
td, th { padding: .35em .8em; text-align: right; white-space: nowrap; }
th { color: var(--soft); font-weight: 500; font-size: .9em; }
td:first-child, th:first-child { text-align: left; padding-left: 0; white-space: normal; }
td:last-child, th:last-child { padding-right: 0; }
tr { border-bottom: 1px solid var(--faint); }
.good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; }
summary { cursor: pointer; color: var(--soft); }
pre { overflow-x: auto; color: var(--soft); font-size: 13px; line-height: 1.4; }
@media print { details > *:not(summary) { display: block; } body { margin: 0 auto; } }
)";

constexpr std::size_t kFingerprintShown = 16;

struct Tile {
    std::string value;
    std::string what;
};

/// The figures that people ask for first.
std::string tiles(std::span<const Tile> all) {
    std::string out = "<div class=\"tiles\">\n";
    for (const Tile& tile : all) {
        out += "<div class=\"tile\"><b>" + html_text(tile.value) + "</b><span>" +
               html_text(tile.what) + "</span></div>\n";
    }
    return out + "</div>\n";
}

/// How many bars are met, as a person would say it.
Tile bars_tile(std::span<const Bar> bars) {
    const auto met = std::ranges::count(bars, true, &Bar::met);
    const auto untold = std::ranges::count_if(bars, &Bar::untold);
    return {std::to_string(met) + " of " + std::to_string(bars.size()),
            untold == 0 ? "bars are met" : "bars are met, " + std::to_string(untold) + " untold"};
}

std::string page(const DataFacts& data, const std::string& body) {
    const std::string title = html_text(data.name + ": " + data.what);
    const std::string& whole = data.fingerprint;
    return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
           "<meta name=\"viewport\" content=\"width=device-width\">"
           "<meta name=\"color-scheme\" content=\"light dark\"><title>" +
           title + "</title><style>" + kStyle + "</style></head><body>\n<h1>" + title +
           "</h1>\n<p class=\"about\">" + thousands(static_cast<std::int64_t>(data.rows)) +
           " rows, " + std::to_string(data.features) + " features, split by " +
           html_text(data.split) + ". Data <code title=\"" + html_text(whole) + "\">" +
           html_text(whole.substr(0, kFingerprintShown)) + "</code></p>\n" + body +
           "</body></html>\n";
}

/// How often a perfectly calibrated model would meet a bar on the same rows, or be as far off;
/// empty if not computed.
std::string often(const std::optional<double>& share) {
    if (!share) return "";
    return *share < Bar::kImpossible ? "&lt; 1 %" : fixed(*share * 100, 0) + " %";
}

std::string bars_table(std::span<const Bar> bars, const std::string& title) {
    const bool asked = std::ranges::any_of(bars, [](const Bar& bar) { return bool(bar.perfect); });
    std::string out = "<h2>" + title +
                      "</h2>\n<div class=\"wide\"><table><tr><th>what</th><th>asked</th>"
                      "<th>measured</th>" +
                      (asked ? "<th>met by a right model</th><th>as far off if right</th>" : "") +
                      "<th></th></tr>\n";
    for (const Bar& bar : bars) {
        const char* verdict = bar.met ? "met" : bar.untold() ? "untold" : "not met";
        const char* kind = bar.met ? "good" : bar.untold() ? "" : "bad";
        out +=
            "<tr><td>" + html_text(bar.what) + "</td><td>" + html_text(bar.asked) + "</td><td>" +
            html_text(bar.measured) + "</td>" +
            (asked ? "<td>" + often(bar.perfect) + "</td><td>" + often(bar.chance) + "</td>" : "") +
            "<td class=\"" + kind + "\">" + verdict + "</td></tr>\n";
    }
    out += "</table></div>\n";
    if (std::ranges::any_of(bars, &Bar::untold)) {
        out +=
            "<p class=\"about\">Untold: missed, but on so few failures a model that is right "
            "would miss it more often than not, and be as far off now and then.</p>\n";
    }
    return out;
}

std::string warnings_list(std::span<const std::string> warnings) {
    std::string out;
    for (const std::string& each : warnings)
        out += "<p class=\"bad\">Warning: " + html_text(each) + "</p>\n";
    return out;
}

std::string importance_plot(std::span<const Importance> importance) {
    std::vector<BarLength> bars;
    for (const Importance& each : importance.first(std::min(importance.size(), kImportanceBars)))
        bars.push_back({each.feature, each.gain_share, fixed(each.gain_share * 100, 1) + " %"});
    return bar_plot("Features by gain", bars);
}

double largest_of(std::span<const Bin> bins) {
    double largest = 1e-6;
    for (const Bin& bin : bins) largest = std::max({largest, bin.forecast, bin.observed});
    return std::min(1.0, largest * 1.05);
}

std::string reliability_plot(const RiskQuality& quality) {
    Line model{.name = "15 bins of equal mass", .style = "model", .dots = true};
    for (const Bin& bin : quality.bins) model.points.push_back({bin.forecast, bin.observed});
    const double top = largest_of(quality.bins);
    const Line lines[] = {{.name = "ideal", .style = "ideal", .points = {{0, 0}, {top, top}}},
                          model};
    return line_plot({.title = "Reliability",
                      .x = "risk that was said",
                      .y = "share that came true",
                      .x_max = top,
                      .y_max = top},
                     lines);
}

std::string roc_plot(const RiskQuality& quality) {
    const Line lines[] = {
        {.name = "by chance", .style = "ideal", .points = {{0, 0}, {1, 1}}},
        {.name = "AUC " + fixed(quality.auc.value, 3), .style = "model", .points = quality.roc}};
    return line_plot({.title = "ROC", .x = "false alarms", .y = "failures found"}, lines);
}

std::string precision_plot(const RiskQuality& quality) {
    const double base = quality.base_rate;
    double top = base;
    for (const CurvePoint& point : quality.precision_recall) top = std::max(top, point.y);
    const Line lines[] = {{.name = "base rate", .style = "ideal", .points = {{0, base}, {1, base}}},
                          {.name = "average precision " + fixed(quality.average_precision, 3),
                           .style = "model",
                           .points = quality.precision_recall}};
    return line_plot({.title = "Precision and recall",
                      .x = "failures found",
                      .y = "precision",
                      .y_max = std::min(1.0, top * 1.05)},
                     lines);
}

std::string error_plot(const DemandReport& report) {
    std::vector<Line> lines;
    double far = 1;
    for (const DemandHorizon& horizon : report.horizons) far = std::max(far, horizon.minutes);
    for (const char* method : {"model", "ridge"}) {
        Line line{.name = method,
                  .style = std::string_view(method) == "model" ? "model" : "beside",
                  .dots = true};
        for (const DemandHorizon& horizon : report.horizons) {
            for (const DemandError& error : horizon.errors) {
                if (error.method == method)
                    line.points.push_back({horizon.minutes, error.over_persistence});
            }
        }
        lines.push_back(std::move(line));
    }
    // Only the range of the lines, without empty space.
    double low = 1;
    double high = 1;
    for (const Line& line : lines) {
        for (const CurvePoint& point : line.points) {
            if (!std::isfinite(point.y)) continue;
            low = std::min(low, point.y);
            high = std::max(high, point.y);
        }
    }
    lines.push_back({.name = "persistence", .style = "ideal", .points = {{0, 1}, {far, 1}}});
    return line_plot({.title = "Error by how far ahead",
                      .x = "minutes ahead",
                      .y = "error over persistence",
                      .x_max = far,
                      .y_min = std::max(0.0, low - 0.1),
                      .y_max = std::min(2.0, high + 0.1)},
                     lines);
}

std::string coverage_plot(const DemandReport& report) {
    Line all{.name = "overall", .style = "model", .dots = true};
    Line worst{.name = "worst day", .style = "beside", .dots = true};
    double far = 1;
    double low = 0.8;
    for (const DemandHorizon& horizon : report.horizons) {
        far = std::max(far, horizon.minutes);
        low = std::min(low, horizon.coverage.worst_day);
        all.points.push_back({horizon.minutes, horizon.coverage.overall});
        worst.points.push_back({horizon.minutes, horizon.coverage.worst_day});
    }
    const Line lines[] = {
        {.name = "asked", .style = "ideal", .points = {{0, 0.9}, {far, 0.9}}}, all, worst};
    return line_plot({.title = "How often intervals held",
                      .x = "minutes ahead",
                      .y = "share inside",
                      .x_max = far,
                      .y_min = std::max(0.0, low - 0.05)},
                     lines);
}

/// Every method at every distance, as a person compares them.
std::string horizons_table(const DemandReport& report) {
    if (report.horizons.empty()) return "";
    std::string out =
        "<h2>Error over persistence</h2>\n<div class=\"wide\"><table><tr><th>ahead</th>";
    for (const DemandError& error : report.horizons.front().errors) {
        out += "<th>" + html_text(error.method) + "</th>";
    }
    out += "<th>best before the test</th><th>trees</th></tr>\n";
    for (const DemandHorizon& horizon : report.horizons) {
        out += "<tr><td>" + print_double(horizon.minutes) + " min</td>";
        double least = 1e300;
        for (const DemandError& error : horizon.errors) {
            least = std::min(least, error.over_persistence);
        }
        for (const DemandError& error : horizon.errors) {
            const std::string value = fixed(error.over_persistence, 3);
            out += "<td>" +
                   (error.over_persistence == least ? "<strong>" + value + "</strong>" : value) +
                   "</td>";
        }
        out += "<td>" + html_text(horizon.serves) + "</td><td>" + std::to_string(horizon.trees) +
               "</td></tr>\n";
    }
    return out + "</table></div>\n";
}

std::string whole_text(const std::string& text) {
    return "<h2>All figures</h2>\n<details><summary>as the program prints them</summary>\n<pre>" +
           [&] {
               std::string out;
               // Line by line, since html_text takes line ends for blanks.
               for (std::size_t from = 0; from < text.size();) {
                   const std::size_t to = std::min(text.find('\n', from), text.size());
                   out += html_text(std::string_view(text).substr(from, to - from)) + "\n";
                   from = to + 1;
               }
               return out;
           }() +
           "</pre></details>\n";
}

}  // namespace

std::string report_html(const RiskReport& report) {
    const RiskQuality& quality = report.quality;
    const Tile first[] = {
        bars_tile(report.bars),
        {fixed(quality.auc.value, 3), "AUC"},
        {fixed(quality.average_precision, 3),
         "average precision; base rate " + fixed(quality.base_rate, 4)},
        {fixed(quality.skill.value, 3), "log-loss skill over the base rate"},
        {report.may_act ? "may act" : "may not act", "by calibration: " + report.calibration}};
    const std::string plots = reliability_plot(quality) + roc_plot(quality) +
                              precision_plot(quality) + importance_plot(report.importance);
    const std::string served =
        report.served ? bars_table(report.served->bars, "Bars as served, corrected once a day")
                      : "";
    return page(report.data, tiles(first) + warnings_list(report.warnings) +
                                 "<h2>On the test slice</h2>\n<div class=\"plots\">" + plots +
                                 "</div>\n" + bars_table(report.bars, "Bars") + served +
                                 whole_text(report_text(report)));
}

std::string report_html(const DemandReport& report) {
    std::string plots = error_plot(report) + coverage_plot(report);
    std::vector<Tile> first = {bars_tile(report.bars)};
    if (!report.horizons.empty()) {
        const DemandHorizon& far = report.horizons.back();
        const std::string ahead = " " + print_double(far.minutes) + " min ahead";
        const auto model = std::ranges::find(far.errors, "model", &DemandError::method);
        if (model != far.errors.end()) {
            first.push_back({fixed(model->over_persistence, 2), "error over persistence" + ahead});
        }
        first.push_back({fixed(far.coverage.overall, 2), "of values within the interval" + ahead});
        first.push_back({far.serves, "did best on rows that trained nothing" + ahead});
        plots += importance_plot(far.importance);
    }
    return page(report.data, tiles(first) + "<h2>On the test slice</h2>\n<div class=\"plots\">" +
                                 plots + "</div>\n" + horizons_table(report) +
                                 bars_table(report.bars, "Bars") + whole_text(report_text(report)));
}

}  // namespace parley::learn
