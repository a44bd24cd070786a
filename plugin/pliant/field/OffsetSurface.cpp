// SPDX-License-Identifier: Zlib
#include "pliant/field/OffsetSurface.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "pliant/field/FieldGrid.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/SurfaceNormals.h"
#include "pliant/mesh/TextFile.h"
#include "pliant/skeleton/SurfaceDistance.h"

namespace pliant {
namespace {

const char* const kOffsetPlace = "offset surface";
constexpr int kPulls = 4;  ///< times that a vertex is pulled onto the level set

using OffsetSample = Eigen::Vector3i;

/// Heights of samples over the level set, in bricks; and which of them a flood from the border reaches above it.
class OffsetGrid {
public:
    OffsetGrid(const FieldGrid& grid, const SurfaceDistance& surface, double offset)
        : m_grid(grid),
          m_size(kCellsOfBrick * grid.bricks),
          m_height(count(), std::numeric_limits<float>::max()),
          m_isOutside(count(), 0) {
        measure(surface, offset);
        flood();
    }

    const OffsetSample& size() const { return m_size; }
    bool isOutside(const OffsetSample& s) const { return m_isOutside[at(s)] != 0; }
    /// d - offset, m; at most a spacing's worth of use beyond the neighbours of the level set.
    double height(const OffsetSample& s) const { return static_cast<double>(m_height[at(s)]); }

private:
    std::size_t count() const {
        return static_cast<std::size_t>(m_size[0]) * static_cast<std::size_t>(m_size[1]) *
               static_cast<std::size_t>(m_size[2]);
    }
    std::size_t at(const OffsetSample& s) const {
        return static_cast<std::size_t>(s[0]) +
               static_cast<std::size_t>(m_size[0]) *
                   (static_cast<std::size_t>(s[1]) +
                    static_cast<std::size_t>(m_size[1]) * static_cast<std::size_t>(s[2]));
    }
    /// Heights of all samples in bricks that come as near as the neighbours of the level set.
    void measure(const SurfaceDistance& surface, double offset) {
        const double reach = offset + 2.0 * m_grid.spacing, far = reach + m_grid.brickRadius();
        tbb::parallel_for(0, m_grid.brickCount(), [&](int number) {
            if (surface.squaredDistance(m_grid.brickMiddle(number), far * far) >= far * far) return;
            const OffsetSample first = kCellsOfBrick * m_grid.brick(number);
            for (int z = 0; z < kCellsOfBrick; ++z)
                for (int y = 0; y < kCellsOfBrick; ++y)
                    for (int x = 0; x < kCellsOfBrick; ++x) {
                        const OffsetSample s = first + OffsetSample(x, y, z);
                        const double d2 = surface.squaredDistance(m_grid.place(s), reach * reach);
                        m_height[at(s)] = static_cast<float>(std::sqrt(d2) - offset);
                    }
        });
    }
    /// From the border, which is farther away than the offset, along edges between samples that are, too.
    void flood() {
        std::vector<OffsetSample> open{OffsetSample(0, 0, 0)};
        m_isOutside[0] = 1;
        while (!open.empty()) {
            const OffsetSample from = open.back();
            open.pop_back();
            for (int axis = 0; axis < 3; ++axis)
                for (const int step : {-1, 1}) {
                    OffsetSample next = from;
                    next[axis] += step;
                    if (next[axis] < 0 || next[axis] >= m_size[axis]) continue;
                    const std::size_t n = at(next);
                    if (m_isOutside[n] != 0 || !(m_height[n] > 0.0f)) continue;
                    m_isOutside[n] = 1;
                    open.push_back(next);
                }
        }
    }

