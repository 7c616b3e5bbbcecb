#include "learn/report/report_html.h"

#include <gtest/gtest.h>

namespace parley::learn {
namespace {

RiskReport risk() {
    RiskReport report;
    report.data = {.name = "<b>nodes", .what = "it fails", .entity = "node", .rows = 1'234};
    report.quality.bins = {{0.1, 0.2, 0.5}, {0.3, 0.25, 0.5}};
    report.quality.roc = {{0, 0}, {0.2, 0.6}, {1, 1}};
    report.importance = {{"load", 0.7}, {"age & kind", 0.3}};
    report.bars = {{"skill", "above 0", "-0.1", false}, {"slope", "0.8 to 1.2", "1.0", true}};
    return report;
}

TEST(ReportHtml, stands_alone) {
    const std::string html = report_html(risk());
    EXPECT_TRUE(html.starts_with("<!doctype html>"));
    for (const char* forbidden :
         {"<script", "http:", "https:", "src=", "url(", "<link", "<b>nodes"})
        EXPECT_EQ(html.find(forbidden), std::string::npos) << forbidden;
    for (const char* wanted :
         {"prefers-color-scheme: dark", "&lt;b&gt;nodes", "1,234 rows", "Reliability", "ROC",
          "Features by gain", "age &amp; kind", "class=\"bad\">not met", "class=\"good\">met",
          "<b>1 of 2</b><span>bars are met"})
        EXPECT_NE(html.find(wanted), std::string::npos) << wanted;
}

TEST(ReportHtml, tells_what_is_missed_from_what_cannot_be_told) {
    RiskReport report = risk();
    EXPECT_EQ(report_html(report).find("right model"), std::string::npos);
    report.bars[1] = {"slope", "0.8 to 1.2", "1.5", false, 0.25, 0.12};
    report.warnings = {"a <feature> is the label"};
    const std::string html = report_html(report);
    EXPECT_NE(html.find("<p class=\"bad\">Warning: a &lt;feature&gt; is the label"),
              std::string::npos);
    for (const char* wanted :
         {"<th>met by a right model</th>", "<td>25 %</td><td>12 %</td><td class=\"\">untold</td>",
          "<td></td><td></td><td class=\"bad\">not met",
          "<b>0 of 2</b><span>bars are met, 1 untold", "Untold: missed, but"})
        EXPECT_NE(html.find(wanted), std::string::npos) << wanted;
}

TEST(ReportHtml, shows_demand_by_distance) {
    DemandReport report;
    report.data = {.name = "google", .what = "CPU", .entity = "series"};
    report.horizons = {{.steps = 1,
                        .minutes = 5,
                        .errors = {{"model", 1, 0.9}, {"ridge", 1, 0.95}},
                        .coverage = {.overall = 0.9, .worst_day = 0.85}},
                       {.steps = 12, .minutes = 60, .errors = {{"model", 1, 0.8}}}};
    const std::string html = report_html(report);
    for (const char* wanted : {"Error by how far ahead", "How often intervals held", "ridge",
                               "<b>0.80</b><span>error over persistence 60 min ahead",
                               "<td><strong>0.900</strong></td><td>0.950</td>"})
        EXPECT_NE(html.find(wanted), std::string::npos) << wanted;
    EXPECT_FALSE(report_html(DemandReport{}).empty());
}

}  // namespace
}  // namespace parley::learn
