// SPDX-License-Identifier: Zlib
#include "pliant/model/MaterialFrame.h"

#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>

#include "pliant/mesh/ElementShape.h"

namespace pliant {
namespace {

/// Gradients of the shape functions of an element (of a brick: at its centre), mesh frame, a column a corner, 1/m.
Corners shapeGradients(const VolumeMesh& mesh, int element) {
    const Corners corners = elementCorners(mesh, element);
    if (mesh.kind == ElementKind::Brick)
        return brickGradients(fitBrick(corners), Vector3::Constant(0.5), Vector3::Constant(0.5)).transpose();
    Corners gradients(3, corners.cols());
    Matrix3 edges;
    for (int k = 0; k < 3; ++k) edges.col(k) = corners.col(k + 1) - corners.col(0);
    const Matrix3 inverse = edges.inverse();  // rows are the gradients of corners 1, 2, 3
    gradients.col(0) = -inverse.colwise().sum().transpose();
    for (int k = 0; k < 3; ++k) gradients.col(k + 1) = inverse.row(k).transpose();
    return gradients;
}

/// The centre of an element as a material point.
MaterialPoint centreOf(const VolumeMesh& mesh, int element) {
    MaterialPoint centre;
    centre.element = element;
    const int corners = mesh.cornersPerElement();
    for (int c = 0; c < corners; ++c) {
        centre.vertex[static_cast<std::size_t>(c)] = mesh.elements(c, element);
        centre.weight[static_cast<std::size_t>(c)] = 1.0 / corners;
    }
    return centre;
}

/// Where the point rests, mesh frame.
Vector3 restOf(const VolumeMesh& mesh, const MaterialPoint& point) {
    Vector3 x = Vector3::Zero();
    for (std::size_t c = 0; c < point.vertex.size(); ++c)
        if (point.weight[c] != 0.0) x += point.weight[c] * mesh.positions.col(point.vertex[c]);
    return x;
}

/// Further out than a tenth of the element's diagonal: the weights of the element's shape functions mean little there.
bool isOutside(const VolumeMesh& mesh, const MaterialPoint& point) {
    const Corners corners = elementCorners(mesh, point.element);
    return point.distance > 0.1 * (corners.rowwise().maxCoeff() - corners.rowwise().minCoeff()).norm();
}

}  // namespace

MaterialFrame::MaterialFrame(const ReducedModel& model, const MaterialPoint& point, const RigidTransform& meshFrame) {
    const VolumeMesh& mesh = model.mesh;
    const bool outside = isOutside(mesh, point);
    const MaterialPoint carrier = outside ? centreOf(mesh, point.element) : point;
    m_basis = interpolateBasis({carrier}, model.basis);
    const Corners gradients = model.meshFromBody.rotation.transpose() * shapeGradients(mesh, point.element);
    m_gradient = MatrixX::Zero(9, model.basis.cols());
    for (Eigen::Index j = 0; j < m_gradient.cols(); ++j) {
        Eigen::Map<Matrix3> F(m_gradient.col(j).data());
        for (int c = 0; c < mesh.cornersPerElement(); ++c)
            F += model.basis.col(j).segment<3>(3 * mesh.elements(c, point.element)) * gradients.col(c).transpose();
    }
    const Vector3 rest = restOf(mesh, carrier);
    m_restPosition = model.meshFromBody.inversePoint(rest);
    m_arm = outside ? Vector3(model.meshFromBody.rotation.transpose() * (meshFrame.translation - rest))
                    : Vector3(Vector3::Zero());
    m_restBasis = model.meshFromBody.rotation.transpose() * meshFrame.rotation;
    m_moving = m_basis.cols();
    const VectorX zero = VectorX::Zero(m_moving);
    update(zero.data());
}

void MaterialFrame::update(const double* q) {
    const ConstVectorView coordinates(q, m_moving);
    const Matrix3 F = Matrix3::Identity() + stretchRate(q);
    const Eigen::JacobiSVD<Matrix3> svd(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const Matrix3& V = svd.matrixV();
    Matrix3 left = svd.matrixU();
    if (left.determinant() * V.determinant() < 0.0) left.col(2) = -left.col(2);  // inverted: the nearest rotation still
    m_rotation = left * V.transpose();
    const Vector3 sigma = (left.transpose() * F * V).diagonal();
    // Sums of two stretches; a crushed element may have none left, and its frame then turns no faster than this.
    constexpr double least = 1e-3;
    const Vector3 sums(std::max(least, sigma[1] + sigma[2]), std::max(least, sigma[2] + sigma[0]),
                       std::max(least, sigma[0] + sigma[1]));
    m_turn = V * sums.cwiseInverse().asDiagonal() * V.transpose();
    m_position = m_restPosition + m_basis.leftCols(m_moving) * coordinates + m_rotation * m_arm;
}

Matrix3 MaterialFrame::stretchRate(const double* qRate) const {
    Matrix3 rate;
    Eigen::Map<Eigen::Matrix<double, 9, 1>>(rate.data()).noalias() =
        m_gradient.leftCols(m_moving) * ConstVectorView(qRate, m_moving);
    return rate;
}

void MaterialFrame::addGeneralised(const Vector3& force, const Vector3& couple, double* modal) const {
    VectorView generalised(modal, m_moving);
    generalised.noalias() += m_basis.leftCols(m_moving).transpose() * force;
    const Vector3 total = couple + (m_rotation * m_arm).cross(force);
    // couple . R w, and w = turn axial(R'F.): linear in F. with the coefficients R [turn R' couple]x.
    const Matrix3 coefficients = m_rotation * crossMatrix(m_turn * (m_rotation.transpose() * total));
    generalised.noalias() +=
        m_gradient.leftCols(m_moving).transpose() * Eigen::Map<const Eigen::Matrix<double, 9, 1>>(coefficients.data());
}

Vector3 MaterialFrame::angularVelocity(const double* qRate) const {
    const Matrix3 M = m_rotation.transpose() * stretchRate(qRate);
    const Vector3 axial(M(2, 1) - M(1, 2), M(0, 2) - M(2, 0), M(1, 0) - M(0, 1));
    return m_rotation * (m_turn * axial);
}

Vector3 MaterialFrame::velocity(const double* qRate) const {
    return m_basis.leftCols(m_moving) * ConstVectorView(qRate, m_moving) +
           angularVelocity(qRate).cross(m_rotation * m_arm);
}

}  // namespace pliant
