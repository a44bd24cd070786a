// SPDX-License-Identifier: Zlib
#include "pliant/mesh/ClosedSurface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <unordered_map>

namespace pliant {
namespace {

using GridCell = std::array<std::int64_t, 3>;

struct GridCellHash {
    std::size_t operator()(const GridCell& cell) const {
        std::uint64_t hash = 0;
        for (const std::int64_t k : cell) hash = (hash ^ static_cast<std::uint64_t>(k)) * 0x9E3779B97F4A7C15u;
        return static_cast<std::size_t>(hash ^ (hash >> 32));
    }
};

/// The places so far, in cells much wider than the tolerance: a point looks into at most eight.
class Places {
public:
    Places(const Points& positions, double tolerance)
        : m_positions(positions), m_tolerance(tolerance), m_lower(positions.rowwise().minCoeff()) {
        // Cells that are too many to count would help nobody.
        m_width = std::max(8.0 * tolerance, 1e-9 * (positions.rowwise().maxCoeff() - m_lower).norm());
        if (!(m_width > 0.0)) m_width = 1.0;
    }

    /// The first place that holds x; `vertex` becomes one where there is none.
    int placeOf(int vertex) {
        const Vector3 x = m_positions.col(vertex);
        const GridCell from = cell(x.array() - m_tolerance), to = cell(x.array() + m_tolerance);
        int first = vertex;
        GridCell c{};
        for (c[0] = from[0]; c[0] <= to[0]; ++c[0])
            for (c[1] = from[1]; c[1] <= to[1]; ++c[1])
                for (c[2] = from[2]; c[2] <= to[2]; ++c[2]) {
                    const auto found = m_places.find(c);
                    if (found == m_places.end()) continue;
                    for (const int other : found->second)
                        if ((m_positions.col(other) - x).norm() <= m_tolerance) first = std::min(first, other);
                }
        if (first == vertex) m_places[cell(x)].push_back(vertex);
        return first;
    }

private:
    GridCell cell(const Vector3& x) const {
        GridCell c{};
        for (int k = 0; k < 3; ++k)
            c[static_cast<std::size_t>(k)] = static_cast<std::int64_t>(std::floor((x[k] - m_lower[k]) / m_width));
        return c;
    }

    const Points& m_positions;
    double m_tolerance, m_width = 0.0;
    Vector3 m_lower;
    std::unordered_map<GridCell, std::vector<int>, GridCellHash> m_places;
};

}  // namespace

std::vector<int> firstAtPlace(const Points& positions, double tolerance) {
    std::vector<int> first;
    if (positions.cols() == 0) return first;
    Places places(positions, tolerance);
    for (int v = 0; v < static_cast<int>(positions.cols()); ++v) first.push_back(places.placeOf(v));
    return first;
}

Triangles trianglesBetweenPlaces(const SurfaceMesh& surface, TriangleCopies copies) {
    if (surface.triangleCount() == 0 || surface.vertexCount() == 0) return Triangles(3, 0);
    const Points& x = surface.positions;
    const std::vector<int> first = firstAtPlace(x, 1e-6 * (x.rowwise().maxCoeff() - x.rowwise().minCoeff()).norm());
    std::set<std::array<int, 3>> known;
    Triangles triangles(3, surface.triangleCount());
    Eigen::Index count = 0;
    for (int t = 0; t < surface.triangleCount(); ++t) {
        std::array<int, 3> corners{};
        for (std::size_t c = 0; c < 3; ++c)
            corners[c] = first[static_cast<std::size_t>(surface.triangles(static_cast<Eigen::Index>(c), t))];
        const Eigen::Vector3i asIs(corners[0], corners[1], corners[2]);
        std::sort(corners.begin(), corners.end());
        if (corners[0] == corners[1] || corners[1] == corners[2]) continue;
        if (copies == TriangleCopies::LeftOut && !known.insert(corners).second) continue;
        triangles.col(count++) = asIs;
    }
    triangles.conservativeResize(3, count);
    return triangles;
}

OpenEdges openEdges(const Points& positions, const Triangles& triangles) {
    std::vector<std::pair<int, int>> edges;
    for (const auto& corners : triangles.colwise())
        for (int c = 0; c < 3; ++c) edges.push_back(std::minmax({corners[c], corners[(c + 1) % 3]}));
    std::sort(edges.begin(), edges.end());
    OpenEdges open;
    for (auto at = edges.begin(); at != edges.end();) {
        const auto next = std::upper_bound(at, edges.end(), *at);
        if ((next - at) % 2 != 0 && open.count++ == 0)
            open.place = 0.5 * (positions.col(at->first) + positions.col(at->second));
        at = next;
    }
    return open;
}

bool isClosed(const SurfaceMesh& surface) {
    const Triangles triangles = trianglesBetweenPlaces(surface);
    return triangles.cols() > 0 && openEdges(surface.positions, triangles).count == 0;
}

}  // namespace pliant
