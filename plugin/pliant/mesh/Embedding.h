// SPDX-License-Identifier: Zlib
/// @file
/// Points that move with a simulation mesh.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/mesh/VolumeMesh.h"

namespace pliant {

/// A point of the material, x = sum_c weight[c] * position(vertex[c]): trilinear in a brick, barycentric in a
/// tetrahedron.
struct MaterialPoint {
    std::array<int, 8> vertex{};     ///< Simulation vertices; unused entries are 0 with weight 0.
    std::array<double, 8> weight{};  ///< Weights of the vertices; their sum is 1.
    int element = -1;                ///< The element that the point lies in, or the nearest one.
    /// How far the point is outside of that element, m (0 inside); weights then extrapolate.
    double distance = 0.0;
};

/// Finds the element that holds a point, through a spatial index built once.
class PLIANT_API PointLocator {
public:
    /// Builds the index; keeps no reference to `mesh`.
    explicit PointLocator(const VolumeMesh& mesh);
    ~PointLocator();
    /// Takes the index over.
    PointLocator(PointLocator&&) noexcept;
    PointLocator& operator=(PointLocator&&) noexcept;  ///< Takes the index over.

    /// The material point at rest position x (m, the mesh's frame); outside of the mesh that of the nearest element.
    MaterialPoint locate(const Vector3& x) const;

private:
    struct PLIANT_HIDDEN Index;
    std::unique_ptr<Index> m_index;
};

/// The material points of every column of `points` (3 x k, m, the mesh's frame).
PLIANT_API std::vector<MaterialPoint> embed(const VolumeMesh& mesh, const Points& points);

/// Rows of a basis at material points.
/// @param points k points
/// @param basis 3n x r, over the simulation vertices
/// @return 3k x r
PLIANT_API MatrixX interpolateBasis(const std::vector<MaterialPoint>& points, const MatrixX& basis);

}  // namespace pliant
