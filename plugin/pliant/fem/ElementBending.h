// SPDX-License-Identifier: Zlib
// The functions of Element.h for bricks with an assumed strain: formulae there.
#pragma once

#include <array>

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
/// What second derivatives at rest take of a displacement field alone: gradients A at the points of a brick, and the
/// stresses L' C L of their linear strains.
struct BentGradient {
    std::array<Matrix3, 27> gradient, stress;  ///< As many of them as there are points.
};
BentGradient bentGradient(const std::vector<ElementPoint>& points, const ElasticLaw& law, const CornerVectors& corners,
                          const BrickBending& bending);
CornerVectors bentHessianProduct(const std::vector<ElementPoint>& points, const ElasticLaw& law, const BentGradient& a,
                                 const BentGradient& b, const BrickBending& bending);
CornerVectors bentHessianProduct(const std::vector<ElementPoint>& points, const ElasticLaw& law, const CornerVectors& a,
                                 const CornerVectors& b, const BrickBending& bending);

}  // namespace pliant
