// SPDX-License-Identifier: Zlib
#include "pliant/collision/body/MotionBoundSpheres.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {

namespace {

constexpr int kFewestSpheres = 128;
constexpr int kSpheresPerBoundSphere = 15, kFewestBoundSpheres = 32;
constexpr int kMostRounds = 30;  ///< of finding a sphere's weights
constexpr double kSlackOfRadius = 0.5, kSlackOfSize = 0.01, kSlackOfSurface = 0.002;
constexpr double kLengthRounding = 1e-5;  ///< of all lengths here: sums of some dozens of floats

/// A column for each sphere: rest centre and columns of its rows of the basis, each kind in units of its root mean
/// square.
struct Features {
    MatrixX columns;  ///< 3 (1 + r) x spheres
    VectorX units;    ///< 1 + r, all positive
};

VectorX rootMeanSquares(const MatrixX& columns) {
    const Eigen::Index kinds = columns.rows() / 3;
    VectorX result(kinds);
    for (Eigen::Index j = 0; j < kinds; ++j) {
        const double square =
            columns.middleRows<3>(3 * j).squaredNorm() / static_cast<double>(std::max<Eigen::Index>(1, columns.cols()));
        result[j] = square > 0.0 ? std::sqrt(square) : 1.0;
    }
    return result;
}

Features featuresOf(const ContactSkeleton& skeleton) {
    const Eigen::Index r = skeleton.basis.cols(), n = skeleton.sphereCount();
    Features f;
    f.columns.resize(3 * (1 + r), n);
    f.columns.topRows<3>() = skeleton.restCentres.cast<double>();
    for (Eigen::Index i = 0; i < n; ++i)
        for (Eigen::Index j = 0; j < r; ++j)
            f.columns.col(i).segment<3>(3 * (1 + j)) = skeleton.basis.col(j).segment<3>(3 * i).cast<double>();
    f.units = rootMeanSquares(f.columns);
    for (Eigen::Index j = 0; j <= r; ++j) f.columns.middleRows<3>(3 * j) /= f.units[j];
    return f;
}

/// One after the other the sphere that is farthest from those before it.
std::vector<int> farApart(const MatrixX& columns, int count) {
    std::vector<int> chosen;
    Eigen::Index next = 0;
    const VectorX mean = columns.rowwise().mean();
    (columns.colwise() - mean).colwise().squaredNorm().maxCoeff(&next);
    const VectorX squares = columns.colwise().squaredNorm();
    VectorX distance = VectorX::Constant(columns.cols(), std::numeric_limits<double>::max()), products;
    for (int k = 0; k < count; ++k) {
        chosen.push_back(static_cast<int>(next));
        products.noalias() = columns.transpose() * columns.col(next);
        distance = distance.cwiseMin(squares - 2.0 * products + VectorX::Constant(squares.size(), squares[next]));
        distance.maxCoeff(&next);
    }
    return chosen;
}

/// The weights >= 0 with sum 1 of the columns of A whose mean is nearly the nearest to x: pairwise conditional
/// gradients [LJ15], which move weight from the worst column in use to the best of all.
/// @param gram A'A @param products A'x
VectorX convexWeights(const MatrixX& gram, const VectorX& products) {
    VectorX weights = VectorX::Zero(products.size());
    Eigen::Index start = 0;
    (gram.diagonal() - 2.0 * products).minCoeff(&start);
    weights[start] = 1.0;
    VectorX gain = products - gram.col(start);  // A'(x - A weights)
    for (int round = 0; round < kMostRounds; ++round) {
        Eigen::Index best = 0, worst = -1;
        gain.maxCoeff(&best);
        for (Eigen::Index k = 0; k < gain.size(); ++k)
            if (weights[k] > 0.0 && (worst < 0 || gain[k] < gain[worst])) worst = k;
        const double curvature = gram(best, best) + gram(worst, worst) - 2.0 * gram(best, worst);
        const double step = curvature > 0.0 ? std::min(weights[worst], (gain[best] - gain[worst]) / curvature) : 0.0;
        if (!(step > 1e-6)) break;
        weights[best] += step;
        weights[worst] -= step;
        gain -= step * (gram.col(best) - gram.col(worst));
    }
    return weights;
}

/// What the bound spheres do not make up of each sphere, in metres and per unit of q.
MatrixX residuals(const Features& features, const std::vector<int>& boundSpheres) {
    MatrixX A(features.columns.rows(), static_cast<Eigen::Index>(boundSpheres.size()));
    for (Eigen::Index k = 0; k < A.cols(); ++k)
        A.col(k) = features.columns.col(boundSpheres[static_cast<std::size_t>(k)]);
    const MatrixX gram = A.transpose() * A, products = A.transpose() * features.columns;
    MatrixX left = features.columns;
    for (Eigen::Index i = 0; i < left.cols(); ++i) {
        const VectorX weights = convexWeights(gram, products.col(i));
        for (Eigen::Index k = 0; k < A.cols(); ++k)
            if (weights[k] != 0.0) left.col(i) -= weights[k] * A.col(k);
    }
    for (Eigen::Index j = 0; j < features.units.size(); ++j) left.middleRows<3>(3 * j) *= features.units[j];
    return left;
}

/// Largest singular value of rows D^-1. @param rows 3 x r, column-major
double scaledNorm(const double* rows, const VectorX& scale) {
    Matrix3 gram = Matrix3::Zero();
    for (Eigen::Index j = 0; j < scale.size(); ++j) {
        const Vector3 column = Eigen::Map<const Vector3>(rows + 3 * j) / scale[j];
        gram += column * column.transpose();
    }
    Eigen::SelfAdjointEigenSolver<Matrix3> solver;
    solver.computeDirect(gram, Eigen::EigenvaluesOnly);
    return std::sqrt(std::max(0.0, solver.eigenvalues().maxCoeff()));
}

}  // namespace

