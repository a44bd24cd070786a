// SPDX-License-Identifier: Zlib
/// @file
/// Surfaces of Bullet's own bodies, and what a solid inside of them weighs.
#pragma once

#include <vector>

#include "pliant/math/Api.h"
#include "pliant/math/Types.h"
#include "pliant/mesh/SurfaceMesh.h"

namespace pliant::scene {

/// What a homogeneous solid inside of a surface has.
struct SolidMoments {
    double volume = 0.0;                   ///< m^3; negative where the triangles look inwards.
    Vector3 centre = Vector3::Zero();      ///< Of mass, m.
    Vector3 inertia = Vector3::Zero();     ///< About axes through the centre, of 1 kg, m^2.
    Matrix3 tensor = Matrix3::Identity();  ///< The same with its products, m^2.
};

/// Volume, centre of mass and inertia of the solid inside of a closed surface, by signed tetrahedra from the middle of
/// its vertices (exact for a closed surface). @param surface at least one triangle
PLIANT_INTERNAL_API SolidMoments solidMoments(const SurfaceMesh& surface);

/// Vertices of each connected piece of a surface: numbers of vertices, pieces in the order of their first one. Vertices
/// in one place are one.
PLIANT_INTERNAL_API std::vector<std::vector<int>> piecesOf(const SurfaceMesh& surface);

}  // namespace pliant::scene
