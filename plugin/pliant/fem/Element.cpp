// SPDX-License-Identifier: Zlib
#include "pliant/fem/Element.h"

#include <array>

#include "pliant/fem/ElementBending.h"

namespace pliant {
namespace {

/// Adds one point to the blocks a <= b of the stiffness. @param A displacement gradient @param S weight * stress
void addIsotropicPoint(const ElementPoint& point, const ElasticLaw& law, const Matrix3& A, const Matrix3& S,
                       ElementMatrix& stiffness) {
    const ShapeGradients& G = point.gradients;
    const Matrix3 F = Matrix3::Identity() + A;
    const Matrix3 muFF = point.weight * law.mu * (F * F.transpose());
    const CornerVectors H = F * G.transpose();  // column a: F g_a, how dN_a/dX looks from the deformed side
    const double lambda = point.weight * law.lambda;
    const double mu = point.weight * law.mu;
    for (Eigen::Index b = 0; b < G.rows(); ++b) {
        const Vector3 Sg = S * G.row(b).transpose();
        const Vector3 h = H.col(b);
        for (Eigen::Index a = 0; a <= b; ++a) {
            const Vector3 k = H.col(a);
            Matrix3 block = lambda * k * h.transpose() + mu * h * k.transpose() + G.row(a).dot(G.row(b)) * muFF;
            block.diagonal().array() += G.row(a).dot(Sg);
            stiffness.block<3, 3>(3 * a, 3 * b) += block;
        }
    }
}

/// The same for any C: w (dE/du_a)' C (dE/du_b) + (g_a' S g_b) 1, where the strain's derivative with respect to the
/// corner's displacement has rows F_.i g_j + F_.j g_i (once, without the factor 2, for i = j).
void addGeneralPoint(const ElementPoint& point, const ElasticLaw& law, const Matrix3& A, const Matrix3& S,
                     ElementMatrix& stiffness) {
    using StrainRows = Eigen::Matrix<double, 6, 3, Eigen::ColMajor | Eigen::DontAlign>;
    const ShapeGradients& G = point.gradients;
    const Matrix3 Ft = (Matrix3::Identity() + A).transpose();
    std::array<StrainRows, 8> rows;
    for (Eigen::Index a = 0; a < G.rows(); ++a) {
        const Vector3 g = G.row(a).transpose();
        StrainRows& B = rows[static_cast<std::size_t>(a)];
        for (int i = 0; i < 3; ++i) B.row(i) = g[i] * Ft.row(i);
        B.row(3) = g[2] * Ft.row(1) + g[1] * Ft.row(2);
        B.row(4) = g[2] * Ft.row(0) + g[0] * Ft.row(2);
        B.row(5) = g[1] * Ft.row(0) + g[0] * Ft.row(1);
    }
    for (Eigen::Index b = 0; b < G.rows(); ++b) {
        const StrainRows CB = point.weight * law.stiffness.lazyProduct(rows[static_cast<std::size_t>(b)]);
        const Vector3 Sg = S * G.row(b).transpose();
        for (Eigen::Index a = 0; a <= b; ++a) {
            Matrix3 block = rows[static_cast<std::size_t>(a)].transpose().lazyProduct(CB);
            block.diagonal().array() += G.row(a).dot(Sg);
            stiffness.block<3, 3>(3 * a, 3 * b) += block;
        }
    }
}

/// Whether an assumed strain counts: the strain of a tetrahedron, which has one point, does not vary.
bool isAssumed(const std::vector<ElementPoint>& points, const BrickBending& bending) {
    return !bending.plain() && points.size() > 1;
}

}  // namespace

double elementEnergy(const std::vector<ElementPoint>& points, const ElasticLaw& law, const CornerVectors& corners,
                     const BrickBending& bending) {
    if (isAssumed(points, bending)) return bentEnergy(points, law, corners, bending);
    double energy = 0.0;
    for (const ElementPoint& point : points) {
        const Matrix3 A = corners * point.gradients;
        const Matrix3 E = greenStrain(A);
        energy += 0.5 * point.weight * E.cwiseProduct(stressOf(law, E)).sum();
    }
    return energy;
}

CornerVectors elementForce(const std::vector<ElementPoint>& points, const ElasticLaw& law, const CornerVectors& corners,
                           const BrickBending& bending) {
    if (isAssumed(points, bending)) return bentForce(points, law, corners, bending);
    CornerVectors force = CornerVectors::Zero(3, corners.cols());
    for (const ElementPoint& point : points) {
        const Matrix3 A = corners * point.gradients;
        const Matrix3 S = stressOf(law, greenStrain(A));
        const Matrix3 P = point.weight * (S + A * S);
        force.noalias() += P.lazyProduct(point.gradients.transpose());
    }
    return force;
}

void elementStiffness(const std::vector<ElementPoint>& points, const ElasticLaw& law, const CornerVectors& corners,
                      ElementMatrix& stiffness, const BrickBending& bending) {
    const Eigen::Index count = corners.cols();
    if (isAssumed(points, bending)) return bentStiffness(points, law, corners, bending, stiffness);
    stiffness.setZero(3 * count, 3 * count);
    for (const ElementPoint& point : points) {
        const Matrix3 A = corners * point.gradients;
        const Matrix3 S = point.weight * stressOf(law, greenStrain(A));
        if (law.isotropic)
            addIsotropicPoint(point, law, A, S, stiffness);
        else
            addGeneralPoint(point, law, A, S, stiffness);
    }
    for (Eigen::Index b = 0; b < count; ++b)
        for (Eigen::Index a = 0; a < b; ++a)
            stiffness.block<3, 3>(3 * b, 3 * a) = stiffness.block<3, 3>(3 * a, 3 * b).transpose();
}

CornerVectors elementHessianProduct(const std::vector<ElementPoint>& points, const ElasticLaw& law,
                                    const CornerVectors& a, const CornerVectors& b, const BrickBending& bending) {
    if (isAssumed(points, bending)) return bentHessianProduct(points, law, a, b, bending);
    CornerVectors product = CornerVectors::Zero(3, a.cols());
    for (const ElementPoint& point : points) {
        const Matrix3 A = a * point.gradients;
        const Matrix3 B = b * point.gradients;
        const Matrix3 SA = stressOf(law, 0.5 * (A + A.transpose()));
        const Matrix3 SB = stressOf(law, 0.5 * (B + B.transpose()));
        const Matrix3 P = point.weight * secondPiolaDerivative(law, A, SA, B, SB);
        product.noalias() += P.lazyProduct(point.gradients.transpose());
    }
    return product;
}

Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor | Eigen::DontAlign, 8, 8> shapeProducts(
    ElementKind kind, double volume, const FilledBox& box) {
    const int count = kind == ElementKind::Brick ? 8 : 4;
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor | Eigen::DontAlign, 8, 8> products(count,
                                                                                                             count);
    if (kind == ElementKind::Tetrahedron) {
        products.setConstant(volume / 20.0);
        products.diagonal().setConstant(volume / 10.0);
        return products;
    }
    // Corner c of VolumeMesh's order stands on side 0 or 1 of each axis.
    constexpr std::array<std::array<int, 3>, 8> side = {
        {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}};
    for (std::size_t a = 0; a < 8; ++a)
        for (std::size_t b = 0; b < 8; ++b) {
            double value = volume;
            for (std::size_t axis = 0; axis < 3; ++axis)
                value *= box.meanProduct(static_cast<int>(axis), side[a][axis], side[b][axis]);
            products(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b)) = value;
        }
    return products;
}

}  // namespace pliant
