// SPDX-License-Identifier: Zlib
// Frequencies of flesh on a lattice, by the matrices of a region.
#pragma once

#include <cmath>
#include <vector>

#include "pliant/fem/SymmetricSolver.h"
#include "pliant/model/LatticeModel.h"

namespace pliant::test {

/// The softest motion on these coordinates that `start` leads to, Hz. @param free ascending  @param start 3 n x 1
inline double frequency(const LatticeOperator& of, const std::vector<Eigen::Index>& free,
                        const Eigen::VectorXd& start) {
    std::vector<int> number(static_cast<std::size_t>(of.stiffness.cols()), -1);
    for (std::size_t k = 0; k < free.size(); ++k) number[static_cast<std::size_t>(free[k])] = static_cast<int>(k);
    std::vector<Eigen::Triplet<double>> stiff, heavy;
    for (Eigen::Index column = 0; column < of.stiffness.cols(); ++column)
        for (SparseMatrixX::InnerIterator at(of.stiffness, column); at; ++at)
            if (const int i = number[static_cast<std::size_t>(at.row())], j = number[static_cast<std::size_t>(column)];
                i >= 0 && j >= 0)
                stiff.emplace_back(i, j, at.value());
    for (Eigen::Index column = 0; column < of.mass.cols(); ++column)
        for (SparseMatrixX::InnerIterator at(of.mass, column); at; ++at)
            for (int k = 0; k < 3; ++k)
                if (const int i = number[static_cast<std::size_t>(3 * at.row() + k)],
                    j = number[static_cast<std::size_t>(3 * column + k)];
                    i >= 0 && j >= 0)
                    heavy.emplace_back(i, j, at.value());
    const auto size = static_cast<Eigen::Index>(free.size());
    SparseMatrix K(size, size), M(size, size);
    K.setFromTriplets(stiff.begin(), stiff.end());
    M.setFromTriplets(heavy.begin(), heavy.end());
    SymmetricSolver solver(SymmetricSolver::Kind::PositiveDefinite);
    solver.factor(K);
    VectorX u = start(free);
    for (int i = 0; i < 15; ++i) u = (solver.solve(VectorX(M * u))).normalized();
    return std::sqrt(u.dot(K * u) / u.dot(M * u)) / (2 * M_PI);
}

}  // namespace pliant::test
