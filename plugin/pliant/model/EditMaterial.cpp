// SPDX-License-Identifier: Zlib
#include "pliant/model/EditMaterial.h"

#include <sstream>

#include "pliant/math/Error.h"
#include "pliant/math/PolynomialSums.h"
#include "pliant/mesh/CheckVolumeMesh.h"
#include "pliant/model/DiagonaliseRest.h"
#include "pliant/model/GroupSums.h"
#include "pliant/model/MassCoordinates.h"
#include "pliant/model/TreeBounds.h"

namespace pliant {
namespace {

void requireIsotropic(const ElasticMaterial& material, const std::string& where) {
    if (!material.isotropic())
        throw Error(where, "it is not isotropic: it has no single Young's modulus and Poisson ratio",
                    "scale its stiffness, or reduce again with other constants");
}

/// Whether elements of a material have an assumed strain (fem/Element.h), which its Poisson ratio is a part of.
bool hasAssumedStrain(const VolumeMesh& mesh, int material) {
    for (int e = 0; e < mesh.elementCount(); ++e)
        if (mesh.elementMaterial[static_cast<std::size_t>(e)] == material && !mesh.bending(e).plain()) return true;
    return false;
}

void scaleStiffness(double scale, ElasticMaterial& material) {
    material.youngsModulus *= scale;
    material.orthotropic.youngsModuli *= scale;
    material.orthotropic.shearModuli *= scale;
    material.stiffness *= scale;
}

/// Applies one edit to the material and, for laws without Lame constants, to the group's only part.
void apply(const MaterialEdit& edit, ReducedModel& model) {
    if (edit.material < 0 || edit.material >= static_cast<int>(model.mesh.materials.size()))
        throw Error("model \"" + model.name + "\"", "there is no material " + std::to_string(edit.material) +
                                                        ": its mesh has " +
                                                        std::to_string(model.mesh.materials.size()));
    const auto m = static_cast<std::size_t>(edit.material);
    ElasticMaterial& material = model.mesh.materials[m];
    const std::string where = "material \"" + material.name + "\"";
    if (edit.youngsModulus || edit.poissonRatio) requireIsotropic(material, where);
    if (edit.poissonRatio && *edit.poissonRatio != material.poissonRatio && hasAssumedStrain(model.mesh, edit.material))
        throw Error(where, "its bricks are thin or cut, and the strain of these goes with Poisson's ratio",
                    "reduce again with the other ratio");
    material.youngsModulus = edit.youngsModulus.value_or(material.youngsModulus);
    material.poissonRatio = edit.poissonRatio.value_or(material.poissonRatio);
    material.density = edit.density.value_or(material.density);
    if (edit.stiffnessScale) {
        const double scale = *edit.stiffnessScale;
        if (!(scale > 0.0) || !std::isfinite(scale))
            throw Error(where, "the stiffness is scaled by no positive number");
        scaleStiffness(scale, material);
        if (!material.isotropic()) {
            StrainEnergyPolynomial& part = model.materialGroups[m].energy.front();
            StrainEnergyPolynomial scaled = zeroPolynomial(part.dimension());
            addScaled(scale, part, scaled);
            part = std::move(scaled);
        }
    }
    checkMaterial(material, where);
}

/// By how much every eigenvalue of the full model changes, or 0 where the edit is not the same all over.
double eigenvalueFactor(const ReducedModel& before, const ReducedModel& after) {
    double factor = 0.0;
    for (std::size_t m = 0; m < before.mesh.materials.size(); ++m) {
        if (before.materialGroups[m].mass.volume == 0.0) continue;
        const ElasticMaterial &a = before.mesh.materials[m], &b = after.mesh.materials[m];
        const Matrix6 Ca = stiffnessMatrix(a), Cb = stiffnessMatrix(b);
        const double scale = Cb.norm() / Ca.norm(), own = scale * a.density / b.density;
        if ((Cb - scale * Ca).norm() > 1e-12 * Cb.norm()) return 0.0;
        if (factor != 0.0 && std::abs(own - factor) > 1e-12 * factor) return 0.0;
        factor = own;
    }
    return factor;
}

std::string described(const MaterialEdit& edit) {
    std::ostringstream text;
    text.precision(17);
    text << ";edit=" << edit.material;
    if (edit.youngsModulus) text << ",young=" << *edit.youngsModulus;
    if (edit.poissonRatio) text << ",poisson=" << *edit.poissonRatio;
    if (edit.stiffnessScale) text << ",scale=" << *edit.stiffnessScale;
    if (edit.density) text << ",density=" << *edit.density;
    return text.str();
}

}  // namespace

std::shared_ptr<ReducedModel> withMaterial(const ReducedModel& model, const std::vector<MaterialEdit>& edits) {
    if (model.materialGroups.empty())
        throw Error("model \"" + model.name + "\"", "it does not keep its materials apart, so they cannot be edited",
                    "reduce the input again with this Pliant");
    auto result = std::make_shared<ReducedModel>(model);
    bool denser = false;
    for (const MaterialEdit& edit : edits) {
        apply(edit, *result);
        denser = denser || edit.density.has_value();
        result->provenance.options += described(edit);
    }
    const double factor = eigenvalueFactor(model, *result);
    if (factor == 0.0)
        result->elasticEigenvalues.resize(0);
    else
        result->elasticEigenvalues *= factor;
    if (denser) {
        const MassCoordinates change(*result);
        change.apply(*result);
        setTreeBounds(*result);
        result->inertia = inertiaOfGroups(*result);
    }
    result->energy = energyOfGroups(*result);
    diagonaliseRest(*result);
    return result;
}

}  // namespace pliant
