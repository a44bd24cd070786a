// SPDX-License-Identifier: Zlib
// A frame that the material carries: what joints are fastened to. Body frame; SI units.
//
// Position: x = X_s + U_s q. Orientation: the rotation R of the polar decomposition F = R S of the deformation gradient
// F = 1 + du/dX of the element that holds the point (of a brick: at its centre, where F is the mean over the brick).
// R is the rotation nearest to F, so it favours no vertex and is the same for every numbering; three material points
// would have to be chosen, and would mistake shear for rotation. One element is enough: reduced shapes vary over
// lengths far larger than it.
//
// A point well outside of the mesh (in the middle of a ring, at the end of a bracket) is carried rigidly by the frame
// of the nearest element: x = X_c + U_c q + R d, c the element's centre and d = X - X_c.
//
// Rates: R'F. = W S + S. with the cross matrix W of w, and S. is symmetric, so
//     (tr(S) 1 - S) w = axial(R'F. - F.'R),      angular velocity of R: R w in the body frame.
#pragma once

#include <algorithm>

#include "pliant/math/Api.h"
#include "pliant/mesh/Embedding.h"
#include "pliant/model/ReducedModel.h"

namespace pliant {

class PLIANT_INTERNAL_API MaterialFrame {
public:
    /// @param point of model.mesh  @param meshFrame the frame at rest, in the mesh's frame; its origin is where `point`
    /// is, or what the nearest element carries
    MaterialFrame(const ReducedModel& model, const MaterialPoint& point, const RigidTransform& meshFrame);

    /// Of what is given and taken from now on: the first coordinates of the model's alone, at most r. r at first.
    void setDetail(Eigen::Index coordinates) { m_moving = std::min(coordinates, m_basis.cols()); }
    /// Follows the deformation q (r x 1).
    void update(const double* q);
    const Vector3& position() const { return m_position; }          ///< The origin as update() left it, m.
    const Vector3& restPosition() const { return m_restPosition; }  ///< The origin at q = 0, m.
    const Matrix3& rotation() const { return m_rotation; }          ///< The rotation R of the material.
    Matrix3 basis() const { return m_rotation * m_restBasis; }

    /// F = 1 + du/dX of the element that holds the point, in the body frame, whatever update() was told. @param q as
    /// there
    Matrix3 deformationGradient(const double* q) const { return Matrix3::Identity() + stretchRate(q); }

    /// Adds to `modal` the generalised force (r x 1) of a force (N) and a couple (N m) that act on the frame, at the q
    /// of update(): power is the same, modal . q' = force . velocity(q') + couple . angularVelocity(q').
    void addGeneralised(const Vector3& force, const Vector3& couple, double* modal) const;
    Vector3 velocity(const double* qRate) const;         ///< The velocity of the origin, m/s.
    Vector3 angularVelocity(const double* qRate) const;  ///< The angular velocity of R, rad/s.

private:
    Matrix3 stretchRate(const double* qRate) const;  ///< F.

    Eigen::Index m_moving = 0;  ///< coordinates that move
    MatrixX m_basis;            ///< U_s, 3 x r
    MatrixX m_gradient;         ///< 9 x r: columns are dF/dq_j, column-major
    Vector3 m_restPosition;
    Vector3 m_arm;  ///< d
    Matrix3 m_restBasis;
    Vector3 m_position;
    Matrix3 m_rotation;
    Matrix3 m_turn;  ///< (tr(S) 1 - S)^-1
};

}  // namespace pliant
