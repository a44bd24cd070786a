// SPDX-License-Identifier: Zlib
// Weighted strains of one element as rows over the monomials of q.
//
// The displacement gradient is linear in q, D = sum_j q_j A_j, so Green strain E = (D + D' + D'D) / 2 is a row over
// m = [q_i (r); q_i q_j with i <= j (p)] for each component, and the strain energy of an element is a sum of squares of
// such rows: 1/2 |W m|^2. W holds sqrt(weight) C^(1/2) times the strain rows.
//
// Tetrahedra: strain is constant, 6 rows. Bricks: 27 points of 6 components are not needed. Trilinear displacements
// make d u / dx independent of x and linear in y and z, so E_xx is a polynomial of degree 2 in y and z only: 9
// coefficients in orthonormal Legendre polynomials; all three normal strains together are coupled by C per polynomial
// and need 27 rows. A shear E_xy has degree (1, 1, 2): 2 x 2 x 3 Gauss points integrate its square exactly, 12 rows.
// 27 + 3 * 12 = 63 rows instead of 162, and still exact.
#pragma once

#include <vector>

#include "pliant/fem/Quadrature.h"
#include "pliant/mesh/VolumeMesh.h"

namespace pliant {

class StrainRows {
public:
    /// Keeps references to both. @param basis 3n x r
    StrainRows(const VolumeMesh& mesh, const MatrixX& basis);

    Eigen::Index rowsPerElement() const;  ///< 63 for bricks, 6 for tetrahedra
    Eigen::Index monomials() const;       ///< N = r + r(r+1)/2

    /// Writes the rows of an element, each as a column of N consecutive doubles: rowsPerElement() of them.
    void fill(int element, double* columns) const;

private:
    using Row = Eigen::Map<Eigen::ArrayXd>;
    /// d u / dX_b per unit q_j: r x 3, column a = component u_a.
    using Slope = Eigen::Array<double, Eigen::Dynamic, 3>;

    void fillTetrahedron(int element, double* columns) const;
    void fillBrick(int element, double* columns) const;
    void fillNormalRows(const std::vector<Slope>* slopes, double lambda, double mu, double volume,
                        double* columns) const;
    Slope slope(int element, const Eigen::VectorXd& cornerWeights) const;
    void normalStrain(const Slope& slope, Eigen::Index axis, Row row) const;
    void shearStrain(const Slope& slopeA, Eigen::Index axisA, const Slope& slopeB, Eigen::Index axisB, double scale,
                     Row row) const;

    const VolumeMesh& m_mesh;
    const MatrixX& m_basis;
};

}  // namespace pliant
