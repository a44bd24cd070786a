// SPDX-License-Identifier: Zlib
#include "pliant/mesh/formats/SolidCells.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "pliant/math/Error.h"
#include "pliant/mesh/TextFile.h"

namespace pliant {

namespace {

/// Corners of a face, seen from outside against the clock; the fourth of a triangle is -1.
struct CellFace {
    int corners[4];
};

const std::vector<CellFace>& facesOf(SolidKind kind) {
    static const std::vector<CellFace> pyramid{
        {{0, 3, 2, 1}}, {{0, 1, 4, -1}}, {{1, 2, 4, -1}}, {{2, 3, 4, -1}}, {{3, 0, 4, -1}}};
    static const std::vector<CellFace> prism{
        {{0, 2, 1, -1}}, {{3, 4, 5, -1}}, {{0, 1, 4, 3}}, {{1, 2, 5, 4}}, {{2, 0, 3, 5}}};
    static const std::vector<CellFace> hexahedron{{{0, 3, 2, 1}}, {{4, 5, 6, 7}}, {{0, 1, 5, 4}},
                                                  {{1, 2, 6, 5}}, {{2, 3, 7, 6}}, {{3, 0, 4, 7}}};
    return kind == SolidKind::Hexahedron ? hexahedron : kind == SolidKind::Prism ? prism : pyramid;
}

/// For each vertex the number that its position has among all positions, by x, y and z.
std::vector<int> ranksOf(const Points& positions) {
    const auto key = [&positions](int v) {
        return std::array<double, 3>{positions(0, v), positions(1, v), positions(2, v)};
    };
    std::vector<int> order(static_cast<std::size_t>(positions.cols())), ranks(order.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
    int rank = -1;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i == 0 || key(order[i - 1]) != key(order[i])) ++rank;
        ranks[static_cast<std::size_t>(order[i])] = rank;
    }
    return ranks;
}

/// Splits cells of one file.
class Splitter {
public:
    Splitter(const Points& positions, const std::string& where)
        : m_positions(positions), m_where(where), m_ranks(ranksOf(positions)) {}

    /// Appends the corners of the tetrahedra of a cell to `out`: from its lowest vertex to what the other faces are cut
    /// into. @return how many
    int split(SolidKind kind, const int* corners, std::vector<int>& out) {
        int lowest = 0;
        for (int c = 1; c < cornerCount(kind); ++c)
            if (rank(corners[c]) < rank(corners[lowest])) lowest = c;
        const std::size_t begin = out.size();
        for (const CellFace& face : facesOf(kind)) {
            int polygon[4], count = 0;
            bool holdsLowest = false;
            for (const int c : face.corners) {
                if (c < 0) continue;
                polygon[count++] = corners[c];
                holdsLowest = holdsLowest || rank(corners[c]) == rank(corners[lowest]);
            }
            if (holdsLowest) continue;
            int start = 0;
            for (int c = 1; c < count; ++c)
                if (rank(polygon[c]) < rank(polygon[start])) start = c;
            for (int t = 1; t + 1 < count; ++t)
                add(corners[lowest], polygon[start], polygon[(start + t) % count], polygon[(start + t + 1) % count],
                    out);
        }
        turnOneWay(corners, begin, out);
        return static_cast<int>((out.size() - begin) / 4);
    }

private:
    int rank(int vertex) const { return m_ranks[static_cast<std::size_t>(vertex)]; }

    /// Corners that stand at one place leave tetrahedra without volume, which are left out.
    void add(int a, int b, int c, int d, std::vector<int>& out) const {
        const int ranks[4] = {rank(a), rank(b), rank(c), rank(d)};
        for (int i = 0; i < 4; ++i)
            for (int j = i + 1; j < 4; ++j)
                if (ranks[i] == ranks[j]) return;
        out.insert(out.end(), {a, b, c, d});
    }

    double volume(const int* t) const {
        const Vector3 o = m_positions.col(t[0]);
        return (m_positions.col(t[1]) - o).dot((m_positions.col(t[2]) - o).cross(m_positions.col(t[3]) - o)) / 6.0;
    }

    /// Whichever way round the program that wrote the file tells corners: VTK's prisms go the other way than Gmsh's.
    void turnOneWay(const int* corners, std::size_t begin, std::vector<int>& out) const {
        bool forward = false, backward = false;
        double largest = 0.0;
        for (std::size_t t = begin; t < out.size(); t += 4) largest = std::max(largest, std::abs(volume(&out[t])));
        // Three corners on a line make pieces without a volume, whose sign is rounding: they are left out.
        std::size_t end = begin;
        for (std::size_t t = begin; t < out.size(); t += 4) {
            if (std::abs(volume(&out[t])) <= 1e-12 * largest) continue;
            forward = forward || volume(&out[t]) > 0.0;
            backward = backward || volume(&out[t]) < 0.0;
            std::copy_n(out.begin() + static_cast<std::ptrdiff_t>(t), 4,
                        out.begin() + static_cast<std::ptrdiff_t>(end));
            end += 4;
        }
        out.resize(end);
        if (!forward)
            for (std::size_t t = begin; t < out.size(); t += 4) std::swap(out[t], out[t + 1]);
        if (!forward || !backward) return;
        throw Error(m_where,
                    "the cell at vertices " + std::to_string(corners[0]) + ", " + std::to_string(corners[1]) + ", " +
                        std::to_string(corners[2]) + ", ... turns inside out: parts of it have negative volume",
                    "mesh again, or split it into tetrahedra");
    }

