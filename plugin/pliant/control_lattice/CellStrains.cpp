// SPDX-License-Identifier: Zlib
#include "pliant/control_lattice/CellStrains.h"

#include <Eigen/LU>
#include <map>

namespace pliant {
namespace {

constexpr double leastShare = 1e-6;  // of a cell's volume: below, it holds no flesh

/// Gradients of the four linear functions, 3 x 4, and the volume.
std::pair<Matrix<double, 3, 4>, double> gradientsOf(const VolumeMesh& mesh, Eigen::Index e) {
    Matrix3 edges;
    for (int k = 0; k < 3; ++k)
        edges.col(k) = mesh.positions.col(mesh.elements(k + 1, e)) - mesh.positions.col(mesh.elements(0, e));
    const Matrix3 inverse = edges.inverse();
    Matrix<double, 3, 4> gradients;
    gradients.rightCols<3>() = inverse.transpose();
    gradients.col(0) = -gradients.rightCols<3>().rowwise().sum();
    return {gradients, edges.determinant() / 6.0};
}

}  // namespace

std::vector<LatticeStrain> cellStrains(const IntegrationMesh& cut, const SparseMatrix& values, int cells) {
    const Eigen::SparseMatrix<double, Eigen::RowMajor> rows = values;
    std::vector<std::map<int, Vector3>> sums(static_cast<std::size_t>(cells));
    VectorX flesh = VectorX::Zero(cells), whole = flesh;
    for (Eigen::Index e = 0; e < cut.share.size(); ++e) {
        const int cell = cut.cellOf[static_cast<std::size_t>(e)];
        const auto [gradients, volume] = gradientsOf(cut.mesh, e);
        whole[cell] += volume;
        if (!(cut.share[e] > 0.0)) continue;
        const double weight = volume * cut.share[e];
        flesh[cell] += weight;
        for (int c = 0; c < 4; ++c)
            for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator at(rows, cut.mesh.elements(c, e)); at;
                 ++at) {
                Vector3& sum = sums[static_cast<std::size_t>(cell)]
                                   .try_emplace(static_cast<int>(at.col()), Vector3::Zero())
                                   .first->second;
                sum += weight * at.value() * gradients.col(c);
            }
    }
    std::vector<LatticeStrain> strains;
    for (int cell = 0; cell < cells; ++cell) {
        if (!(flesh[cell] > leastShare * whole[cell])) continue;
        const auto& sum = sums[static_cast<std::size_t>(cell)];
        LatticeStrain& strain = strains.emplace_back();
        strain.gradients.resize(3, static_cast<Eigen::Index>(sum.size()));
        Eigen::Index k = 0;
        for (const auto& [function, gradient] : sum) {
            strain.functions.push_back(function);
            strain.gradients.col(k++) = gradient / flesh[cell];
        }
    }
    return strains;
}

}  // namespace pliant
