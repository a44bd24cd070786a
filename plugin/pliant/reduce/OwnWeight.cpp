// SPDX-License-Identifier: Zlib
#include "pliant/reduce/OwnWeight.h"

#include <algorithm>
#include <cmath>

#include "pliant/reduce/FourDigits.h"

namespace pliant {

std::string ownWeightNote(const ReducedModel& model) {
    constexpr double gravity = 9.81;
    const double bearable = 1.0 / (3.0 * std::sqrt(3.0));
    // As a block as stiff as its stiffest region and as light as its lightest one that lies on its broadest side. What
    // tapers upwards presses less, and what friction holds from spreading bears more: a note says what may be.
    double young = 0.0, density = 0.0;
    for (const ElasticMaterial& material : model.mesh.materials) {
        if (!material.isotropic()) return {};
        young = std::max(young, material.youngsModulus);
        density = density > 0.0 ? std::min(density, material.density) : material.density;
    }
    if (model.mesh.vertexCount() == 0 || !model.fixedVertices.empty() || !(young > 0.0)) return {};
    const Points turned = model.meshFromBody.rotation.transpose() * model.mesh.positions;
    const double height = (turned.rowwise().maxCoeff() - turned.rowwise().minCoeff()).minCoeff();
    const double pressure = density * gravity * height;
    if (!(pressure > bearable * young)) return {};
    constexpr double above = 1.001;  // of what four digits may round off
    return "the body may be too soft to bear its own weight: a block as high as it is on its broadest side presses on "
           "its lowest layer with " +
           fourDigits(pressure) + " Pa, and its material, of " + fourDigits(young) + " Pa (young), gives way at " +
           fourDigits(bearable * young) + " Pa; what collapses on the ground may go through it; a young of " +
           fourDigits(above * pressure / bearable) + " Pa bears it";
}

}  // namespace pliant
