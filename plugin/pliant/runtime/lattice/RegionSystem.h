// SPDX-License-Identifier: Zlib
// A region's system for one step size and one set of solved functions: constant in the region's axes, so its inverse is
// made once. Private to runtime/lattice.
#pragma once

#include <vector>

#include "pliant/model/LatticeModel.h"
#include "pliant/runtime/kernels/CoefficientPanels.h"
#include "pliant/runtime/lattice/RegionKernels.h"

namespace pliant {

/// How a step of h seconds weighs mass and stiffness: A = massFactor M + stiffnessFactor K, K = S + k_t B.
struct LatticeRates {
    double h = 0.0;                 ///< Length of a step, s.
    double massDamping = 0.0;       ///< Damping of mass, h alpha.
    double stiffnessDamping = 0.0;  ///< Damping of stiffness, h beta, s^2.
    double massFactor() const { return 1.0 + massDamping; }
    double stiffnessFactor() const { return h * h + stiffnessDamping; }
};

class RegionSystem {
public:
    /// @param isFree N: which functions are solved for  @param coreStiffness k_t, N/m^4
    RegionSystem(const LatticeModel& model, const LatticeRegion& region, const std::vector<bool>& isFree,
                 const LatticeRates& rates, double coreStiffness, bool single);

    RegionView view() const;
    int functions() const { return static_cast<int>(m_global.size()); }
    int freeFunctions() const { return static_cast<int>(m_freeLocal.size()); }
    int inverseRows() const { return m_inverseRows; }
    bool single() const { return m_single; }
    /// Whether the matrix could be inverted; false: it was singular, and the region does not move.
    bool definite() const { return m_definite; }

private:
    void buildRows(const SparseMatrixX& K, const SparseMatrixX& M);
    void invert(const MatrixX& A);

    std::vector<int> m_global, m_freeLocal, m_first, m_column;
    std::vector<double> m_rest, m_blend, m_weight, m_mass;
    kernels::AlignedArray<double> m_blocks, m_inverseDouble;
    kernels::AlignedArray<float> m_inverseSingle;
    int m_inverseRows = 0;
    bool m_single = true, m_definite = true;
};

/// K = S + k_t B of an operator, 3n x 3n.
SparseMatrixX withCore(const LatticeOperator& of, double coreStiffness);

}  // namespace pliant
