// SPDX-License-Identifier: Zlib
// Internal forces of a body in reduced coordinates, from whichever source: polynomials, or the full model itself.
#pragma once

#include <memory>

#include "pliant/fem/FullModel.h"
#include "pliant/math/StrainEnergyPolynomial.h"

namespace pliant {

class ReducedForces {
public:
    virtual ~ReducedForces() = default;
    virtual Eigen::Index dimension() const = 0;         ///< Number r of reduced coordinates.
    virtual double energy(const VectorX& q) const = 0;  ///< Strain energy at q, J.
    /// R(q) = dE/dq (r) and K(q) = dR/dq (r x r) in one go.
    virtual void evaluate(const VectorX& q, VectorX& R, MatrixX& K) const = 0;
};

/// The reduced polynomials, evaluated in double by Euler's theorem: R = K0 q + K1(q) q / 2 + K2(q) q / 3.
std::unique_ptr<ReducedForces> polynomialForces(const StrainEnergyPolynomial& polynomial);

/// K0 q alone: linear modal analysis. Keeps a copy.
std::unique_ptr<ReducedForces> linearForces(const MatrixX& restStiffness);

/// R(q) = U' f(U q), K(q) = U' K(U q) U: exact for any r, at the cost of the full model [B07 section 2.13.2].
/// Keeps references.
std::unique_ptr<ReducedForces> projectedForces(const FullModel& model, const MatrixX& U);

}  // namespace pliant
