// SPDX-License-Identifier: Zlib
// The elastic answer of a body at rest to static loads; the operator behind modes and modal derivatives.
//
// Anchored: u = K^-1 F on the free coordinates. Free: inertia relief. The load is balanced by the rigid acceleration it
// causes, F - M Rg Rg' F; the body is held by six coordinates that just determine its place (the reactions are zero),
// and the rigid part of the answer is taken out, (1 - Rg Rg' M) u. One factorisation serves all loads.
#pragma once

#include <vector>

#include "pliant/fem/FullModel.h"
#include "pliant/fem/Restriction.h"
#include "pliant/fem/SymmetricSolver.h"

namespace pliant {

class StaticCompliance {
public:
    /// Keeps a reference to `model`. @param fixedVertices 0-based; empty = free body
    /// @throws Error naming their number where zero modes remain beyond the six of a free body: disconnected parts,
    /// hinges (bricks joined at an edge or a corner only), or too few fixed vertices.
    StaticCompliance(const FullModel& model, const std::vector<int>& fixedVertices);

    /// Elastic displacements (3n x k) under the loads F (3n x k, N); symmetric, positive semi-definite. Zero at fixed
    /// vertices, or M-orthogonal to the rigid modes.
    MatrixX apply(const MatrixX& loads) const;

    const FullModel& model() const { return m_model; }
    bool isFree() const { return m_rigid.cols() > 0; }
    /// Rigid modes, 3n x 6 for a free body, else 3n x 0.
    const MatrixX& rigid() const { return m_rigid; }
    const SparseMatrix& stiffness() const { return m_K; }  ///< Stiffness at rest K(0), 3n x 3n, N/m.
    /// Restriction to the coordinates that are not of fixed vertices.
    const Restriction& anchoring() const { return m_motionBoundSpheres; }
    /// Eigenvalues that the elastic modes can have at most: 3 (n - fixed) minus the six rigid ones of a free body.
    Eigen::Index elasticCount() const { return m_motionBoundSpheres.freeSize() - m_rigid.cols(); }
    /// (rad/s)^2 of the body stretched as a whole along its longest axis: the scale by which zero is told from small.
    double stretchEigenvalue() const { return m_stretch; }
    /// Eigenvalues of (K, M) below tau on the coordinates that are not fixed, the six zeros of a free body included
    /// (Sturm count by one factorisation).
    int countBelow(double tau) const;

private:
    bool looksLoose() const;
    void refuseMechanisms() const;

    const FullModel& m_model;
    Restriction m_motionBoundSpheres;
    MatrixX m_rigid;
    MatrixX m_rigidMomenta;  // M Rg
    SparseMatrix m_K;
    double m_stretch = 0.0;
    Restriction m_determinate;  // m_motionBoundSpheres, or the six holding coordinates of a free body
    SymmetricSolver m_solver;
};

}  // namespace pliant
