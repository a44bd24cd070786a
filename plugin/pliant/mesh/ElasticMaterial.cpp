// SPDX-License-Identifier: Zlib
#include "pliant/mesh/ElasticMaterial.h"

#include <Eigen/LU>
#include <array>
#include <cmath>

namespace pliant {
namespace {

constexpr std::array<std::array<int, 2>, 6> voigtComponents = {{{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}}};

Matrix6 isotropicStiffness(double lambda, double mu) {
    Matrix6 C = Matrix6::Zero();
    C.topLeftCorner<3, 3>().setConstant(lambda);
    C.diagonal().head<3>().array() += 2.0 * mu;
    C.diagonal().tail<3>().setConstant(mu);
    return C;
}

/// Inverse of the compliance; its normal and shear parts do not touch.
Matrix6 orthotropicStiffness(const OrthotropicConstants& c) {
    const Vector3 &E = c.youngsModuli, &nu = c.poissonRatios, &G = c.shearModuli;
    Matrix3 compliance = E.cwiseInverse().asDiagonal();
    compliance(0, 1) = compliance(1, 0) = -nu[0] / E[0];
    compliance(1, 2) = compliance(2, 1) = -nu[1] / E[1];
    compliance(2, 0) = compliance(0, 2) = -nu[2] / E[2];
    const Matrix3 normal = compliance.inverse();
    Matrix6 C = Matrix6::Zero();
    C.topLeftCorner<3, 3>() = 0.5 * (normal + normal.transpose());
    C.diagonal().tail<3>() << G[1], G[2], G[0];  // yz, xz, xy
    return c.axes == Matrix3::Identity() ? C : rotatedStiffness(C, c.axes);
}

}  // namespace

// With E = R e R', the engineering strain in the old axes is T (strain in the new ones), so C_new = T' C T.
Matrix6 rotatedStiffness(const Matrix6& stiffness, const Matrix3& R) {
    Matrix6 T;
    for (int column = 0; column < 6; ++column) {
        Matrix3 strain = Matrix3::Zero();  // unit engineering component in the new axes
        const int i = voigtComponents[static_cast<std::size_t>(column)][0],
                  j = voigtComponents[static_cast<std::size_t>(column)][1];
        strain(i, j) += 0.5;
        strain(j, i) += 0.5;
        const Matrix3 old = R.transpose() * strain * R;
        for (int row = 0; row < 6; ++row) {
            const int a = voigtComponents[static_cast<std::size_t>(row)][0],
                      b = voigtComponents[static_cast<std::size_t>(row)][1];
            T(row, column) = (a == b ? 1.0 : 2.0) * old(a, b);
        }
    }
    const Matrix6 result = T.transpose() * stiffness * T;
    return 0.5 * (result + result.transpose());
}

Matrix6 stiffnessMatrix(const ElasticMaterial& material) {
    switch (material.law) {
        case MaterialLaw::Orthotropic:
            return orthotropicStiffness(material.orthotropic);
        case MaterialLaw::General:
            return material.stiffness;
        case MaterialLaw::Isotropic:
            break;
    }
    return isotropicStiffness(material.lameLambda(), material.lameMu());
}

std::vector<double> energyWeights(const ElasticMaterial& material) {
    if (material.isotropic()) return {material.lameLambda(), material.lameMu()};
    return {1.0};
}

OrthotropicConstants stableOrthotropic(const Vector3& youngsModuli, double poissonRatio, double shearFactor) {
    OrthotropicConstants c;
    c.youngsModuli = youngsModuli;
    for (int i = 0; i < 3; ++i) {
        const double Ei = youngsModuli[i], Ej = youngsModuli[(i + 1) % 3];
        c.poissonRatios[i] = poissonRatio * std::sqrt(Ei / Ej);
        c.shearModuli[i] = shearFactor * std::sqrt(Ei * Ej) / (2.0 * (1.0 + poissonRatio));
    }
    return c;
}

}  // namespace pliant
