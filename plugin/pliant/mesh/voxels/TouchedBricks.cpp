// SPDX-License-Identifier: Zlib
#include "pliant/mesh/voxels/TouchedBricks.h"

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <map>

#include "pliant/mesh/ElementShape.h"
#include "pliant/mesh/voxels/CellShares.h"
#include "pliant/mesh/voxels/TriangleBoxTest.h"

namespace pliant {
namespace {

using LatticePlace = std::array<int, 3>;

/// The lattice that bricks stand on, and which brick stands where.
class BrickLattice {
public:
    explicit BrickLattice(const VolumeMesh& bricks) : m_shape(fitBrick(elementCorners(bricks, 0))) {
        for (int e = 0; e < bricks.elementCount(); ++e) {
            const Vector3 lower = placeInBrick(m_shape, bricks.positions.col(bricks.elements(0, e)));
            LatticePlace place{};
            for (int k = 0; k < 3; ++k) place[static_cast<std::size_t>(k)] = static_cast<int>(std::lround(lower[k]));
            m_brick[place] = e;
        }
    }

    int layersOf(double thickness) const { return wallLayers(m_shape.sides, thickness); }

    /// @param corners  of a triangle, a column each, m
    void mark(const Matrix3& corners, std::vector<bool>& touched) const {
        std::array<Vector3, 3> x;
        for (int c = 0; c < 3; ++c) x[static_cast<std::size_t>(c)] = placeInBrick(m_shape, corners.col(c));
        const Vector3 lower = x[0].cwiseMin(x[1]).cwiseMin(x[2]), upper = x[0].cwiseMax(x[1]).cwiseMax(x[2]);
        const auto cell = [](double at) { return static_cast<int>(std::floor(at)); };
        const double slack = TriangleBoxTest::slack;
        const TriangleBoxTest test(x);
        for (int i = cell(lower[0] - slack); i <= cell(upper[0] + slack); ++i)
            for (int j = cell(lower[1] - slack); j <= cell(upper[1] + slack); ++j)
                for (int k = cell(lower[2] - slack); k <= cell(upper[2] + slack); ++k) {
                    const auto found = m_brick.find({i, j, k});
                    if (found == m_brick.end() || touched[static_cast<std::size_t>(found->second)]) continue;
                    if (test.touches(Vector3(i + 0.5, j + 0.5, k + 0.5)))
                        touched[static_cast<std::size_t>(found->second)] = true;
                }
    }

private:
    BrickShape m_shape;  // of the first one: places count in bricks from there
    std::map<LatticePlace, int> m_brick;
};

}  // namespace

std::vector<bool> touchedBricks(const VolumeMesh& bricks, const SurfaceMesh& surface, const std::vector<bool>& wanted,
                                double thickness) {
    std::vector<bool> touched(static_cast<std::size_t>(bricks.elementCount()), false);
    const BrickLattice lattice(bricks);
    const int layers = thickness > 0.0 ? lattice.layersOf(thickness) : 1;
    for (int t = 0; t < surface.triangleCount(); ++t) {
        if (!wanted[static_cast<std::size_t>(t)]) continue;
        Matrix3 corners;
        for (int c = 0; c < 3; ++c) corners.col(c) = surface.positions.col(surface.triangles(c, t));
        const Vector3 normal =
            (corners.col(1) - corners.col(0)).cross(corners.col(2) - corners.col(0)).stableNormalized();
        lattice.mark(corners, touched);
        for (int layer = 0; layer < layers && thickness > 0.0; ++layer)
            lattice.mark(corners.colwise() + thickness * ((layer + 0.5) / layers - 0.5) * normal, touched);
    }
    return touched;
}

}  // namespace pliant
