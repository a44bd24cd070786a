// SPDX-License-Identifier: Zlib
#include "pliant/fem/ElementBending.h"

#include <array>

namespace pliant {
namespace {

constexpr std::size_t mostPoints = 27;

/// A symmetric tensor at every point of an element.
using PointTensors = std::array<Matrix3, mostPoints>;

double volumeOf(const std::vector<ElementPoint>& points) {
    double volume = 0.0;
    for (const ElementPoint& point : points) volume += point.weight;
    return volume;
}

/// S <- bending S + (1 - bending) mean(S). The mean strain's stress is the mean stress: S is linear in E.
void weighVariation(const std::vector<ElementPoint>& points, double bending, PointTensors& S) {
    Matrix3 mean = Matrix3::Zero();
    for (std::size_t p = 0; p < points.size(); ++p) mean += points[p].weight * S[p];
    mean *= (1.0 - bending) / volumeOf(points);
    for (std::size_t p = 0; p < points.size(); ++p) S[p] = bending * S[p] + mean;
}

/// Stress of the Green strain at every point, weighed.
PointTensors stresses(const std::vector<ElementPoint>& points, const ElasticLaw& law, const CornerVectors& corners,
                      double bending) {
    PointTensors S;
    for (std::size_t p = 0; p < points.size(); ++p) S[p] = stressOf(law, greenStrain(corners * points[p].gradients));
    weighVariation(points, bending, S);
    return S;
}

/// Derivative of the strain vector with respect to the corners' displacements, 6 x 3c; order xx, yy, zz, yz, xz, xy.
using BrickStrainRows = Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor | Eigen::DontAlign, 6, 24>;
BrickStrainRows strainRows(const ShapeGradients& G, const Matrix3& A) {
    const Matrix3 Ft = (Matrix3::Identity() + A).transpose();
    BrickStrainRows B(6, 3 * G.rows());
    for (Eigen::Index a = 0; a < G.rows(); ++a) {
        const Vector3 g = G.row(a).transpose();
        for (int i = 0; i < 3; ++i) B.block<1, 3>(i, 3 * a) = g[i] * Ft.row(i);
        B.block<1, 3>(3, 3 * a) = g[2] * Ft.row(1) + g[1] * Ft.row(2);
        B.block<1, 3>(4, 3 * a) = g[2] * Ft.row(0) + g[0] * Ft.row(2);
        B.block<1, 3>(5, 3 * a) = g[1] * Ft.row(0) + g[0] * Ft.row(1);
    }
    return B;
}

void addMaterial(const BrickStrainRows& B, const Matrix6& C, double weight, ElementMatrix& stiffness) {
    const BrickStrainRows CB = weight * C.lazyProduct(B);
    stiffness += B.transpose().lazyProduct(CB);
}

}  // namespace

double bentEnergy(const std::vector<ElementPoint>& points, const ElasticLaw& law, const CornerVectors& corners,
                  double bending) {
    const PointTensors S = stresses(points, law, corners, bending);
    double energy = 0.0;
    for (std::size_t p = 0; p < points.size(); ++p)
        energy += 0.5 * points[p].weight * greenStrain(corners * points[p].gradients).cwiseProduct(S[p]).sum();
    return energy;
}

CornerVectors bentForce(const std::vector<ElementPoint>& points, const ElasticLaw& law, const CornerVectors& corners,
                        double bending) {
    const PointTensors S = stresses(points, law, corners, bending);
    CornerVectors force = CornerVectors::Zero(3, corners.cols());
    for (std::size_t p = 0; p < points.size(); ++p) {
        const Matrix3 A = corners * points[p].gradients;
        const Matrix3 P = points[p].weight * (S[p] + A * S[p]);
        force.noalias() += P.lazyProduct(points[p].gradients.transpose());
    }
    return force;
}

void bentStiffness(const std::vector<ElementPoint>& points, const ElasticLaw& law, const CornerVectors& corners,
                   double bending, ElementMatrix& stiffness) {
    const Eigen::Index count = corners.cols();
    const PointTensors S = stresses(points, law, corners, bending);
    stiffness.setZero(3 * count, 3 * count);
    BrickStrainRows mean = BrickStrainRows::Zero(6, 3 * count);
    for (std::size_t p = 0; p < points.size(); ++p) {
        const ElementPoint& point = points[p];
        const BrickStrainRows B = strainRows(point.gradients, corners * point.gradients);
        mean += point.weight * B;
        addMaterial(B, law.stiffness, bending * point.weight, stiffness);
        for (Eigen::Index b = 0; b < count; ++b) {
            const Vector3 Sg = point.weight * S[p] * point.gradients.row(b).transpose();
            for (Eigen::Index a = 0; a < count; ++a)
                stiffness.block<3, 3>(3 * a, 3 * b).diagonal().array() += point.gradients.row(a).dot(Sg);
        }
    }
    addMaterial(mean, law.stiffness, (1.0 - bending) / volumeOf(points), stiffness);
    for (Eigen::Index column = 0; column < stiffness.cols(); ++column)  // same bits on both sides of the diagonal
        for (Eigen::Index row = 0; row < column; ++row) stiffness(column, row) = stiffness(row, column);
}

CornerVectors bentHessianProduct(const std::vector<ElementPoint>& points, const ElasticLaw& law, const CornerVectors& a,
                                 const CornerVectors& b, double bending) {
    PointTensors SA, SB, SC;  // linear stresses of a and of b, and that of the quadratic strain
    for (std::size_t p = 0; p < points.size(); ++p) {
        const Matrix3 A = a * points[p].gradients, B = b * points[p].gradients;
        const Matrix3 C = A.transpose() * B;
        SA[p] = stressOf(law, 0.5 * (A + A.transpose()));
        SB[p] = stressOf(law, 0.5 * (B + B.transpose()));
        SC[p] = stressOf(law, 0.5 * (C + C.transpose()));
    }
    for (PointTensors* S : {&SA, &SB, &SC}) weighVariation(points, bending, *S);
    CornerVectors product = CornerVectors::Zero(3, a.cols());
    for (std::size_t p = 0; p < points.size(); ++p) {
        const Matrix3 A = a * points[p].gradients, B = b * points[p].gradients;
        const Matrix3 P = points[p].weight * (A * SB[p] + B * SA[p] + SC[p]);
        product.noalias() += P.lazyProduct(points[p].gradients.transpose());
    }
    return product;
}

}  // namespace pliant
