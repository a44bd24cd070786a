// SPDX-License-Identifier: Zlib
// A plot of lines as SVG text, to stand inside an HTML page: no scripts, no network.
#pragma once

#include <string>
#include <vector>

namespace pliant::program {

/// Style sheet of the pages that plots stand in.
extern const char* const pageStyle;

struct PlotLine {
    std::string name;  ///< Name for the legend.
    std::string colour;
    std::vector<double> x, y;
    bool marks = false;  ///< Whether there is a dot at every point as well.
};

struct Plot {
    std::string title, xLabel, yLabel;
    std::vector<PlotLine> lines;
    int width = 760, height = 300;  ///< Size, pixels.
};

/// Axes cover all finite points, and zero where `y` comes near it; ticks are round numbers.
std::string toSvg(const Plot& plot);

/// The same as a file of its own.
std::string toSvgFile(const Plot& plot);

/// Round numbers that divide [low, high] into about `count` parts.
std::vector<double> ticks(double low, double high, int count);

/// A text with &, < and > spelled for HTML.
std::string escaped(const std::string& text);

}  // namespace pliant::program
