#include "learn/svg_plot.h"

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
    EXPECT_NE(svg.find("points=\"52.0,260.0 406.0,28.0 406.0,260.0 \""), std::string::npos) << svg;
    EXPECT_NE(svg.find("n&lt;1"), std::string::npos);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find('?'), std::string::npos);
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
