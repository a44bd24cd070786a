// SPDX-License-Identifier: Zlib
#include "pliant/reduce/ReducedForces.h"

namespace pliant {
namespace {

/// r x r symmetric matrix out of its entries at pairs (a, b), a <= b.
MatrixX unpacked(const VectorX& pairs, Eigen::Index r) {
    MatrixX K(r, r);
    Eigen::Index p = 0;
    for (Eigen::Index a = 0; a < r; ++a)
        for (Eigen::Index b = a; b < r; ++b, ++p) K(a, b) = K(b, a) = pairs[p];
    return K;
}

class PolynomialForces : public ReducedForces {
public:
    explicit PolynomialForces(const StrainEnergyPolynomial& polynomial)
        : m_K0(polynomial.linearStiffness), m_coefficients(stiffnessCoefficients(polynomial)) {}

    Eigen::Index dimension() const override { return m_K0.rows(); }

    double energy(const VectorX& q) const override {
        MatrixX K1, K2;
        parts(q, K1, K2);
        return q.dot(0.5 * (m_K0 * q) + K1 * q / 6.0 + K2 * q / 12.0);
    }

    void evaluate(const VectorX& q, VectorX& R, MatrixX& K) const override {
        MatrixX K1, K2;
        parts(q, K1, K2);
        R = m_K0 * q + 0.5 * (K1 * q) + K2 * q / 3.0;
        K = m_K0 + K1 + K2;
    }

private:
    void parts(const VectorX& q, MatrixX& K1, MatrixX& K2) const {
        const Eigen::Index r = dimension(), p = r * (r + 1) / 2;
        VectorX products(p);
        Eigen::Index pair = 0;
        for (Eigen::Index a = 0; a < r; ++a)
            for (Eigen::Index b = a; b < r; ++b) products[pair++] = q[a] * q[b];
        K1 = unpacked(m_coefficients.leftCols(r) * q, r);
        K2 = unpacked(m_coefficients.rightCols(p) * products, r);
    }

    MatrixX m_K0, m_coefficients;
};

class LinearForces : public ReducedForces {
public:
    explicit LinearForces(const MatrixX& K0) : m_K0(K0) {}
    Eigen::Index dimension() const override { return m_K0.rows(); }
    double energy(const VectorX& q) const override { return 0.5 * q.dot(m_K0 * q); }
    void evaluate(const VectorX& q, VectorX& R, MatrixX& K) const override {
        R = m_K0 * q;
        K = m_K0;
    }

private:
    MatrixX m_K0;
};

class ProjectedForces : public ReducedForces {
public:
    ProjectedForces(const FullModel& model, const MatrixX& U) : m_model(model), m_U(U) {}
    Eigen::Index dimension() const override { return m_U.cols(); }
    double energy(const VectorX& q) const override { return m_model.energy(m_U * q); }
    void evaluate(const VectorX& q, VectorX& R, MatrixX& K) const override {
        const VectorX u = m_U * q;
        R = m_U.transpose() * m_model.internalForce(u);
        m_model.stiffness(u, m_K);
        K = m_U.transpose() * MatrixX(m_K * m_U);
    }

private:
    const FullModel& m_model;
    const MatrixX& m_U;
    mutable SparseMatrix m_K;  // pattern kept
};

}  // namespace

std::unique_ptr<ReducedForces> polynomialForces(const StrainEnergyPolynomial& polynomial) {
    return std::make_unique<PolynomialForces>(polynomial);
}

std::unique_ptr<ReducedForces> linearForces(const MatrixX& restStiffness) {
    return std::make_unique<LinearForces>(restStiffness);
}

std::unique_ptr<ReducedForces> projectedForces(const FullModel& model, const MatrixX& U) {
    return std::make_unique<ProjectedForces>(model, U);
}

}  // namespace pliant
