// SPDX-License-Identifier: Zlib
#include "sketch/LinearPull.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>

namespace pliant::program {
namespace {

constexpr double kLeastCompliance = 1e-6;  // of the largest: a direction that is stiffer is one that does not move

/// K0^-1 b by the eigenvectors of K0.
MatrixX solveRest(const ReducedModel& model, const MatrixX& b) {
    const MatrixX& V = model.restEigenvectors;
    return V * (model.restEigenvalues.cwiseInverse().asDiagonal() * (V.transpose() * b));
}

}  // namespace

LinearPull::LinearPull(std::shared_ptr<const ReducedModel> model)
    : m_model(std::move(model)), m_locator(m_model->mesh), m_q(VectorX::Zero(m_model->dimension())) {}

void LinearPull::take(const Vector3& restPoint) {
    const MaterialPoint at = m_locator.locate(restPoint);
    m_rows = MatrixX::Zero(3, m_model->dimension());
    for (std::size_t i = 0; i < at.vertex.size(); ++i)
        m_rows += at.weight[i] * m_model->basis.middleRows(3 * at.vertex[i], 3);
    m_force = {restPoint, Vector3::Zero()};
}

void LinearPull::moveBy(const Vector3& displacement) {
    const Matrix3& meshFromBody = m_model->meshFromBody.rotation;
    const Matrix3 compliance = m_rows * solveRest(*m_model, m_rows.transpose());
    const Eigen::SelfAdjointEigenSolver<Matrix3> axes(compliance);
    const Vector3 wanted = axes.eigenvectors().transpose() * (meshFromBody.transpose() * displacement);
    Vector3 force = Vector3::Zero();
    for (int k = 0; k < 3; ++k)
        if (axes.eigenvalues()[k] > kLeastCompliance * axes.eigenvalues()[2])
            force += wanted[k] / axes.eigenvalues()[k] * axes.eigenvectors().col(k);
    m_q = solveRest(*m_model, m_rows.transpose() * force);
    m_force.force = meshFromBody * force;
}

Vector3 LinearPull::point() const {
    return m_force.position + m_model->meshFromBody.rotation * (m_rows * m_q);
}

void LinearPull::release() {
    m_q.setZero();
    m_force = {};
}

std::string sketchText(const std::vector<DrawnForce>& forces, double metresPerUnit) {
    std::string text = "# Drawn by pliant sketch; pliant reduce --sketch makes a basis of them.\nforces:\n";
    for (const DrawnForce& drawn : forces) {
        const Vector3 x = drawn.position / metresPerUnit, f = drawn.force;
        text += fmt::format("  - {{position: [{}, {}, {}], force: [{}, {}, {}]}}\n",  // {}: back to the same bits
                            x.x(), x.y(), x.z(), f.x(), f.y(), f.z());
    }
    return text;
}

}  // namespace pliant::program
