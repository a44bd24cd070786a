// SPDX-License-Identifier: Zlib
// Pulls on the linear model of a body, solved as fast as a mouse moves: q = K0^-1 U' f with the rest stiffness K0.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pliant/mesh/Embedding.h"
#include "pliant/model/ReducedModel.h"

namespace pliant::program {

/// A force that was drawn, in the mesh frame.
struct DrawnForce {
    Vector3 position = Vector3::Zero();  ///< Place of the material point at rest, m.
    Vector3 force = Vector3::Zero();     ///< Force, N.
};

/// A material point and the pull that brings it to a place: p moves by C f with the compliance C = U_p K0^-1 U_p'.
class LinearPull {
public:
    explicit LinearPull(std::shared_ptr<const ReducedModel> model);

    /// Takes hold. @param restPoint mesh frame, m
    void take(const Vector3& restPoint);
    /// Pulls until the point has moved so far. @param displacement mesh frame, m. Directions in which the point cannot
    /// move are left out.
    void moveBy(const Vector3& displacement);
    /// The coordinates, r x 1, under the present pull.
    const VectorX& q() const { return m_q; }
    /// The present pull.
    DrawnForce force() const { return m_force; }
    /// Where the point is, mesh frame, m.
    Vector3 point() const;
    void release();

private:
    std::shared_ptr<const ReducedModel> m_model;
    PointLocator m_locator;
    MatrixX m_rows;  ///< U_p, 3 x r, body frame
    VectorX m_q;
    DrawnForce m_force;
};

/// The forces as `pliant reduce --sketch` reads them. @param metresPerUnit of the mesh that is reduced
std::string sketchText(const std::vector<DrawnForce>& forces, double metresPerUnit = 1.0);

}  // namespace pliant::program
