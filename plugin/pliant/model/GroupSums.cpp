// SPDX-License-Identifier: Zlib
#include "pliant/model/GroupSums.h"

#include "pliant/math/PolynomialSums.h"

namespace pliant {
namespace {

/// a x b for the tensor a b'.
Vector3 crossOf(const Matrix3& ab) {
    return {ab(1, 2) - ab(2, 1), ab(2, 0) - ab(0, 2), ab(0, 1) - ab(1, 0)};
}

}  // namespace

StrainEnergyPolynomial energyOfGroups(const ReducedModel& model) {
    StrainEnergyPolynomial total = zeroPolynomial(model.dimension());
    for (std::size_t m = 0; m < model.materialGroups.size(); ++m) {
        const std::vector<double> weights = energyWeights(model.mesh.materials[m]);
        for (std::size_t i = 0; i < weights.size(); ++i)
            addScaled(weights[i], model.materialGroups[m].energy[i], total);
    }
    return total;
}

MassParts massOfGroups(const ReducedModel& model) {
    const int r = model.dimension();
    const auto count = static_cast<std::size_t>(r);
    MassParts total;
    total.translation = MatrixX::Zero(3, r);
    total.first.assign(count, Matrix3::Zero());
    total.second.assign(count * count, Matrix3::Zero());
    for (std::size_t m = 0; m < model.materialGroups.size(); ++m) {
        const double density = model.mesh.materials[m].density;
        const MassParts& part = model.materialGroups[m].mass;
        total.volume += density * part.volume;
        total.firstMoment += density * part.firstMoment;
        total.secondMoment += density * part.secondMoment;
        total.translation += density * part.translation;
        for (std::size_t j = 0; j < count; ++j) total.first[j] += density * part.first[j];
        for (std::size_t k = 0; k < count * count; ++k) total.second[k] += density * part.second[k];
    }
    return total;
}

InertiaIntegrals inertiaOfGroups(const ReducedModel& model) {
    const MassParts total = massOfGroups(model);
    InertiaIntegrals inertia;
    inertia.mass = total.volume;
    inertia.principalInertia = Vector3::Constant(total.secondMoment.trace()) - total.secondMoment.diagonal();
    inertia.translation = total.translation;
    inertia.first = total.first;
    inertia.second = total.second;
    inertia.rotation.resize(3, model.dimension());
    for (Eigen::Index j = 0; j < inertia.rotation.cols(); ++j)
        inertia.rotation.col(j) = crossOf(total.first[static_cast<std::size_t>(j)]);
    for (const Matrix3& S : total.second) inertia.coriolis.push_back(crossOf(S));
    return inertia;
}

}  // namespace pliant
