// SPDX-License-Identifier: Zlib
// The frame of a body at rest: origin at the centre of mass, axes along the principal axes of inertia.
#pragma once

#include "pliant/fem/FullModel.h"
#include "pliant/math/Types.h"
#include "pliant/model/PrincipalAxes.h"

namespace pliant {

struct BodyFrame {
    RigidTransform meshFromBody;  ///< Transform from the body's frame to the mesh's, right-handed.
    double mass = 0.0;            ///< Mass of the body, kg.
    /// Moments of inertia about the body's x, y and z axes (not sorted), kg m^2.
    Vector3 principalInertia = Vector3::Zero();
};

/// From the model's own mass matrix. Principal axes are free up to order and sign, and up to a rotation where moments
/// repeat (a cube, a basket); of all choices this one takes the axes closest to those of the mesh.
BodyFrame bodyFrame(const FullModel& model);

/// @param M 3n x 3n, kg, consistent or lumped  @param positions 3 x n, metres
BodyFrame bodyFrame(const SparseMatrix& M, const Points& positions);

}  // namespace pliant
