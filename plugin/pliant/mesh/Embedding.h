// SPDX-License-Identifier: Zlib
// Points that move with a simulation mesh: trilinear in a brick, barycentric in a tetrahedron.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "pliant/mesh/VolumeMesh.h"

namespace pliant {

/// A point of the material: x = sum_c weight[c] * position(vertex[c]); weights sum to 1.
struct MaterialPoint {
    std::array<int, 8> vertex{};  ///< simulation vertices; unused entries are 0 with weight 0
    std::array<double, 8> weight{};
    int element = -1;       ///< the element it lies in, or the nearest one
    double distance = 0.0;  ///< metres outside that element (0 inside); weights then extrapolate
};

/// Finds the element that holds a point, through a spatial index built once.
class PointLocator {
public:
    explicit PointLocator(const VolumeMesh& mesh);  ///< keeps no reference to `mesh`
    ~PointLocator();
    PointLocator(PointLocator&&) noexcept;
    PointLocator& operator=(PointLocator&&) noexcept;

    /// The material point at rest position x (metres, the mesh's frame). Outside the mesh: of the nearest element.
    MaterialPoint locate(const Vector3& x) const;

private:
    struct Index;
    std::unique_ptr<Index> m_index;
};

/// locate() for every column of `points` (3 x k).
std::vector<MaterialPoint> embed(const VolumeMesh& mesh, const Points& points);

/// Rows of a basis at material points: `basis` 3n x r over simulation vertices -> 3k x r.
MatrixX interpolateBasis(const std::vector<MaterialPoint>& points, const MatrixX& basis);

}  // namespace pliant
