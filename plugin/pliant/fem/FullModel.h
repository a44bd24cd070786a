// SPDX-License-Identifier: Zlib
// The full, unreduced StVK model of a mesh: energy, force, stiffness, Hessian and mass of its 3n coordinates.
//
// Coordinates: u (3n) is the displacement in the mesh's axes, metres, rows 3v..3v+2 of vertex v. Nothing is held here;
// see Restriction for fixed vertices. Sums run over the elements in their order, so results have the same bits always.
#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "pliant/fem/Element.h"
#include "pliant/mesh/VolumeMesh.h"

namespace pliant {

/// Column-major, both triangles stored.
using SparseMatrix = Eigen::SparseMatrix<double>;

enum class MassKind {
    Consistent,  ///< Integrals of rho N_a N_b; the default everywhere.
    Lumped       ///< Row sums of the consistent mass, on the diagonal.
};

class FullModel {
public:
    /// Copies the mesh. @throws Error where an element is inverted or degenerate, an index is out of range, a vertex
    /// belongs to no element, a coordinate is not finite or a material is not that of a solid.
    explicit FullModel(VolumeMesh mesh, MassKind massKind = MassKind::Consistent);

    const VolumeMesh& mesh() const { return m_mesh; }
    Eigen::Index degreesOfFreedom() const { return 3 * m_mesh.positions.cols(); }  ///< Number 3n of coordinates.
    /// Elastic law of an element: the stress of a strain.
    const ElasticLaw& law(int element) const;

    double energy(const VectorX& u) const;  ///< Strain energy, J.
    /// Force f(u) = dE/du, 3n, N: the left-hand side of M u'' + f(u) = f_ext.
    VectorX internalForce(const VectorX& u) const;
    SparseMatrix stiffness(const VectorX& u) const;  ///< Stiffness K(u) = df/du, 3n x 3n, symmetric, N/m.
    /// The same into a matrix that an earlier call made: its pattern is kept, its values are overwritten.
    void stiffness(const VectorX& u, SparseMatrix& K) const;
    SparseMatrix restStiffness() const;  ///< Stiffness at rest K(0), 3n x 3n, N/m.

    /// (H : b) a, 3n: second derivative of the force at rest in the directions a and b; symmetric in them.
    VectorX hessianProduct(const VectorX& a, const VectorX& b) const;

    /// M, 3n x 3n, kg, in the pattern of the stiffness (consistent) or diagonal (lumped).
    const SparseMatrix& massMatrix() const { return m_mass; }
    double totalMass() const { return m_totalMass; }  ///< Mass of the whole body, kg.
    MassKind massKind() const { return m_massKind; }
    /// M of the same kind with other densities, kg/m^3, one per material, >= 0.
    SparseMatrix massMatrixOf(const std::vector<double>& densities) const;

private:
    void buildPattern();
    void scatter(int element, const ElementMatrix& block, double* values) const;

    VolumeMesh m_mesh;
    std::vector<ElasticLaw> m_laws;  ///< of each material
    SparseMatrix m_pattern;          ///< 3n x 3n, values zero
    /// Of every element and corner pair (a, b), a fastest: where row 3a of column 3b stands among the pattern's values.
    std::vector<int> m_slots;
    MassKind m_massKind;
    SparseMatrix m_mass;
    double m_totalMass = 0.0;
};

/// A 3n field that is linear in the rest position: value B X + c at every vertex.
VectorX linearField(const VolumeMesh& mesh, const Matrix3& B, const Vector3& c = Vector3::Zero());

}  // namespace pliant
