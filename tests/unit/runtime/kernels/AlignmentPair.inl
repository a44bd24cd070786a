// SPDX-License-Identifier: Zlib
// Body of both translation units; PLIANT_SIDE is the namespace.
#include "AlignmentPair.h"

namespace pliant::test::PLIANT_SIDE {

Parcel make(int r) {
    Parcel parcel;
    parcel.matrix = MatrixX::Constant(r, 2 * r, 0.5);
    parcel.vector = VectorX::LinSpaced(3 * r, 0.0, 1.0);
    auto model = std::make_shared<ReducedModel>();
    const auto n = static_cast<std::size_t>(r);
    model->energy.linearStiffness = 100.0 * MatrixX::Identity(r, r);
    model->energy.cubic = VectorX::Zero(static_cast<Eigen::Index>(StrainEnergyPolynomial::cubicCount(n)));
    model->energy.quartic = VectorX::Zero(static_cast<Eigen::Index>(StrainEnergyPolynomial::quarticCount(n)));
    model->basis = MatrixX::Constant(3, r, 0.1);
    model->mesh.positions = Points::Zero(3, 1);
    model->inertia.mass = 1.0;
    model->inertia.principalInertia = Vector3::Ones();
    model->inertia.translation = model->inertia.rotation = MatrixX::Zero(3, r);
    model->inertia.first.assign(n, Matrix3::Zero());
    model->inertia.second.assign(n * n, Matrix3::Zero());
    model->inertia.coriolis.assign(n * n, Vector3::Zero());
    parcel.batch = std::make_unique<BodyBatch>(model, BatchSettings());
    parcel.model = std::move(model);
    return parcel;
}

double useAndShrink(Parcel& parcel) {
    const Eigen::Index r = parcel.matrix.rows();
    const double sum = parcel.matrix.sum() + parcel.vector.sum();
    parcel.matrix = (parcel.matrix * parcel.matrix.transpose()).eval();  // the other side's block is freed here
    parcel.vector.resize(r);
    parcel.model->basis.conservativeResize(6, r);
    parcel.model->basis.bottomRows(3).setZero();
    const int body = parcel.batch->add();
    parcel.batch->velocity(body).setOnes();
    parcel.batch->step(0.01, {body}, Workers(1));
    return sum + parcel.batch->q(body).sum();
}

void destroy(Parcel parcel) {
    parcel.matrix.resize(0, 0);
}

bool usesWideVectors() {
#ifdef __AVX512F__
    return true;
#else
    return false;
#endif
}

}  // namespace pliant::test::PLIANT_SIDE
