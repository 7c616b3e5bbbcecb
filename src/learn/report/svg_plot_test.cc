#include "learn/report/svg_plot.h"

#include <gtest/gtest.h>

#include <cmath>

namespace parley::learn {
namespace {

TEST(SvgPlot, escapes_what_would_be_markup) {
    EXPECT_EQ(html_text("<a href=\"x\">&'\n"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39; ");
}

TEST(SvgPlot, draws_points_inside_its_axes) {
    const Line line{.name = "n<1",
                    .style = "model",
                    .points = {{0, 0}, {1, 1}, {5, std::nan("")}, {9, -9}},
                    .dots = true};
    const std::string svg = line_plot({.title = "T", .x = "x", .y = "y"}, std::span(&line, 1));
    EXPECT_TRUE(svg.starts_with("<svg ") && svg.ends_with("</svg>"));
    EXPECT_NE(svg.find("points=\"56.0,260.0 406.0,44.0 406.0,260.0 \""), std::string::npos) << svg;
    EXPECT_NE(svg.find("n&lt;1"), std::string::npos);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find('?'), std::string::npos);
}

TEST(SvgPlot, ticks_are_round_numbers) {
    const Line line{.style = "model", .points = {{0, 0}}};
    const auto plot = [&](double low, double high) {
        return line_plot({.title = "T", .x_max = 60, .y_min = low, .y_max = high},
                         std::span(&line, 1));
    };
    for (const char* wanted : {">0.05<", ">0.10<", ">0.25<", ">10<", ">60<"}) {
        EXPECT_NE(plot(0, 0.289).find(wanted), std::string::npos) << wanted;
    }
    EXPECT_EQ(plot(0, 0.289).find(">0.289<"), std::string::npos);
    EXPECT_NE(plot(0.75, 1.1).find(">1.0<"), std::string::npos) << plot(0.75, 1.1);
    EXPECT_NE(plot(1, 1).find("</svg>"), std::string::npos);  // Nothing to draw, and no crash.
}

TEST(SvgPlot, names_stand_above_the_plot_where_no_line_can_cross_them) {
    const Line lines[] = {{.name = "first", .style = "model", .points = {{0, 1}, {1, 1}}},
                          {.name = "second", .style = "beside", .points = {{0, 0}}}};
    const std::string svg = line_plot({.title = "T"}, lines);
    EXPECT_NE(svg.find("y=\"36.0\" text-anchor=\"start\">first<"), std::string::npos) << svg;
    EXPECT_NE(svg.find("y=\"36.0\" text-anchor=\"start\">second<"), std::string::npos);
}

TEST(SvgPlot, draws_bars_by_the_longest) {
    const BarLength bars[] = {{"a", 2, "2"}, {"b", 1, "1"}, {"c", std::nan(""), "?"}};
    const std::string svg = bar_plot("B", bars);
    EXPECT_NE(svg.find("width=\"170.0\""), std::string::npos) << svg;
    EXPECT_NE(svg.find("width=\"85.0\""), std::string::npos);
    EXPECT_NE(svg.find("width=\"0.0\""), std::string::npos);
    EXPECT_NE(bar_plot("none", {}).find("</svg>"), std::string::npos);
}

}  // namespace
}  // namespace parley::learn
