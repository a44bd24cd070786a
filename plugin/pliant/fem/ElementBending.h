// SPDX-License-Identifier: Zlib
// The functions of Element.h for bricks with an assumed strain: formulae there.
#pragma once

#include "pliant/fem/Element.h"

namespace pliant {

/// Green strain of a displacement gradient: (F'F - 1) / 2 without its cancellation at small displacements.
inline Matrix3 greenStrain(const Matrix3& A) {
    return 0.5 * (A + A.transpose() + A.transpose() * A);
}

double bentEnergy(const std::vector<ElementPoint>& points, const ElasticLaw& law, const CornerVectors& corners,
                  const BrickBending& bending);
CornerVectors bentForce(const std::vector<ElementPoint>& points, const ElasticLaw& law, const CornerVectors& corners,
                        const BrickBending& bending);
void bentStiffness(const std::vector<ElementPoint>& points, const ElasticLaw& law, const CornerVectors& corners,
                   const BrickBending& bending, ElementMatrix& stiffness);
CornerVectors bentHessianProduct(const std::vector<ElementPoint>& points, const ElasticLaw& law, const CornerVectors& a,
                                 const CornerVectors& b, const BrickBending& bending);

}  // namespace pliant
