// SPDX-License-Identifier: Zlib
// Strains of one element as rows over the monomials of q.
//
// The displacement gradient is linear in q, D = sum_j q_j A_j, so Green strain E = (D + D' + D'D) / 2 is a row over
// m = [q_i (r); q_i q_j with i <= j (p)] for each component (engineering shear 2 E_ij).
//
// Tetrahedra: strain is constant, 6 rows: xx, yy, zz, yz, xz, xy.
// Bricks: 27 points of 6 components are not needed. Trilinear displacements make d u / dx independent of x and linear
// in y and z, so E_xx is a polynomial of degree 2 in y and z only: its values at 3 x 3 Gauss points of the face say
// everything, 27 rows for the three. A shear 2 E_xy has degree (1, 1, 2): 2 x 2 x 3 points, 12 rows each. The 63 rows
// are xx, yy, zz at 9 points, then yz, xz, xy at 12; points go first axis fastest.
//
// Each row is multiplied by the root of its point's weight (m^3/2), normal strains by another sqrt(2): the sum of
// squares is then the integral of 2 E : E, the mu_L part of the isotropic energy (times 2 / mu_L). Volumes are those of
// VolumeMesh::share(), points of cut bricks are those of their filled boxes, and of bricks whose VolumeMesh::bending()
// is not plain the rows are the assumed strain (fem/Element.h).
#pragma once

#include <array>
#include <vector>

#include "pliant/mesh/Quadrature.h"
#include "pliant/mesh/VolumeMesh.h"

namespace pliant {

class StrainSamples {
public:
    /// Keeps references to both. @param basis 3n x r
    StrainSamples(const VolumeMesh& mesh, const MatrixX& basis);

    Eigen::Index dimension() const { return m_basis.cols(); }  ///< Number r of columns.
    Eigen::Index rowsPerElement() const;                       ///< Rows of an element: 63 for bricks, 6 for tetrahedra.
    Eigen::Index monomials() const;                            ///< Number N = r + r (r + 1) / 2 of monomials.
    /// Doubles from one row to the next: N and room that the vectorised loops may scribble on, a multiple of 8.
    Eigen::Index stride() const;

    /// Writes the rows of an element one after the other, rowsPerElement() * stride() doubles.
    void fill(int element, double* rows) const;

private:
    struct Local;  ///< One element and its share of the basis.
    /// Products that take the mean and the slopes along the axes out of the rows of a component.
    struct Projections {
        VectorX mean;
        std::array<VectorX, 3> slopes;
    };
    static Projections projectionsOf(int component);
    void fillTetrahedron(int element, Local& local, double* row) const;
    void fillBrick(int element, Local& local, double* row) const;
    double* fillBrickNormals(const Vector3& sides, const FilledBox& box, Local& local, double* row) const;
    double* fillBrickShears(int third, const Vector3& sides, const FilledBox& box, Local& local, double* row) const;
    void assume(const BrickBending& bending, double* rows) const;

    const VolumeMesh& m_mesh;
    const MatrixX& m_basis;
    Eigen::Index m_lane;  ///< The number r, rounded up to a multiple of 8, and 8 more.
};

}  // namespace pliant