MotionBoundSpheres::MotionBoundSpheres(const ContactSkeleton& skeleton) {
    const int spheres = skeleton.sphereCount();
    const Eigen::Index r = skeleton.basis.cols();
    if (spheres < kFewestSpheres || r == 0) return;
    const Features features = featuresOf(skeleton);
    const int count = std::max(kFewestBoundSpheres, (spheres + kSpheresPerBoundSphere - 1) / kSpheresPerBoundSphere);
    const std::vector<int> boundSpheres = farApart(features.columns, count);
    const MatrixX left = residuals(features, boundSpheres);
    const VectorX scale = rootMeanSquares(left).tail(r);
    const VectorX scaleOfFeatures = scale.cwiseQuotient(features.units.tail(r));
    double whole = 0.0;  // as `m_residual`, of all of U_i
    for (Eigen::Index i = 0; i < left.cols(); ++i) {
        m_residual = std::max(m_residual, scaledNorm(left.col(i).data() + 3, scale));
        whole = std::max(whole, scaledNorm(features.columns.col(i).data() + 3, scaleOfFeatures));
        m_restResidual = std::max(m_restResidual, left.col(i).head<3>().norm());
    }
    const PointsF& centres = skeleton.restCentres;
    const double size = static_cast<double>((centres.rowwise().maxCoeff() - centres.rowwise().minCoeff()).maxCoeff());
    m_residual += kLengthRounding * whole;
    m_restResidual += kLengthRounding * size;
    m_scale.assign(scale.data(), scale.data() + r);
    m_tiles = tilesOf(skeleton, boundSpheres);
    const auto thinnest = static_cast<double>(skeleton.radii.minCoeff());
    m_mostSlack = thinnest > 0.0 ? std::min(kSlackOfRadius * thinnest, kSlackOfSize * size) : kSlackOfSurface * size;
}

double MotionBoundSpheres::size(const float* q) const {
    double squared = 0.0;
    for (std::size_t j = 0; j < m_scale.size(); ++j) {
        const double x = m_scale[j] * static_cast<double>(q[j]);
        squared += x * x;
    }
    return std::sqrt(squared);
}

}  // namespace pliant
