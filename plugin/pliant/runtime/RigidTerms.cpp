// SPDX-License-Identifier: Zlib
#include "pliant/runtime/RigidTerms.h"

#include <algorithm>
#include <array>

#include "pliant/runtime/SpinInertia.h"

namespace pliant {
namespace {

using Components = std::array<double, 6>;

Components symmetricComponents(const Matrix3& m) {
    return {m(0, 0), m(1, 1), m(2, 2), 0.5 * (m(1, 2) + m(2, 1)), 0.5 * (m(0, 2) + m(2, 0)), 0.5 * (m(0, 1) + m(1, 0))};
}

Matrix3 fromComponents(const Components& c) {
    Matrix3 m;
    m << c[0], c[5], c[4], c[5], c[1], c[3], c[4], c[3], c[2];
    return m;
}

Matrix3 inertiaOfMoment(const Matrix3& moment) {
    return moment.trace() * Matrix3::Identity() - moment;
}

}  // namespace

RigidConstants::RigidConstants(const ReducedModel& model) : r(model.dimension()) {
    const InertiaIntegrals& inertia = model.inertia;
    const Matrix3 rest = inertia.principalInertia.asDiagonal();
    restMoment = 0.5 * rest.trace() * Matrix3::Identity() - rest;
    firstMoments.resize(r, 6);
    restCoupling = inertia.rotation.transpose();
    translation = inertia.translation.transpose();
    centrifugal.resize(static_cast<std::size_t>(6 * kernels::packedSize(r)));
    MatrixX stacked(9 * r, r);
    MatrixX components[3] = {MatrixX(r, r), MatrixX(r, r), MatrixX(r, r)};
    for (int j = 0; j < r; ++j) {
        const Components s = symmetricComponents(inertia.first[static_cast<std::size_t>(j)]);
        for (int c = 0; c < 6; ++c) firstMoments(j, c) = s[static_cast<std::size_t>(c)];
        for (int i = 0; i < r; ++i) {
            const auto pair = static_cast<std::size_t>(i * r + j);
            const Components second = symmetricComponents(inertia.second[pair]);
            for (int c = 0; c < 6; ++c) stacked(c * r + j, i) = second[static_cast<std::size_t>(c)];
            if (i <= j) std::copy(second.begin(), second.end(), centrifugal.data() + 6 * kernels::packedIndex(r, i, j));
            for (int c = 0; c < 3; ++c) components[c](j, i) = inertia.coriolis[pair][c];
        }
    }
    for (int c = 0; c < 3; ++c) {
        stacked.middleRows((6 + c) * r, r) = components[c];
        gyroscopic[c] = kernels::CoefficientPanels<double>(components[c]);
    }
    all = kernels::CoefficientPanels<double>(stacked);
}

Matrix3 RigidTerms::secondMoment() const {
    const ConstVectorView x(q, constants->r);
    Components e;
    for (int c = 0; c < 6; ++c)
        e[static_cast<std::size_t>(c)] = 2.0 * constants->firstMoments.col(c).dot(x) + moment(c).dot(x);
    return constants->restMoment + fromComponents(e);
}

Matrix3 RigidTerms::inertia() const {
    return inertiaOfMoment(secondMoment());
}

Matrix3 RigidTerms::inertiaAgainstModes() const {
    const auto column = [this](int c) { return constants->restCoupling.col(c) + moment(6 + c); };
    Matrix3 carried;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j <= i; ++j) carried(i, j) = carried(j, i) = column(i).dot(column(j));
    return withLeastSpinInertia(inertia(), carried);
}

void RigidTerms::coupling(double* columns, int stride) const {
    for (int c = 0; c < 3; ++c)
        VectorView(columns + c * stride, constants->r) = constants->restCoupling.col(c) + moment(6 + c);
}

Vector3 RigidTerms::modalMomentum(const double* velocity) const {
    const ConstVectorView v(velocity, constants->r);
    Vector3 h;
    for (int c = 0; c < 3; ++c) h[c] = constants->restCoupling.col(c).dot(v) + moment(6 + c).dot(v);
    return h;
}

Matrix3 RigidTerms::inertiaRate(const double* velocity) const {
    const ConstVectorView v(velocity, constants->r);
    Components rate;
    for (int c = 0; c < 6; ++c)
        rate[static_cast<std::size_t>(c)] = 2.0 * (constants->firstMoments.col(c).dot(v) + moment(c).dot(v));
    return inertiaOfMoment(fromComponents(rate));
}

void RigidTerms::addEuler(const Vector3& w, double* f) const {
    VectorView force(f, constants->r);
    for (int c = 0; c < 3; ++c) force -= w[c] * (constants->restCoupling.col(c) + moment(6 + c));
}

std::array<double, 6> centrifugalWeights(const Vector3& W) {
    const double square = W.squaredNorm();
    return {W.x() * W.x() - square, W.y() * W.y() - square, W.z() * W.z() - square,
            2.0 * W.y() * W.z(),    2.0 * W.x() * W.z(),    2.0 * W.x() * W.y()};
}

}  // namespace pliant
