// Learn: one plot as inline SVG: points in, text out. Colours come from the page's own CSS.

#pragma once

#include "learn/fit/metrics.h"

#include <span>
#include <string>
#include <vector>

namespace parley::learn {

/// Escapes what HTML and SVG would read as markup.
std::string html_text(std::string_view text);

struct Line {
    std::string name;   ///< Shown beside it; may be empty.
    std::string style;  ///< A class of the page's CSS: `model`, `beside`, `ideal`.
    std::vector<CurvePoint> points;
    bool dots = false;  ///< A dot at each point.
};

struct Axes {
    std::string title;
    std::string x;
    std::string y;
    double x_min = 0;
    double x_max = 1;
    double y_min = 0;
    double y_max = 1;
};

/// Points outside the axes are drawn at their edge; what is not finite is left out.
std::string line_plot(const Axes& axes, std::span<const Line> lines);

struct BarLength {
    std::string name;
    double value = 0;   ///< At least 0.
    std::string shown;  ///< The value as text.
};

/// Bars to the right, longest value as wide as the plot.
std::string bar_plot(const std::string& title, std::span<const BarLength> bars);

}  // namespace parley::learn
