// SPDX-License-Identifier: Zlib
// The frame and the coordinates that belong to new densities (the formulas are in EditMaterial.h).
#pragma once

#include "pliant/model/ReducedModel.h"

namespace pliant {

class MassCoordinates {
public:
    /// From the densities of the model's materials and the mass parts of its groups.
    /// @throws Error when some combination of coordinates has no mass left
    explicit MassCoordinates(const ReducedModel& model);

    /// Moves everything in the model that has coordinates: frame, basis, groups, damping, surface and skeleton. Leaves
    /// energy, inertia and trees to be made anew.
    void apply(ReducedModel& model) const;

private:
    MatrixX moved(const MatrixX& rows, bool withoutMean) const;
    MatrixXf moved(const MatrixXf& rows, bool withoutMean) const;
    void moveMass(MassParts& mass) const;

    Vector3 m_centre;     ///< c, in the old body frame
    Matrix3 m_turn;       ///< Q
    MatrixX m_mean;       ///< D / m, 3 x r; zero for anchored bodies
    MatrixX m_transform;  ///< T, r x r, upper triangular
    RigidTransform m_meshFromBody;
};

}  // namespace pliant
