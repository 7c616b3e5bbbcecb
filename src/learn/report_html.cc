#include "learn/report_html.h"

#include "base/number.h"
#include "learn/report_text.h"
#include "learn/svg_plot.h"

#include <algorithm>
#include <span>

namespace parley::learn {
namespace {

constexpr std::size_t kImportanceBars = 12;

constexpr const char* kStyle = R"(
:root { --page: #fff; --text: #1d2126; --faint: #c9ced6; --soft: #59616d; --model: #0b6bcb;
        --beside: #b4540a; --good: #1a7f37; --bad: #c1121f; }
@media (prefers-color-scheme: dark) {
  :root { --page: #14171c; --text: #e4e7ec; --faint: #39414d; --soft: #9aa4b2; --model: #6cb2ff;
          --beside: #f0a35e; --good: #4cc36a; --bad: #ff7b80; } }
body { background: var(--page); color: var(--text); font: 15px/1.45 system-ui, sans-serif;
       max-width: 960px; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.4em; } h2 { font-size: 1.1em; margin-top: 2em; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(340px, 1fr)); gap: 1em; }
svg { width: 100%; height: auto; } svg text { fill: var(--text); font-size: 11px; }
svg .title { font-size: 13px; font-weight: 600; } svg .tick, svg .axis { fill: var(--soft); }
svg .grid { stroke: var(--faint); stroke-width: .6; }
svg polyline { fill: none; stroke-width: 1.8; }
svg polyline.model { stroke: var(--model); } svg polyline.beside { stroke: var(--beside); }
svg polyline.ideal { stroke: var(--soft); stroke-dasharray: 4 4; stroke-width: 1; }
svg circle.model, svg rect.model, svg text.model { fill: var(--model); }
svg circle.beside, svg text.beside { fill: var(--beside); } svg text.ideal { fill: var(--soft); }
table { border-collapse: collapse; } td, th { padding: .2em .8em; text-align: right; }
td:first-child, th:first-child { text-align: left; } tr { border-bottom: 1px solid var(--faint); }
.good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; }
pre { overflow-x: auto; color: var(--soft); font-size: 13px; }
)";

std::string page(const DataFacts& data, const std::string& body) {
    const std::string title = html_text(data.name + ": " + data.what);
    return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
           "<meta name=\"viewport\" content=\"width=device-width\">"
           "<meta name=\"color-scheme\" content=\"light dark\"><title>" +
           title + "</title><style>" + kStyle + "</style></head><body>\n<h1>" + title +
           "</h1>\n<p>" + thousands(static_cast<std::int64_t>(data.rows)) + " rows, " +
           std::to_string(data.features) + " features, split by " + html_text(data.split) +
           ".<br>Data <code>" + html_text(data.fingerprint) + "</code></p>\n" + body +
           "</body></html>\n";
}

std::string bars_table(std::span<const Bar> bars, const std::string& title) {
    std::string out = "<h2>" + title +
                      "</h2>\n<table><tr><th>what</th><th>asked</th><th>measured</th>"
                      "<th></th></tr>\n";
    for (const Bar& bar : bars) {
        out += "<tr><td>" + html_text(bar.what) + "</td><td>" + html_text(bar.asked) + "</td><td>" +
               html_text(bar.measured) + "</td><td class=\"" + (bar.met ? "good" : "bad") + "\">" +
               (bar.met ? "met" : "not met") + "</td></tr>\n";
    }
    return out + "</table>\n";
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
    lines.push_back({.name = "persistence", .style = "ideal", .points = {{0, 1}, {far, 1}}});
    return line_plot({.title = "Error by how far ahead",
                      .x = "minutes ahead",
                      .y = "error over persistence",
                      .x_max = far,
                      .y_max = 1.5},
                     lines);
}

std::string coverage_plot(const DemandReport& report) {
    Line all{.name = "overall", .style = "model", .dots = true};
    Line worst{.name = "worst day", .style = "beside", .dots = true};
    double far = 1;
    for (const DemandHorizon& horizon : report.horizons) {
        far = std::max(far, horizon.minutes);
        all.points.push_back({horizon.minutes, horizon.coverage.overall});
        worst.points.push_back({horizon.minutes, horizon.coverage.worst_day});
    }
    const Line lines[] = {
        {.name = "asked", .style = "ideal", .points = {{0, 0.9}, {far, 0.9}}}, all, worst};
    return line_plot({.title = "How often intervals held",
                      .x = "minutes ahead",
                      .y = "share inside",
                      .x_max = far,
                      .y_min = 0.5},
                     lines);
}

std::string whole_text(const std::string& text) {
    return "<h2>All figures</h2>\n<pre>" + [&] {
        std::string out;
        // Line by line, since html_text takes line ends for blanks.
        for (std::size_t from = 0; from < text.size();) {
            const std::size_t to = std::min(text.find('\n', from), text.size());
            out += html_text(std::string_view(text).substr(from, to - from)) + "\n";
            from = to + 1;
        }
        return out;
    }() + "</pre>\n";
}

}  // namespace

std::string report_html(const RiskReport& report) {
    const std::string plots = reliability_plot(report.quality) + roc_plot(report.quality) +
                              precision_plot(report.quality) + importance_plot(report.importance);
    const std::string served =
        report.served ? bars_table(report.served->bars, "Bars as served, corrected once a day")
                      : "";
    return page(report.data, bars_table(report.bars, "Bars") +
                                 "<h2>On the test slice</h2>\n<div "
                                 "class=\"plots\">" +
                                 plots + "</div>\n" + served + whole_text(report_text(report)));
}

std::string report_html(const DemandReport& report) {
    std::string plots = error_plot(report) + coverage_plot(report);
    if (!report.horizons.empty()) plots += importance_plot(report.horizons.back().importance);
    return page(report.data, bars_table(report.bars, "Bars") +
                                 "<h2>On the test slice</h2>\n<div "
                                 "class=\"plots\">" +
                                 plots + "</div>\n" + whole_text(report_text(report)));
}

}  // namespace parley::learn
