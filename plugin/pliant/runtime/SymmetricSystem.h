// SPDX-License-Identifier: Zlib
// Packed symmetric systems of one body, outside of the lanes: upper triangle, row by row (kernels::packedIndex).
// Private to runtime/. Nothing here allocates.
#pragma once

#include <memory>

namespace pliant {

/// Multiplies: y = S x, n rows.
void multiplySymmetric(int n, const double* S, const double* x, double* y);
/// Multiplies: y = U'U x for a packed factor whose diagonal holds 1 / U_aa. y must not be x; `scratch` n numbers.
void multiplyFactored(int n, const double* U, const double* x, double* y, double* scratch);
/// Multiplies: y = U'x for a packed factor whose diagonal holds 1 / U_aa. y must not be x.
void multiplyTransposed(int n, const double* U, const double* x, double* y);
/// U x = b in place for such a factor.
void solveUpper(int n, const double* U, double* b);
/// S = U'U in place, the diagonal keeps 1 / U_aa. @return false when S is not positive definite
bool factorPositive(int n, double* S);
/// U'U x = b in place, after factorPositive().
void solveFactored(int n, const double* U, double* b);
/// Solves S x = b in place by Cholesky; S is overwritten. @return false (b untouched) when S is not positive definite.
bool solvePositive(int n, double* S, double* b);
/// Makes S definite by taking the absolute values of its eigenvalues, `floor` at least, and inverts that. A step over
/// negative curvature would go the wrong way, and impulses that are answered by it would push back. With the absolute
/// value it goes down the slope, as far as the quadratic model holds; raised to the floor alone, which is the mass, a
/// stiff direction would be stepped over as if there were no stiffness, far up the quartic. [NW06 3.4]
/// has the modification of eigenvalues, [D14] the absolute values: Newton's method without saddle points.
class DefiniteInverse {
public:
    explicit DefiniteInverse(int rows);
    ~DefiniteInverse();
    DefiniteInverse(DefiniteInverse&&) noexcept;
    DefiniteInverse& operator=(DefiniteInverse&&) noexcept;
    /// @param S packed, rewritten; @param inverse packed, written @return false when S is not finite
    bool compute(double floor, double* S, double* inverse);

private:
    struct Data;
    std::unique_ptr<Data> m_data;  ///< keeps its memory
};

}  // namespace pliant
