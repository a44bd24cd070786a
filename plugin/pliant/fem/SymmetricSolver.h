// SPDX-License-Identifier: Zlib
// Direct solver for large sparse symmetric systems: MUMPS, sequential, behind RAII.
// MUMPS is not reentrant: calls from several threads wait for each other.
#pragma once

#include <memory>

#include "pliant/fem/FullModel.h"

namespace pliant {

class SymmetricSolver {
public:
    enum class Kind {
        PositiveDefinite,  ///< Without pivoting; factor() throws where a pivot is not positive.
        Indefinite         ///< LDL' with pivoting; negativePivots() is the number of negative eigenvalues.
    };

    explicit SymmetricSolver(Kind kind);
    ~SymmetricSolver();
    SymmetricSolver(SymmetricSolver&&) noexcept;
    SymmetricSolver& operator=(SymmetricSolver&&) noexcept;

    /// Factors A (m x m, compressed, both triangles stored, the lower one is read). A matrix with the pattern of the
    /// last one reuses its ordering. @throws Error when A is singular, not definite although promised, or too large.
    void factor(const SparseMatrix& A);

    VectorX solve(const VectorX& b) const;  ///< Solution A^-1 b, m x 1.
    MatrixX solve(const MatrixX& B) const;  ///< Solutions A^-1 B, m x k, all columns in one sweep.

    /// Eigenvalues of A below zero (Sylvester's law of inertia).
    int negativePivots() const;

    /// What a factorisation costs, from the pattern alone.
    struct Cost {
        double entries = 0.0;  ///< Number of entries in the factor.
        double flops = 0.0;
    };
    /// @param pattern m x m, both triangles; values are not read
    static Cost estimate(const SparseMatrix& pattern);

private:
    struct Instance;
    std::unique_ptr<Instance> m_instance;
};

}  // namespace pliant