    FieldGrid m_grid;
    OffsetSample m_size;
    std::vector<float> m_height;
    std::vector<std::uint8_t> m_isOutside;
};

/// A vertex in each cell that the level set crosses, a quad around each edge that it crosses.
class SurfaceNet {
public:
    SurfaceNet(const FieldGrid& grid, const OffsetGrid& samples)
        : m_grid(grid), m_samples(samples), m_size(samples.size().array() - 1) {
        m_vertex.assign(static_cast<std::size_t>(m_size[0]) * static_cast<std::size_t>(m_size[1]) *
                            static_cast<std::size_t>(m_size[2]),
                        -1);
        forCells([&](const OffsetSample& cell) { addVertex(cell); });
        forCells([&](const OffsetSample& cell) {
            for (int axis = 0; axis < 3; ++axis) addQuad(cell, axis);
        });
    }
    std::vector<Vector3> points;
    std::vector<Eigen::Vector3i> triangles;

private:
    template <class Visit>
    void forCells(const Visit& visit) const {
        OffsetSample cell;
        for (cell[2] = 0; cell[2] < m_size[2]; ++cell[2])
            for (cell[1] = 0; cell[1] < m_size[1]; ++cell[1])
                for (cell[0] = 0; cell[0] < m_size[0]; ++cell[0]) visit(cell);
    }
    int& vertexOf(const OffsetSample& cell) {
        return m_vertex[static_cast<std::size_t>(cell[0]) +
                        static_cast<std::size_t>(m_size[0]) *
                            (static_cast<std::size_t>(cell[1]) +
                             static_cast<std::size_t>(m_size[1]) * static_cast<std::size_t>(cell[2]))];
    }
    void addVertex(const OffsetSample& cell) {
        Vector3 sum = Vector3::Zero();
        int crossings = 0;
        for (int corner = 0; corner < 8; ++corner)
            for (int axis = 0; axis < 3; ++axis) {
                if (corner >> axis & 1) continue;
                const OffsetSample a = cell + OffsetSample(corner & 1, corner >> 1 & 1, corner >> 2);
                OffsetSample b = a;
                ++b[axis];
                if (m_samples.isOutside(a) == m_samples.isOutside(b)) continue;
                const double ha = m_samples.height(a), hb = m_samples.height(b);
                const double share = std::clamp(ha / (ha - hb), 0.0, 1.0);
                sum += (1.0 - share) * m_grid.place(a) + share * m_grid.place(b);
                ++crossings;
            }
        if (crossings == 0) return;
        vertexOf(cell) = static_cast<int>(points.size());
        points.push_back(sum / crossings);
    }
    /// Around the edge from the cell's lowest sample along `axis`, in which four cells meet.
    void addQuad(const OffsetSample& cell, int axis) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        if (cell[u] == 0 || cell[v] == 0) return;
        OffsetSample end = cell;
        ++end[axis];
        const bool startsOutside = m_samples.isOutside(cell);
        if (startsOutside == m_samples.isOutside(end)) return;
        std::array<int, 4> corners{};
        for (std::size_t k = 0; k < 4; ++k) {  // counter-clockwise when seen from the edge's end
            OffsetSample around = cell;
            if (k == 1 || k == 2) --around[u];
            if (k >= 2) --around[v];
            corners[k] = vertexOf(around);
        }
        if (startsOutside) std::swap(corners[1], corners[3]);
        const auto length = [&](std::size_t a, std::size_t b) {
            return (points[static_cast<std::size_t>(corners[a])] - points[static_cast<std::size_t>(corners[b])]).norm();
        };
        const std::size_t first = length(0, 2) <= length(1, 3) ? 0 : 1;
        for (const std::size_t second : {first + 1, first + 2})
            triangles.emplace_back(corners[first], corners[second % 4], corners[(second + 1) % 4]);
    }

    FieldGrid m_grid;
    const OffsetGrid& m_samples;
    OffsetSample m_size;
    std::vector<int> m_vertex;
};

/// Along the way from the nearest point of the triangles, no farther than a spacing from where it was.
Vector3 pulled(const Vector3& start, const SurfaceDistance& surface, double offset, double spacing) {
    Vector3 x = start;
    for (int i = 0; i < kPulls; ++i) {
        const Vector3 nearest = surface.nearest(x), way = x - nearest;
        const double d = way.norm();
        if (!(d > 0.0)) break;
        const Vector3 next = nearest + offset / d * way;
        if ((next - start).norm() > spacing) break;
        x = next;
    }
    return x;
}

FieldGrid offsetGrid(const SurfaceMesh& surface, double offset, double spacing) {
    const Vector3 lower = surface.positions.rowwise().minCoeff(), upper = surface.positions.rowwise().maxCoeff();
    const double padding = offset + 3.0 * spacing;
    const Vector3 samples = (upper - lower).array() / spacing + 2.0 * padding / spacing + kCellsOfBrick;
    if (!(samples.prod() <= static_cast<double>(kMostOffsetSamples)))
        throw Error(kOffsetPlace,
                    "an offset of " + numberText(offset) + " m is too narrow for a surface of " +
                        numberText((upper - lower).maxCoeff()) + " m: its grid would have more than " +
                        std::to_string(kMostOffsetSamples) + " samples",
                    "ask for a wider offset, or close the surface in a modelling program");
    return gridAround(lower, upper, spacing, padding);
}

}  // namespace

SurfaceMesh offsetSurface(const SurfaceMesh& surface, double offset, double spacing) {
    if (surface.triangleCount() == 0 || !surface.positions.allFinite())
        throw Error(kOffsetPlace, "the surface has no triangles or a vertex that is not finite");
    if (!(offset > 0.0 && spacing > 0.0 && spacing < 2.0 * offset && std::isfinite(offset)))
        throw Error(
            kOffsetPlace,
            "an offset of " + numberText(offset) + " m on a grid of " + numberText(spacing) + " m is impossible",
            "give a positive offset and a spacing below twice of it");
    const FieldGrid grid = offsetGrid(surface, offset, spacing);
    const SurfaceDistance distance(surface.positions, surface.triangles);
    const OffsetGrid samples(grid, distance, offset);
    const SurfaceNet net(grid, samples);
    SurfaceMesh made;
    made.positions.resize(3, static_cast<Eigen::Index>(net.points.size()));
    tbb::parallel_for(Eigen::Index(0), made.positions.cols(), [&](Eigen::Index v) {
        made.positions.col(v) = pulled(net.points[static_cast<std::size_t>(v)], distance, offset, spacing);
    });
    made.triangles.resize(3, static_cast<Eigen::Index>(net.triangles.size()));
    for (Eigen::Index t = 0; t < made.triangles.cols(); ++t)
        made.triangles.col(t) = net.triangles[static_cast<std::size_t>(t)];
    made.triangleMaterial.assign(net.triangles.size(), 0);
    made.materials = {surface.materials.empty() ? SurfaceMaterial() : surface.materials.front()};
    computeNormals(made);
    return made;
}

}  // namespace pliant
