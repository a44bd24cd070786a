// SPDX-License-Identifier: Zlib
#include "pliant/model/PrincipalAxes.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <array>
#include <vector>

namespace pliant {
namespace {

/// Eigenvectors whose moments count as equal: columns [first, first + count) of the solver's.
struct Cluster {
    int first, count;
};

std::vector<Cluster> clusters(const Vector3& moments, double tolerance) {
    std::vector<Cluster> result = {{0, 1}};
    for (int i = 1; i < 3; ++i) {
        if (moments[i] - moments[i - 1] <= tolerance * moments[2])
            ++result.back().count;
        else
            result.push_back({i, 1});
    }
    return result;
}

/// The mesh axis that each eigenvector stands for: the order whose planes lie closest to the mesh axes.
std::array<int, 3> assignAxes(const Matrix3& vectors, const std::vector<Cluster>& groups) {
    std::array<int, 3> order = {0, 1, 2}, best = order;
    double bestFit = -1.0;
    do {
        double fit = 0.0;
        for (const Cluster& group : groups)
            for (int i = group.first; i < group.first + group.count; ++i)
                fit +=
                    vectors.middleCols(group.first, group.count).row(order[static_cast<std::size_t>(i)]).squaredNorm();
        if (fit > bestFit + 1e-9) {
            bestFit = fit;
            best = order;
        }
    } while (std::next_permutation(order.begin(), order.end()));
    return best;
}

}  // namespace

Matrix3 principalAxes(const Matrix3& inertia, double tolerance) {
    const Eigen::SelfAdjointEigenSolver<Matrix3> solver(inertia);
    const Matrix3& vectors = solver.eigenvectors();
    const std::vector<Cluster> groups = clusters(solver.eigenvalues(), tolerance);
    const std::array<int, 3> axis = assignAxes(vectors, groups);
    Matrix3 R = Matrix3::Zero();
    for (const Cluster& group : groups) {
        // Nearest orthonormal frame of the span to the mesh axes it stands for: V polar(V' E).
        const Eigen::MatrixXd V = vectors.middleCols(group.first, group.count);
        Eigen::MatrixXd overlap(group.count, group.count);
        for (int i = 0; i < group.count; ++i)
            overlap.col(i) = V.row(axis[static_cast<std::size_t>(group.first + i)]).transpose();
        // Square, so no QR goes first; without saying so, its three kinds would all be compiled.
        const Eigen::JacobiSVD<Eigen::MatrixXd, Eigen::NoQRPreconditioner> svd(
            overlap, Eigen::ComputeFullU | Eigen::ComputeFullV);
        const Eigen::MatrixXd frame = V * svd.matrixU() * svd.matrixV().transpose();
        for (int i = 0; i < group.count; ++i) R.col(axis[static_cast<std::size_t>(group.first + i)]) = frame.col(i);
    }
    if (R.determinant() < 0.0) {  // turn round the axis that says least about its direction
        Eigen::Index weakest = 0;
        R.diagonal().cwiseAbs().minCoeff(&weakest);
        R.col(weakest) *= -1.0;
    }
    return R;
}

}  // namespace pliant
