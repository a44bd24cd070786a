// SPDX-License-Identifier: Zlib
#include "validate/SvgPlot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant::program {

const char* const pageStyle =
    "body{font:15px/1.5 system-ui,sans-serif;max-width:800px;margin:2em auto;color:#222}"
    "table{border-collapse:collapse;margin:1em 0}td,th{padding:3px 12px;text-align:right;border-bottom:1px solid #ddd}"
    "td:first-child,th:first-child{text-align:left}svg{display:block;margin:1.2em 0}"
    "svg text{font-size:12px;fill:#333}svg .title{font-weight:600;font-size:14px}.grid{stroke:#e4e4e4}";
namespace {

constexpr int kLeft = 70, kRight = 16, kTop = 34, kBottom = 46;

struct Range {
    double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
    void include(double value) {
        if (!std::isfinite(value)) return;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    /// Never empty, and reaching zero where it is near.
    void widen() {
        if (!(low <= high)) low = high = 0.0;
        if (low > 0.0 && low < 0.5 * high) low = 0.0;
        if (high < 0.0 && high > 0.5 * low) high = 0.0;
        const double room = high > low ? 0.04 * (high - low) : std::max(1e-12, 0.1 * std::abs(high));
        low -= room;
        high += room;
    }
};

struct Frame {
    const Plot& plot;
    Range x, y;
    explicit Frame(const Plot& p) : plot(p) {
        for (const PlotLine& line : plot.lines) {
            for (const double value : line.x) x.include(value);
            for (const double value : line.y) y.include(value);
        }
        x.widen();
        y.widen();
    }
    double column(double value) const {
        return kLeft + (value - x.low) / (x.high - x.low) * (plot.width - kLeft - kRight);
    }
    double row(double value) const {
        return plot.height - kBottom - (value - y.low) / (y.high - y.low) * (plot.height - kTop - kBottom);
    }
};

std::string axes(const Frame& frame) {
    const Plot& plot = frame.plot;
    std::string svg;
    for (const double value : ticks(frame.x.low, frame.x.high, 8)) {
        const double at = frame.column(value);
        svg += fmt::format(
            "<line x1='{0:.1f}' x2='{0:.1f}' y1='{1}' y2='{2}' class='grid'/>"
            "<text x='{0:.1f}' y='{3}' text-anchor='middle'>{4:.6g}</text>\n",
            at, kTop, plot.height - kBottom, plot.height - kBottom + 16, value);
    }
    for (const double value : ticks(frame.y.low, frame.y.high, 6)) {
        const double at = frame.row(value);
        svg += fmt::format(
            "<line x1='{0}' x2='{1}' y1='{2:.1f}' y2='{2:.1f}' class='grid'/>"
            "<text x='{3}' y='{4:.1f}' text-anchor='end'>{5:.6g}</text>\n",
            kLeft, plot.width - kRight, at, kLeft - 6, at + 4, value);
    }
    svg += fmt::format("<text x='{}' y='{}' text-anchor='middle'>{}</text>\n", (kLeft + plot.width - kRight) / 2,
                       plot.height - 8, escaped(plot.xLabel));
    svg += fmt::format("<text transform='translate(16 {}) rotate(-90)' text-anchor='middle'>{}</text>\n",
                       (kTop + plot.height - kBottom) / 2, escaped(plot.yLabel));
    return svg;
}

std::string drawn(const Frame& frame, const PlotLine& line) {
    std::string points, marks;
    for (std::size_t i = 0; i < std::min(line.x.size(), line.y.size()); ++i) {
        if (!std::isfinite(line.x[i]) || !std::isfinite(line.y[i])) continue;
        const double x = frame.column(line.x[i]), y = frame.row(line.y[i]);
        points += fmt::format("{:.1f},{:.1f} ", x, y);
        if (line.marks)
            marks += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='3.5' fill='{}'/>\n", x, y, line.colour);
    }
    return fmt::format("<polyline points='{}' fill='none' stroke='{}' stroke-width='1.6'/>\n{}", points, line.colour,
                       marks);
}

std::string legend(const Plot& plot) {
    std::string svg;
    double x = plot.width - kRight;
    for (auto line = plot.lines.rbegin(); line != plot.lines.rend(); ++line) {
        x -= 7.2 * static_cast<double>(line->name.size()) + 34.0;
        svg += fmt::format(
            "<line x1='{:.0f}' x2='{:.0f}' y1='20' y2='20' stroke='{}' stroke-width='3'/>"
            "<text x='{:.0f}' y='24'>{}</text>\n",
            x, x + 20.0, line->colour, x + 25.0, escaped(line->name));
    }
    return svg;
}

}  // namespace

std::vector<double> ticks(double low, double high, int count) {
    const double raw = (high - low) / count, power = std::pow(10.0, std::floor(std::log10(raw)));
    const double share = raw / power, step = power * (share <= 1.0   ? 1.0
                                                      : share <= 2.0 ? 2.0
                                                      : share <= 5.0 ? 5.0
                                                                     : 10.0);
    std::vector<double> values;
    const auto first = static_cast<long long>(std::ceil(low / step)),
               last = static_cast<long long>(std::floor(high / step));
    for (long long i = first; i <= last; ++i) values.push_back(static_cast<double>(i) * step);
    return values;
}

std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
    return result;
}

std::string toSvg(const Plot& plot) {
    const Frame frame(plot);
    std::string svg = fmt::format(
        "<svg width='{0}' height='{1}' viewBox='0 0 {0} {1}' role='img' aria-label='{2}'>\n"
        "<text x='{3}' y='24' class='title'>{2}</text>\n",
        plot.width, plot.height, escaped(plot.title), kLeft);
    svg += axes(frame) + legend(plot);
    for (const PlotLine& line : plot.lines) svg += drawn(frame, line);
    return svg + "</svg>\n";
}

std::string toSvgFile(const Plot& plot) {
    const std::string svg = toSvg(plot), start = "<svg ";
    const std::size_t inside = svg.find('>') + 1;
    return start + "xmlns='http://www.w3.org/2000/svg' " + svg.substr(start.size(), inside - start.size()) +
           "<style>text{font:12px sans-serif;fill:#333}.title{font-weight:bold}.grid{stroke:#ddd}</style>\n"
           "<rect width='100%' height='100%' fill='white'/>" +
           svg.substr(inside);
}

}  // namespace pliant::program
