// SPDX-License-Identifier: Zlib
// One StVK element on small blocks: free functions of its points, its material and its corner displacements U_e (3 x
// c). Assembly is elsewhere (FullModel). With F = 1 + U_e G, Green strain E = (F'F - 1) / 2 and second Piola stress S =
// C E (isotropic: lambda_L tr(E) 1 + 2 mu_L E), the energy density is E : S / 2 and the first Piola stress P = F S.
// Bricks that stand alone across a thin wall weigh the strain's variation against its mean
// [FB81]: with E_m the volume mean of E, the energy is the integral of psi(E_m) + bending psi(E - E_m), psi(E) = E : S
// / 2; E_m is a Green strain's mean, so that rotations still cost nothing and constant strains their whole energy. With
// the stress S <- bending S + (1 - bending) S_m all formulae stay what they are. Signs: force is dEnergy/du, the
// left-hand side of M u'' + f(u) = f_external.
#pragma once

#include <vector>

#include "pliant/fem/ElasticLaw.h"
#include "pliant/mesh/Quadrature.h"

namespace pliant {

/// 3c x 3c block of an element, entry (3a + i, 3b + k); never on the heap.
using ElementMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor | Eigen::DontAlign, 24, 24>;

/// Strain energy, J.
/// @param bending  weight of the strain's variation inside the element, (0, 1]; here and below
double elementEnergy(const std::vector<ElementPoint>& points, const ElasticLaw& law, const CornerVectors& corners,
                     double bending = 1.0);
/// Force dEnergy/dU_e, 3 x c, N.
CornerVectors elementForce(const std::vector<ElementPoint>& points, const ElasticLaw& law, const CornerVectors& corners,
                           double bending = 1.0);
/// Stiffness d2Energy/dU_e2, 3c x 3c, symmetric, N/m; `stiffness` is overwritten.
void elementStiffness(const std::vector<ElementPoint>& points, const ElasticLaw& law, const CornerVectors& corners,
                      ElementMatrix& stiffness, double bending = 1.0);
/// (H : b) a = second derivative of the force at rest in the directions a and b, N/m^2 times their units; symmetric
/// in a and b. Exact with GaussRule::Cubic.
CornerVectors elementHessianProduct(const std::vector<ElementPoint>& points, const ElasticLaw& law,
                                    const CornerVectors& a, const CornerVectors& b, double bending = 1.0);

/// Second derivative of P = F S at rest in the directions of the displacement gradients A and B (3 x 3), given their
/// linear stresses SA = S(sym A) and SB = S(sym B).
inline Matrix3 secondPiolaDerivative(const ElasticLaw& law, const Matrix3& A, const Matrix3& SA, const Matrix3& B,
                                     const Matrix3& SB) {
    const Matrix3 C = A.transpose() * B;
    return A * SB + B * SA + stressOf(law, 0.5 * (C + C.transpose()));
}

/// Integrals of N_a N_b over the element, m^3, c x c; times density it is the consistent mass of one axis.
Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor | Eigen::DontAlign, 8, 8> shapeProducts(
    ElementKind kind, double volume);

}  // namespace pliant
