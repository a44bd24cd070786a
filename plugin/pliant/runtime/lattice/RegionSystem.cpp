// SPDX-License-Identifier: Zlib
#include "pliant/runtime/lattice/RegionSystem.h"

#include <Eigen/Cholesky>

namespace pliant {
namespace {

constexpr int panelHeight = 16;
constexpr double firming = 1e-6;  // of the diagonal of a matrix that is singular to rounding

template <class Scalar>
void fillPanels(const MatrixX& inverse, int rows, kernels::AlignedArray<Scalar>& values) {
    const auto columns = static_cast<int>(inverse.cols());
    values.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
    for (int row = 0; row < columns; ++row)
        for (int column = 0; column < columns; ++column)
            values.data()[static_cast<std::size_t>((row / panelHeight * columns + column) * panelHeight +
                                                   row % panelHeight)] = static_cast<Scalar>(inverse(row, column));
}

}  // namespace

SparseMatrixX withCore(const LatticeOperator& of, double coreStiffness) {
    SparseMatrixX K = of.stiffness;
    if (coreStiffness > 0.0) {
        std::vector<Eigen::Triplet<double>> triplets;
        for (Eigen::Index column = 0; column < of.core.cols(); ++column)
            for (SparseMatrixX::InnerIterator at(of.core, column); at; ++at)
                for (int i = 0; i < 3; ++i)
                    triplets.emplace_back(static_cast<int>(3 * at.row() + i), static_cast<int>(3 * column + i),
                                          coreStiffness * at.value());
        SparseMatrixX core(K.rows(), K.cols());
        core.setFromTriplets(triplets.begin(), triplets.end());
        K += core;
    }
    return K;
}

RegionSystem::RegionSystem(const LatticeModel& model, const LatticeRegion& region, const std::vector<bool>& isFree,
                           const LatticeRates& rates, double coreStiffness, bool single)
    : m_global(region.cells.functions), m_single(single) {
    const VectorX weight = region.cells.mass * [&] {
        VectorX unit(static_cast<Eigen::Index>(m_global.size()));
        for (Eigen::Index k = 0; k < unit.size(); ++k) unit[k] = model.unit[m_global[static_cast<std::size_t>(k)]];
        return unit;
    }();
    for (std::size_t k = 0; k < m_global.size(); ++k) {
        const int a = m_global[k];
        for (int i = 0; i < 3; ++i) m_rest.push_back(model.rest(i, a));
        m_rest.push_back(model.unit[a]);
        m_blend.push_back(region.blend[static_cast<Eigen::Index>(k)]);
        m_weight.push_back(weight[static_cast<Eigen::Index>(k)]);
        if (isFree[static_cast<std::size_t>(a)]) m_freeLocal.push_back(static_cast<int>(k));
    }
    const SparseMatrixX K = withCore(region.cells, coreStiffness);
    buildRows(K, region.cells.mass);
    MatrixX A(3 * freeFunctions(), 3 * freeFunctions());
    const MatrixX dense = K, mass = region.cells.mass;
    for (int column = 0; column < freeFunctions(); ++column)
        for (int row = 0; row < freeFunctions(); ++row) {
            const int i = m_freeLocal[static_cast<std::size_t>(row)], j = m_freeLocal[static_cast<std::size_t>(column)];
            A.block<3, 3>(3 * row, 3 * column) = rates.stiffnessFactor() * dense.block<3, 3>(3 * i, 3 * j);
            A.block<3, 3>(3 * row, 3 * column).diagonal().array() += rates.massFactor() * mass(i, j);
        }
    invert(A);
}

void RegionSystem::buildRows(const SparseMatrixX& K, const SparseMatrixX& M) {
    const MatrixX dense = K, mass = M;
    std::vector<double> blocks;
    m_first.push_back(0);
    for (const int i : m_freeLocal) {
        for (int j = 0; j < functions(); ++j) {
            const Matrix3 block = dense.block<3, 3>(3 * i, 3 * j);
            if (mass(i, j) == 0.0 && (block.array() == 0.0).all()) continue;
            m_column.push_back(j);
            m_mass.push_back(mass(i, j));
            for (int c = 0; c < 3; ++c) blocks.insert(blocks.end(), {block(0, c), block(1, c), block(2, c), 0.0});
        }
        m_first.push_back(static_cast<int>(m_column.size()));
    }
    m_blocks.resize(blocks.size());
    std::copy(blocks.begin(), blocks.end(), m_blocks.data());
}

void RegionSystem::invert(const MatrixX& A) {
    const Eigen::Index size = A.rows();
    m_inverseRows = kernels::roundUp(static_cast<int>(size), panelHeight);
    Eigen::LLT<Eigen::MatrixXd> factor(A);
    if (factor.info() != Eigen::Success) {  // functions that agree wherever the region has flesh
        MatrixX firmer = A;
        firmer.diagonal() *= 1.0 + firming;
        factor.compute(firmer);
    }
    m_definite = factor.info() == Eigen::Success;
    MatrixX inverse = MatrixX::Zero(size, size);
    if (m_definite) inverse = factor.solve(Eigen::MatrixXd::Identity(size, size));
    m_definite = m_definite && inverse.allFinite();
    if (!m_definite) inverse.setZero();
    if (m_single)
        fillPanels(inverse, m_inverseRows, m_inverseSingle);
    else
        fillPanels(inverse, m_inverseRows, m_inverseDouble);
}

RegionView RegionSystem::view() const {
    RegionView view;
    view.functions = functions();
    view.free = freeFunctions();
    view.global = m_global.data();
    view.rest = m_rest.data();
    view.blend = m_blend.data();
    view.weight = m_weight.data();
    view.freeLocal = m_freeLocal.data();
    view.first = m_first.data();
    view.column = m_column.data();
    view.blocks = m_blocks.data();
    view.mass = m_mass.data();
    view.inverse = m_single ? static_cast<const void*>(m_inverseSingle.data()) : m_inverseDouble.data();
    view.inverseRows = m_inverseRows;
    return view;
}

}  // namespace pliant
