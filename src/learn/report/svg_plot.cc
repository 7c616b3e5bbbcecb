#include "learn/report/svg_plot.h"

#include "base/number.h"

#include <algorithm>
#include <cmath>

namespace parley::learn {
namespace {

constexpr double kWidth = 420;
constexpr double kHeight = 300;
constexpr double kLeft = 56;
constexpr double kBottom = 40;
constexpr double kTop = 44;  // Title, and under it the names of the lines.
constexpr double kRight = 14;
constexpr int kTicksMost = 6;
constexpr double kLetter = 6.2;  // The width of a letter, about.

/// Round numbers within [low, high], so that a person reads values off the grid.
struct Ticks {
    double first = 0;
    double step = 1;
    int count = 0;
    int digits = 0;
};

Ticks ticks_of(double low, double high) {
    const double span = high - low;
    if (!(span > 0) || !std::isfinite(span)) return {};
    const double rough = span / kTicksMost;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double round : {5.0, 2.0, 1.0}) {
        if (round * power >= rough) step = round * power;
    }
    Ticks out{.first = std::ceil(low / step - 1e-9) * step, .step = step};
    out.count = static_cast<int>(std::floor((high - out.first) / step + 1e-9)) + 1;
    out.digits = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 6);
    return out;
}

std::string coordinate(double value) { return fixed(value, 1); }

std::string text_at(double x, double y, const std::string& anchor, const std::string& text,
                    const std::string& style = "tick") {
    return "<text class=\"" + style + "\" x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) +
           "\" text-anchor=\"" + anchor + "\">" + html_text(text) + "</text>";
}

std::string opening(double height, const std::string& title) {
    return "<svg viewBox=\"0 0 " + coordinate(kWidth) + " " + coordinate(height) +
           "\" role=\"img\" aria-label=\"" + html_text(title) + "\">" +
           text_at(0, 14, "start", title, "title");
}

class Frame {
public:
    explicit Frame(const Axes& axes) : axes_(axes) {}

    double x(double value) const {
        return kLeft + share(value, axes_.x_min, axes_.x_max) * (kWidth - kLeft - kRight);
    }
    double y(double value) const {
        return kHeight - kBottom -
               share(value, axes_.y_min, axes_.y_max) * (kHeight - kBottom - kTop);
    }

    std::string grid() const {
        std::string out;
        const Ticks across = ticks_of(axes_.x_min, axes_.x_max);
        for (int i = 0; i < across.count; ++i) {
            const double at = across.first + i * across.step;
            out += line(x(at), y(axes_.y_min), x(at), y(axes_.y_max));
            out += text_at(x(at), kHeight - kBottom + 14, "middle", fixed(at, across.digits));
        }
        const Ticks up = ticks_of(axes_.y_min, axes_.y_max);
        for (int i = 0; i < up.count; ++i) {
            const double at = up.first + i * up.step;
            out += line(x(axes_.x_min), y(at), x(axes_.x_max), y(at));
            out += text_at(kLeft - 6, y(at) + 4, "end", fixed(at, up.digits));
        }
        out += text_at((kLeft + kWidth - kRight) / 2, kHeight - 8, "middle", axes_.x, "axis");
        out += "<text class=\"axis\" transform=\"translate(11 " +
               coordinate((kTop + kHeight - kBottom) / 2) +
               ") rotate(-90)\" text-anchor=\"middle\">" + html_text(axes_.y) + "</text>";
        return out;
    }

private:
    static double share(double value, double low, double high) {
        return high > low ? std::clamp((value - low) / (high - low), 0.0, 1.0) : 0;
    }
    static std::string line(double x1, double y1, double x2, double y2) {
        return "<line class=\"grid\" x1=\"" + coordinate(x1) + "\" y1=\"" + coordinate(y1) +
               "\" x2=\"" + coordinate(x2) + "\" y2=\"" + coordinate(y2) + "\"/>";
    }

    const Axes& axes_;
};

}  // namespace

std::string html_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            case '\'':
                out += "&#39;";
                break;
            default:
                out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
    }
    return out;
}

std::string line_plot(const Axes& axes, std::span<const Line> lines) {
    const Frame frame(axes);
    std::string out = opening(kHeight, axes.title) + frame.grid();
    double legend = kLeft;  // Above the plot, where no line can cross it.
    for (const Line& line : lines) {
        std::string points;
        std::string dots;
        for (const CurvePoint& point : line.points) {
            if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
            const std::string x = coordinate(frame.x(point.x));
            const std::string y = coordinate(frame.y(point.y));
            points += x + "," + y + " ";
            if (line.dots)
                dots += "<circle class=\"" + line.style + "\" cx=\"" + x + "\" cy=\"" + y +
                        "\" r=\"3\"/>";
        }
        out += "<polyline class=\"" + line.style + "\" points=\"" + points + "\"/>" + dots;
        if (line.name.empty()) continue;
        out += "<line class=\"key " + line.style + "\" x1=\"" + coordinate(legend) + "\" y1=\"" +
               coordinate(kTop - 12) + "\" x2=\"" + coordinate(legend + 14) + "\" y2=\"" +
               coordinate(kTop - 12) + "\"/>";
        out += text_at(legend + 18, kTop - 8, "start", line.name, "legend " + line.style);
        legend += 18 + kLetter * static_cast<double>(line.name.size()) + 14;
    }
    return out + "</svg>";
}

std::string bar_plot(const std::string& title, std::span<const BarLength> bars) {
    constexpr double kRow = 20;
    constexpr double kNames = 190;
    constexpr double kBarsTop = 28;
    const double height = kBarsTop + kRow * static_cast<double>(bars.size()) + 8;
    double longest = 0;
    for (const BarLength& bar : bars)
        if (std::isfinite(bar.value)) longest = std::max(longest, bar.value);
    std::string out = opening(height, title);
    double y = kBarsTop;
    for (const BarLength& bar : bars) {
        const double share = longest > 0 && std::isfinite(bar.value) ? bar.value / longest : 0;
        const double width = std::max(0.0, share) * (kWidth - kNames - 60);
        out += text_at(kNames - 6, y + 13, "end", bar.name);
        out += "<rect class=\"model\" x=\"" + coordinate(kNames) + "\" y=\"" + coordinate(y + 3) +
               "\" width=\"" + coordinate(width) + "\" height=\"" + coordinate(kRow - 6) + "\"/>";
        out += text_at(kNames + width + 5, y + 13, "start", bar.shown);
        y += kRow;
    }
    return out + "</svg>";
}

}  // namespace parley::learn
