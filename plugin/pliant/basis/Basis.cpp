// SPDX-License-Identifier: Zlib
#include "pliant/basis/Basis.h"

#include <algorithm>
#include <numeric>

#include "pliant/basis/MassPca.h"
#include "pliant/basis/RigidModes.h"
#include "pliant/basis/ShapeSources.h"
#include "pliant/math/Error.h"

namespace pliant {
namespace {

/// Modes in their order, then the other shapes by falling weight.
MatrixX gramSchmidtOrder(const WeightedShapes& shapes) {
    std::vector<Eigen::Index> order(static_cast<std::size_t>(shapes.columns.cols()));
    std::iota(order.begin(), order.end(), Eigen::Index{0});
    std::stable_sort(order.begin() + shapes.inOrder, order.end(),
                     [&](auto a, auto b) { return shapes.weights[a] > shapes.weights[b]; });
    MatrixX sorted(shapes.columns.rows(), shapes.columns.cols());
    for (std::size_t c = 0; c < order.size(); ++c)
        sorted.col(static_cast<Eigen::Index>(c)) = shapes.columns.col(order[c]);
    return sorted;
}

/// Modes and derivatives are counted before anything is computed; other shapes when they are there.
void checkDimension(const BasisOptions& options) {
    const long long k = options.modes;
    long long most = k + k * k;
    if (options.derivatives == DerivativeForm::Static) most = k + k * (k + 1) / 2;
    if (options.derivatives == DerivativeForm::None) most = k;
    const bool others = options.centrifugal || !options.sketch.empty() || options.snapshots;
    const bool tooMany = k >= 1 && !others && options.energyTolerance == 0.0 && options.dimension > most;
    if (options.dimension < 1 || tooMany)
        throw Error("basis",
                    std::to_string(options.dimension) + " columns asked for, but " + std::to_string(k) +
                        " modes and their derivatives give at most " + std::to_string(most),
                    "ask for a dimension between 1 and that, or for more modes");
}

double energyBeyond(const VectorX& singularValues, Eigen::Index r) {
    return singularValues.tail(singularValues.size() - r).squaredNorm() / singularValues.squaredNorm();
}

void principalDirections(const SparseMatrix& M, const BasisOptions& options, WeightedShapes& shapes, Basis& basis) {
    for (Eigen::Index j = 0; j < shapes.columns.cols(); ++j) shapes.columns.col(j) *= shapes.weights[j];
    MassPca pca = massPca(M, shapes.columns, [&](const VectorX& sigma) {
        if (options.energyTolerance == 0.0) return options.dimension;
        int r = 1;
        while (r < std::min<Eigen::Index>(options.dimension, sigma.size()) &&
               energyBeyond(sigma, r) > options.energyTolerance)
            ++r;
        return r;
    });
    basis.discardedEnergy = energyBeyond(pca.singularValues, pca.basis.cols());
    basis.U = std::move(pca.basis);
    basis.singularValues = std::move(pca.singularValues);
}

}  // namespace

Basis makeBasis(const FullModel& model, const BasisOptions& options, const ProgressCallback& progress,
                StageCache* cache) {
    checkDimension(options);
    const SparseMatrix& M = model.massMatrix();
    ShapeSources sources(model, options, progress, cache);
    WeightedShapes shapes = sources.collect();
    reportProgress(progress, "basis", 0.0);
    Basis basis;
    basis.shapes = static_cast<int>(shapes.columns.cols());
    basis.elasticEigenvalues = shapes.elasticEigenvalues;
    basis.hiddenModes = shapes.hiddenModes;
    basis.droppedDerivatives = shapes.droppedDerivatives;
    basis.rigidModes = sources.rigid();
    if (options.orthogonalisation == Orthogonalisation::MassPca)
        principalDirections(M, options, shapes, basis);
    else
        basis.U = massGramSchmidt(M, gramSchmidtOrder(shapes), options.dimension);
    // Division by small singular values has magnified the rounding of the mean-axis conditions.
    basis.U = withoutRigidMotion(M, basis.rigidModes, basis.U);
    orthonormalise(M, basis.U);
    reportProgress(progress, "basis", 1.0);
    return basis;
}

}  // namespace pliant
