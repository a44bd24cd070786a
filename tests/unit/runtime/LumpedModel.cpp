// SPDX-License-Identifier: Zlib
#include "LumpedModel.h"

#include <Eigen/Dense>
#include <algorithm>
#include <random>

namespace pliant::test {
namespace {

using Index = Eigen::Index;

/// Position of a monomial in the lexicographic lists, indices in any order.
struct MonomialIndex {
    explicit MonomialIndex(int dimension) : r(dimension) {}
    int r;

    static Index choose(int n, int k) {
        Index value = 1;
        for (int i = 0; i < k; ++i) value = value * (n - i) / (i + 1);
        return value;
    }
    /// Sorted multi-index of `count` entries: those that come before it in lexicographic order.
    template <std::size_t Count>
    Index operator()(std::array<int, Count> i) const {
        std::sort(i.begin(), i.end());
        Index before = 0;
        int low = 0;
        for (std::size_t at = 0; at < Count; ++at) {
            const int left = static_cast<int>(Count - at) - 1;
            for (int value = low; value < i[at]; ++value) before += choose(r - value + left - 1, left);
            low = i[at];
        }
        return before;
    }
};

MatrixX rigidModes(const Points& X) {
    MatrixX modes = MatrixX::Zero(3 * X.cols(), 6);
    for (Index v = 0; v < X.cols(); ++v) {
        modes.block<3, 3>(3 * v, 0).setIdentity();
        modes.block<3, 3>(3 * v, 3) = -crossMatrix(X.col(v));
    }
    return modes;
}

/// Columns M-orthonormal to each other and to `fixed`, twice for rounding.
void orthonormalise(const VectorX& weights, const MatrixX& fixed, MatrixX& U) {
    const auto remove = [&](const Eigen::VectorXd& mode, Index column) {
        const double length = mode.dot(weights.cwiseProduct(mode));
        U.col(column) -= mode * (mode.dot(weights.cwiseProduct(U.col(column))) / length);
    };
    MatrixX basis = fixed;
    for (Index c = 0; c < fixed.cols(); ++c)
        for (Index k = 0; k < c; ++k) {
            const double length = basis.col(k).dot(weights.cwiseProduct(basis.col(k)));
            basis.col(c) -= basis.col(k) * (basis.col(k).dot(weights.cwiseProduct(basis.col(c))) / length);
        }
    for (Index j = 0; j < U.cols(); ++j) {
        for (int pass = 0; pass < 3; ++pass) {
            for (Index c = 0; c < basis.cols(); ++c) remove(basis.col(c), j);
            for (Index c = 0; c < j; ++c) remove(U.col(c), j);
        }
        U.col(j) /= std::sqrt(U.col(j).dot(weights.cwiseProduct(U.col(j))));
    }
}

InertiaIntegrals lumpedIntegrals(const Points& X, const VectorX& masses, const MatrixX& U) {
    const Index r = U.cols();
    InertiaIntegrals integrals;
    integrals.mass = masses.sum();
    integrals.translation = MatrixX::Zero(3, r);
    integrals.rotation = MatrixX::Zero(3, r);
    integrals.first.assign(static_cast<std::size_t>(r), Matrix3::Zero());
    integrals.second.assign(static_cast<std::size_t>(r * r), Matrix3::Zero());
    integrals.coriolis.assign(static_cast<std::size_t>(r * r), Vector3::Zero());
    for (Index v = 0; v < X.cols(); ++v) {
        const double m = masses[v];
        const Vector3 x = X.col(v);
        integrals.principalInertia += m * (Vector3::Constant(x.squaredNorm()) - x.cwiseProduct(x));
        for (Index j = 0; j < r; ++j) {
            const Vector3 psi = U.block<3, 1>(3 * v, j);
            integrals.translation.col(j) += m * psi;
            integrals.rotation.col(j) += m * x.cross(psi);
            integrals.first[static_cast<std::size_t>(j)] += m * x * psi.transpose();
            for (Index i = 0; i < r; ++i) {
                const Vector3 other = U.block<3, 1>(3 * v, i);
                integrals.second[static_cast<std::size_t>(i * r + j)] += m * other * psi.transpose();
                integrals.coriolis[static_cast<std::size_t>(i * r + j)] += m * other.cross(psi);
            }
        }
    }
    return integrals;
}

/// Adds the spring's energy scale / 2 (b.q + q'A q)^2.
void addSpring(double scale, const Eigen::VectorXd& b, const Eigen::MatrixXd& A, StrainEnergyPolynomial& energy) {
    const int r = static_cast<int>(b.size());
    const MonomialIndex index(r);
    energy.linearStiffness += scale * b * b.transpose();
    for (int i = 0; i < r; ++i)
        for (int j = 0; j < r; ++j)
            for (int k = 0; k < r; ++k) {
                energy.cubic[index(std::array<int, 3>{i, j, k})] += scale * b[i] * A(j, k);
                for (int l = 0; l < r; ++l)
                    energy.quartic[index(std::array<int, 4>{i, j, k, l})] += 0.5 * scale * A(i, j) * A(k, l);
            }
}

StrainEnergyPolynomial emptyPolynomial(int r) {
    const auto n = static_cast<std::size_t>(r);
    StrainEnergyPolynomial energy;
    energy.linearStiffness = MatrixX::Zero(r, r);
    energy.cubic = VectorX::Zero(static_cast<Index>(StrainEnergyPolynomial::cubicCount(n)));
    energy.quartic = VectorX::Zero(static_cast<Index>(StrainEnergyPolynomial::quarticCount(n)));
    return energy;
}

Points centredPositions(const VectorX& masses, std::mt19937& engine) {
    std::uniform_real_distribution<double> uniform(-0.5, 0.5);
    Points X(3, masses.size());
    for (Index i = 0; i < X.size(); ++i) X.data()[i] = uniform(engine) * (i % 3 == 0 ? 1.5 : i % 3 == 1 ? 1.0 : 0.6);
    const Vector3 centre = X * masses / masses.sum();
    X.colwise() -= centre;
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(X * masses.asDiagonal() * X.transpose());
    Eigen::Matrix3d rotation = axes.eigenvectors();
    if (rotation.determinant() < 0.0) rotation.col(0) *= -1.0;
    const Points turned = rotation.transpose() * X;
    return turned;
}

}  // namespace

LumpedSystem makeLumpedSystem(const LumpedOptions& options) {
    std::mt19937 engine(options.seed);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    LumpedSystem system;
    system.masses = VectorX(options.masses);
    for (Index v = 0; v < options.masses; ++v) system.masses[v] = 0.05 + 0.1 * uniform(engine);
    const Points X = centredPositions(system.masses, engine);
    VectorX weights(3 * options.masses);
    for (Index i = 0; i < weights.size(); ++i) weights[i] = system.masses[i / 3];
    MatrixX U(3 * options.masses, options.dimension);
    for (Index i = 0; i < U.size(); ++i) U.data()[i] = uniform(engine) - 0.5;
    orthonormalise(weights, options.meanAxis ? rigidModes(X) : MatrixX(weights.size(), 0), U);

    system.model = std::make_shared<ReducedModel>();
    ReducedModel& model = *system.model;
    model.name = "lumped";
    model.mesh.positions = X;
    model.basis = U;
    model.inertia = lumpedIntegrals(X, system.masses, U);
    model.energy = emptyPolynomial(options.dimension);
    const MatrixX modes = rigidModes(X);
    for (int spring = 0; spring < 3 * options.masses; ++spring) {
        const Index a = spring % options.masses;
        const Index b = (a + 1 + static_cast<Index>(uniform(engine) * (options.masses - 2))) % options.masses;
        const Eigen::Vector3d rest = X.col(a) - X.col(b);
        const Eigen::MatrixXd difference = U.middleRows<3>(3 * a) - U.middleRows<3>(3 * b);
        const double length = rest.squaredNorm();
        addSpring(0.25 * options.stiffness / length, 2.0 * difference.transpose() * rest,
                  difference.transpose() * difference, model.energy);
    }
    return system;
}

std::shared_ptr<ReducedModel> makeOscillator(double omega, bool anchored) {
    auto model = std::make_shared<ReducedModel>();
    model->name = "oscillator";
    model->anchored = anchored;
    model->mesh.positions = Points::Zero(3, 1);
    model->basis = MatrixX::Zero(3, 1);
    model->basis(2, 0) = 1.0;
    VectorX mass = VectorX::Ones(1);
    model->inertia = lumpedIntegrals(model->mesh.positions, mass, model->basis);
    model->inertia.principalInertia = Vector3::Ones();
    model->energy = emptyPolynomial(1);
    model->energy.linearStiffness(0, 0) = omega * omega;
    return model;
}

MaterialPoint atVertex(int vertex) {
    MaterialPoint point;
    point.vertex[0] = vertex;
    point.weight[0] = 1.0;
    return point;
}

}  // namespace pliant::test
