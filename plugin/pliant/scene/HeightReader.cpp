// SPDX-License-Identifier: Zlib
#include "pliant/scene/HeightReader.h"

#include <charconv>
#include <cmath>
#include <sstream>

#include "pliant/math/Error.h"
#include "pliant/mesh/TextFile.h"

namespace pliant::scene {
namespace {

constexpr std::size_t kMostHeights = 16'000'000;
constexpr double kHighest = 1.0e5;  // m

bool separates(char c) {
    return c == ',' || c == ';' || c == ' ' || c == '\t' || c == '\r';
}

/// The numbers of a line, appended. @return how many
int readRow(const std::string& line, double scale, const std::string& where, std::vector<float>& heights) {
    int count = 0;
    const char* at = line.data();
    const char* const end = at + line.size();
    for (;; ++count) {
        while (at != end && separates(*at)) ++at;
        if (at == end) return count;
        double value = 0.0;
        const auto [next, problem] = std::from_chars(at + (*at == '+' ? 1 : 0), end, value);
        if (problem != std::errc() || (next != end && !separates(*next)) || !std::isfinite(value))
            throw Error(where, "number " + std::to_string(count + 1) + " of this line is no finite number",
                        "a height field is a table of heights");
        value *= scale;
        if (!(std::abs(value) <= kHighest))
            throw Error(where, "a height is more than 100 km", "\"scale\" says what a unit of the heights is, m");
        if (heights.size() == kMostHeights)
            throw Error(where, "there are more than " + std::to_string(kMostHeights) + " heights",
                        "make the grid coarser");
        heights.push_back(static_cast<float>(value));
        at = next;
    }
}

}  // namespace

HeightTable readHeightTable(const std::string& path, double spacing, double scale) {
    HeightTable table;
    table.spacing = spacing;
    std::istringstream text(readTextFile(path));
    int number = 0;
    for (std::string line; std::getline(text, line);) {
        const std::string where = path + ":" + std::to_string(++number);
        if (line.empty() || line[0] == '#') continue;
        const int columns = readRow(line, scale, where, table.heights);
        if (columns == 0) continue;
        if (table.columns == 0) table.columns = columns;
        if (columns != table.columns)
            throw Error(
                where,
                "this row has " + std::to_string(columns) + " heights, the first one " + std::to_string(table.columns),
                "all rows of a height field are as long");
        ++table.rows;
    }
    if (table.rows < 2 || table.columns < 2)
        throw Error(path,
                    "has " + std::to_string(table.rows) + " rows of " + std::to_string(table.columns) + " heights",
                    "a height field has at least two of both");
    return table;
}

SurfaceMesh surfaceOf(const HeightTable& table) {
    SurfaceMesh mesh;
    mesh.positions.resize(3, static_cast<Eigen::Index>(table.heights.size()));
    mesh.triangles.resize(3, 2 * static_cast<Eigen::Index>(table.rows - 1) * (table.columns - 1));
    const double halfX = 0.5 * table.spacing * (table.columns - 1), halfY = 0.5 * table.spacing * (table.rows - 1);
    Eigen::Index vertex = 0, triangle = 0;
    for (int j = 0; j < table.rows; ++j)
        for (int i = 0; i < table.columns; ++i, ++vertex) {
            mesh.positions.col(vertex) << i * table.spacing - halfX, j * table.spacing - halfY,
                static_cast<double>(table.heights[static_cast<std::size_t>(vertex)]);
            if (i + 1 == table.columns || j + 1 == table.rows) continue;
            const int a = static_cast<int>(vertex), b = a + 1, c = a + table.columns, d = c + 1;
            mesh.triangles.col(triangle++) << a, b, c;
            mesh.triangles.col(triangle++) << b, d, c;
        }
    return mesh;
}

}  // namespace pliant::scene
