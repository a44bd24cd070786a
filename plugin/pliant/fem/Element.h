// SPDX-License-Identifier: Zlib
// One StVK element on small blocks: free functions of its points, its material and its corner displacements U_e (3 x
// c). Assembly is elsewhere (FullModel). With F = 1 + U_e G, Green strain E = (F'F - 1) / 2 and second Piola stress S =
// C E (isotropic: lambda_L tr(E) 1 + 2 mu_L E), the energy density is E : S / 2 and the first Piola stress P = F S.
// Bricks that stand alone across a thin wall have an assumed strain [BB93] in place of E: the energy is the integral of
// psi(L E), psi(E) = E : S / 2. L keeps the volume mean of E, so that rotations still cost nothing and constant strains
// their whole energy. Of what varies linearly along an axis it keeps, times the filled share of that side, the strains
// of the plane across it: the shear, and the normal strains with as much of their mean as makes C act like plane
// stress, so that bends have E / (1 - nu^2) and twists mu. Shears that vary along one of their own axes are dropped:
// a trilinear brick bends with them, a plate does not. The rest counts with the root of BrickBending::rest. L is
// symmetric in the inner product of the volume, so that with the stress L C L E all formulae stay what they are.
// Bricks that a surface cuts have their material in a box (VolumeMesh::filledBoxes), over which all means and slopes
// are. Of these bricks L takes a shear, wherever in the plane of its two axes the material is, from the middle of the
// brick in that plane: there the shears are right that trilinear displacements have of a body that bends, and nowhere
// else [W73, BB93]. The stress is then L' C L E with the transpose L' of L in the inner product of the box. Signs:
// force is dEnergy/du, the left-hand side of M u'' + f(u) = f_external.
#pragma once

#include <vector>

#include "pliant/fem/ElasticLaw.h"
#include "pliant/mesh/Quadrature.h"

namespace pliant {

/// 3c x 3c block of an element, entry (3a + i, 3b + k); never on the heap.
using ElementMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor | Eigen::DontAlign, 24, 24>;

/// Strain energy, J.
/// @param bending  how the strain's variation inside the element counts; here and below
double elementEnergy(const std::vector<ElementPoint>& points, const ElasticLaw& law, const CornerVectors& corners,
                     const BrickBending& bending = {});
/// Force dEnergy/dU_e, 3 x c, N.
CornerVectors elementForce(const std::vector<ElementPoint>& points, const ElasticLaw& law, const CornerVectors& corners,
                           const BrickBending& bending = {});
/// Stiffness d2Energy/dU_e2, 3c x 3c, symmetric, N/m; `stiffness` is overwritten.
void elementStiffness(const std::vector<ElementPoint>& points, const ElasticLaw& law, const CornerVectors& corners,
                      ElementMatrix& stiffness, const BrickBending& bending = {});
/// (H : b) a = second derivative of the force at rest in the directions a and b, N/m^2 times their units; symmetric
/// in a and b. Exact with GaussRule::Cubic.
CornerVectors elementHessianProduct(const std::vector<ElementPoint>& points, const ElasticLaw& law,
                                    const CornerVectors& a, const CornerVectors& b, const BrickBending& bending = {});

/// Second derivative of P = F S at rest in the directions of the displacement gradients A and B (3 x 3), given their
/// linear stresses SA = S(sym A) and SB = S(sym B).
inline Matrix3 secondPiolaDerivative(const ElasticLaw& law, const Matrix3& A, const Matrix3& SA, const Matrix3& B,
                                     const Matrix3& SB) {
    const Matrix3 C = A.transpose() * B;
    return A * SB + B * SA + stressOf(law, 0.5 * (C + C.transpose()));
}

/// Integrals of N_a N_b over the element, m^3, c x c; times density it is the consistent mass of one axis.
/// @param volume  of the material, m^3  @param box  where it is in a brick
Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor | Eigen::DontAlign, 8, 8> shapeProducts(
    ElementKind kind, double volume, const FilledBox& box = {});

}  // namespace pliant
