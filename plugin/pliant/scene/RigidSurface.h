// SPDX-License-Identifier: Zlib
/// @file
/// Surfaces of Bullet's own bodies, and what a solid inside of them weighs.
#pragma once

#include <vector>

#include "pliant/math/Api.h"
#include "pliant/math/Types.h"
#include "pliant/mesh/SurfaceMesh.h"
#include "pliant/scene/SceneDescription.h"

namespace pliant::scene {

/// What a homogeneous solid inside of a surface has.
struct SolidMoments {
    double volume = 0.0;                ///< Volume, m^3; negative where the triangles look inwards.
    Vector3 centre = Vector3::Zero();   ///< Of mass, m.
    Matrix3 inertia = Matrix3::Zero();  ///< About axes through the centre, of 1 kg, with its products, m^2.
};

/// Volume, centre of mass and inertia of the solid inside of a closed surface, by signed tetrahedra from the middle of
/// its vertices (exact for a closed surface). @param surface at least one triangle
PLIANT_INTERNAL_API SolidMoments solidMoments(const SurfaceMesh& surface);

/// The axes through the centre of mass about which a body has no products of inertia.
/// @param inertia symmetric, 3 x 3, m^2 or kg m^2
/// @return rotation, columns along the principal axes, as near to the given ones as they go; exactly the identity where
///     the products are below 1e-6 of the trace, which is rounding of a body that lies along its axes
PLIANT_INTERNAL_API Matrix3 principalAxes(const Matrix3& inertia);

/// What a mesh or a hull is made of. @throws Error where a program has made the group without a surface
PLIANT_INTERNAL_API const SurfaceMesh& surfaceOf(const RigidGroup& group);

/// The numbers of the vertices that triangles name, rising.
PLIANT_INTERNAL_API std::vector<int> usedVertices(const SurfaceMesh& surface);

/// Vertices of each connected piece of a surface: numbers of vertices, pieces in the order of their first one. Vertices
/// in one place are one.
PLIANT_INTERNAL_API std::vector<std::vector<int>> piecesOf(const SurfaceMesh& surface);

}  // namespace pliant::scene
