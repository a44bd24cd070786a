// SPDX-License-Identifier: Zlib
// How a deformed body turns, [S]: I(q), the coupling block H and the inertial forces on q. Private to runtime/.
//
// Body frame, x = X + U q, second moment E = int rho x x' with components c = (xx, yy, zz, yz, xz, xy):
//     Z_c = (sum_i q_i sym(S_ij)_c)_j,   E_c = E0_c + 2 s_c . q + q . Z_c,   s_c = (sym(S_j)_c)_j,   I = tr(E) 1 - E
//     H_j = H0_j + sum_i q_i C_ij
// One product of a (9r x r) matrix with q gives the six Z_c and the three rows of H - H0.
#pragma once

#include <array>

#include "pliant/model/ReducedModel.h"
#include "pliant/runtime/kernels/CoefficientPanels.h"

namespace pliant {

/// Constants of a model.
struct RigidConstants {
    explicit RigidConstants(const ReducedModel& model);

    int r;
    Matrix3 restMoment;    ///< Second moment E0 of the body at rest, from the principal inertia, kg m^2.
    MatrixX firstMoments;  ///< First moments s of the columns, r x 6.
    MatrixX restCoupling;  ///< Angular momentum H0' of the columns at rest, r x 3.
    MatrixX translation;   ///< Linear momentum D' of the columns, r x 3.
    kernels::AlignedArray<double> centrifugal;  ///< Symmetric parts of S_ij for i <= j, packed, six numbers each.
    kernels::CoefficientPanels<double> all;     ///< Six blocks of sym(S), then three of C, (9r) x r.
    kernels::CoefficientPanels<double> gyroscopic[3];  ///< Component c of C_ij in row j and column i, r x r.
};

/// What follows from q alone; `products` is (9r) x 1, (6r) x 1 where only E and I are asked for.
struct RigidTerms {
    const RigidConstants* constants;
    const double* q;
    const double* products;

    ConstVectorView moment(int c) const { return ConstVectorView(products + c * constants->r, constants->r); }
    Matrix3 secondMoment() const;  ///< The second moment E(q), kg m^2.
    Matrix3 inertia() const;       ///< The inertia I(q), kg m^2.
    /// I(q) and what is added about axes that the modes carry nearly all of it about (SpinInertia.h), kg m^2.
    Matrix3 inertiaAgainstModes() const;
    /// H', r x 3, into `columns` with the given distance between columns.
    void coupling(double* columns, int stride) const;
    Vector3 modalMomentum(const double* velocity) const;  ///< The angular momentum H q' of the deformation.
    /// Rate of I(q) for q' = velocity.
    Matrix3 inertiaRate(const double* velocity) const;
    /// Subtracts w . H_j, the Euler force of the angular acceleration w, from `f`, r x 1.
    void addEuler(const Vector3& w, double* f) const;
};

/// Weights w with W'(A - tr(A) 1) W = sum_c w_c A_c for a symmetric A: the centrifugal terms of q are
/// sum_c w_c (s_c + sym(S)_c q), a force and a (softening) stiffness.
std::array<double, 6> centrifugalWeights(const Vector3& W);

}  // namespace pliant
