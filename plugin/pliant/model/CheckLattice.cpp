// SPDX-License-Identifier: Zlib
#include <cmath>

#include "pliant/model/EncodeLattice.h"
#include "pliant/model/ModelChecks.h"

namespace pliant {
namespace {

void checkAscending(const std::vector<int>& functions, int count, const ModelChecks& check) {
    check.indices(functions, count, "a function is out of range");
    check.require(std::is_sorted(functions.begin(), functions.end()) &&
                      std::adjacent_find(functions.begin(), functions.end()) == functions.end(),
                  "functions do not ascend");
}

void checkSymmetric(const SparseMatrixX& matrix, Eigen::Index size, const ModelChecks& check) {
    check.require(matrix.rows() == size && matrix.cols() == size, "a matrix has a wrong size");
    const Eigen::Map<const VectorX> values(matrix.valuePtr(), matrix.nonZeros());
    check.sized(values, matrix.nonZeros(), 1, "a matrix has a wrong size");
    const SparseMatrixX turned = matrix.transpose();
    check.require(SparseMatrixX(matrix - turned).norm() <= 1e-9 * matrix.norm(), "a matrix is not symmetric");
}

void checkForm(const LatticeOperator& form, int count, const ModelChecks& check) {
    checkAscending(form.functions, count, check);
    const auto n = static_cast<Eigen::Index>(form.functions.size());
    checkSymmetric(form.mass, n, check);
    checkSymmetric(form.stiffness, 3 * n, check);
    checkSymmetric(form.core, n, check);
}

}  // namespace

void checkLattice(const LatticeModel& m, const std::string& where) {
    const ModelChecks check{where, "lattice"};
    const int N = m.functionCount(), B = m.skeleton.boneCount();
    check.require(N > 0 && !m.regions.empty(), "there are no functions or no regions");
    check.sized(m.rest, 3, N, "places have a wrong size", ModelChecks::kLongest);
    check.sized(m.unit, N, 1, "units have a wrong size");
    check.sized(m.weight, N, 1, "weights have a wrong size");
    check.require(m.level.size() == static_cast<std::size_t>(N) && m.boneOf.size() == m.level.size(),
                  "not one level and bone per function");
    check.indices(m.level, 4, "a level is out of range");
    for (const int bone : m.boneOf) check.require(bone >= -1 && bone < B, "a bone is out of range");
    checkSymmetric(m.mass, N, check);
    VectorX blended = VectorX::Zero(N);
    for (const LatticeRegion& region : m.regions) {
        check.require(region.bone >= 0 && region.bone < B, "a bone is out of range");
        check.require(std::isfinite(region.coreStiffness) && region.coreStiffness >= 0.0, "a core is below zero");
        checkForm(region.cells, N, check);
        checkForm(region.shared, N, check);
        check.sized(region.blend, static_cast<Eigen::Index>(region.cells.functions.size()), 1,
                    "a blend has a wrong size");
        check.require((region.blend.array() >= 0.0).all(), "a blend is below zero");
        for (std::size_t k = 0; k < region.cells.functions.size(); ++k)
            blended[region.cells.functions[k]] += region.blend[static_cast<Eigen::Index>(k)];
    }
    for (int a = 0; a < N; ++a)  // what bones hold need not have flesh
        check.require(m.boneOf[static_cast<std::size_t>(a)] >= 0 || std::abs(blended[a] - 1.0) < 1e-6,
                      "blends do not have the sum 1");
    for (const LatticeStrain& strain : m.strains) {
        checkAscending(strain.functions, N, check);
        check.sized(strain.gradients, 3, static_cast<Eigen::Index>(strain.functions.size()),
                    "gradients have a wrong size");
    }
    check.indices(m.surfacePoints.functions, N, "a function is out of range");
    for (const double value : m.surfacePoints.values)
        check.require(std::isfinite(value) && std::abs(value) <= ModelChecks::kLargest,
                      "a value is too large to be one");
}

}  // namespace pliant