    const Points& m_positions;
    std::string m_where;
    std::vector<int> m_ranks;
};

std::string numbered(int count, const std::string& one, const std::string& many) {
    return std::to_string(count) + " " + (count == 1 ? one : many);
}

}  // namespace

int cornerCount(SolidKind kind) {
    switch (kind) {
        case SolidKind::Hexahedron:
            return 8;
        case SolidKind::Prism:
            return 6;
        case SolidKind::Pyramid:
            return 5;
        default:
            return 4;
    }
}

void SolidCollector::add(SolidKind kind, const int* corners, int region) {
    m_cells.push_back({kind, m_corners.size(), region});
    m_corners.insert(m_corners.end(), corners, corners + cornerCount(kind));
}

VolumeFile SolidCollector::finish(Points positions, const std::map<int, std::string>& names,
                                  const std::string& where) const {
    VolumeFile file;
    file.hasMaterials = false;
    VolumeMesh& mesh = file.mesh;
    mesh.kind = ElementKind::Tetrahedron;
    std::map<int, int> material;  // of each region, numbered by the region's number
    for (const Cell& cell : m_cells) material[cell.region] = 0;
    for (auto& [region, index] : material) {
        index = static_cast<int>(mesh.materials.size());
        const auto name = names.find(region);
        mesh.materials.emplace_back().name = name != names.end()   ? name->second
                                             : material.size() > 1 ? "region_" + std::to_string(region)
                                                                   : "default";
    }
    const bool isSplit = std::any_of(m_cells.begin(), m_cells.end(),
                                     [](const Cell& cell) { return cell.kind != SolidKind::Tetrahedron; });
    // Positions that are no numbers have no order; repairVolume() names them.
    if (isSplit && !positions.allFinite()) throw Error(where, "a position is NaN or infinite", "mesh again");
    const Points none(3, 0);
    const Points* const cut = isSplit ? &positions : &none;  // a choice of values would be a copy that is gone soon
    Splitter splitter(*cut, where);
    std::vector<int> all;
    int counts[4] = {}, parts = 0;
    for (const Cell& cell : m_cells) {
        const int* corners = &m_corners[cell.first];
        int made = 1;
        if (cell.kind == SolidKind::Tetrahedron)
            all.insert(all.end(), corners, corners + 4);
        else
            parts += made = splitter.split(cell.kind, corners, all);
        ++counts[static_cast<int>(cell.kind)];
        mesh.elementMaterial.insert(mesh.elementMaterial.end(), static_cast<std::size_t>(made), material[cell.region]);
    }
    mesh.elements =
        Eigen::Map<const Matrix<int, 4, Eigen::Dynamic>>(all.data(), 4, static_cast<Eigen::Index>(all.size() / 4));
    mesh.positions = std::move(positions);
    std::string split;
    const char* const words[4][2] = {{}, {"pyramid", "pyramids"}, {"prism", "prisms"}, {"hexahedron", "hexahedra"}};
    for (const int kind : {3, 2, 1})
        if (counts[kind] > 0)
            split += (split.empty() ? "" : ", ") + numbered(counts[kind], words[kind][0], words[kind][1]);
    if (!split.empty())
        file.notes.push_back(split + " split into " + numbered(parts, "tetrahedron", "tetrahedra") +
                             ": solids of others are not isoparametric here");
    return file;
}

bool solidOfVtk(int vtkType, const std::string& where, SolidKind& kind) {
    constexpr int lastFlat = 9;  // 0..9: empty, points, lines, triangles, strips, polygons, pixels, quads
    if (vtkType >= 0 && vtkType <= lastFlat) return false;
    static const std::map<int, SolidKind> solids{{10, SolidKind::Tetrahedron},
                                                 {11, SolidKind::Hexahedron},
                                                 {12, SolidKind::Hexahedron},
                                                 {13, SolidKind::Prism},
                                                 {14, SolidKind::Pyramid}};
    const auto solid = solids.find(vtkType);
    if (solid == solids.end())
        throw Error(where, "cells of VTK type " + std::to_string(vtkType),
                    "linear tetrahedra, voxels, hexahedra, prisms and pyramids (types 10 to 14) are read");
    kind = solid->second;
    return true;
}

int regionNumber(double value, const std::string& where) {
    constexpr double largest = 1e9;
    if (!(std::abs(value) <= largest && value == std::floor(value)))
        throw Error(where, "region " + numberText(value) + " is no whole number", "number the regions from 0");
    return static_cast<int>(value);
}

const std::vector<std::string>& regionArrayNames() {
    static const std::vector<std::string> names{"material", "region", "gmsh:physical", "CellEntityIds"};
    return names;
}

}  // namespace pliant
