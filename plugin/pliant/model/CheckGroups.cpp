// SPDX-License-Identifier: Zlib
#include "pliant/model/CheckGroups.h"

#include <algorithm>
#include <cmath>

#include "pliant/math/Error.h"
#include "pliant/model/GroupSums.h"
#include "pliant/model/ModelContainer.h"

namespace pliant {
namespace {

[[noreturn]] void fail(const std::string& where, const std::string& section, const std::string& reason) {
    throw Error(where, "section '" + section + "': " + reason, "reduce the input again");
}

bool sized(const StrainEnergyPolynomial& part, Eigen::Index r) {
    const auto count = static_cast<std::size_t>(r);
    return part.linearStiffness.rows() == r && part.linearStiffness.cols() == r &&
           part.cubic.size() == static_cast<Eigen::Index>(StrainEnergyPolynomial::cubicCount(count)) &&
           part.quartic.size() == static_cast<Eigen::Index>(StrainEnergyPolynomial::quarticCount(count)) &&
           part.linearStiffness.allFinite() && part.cubic.allFinite() && part.quartic.allFinite();
}

bool sized(const MassParts& mass, Eigen::Index r) {
    const auto finite = [](const Matrix3& x) { return x.allFinite(); };
    return std::isfinite(mass.volume) && mass.volume >= 0.0 && mass.firstMoment.allFinite() &&
           mass.secondMoment.allFinite() && mass.translation.rows() == 3 && mass.translation.cols() == r &&
           mass.translation.allFinite() && mass.first.size() == static_cast<std::size_t>(r) &&
           mass.second.size() == static_cast<std::size_t>(r * r) &&
           std::all_of(mass.first.begin(), mass.first.end(), finite) &&
           std::all_of(mass.second.begin(), mass.second.end(), finite);
}

bool near(double a, double b, double scale) {
    return std::abs(a - b) <= 1e-6 * scale;
}

/// An editor of materials would otherwise change what it did not touch.
void checkSums(const ReducedModel& model, const std::string& where) {
    const StrainEnergyPolynomial sum = energyOfGroups(model);
    const StrainEnergyPolynomial& energy = model.energy;
    const std::string section = groupSection(0);
    if (!((sum.linearStiffness - energy.linearStiffness).norm() <= 1e-6 * energy.linearStiffness.norm()) ||
        !((sum.cubic - energy.cubic).norm() <= 1e-6 * energy.cubic.norm()) ||
        !((sum.quartic - energy.quartic).norm() <= 1e-6 * energy.quartic.norm()))
        fail(where, section, "the parts of the materials do not add up to the energy");
    double mass = 0.0;
    for (std::size_t m = 0; m < model.materialGroups.size(); ++m)
        mass += model.mesh.materials[m].density * model.materialGroups[m].mass.volume;
    if (!near(mass, model.inertia.mass, model.inertia.mass))
        fail(where, section, "the parts of the materials do not add up to the mass");
}

}  // namespace

void checkGroups(const ReducedModel& model, const std::string& where) {
    const Eigen::Index r = model.dimension(), N = r + r * (r + 1) / 2;
    if (!model.damping.empty() && (model.damping.r != r || model.damping.gram.rows() != N ||
                                   model.damping.gram.cols() != N || !model.damping.gram.allFinite()))
        fail(where, "damping", "it has a wrong size or a number that is not finite");
    if (model.materialGroups.empty()) return;
    if (model.materialGroups.size() != model.mesh.materials.size())
        fail(where, groupSection(model.materialGroups.size()), "not one group per material");
    for (std::size_t m = 0; m < model.materialGroups.size(); ++m) {
        const MaterialGroup& group = model.materialGroups[m];
        if (group.energy.size() != energyWeights(model.mesh.materials[m]).size())
            fail(where, groupSection(m), "the number of energy parts does not fit the material's law");
        for (const StrainEnergyPolynomial& part : group.energy)
            if (!sized(part, r)) fail(where, groupSection(m), "an energy part has a wrong size or is not finite");
        if (!sized(group.mass, r)) fail(where, groupSection(m), "a mass integral has a wrong size or is not finite");
    }
    checkSums(model, where);
}

}  // namespace pliant
