// SPDX-License-Identifier: Zlib
#include "pliant/basis/Basis.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pliant/basis/LinearModes.h"
#include "pliant/basis/MassPca.h"
#include "pliant/basis/ModalDerivatives.h"
#include "pliant/basis/RigidModes.h"
#include "pliant/math/Error.h"

namespace pliant {
namespace {

/// The shapes that a basis is made of, each with its length in M as weight [BJ05 section 4.3]:
/// (l1 / lj) psi_j and l1^2 / (li lj) Phi_ij / |Phi_ij|.
struct WeightedShapes {
    MatrixX columns;  // 3n x c, of length 1 in M
    VectorX weights;  // c
    int dropped = 0;
};

WeightedShapes weightedShapes(const SparseMatrix& M, const LinearModes& modes, const ModalDerivatives& derivatives,
                              double threshold) {
    const Eigen::Index k = modes.eigenvalues.size();
    const VectorX& l = modes.eigenvalues;
    VectorX lengths(derivatives.shapes.cols());
    for (Eigen::Index p = 0; p < lengths.size(); ++p)
        lengths[p] = std::sqrt(derivatives.shapes.col(p).dot(M * derivatives.shapes.col(p)));
    WeightedShapes shapes;
    shapes.columns.resize(modes.shapes.rows(), k + lengths.size());
    shapes.weights.resize(k + lengths.size());
    shapes.columns.leftCols(k) = modes.shapes;
    shapes.weights.head(k) = l[0] * l.cwiseInverse();
    Eigen::Index count = k;
    for (Eigen::Index p = 0; p < lengths.size(); ++p) {
        if (!(lengths[p] > threshold * lengths.maxCoeff())) continue;
        const auto [i, j] = derivatives.pairs[static_cast<std::size_t>(p)];
        shapes.columns.col(count) = derivatives.shapes.col(p) / lengths[p];
        shapes.weights[count++] = l[0] * l[0] / (l[i] * l[j]);
    }
    shapes.columns.conservativeResize(Eigen::NoChange, count);
    shapes.weights.conservativeResize(count);
    shapes.dropped = static_cast<int>(k + lengths.size() - count);
    return shapes;
}

/// Modes in their order, then derivatives by falling weight.
MatrixX gramSchmidtOrder(const WeightedShapes& shapes, Eigen::Index modes) {
    std::vector<Eigen::Index> order(static_cast<std::size_t>(shapes.columns.cols()));
    std::iota(order.begin(), order.end(), Eigen::Index{0});
    std::stable_sort(order.begin() + modes, order.end(),
                     [&](auto a, auto b) { return shapes.weights[a] > shapes.weights[b]; });
    MatrixX sorted(shapes.columns.rows(), shapes.columns.cols());
    for (std::size_t c = 0; c < order.size(); ++c)
        sorted.col(static_cast<Eigen::Index>(c)) = shapes.columns.col(order[c]);
    return sorted;
}

void checkDimension(const BasisOptions& options) {
    const long long k = options.modes;
    const long long most = options.derivatives == DerivativeForm::Shifted ? k + k * k : k + k * (k + 1) / 2;
    if (options.dimension < 1 || (k >= 1 && options.dimension > most))
        throw Error("basis",
                    std::to_string(options.dimension) + " columns asked for, but " + std::to_string(k) +
                        " modes and their derivatives give at most " + std::to_string(most),
                    "ask for a dimension between 1 and that, or for more modes");
}

}  // namespace

Basis makeBasis(const FullModel& model, const BasisOptions& options, const ProgressCallback& progress) {
    checkDimension(options);
    reportProgress(progress, "linear modes", 0.0);
    const SparseMatrix& M = model.massMatrix();
    const StaticCompliance compliance(model, options.fixedVertices);
    const LinearModes modes = linearModes(compliance, options.modes, progress);
    const ModalDerivatives derivatives = options.derivatives == DerivativeForm::Shifted
                                             ? shiftedModalDerivatives(compliance, modes, options.threads, progress)
                                             : modalDerivatives(compliance, modes.shapes, options.threads, progress);
    reportProgress(progress, "basis", 0.0);
    const WeightedShapes shapes = weightedShapes(M, modes, derivatives, options.derivativeThreshold);
    Basis basis;
    if (options.orthogonalisation == Orthogonalisation::MassPca) {
        MassPca pca = massPca(M, shapes.columns * shapes.weights.asDiagonal(), options.dimension);
        basis.U = std::move(pca.basis);
        basis.singularValues = std::move(pca.singularValues);
    } else {
        basis.U = massGramSchmidt(M, gramSchmidtOrder(shapes, modes.eigenvalues.size()), options.dimension);
    }
    // Division by small singular values has magnified the rounding of the mean-axis conditions.
    basis.U = withoutRigidMotion(M, compliance.rigid(), basis.U);
    orthonormalise(M, basis.U);
    basis.elasticEigenvalues = modes.eigenvalues;
    basis.rigidModes = compliance.rigid();
    basis.droppedDerivatives = shapes.dropped;
    reportProgress(progress, "basis", 1.0);
    return basis;
}

}  // namespace pliant
